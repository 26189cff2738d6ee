"""Every event that a log can hold, by topic."""

from mam_events.events.adjustments import *
from mam_events.events.armor import *
from mam_events.events.base import *
from mam_events.events.bookkeeping import *
from mam_events.events.code_rolls import *
from mam_events.events.combos import *
from mam_events.events.counterattacks import *
from mam_events.events.effects import *
from mam_events.events.exchange_rolls import *
from mam_events.events.exchanges import *
from mam_events.events.grappling import *
from mam_events.events.heads import *
from mam_events.events.maneuvering import *
from mam_events.events.missiles import *
from mam_events.events.mounts import *
from mam_events.events.multiple_actions import *
from mam_events.events.opening import *
from mam_events.events.rest import *
from mam_events.events.rolls import *
from mam_events.events.speeds import *
from mam_events.events.surprise import *
from mam_events.events.topics import *
from mam_events.events.turns import *
from mam_events.events.vehicles import *
from mam_events.events.wounds import *

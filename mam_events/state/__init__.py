"""A fight at one moment: frozen values, built only by applying events."""

from mam_events.state.combatants import *
from mam_events.state.encounters import *
from mam_events.state.equipment import *
from mam_events.state.exchanges import *
from mam_events.state.mounts import *
from mam_events.state.pools import *
from mam_events.state.rounds import *
from mam_events.state.status import *

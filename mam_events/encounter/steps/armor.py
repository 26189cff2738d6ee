"""What facts about armor leave behind: nothing but the record."""

from __future__ import annotations

from mam_events.encounter.steps.shared import Steps, unchanged
from mam_events.events.armor import ArmorChecked

STEPS: Steps = {ArmorChecked: unchanged}

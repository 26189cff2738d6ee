"""What facts about success rolls, contests and rest leave behind."""

from __future__ import annotations

from mam_events.encounter.steps.shared import Steps, pools, unchanged
from mam_events.events.rest import DamageRecovered, HealingRolled
from mam_events.events.rolls import ContestResolved, SuccessRolled

STEPS: Steps = {
    SuccessRolled: unchanged,
    ContestResolved: unchanged,
    HealingRolled: unchanged,
    DamageRecovered: pools,
}

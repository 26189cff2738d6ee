"""What the end of a bonus or penalty leaves behind."""

from __future__ import annotations

from mam_events.encounter.steps.shared import Steps, with_status
from mam_events.events.effects import EffectExpired
from mam_events.state import Encounter


def _expired(state: Encounter, event: EffectExpired) -> Encounter:
    effects = state.combatants[event.combatant].status.effects
    which = (event.source, event.turn)
    at = next(
        (at for at, one in enumerate(effects) if which in ((one.source, 0), (one.source, one.turn))), len(effects)
    )
    return with_status(state, event.combatant, effects=(*effects[:at], *effects[at + 1 :]))


STEPS: Steps = {EffectExpired: _expired}

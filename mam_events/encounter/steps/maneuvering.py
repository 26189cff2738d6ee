"""What facts about positions and evasion leave behind."""

from __future__ import annotations

from mam_events.encounter.steps.shared import Steps, placed, with_status
from mam_events.events.maneuvering import (
    AimTaken,
    EvasionTaken,
    InstantStandResolved,
    PositionChanged,
    RestTaken,
)
from mam_events.state import Effect, Encounter


def _with_effect(state: Encounter, name: str, effect: Effect, *, replaces: bool) -> Encounter:
    kept = tuple(
        other for other in state.combatants[name].status.effects if not (replaces and other.source == effect.source)
    )
    return with_status(state, name, effects=(*kept, effect))


def _evasion_taken(state: Encounter, event: EvasionTaken) -> Encounter:
    return _with_effect(state, event.combatant, event.effect, replaces=event.replaces)


def _rest_taken(state: Encounter, event: RestTaken) -> Encounter:
    return _with_effect(state, event.combatant, event.effect, replaces=True)


def _position_changed(state: Encounter, event: PositionChanged) -> Encounter:
    return placed(state, event.combatant, event.position, event.partner)


def _instant_stand(state: Encounter, event: InstantStandResolved) -> Encounter:
    if event.outcome != "fail":
        state = placed(state, event.combatant, "standing")
    if event.effect:
        state = _with_effect(state, event.combatant, event.effect, replaces=event.replaces)
    return state


def _aim_taken(state: Encounter, event: AimTaken) -> Encounter:
    return placed(state, event.combatant, event.position, aiming=event.weapon)


STEPS: Steps = {
    EvasionTaken: _evasion_taken,
    PositionChanged: _position_changed,
    InstantStandResolved: _instant_stand,
    RestTaken: _rest_taken,
    AimTaken: _aim_taken,
}

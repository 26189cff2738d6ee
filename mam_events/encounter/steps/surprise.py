"""What facts before the first turn leave behind."""

from __future__ import annotations

from msgspec.structs import replace

from mam_events.encounter.steps.shared import Steps, with_combatant, with_status
from mam_events.events.surprise import CombatAvoided, OpeningPostureTaken, StealthRolled, SurpriseEstablished
from mam_events.state import BODY, Encounter, Stalking


def _stalked(state: Encounter, event: StealthRolled) -> Encounter:
    rolled = Stalking(event.combatant, event.target, event.outcome == "full")
    return replace(state, stealth=(*state.stealth, rolled), avoided=False)


def _surprised(state: Encounter, event: SurpriseEstablished) -> Encounter:
    for name in event.surprised:
        weapons = state.combatants[name].weapons
        sheathed = tuple(w if w.id == BODY or w.attached else replace(w, readied=False) for w in weapons)
        state = with_combatant(state, name, weapons=sheathed)
    return replace(state, advantaged=event.advantaged)


def _avoided(state: Encounter, event: CombatAvoided) -> Encounter:
    return replace(state, stealth=(), avoided=True)


def _posture(state: Encounter, event: OpeningPostureTaken) -> Encounter:
    if event.effect is None:
        return with_status(state, event.combatant, prepared=True, skips_owed=event.skips_owed)
    effects = state.combatants[event.combatant].status.effects
    return with_status(state, event.combatant, effects=(*effects, event.effect))


STEPS: Steps = {
    StealthRolled: _stalked,
    SurpriseEstablished: _surprised,
    CombatAvoided: _avoided,
    OpeningPostureTaken: _posture,
}

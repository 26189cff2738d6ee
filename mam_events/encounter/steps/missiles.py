"""What facts about shooting and throwing leave behind."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from mam_events.encounter.steps.shared import Steps, let_go, with_combatant, with_status
from mam_events.events import missiles as e
from mam_events.state import Encounter


def _bow_drawn(state: Encounter, event: e.BowDrawn) -> Encounter:
    return with_status(state, event.combatant, drawn=event.weapon)


def _bow_slack(state: Encounter, event: Any) -> Encounter:
    return with_status(state, event.combatant, drawn="")


def _loaded(state: Encounter, name: str, weapon_id: str, loaded: int, winding: int = 0) -> Encounter:
    weapons = state.combatants[name].weapons
    return with_combatant(
        state,
        name,
        weapons=tuple(
            replace(weapon, loaded=loaded, winding=winding) if weapon.id == weapon_id else weapon for weapon in weapons
        ),
    )


def _weapon_loaded(state: Encounter, event: e.WeaponLoaded) -> Encounter:
    combatant = state.combatants[event.combatant]
    weapon = combatant.weapon(event.weapon)
    if weapon and weapon.reload:
        state = with_status(state, event.combatant, loading=combatant.status.turns)
    return _loaded(state, event.combatant, event.weapon, event.loaded, event.turns_left)


def _unloaded(state: Encounter, event: e.WeaponUnloaded) -> Encounter:
    return _loaded(state, event.combatant, event.weapon, 0)


def _shot(state: Encounter, event: e.ShotFired) -> Encounter:
    return _loaded(state, event.combatant, event.weapon, event.loaded)


def _thrown(state: Encounter, event: e.WeaponThrown) -> Encounter:
    state = let_go(state, event.combatant, event.weapon)
    status = state.combatants[event.combatant].status
    if event.weapon == status.heaving:
        state = with_status(state, event.combatant, heaving="")
    return with_status(state, event.combatant, lost_turn=event.lost_turn) if event.lost_turn else state


def _heave_begun(state: Encounter, event: e.HeaveBegun) -> Encounter:
    return with_status(state, event.combatant, heaving=event.weapon, heaving_since=event.turn)


def _heave_over(state: Encounter, event: e.HeaveInterrupted) -> Encounter:
    return with_status(state, event.combatant, heaving="")


STEPS: Steps = {
    e.BowDrawn: _bow_drawn,
    e.BowFired: _bow_slack,
    e.BowLowered: _bow_slack,
    e.WeaponLoaded: _weapon_loaded,
    e.WeaponUnloaded: _unloaded,
    e.ShotFired: _shot,
    e.WeaponThrown: _thrown,
    e.HeaveBegun: _heave_begun,
    e.HeaveInterrupted: _heave_over,
}

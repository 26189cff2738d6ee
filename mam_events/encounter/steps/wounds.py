"""What facts about injury and about holds leave behind."""

from __future__ import annotations

from msgspec.structs import replace

from mam_events import events as e
from mam_events.encounter.steps.shared import Steps, pools, unchanged, with_combatant, with_status, without_grapple
from mam_events.state import Encounter


def _incapacitated(state: Encounter, event: e.CombatantIncapacitated) -> Encounter:
    state = with_combatant(state, event.combatant, condition="incapacitated")
    return with_status(state, event.combatant, cause=event.cause) if event.cause else state


def _died(state: Encounter, event: e.CombatantDied) -> Encounter:
    return with_combatant(state, event.combatant, condition="dead")


def _recovered(state: Encounter, event: e.CombatantRecovered) -> Encounter:
    state = with_combatant(state, event.combatant, condition="able")
    return with_status(state, event.combatant, cause="", by_word=False)


def _grapple_ended(state: Encounter, event: e.GrappleBroken | e.GrappleReleased) -> Encounter:
    return with_combatant(
        state, event.combatant, grapples=without_grapple(state.combatants[event.combatant], event.grapple)
    )


def _grapple_weakened(state: Encounter, event: e.GrappleWeakened) -> Encounter:
    grapples = tuple(
        replace(held, points=event.points, modifier=event.modifier) if held.id == event.grapple else held
        for held in state.combatants[event.combatant].grapples
    )
    return with_combatant(state, event.combatant, grapples=grapples)


STEPS: Steps = {
    e.WoundInflicted: pools,
    e.CombatantIncapacitated: _incapacitated,
    e.CombatantDied: _died,
    e.CombatantRecovered: _recovered,
    e.ReserveShort: unchanged,
    e.GrappleBroken: _grapple_ended,
    e.GrappleWeakened: _grapple_weakened,
    e.GrappleReleased: _grapple_ended,
}

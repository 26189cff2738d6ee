"""What the game master's word leaves behind."""

from __future__ import annotations

from msgspec.structs import replace

from mam_events import events as e
from mam_events.encounter.steps.shared import (
    Steps,
    exchange_over,
    pools,
    window_anew,
    with_combatant,
    with_status,
    without_grapple,
)
from mam_events.state import Encounter, Turn


def _condition_declared(state: Encounter, event: e.ConditionDeclared) -> Encounter:
    state = with_combatant(state, event.combatant, condition=event.condition)
    return with_status(state, event.combatant, by_word=event.condition == "incapacitated")


def _grapple_declared(state: Encounter, event: e.GrappleDeclared) -> Encounter:
    rest = without_grapple(state.combatants[event.combatant], event.grapple.id)
    return with_combatant(state, event.combatant, grapples=(*rest, event.grapple))


def _turn_declared(state: Encounter, event: e.TurnDeclared) -> Encounter:
    if not event.combatant:
        return replace(state, turn=None)
    waiting = tuple(name for name in state.had_turn if name != event.combatant)
    window = window_anew(state)
    actions = state.combatants[event.combatant].actions
    if actions.declared or actions.turn_lost:
        # A turn that is given anew has a number of actions of its own (RD6-ACT-02).
        anew = replace(actions, declared=0, used=0, lost=0, waiting=False, turn_lost=False, reaction="", reacts_to=0)
        state = with_combatant(state, event.combatant, actions=anew)
    return replace(state, turn=Turn(event.combatant), had_turn=waiting, window=window)


STEPS: Steps = {
    e.OutcomeDeclared: exchange_over,
    e.PoolsAdjusted: pools,
    e.ConditionDeclared: _condition_declared,
    e.GrappleDeclared: _grapple_declared,
    e.TurnDeclared: _turn_declared,
}

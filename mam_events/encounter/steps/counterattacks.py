"""What facts of combos, prepared counterattacks, speeds and delays leave behind."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from mam_events.encounter.steps.shared import Steps, with_status
from mam_events.events import combos, counterattacks, speeds
from mam_events.state import Combo, Deed, Encounter, Interrupted, Turn


def _combo_declared(state: Encounter, event: combos.ComboDeclared) -> Encounter:
    if state.turn is None:
        return state
    return replace(state, turn=replace(state.turn, combo=Combo(event.actions, event.modifier, event.combo)))


def _broken_off(state: Encounter, event: combos.ComboBrokenOff) -> Encounter:
    return replace(state, turn=replace(state.turn, combo=None)) if state.turn else state


def _prepared(state: Encounter, event: counterattacks.CounterattackPrepared) -> Encounter:
    return with_status(state, event.combatant, prepared=True)


def _preparation_over(state: Encounter, event: Any) -> Encounter:
    return with_status(state, event.combatant, prepared=False, skips_owed=event.skips_owed)


def _triggered(state: Encounter, event: counterattacks.CounterattackTriggered) -> Encounter:
    state = _preparation_over(state, event)
    if state.turn is None:
        return state
    exchange, waits = state.exchange, state.turn
    if waits.combo:
        waits = replace(waits, combo=replace(waits.combo, countered=True))
    waiting = Interrupted(waits, replace(exchange, countered=True) if exchange else None)
    turn = Turn(event.combatant, refreshed=True, counter=event.interrupts, against=event.by)
    return replace(state, turn=turn, exchange=None, interrupted=(*state.interrupted, waiting))


def _counterattack_ended(state: Encounter, event: counterattacks.CounterattackEnded) -> Encounter:
    if not state.interrupted:
        return state
    *others, waiting = state.interrupted
    turn = waiting.turn
    if event.passed:
        turn = replace(turn, passed=(*turn.passed, event.combatant))
    return replace(state, turn=turn, exchange=waiting.exchange, interrupted=tuple(others))


def _action_changed(state: Encounter, event: counterattacks.DeclaredActionChanged) -> Encounter:
    turn = state.turn
    if turn and turn.combo and turn.combo.id == event.exchange:
        return replace(state, turn=replace(turn, combo=None))
    return replace(state, exchange=None, turn=replace(turn, deeds=turn.deeds[:-1]) if turn else None)


def _action_taken(state: Encounter, event: speeds.ActionTaken) -> Encounter:
    turn = state.turn
    if turn is None or turn.combatant != event.combatant:
        return state
    return replace(state, turn=replace(turn, acted=True, deeds=(*turn.deeds, Deed(event.kind, event.weapon))))


def _skipped(state: Encounter, event: speeds.TurnSkipped) -> Encounter:
    return with_status(state, event.combatant, skips_owed=event.skips_owed)


def _delayed(state: Encounter, event: speeds.TurnDelayed) -> Encounter:
    if event.persistent:
        return replace(state, order=event.order, this_round=())
    return replace(state, this_round=event.order)


STEPS: Steps = {
    combos.ComboDeclared: _combo_declared,
    combos.ComboBrokenOff: _broken_off,
    counterattacks.CounterattackPrepared: _prepared,
    counterattacks.CounterattackTriggered: _triggered,
    counterattacks.CounterattackEnded: _counterattack_ended,
    counterattacks.CounterattackLapsed: _preparation_over,
    counterattacks.PreparationSpent: _preparation_over,
    counterattacks.DeclaredActionChanged: _action_changed,
    speeds.ActionTaken: _action_taken,
    speeds.TurnSkipped: _skipped,
    speeds.SkipsOwed: _skipped,
    speeds.TurnDelayed: _delayed,
}

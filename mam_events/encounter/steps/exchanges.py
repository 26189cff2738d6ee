"""What facts of an exchange leave behind."""

from __future__ import annotations

from msgspec.structs import replace

from mam_events import events as e
from mam_events.encounter.steps.shared import Steps, answered, begun, exchange_over, unchanged
from mam_events.state import Encounter, Exchange, SituationModifier


def _defense_raised(state: Encounter, event: e.DefenseRaised) -> Encounter:
    exchange = state.exchange
    if exchange is None:
        return state
    defended = exchange.defended | {event.combatant: exchange.defended.get(event.combatant, 0) + event.points}
    return replace(state, exchange=replace(exchange, defended=defended))


def _ruled(state: Encounter, event: e.SituationRuled) -> Encounter:
    said = SituationModifier(event.combatant, event.value, event.why, event.action)

    def with_it(exchange: Exchange) -> Exchange:
        return replace(exchange, situation=(*exchange.situation, said)) if exchange.id == event.exchange else exchange

    if state.exchange:
        return replace(state, exchange=with_it(state.exchange))
    waiting = tuple(
        replace(before, exchange=with_it(before.exchange)) if before.exchange else before
        for before in state.interrupted
    )
    return replace(state, interrupted=waiting)


STEPS: Steps = {
    e.AttackDeclared: begun,
    e.ActionDeclared: begun,
    e.DefenseRaised: _defense_raised,
    e.ParryDeclared: answered,
    e.CounterattackDeclared: answered,
    e.InterferenceDeclared: answered,
    e.SituationRuled: _ruled,
    e.AttackRolled: unchanged,
    e.DefenseRolled: unchanged,
    e.ParryRolled: unchanged,
    e.CounterattackRolled: unchanged,
    e.InterferenceRolled: unchanged,
    e.ActionRolled: unchanged,
    e.InterferenceResolved: unchanged,
    e.CounterattackResolved: unchanged,
    e.AttackResolved: exchange_over,
    e.ActionResolved: exchange_over,
}

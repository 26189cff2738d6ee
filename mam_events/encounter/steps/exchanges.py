"""What facts of an exchange leave behind."""

from __future__ import annotations

from msgspec.structs import replace

from mam_events import events as e
from mam_events.encounter.steps.shared import (
    Steps,
    answered,
    attack_over,
    begun,
    exchange_over,
    unchanged,
    with_exchange,
)
from mam_events.state import Encounter, SituationModifier


def _defense_raised(state: Encounter, event: e.DefenseRaised) -> Encounter:
    exchange = state.exchange
    if exchange is None:
        return state
    defended = exchange.defended | {event.combatant: exchange.defended.get(event.combatant, 0) + event.points}
    return replace(state, exchange=replace(exchange, defended=defended))


def _ruled(state: Encounter, event: e.SituationRuled) -> Encounter:
    said = SituationModifier(event.combatant, event.value, event.why, event.action)
    for exchange in state.declared:
        if exchange.id == event.exchange:
            return with_exchange(state, exchange.id, replace(exchange, situation=(*exchange.situation, said)))
    return state


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
    e.AttackResolved: attack_over,
    e.ActionResolved: exchange_over,
}

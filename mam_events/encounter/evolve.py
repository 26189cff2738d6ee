"""What each fact leaves behind: `evolve(state, event) -> state`. It records and judges nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from mam_events import events as e
from mam_events.state import Combatant, Encounter, Exchange, Grapple, Turn


def evolve(state: Encounter, event: e.Event) -> Encounter:
    """The state after that fact."""
    return STEPS[type(event)](state, event)


def fold(state: Encounter, events: Iterable[e.Event]) -> Encounter:
    """The state after all those facts, in order."""
    for event in events:
        state = STEPS[type(event)](state, event)
    return state


def fold_rows(
    state: Encounter,
    rows: Sequence[tuple[int, str, bytes]],
    start: int,
    end: int,
    decoders: Mapping[str, Callable[[bytes], Any]],
) -> Encounter:
    """The state after the facts in `rows[start:end]`, each decoded and folded in one go: the hot loop of every load."""
    for _, topic, encoded in rows[start:end]:
        event = decoders[topic](encoded)
        state = STEPS[type(event)](state, event)
    return state


def _with(state: Encounter, name: str, **changes: Any) -> Encounter:
    combatants = state.combatants.copy()
    combatants[name] = replace(combatants[name], **changes)
    return replace(state, combatants=combatants)


def _opened(state: Encounter, event: e.EncounterOpened) -> Encounter:
    return replace(
        state, status="open", title=event.title, ruleset=event.ruleset, commitment=event.commitment, combatants={}
    )


def _joined(state: Encounter, event: e.CombatantJoined) -> Encounter:
    joined = event.combatant
    return replace(state, combatants=state.combatants | {joined.id: joined}, order=event.order)


def _ordered(state: Encounter, event: e.InitiativeEstablished) -> Encounter:
    return replace(state, order=event.order)


def _round_started(state: Encounter, event: e.RoundStarted) -> Encounter:
    return replace(state, round=event.round, round_open=True, had_turn=())


def _round_ended(state: Encounter, event: e.RoundEnded) -> Encounter:
    return replace(state, round_open=False)


def _turn_started(state: Encounter, event: e.TurnStarted) -> Encounter:
    return replace(state, turn=Turn(event.combatant))


def _turn_ended(state: Encounter, event: e.TurnEnded) -> Encounter:
    return replace(state, turn=None, had_turn=(*state.had_turn, event.combatant))


def _pools(state: Encounter, event: Any) -> Encounter:
    return _with(state, event.combatant, pools=event.pools)


def _refreshed(state: Encounter, event: e.ReadyPoolRefreshed) -> Encounter:
    state = _with(state, event.combatant, pools=event.pools)
    return replace(state, turn=replace(state.turn, refreshed=True)) if state.turn else state


def _spent(state: Encounter, event: e.HitPointsSpent) -> Encounter:
    state = _with(state, event.combatant, pools=event.pools)
    if state.turn and state.turn.combatant == event.combatant and not state.turn.acted:
        return replace(state, turn=replace(state.turn, acted=True))
    return state


def _unchanged(state: Encounter, event: e.Event) -> Encounter:
    return state


def _weapon_readied(state: Encounter, event: e.WeaponReadied) -> Encounter:
    weapons = state.combatants[event.combatant].weapons
    return _with(
        state,
        event.combatant,
        weapons=tuple(replace(weapon, readied=True) if weapon.id == event.weapon else weapon for weapon in weapons),
    )


def _item_dropped(state: Encounter, event: e.EquipmentDropped) -> Encounter:
    return _with(state, event.combatant, dropped=(*state.combatants[event.combatant].dropped, event.item))


def _item_picked_up(state: Encounter, event: e.EquipmentPickedUp) -> Encounter:
    kept = tuple(item for item in state.combatants[event.combatant].dropped if item != event.item)
    return _with(state, event.combatant, dropped=kept)


def _exchange_begun(state: Encounter, event: e.Declaration) -> Encounter:
    return replace(state, exchange=Exchange(event.exchange, (event.declares(),)))


def _answered(state: Encounter, event: e.Declaration) -> Encounter:
    exchange = state.exchange
    if exchange is None:
        return state
    return replace(state, exchange=replace(exchange, actions=(*exchange.actions, event.declares())))


def _defense_raised(state: Encounter, event: e.DefenseRaised) -> Encounter:
    exchange = state.exchange
    if exchange is None:
        return state
    return replace(state, exchange=replace(exchange, defended=exchange.defended + event.points))


def _exchange_over(state: Encounter, event: e.Event) -> Encounter:
    return replace(state, exchange=None)


def _incapacitated(state: Encounter, event: e.CombatantIncapacitated) -> Encounter:
    return _with(state, event.combatant, condition="incapacitated")


def _died(state: Encounter, event: e.CombatantDied) -> Encounter:
    return _with(state, event.combatant, condition="dead")


def _recovered(state: Encounter, event: e.CombatantRecovered) -> Encounter:
    return _with(state, event.combatant, condition="able")


def _without_grapple(combatant: Combatant, grapple: str) -> tuple[Grapple, ...]:
    return tuple(held for held in combatant.grapples if held.id != grapple)


def _grapple_ended(state: Encounter, event: e.GrappleBroken | e.GrappleReleased) -> Encounter:
    return _with(state, event.combatant, grapples=_without_grapple(state.combatants[event.combatant], event.grapple))


def _grapple_weakened(state: Encounter, event: e.GrappleWeakened) -> Encounter:
    rest = _without_grapple(state.combatants[event.combatant], event.grapple)
    return _with(state, event.combatant, grapples=(*rest, Grapple(event.grapple, event.points, event.modifier)))


def _grapple_declared(state: Encounter, event: e.GrappleDeclared) -> Encounter:
    rest = _without_grapple(state.combatants[event.combatant], event.grapple.id)
    return _with(state, event.combatant, grapples=(*rest, event.grapple))


def _condition_declared(state: Encounter, event: e.ConditionDeclared) -> Encounter:
    return _with(state, event.combatant, condition=event.condition)


def _turn_declared(state: Encounter, event: e.TurnDeclared) -> Encounter:
    if not event.combatant:
        return replace(state, turn=None)
    waiting = tuple(name for name in state.had_turn if name != event.combatant)
    return replace(state, turn=Turn(event.combatant), had_turn=waiting)


def _closed(state: Encounter, event: e.EncounterClosed) -> Encounter:
    return replace(state, status="closed", turn=None, exchange=None)


STEPS: dict[type[e.Event], Callable[[Encounter, Any], Encounter]] = {
    e.EncounterOpened: _opened,
    e.CombatantJoined: _joined,
    e.InitiativeEstablished: _ordered,
    e.RoundStarted: _round_started,
    e.RoundEnded: _round_ended,
    e.TurnStarted: _turn_started,
    e.TurnEnded: _turn_ended,
    e.StunRecovered: _pools,
    e.ReadyPoolRefreshed: _refreshed,
    e.HitPointsSpent: _spent,
    e.CombatantMoved: _unchanged,
    e.WeaponReadied: _weapon_readied,
    e.EquipmentDropped: _item_dropped,
    e.EquipmentPickedUp: _item_picked_up,
    e.AttackDeclared: _exchange_begun,
    e.ActionDeclared: _exchange_begun,
    e.DefenseRaised: _defense_raised,
    e.ParryDeclared: _answered,
    e.CounterattackDeclared: _answered,
    e.InterferenceDeclared: _answered,
    e.AttackRolled: _unchanged,
    e.DefenseRolled: _unchanged,
    e.ParryRolled: _unchanged,
    e.CounterattackRolled: _unchanged,
    e.InterferenceRolled: _unchanged,
    e.ActionRolled: _unchanged,
    e.InterferenceResolved: _unchanged,
    e.CounterattackResolved: _unchanged,
    e.AttackResolved: _exchange_over,
    e.ActionResolved: _exchange_over,
    e.OutcomeDeclared: _exchange_over,
    e.WoundInflicted: _pools,
    e.CombatantIncapacitated: _incapacitated,
    e.CombatantDied: _died,
    e.CombatantRecovered: _recovered,
    e.ReserveShort: _unchanged,
    e.GrappleBroken: _grapple_ended,
    e.GrappleWeakened: _grapple_weakened,
    e.GrappleReleased: _grapple_ended,
    e.PoolsAdjusted: _pools,
    e.ConditionDeclared: _condition_declared,
    e.GrappleDeclared: _grapple_declared,
    e.TurnDeclared: _turn_declared,
    e.EncounterClosed: _closed,
}

"""What the steps of every section are made of."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from msgspec.structs import replace

from mam_events.events import AttackResolved, Declaration, Event
from mam_events.state import Combatant, Encounter, Exchange, Grapple, Position, Window

Steps = dict[type[Event], Callable[[Encounter, Any], Encounter]]
"""What each kind of fact does to a state: it records, and judges nothing."""


ON_THE_GROUND = ("on_ground", "aiming_on_ground", "ground_fighting", "dominant_on_ground")
"""The positions down there."""


def with_combatant(state: Encounter, name: str, **changes: Any) -> Encounter:
    """The state with some fields of one combatant anew."""
    combatants = state.combatants.copy()
    combatants[name] = replace(combatants[name], **changes)
    return replace(state, combatants=combatants)


def with_status(state: Encounter, name: str, **changes: Any) -> Encounter:
    """The state with some of what one combatant is doing anew."""
    return with_combatant(state, name, status=replace(state.combatants[name].status, **changes))


def placed(state: Encounter, name: str, position: Position, partner: str = "", aiming: str = "") -> Encounter:
    """The state with one combatant in that position, and in no other (MAM-POS-01); who gets down runs no more."""
    if position in ON_THE_GROUND and state.combatants[name].status.position not in ON_THE_GROUND:
        state = stopped_running(state, name)
    dominant = position in ("dominant_standing", "dominant_on_ground")
    over = partner if dominant else ""
    return with_status(state, name, position=position, grappling=partner, dominant_over=over, aiming=aiming)


def pools(state: Encounter, event: Any) -> Encounter:
    """The state with the pools that the fact tells of its combatant."""
    return with_combatant(state, event.combatant, pools=event.pools)


def unchanged(state: Encounter, event: Event) -> Encounter:
    """The same state: the fact is there to be told."""
    return state


def begun(state: Encounter, event: Declaration) -> Encounter:
    """The state once an action is declared that begins an exchange."""
    return replace(state, exchange=Exchange(event.exchange, (event.declares(),)))


def answered(state: Encounter, event: Declaration) -> Encounter:
    """The state once an action is declared against one of the open exchange."""
    exchange = state.exchange
    if exchange is None:
        return state
    return replace(state, exchange=replace(exchange, actions=(*exchange.actions, event.declares())))


def with_exchange(state: Encounter, number: int, exchange: Exchange | None) -> Encounter:
    """The state with the exchange of that number anew (None: over), be it open or waiting for a counterattack."""
    if state.exchange and state.exchange.id == number:
        return replace(state, exchange=exchange)
    waiting = tuple(
        replace(before, exchange=exchange) if before.exchange and before.exchange.id == number else before
        for before in state.interrupted
    )
    return replace(state, interrupted=waiting)


def exchange_over(state: Encounter, event: Any, *, made: bool = True) -> Encounter:
    """The state once an exchange is over: an attack that was made was made out of the run that came before it, and
    whoever had let a counterattack pass may have interfered instead.
    """
    turn = state.turn
    if turn and turn.passed and state.exchange and state.exchange.id == event.exchange:
        acted = [action.combatant for action in state.exchange.actions]
        state = replace(state, turn=replace(turn, passed=tuple(name for name in turn.passed if name not in acted)))
    for exchange in state.declared:
        if exchange.id == event.exchange:
            if exchange.root.kind == "attack" and made:
                attacker = state.combatants[exchange.root.combatant]
                runner = state.combatants.get(attacker.status.mount, attacker)
                if runner.status.straight:
                    charges = {**runner.status.charges, attacker.id: runner.status.straight}
                    state = with_status(state, runner.id, charges=charges)
            return with_exchange(state, exchange.id, None)
    return state


def attack_over(state: Encounter, event: AttackResolved) -> Encounter:
    """The state once an attack is over, made or not."""
    return exchange_over(state, event, made=event.made)


def stopped_running(state: Encounter, name: str) -> Encounter:
    """The state once somebody's straight run is over before it has attacked out of it."""
    if not state.combatants[name].status.straight:
        return state
    return with_status(state, name, straight=Decimal(0), charges={})


def window_anew(state: Encounter, floor: str = "", going_on: int = 0) -> Window:
    """The window with that one on the floor ("": nobody): of the turns that have moved up so many go on, and beyond
    them those in which nothing was done yet (RD6-ACT-06).
    """
    early = state.window.early
    reacting = (name for name in early[going_on:] if not state.combatants[name].actions.used)
    return replace(state.window, floor=floor, early=(*early[:going_on], *reacting))


def let_go(state: Encounter, name: str, thing: str) -> Encounter:
    """The state once that thing has left somebody's hands."""
    return with_combatant(state, name, dropped=(*state.combatants[name].dropped, thing))


def without_grapple(combatant: Combatant, grapple: str) -> tuple[Grapple, ...]:
    """The holds of a combatant but for that one."""
    return tuple(held for held in combatant.grapples if held.id != grapple)

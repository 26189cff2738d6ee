"""The state of a fight with one thing anew: what the events of every section are made of."""

from decimal import Decimal
from typing import Any

from msgspec.structs import replace

from mam_events.state import Combatant, Effect, Encounter, Exchange, Grapple, Position, Window

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


def with_actions(state: Encounter, name: str, **changes: Any) -> Encounter:
    """The state with some of what one combatant does in the round anew."""
    return with_combatant(state, name, actions=replace(state.combatants[name].actions, **changes))


def with_effect(state: Encounter, name: str, effect: Effect, *, replaces: bool = False) -> Encounter:
    """The state with a bonus or penalty more, in place of those of its source where it `replaces` them: the game
    master's word and the rules never replace each other's.
    """
    alike = (effect.source, bool(effect.rule))
    kept = tuple(
        other
        for other in state.combatants[name].status.effects
        if not (replaces and (other.source, bool(other.rule)) == alike)
    )
    return with_status(state, name, effects=(*kept, effect))


def with_position(state: Encounter, name: str, position: Position, partner: str = "", aiming: str = "") -> Encounter:
    """The state with one combatant in that position, and in no other (MAM-POS-01); who gets down runs no more."""
    if position in ON_THE_GROUND and state.combatants[name].status.position not in ON_THE_GROUND:
        state = stopped_running(state, name)
    dominant = position in ("dominant_standing", "dominant_on_ground")
    over = partner if dominant else ""
    return with_status(state, name, position=position, grappling=partner, dominant_over=over, aiming=aiming)


def with_exchange(state: Encounter, number: int, exchange: Exchange | None) -> Encounter:
    """The state with the exchange of that number anew (None: over), be it open or waiting for a counterattack."""
    if state.exchange and state.exchange.id == number:
        return replace(state, exchange=exchange)
    waiting = tuple(
        replace(before, exchange=exchange) if before.exchange and before.exchange.id == number else before
        for before in state.interrupted
    )
    return replace(state, interrupted=waiting)


def with_faces_open(state: Encounter) -> Encounter:
    """The state with no face given of the open exchange: all of its dice are to be thrown."""
    exchange = state.exchange
    return replace(state, exchange=replace(exchange, faces={})) if exchange and exchange.faces else state


def with_grapple(state: Encounter, name: str, grapple: str, **changes: int) -> Encounter:
    """The state with some of one hold of a combatant anew."""
    grapples = tuple(
        replace(held, **changes) if held.id == grapple else held for held in state.combatants[name].grapples
    )
    return with_combatant(state, name, grapples=grapples)


def exchange_over(state: Encounter, number: int, *, made: bool = True) -> Encounter:
    """The state once an exchange is over: an attack that was made was made out of the run that came before it, and
    whoever had let a counterattack pass may have interfered instead.
    """
    turn = state.turn
    if turn and turn.passed and state.exchange and state.exchange.id == number:
        acted = [action.combatant for action in state.exchange.actions]
        state = replace(state, turn=replace(turn, passed=tuple(name for name in turn.passed if name not in acted)))
    for exchange in state.declared:
        if exchange.id == number:
            if exchange.root.kind == "attack" and made:
                attacker = state.combatants[exchange.root.combatant]
                runner = state.combatants.get(attacker.status.mount, attacker)
                if runner.status.straight:
                    charges = {**runner.status.charges, attacker.id: runner.status.straight}
                    state = with_status(state, runner.id, charges=charges)
            return with_exchange(state, exchange.id, None)
    return state


def stopped_running(state: Encounter, name: str) -> Encounter:
    """The state once somebody's straight run is over before it has attacked out of it."""
    if not state.combatants[name].status.straight:
        return state
    return with_status(state, name, straight=Decimal(0), charges={})


def with_new_actor(state: Encounter, floor: str = "", going_on: int = 0) -> Window:
    """The window with that one on the floor ("": nobody): of the turns that have moved up so many go on, and beyond
    them those in which nothing was done yet (RD6-ACT-06).
    """
    early = state.window.early
    reacting = (name for name in early[going_on:] if not state.combatants[name].actions.used)
    return replace(state.window, floor=floor, early=(*early[:going_on], *reacting))


def without_item(state: Encounter, name: str, thing: str) -> Encounter:
    """The state once that thing has left somebody's hands."""
    return with_combatant(state, name, dropped=(*state.combatants[name].dropped, thing))


def without_grapple(combatant: Combatant, grapple: str) -> tuple[Grapple, ...]:
    """The holds of a combatant but for that one."""
    return tuple(held for held in combatant.grapples if held.id != grapple)


def window_after_action(state: Encounter, name: str) -> Window:
    """The window once that one acts: turns that moved up into its own are over."""
    early = state.window.early
    if name in early:
        return with_new_actor(state, name, early.index(name) + 1)
    return with_new_actor(state, name, 0 if state.turn and state.turn.combatant == name else len(early))


def window_after_interruption(window: Window, by: int, against: int, target: str = "") -> Window:
    """The window once an interruption has come off: of what it interrupts, and of what its target is at."""
    touched = (replace(one, met=by) if one.id == against or one.combatant == target else one for one in window.open)
    return replace(window, open=tuple(touched))

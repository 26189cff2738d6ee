"""Functions that return the state with one thing changed; events of all kinds use them."""

from decimal import Decimal
from typing import Any

from msgspec.structs import replace

from mam_events.state import Effect, Encounter, Exchange, Grapple, Position, Window

ON_THE_GROUND = ("on_ground", "aiming_on_ground", "ground_fighting", "dominant_on_ground")
"""The positions on the ground."""


def with_combatant(state: Encounter, name: str, **changes: Any) -> Encounter:
    """Return the state with some fields of one combatant replaced."""
    combatants = state.combatants.copy()
    combatants[name] = replace(combatants[name], **changes)
    return replace(state, combatants=combatants)


def with_status(state: Encounter, name: str, **changes: Any) -> Encounter:
    """Return the state with some fields of one combatant's status replaced."""
    return with_combatant(state, name, status=replace(state.combatants[name].status, **changes))


def with_actions(state: Encounter, name: str, **changes: Any) -> Encounter:
    """Return the state with some fields of one combatant's actions in the round replaced."""
    return with_combatant(state, name, actions=replace(state.combatants[name].actions, **changes))


def with_effect(state: Encounter, name: str, effect: Effect, *, replaces: bool = False) -> Encounter:
    """Return the state with one more bonus or penalty; with `replaces` it replaces those of the same source.

    The game master's effects and those of the rules never replace each other.
    """
    alike = (effect.source, bool(effect.rule))
    rest = tuple(
        other
        for other in state.combatants[name].status.effects
        if not (replaces and (other.source, bool(other.rule)) == alike)
    )
    return with_status(state, name, effects=(*rest, effect))


def with_position(state: Encounter, name: str, position: Position, partner: str = "", aiming: str = "") -> Encounter:
    """Return the state with one combatant in that position, and no other (MAM-POS-01); getting down ends a run."""
    if position in ON_THE_GROUND and state.combatants[name].status.position not in ON_THE_GROUND:
        state = stopped_running(state, name)
    dominant = position in ("dominant_standing", "dominant_on_ground")
    over = partner if dominant else ""
    return with_status(state, name, position=position, grappling=partner, dominant_over=over, aiming=aiming)


def with_exchange(state: Encounter, number: int, exchange: Exchange | None) -> Encounter:
    """Return the state with the exchange of that number replaced (None: over), open or waiting for a counterattack."""
    if state.exchange and state.exchange.id == number:
        return replace(state, exchange=exchange)
    waiting = tuple(
        replace(before, exchange=exchange) if before.exchange and before.exchange.id == number else before
        for before in state.interrupted
    )
    return replace(state, interrupted=waiting)


def with_faces_open(state: Encounter) -> Encounter:
    """Return the state without the given faces of the open exchange: all of its dice must be thrown."""
    exchange = state.exchange
    return replace(state, exchange=replace(exchange, faces={})) if exchange and exchange.faces else state


def with_grapple(state: Encounter, name: str, grapple: str, **changes: int) -> Encounter:
    """Return the state with some fields of one hold of a combatant replaced."""
    grapples = tuple(replace(own, **changes) if own.id == grapple else own for own in state.combatants[name].grapples)
    return with_combatant(state, name, grapples=grapples)


def exchange_over(state: Encounter, number: int, *, was_made: bool = True) -> Encounter:
    """Return the state after the end of an exchange.

    An attack that `was_made` is recorded with the straight run before it. Those who passed on a counterattack and then
    interfered in this exchange can't interfere again.
    """
    turn = state.turn
    if turn and turn.passed and state.exchange and state.exchange.id == number:
        acted = [action.combatant for action in state.exchange.actions]
        state = replace(state, turn=replace(turn, passed=tuple(name for name in turn.passed if name not in acted)))
    for exchange in state.declared:
        if exchange.id == number:
            if exchange.root.kind == "attack" and was_made:
                attacker = state.combatants[exchange.root.combatant]
                runner = state.combatants.get(attacker.status.mount, attacker)
                if runner.status.straight:
                    charges = {**runner.status.charges, attacker.id: runner.status.straight}
                    state = with_status(state, runner.id, charges=charges)
            return with_exchange(state, exchange.id, None)
    return state


def stopped_running(state: Encounter, name: str) -> Encounter:
    """Return the state after the end of a combatant's straight run."""
    if not state.combatants[name].status.straight:
        return state
    return with_status(state, name, straight=Decimal(0), charges={})


def with_new_actor(state: Encounter, floor: str = "", going_on: int = 0) -> Window:
    """Return the window with that combatant on the floor ("": nobody).

    The first `going_on` of the turns that moved up go on; of the others only those without an action yet (RD6-ACT-06).
    """
    early = state.window.early
    reacting = (name for name in early[going_on:] if not state.combatants[name].actions.used)
    return replace(state.window, floor=floor, early=(*early[:going_on], *reacting))


def without_item(state: Encounter, name: str, thing: str) -> Encounter:
    """Return the state after that thing has left a combatant's hands."""
    return with_combatant(state, name, dropped=(*state.combatants[name].dropped, thing))


def without_grapple(state: Encounter, name: str, grapple: str) -> Encounter:
    """Return the state after a combatant has lost that hold."""
    rest = tuple(own for own in state.combatants[name].grapples if own.id != grapple)
    return with_combatant(state, name, grapples=rest)


def with_new_grapple(state: Encounter, name: str, grapple: Grapple) -> Encounter:
    """Return the state with that hold of a combatant, in place of one with the same id."""
    state = without_grapple(state, name, grapple.id)
    return with_combatant(state, name, grapples=(*state.combatants[name].grapples, grapple))


def window_after_action(state: Encounter, name: str) -> Window:
    """Return the window after that combatant acts: turns that moved up into its own are over."""
    early = state.window.early
    if name in early:
        return with_new_actor(state, name, early.index(name) + 1)
    return with_new_actor(state, name, 0 if state.turn and state.turn.combatant == name else len(early))


def window_after_interruption(window: Window, by: int, against: int, target: str = "") -> Window:
    """Return the window after an interruption succeeded.

    It marks the action it was against, and the open actions of its target.
    """
    touched = (replace(one, met=by) if one.id == against or one.combatant == target else one for one in window.open)
    return replace(window, open=tuple(touched))

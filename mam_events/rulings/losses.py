"""The lost ruling that made a later one void: found by walking the whole living history, and never kept."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import dropwhile
from typing import NamedTuple

from mam_events.commands import BeginTurn, Command, actor_of, exchange_of
from mam_events.events import ActionsDeclared, Event, TurnEnded, TurnMovedUp, TurnStarted
from mam_events.state import Encounter


class Lived(NamedTuple):
    """One ruling of the living history: its command, its events or the code it was refused with, the fight behind
    it.
    """

    ruling: int
    command: Command
    events: tuple[Event, ...]
    code: str
    state: Encounter


def causes(history: Iterable[Lived]) -> dict[int, int]:
    """For every void ruling that another one made so, that one; a ruling is void where it has a code.

    A ruling is void because of another when that one would have begun its exchange, is an exchange that nothing
    resolves any more, or was the same combatant's in the same turn. What was struck is no longer in the history.
    """
    found: dict[int, int] = {}
    exchanges: set[int] = set()
    in_turn: dict[str, int] = {}
    # Before the first void ruling there is nothing to tell.
    for number, command, events, code, state in dropwhile(lambda lived: not lived.code, history):
        if not code:
            for event in events:
                if isinstance(event, TurnStarted | TurnEnded | ActionsDeclared | TurnMovedUp):
                    in_turn.pop(event.combatant, None)
            continue
        exchange, actor = exchange_of(command, number), actor_of(command)
        if code == "exchange_open" and state.exchange:
            cause = state.exchange.id
        elif exchange in exchanges and exchange != number:
            cause = exchange
        else:
            cause = 0 if isinstance(command, BeginTurn) else in_turn.get(actor, 0)
        if cause:
            found[number] = cause
        if exchange == number:
            exchanges.add(number)
        if actor:
            in_turn[actor] = number
    return found

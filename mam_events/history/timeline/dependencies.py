"""The rulings that a play rests on: those that it names, and what was given in its exchange before it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mam_events.commands import Command, Incapacitate, Interrupt, Result, Roll, exchange_of, is_reaction
from mam_events.references import rulings_named
from mam_events.state import Window

if TYPE_CHECKING:
    from mam_events.history.timeline.timeline import Timeline

_IN_WINDOW = (Interrupt, Roll, Incapacitate)
"""Orders that rest on the state of the interrupt window."""


def rests_on(timeline: Timeline, command: Command, place: int) -> set[int]:
    """Return the plays that an order at that place uses and shows, and those that they rest on themselves.

    `place` counts in the order of rulings. An interruption rests on the action that is open.
    """
    numbers: set[int] = set()
    ahead = {(number, place) for number in _named(timeline, command, place)}
    while ahead:
        number, later = ahead.pop()
        if number in numbers or timeline.place.get(number, later) >= later:
            continue
        numbers.add(number)
        at = timeline.place[number]
        ahead.update((one, at) for one in _named(timeline, timeline.command(number), at))
    return numbers


def rulings_of_exchange(timeline: Timeline, exchange: int, place: int) -> Iterator[int]:
    """Yield every living ruling of that exchange between its declaration and that place, the last one first."""
    for at in range(place - 1, timeline.place.get(exchange, place), -1):
        number = timeline.order[at]
        if exchange_of(timeline.command(number), 0) == exchange and timeline.lives(number):
            yield number


def _named(timeline: Timeline, command: Command, place: int) -> set[int]:
    """Return the rulings that an order there names itself, and all that were given in an exchange that it settles."""
    numbers = set(rulings_named(command))
    window = timeline.state_before(place).window if isinstance(command, _IN_WINDOW) else Window()
    if isinstance(command, Interrupt):
        numbers.update(action.id for action in window.open[-1:])
    elif isinstance(command, Roll | Incapacitate):
        # They follow the last settled action, so they depend on its result.
        numbers.update(action.id for action in window.settled[-1:])
    if root := exchange_of(command, 0):
        numbers.add(root)
    if is_reaction(command):
        return numbers
    for number in tuple(numbers):
        numbers.update(rulings_of_exchange(timeline, number, place))
    if isinstance(command, Result) and root in timeline.place:
        # Its outcome and the rulings it names depend on the outcome of each interruption.
        numbers.update(filter(timeline.lives, _results(timeline, timeline.place[root], place)))
    return numbers


def _results(timeline: Timeline, first: int, end: int) -> Iterator[int]:
    """Yield the results and interruptions between the two places."""
    for number in timeline.order[first + 1 : end]:
        if isinstance(timeline.command(number), Interrupt | Result):
            yield number

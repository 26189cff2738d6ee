"""The rulings that another one speaks of: what a correction names, what a note is about, what was written with it."""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice
from typing import TYPE_CHECKING

from mam_events.events import Branch, Correction, Head, Note
from mam_events.history.timeline.rulings import Ruling, rulings

if TYPE_CHECKING:
    from mam_events.history.timeline.timeline import Timeline
    from mam_events.log.results import Answer


def rulings_mentioned(timeline: Timeline, head: Head) -> set[int]:
    """The rulings that a correction's steps name, and those that the ones it restores name; what a note is about."""
    found: set[int] = set()
    waiting = [head]
    while waiting:
        head = waiting.pop()
        if isinstance(head, Correction):
            named = {step.ruling for step in head.steps}
        elif isinstance(head, Note):
            named = {head.about, *head.corrections} - {0}
        elif isinstance(head, Branch) and head.parent:
            named = {head.behind}
        else:
            named = set()
        waiting += (timeline.head(number) for number in named - found)
        found |= named
    return found


def with_rulings_mentioned(timeline: Timeline, numbers: Collection[int]) -> list[Ruling]:
    """Those rulings together with the ones that they speak of, in order of number."""
    named = set(numbers).union(*(rulings_mentioned(timeline, timeline.head(number)) for number in numbers))
    return [next(rulings(timeline, number)) for number in sorted(named)]


def rulings_since(timeline: Timeline, after: int, most: int | None = None) -> list[Ruling]:
    """The rulings behind that one, or so many of them, and those that they speak of, in order of number."""
    new = list(islice(rulings(timeline, after + 1), most))
    named = set().union(*(rulings_mentioned(timeline, ruling.head) for ruling in new)) - {
        ruling.number for ruling in new
    }
    return [*(next(rulings(timeline, number)) for number in sorted(named)), *new]


def leading_ruling(timeline: Timeline, answer: Answer) -> tuple[int, ...]:
    """The ruling that was written with this one and before it: it commits to a seed for the die that this one draws."""
    if answer.repeated or answer.number == 1:
        return ()
    before = timeline.heads[answer.number - 2]
    return (before.ruling,) if isinstance(before, Branch) and not before.parent else ()

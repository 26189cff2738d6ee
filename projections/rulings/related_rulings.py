"""Related rulings: those that a correction names, that a note is about, or that were written together."""

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
    """Return the rulings that a note is about, or that a correction names.

    A correction also mentions the rulings of those that it restores.
    """
    numbers: set[int] = set()
    waiting = [head]
    while waiting:
        head = waiting.pop()
        if isinstance(head, Correction):
            mentioned = {step.ruling for step in head.steps}
        elif isinstance(head, Note):
            mentioned = {head.about, *head.corrections} - {0}
        elif isinstance(head, Branch) and head.parent:
            mentioned = {head.behind}
        else:
            mentioned = set()
        waiting += (timeline.head(number) for number in mentioned - numbers)
        numbers |= mentioned
    return numbers


def with_rulings_mentioned(timeline: Timeline, numbers: Collection[int]) -> list[Ruling]:
    """Return those rulings and the ones that they mention, in order of number."""
    numbers_mentioned = set(numbers).union(*(rulings_mentioned(timeline, timeline.head(number)) for number in numbers))
    return [next(rulings(timeline, number)) for number in sorted(numbers_mentioned)]


def rulings_since(timeline: Timeline, after: int, most: int | None = None) -> list[Ruling]:
    """Return the rulings after `after`, at most `most`, and the ones that they mention, in order of number."""
    new = list(islice(rulings(timeline, after + 1), most))
    numbers = set().union(*(rulings_mentioned(timeline, ruling.head) for ruling in new)) - {
        ruling.number for ruling in new
    }
    return [*(next(rulings(timeline, number)) for number in sorted(numbers)), *new]


def leading_ruling(timeline: Timeline, answer: Answer) -> tuple[int, ...]:
    """Return the ruling written together with and before this one, which commits to the seed of its die."""
    if answer.repeated or answer.number == 1:
        return ()
    before = timeline.heads[answer.number - 2]
    return (before.ruling,) if isinstance(before, Branch) and not before.parent else ()

"""The dice that were drawn in a fight and no longer count.

They show if somebody undoes rulings to draw better faces.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from msgspec import Struct

from mam_events.history.timeline.entries import BookkeepingEntry, dice_of
from mam_events.history.timeline.rulings import living_plays, play_ruling

if TYPE_CHECKING:
    from mam_events.dice import Die
    from mam_events.events import Event
    from mam_events.history.timeline.timeline import Timeline
    from projections.visibility.redaction import Redactor

MOST_NAMED = 12
"""The most dice that the sentence lists."""


class UndoneDie(Struct, frozen=True):
    """A die that was drawn for a ruling and no longer counts: its key, its kind and its face."""

    ruling: int
    key: str
    kind: str
    face: int


def undone_dice(timeline: Timeline, redactor: Redactor) -> tuple[UndoneDie, ...]:
    """Return all dice that were drawn and no longer count, of the rulings that are visible to the view."""
    return tuple(_undone(timeline, redactor))


def _undone(timeline: Timeline, redactor: Redactor) -> Iterator[UndoneDie]:
    counting = {die.key for ruling in living_plays(timeline) for die in _dice(ruling.bookkeeping, ruling.events)}
    for number, entry in timeline.entries.items():
        keys = timeline.drawn(number).keys() - counting
        if not keys or not redactor.shows(play_ruling(timeline, number)):
            continue
        for outcome in (entry.first, *entry.later):
            steps = redactor.bookkeeping(outcome.bookkeeping(timeline.decoders))
            for die in _dice(steps, map(redactor.read, outcome.events(timeline.decoders))):
                if die.key in keys:
                    keys.remove(die.key)
                    yield UndoneDie(number, die.key, die.kind, die.face)


def _dice(steps: Iterable[BookkeepingEntry], events: Iterable[Event]) -> Iterator[Die]:
    """Return the dice of a ruling, those of its bookkeeping first."""
    brought = (event for step in steps for event in step.events)
    return (die for event in chain(brought, events) for die in dice_of(event))


def undone_dice_sentence(dice: Sequence[UndoneDie]) -> str:
    """Return a sentence on the undone dice; "" if there are none."""
    if not dice:
        return ""
    faces = ", ".join(f"{one.kind} {one.face} (ruling {one.ruling})" for one in dice[:MOST_NAMED])
    more = f" and {len(dice) - MOST_NAMED} more" if len(dice) > MOST_NAMED else ""
    return f"Drawn and undone: {faces}{more}."

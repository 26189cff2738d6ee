"""The log's entry for one play, read from rows: its head, its first and later outcomes, and the dice that fell."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from mam_events.dice import Die
from mam_events.events import Bookkeeping, Event, Play, RulingMended, RulingRejudged, event_kind, is_head

FIRST_SEAL = "60641acb41092416fc316379806a160220d095aabe76e59287c7560689a0d705"
"""The value in place of a previous seal for ruling 1: the SHA-256 of `mam-events`."""

StoredRow = tuple[int, str, bytes]
Decoders = Mapping[str, Callable[[bytes], Any]]


class BookkeepingEntry(Struct, frozen=True, gc=False):
    """One step of bookkeeping before a ruling: the kind, the combatant or exchange, the round, and its events.

    `visibility` says who may see it.
    """

    what: Bookkeeping
    combatant: str = ""
    exchange: int = 0
    round: int = 0
    events: tuple[Event, ...] = ()
    visibility: str = "public"


def is_same_bookkeeping(one: Sequence[BookkeepingEntry], other: Sequence[BookkeepingEntry]) -> bool:
    """Return True if both hold the same steps, whoever may see them."""
    return [replace(step, visibility="") for step in one] == [replace(step, visibility="") for step in other]


class PlayOutcome(Struct, gc=False):
    """An outcome of one play: its events, or why it is void; `by` is the ruling that recorded it.

    The events are `rows[events_start:end]`, decoded when first needed. The bookkeeping before the play begins at
    `bookkeeping_start`, followed by its RulingRejudged. In the first outcome both starts are the same.
    """

    by: int
    rows: Sequence[StoredRow]
    bookkeeping_start: int
    events_start: int
    end: int
    rejudged: RulingRejudged | None = None
    decoded: tuple[Event, ...] | None = None

    @property
    def is_void(self) -> bool:
        """True if the play was found to be no longer legal."""
        return self.rejudged is not None and self.rejudged.verdict == "void"

    @property
    def has_bookkeeping(self) -> bool:
        """True if it needed the bookkeeping of a correction."""
        return self.bookkeeping_start < self.events_start - 1

    def bookkeeping(self, decoders: Decoders) -> tuple[BookkeepingEntry, ...]:
        """Return the bookkeeping before the play, step by step."""
        steps: list[BookkeepingEntry] = []
        rows = self.rows[self.bookkeeping_start : self.events_start - 1] if self.has_bookkeeping else ()
        for _, topic, state in rows:
            event = decoders[topic](state)
            if isinstance(event, RulingMended):
                steps.append(
                    BookkeepingEntry(event.what, event.combatant, event.exchange, event.round, (), event.visibility)
                )
            else:
                steps[-1] = replace(steps[-1], events=(*steps[-1].events, event))
        return tuple(steps)

    def events(self, decoders: Decoders) -> tuple[Event, ...]:
        """Return the events, decoded."""
        if self.decoded is None:
            self.decoded = tuple(decoders[topic](state) for _, topic, state in self.rows[self.events_start : self.end])
        return self.decoded


class Entry(Struct, frozen=True, gc=False):
    """A play in the timeline: its head, its first and latest outcome, and the corrections that name it."""

    head: Play
    first: PlayOutcome
    outcome: PlayOutcome
    later: tuple[PlayOutcome, ...] = ()
    struck_by: tuple[int, ...] = ()
    amended_by: tuple[tuple[int, Mapping[str, Any]], ...] = ()

    def changed_by(self, decoders: Decoders) -> int:
        """Return the ruling that last changed the outcome of the play, or 0 if it is as first found."""
        if not self.later or (
            not self.outcome.is_void and self.outcome.events(decoders) == self.first.events(decoders)
        ):
            return 0
        changes = (o.by for o in reversed(self.later) if o.rejudged and o.rejudged.verdict in ("changed", "void"))
        return next(changes, 0)

    def drawn_dice(self, decoders: Decoders, until: int | None = None) -> dict[str, Die]:
        """Return every die ever drawn for the play, by key, or only those up to the ruling `until`."""
        dice: dict[str, Die] = {}
        for outcome in (self.first, *self.later):
            if until is not None and outcome.by > until:
                break
            brought = (event for step in outcome.bookkeeping(decoders) for event in step.events)
            for event in (*brought, *outcome.events(decoders)):
                for die in dice_of(event):
                    if die.source == "drawn":
                        dice.setdefault(die.key, die)
        return dice


def draws(events: Sequence[Event]) -> bool:
    """Return True if a die was drawn for those events."""
    return any(die.source == "drawn" for event in events for die in dice_of(event))


def dice_of(event: Event) -> tuple[Die, ...]:
    """Return the dice that an event holds."""
    dice = (getattr(event, "die", None), getattr(event, "confirmation", None))
    return tuple(die for die in dice if die is not None) or getattr(event, "dice", ())


def outcome_spans(rows: Sequence[StoredRow], start: int, end: int) -> list[tuple[int, int, int]]:
    """Return for every outcome in those rows its first row, its RulingRejudged and its end."""
    leads: list[tuple[int, int]] = []
    begin = 0
    for at in range(start, end):
        kind = event_kind(rows[at][1])
        if kind is RulingMended:
            begin = begin or at
        elif kind is RulingRejudged:
            leads.append((begin or at, at))
            begin = 0
    stops = [begin for begin, _ in leads[1:]] + [end]
    # If nothing was judged again, `leads` is empty and `stops` is not.
    return [(begin, mark, stop) for (begin, mark), stop in zip(leads, stops, strict=False)]


def rows_until(rows: Sequence[StoredRow], number: int) -> list[StoredRow]:
    """Return the rows of the first `number` rulings."""
    heads = [i for i, row in enumerate(rows) if is_head(row[1])]
    return list(rows[: heads[number] if number < len(heads) else len(rows)])

"""The rulings of an encounter as readers need them: the request, the events, and the present status."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from mam_events.commands import Command, exchange_of, read_command
from mam_events.events import Branch, Correction, Event, Head, Note, Play, RulingRejudged, is_head
from mam_events.history.judge.verdicts import differs_only_in_round_end
from mam_events.history.judge.void_causes import cause_of
from mam_events.history.timeline.dependencies import rests_on
from mam_events.history.timeline.entries import BookkeepingEntry, PlayOutcome, StoredRow
from mam_events.history.timeline.timeline import Timeline
from mam_events.references import rulings_named
from mam_events.state import Encounter
from mam_events.visibility import PUBLIC, narrowest, of_command, of_play


class RecordedOutcome(NamedTuple):
    """The record that a correction or an insert makes of another ruling.

    `rejudged` holds the verdict, followed by the events. `because` is the lost ruling that made it void, if that
    outcome still counts (0: no single one). `bookkeeping` is the bookkeeping before it, `replaced` the previous
    bookkeeping, and `was` the previous events (none if it was void).
    """

    rejudged: RulingRejudged
    events: tuple[Event, ...]
    because: int
    bookkeeping: tuple[BookkeepingEntry, ...] = ()
    replaced: tuple[BookkeepingEntry, ...] = ()
    was: tuple[Event, ...] = ()


class Ruling(Struct, frozen=True):
    """One ruling with all that is known of it.

    For a play: `command` is the command as it now reads (`amended` is True if it differs from the head's), `events` are
    those of its latest outcome, `before` and `after` the states around its place in the living history. `exchange` is
    its exchange (0: none), `struck_by` the correction that strikes it (0: it lives), `rejudged` the latest re-judgement
    (None: as first found), and `rejudged_by` the ruling that recorded it. `because` is the lost ruling that made it
    void (0: no single one), `changed_by` the one that last changed its outcome (0: as first found), `bookkeeping` the
    bookkeeping before it, and `was` its previous events.

    For a correction: `restored_by` is the correction that undoes it (0: none). For a correction or an insert:
    `outcomes` are those it recorded for other rulings. The states of a struck play, a correction or a note are those at
    its place.

    `visibility` says who may see it. It is as written, or if `unveiled`, as an amendment in force says; a note has the
    present visibility of what it is about.
    """

    number: int
    head: Head
    before: Encounter
    after: Encounter
    visibility: str
    events: tuple[Event, ...] = ()
    command: Command | None = None
    amended: bool = False
    unveiled: bool = False
    exchange: int = 0
    struck_by: int = 0
    struck_head: Correction | Branch | None = None
    restored_by: int = 0
    rejudged: RulingRejudged | None = None
    rejudged_by: int = 0
    because: int = 0
    changed_by: int = 0
    bookkeeping: tuple[BookkeepingEntry, ...] = ()
    was: tuple[Event, ...] = ()
    outcomes: tuple[RecordedOutcome, ...] = ()

    @property
    def lives(self) -> bool:
        """True if it counts: a play that is neither struck nor void, a correction in force, any note."""
        return not self.struck_by and not self.restored_by and not self.is_void

    @property
    def is_void(self) -> bool:
        """True if it was found to be no longer legal."""
        return self.rejudged is not None and self.rejudged.verdict == "void"


def rulings(timeline: Timeline, first: int = 1) -> Iterator[Ruling]:
    """Yield every ruling from `first` on in order of number: the log as written, with the present status of each."""
    # Corrections and notes have the place of the last play before them, wherever later numbers were inserted.
    at = timeline.place[next((n for n in reversed(timeline.order) if n < first), timeline.order[0])]
    for number in range(first, timeline.number + 1):
        head = timeline.heads[number - 1]
        if isinstance(head, Play):
            at = max(at, timeline.place[number])
            yield play_ruling(timeline, number)
        else:
            yield _remark(timeline, number, head, timeline.states[at])


def as_first_written(timeline: Timeline, rows: Sequence[StoredRow]) -> Iterator[Ruling]:
    """Yield every ruling of that timeline as it was when it was given, in order of number.

    `rows` are the rows of its log.
    """
    grown, starts = Timeline(timeline.decoders), [at for at, row in enumerate(rows) if is_head(row[1])]
    # Until the next correction or insert, a play stays as it was given, so read the log in these steps.
    back = [n for n, head in enumerate(timeline.heads, start=1) if not isinstance(head, Play) or head.after]
    for first, end in pairwise(sorted({1, *back, *(n + 1 for n in back), timeline.number + 1})):
        grown.extend(rows[grown.version : starts[end - 1] if end <= len(starts) else len(rows)])
        yield from rulings(grown, first)


def living_plays(timeline: Timeline) -> Iterator[Ruling]:
    """Return an iterator over the plays that live, in their places: the fight as it now counts."""
    return (play_ruling(timeline, number) for number, entry in timeline.living() if not entry.outcome.is_void)


def play_ruling(timeline: Timeline, number: int) -> Ruling:
    """Return one play with all that is known of it, no more visible than the rulings that it rests on are now."""
    ruling = _play(timeline, number)
    exchange_visibility = visibility_of_basis(timeline, timeline.command(number), timeline.place[number])
    return (
        ruling
        if exchange_visibility == PUBLIC
        else replace(ruling, visibility=narrowest(ruling.visibility, exchange_visibility))
    )


def visibility_of_basis(timeline: Timeline, command: Command, place: int) -> str:
    """Return the visibility of what an order at that place of the order of rulings uses and shows.

    That is everything in the exchange that it belongs to, and the rulings that it names, as visible as they are now.
    """
    if not timeline.index.hides:
        return PUBLIC
    return narrowest(*(_by_itself(timeline, number) for number in rests_on(timeline, command, place)))


def _play(timeline: Timeline, number: int) -> Ruling:
    """Return that play with its own visibility."""
    entry = timeline.entries[number]
    place = timeline.place[number]
    command = timeline.command(number)
    striking = timeline.striking(number)
    outcome = entry.outcome
    striker = timeline.heads[striking - 1] if striking else None
    unveiled = is_unveiled(timeline, number)
    visibility = _by_itself(timeline, number) if unveiled else entry.head.visibility
    return Ruling(
        number,
        entry.head,
        timeline.state_before(place),
        timeline.states[place],
        visibility,
        events=outcome.events(timeline.decoders),
        command=command,
        amended=command is not entry.head.command,
        unveiled=unveiled,
        exchange=exchange_of(command, number),
        struck_by=striking,
        struck_head=striker if isinstance(striker, Correction | Branch) else None,
        rejudged=outcome.rejudged,
        rejudged_by=outcome.by if outcome.rejudged else 0,
        because=cause_of(timeline, number) if outcome.is_void else 0,
        changed_by=timeline.entries[number].changed_by(timeline.decoders),
        bookkeeping=outcome.bookkeeping(timeline.decoders),
        was=_outcome_before(timeline, number, outcome).events(timeline.decoders) if outcome.rejudged else (),
        outcomes=_written(timeline, number),
    )


def is_unveiled(timeline: Timeline, number: int) -> bool:
    """Return True if an amendment in force sets who may see that play."""
    return any("visibility" in patch for patch in timeline.patches(number))


def visibility_now(timeline: Timeline, number: int) -> str:
    """Return the present visibility of a ruling.

    It is as written, or for a play as an amendment says, and as narrow as that of the people it concerns. It is no
    wider than that of the rulings it rests on; a note is no wider than what it is about.
    """
    outcomes = []
    while number not in timeline.entries:
        head = timeline.heads[number - 1]
        outcomes.append(head.visibility)
        if isinstance(head, Note) and head.order:
            # The note shows the rulings that its order names, so it is no more visible than they are.
            numbers = (one for one in rulings_named(read_command(head.order)) if 0 < one < number)
            outcomes += (visibility_now(timeline, one) for one in numbers)
        if not isinstance(head, Note) or not 0 < head.about < number:
            return narrowest(*outcomes)
        number = head.about
    exchange_visibility = visibility_of_basis(timeline, timeline.command(number), timeline.place[number])
    return narrowest(*outcomes, _by_itself(timeline, number), exchange_visibility)


def _by_itself(timeline: Timeline, number: int) -> str:
    """Return the visibility of a play as written, or as an amendment says, and by the people it concerns."""
    now = visibility_concerning(timeline, number)
    if is_unveiled(timeline, number):
        return now
    ruling = _play(timeline, number)
    return narrowest(ruling.visibility, visibility_of_outcome(ruling), now)


def visibility_of_outcome(ruling: Ruling) -> str:
    """Return the visibility of a ruling's new outcome, if it was judged again and no amendment says who may see it.

    A void ruling shows only the reason, which is searched for names. If only the bookkeeping is new (the ruling
    stands), or the end of the round, that may be hidden and the ruling is not.
    """
    rejudged = ruling.rejudged if not ruling.is_void and not ruling.unveiled else None
    if rejudged is None or rejudged.verdict == "stands" or differs_only_in_round_end(ruling.was, ruling.events):
        return PUBLIC
    return rejudged.visibility


def visibility_concerning(timeline: Timeline, number: int, revealed: Collection[str] = ()) -> str:
    """Return the visibility of a play by its command, and by the people it concerns who are not `revealed`.

    It covers the command as written and as it reads now, and every outcome that the play ever had.
    """
    entry, before = timeline.entries[number], timeline.state_before(timeline.place[number])
    if revealed:
        combatants = {
            one.id: replace(one, visibility=PUBLIC) for one in before.combatants.values() if one.id in revealed
        }
        before = replace(before, combatants={**before.combatants, **combatants})
    events = [event for outcome in (entry.first, *entry.later) for event in outcome.events(timeline.decoders)]
    public = replace(entry.head.command, visibility=PUBLIC)
    return narrowest(of_play(timeline.command(number), before, events), of_command(public, before))


def events_before(timeline: Timeline, number: int, events: tuple[Event, ...]) -> tuple[Event, ...]:
    """Return the events that a play had on record before it had `events`; () if it was void or new."""
    entry = timeline.entries[number]
    outcomes = (outcome.events(timeline.decoders) for outcome in reversed((entry.first, *entry.later)))
    return next((before for before in outcomes if before != events), ())


def _remark(timeline: Timeline, number: int, head: Head, state: Encounter) -> Ruling:
    if not isinstance(head, Correction):
        return Ruling(number, head, state, state, visibility_now(timeline, number))
    restorers = timeline.restored_by.get(number, ())
    return Ruling(
        number,
        head,
        state,
        state,
        head.visibility,
        restored_by=next((other for other in reversed(restorers) if timeline.active[other]), 0),
        outcomes=_written(timeline, number),
    )


def _written(timeline: Timeline, number: int) -> tuple[RecordedOutcome, ...]:
    """Return the outcomes that a ruling recorded for other rulings."""
    outcomes = timeline.written_by.get(number, ())
    events, decoders = [], timeline.decoders
    for outcome in outcomes:
        if outcome.rejudged:
            because = _because(timeline, outcome.rejudged.ruling, outcome)
            before = _outcome_before(timeline, outcome.rejudged.ruling, outcome)
            now = outcome.events(decoders), because, outcome.bookkeeping(decoders)
            events.append(
                RecordedOutcome(outcome.rejudged, *now, before.bookkeeping(decoders), before.events(decoders))
            )
    return tuple(events)


def _outcome_before(timeline: Timeline, number: int, outcome: PlayOutcome) -> PlayOutcome:
    """Return the outcome that a play had on record before that one."""
    entry = timeline.entries[number]
    return next(before for before, after in pairwise((entry.first, *entry.later)) if after is outcome)


def _because(timeline: Timeline, number: int, outcome: PlayOutcome) -> int:
    current = timeline.entries[number].outcome is outcome and outcome.is_void
    return cause_of(timeline, number) if current else 0

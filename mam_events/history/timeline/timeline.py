"""The timeline of rulings, the aggregate of an encounter: which plays live, in which order, with which outcome.

It is a pure function of the log's rows. Heads decide what lives: a correction is active unless an active one restores
it; plays stand by number, inserts after their anchor; a command is the original plus the active patches; a play is
struck if an active correction strikes it. The outcome of a play is the latest recorded for it. Everything is updated
row by row, so undoing the last of ten thousand rulings costs the same as undoing the last of ten.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from msgspec.structs import replace

from mam_events.commands import Command, exchange_of, with_fields
from mam_events.dice import Die
from mam_events.errors import NotFound, VerificationFailed
from mam_events.events import (
    Amend,
    Branch,
    Correction,
    Event,
    Head,
    Note,
    Play,
    Restore,
    Strike,
    is_head,
)
from mam_events.history.timeline.active_corrections import restored_rulings, toggled_by, touched_by
from mam_events.history.timeline.change import NOW, Change
from mam_events.history.timeline.command_ids import stored_id
from mam_events.history.timeline.entries import FIRST_SEAL, Decoders, Entry, PlayOutcome, StoredRow, outcome_spans
from mam_events.history.timeline.note_targets import note_targets
from mam_events.history.timeline.timeline_index import TimelineIndex, extend_index
from mam_events.state import EMPTY_ENCOUNTER, Encounter, is_same_state


class Timeline:
    """One encounter as its log records it: its `id`, and the `version` of its newest row.

    It grows by `extend`, and is never edited. Nothing that its lists and dicts hold is ever changed, so a `copy` shares
    all of it. While a reader holds it, it is `lent` and does not grow.
    """

    def __init__(self, decoders: Decoders, rows: Sequence[StoredRow] = (), *, encounter: str = "") -> None:
        self.decoders = decoders
        self.id = encounter
        self.version = 0
        self.lent = False
        self.heads: list[Head] = []
        # The version of the last row of every ruling.
        self.ends: list[int] = []
        self.entries: dict[int, Entry] = {}
        self.restored_by: dict[int, tuple[int, ...]] = {}
        self.written_by: dict[int, tuple[PlayOutcome, ...]] = {}
        self.active: dict[int, bool] = {}
        # True for a correction that only undoes: redo undoes it. One that amends is a new step: only undo undoes it.
        self.undoes: dict[int, bool] = {}
        self.order: list[int] = []
        self.place: dict[int, int] = {}
        # The state after every play. With a snapshot only the newest is known at first, and the flag is False. `copy`
        # reads the flag before the list, so a copy made meanwhile is consistent.
        self._has_states = True
        self._states: list[Encounter] = []
        self.branches: list[Branch] = []
        self.ids: dict[str, tuple[int, str]] = {}
        self.salts: list[str] = []
        # Plays that are void or have bookkeeping: a change of the turn policy changes these.
        self.unsettled: set[int] = set()
        # Corrections and inserts. The newest one in force decides the turn policy at a place.
        self.policy_rulings: list[int] = []
        # The ruling that decided each dispute; 0 while it is open.
        self.disputes: dict[int, int] = {}
        self._index = TimelineIndex()
        # A cache of `cause_of`, dropped when the timeline grows.
        self.void_causes: dict[int, int] | None = None
        self.extend(rows)

    def copy(self) -> Timeline:
        """Return a copy of the timeline, which grows independently."""
        twin = Timeline(self.decoders)
        for name, value in vars(self).items():
            setattr(twin, name, value.copy() if name != "decoders" and isinstance(value, list | dict | set) else value)
        twin.lent = False
        return twin

    def own(self) -> Timeline:
        """Return this timeline, or a copy that may be extended if this one is lent."""
        return self.copy() if self.lent else self

    @property
    def number(self) -> int:
        """The number of the newest ruling, which is the version that people name."""
        return len(self.heads)

    @property
    def seal(self) -> str:
        """The seal of the newest ruling, which covers the whole log."""
        return self.heads[-1].seal if self.heads else FIRST_SEAL

    @property
    def state(self) -> Encounter:
        """The present state of the fight."""
        return self._states[-1] if self._states else EMPTY_ENCOUNTER

    @property
    def states(self) -> list[Encounter]:
        """The state of the fight after every play, in the order of the plays."""
        if not self._has_states:
            states = [EMPTY_ENCOUNTER]
            for number in self.order:
                states.append(self._after(number, states[-1]))
            # Replace the list as a whole: other threads may read it meanwhile.
            self._states, self._has_states = states[1:], True
        return self._states

    @property
    def commitments(self) -> list[str]:
        """The commitments that dice were ever drawn under, the newest last.

        They are that of the opening, and that of every head that committed to a new seed.
        """
        first = [self._after(self.order[0], EMPTY_ENCOUNTER).commitment] if self.order else []
        return [*first, *(head.commitment for head in self.branches)]

    @property
    def branched_at(self) -> int:
        """The ruling with which this log branched off another fight, or 0; earlier rulings are those of that fight."""
        return max((head.ruling for head in self.branches if head.parent), default=0)

    def state_before(self, place: int) -> Encounter:
        """Return the state of the fight just before that place in the order."""
        return self.states[place - 1] if place else EMPTY_ENCOUNTER

    def head_with_id(self, command_id: str) -> Head | None:
        """Return the head of the ruling that has this command id, or None."""
        entry = self.find_id(command_id)
        return self.heads[entry[0] - 1] if entry else None

    def find_id(self, command_id: str) -> tuple[int, str] | None:
        """Return the ruling that has this command id, and the hash of the request; None if no ruling has it.

        Older rows have the id as it was given.
        """
        return self.ids.get(stored_id(command_id)) or self.ids.get(command_id)

    def head(self, number: int) -> Head:
        """Return the head of that ruling, or raise NotFound."""
        if not 1 <= number <= len(self.heads):
            newest = f"The newest is {len(self.heads)}" if self.heads else "There are none yet"
            raise NotFound(f"There is no ruling {number}. {newest}.")
        return self.heads[number - 1]

    def striking(self, number: int) -> int:
        """Return the newest active correction that strikes that play, or 0."""
        return next((c for c in reversed(self.entries[number].struck_by) if self.active[c]), 0)

    def lives(self, number: int, change: Change = NOW) -> bool:
        """Return True if that play is not struck, if the change were made; a void play lives."""
        if number in change.strikes:
            return False
        entry = self.entries.get(number)
        if entry is None or not entry.struck_by:
            return True
        return not any(change.toggled.get(correction, self.active[correction]) for correction in entry.struck_by)

    def counts(self, number: int) -> bool:
        """Return True if that ruling is in force: a play that lives, a correction that is not undone, any note."""
        return self.active.get(number, True) and self.lives(number)

    def patches(self, number: int, change: Change = NOW) -> list[Mapping[str, Any]]:
        """Return the active patches of that play in log order, if the change were made."""
        entry = self.entries.get(number)
        in_force = [p for c, p in entry.amended_by if change.toggled.get(c, self.active[c])] if entry else []
        return in_force + [step.patch for step in change.steps if isinstance(step, Amend) and step.ruling == number]

    def command(self, number: int, change: Change = NOW) -> Command:
        """Return the command of that play as it now reads, or as it would read if the change were made.

        Raises BadInput for a patch that does not fit.
        """
        entry = self.entries.get(number)
        command: Command = entry.head.command if entry else change.new  # type: ignore[assignment]  # only a new play has no entry
        if entry and not entry.amended_by and not change.steps:
            return command
        for patch in self.patches(number, change):
            command = with_fields(command, patch)
        return command

    def exchange(self, number: int) -> tuple[int, ...]:
        """Return the living plays of the exchange that a play belongs to, in order of number; () if there is none."""
        exchange = exchange_of(self.command(number), number)
        if not exchange:
            return ()
        # Search all later rulings: an insert or a late adjustment may belong to the exchange.
        return tuple(
            n for n in self.entries if n >= exchange and self.lives(n) and exchange_of(self.command(n), n) == exchange
        )

    def drawn(self, number: int, until: int | None = None) -> dict[str, Die]:
        """Return every die ever drawn for that play, by key, or only those up to the ruling `until`.

        A drawn die keeps its face, even if its ruling is struck or changed.
        """
        entry = self.entries.get(number)
        return entry.drawn_dice(self.decoders, until) if entry else {}

    def has_drawn_since(self, ruling: int) -> bool:
        """Return True if any die was drawn after that ruling."""
        return any(self.drawn(number).keys() - self.drawn(number, ruling).keys() for number in self.entries)

    @property
    def index(self) -> TimelineIndex:
        """The index of joins and dice words of all heads; built when first asked for, and then extended."""
        if self._index.heads < len(self.heads):
            # Replace the index as a whole: other threads may read it meanwhile.
            self._index = extend_index(self._index, self.heads, self.branches)
        return self._index

    def place_after(self, anchor: int) -> int:
        """Return the place after a play and after what was already inserted there."""
        at = self.place[anchor] + 1
        inserted = {anchor}
        while at < len(self.order) and self.entries[self.order[at]].head.after in inserted:
            inserted.add(self.order[at])
            at += 1
        return at

    def extend_by_play(
        self, head: Play, rows: Sequence[StoredRow], events: tuple[Event, ...], state: Encounter
    ) -> None:
        """Append a play at the end of the order, as `extend` would; the writer already has its events and state."""
        self._append(head, PlayOutcome(head.ruling, rows, 1, 1, len(rows), None, events))
        self._states.append(state)
        self.version += len(rows)
        self.ends.append(self.version)

    def extend(self, rows: Sequence[StoredRow], snapshot_state: Encounter | None = None) -> None:
        """Append rows that were written since, whole rulings only; raise VerificationFailed for a gap.

        A new timeline may be given the state after these rows; then no event is read before it is needed.
        """
        if not rows:
            return
        starts = [i for i, row in enumerate(rows) if is_head(row[1])]
        if rows[0][0] != self.version + 1 or rows[-1][0] != self.version + len(rows) or starts[:1] != [0]:
            raise VerificationFailed(f"Row {self.version + 1} of the log is missing, or rows were moved.")
        self.void_causes = None
        # The places to compute again, from `first` to `last`; none yet.
        first, last, known = len(rows) + len(self.order), 0, len(self.heads)
        appends_states, state, states, decoders = snapshot_state is None, self.state, self._states, self.decoders
        for start, end in pairwise([*starts, len(rows)]):
            self.ends.append(rows[end - 1][0])
            head = decoders[rows[start][1]](rows[start][2])
            if head.ruling != len(self.heads) + 1:
                raise VerificationFailed(f"Ruling {head.ruling} stands where ruling {len(self.heads) + 1} belongs.")
            if isinstance(head, Note):
                self._add(head)
                self.disputes |= note_targets(head)
            elif appends_states and isinstance(head, Play) and not head.after:
                self._append(head, PlayOutcome(head.ruling, rows, start + 1, start + 1, end))
                for _, topic, encoded in rows[start + 1 : end]:
                    state = decoders[topic](encoded).apply(state)
                states.append(state)
            else:
                # This ruling changes older plays, so from here on every state is needed.
                appends_states, states = False, self.states
                dirty = self._append_ruling(head, rows, start, end)
                first, last = min([first, *dirty]), max([last, *dirty])
        corrections = [head for head in self.heads[known:] if isinstance(head, Correction)]
        touched = self._update_active(corrections)
        if snapshot_state is not None:
            self._states, self._has_states = [snapshot_state] * len(self.order), False
        elif not appends_states:
            self._recompute_states(min([first, *touched]), max([last, *touched]))
        self.version = rows[-1][0]

    def _append_ruling(self, head: Head, rows: Sequence[StoredRow], start: int, end: int) -> list[int]:
        """Append one ruling; return the places whose plays or outcomes have changed."""
        if isinstance(head, Play) and not head.after:
            return [self._append(head, PlayOutcome(head.ruling, rows, start + 1, start + 1, end))]
        spans = outcome_spans(rows, start + 1, end)
        if isinstance(head, Play):
            own = spans[0][0] if spans else end
            dirty = [self._insert(head, PlayOutcome(head.ruling, rows, start + 1, start + 1, own))]
        elif isinstance(head, Branch):
            return self._append_branch(head)
        else:
            assert isinstance(head, Correction)  # noqa: S101 - notes are handled before
            self._correct(head)
            dirty = []
        outcomes = []
        for begin, mark, stop in spans:
            rejudged = self.decoders[rows[mark][1]](rows[mark][2])
            outcome = PlayOutcome(head.ruling, rows, begin, mark + 1, stop, rejudged)
            entry = self.entries[rejudged.ruling]
            update = self.unsettled.add if outcome.is_void or outcome.has_bookkeeping else self.unsettled.discard
            update(rejudged.ruling)
            self.entries[rejudged.ruling] = replace(entry, outcome=outcome, later=(*entry.later, outcome))
            outcomes.append(outcome)
            dirty.append(self.place[rejudged.ruling])
        if outcomes:
            self.written_by[head.ruling] = tuple(outcomes)
        return dirty

    def _add(self, head: Head) -> None:
        self.heads.append(head)
        if head.id:
            self.ids[head.id] = (head.ruling, head.body)
        if head.salt and not isinstance(head, Note):
            # Notes add no salt: values keyed with salts belong to plays, and no note may change them.
            self.salts.append(head.salt)
        if isinstance(head, Correction) or (isinstance(head, Play) and head.after):
            self.policy_rulings.append(head.ruling)

    def _append(self, head: Play, outcome: PlayOutcome) -> int:
        number, place = head.ruling, len(self.order)
        self._add(head)
        self.entries[number] = Entry(head, outcome, outcome)
        self.order.append(number)
        self.place[number] = place
        return place

    def _insert(self, head: Play, outcome: PlayOutcome) -> int:
        at = self.place_after(head.after)
        self._append(head, outcome)
        self.order.insert(at, self.order.pop())
        for place in range(at, len(self.order)):
            self.place[self.order[place]] = place
        return at

    def _append_branch(self, head: Branch) -> list[int]:
        """Append the head with which the fight branches off another: no play after its anchor lives any more."""
        self._add(head)
        self.branches.append(head)
        self.active[head.ruling] = True
        later = range(self.place[head.behind] + 1, len(self.order)) if head.parent else range(0)
        for place in later:
            entry = self.entries[self.order[place]]
            self.entries[self.order[place]] = replace(entry, struck_by=(*entry.struck_by, head.ruling))
        return [later[0], later[-1]] if later else []

    def _correct(self, head: Correction) -> None:
        self._add(head)
        self.undoes[head.ruling] = not any(isinstance(step, Amend) for step in head.steps) and any(
            isinstance(step, Strike) or not self.undoes[step.ruling] for step in head.steps
        )
        for step in head.steps:
            if isinstance(step, Restore):
                continue
            entry = self.entries[step.ruling]
            if isinstance(step, Strike):
                entry = replace(entry, struck_by=(*entry.struck_by, head.ruling))
            else:
                entry = replace(entry, amended_by=(*entry.amended_by, (head.ruling, step.patch)))
            self.entries[step.ruling] = entry

    def _update_active(self, heads: Sequence[Correction]) -> list[int]:
        """Update what is active after those corrections are added; return the places of the plays they touch."""
        toggled = toggled_by(self, heads)
        self.active |= toggled
        for head in heads:
            for number in restored_rulings(head):
                self.restored_by[number] = (*self.restored_by.get(number, ()), head.ruling)
        return [self.place[number] for number in touched_by(self, toggled)]

    def _recompute_states(self, first: int, last: int) -> None:
        """Apply the living events again from that place on.

        After `last` it stops as soon as the state is the same as before the new plays were added.
        """
        states, order = self.states, self.order
        before, more = states[first:], len(order) - len(states)
        del states[first:]
        state = states[-1] if states else EMPTY_ENCOUNTER
        # From here on the plays are the old ones, at places shifted by the new ones.
        next_place = max(first, last) + more
        while (place := len(states)) < len(order):
            state = self._after(order[place], state)
            states.append(state)
            was = place - more - first
            if place >= next_place and was < len(before) and is_same_state(state, before[was]):
                states += before[was + 1 :]
                state = states[-1]

    def _after(self, number: int, state: Encounter) -> Encounter:
        """Return the state after a play, given the state before it."""
        entry = self.entries[number]
        if not entry.struck_by or not any(self.active[correction] for correction in entry.struck_by):
            outcome, decoders = entry.outcome, self.decoders
            for _, topic, encoded in outcome.rows[outcome.bookkeeping_start : outcome.end]:
                state = decoders[topic](encoded).apply(state)
        return state

    def living(self) -> Iterator[tuple[int, Entry]]:
        """Return an iterator over the plays that live, in their places."""
        return ((number, self.entries[number]) for number in self.order if self.lives(number))

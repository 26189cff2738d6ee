"""The treatment of turns at each place of a fight: kept as they were played, or strictly by the order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from mam_events.events import Correction, Play, Restore, Step
from mam_events.rulings.changes import NOW, Change

if TYPE_CHECKING:
    from mam_events.rulings.timeline import Timeline


class Treatment(NamedTuple):
    """The word of one correction or insert: from which place on it counts (None: it only restores), and for a restored
    correction from which place on, for plays that were given after it.
    """

    as_played: bool
    own_from: int | None
    restored: tuple[tuple[int, int], ...] = ()


class TurnsPolicy:
    """Answers for each play whether turns are kept as they were played, were a change made.

    The newest correction or insert in force that touches the place of a play, or any before it, decides there. One that
    restores a correction has a word only on plays that were given after that: for older ones restoring says nothing,
    so that undoing a restore gives back what was.
    """

    __slots__ = ("_change", "_recorded", "_timeline", "_treatments")

    def __init__(self, timeline: Timeline, change: Change = NOW) -> None:
        self._timeline = timeline
        self._change = change
        self._treatments: list[Treatment] | None = None
        self._recorded = TurnsPolicy(timeline) if change.supposed else None

    def keeps(self, number: int) -> bool:
        """Return True if turns are kept as played at the place of that play."""
        if self._recorded is not None:
            # The same rules make the same fight: what is void on record by a strict correction stays void.
            return not self._timeline.entries[number].outcome.void or self._recorded.keeps(number)
        if self._treatments is None:
            self._treatments = list(self._newest_first())
        place = self._timeline.place[number]
        for word in self._treatments:
            if word.own_from is not None and word.own_from <= place:
                return word.as_played
            if any(given < number and first <= place for given, first in word.restored):
                return word.as_played
        return False

    def _newest_first(self) -> Iterator[Treatment]:
        change, timeline = self._change, self._timeline
        if change.new is not None or change.steps:
            yield Treatment(change.turns == "as_played", change.own_from, self._restored(change.steps))
        for by in reversed(timeline.treating):
            head = timeline.heads[by - 1]
            if isinstance(head, Play):
                if timeline.lives(by, change):
                    yield Treatment(head.turns == "as_played", timeline.place[by])
            elif isinstance(head, Correction) and change.toggled.get(by, timeline.active[by]):
                own = [timeline.place[step.ruling] for step in head.steps if not isinstance(step, Restore)]
                yield Treatment(head.turns == "as_played", min(own, default=None), self._restored(head.steps))

    def _restored(self, steps: Sequence[Step]) -> tuple[tuple[int, int], ...]:
        return tuple((step.ruling, self._reach(step.ruling)) for step in steps if isinstance(step, Restore))

    def _reach(self, correction: int) -> int:
        """Return the first place that a correction touches, by itself or by what it restores."""
        head = self._timeline.heads[correction - 1]
        assert isinstance(head, Correction)  # noqa: S101 - only corrections are restored
        return min(
            self._reach(step.ruling) if isinstance(step, Restore) else self._timeline.place[step.ruling]
            for step in head.steps
        )

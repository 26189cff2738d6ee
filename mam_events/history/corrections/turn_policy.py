"""The turn policy at each place of a fight: turns as they were played, or strictly by the turn order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from mam_events.events import Amend, Correction, Play, Step, TurnPolicy
from mam_events.history.timeline.change import NOW, Change

if TYPE_CHECKING:
    from mam_events.history.timeline.timeline import Timeline


class PolicyScope(NamedTuple):
    """The turn policy of one correction or insert, and the places where it holds.

    `first` is the first place where it holds for all plays (None: nowhere). `undone` holds pairs of a ruling that it
    undoes and a place: from there on the policy holds for plays given after that ruling.
    """

    as_played: bool
    first: int | None
    undone: tuple[tuple[int, int], ...] = ()


class TurnPolicies:
    """The turn policy for each play, if a change were made.

    The newest correction or insert in force that touches the place of a play, or any before it, decides there. One that
    strikes a play, or restores a correction, decides only for plays given after the ruling that it undoes; for older
    ones it restores what was.
    """

    __slots__ = ("_change", "_recorded", "_scopes", "_timeline")

    def __init__(self, timeline: Timeline, change: Change = NOW) -> None:
        self._timeline = timeline
        self._change = change
        self._scopes: list[PolicyScope] | None = None
        self._recorded = TurnPolicies(timeline) if change.supposed else None

    def keeps(self, number: int) -> bool:
        """Return True if turns are kept as played at the place of that play."""
        if self._recorded is not None:
            # Under the same rules the supposed fight equals the record, so what a strict correction made void stays
            # void.
            return not self._timeline.entries[number].outcome.is_void or self._recorded.keeps(number)
        if self._scopes is None:
            self._scopes = list(self._scopes_newest_first())
        place = self._timeline.place[number]
        for scope in self._scopes:
            if scope.first is not None and scope.first <= place:
                return scope.as_played
            if any(undone < number and first <= place for undone, first in scope.undone):
                return scope.as_played
        return False

    def _scopes_newest_first(self) -> Iterator[PolicyScope]:
        change, timeline = self._change, self._timeline
        if change.new is not None:
            # Several orders may be inserted together; `first` counts only places of the present log.
            first = sum(number in timeline.entries for number in change.order[: change.first])
            yield PolicyScope(change.turns == "as_played", first)
        elif change.steps:
            yield self._of_steps(change.turns, change.steps)
        for by in reversed(timeline.policy_rulings):
            head = timeline.heads[by - 1]
            if isinstance(head, Play):
                if timeline.lives(by, change):
                    yield PolicyScope(head.turns == "as_played", timeline.place[by])
            elif isinstance(head, Correction) and change.toggled.get(by, timeline.active[by]):
                yield self._of_steps(head.turns, head.steps)

    def _of_steps(self, turns: TurnPolicy, steps: Sequence[Step]) -> PolicyScope:
        amended = [self._timeline.place[step.ruling] for step in steps if isinstance(step, Amend)]
        pairs = tuple((step.ruling, self._reach(step.ruling)) for step in steps if not isinstance(step, Amend))
        return PolicyScope(turns == "as_played", min(amended, default=None), pairs)

    def _reach(self, ruling: int) -> int:
        """Return the place of a play, or the first place that a correction touches, including by what it restores."""
        head = self._timeline.heads[ruling - 1]
        if isinstance(head, Correction):
            return min(self._reach(step.ruling) for step in head.steps)
        return self._timeline.place[ruling]

"""Declared results that agree with the dice now, and would contradict them after a correction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec import Struct

from mam_events.commands import Result

if TYPE_CHECKING:
    from mam_events.history.judge.rejudgement import RejudgedRuling
    from mam_events.history.timeline.timeline import Timeline
    from mam_events.state import Encounter


class ContradictedResult(Struct, frozen=True):
    """A ruling that declares a result, its action, and the numbers of that action after the correction."""

    ruling: int
    action: int
    outcome: str
    total: int
    difficulty: int

    @property
    def sentence(self) -> str:
        """The contradiction, and the amendment that ends it, as a line."""
        other = "failure" if self.outcome == "success" else "success"
        return (
            f"Ruling {self.ruling} calls {self.action} a {self.outcome}, but it would be {self.total} against "
            f"{self.difficulty}. To change that too, type amend {self.ruling} outcome={other}."
        )


def contradicted_results(timeline: Timeline, rejudged: Sequence[RejudgedRuling]) -> Iterator[ContradictedResult]:
    """Yield the declared results that a correction contradicts; `rejudged` are the rulings in order.

    A result that the game master declared against the dice is none of them.
    """
    for before, entry in pairwise(rejudged):
        command = timeline.command(entry.ruling)
        if not isinstance(command, Result) or not command.outcome or entry.verdict == "void":
            continue
        declared = command.outcome == "success"
        numbers = _numbers(before.state, command.exchange)
        was = _numbers(timeline.state_before(timeline.place[entry.ruling]), command.exchange)
        if numbers and was and (numbers[0] >= numbers[1]) != declared and (was[0] >= was[1]) == declared:
            yield ContradictedResult(entry.ruling, command.exchange, command.outcome, *numbers)


def _numbers(state: Encounter, action: int) -> tuple[int, int] | None:
    """Return the total and the difficulty of an open action, if it has both."""
    one = state.window.action(action)
    return None if one is None or one.total is None or one.difficulty is None else (one.total, one.difficulty)

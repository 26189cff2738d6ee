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
    from mam_events.state import OpenAction


class ContradictedResult(Struct, frozen=True):
    """A ruling that declares a result, and its action as it is after the correction."""

    ruling: int
    action: OpenAction
    outcome: str

    @property
    def sentence(self) -> str:
        """The contradiction, and the amendment that ends it, as a line."""
        other = "failure" if self.outcome == "success" else "success"
        return (
            f"Ruling {self.ruling} calls {self.action.id} a {self.outcome}, but it would be {self.action.total} "
            f"against {self.action.difficulty}. To change that too, type amend {self.ruling} outcome={other}."
        )


def contradicted_results(timeline: Timeline, rejudged: Sequence[RejudgedRuling]) -> Iterator[ContradictedResult]:
    """Yield the declared results that a correction contradicts; `rejudged` are the rulings in order.

    A result that the game master declared against the dice is left out.
    """
    for before, entry in pairwise(rejudged):
        command = timeline.command(entry.ruling)
        if not isinstance(command, Result) or not command.outcome or entry.verdict == "void":
            continue
        declared = command.outcome == "success"
        was = timeline.state_before(timeline.place[entry.ruling]).window.action(command.exchange)
        now = before.state.window.action(command.exchange)
        if was and now and (was.is_reached, now.is_reached) == (declared, not declared):
            yield ContradictedResult(entry.ruling, now, command.outcome)

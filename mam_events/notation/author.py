"""The person who types a line: the part of the fight they know, and the orders they may give."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mam_events.history.corrections.corrections import SeesRuling, sees_all
from mam_events.notation.context import LineContext
from mam_events.visibility import GAME_MASTER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mam_events.commands import Command
    from mam_events.events import Step
    from mam_events.history.timeline.timeline import Timeline
    from mam_events.rules.rulebook import Rulebook
    from mam_events.state import Encounter


class LineAuthor:
    """The game master, who knows the whole fight and may give every order; authors with fewer rights override this."""

    knows_all = True
    """False for a view that may not see everything.

    Each of its lines stops before its dice, so that a stop reveals nothing, and it may undo only its own newest line.
    """

    def fight(self, timeline: Timeline, state: Encounter, rules: Rulebook) -> LineContext:
        """Return the fight as the author knows it, at a moment of that timeline."""
        del timeline
        assert state.ruleset is not None  # noqa: S101 - the fight is open
        return LineContext(state, rules.in_force(state.ruleset))

    def sees(self, timeline: Timeline) -> SeesRuling:
        """Return the predicate for the rulings that the author sees."""
        del timeline
        return sees_all

    def view(self, timeline: Timeline) -> str:
        """Return the author's view of the fight."""
        del timeline
        return GAME_MASTER

    def check_order(self, timeline: Timeline, command: Command) -> None:
        """Raise the error that forbids the author that order, if there is one."""

    def check_about(self, timeline: Timeline, number: int) -> None:
        """Raise the error that forbids the author to mention that ruling, if there is one."""

    def check_visible(self, timeline: Timeline, visibility: str) -> None:
        """Raise the error that forbids the author a note that only that view may see, if there is one."""

    def check_undo(self, timeline: Timeline, steps: Sequence[Step]) -> None:
        """Raise the error that forbids the author to undo their newest line by those steps, if there is one."""


GM_AUTHOR = LineAuthor()

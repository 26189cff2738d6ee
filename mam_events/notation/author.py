"""Whoever types a line: as much of the fight as he knows, and what is his to order."""

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
    """The game master, who knows the whole fight and may order everything; whoever may less overrides this."""

    knows_all = True
    """Off for a view that may not see everything: each of its lines stops before its dice, so that a stop tells
    nothing, and it takes back its newest line alone.
    """

    def fight(self, timeline: Timeline, state: Encounter, rules: Rulebook) -> LineContext:
        """The fight as he knows it, at a moment of that timeline."""
        del timeline
        assert state.ruleset is not None  # noqa: S101 - the fight is open
        return LineContext(state, rules.in_force(state.ruleset))

    def sees(self, timeline: Timeline) -> SeesRuling:
        """The rulings that he sees."""
        del timeline
        return sees_all

    def view(self, timeline: Timeline) -> str:
        """The view that he has of the fight."""
        del timeline
        return GAME_MASTER

    def check_order(self, timeline: Timeline, command: Command) -> None:
        """Raise whatever stands against an order of his."""

    def check_about(self, timeline: Timeline, number: int) -> None:
        """Raise whatever stands against his speaking of that ruling."""

    def check_visible(self, timeline: Timeline, visibility: str) -> None:
        """Raise whatever stands against a note of his that only that view may see."""

    def check_undo(self, timeline: Timeline, steps: Sequence[Step]) -> None:
        """Raise whatever stands against his taking back his newest line by those steps."""


GM_AUTHOR = LineAuthor()

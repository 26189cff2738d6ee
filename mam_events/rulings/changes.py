"""What one more head would change of the living history, with nothing written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from mam_events.commands import Command
from mam_events.events import Amend, Correction, Play, Restore, Strike
from mam_events.rulings.timeline import Timeline


class Change(NamedTuple):
    """What one more head would do to the living history: from place `first` on, everything is to be judged again, and
    behind place `last` it touches nothing itself.
    """

    first: int
    last: int
    order: Sequence[int]
    toggled: Mapping[int, bool]
    steps: tuple[Strike | Amend | Restore, ...] = ()
    strikes: frozenset[int] = frozenset()
    new: Command | None = None

    @property
    def amends(self) -> set[int]:
        """The rulings that it gives other words."""
        return {step.ruling for step in self.steps if isinstance(step, Amend)}

    def lives(self, timeline: Timeline, number: int) -> bool:
        """Whether that play would live once the change is made."""
        if number in self.strikes:
            return False
        entry = timeline.entries.get(number)
        return entry is None or not any(self.toggled.get(c, timeline.active[c]) for c in entry.struck_by)

    def patches(self, timeline: Timeline, number: int) -> list[Mapping[str, Any]]:
        """The patches that play would have once the change is made, in log order."""
        entry = timeline.entries.get(number)
        kept = [p for c, p in entry.amended_by if self.toggled.get(c, timeline.active[c])] if entry else []
        return kept + [step.patch for step in self.steps if isinstance(step, Amend) and step.ruling == number]


def plan(timeline: Timeline, head: Play | Correction) -> Change:
    """What that head would change."""
    order = timeline.order
    if isinstance(head, Play):
        at = timeline.place_behind(head.after) if head.after else len(order)
        return Change(at, at, [*order[:at], head.ruling, *order[at:]], {}, new=head.command)
    toggled = timeline.toggled((head,))
    del toggled[head.ruling]
    touched = timeline.touched(toggled) | {step.ruling for step in head.steps if not isinstance(step, Restore)}
    # A correction that is restored twice over may touch nothing.
    places = [timeline.place[number] for number in touched] or [len(order)]
    strikes = frozenset(step.ruling for step in head.steps if isinstance(step, Strike))
    return Change(min(places), max(places), order, toggled, head.steps, strikes)

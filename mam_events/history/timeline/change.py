"""The changes that one more head makes to the living history, as a value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from msgspec import Struct

from mam_events.commands import Command
from mam_events.events import Amend, Restore, Strike, TurnPolicy


class Change(Struct, frozen=True):
    """The change that one more head makes to the living history.

    From place `first` of its `order` on, everything is judged again; after place `last` it touches nothing itself, and
    doesn't change how turns are treated. `toggled` maps the corrections that become active or inactive to their new
    state. `touched` are the plays that those and its own `steps` strike, restore or amend. `new` is a play that it
    inserts at `first`. `turns` is how it treats the turns of what follows. `supposed` is True for a change that is not
    one of the log, but asks what would be under other rules or without a ruling.
    """

    first: int = 0
    last: int = 0
    order: Sequence[int] = ()
    toggled: Mapping[int, bool] = MappingProxyType({})
    touched: frozenset[int] = frozenset()
    steps: tuple[Strike | Amend | Restore, ...] = ()
    strikes: frozenset[int] = frozenset()
    new: Command | None = None
    turns: TurnPolicy = "strict"
    supposed: bool = False

    @property
    def amends(self) -> set[int]:
        """The rulings that it amends."""
        return {step.ruling for step in self.steps if isinstance(step, Amend)}

    def place_of(self, number: int, places: Mapping[int, int]) -> int:
        """Return the place of that play if the change were made; `places` are the present ones."""
        if self.new is None:
            return places[number]
        before = places.get(number)
        return self.first if before is None else before + (before >= self.first)


SUPPOSED = Change(supposed=True)
"""No change of the log, but a view of it under other rules."""
NOW = Change()
"""No change: the living history as it stands."""

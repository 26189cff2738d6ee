"""A seat at the table: one view of an encounter, with what may be named there, and what it is told."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from mam_events.commands import Join
from mam_events.deciding.checks import named
from mam_events.errors import NotFound, Refused
from mam_events.naming import names_in
from mam_events.notation.words import spoken
from mam_events.rulings.corrections import everything
from mam_events.rulings.history import rulings
from mam_events.values import NOBODY
from mam_events.visibility import GAME_MASTER, can_see
from projections.screen import Screen

if TYPE_CHECKING:
    from mam_events.commands import Command
    from mam_events.rulings.corrections import Sight
    from mam_events.rulings.timeline import Timeline


class Seat:
    """One view (`gm`, `public`, `side:NAME`) of an encounter as its log tells it; the game master's has no limits.

    Of somebody whom the view may not know of it is told what it would be told of nobody.
    """

    def __init__(self, view: str, timeline: Timeline, screen: Screen | None = None) -> None:
        self.view = view
        self.timeline = timeline
        self.is_master = view == GAME_MASTER
        if screen is not None:
            self.screen = screen

    @cached_property
    def screen(self) -> Screen:
        """The screen between the whole log of the encounter and this view."""
        return Screen(self.view) if self.is_master else Screen(self.view, rulings(self.timeline))

    @cached_property
    def sees(self) -> Sight:
        """The sight of this view: it tells of a number whether that ruling is seen."""
        if self.is_master:
            return everything
        return lambda number: self.screen.shows(next(rulings(self.timeline, number)))

    def check_side(self) -> None:
        """Raise NotFound for the view of a side of which it knows nobody: that one is none."""
        if not self.view.startswith("side:"):
            return
        side = self.view.removeprefix("side:")
        if side not in {
            one.side for one in self.timeline.state.combatants.values() if can_see(self.view, one.visibility)
        }:
            # Whoever asks for one side is not told of the others.
            raise NotFound(f'There is no side "{side}" in this fight.')

    def check_shown(self, number: int) -> None:
        """Refuse what names a ruling that the view may not see."""
        self.timeline.head(number)
        if not self.sees(number):
            raise Refused("hidden", f"Ruling {number} is hidden.", fields=("ruling",))

    def knows(self, combatant: str) -> bool:
        """True if somebody in the fight is called so, as far as the view may know."""
        return any(who.id == combatant for who in self.screen.combatants(self.timeline.state))

    def may_know(self, name: str) -> bool:
        """True but for somebody in the fight of whom the view may not know."""
        return self.is_master or name not in self.screen.hidden

    def check_known(self, combatant: str) -> None:
        """Refuse with `unknown_combatant` whoever is not in the fight, as far as the view may know."""
        state = self.timeline.state
        visible = {who.id: who for who in self.screen.combatants(state)}
        named(state if combatant in visible else type(state)(combatants=visible), combatant)

    def check_free(self, combatant: str) -> None:
        """Refuse with `already_joined` an id that somebody has, or had, whom the view may not know of.

        Whatever came of it else, at once or by a correction, would tell more than that.
        """
        from mam_events.rules.opening import already_joined  # noqa: PLC0415 - nobody who only looks needs the rules

        if combatant in self.screen.hidden:
            raise already_joined(combatant)

    def check_named(self, command: Command, said: Collection[str]) -> None:
        """Refuse whoever is named in those fields and not in the fight, as far as the view may know; and who joins
        under the id of somebody of whom it may not.
        """
        if self.is_master:
            return
        for kinds, name, field in names_in(command, within=said):
            if isinstance(command, Join) and field == "combatant":
                self.check_free(f"{name}")
            elif kinds == ("combatant",) and name not in ("", NOBODY):
                self.check_known(f"{name}")

    def told(self, sentence: str, told: str = "", said: Callable[[], Collection[str]] = set) -> str:
        """A sentence of the rules without the names of those whom the view may not know of; `told` is the same with
        references for names, where there is such a one.

        What was `said` stays where the sentence quotes it: to change it would tell that it means something.
        """
        if self.is_master:
            return sentence
        return self.screen.told(told, said()) if told else self.screen.words(sentence, said())


def parts_of(words: Iterable[str]) -> set[str]:
    """Words as they were typed, and the parts that they are made of (`ana=3`); of a line its words."""
    typed = {*words, *(word for line in words for word in spoken(line))}
    return {part for word in typed for signs in ("[=:,]", "[=:,.]") for part in (word, *re.split(signs, word))}

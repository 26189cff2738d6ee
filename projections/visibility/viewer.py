"""A seat at the table: one view of an encounter, with what may be named there, and what it is told."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from functools import cached_property
from typing import Any

from msgspec.structs import replace

from mam_events.commands import COMMANDS, Command, Join, actor_of, is_reaction
from mam_events.decider.checks import duplicate_id_error, require_combatant, require_exchange
from mam_events.errors import CommandHint, MamError, NotFound, Refused
from mam_events.field_specs import field_specs
from mam_events.history.corrections.corrections import SeesRuling, check_seen, sees_all
from mam_events.history.timeline.rulings import rulings
from mam_events.history.timeline.timeline import Timeline
from mam_events.notation.grammar.names import People, things_by_name
from mam_events.references import names_in
from mam_events.refusals.renderer import id_of, render_message
from mam_events.sanitize import make_id, texts_in
from mam_events.state import Combatant
from mam_events.values import NOBODY_WORD, SITUATION, SLUG
from mam_events.visibility import GAME_MASTER, can_see
from projections.visibility.redaction import Redactor


class Viewer:
    """One view (`gm`, `public`, `side:NAME`) of an encounter as its log tells it; the game master's has no limits.

    Of somebody whom the view may not know of it is told what it would be told of nobody.
    """

    def __init__(self, view: str, timeline: Timeline, screen: Redactor | None = None) -> None:
        self.view = view
        self.timeline = timeline
        self.is_master = view == GAME_MASTER
        if screen is not None:
            self.screen = screen

    @cached_property
    def screen(self) -> Redactor:
        """The screen between the whole log of the encounter and this view."""
        return Redactor(self.view) if self.is_master else Redactor(self.view, rulings(self.timeline))

    def quoting(self, said: Any, *, supposed: bool = False) -> Redactor:
        """The screen of this view for whoever said that (plain values): its texts are told them again as they are."""
        found = set(texts_in(said))
        whys = {match[3] for text in found if (match := re.match(SITUATION, text))}
        return self.screen.quoting(found | whys, supposed=supposed)

    @cached_property
    def sees(self) -> SeesRuling:
        """The sight of this view: it tells of a number whether that ruling is seen."""
        return sees_all if self.is_master else self.screen.sight(self.timeline)

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
        check_seen(self.timeline, number, self.sees)

    def count_hidden(self) -> int:
        """Return the number of rulings that the view does not see: of their kinds nothing is told."""
        return 0 if self.is_master else sum(not self.screen.shows(ruling) for ruling in rulings(self.timeline))

    def knows(self, combatant: str) -> bool:
        """True if somebody in the fight is called so, as far as the view may know."""
        return bool(People(self._visible).whole(combatant))

    def find(self, called: str) -> str:
        """Return the id of the one who is called so, by id, name or unique words of it; where nobody is, or several
        are, as far as the view may know, the id that such a one would have. What is no name (`rook=3`) stays as it is.
        """
        if called in self._visible or called == NOBODY_WORD or "=" in called:
            return called
        return People(self._visible).one(called) or _as_id(called)

    def find_thing(self, called: str, whose: Iterable[str]) -> str:
        """Return the id of the thing that is called so, likewise: of what the first of those has who has one, else of
        anybody.
        """
        visible = self._visible
        people = [[visible[who]] for who in whose if who in visible]
        found = (things_by_name(them).one(called) for them in (*people, visible.values()))
        return next(filter(None, found), "") or _as_id(called)

    def find_id(self, error: MamError) -> str:
        """Return a sentence with the id of somebody or something, where an error is about a name that is shown for it;
        "" where it is about none.
        """
        visible = self._visible
        for known in (People(visible), things_by_name(visible.values())) if error.wrong else ():
            found = known.whole(error.wrong)
            if found and found != error.wrong:
                return f"The id of {known.names[found]} is {found}."
        return ""

    def find_roller(self, situation: str) -> str:
        """Return the game master's words on a roll with the id of the one whose it is."""
        return People(self._visible).situation(situation)

    @property
    def _visible(self) -> dict[str, Combatant]:
        return {who.id: who for who in self.screen.combatants(self.timeline.state)}

    def check_known(self, combatant: str) -> None:
        """Refuse with `unknown_combatant` whoever is not in the fight, as far as the view may know."""
        state = self.timeline.state
        visible = {who.id: who for who in self.screen.combatants(state)}
        require_combatant(state if combatant in visible else type(state)(combatants=visible), combatant)

    def check_free(self, combatant: str) -> None:
        """Refuse with `already_joined` an id that somebody has, or had, whom the view may not know of.

        Whatever came of it else, at once or by a correction, would tell more than that.
        """
        if combatant in self.screen.hidden:
            raise duplicate_id_error(combatant)

    def check_named(self, command: Command, said: Collection[str], *, proposed: bool = False) -> None:
        """Refuse whoever is named in those fields and not in the fight, as far as the view may know; and who joins
        under the id of somebody of whom it may not.
        """
        if self.is_master:
            return
        for kinds, name, field in names_in(command, within=said):
            if isinstance(command, Join) and field == "combatant":
                if not proposed:
                    self.check_free(f"{name}")
            elif kinds == ("combatant",) and name not in ("", NOBODY_WORD):
                self.check_known(f"{name}")
        if not proposed:
            # What is proposed is read by the game master, and needs nothing to be open.
            self._check_open(command)

    def _check_open(self, command: Command) -> None:
        """Refuse an exchange or an action that the view may not see as one that is not open; whoever is attacked may
        react to it all the same.
        """
        from mam_events.rules.exchanges.interference import unknown_action  # noqa: PLC0415 - who looks needs no rules
        from mam_events.rules.ron_d6.right_to_act import open_action  # noqa: PLC0415 - as above

        state = self.timeline.state
        exchange, window = state.exchange, state.window
        action = getattr(command, "action", 0)
        asked = exchange and getattr(command, "exchange", 0) == exchange.id
        if exchange and asked and isinstance(action, int) and exchange.action(action) and not self.sees(action):
            told = tuple(one for one in exchange.actions if self.sees(one.id))
            raise unknown_action(replace(exchange, actions=told), action)
        for field in ("exchange", "against"):
            number = getattr(command, field, 0)
            if window.action(number) and not self.sees(number):
                shown = tuple(action for action in window.open if self.sees(action.id))
                open_action(replace(state, window=replace(window, open=shown)), number, field)
        if exchange is None or not asked or self.sees(exchange.id):
            return
        if not (is_reaction(command) and actor_of(command) == exchange.root.target):
            require_exchange(replace(state, exchange=None), exchange.id)

    def told(self, error: MamError) -> str:
        """The sentence of an error without those whom the view may not know of.

        Only references to what the log knows are resolved so: what else is in it comes from whoever asks, and to change
        that would tell that it means something.
        """
        return render_message(error.message, self.screen) if isinstance(error, Refused) else error.sentence

    def allowed(self, error: MamError) -> tuple[str, ...]:
        """Return the names that would have been allowed, as far as the view may know of them."""
        if not isinstance(error, Refused):
            return error.allowed
        return tuple(id_of(one) for one in error.could_be if self.screen.shows_one(one))

    def hints(self, error: MamError) -> tuple[CommandHint, ...]:
        """Return the orders by which one gets on, as far as the view may know of all that they name."""
        return tuple(hint for hint in error.hints if self.is_master or self._may_know(hint))

    def _may_know(self, hint: CommandHint) -> bool:
        """Return True if a hint names nobody, nothing and no ruling of which the view may not know."""
        kind = COMMANDS.get(hint.order)
        if kind is None:
            return not any(isinstance(value, int) and self.screen.veils(value) for value in hint.values.values())
        known, people = field_specs(kind), self._visible
        things = {thing.id for one in people.values() for thing in one.things}
        for field, value in hint.values.items():
            names = known[field].names
            unknown = {"combatant": value not in people, "thing": value not in things} if isinstance(value, str) else {}
            if any(unknown.get(name) for name in names) or (isinstance(value, int) and self.screen.veils(value)):
                return False
        return True


def _as_id(called: str) -> str:
    """The id that somebody or something of that name would have."""
    return called if not called or re.match(SLUG, called) else make_id(called) or called

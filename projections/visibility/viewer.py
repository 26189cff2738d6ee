"""A viewer of a fight: their view of an encounter, the names that they may use, and the errors that they get."""

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
    """One view (`gm`, `public`, `side:NAME`) of an encounter from its log; the game master's view has no limits.

    For somebody hidden it gives the same answers as for somebody who does not exist.
    """

    def __init__(self, view: str, timeline: Timeline, redactor: Redactor | None = None) -> None:
        self.view = view
        self.timeline = timeline
        self.is_master = view == GAME_MASTER
        if redactor is not None:
            self.redactor = redactor

    @cached_property
    def redactor(self) -> Redactor:
        """The redactor of the encounter's whole log for this view."""
        return Redactor(self.view) if self.is_master else Redactor(self.view, rulings(self.timeline))

    def quoting(self, source: Any, *, supposed: bool = False) -> Redactor:
        """Return the redactor of this view that leaves the texts in `source` (plain values) as they are."""
        texts = set(texts_in(source))
        whys = {match[3] for text in texts if (match := re.match(SITUATION, text))}
        return self.redactor.quoting(texts | whys, supposed=supposed)

    @cached_property
    def sees(self) -> SeesRuling:
        """A predicate for the numbers of the rulings that this view sees."""
        return sees_all if self.is_master else self.redactor.sight(self.timeline)

    def check_side(self) -> None:
        """Raise NotFound if this is the view of a side that has nobody visible to it."""
        if not self.view.startswith("side:"):
            return
        side = self.view.removeprefix("side:")
        if side not in {
            one.side for one in self.timeline.state.combatants.values() if can_see(self.view, one.visibility)
        }:
            # The error must not reveal the other sides.
            raise NotFound(f'There is no side "{side}" in this fight.')

    def check_shown(self, number: int) -> None:
        """Refuse the number of a ruling that the view may not see."""
        check_seen(self.timeline, number, self.sees)

    def count_hidden(self) -> int:
        """Return the number of rulings that the view does not see."""
        return 0 if self.is_master else sum(not self.redactor.shows(ruling) for ruling in rulings(self.timeline))

    def knows(self, combatant: str) -> bool:
        """Return True if a visible combatant has that name or id."""
        return bool(People(self._visible).whole(combatant))

    def find(self, called: str) -> str:
        """Return the id of the visible combatant with that id, name or unique words of a name.

        If there is none, or several, returns the id that such a name would have. Anything that is no name (`rook=3`) is
        returned as it is.
        """
        if called in self._visible or called == NOBODY_WORD or "=" in called:
            return called
        return People(self._visible).one(called) or _as_id(called)

    def find_thing(self, called: str, whose: Iterable[str]) -> str:
        """Return the id of the thing with that name, or the id that such a name would have.

        It is a thing of the first combatant in `whose` who has one, otherwise of anybody visible.
        """
        visible = self._visible
        people = [[visible[who]] for who in whose if who in visible]
        matches = (things_by_name(them).one(called) for them in (*people, visible.values()))
        return next(filter(None, matches), "") or _as_id(called)

    def find_id(self, error: MamError) -> str:
        """Return a sentence with the id of somebody or something whose name is the wrong value of an error.

        Returns "" if the wrong value is not such a name.
        """
        visible = self._visible
        for index in (People(visible), things_by_name(visible.values())) if error.wrong else ():
            id_ = index.whole(error.wrong)
            if id_ and id_ != error.wrong:
                return f"The id of {index.names[id_]} is {id_}."
        return ""

    def find_roller(self, situation: str) -> str:
        """Return the game master's words on a roll, with the id of the roller in place of the name."""
        return People(self._visible).situation(situation)

    @property
    def _visible(self) -> dict[str, Combatant]:
        return {who.id: who for who in self.redactor.combatants(self.timeline.state)}

    def check_known(self, combatant: str) -> None:
        """Refuse a hidden or unknown combatant with `unknown_combatant`."""
        state = self.timeline.state
        visible = {who.id: who for who in self.redactor.combatants(state)}
        require_combatant(state if combatant in visible else type(state)(combatants=visible), combatant)

    def check_free(self, combatant: str) -> None:
        """Refuse the id of somebody who is hidden, or was, with `already_joined`.

        Any other outcome, now or after a correction, would reveal more.
        """
        if combatant in self.redactor.hidden:
            raise duplicate_id_error(combatant)

    def check_named(self, command: Command, texts: Collection[str], *, proposed: bool = False) -> None:
        """Refuse hidden and unknown combatants in those fields, and joins with the id of somebody hidden."""
        if self.is_master:
            return
        for kinds, name, field in names_in(command, within=texts):
            if isinstance(command, Join) and field == "combatant":
                if not proposed:
                    self.check_free(f"{name}")
            elif kinds == ("combatant",) and name not in ("", NOBODY_WORD):
                self.check_known(f"{name}")
        if not proposed:
            # The game master reads proposals, and they need nothing to be open.
            self._check_open(command)

    def _check_open(self, command: Command) -> None:
        """Refuse a hidden exchange or action as if it were not open, except for reactions of the exchange's target."""
        from mam_events.rules.exchanges.interference import unknown_action  # noqa: PLC0415 - viewing needs no rules
        from mam_events.rules.ron_d6.right_to_act import open_action  # noqa: PLC0415 - as above

        state = self.timeline.state
        exchange, window = state.exchange, state.window
        action = getattr(command, "action", 0)
        is_asked = exchange and getattr(command, "exchange", 0) == exchange.id
        if exchange and is_asked and isinstance(action, int) and exchange.action(action) and not self.sees(action):
            actions = tuple(one for one in exchange.actions if self.sees(one.id))
            raise unknown_action(replace(exchange, actions=actions), action)
        for field in ("exchange", "against"):
            number = getattr(command, field, 0)
            if window.action(number) and not self.sees(number):
                visible = tuple(action for action in window.open if self.sees(action.id))
                open_action(replace(state, window=replace(window, open=visible)), number, field)
        if exchange is None or not is_asked or self.sees(exchange.id):
            return
        if not (is_reaction(command) and actor_of(command) == exchange.root.target):
            require_exchange(replace(state, exchange=None), exchange.id)

    def error_sentence(self, error: MamError) -> str:
        """Return the sentence of an error without the names of hidden combatants.

        It only redacts references to what the log knows. The rest comes from the viewer, and changing it would reveal
        that it means something.
        """
        return render_message(error.message, self.redactor) if isinstance(error, Refused) else error.sentence

    def allowed(self, error: MamError) -> tuple[str, ...]:
        """Return the allowed values of an error, without hidden ones."""
        if not isinstance(error, Refused):
            return error.allowed
        return tuple(id_of(one) for one in error.could_be if self.redactor.shows_one(one))

    def hints(self, error: MamError) -> tuple[CommandHint, ...]:
        """Return the hints of an error, without those that name something hidden."""
        return tuple(hint for hint in error.hints if self.is_master or self._may_know(hint))

    def _may_know(self, hint: CommandHint) -> bool:
        """Return True if a hint names no hidden combatant, thing or ruling."""
        kind = COMMANDS.get(hint.order)
        if kind is None:
            return not any(isinstance(value, int) and self.redactor.veils(value) for value in hint.values.values())
        specs, people = field_specs(kind), self._visible
        things = {thing.id for one in people.values() for thing in one.things}
        for field, value in hint.values.items():
            names = specs[field].names
            unknown = {"combatant": value not in people, "thing": value not in things} if isinstance(value, str) else {}
            if any(unknown.get(name) for name in names) or (isinstance(value, int) and self.redactor.veils(value)):
                return False
        return True


def _as_id(called: str) -> str:
    """Return the id that somebody or something with that name would have."""
    return called if not called or re.match(SLUG, called) else make_id(called) or called

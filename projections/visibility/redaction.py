"""The redaction of a log for somebody who may not see all of it: hidden rulings, hidden combatants, their names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from copy import copy
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from mam_events.commands import COMMANDS, Command, Join, Open, Spend
from mam_events.events import Amend, Correction, Event, Play, RulingRejudged
from mam_events.history.corrections.corrections import SeesRuling, sees_all
from mam_events.history.timeline.rulings import Ruling, rulings, visibility_of_outcome
from mam_events.references import Reads, map_texts, names_in, read_field
from mam_events.refusals.arguments import (
    Anything,
    CombatantArgument,
    Id,
    RulingArgument,
    TextArgument,
    ThingArgument,
    WhyArgument,
)
from mam_events.refusals.renderer import render_message
from mam_events.state import Combatant, Encounter, Status
from mam_events.visibility import GAME_MASTER, PUBLIC, can_see, name_pattern, narrowest, of_play

if TYPE_CHECKING:
    from mam_events.history.judge.rejudgement import RejudgedRuling
    from mam_events.history.timeline.entries import BookkeepingEntry
    from mam_events.history.timeline.timeline import Timeline

HIDDEN_NAME = "somebody hidden"
"""The name of a hidden combatant."""
HIDDEN_THING = "something hidden"
"""The name of a hidden combatant's things."""


_Part = TypeVar("_Part", bound=Struct)


def ruling_visibility(ruling: Ruling, *, supposed: bool = False) -> str:
    """Return the visibility of a ruling: as written (or `supposed`), limited by the combatants that it names now.

    An amendment may since have hidden a combatant, named a hidden one, or changed the visibility of the ruling itself.
    """
    # A struck ruling may have had an outcome about somebody hidden, and keeps that outcome's visibility.
    command, before = ruling.command, ruling.before
    visibility = of_play(command, before, ruling.events, supposed=supposed) if command else PUBLIC
    return narrowest(ruling.visibility, visibility_of_outcome(ruling), visibility)


class _Others:
    """A renderer for the orders of others: their words are redacted like any text."""

    def __init__(self, redactor: Redactor) -> None:
        self.combatant = redactor.combatant
        self.combatant_id = redactor.combatant_id
        self.thing = redactor.thing
        self.shows_one = redactor.shows_one
        self._text = redactor.text

    def said(self, argument: TextArgument) -> str:
        """Return the words without the names of hidden combatants."""
        return self._text(argument.text)


def _combatants_in(events: Iterable[Event | Command]) -> set[str | int]:
    return {name.value for event in events for name in names_in(event) if "combatant" in name.kinds}


class Redactor:
    """The redaction of a fight for one view: `gm`, `public` or `side:NAME`.

    Rulings have their own visibility. But a reason, an error or a title is free text and may name somebody hidden, so
    every text is searched for their names and ids.
    """

    def __init__(self, view: str, rulings: Iterable[Ruling] = (), state: Encounter | None = None) -> None:
        self.view = view
        self.everything = view == GAME_MASTER
        self.hidden: set[str] = set()
        """The ids of the combatants hidden from this view."""
        self._veiled: set[int] = set()
        self._added_to: set[int] = set()
        """The actions and skills on which a point was spent in a hidden ruling."""
        self._secret: set[str] = set()
        self._open: set[str] = set()
        self._pattern: re.Pattern[str] | None = None
        self._joins: dict[int, Join] = {}
        self._titled = True
        self.quoted: frozenset[str] = frozenset()
        self.supposed = False
        self.meet(rulings, state)

    def quoting(self, texts: Iterable[str], *, supposed: bool = False) -> Redactor:
        """Return a redactor that does not redact those texts, because the reader wrote them.

        `supposed` says that the rulings are the reader's own and not written.
        """
        redactor = copy(self)
        redactor.quoted, redactor.supposed = frozenset(texts), supposed
        return redactor

    def meet(self, rulings: Iterable[Ruling], state: Encounter | None = None) -> None:
        """Learn the hidden rulings and combatants of those rulings, and the combatants of that state."""
        if not self.everything:
            for ruling in rulings:
                self._meet(ruling)
            self.learn(() if state is None else state.combatants.values())

    def _meet(self, ruling: Ruling) -> None:
        # Combatants are learned from their joins: the first of the given rulings may be late in the fight, and a
        # join that was struck has left no trace in any state.
        command = ruling.command
        if not can_see(self.view, ruling.visibility):
            self._veiled.add(ruling.number)
            if isinstance(command, Spend) and ruling.lives:
                self._added_to.add(command.exchange)
        if isinstance(ruling.head, Correction):
            self._meet_amended(ruling.head)
        elif isinstance(command, Open):
            self._titled = can_see(self.view, ruling.visibility)
        elif isinstance(command, Join):
            self._joins[ruling.number] = command
            self._note(command.combatant, command.name, command.visibility)
            if isinstance(ruling.head, Play) and isinstance(ruling.head.command, Join):
                self._call(ruling.head.command.combatant, ruling.head.command.name, command.visibility)
            self.learn(ruling.after.combatants.values())
        elif not self._open and not self._secret:
            self.learn(ruling.after.combatants.values())

    def _meet_amended(self, head: Correction) -> None:
        # A note may be older than an amended name, so remember all the names that somebody had.
        for step in head.steps:
            join = self._joins.get(step.ruling)
            if join and isinstance(step, Amend):
                combatant, name = (str(step.patch.get(field, "")) for field in ("combatant", "name"))
                self._call(combatant, name, join.visibility)

    def learn(self, combatants: Iterable[Combatant]) -> None:
        """Learn combatants that are not among the rulings of this redactor.

        Those already known as hidden stay hidden, because these may be from before they were.
        """
        if not self.everything:
            for combatant in combatants:
                if combatant.id not in self.hidden:
                    self._note(combatant.id, combatant.name, combatant.visibility)

    def _note(self, combatant: str, name: str, visibility: str) -> None:
        self._call(combatant, name, visibility)
        if not can_see(self.view, visibility):
            self.hidden.add(combatant)

    def _call(self, combatant: str, name: str, visibility: str) -> None:
        """Remember a current or former name of a combatant with that visibility."""
        self._pattern = None
        is_visible = can_see(self.view, visibility)
        words = self._open if is_visible else self._secret
        words.update(form for one in (combatant, name) if one for form in (one, one.lower(), one.casefold()))

    def shows(self, ruling: Ruling) -> bool:
        """Return True if the view sees a ruling; it never sees one about somebody hidden, even if hidden only later."""
        return self.everything or (can_see(self.view, self.visibility(ruling)) and not self.concerns_hidden(ruling))

    def concerns_hidden(self, ruling: Ruling) -> bool:
        """Return True if a ruling names somebody hidden, even if the view saw it at the time."""
        if not self.hidden:
            return False
        exchange = ruling.before.exchange
        root = exchange.root if exchange and exchange.id == ruling.exchange else None
        both = {root.combatant, root.target} if root else set()
        command = [] if ruling.command is None else [ruling.command]
        return not self.hidden.isdisjoint(both) or self.names_hidden((*command, *ruling.events, *ruling.was))

    def names_hidden(self, facts: Iterable[Event | Command]) -> bool:
        """Return True if one of those events or commands names somebody hidden."""
        return bool(self.hidden) and not self.hidden.isdisjoint(_combatants_in(facts))

    def sight(self, timeline: Timeline) -> SeesRuling:
        """Return a predicate for the numbers of the rulings that this view sees."""
        return sees_all if self.everything else lambda number: self.shows(next(rulings(timeline, number)))

    def visibility(self, ruling: Ruling) -> str:
        """Return the visibility of a ruling, as written or supposed."""
        return ruling_visibility(ruling, supposed=self.supposed)

    def bookkeeping(self, bookkeeping: Iterable[BookkeepingEntry]) -> tuple[BookkeepingEntry, ...]:
        """Return the bookkeeping that names nobody hidden."""
        if self.everything:
            return tuple(bookkeeping)
        return tuple(
            one
            for one in bookkeeping
            if can_see(self.view, one.visibility)
            and self.hidden.isdisjoint({one.combatant, *_combatants_in(one.events)})
        )

    def veils(self, number: int) -> bool:
        """Return True if that ruling is known to be hidden from this view."""
        return number in self._veiled

    def veils_total(self, number: int) -> bool:
        """Return True if the total of that ruling's action would reveal a point spent in a hidden ruling."""
        return number in self._added_to

    def veils_since(self, number: int) -> bool:
        """Return True if any ruling from that one on is known to be hidden from this view."""
        return any(veiled >= number for veiled in self._veiled)

    def unnamed(self, state: Encounter) -> Encounter:
        """Return the state with the names of hidden combatants replaced."""
        everybody = state.combatants
        names = {name: replace(everybody[name], name=HIDDEN_NAME) for name in self.hidden & everybody.keys()}
        return replace(state, combatants={**everybody, **names}) if names else state

    def combatants(self, state: Encounter) -> Iterator[Combatant]:
        """Return the combatants of a state that this view may know of."""
        everybody = state.combatants.values()
        if self.everything:
            return iter(everybody)
        return (c for c in everybody if can_see(self.view, c.visibility) and c.id not in self.hidden)

    def visible_state(self, state: Encounter) -> Encounter:
        """Return the state for offering commands: nothing is offered to, or because of, hidden combatants."""
        visible_ids = {combatant.id for combatant in self.combatants(state)}
        if len(visible_ids) == len(state.combatants):
            return state
        # A combatant who is out stays in the order and in declarations, but nobody can do anything to them. Still, what
        # they dropped could be picked up, and whom they hold would have to get free.
        emptied = {"dropped": (), "grapples": (), "status": Status()}
        everybody = {
            c.id: c if c.id in visible_ids else replace(c, condition="out", **emptied)
            for c in state.combatants.values()
        }
        return replace(state, combatants=everybody)

    def title(self, title: str) -> str:
        """Return the redacted title of the fight; "" if its opening is hidden."""
        return self.text(title) if self._titled else ""

    def text(self, text: str) -> str:
        """Return the text without the names of hidden combatants."""
        if not self._secret or not text or text in self.quoted:
            return text
        if self._pattern is None:
            secret = self._secret - self._open
            # A visible name that contains a secret one ("Wolf rider", "Wolf") is matched first, and stays.
            longer = {name for name in self._open if any(part in name for part in secret)}
            self._pattern = name_pattern(secret | longer)
        return self._pattern.sub(self._blot, text)

    def combatant(self, who: CombatantArgument) -> str:
        """Return the name of a combatant, or HIDDEN_NAME."""
        return HIDDEN_NAME if who.id in self.hidden else who.name

    def combatant_id(self, who: Id) -> str:
        """Return the id of a combatant, or HIDDEN_NAME."""
        return self._known(who.id)

    def thing(self, thing: ThingArgument) -> str:
        """Return the redacted name of a thing, or HIDDEN_THING."""
        return HIDDEN_THING if thing.owner in self.hidden else self.text(thing.name)

    def said(self, argument: TextArgument) -> str:
        """Return the words of an order as they are, because the reader of an error gave the order."""
        return argument.text

    def shows_one(self, one: Anything) -> bool:
        """Return True if the view may find that argument in a list."""
        match one:
            case CombatantArgument() | Id():
                return one.id not in self.hidden
            case ThingArgument():
                return one.owner not in self.hidden
            case TextArgument():
                # A text is listed unredacted, or not at all.
                return self.text(one.text) == one.text
            case RulingArgument():
                return not self.veils(one.number)
        return True

    def why(self, entry: RejudgedRuling | RulingRejudged) -> str:
        """Return the reason why a ruling is void, for a new or a recorded judgement."""
        return self.reason(entry.reason or entry.why)

    def reason(self, why: WhyArgument) -> str:
        """Return the reason for an outcome in words.

        Older logs have it as a sentence, which is redacted like any text.
        """
        return self.text(why) if isinstance(why, str) else render_message(why, _Others(self)) if why else ""

    def _blot(self, match: re.Match[str]) -> str:
        return match[0] if {match[0], match[0].lower(), match[0].casefold()} & self._open else HIDDEN_NAME

    def read(self, part: _Part) -> _Part:
        """Return an event, a command or a part of one with redacted texts; names are left to its sentence."""
        return map_texts(part, {"said": self.text}) if self._secret else part

    def plain(self, part: Struct) -> Any:
        """Return an event, a command or a part of one as plain values, without names and ids of hidden combatants."""
        return to_builtins(map_texts(part, self._reads()) if self._secret else part)

    def patch(self, step: Amend) -> dict[str, Any]:
        """Return the fields that an amendment changes as plain values, without names and ids of hidden combatants."""
        if not self._secret:
            return step.patch
        kind, reads, redacted = COMMANDS.get(step.do), self._reads(), {}
        for path, value in step.patch.items():
            field, dot, key = path.partition(".")
            if dot or kind is None:
                text = self.text(value) if isinstance(value, str) else value
            else:
                text = read_field(kind, field, value, reads)
            redacted[f"{field}{dot}{self._known(key)}"] = text
        return redacted

    def _reads(self) -> Reads:
        return {"said": self.text, "combatant": self._known}

    def _known(self, combatant: str) -> str:
        return HIDDEN_NAME if combatant in self.hidden else combatant

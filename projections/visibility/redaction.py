"""The screen between a log and somebody who may not see all of it: hidden rulings, hidden combatants, their names."""

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
from mam_events.refusals.arguments import Anything, CombatantArgument, Id, TextArgument, ThingArgument, WhyArgument
from mam_events.refusals.arguments import Ruling as Numbered
from mam_events.refusals.renderer import render_message
from mam_events.state import Combatant, Encounter, Status
from mam_events.visibility import GAME_MASTER, PUBLIC, can_see, name_pattern, narrowest, of_play

if TYPE_CHECKING:
    from mam_events.history.judge.rejudgement import RejudgedRuling
    from mam_events.history.timeline.entries import BookkeepingEntry
    from mam_events.history.timeline.timeline import Timeline

HIDDEN_NAME = "somebody unseen"
"""The way a combatant is called that the view may not know of."""
HIDDEN_THING = "something unseen"
"""The way its things are called."""


_Part = TypeVar("_Part", bound=Struct)


def ruling_visibility(ruling: Ruling, *, supposed: bool = False) -> str:
    """The visibility of a ruling: as it was written (or is only `supposed`), and with everybody whom it names now.

    An amendment may have hidden a combatant, or put a hidden one in, since the ruling was written; or have said who may
    see the ruling itself.
    """
    # A struck ruling may have been told of somebody hidden before it was struck, and keeps what it was told.
    command, before = ruling.command, ruling.before
    named = of_play(command, before, ruling.events, supposed=supposed) if command else PUBLIC
    return narrowest(ruling.visibility, visibility_of_outcome(ruling), named)


class _Others:
    """A view of what others ordered: their words are read as any text."""

    def __init__(self, screen: Redactor) -> None:
        self.combatant = screen.combatant
        self.combatant_id = screen.combatant_id
        self.thing = screen.thing
        self.shows_one = screen.shows_one
        self._text = screen.text

    def said(self, said: TextArgument) -> str:
        """Return the words without the names of those whom the view may not know of."""
        return self._text(said.text)


def _combatants_in(events: Iterable[Event | Command]) -> set[str | int]:
    return {name.value for event in events for name in names_in(event) if "combatant" in name.kinds}


class Redactor:
    """One view of a fight: `gm`, `public` or `side:NAME`.

    Rulings carry their own visibility. A reason, a refusal or a title is free text and may name somebody hidden all
    the same, so every text is searched for the names and ids of those whom this view may not see.
    """

    def __init__(self, view: str, rulings: Iterable[Ruling] = (), state: Encounter | None = None) -> None:
        self.view = view
        self.everything = view == GAME_MASTER
        self.hidden: set[str] = set()
        """The ids of the combatants that this view may not know of."""
        self._veiled: set[int] = set()
        self._added_to: set[int] = set()
        """The actions and skills on which a point was spent that this view may not know of."""
        self._secret: set[str] = set()
        self._open: set[str] = set()
        self._pattern: re.Pattern[str] | None = None
        self._joins: dict[int, Join] = {}
        self._titled = True
        self.quoted: frozenset[str] = frozenset()
        self.supposed = False
        self.meet(rulings, state)

    def quoting(self, said: Iterable[str], *, supposed: bool = False) -> Redactor:
        """The same screen for whoever said those texts, and is told them again as they are; `supposed` where all the
        rulings that it shows are their own, and none is written.
        """
        screen = copy(self)
        screen.quoted, screen.supposed = frozenset(said), supposed
        return screen

    def meet(self, rulings: Iterable[Ruling], state: Encounter | None = None) -> None:
        """Take note of what came since, and of those who are in that state."""
        if not self.everything:
            for ruling in rulings:
                self._meet(ruling)
            self.learn(() if state is None else state.combatants.values())

    def _meet(self, ruling: Ruling) -> None:
        # Combatants are looked up where they come in: the first of the given rulings may be late in the fight, and a
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
        # A note may be older than the name that somebody has now, or than the one before.
        for step in head.steps:
            join = self._joins.get(step.ruling)
            if join and isinstance(step, Amend):
                combatant, name = (str(step.patch.get(field, "")) for field in ("combatant", "name"))
                self._call(combatant, name, join.visibility)

    def learn(self, combatants: Iterable[Combatant]) -> None:
        """Take note of combatants that are not among the rulings the screen was made from.

        Whoever is known as hidden stays so: these may be of a moment before he was.
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
        """Take note of what somebody of that visibility is called, or was."""
        self._pattern = None
        seen = can_see(self.view, visibility)
        known = self._open if seen else self._secret
        known.update(form for one in (combatant, name) if one for form in (one, one.lower(), one.casefold()))

    def shows(self, ruling: Ruling) -> bool:
        """True if this view sees a ruling; of what was about somebody hidden later it sees nothing at any moment."""
        return self.everything or (can_see(self.view, self.visibility(ruling)) and not self.concerns_hidden(ruling))

    def concerns_hidden(self, ruling: Ruling) -> bool:
        """True if a ruling, as it is told here, names somebody whom this view may not know of, whoever saw it then."""
        if not self.hidden:
            return False
        exchange = ruling.before.exchange
        root = exchange.root if exchange and exchange.id == ruling.exchange else None
        sides = {root.combatant, root.target} if root else set()
        command = [] if ruling.command is None else [ruling.command]
        return not self.hidden.isdisjoint(sides) or self.names_hidden((*command, *ruling.events, *ruling.was))

    def names_hidden(self, told: Iterable[Event | Command]) -> bool:
        """True if one of those events or commands names somebody whom this view may not know of."""
        return bool(self.hidden) and not self.hidden.isdisjoint(_combatants_in(told))

    def sight(self, timeline: Timeline) -> SeesRuling:
        """The sight of this view: it tells of a number whether that ruling is seen."""
        return sees_all if self.everything else lambda number: self.shows(next(rulings(timeline, number)))

    def visibility(self, ruling: Ruling) -> str:
        """The visibility of a ruling, as it is written or supposed."""
        return ruling_visibility(ruling, supposed=self.supposed)

    def mendings(self, mendings: Iterable[BookkeepingEntry]) -> tuple[BookkeepingEntry, ...]:
        """Return the bookkeeping that names nobody whom this view may not know of."""
        if self.everything:
            return tuple(mendings)
        return tuple(
            one
            for one in mendings
            if can_see(self.view, one.visibility)
            and self.hidden.isdisjoint({one.combatant, *_combatants_in(one.events)})
        )

    def veils(self, number: int) -> bool:
        """True if that ruling is hidden from this view, as far as it has met it."""
        return number in self._veiled

    def veils_total(self, number: int) -> bool:
        """True if what the action of that ruling came to tells of a point whose spending is hidden from this view."""
        return number in self._added_to

    def veils_since(self, number: int) -> bool:
        """Return True if any ruling from that one on is hidden from this view, as far as it has met it."""
        return any(veiled >= number for veiled in self._veiled)

    def unnamed(self, state: Encounter) -> Encounter:
        """The same fight, in which everybody is called what this view may call him."""
        everybody = state.combatants
        names = {name: replace(everybody[name], name=HIDDEN_NAME) for name in self.hidden & everybody.keys()}
        return replace(state, combatants={**everybody, **names}) if names else state

    def combatants(self, state: Encounter) -> Iterator[Combatant]:
        """The combatants of a state that this view may know of."""
        everybody = state.combatants.values()
        if self.everything:
            return iter(everybody)
        return (c for c in everybody if can_see(self.view, c.visibility) and c.id not in self.hidden)

    def known(self, state: Encounter) -> Encounter:
        """The fight as commands are offered in it: nothing is offered to, or because of, those who are hidden."""
        seen = {combatant.id for combatant in self.combatants(state)}
        if len(seen) == len(state.combatants):
            return state
        # Whoever is out of a fight is still in the order and in what is declared, but nothing is done to him any more;
        # yet what he dropped could be picked up, and whom he holds would have to get free.
        left = {"dropped": (), "grapples": (), "status": Status()}
        everybody = {
            c.id: c if c.id in seen else replace(c, condition="out", **left) for c in state.combatants.values()
        }
        return replace(state, combatants=everybody)

    def title(self, title: str) -> str:
        """The title of the fight; nothing where its opening is hidden."""
        return self.text(title) if self._titled else ""

    def text(self, text: str) -> str:
        """The text without the names of those whom this view may not know of."""
        if not self._secret or not text or text in self.quoted:
            return text
        if self._pattern is None:
            secret = self._secret - self._open
            # A name that contains a secret one ("Wolf rider", "Wolf") is found first, and stays.
            longer = {name for name in self._open if any(part in name for part in secret)}
            self._pattern = name_pattern(secret | longer)
        return self._pattern.sub(self._blot, text)

    def combatant(self, who: CombatantArgument) -> str:
        """Return the name of a combatant, as far as this view may know of it."""
        return HIDDEN_NAME if who.id in self.hidden else who.name

    def combatant_id(self, who: Id) -> str:
        """Return the id of a combatant, as far as this view may know of it."""
        return self._known(who.id)

    def thing(self, thing: ThingArgument) -> str:
        """Return the name of a thing, as this view may read what people say."""
        return HIDDEN_THING if thing.owner in self.hidden else self.text(thing.name)

    def said(self, said: TextArgument) -> str:
        """Return the words of an order as they are: whoever is told a refusal gave it."""
        return said.text

    def shows_one(self, one: Anything) -> bool:
        """Return True if this view may find that one in a list."""
        match one:
            case CombatantArgument() | Id():
                return one.id not in self.hidden
            case ThingArgument():
                return one.owner not in self.hidden
            case TextArgument():
                # What people said is listed as a whole, or not at all.
                return self.text(one.text) == one.text
            case Numbered():
                return not self.veils(one.number)
        return True

    def why(self, entry: RejudgedRuling | RulingRejudged) -> str:
        """The reason why a ruling is void, which was judged just now or is kept in the log."""
        return self.reason(entry.reason or entry.why)

    def reason(self, why: WhyArgument) -> str:
        """The reason for an outcome, in words; what a log of before has as a sentence is read as any text."""
        return self.text(why) if isinstance(why, str) else render_message(why, _Others(self)) if why else ""

    def _blot(self, found: re.Match[str]) -> str:
        return found[0] if {found[0], found[0].lower(), found[0].casefold()} & self._open else HIDDEN_NAME

    def read(self, part: _Part) -> _Part:
        """An event, a command or a part of one as this view may read what it says; its sentence names people itself."""
        return map_texts(part, {"said": self.text}) if self._secret else part

    def plain(self, part: Struct) -> Any:
        """The same as plain values, in which nobody is named whom the view may not know of."""
        return to_builtins(map_texts(part, self._reads()) if self._secret else part)

    def patch(self, step: Amend) -> dict[str, Any]:
        """The fields that an amendment gives anew, likewise."""
        if not self._secret:
            return step.patch
        kind, reads, read_so = COMMANDS.get(step.do), self._reads(), {}
        for path, value in step.patch.items():
            field, dot, key = path.partition(".")
            if dot or kind is None:
                said = self.text(value) if isinstance(value, str) else value
            else:
                said = read_field(kind, field, value, reads)
            read_so[f"{field}{dot}{self._known(key)}"] = said
        return read_so

    def _reads(self) -> Reads:
        return {"said": self.text, "combatant": self._known}

    def _known(self, combatant: str) -> str:
        return HIDDEN_NAME if combatant in self.hidden else combatant

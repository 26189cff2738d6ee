"""The language of the rule book: `given(*history).when(command).then(*events)`, `.refused(code)` or `.quiet()`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from msgspec import to_builtins

from mam_events.commands import Command, Open, name_of
from mam_events.decider.checks import is_allowed
from mam_events.decider.decide import decide
from mam_events.decider.engine import Ruleset
from mam_events.decider.offers import Template
from mam_events.dice import Dice, Die, check_face, die_key
from mam_events.errors import Refused
from mam_events.events import Event, fold
from mam_events.history.judge.ruling_judge import ruleset_for
from mam_events.history.judge.verdicts import verdict_words
from mam_events.rules.rulebook import rulebook
from mam_events.state import EMPTY_ENCOUNTER, Combatant, Encounter


class Thrown(NamedTuple):  # dice that fall as the command says and, where nobody threw, as `drawn` lists them
    ruling: int
    drawn: Iterator[int]

    def roll(self, slot: str, kind: str, *, field: str, face: int | None = None, index: int = 0) -> Die:
        shown = next(self.drawn, None) if face is None else face
        assert shown is not None, f"nobody threw {field} for {slot}"
        shown = check_face(shown, kind, field)
        return Die(die_key(self.ruling, slot, index, kind), kind, shown, "drawn" if face is None else "thrown")


class Judged:
    """What came of a command: its events and the state after them (`judged["modre"]`), or the refusal `no`."""

    def __init__(self, state: Encounter, events: tuple[Event, ...], no: Refused | None = None) -> None:
        self.state, self.events, self.no = fold(state, events), tuple(map(verdict_words, events)), no

    def __getitem__(self, name: str) -> Combatant:
        assert self.no is None, self.no
        return self.state.combatants[name]

    def then(self, *events: Event) -> None:
        assert (self.no and self.no.sentence, self.events) == (None, events)

    quiet = then  # accepted, and without an argument: nothing followed from it

    def refused(self, code: str, rule: str | None = None) -> Refused:
        assert self.no is not None, f"accepted: {self.events}"
        assert (self.no.code, self.no.rule) == (code, self.no.rule if rule is None else rule), self.no.sentence
        return self.no

    def all(self, kind: type[Any] = Event) -> list[Any]:
        assert self.no is None, self.no
        return [event for event in self.events if isinstance(event, kind)]

    def one(self, kind: type[Any]) -> Any:
        (event,) = self.all(kind)
        return event


class Given:  # a fight as its history left it; `ruling` is the number of the newest ruling
    def __init__(self, rules: Mapping[str, str] | None, drawn: Iterable[int], preset: str) -> None:
        self.opening, self.drawn = Open(preset, dict(rules or {})), iter(drawn)
        self.state, self.ruling = EMPTY_ENCOUNTER, 0

    @property
    def ruleset(self) -> Ruleset:  # the rules in force
        return ruleset_for(rulebook(), self.state, self.opening)

    def dice(self) -> Dice:  # those of the next ruling
        return Thrown(self.ruling + 1, self.drawn)

    def after(self, *history: Command | Event) -> Given:
        for step in history:
            events = self.when(step).all() if isinstance(step, Command) else [step]
            self.state, self.ruling = fold(self.state, events), self.ruling + isinstance(step, Command)
        return self

    def when(self, command: Command) -> Judged:
        try:
            ruleset = ruleset_for(rulebook(), self.state, command)
            events = tuple(decide(self.state, command, ruleset, self.dice()).events)
        except Refused as no:
            return Judged(self.state, (), no)
        assert offered(self.state, ruleset, command), f"accepted, and in no template: {command}"
        return Judged(self.state, events)


def admits(template: Template, command: Command) -> bool:
    """Return True if an order fits a template; a field that the template does not name must have its default."""
    if name_of(command) != template.do:
        return False
    given: Mapping[str, Any] = to_builtins(command)
    named = {field.name: field for field in template.fields}
    for name in command.__struct_fields__:
        if name in named:
            if not named[name].admits(getattr(command, name)):
                return False
        elif name in given and name != "visibility":
            return False
    return all(
        total.low <= sum(getattr(command, name) or 0 for name in total.names) <= total.high for total in template.sums
    )


def offered(state: Encounter, ruleset: Ruleset, command: Command) -> bool:
    """Return True if an order fits a template of its kind, with or without completion."""
    mechanic = ruleset.edition.mechanics[type(command)]
    whole = mechanic.completes(state, command) if mechanic.completes else command
    return any(
        is_allowed(mechanic.check, state, ruleset, offer.least)
        and (admits(offer.template, command) or admits(offer.template, whole))
        for offer in mechanic.offers(state, ruleset)
    )


def given(
    *history: Command | Event,
    rules: Mapping[str, str] | None = None,
    drawn: Iterable[int] = (),
    preset: str = "mam_pools",
) -> Given:
    """Return a fight with that history.

    Ruling 1 opens it under `preset` and house `rules`. Its first command is ruling 2.
    """
    fight = Given(rules, drawn, preset)
    return fight.after(fight.opening, *history)

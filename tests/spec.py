"""Assertions about rules: `given(*history).when(command).then(*events)`, `.raises(code)` or `.then_nothing()`."""

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


class FixedDice(NamedTuple):
    """Dice that show the face in the command or, if it gives none, the next of `faces`."""

    ruling: int
    faces: Iterator[int]

    def roll(self, slot: str, kind: str, *, field: str, face: int | None = None, index: int = 0) -> Die:
        value = next(self.faces, None) if face is None else face
        assert value is not None, f"no face is given for {field} of {slot}"
        value = check_face(value, kind, field)
        return Die(die_key(self.ruling, slot, index, kind), kind, value, "drawn" if face is None else "thrown")


class CommandResult:
    """The result of a command: its events and the state after them (`result["modre"]`), or the `error`."""

    def __init__(self, state: Encounter, events: tuple[Event, ...], error: Refused | None = None) -> None:
        self.state, self.events, self.error = fold(state, events), tuple(map(verdict_words, events)), error

    def __getitem__(self, name: str) -> Combatant:
        assert self.error is None, self.error
        return self.state.combatants[name]

    def then(self, *events: Event) -> None:
        """Assert that the command is accepted with exactly these events."""
        assert (self.error and self.error.sentence, self.events) == (None, events)

    def then_nothing(self) -> None:
        """Assert that the command is accepted without an event."""
        self.then()

    def raises(self, code: str, rule: str | None = None) -> Refused:
        """Assert that the command is refused with this code and rule id, and return the error."""
        assert self.error is not None, f"accepted: {self.events}"
        assert (self.error.code, self.error.rule) == (code, self.error.rule if rule is None else rule), (
            self.error.sentence
        )
        return self.error

    def all(self, kind: type[Any] = Event) -> list[Any]:
        """Return the events of this kind."""
        assert self.error is None, self.error
        return [event for event in self.events if isinstance(event, kind)]

    def one(self, kind: type[Any]) -> Any:
        """Return the only event of this kind."""
        (event,) = self.all(kind)
        return event


class GivenFight:
    """A fight after its history; `ruling` is the number of the newest ruling."""

    def __init__(self, rules: Mapping[str, str] | None, drawn: Iterable[int], preset: str) -> None:
        self.opening, self.drawn_faces = Open(preset, dict(rules or {})), iter(drawn)
        self.state, self.ruling = EMPTY_ENCOUNTER, 0

    @property
    def ruleset(self) -> Ruleset:
        """The rules in force."""
        return ruleset_for(rulebook(), self.state, self.opening)

    def dice(self) -> Dice:
        """Return the dice of the next ruling."""
        return FixedDice(self.ruling + 1, self.drawn_faces)

    def after(self, *history: Command | Event) -> GivenFight:
        """Return the fight after more commands and events."""
        for step in history:
            events = self.when(step).all() if isinstance(step, Command) else [step]
            self.state, self.ruling = fold(self.state, events), self.ruling + isinstance(step, Command)
        return self

    def when(self, command: Command) -> CommandResult:
        """Return the result of a command, which doesn't change the fight."""
        try:
            ruleset = ruleset_for(rulebook(), self.state, command)
            events = tuple(decide(self.state, command, ruleset, self.dice()).events)
        except Refused as error:
            return CommandResult(self.state, (), error)
        assert is_offered(self.state, ruleset, command), f"accepted, and in no template: {command}"
        return CommandResult(self.state, events)


def admits(template: Template, command: Command) -> bool:
    """Return True if an order fits a template; a field that the template does not name must have its default."""
    if name_of(command) != template.do:
        return False
    values: Mapping[str, Any] = to_builtins(command)
    fields = {field.name: field for field in template.fields}
    for name in command.__struct_fields__:
        if name in fields:
            if not fields[name].admits(getattr(command, name)):
                return False
        elif name in values and name != "visibility":
            return False
    return all(
        total.low <= sum(getattr(command, name) or 0 for name in total.names) <= total.high for total in template.sums
    )


def is_offered(state: Encounter, ruleset: Ruleset, command: Command) -> bool:
    """Return True if an order fits a template of its kind, with or without completion."""
    mechanic = ruleset.edition.mechanics[type(command)]
    completed = mechanic.completes(state, command) if mechanic.completes else command
    return any(
        is_allowed(mechanic.check, state, ruleset, offer.least)
        and (admits(offer.template, command) or admits(offer.template, completed))
        for offer in mechanic.offers(state, ruleset)
    )


def given(
    *history: Command | Event,
    rules: Mapping[str, str] | None = None,
    drawn: Iterable[int] = (),
    preset: str = "mam_pools",
) -> GivenFight:
    """Return a fight with that history.

    Ruling 1 opens it under `preset` and house `rules`. Its first command is ruling 2.
    """
    fight = GivenFight(rules, drawn, preset)
    return fight.after(fight.opening, *history)

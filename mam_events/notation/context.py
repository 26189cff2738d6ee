"""The context in which lines are read: the fight, and the possible meanings of an order's first words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, Protocol

from msgspec import Struct

from mam_events.commands import COMMANDS, name_of
from mam_events.decider.decide import legal_commands
from mam_events.decider.engine import Ruleset
from mam_events.decider.offers import Blocked, Template
from mam_events.errors import BadInput, CommandHint, Unclear
from mam_events.field_specs import field_specs
from mam_events.notation.grammar.names import COMBATANT, People, either_or
from mam_events.notation.grammar.vocabulary import VERBS
from mam_events.notation.lexer.lexer import WordToken
from mam_events.refusals.suggestions import closest_name, suggestion_text
from mam_events.state import Combatant, Encounter

LEAST_STEM = 3
"""The fewest letters of a verb before `-ing`."""


class Legal(Protocol):
    """A function that yields the offers of some orders, allowed and not."""

    def __call__(self, *, only: tuple[str, ...]) -> Iterable[Template | Blocked]:
        """Yield the offers of those orders."""


class LineContext:
    """A fight as lines are read with it: its state, its rules, and what is legal now.

    `legal` returns the offers of some orders, if they are not those of the whole fight. `own` are the combatants of the
    person who types; an order without a name is understood as theirs.
    """

    def __init__(
        self, state: Encounter, ruleset: Ruleset, legal: Legal | None = None, own: Collection[str] = ()
    ) -> None:
        self.own = own
        self.state = state
        self.ruleset = ruleset
        self._legal = legal or partial(legal_commands, state, ruleset)
        self._offers: dict[str, tuple[Template | Blocked, ...]] = {}

    @cached_property
    def orders(self) -> frozenset[str]:
        """The names of the orders of this edition."""
        return frozenset(name_of(kind) for kind in self.ruleset.edition.mechanics)

    @cached_property
    def verbs(self) -> Mapping[str, tuple[str, str, str]]:
        """The words that stand for an order with another name, each mapped to the order, the field and its value."""
        actions = self.ruleset.tables.rd6_actions
        words = {"perform": tuple(actions), "manipulate": field_specs(COMMANDS["manipulate"])["follow_up"].choices}
        return {
            word: (do, field, word)
            for do, field in VERBS.items()
            if do in self.orders
            for word in words[do]
            if word != "none" and with_dashes(word) not in self.orders
        }

    def offers(self, do: str) -> tuple[Template | Blocked, ...]:
        """Return the offers of one order, allowed and not."""
        if do not in self._offers:
            self._offers[do] = tuple(self._legal(only=(do,)))
        return self._offers[do]

    def allowed(self, do: str, actor: str = "") -> list[Template]:
        """Return the templates of an order, only those of `actor` if given."""
        return [
            offer
            for offer in self.offers(do)
            if offer.status == "allowed" and (not actor or offer.combatant in (actor, ""))
        ]

    def choices(self, do: str, actor: str, field: str) -> list[Any]:
        """Return the values that a field may have now in all templates of that order and actor."""
        choices_left = [
            one
            for template in self.allowed(do, actor)
            for offered in template.fields
            if offered.name == field and not offered.free
            for one in offered.choices or ()
        ]
        return list(
            dict.fromkeys(one for value in choices_left for one in (value if isinstance(value, tuple) else (value,)))
        )

    def person(self, name: str) -> Combatant | None:
        """Return the combatant with that id, or None."""
        return self.state.combatants.get(name)

    @cached_property
    def people(self) -> People:
        """The combatants, indexed by id and name."""
        return People(self.state.combatants)

    @cached_property
    def sides(self) -> frozenset[str]:
        """The sides of the combatants."""
        return frozenset(one.side for one in self.state.combatants.values())

    def name_of(self, id_: str) -> str:
        """Return a combatant's name, as sentences use it."""
        return self.state.combatants[id_].name


class ResolvedOrder(Struct, frozen=True):
    """One way to read the first words of an order.

    It holds the order, the named actor ("": nobody), the fields that its first word sets, and the remaining words.
    """

    do: str
    actor: str
    preset: Mapping[str, Any]
    rest: tuple[WordToken, ...]


class TurnStart(Struct, frozen=True):
    """A name alone: that combatant's turn begins, in Ron d6 with that many declared actions."""

    combatant: str
    actions: int | None = None


def unclear_error(
    question: str, options: Iterable[str] = (), word: str = "", hints: Iterable[CommandHint] = ()
) -> Unclear:
    """Return the error that asks which of several meanings is meant; `word` is the unclear word, if there is one."""
    question_error = Unclear(question, word=word, allowed=tuple(options))
    question_error.hints = tuple(hints)
    return question_error


def with_dashes(word: str) -> str:
    """Return a word as it is typed: with dashes."""
    return word.replace("_", "-")


def word_forms(word: str) -> set[str]:
    """Return a word, and its base forms if it may be a third person or a participle: `waits`, `parries`, `stabbing`."""
    forms = {word, word.removesuffix("s"), word.removesuffix("es")}
    if word.endswith("ies"):
        return forms | {word.removesuffix("ies") + "y"}
    stem = word.removesuffix("ing")
    if stem == word or len(stem) < LEAST_STEM:
        return forms
    return forms | {stem, f"{stem}e", stem[:-1] if stem[-1] == stem[-2] else stem}


def find_combatant(fight: LineContext, word: str) -> str:
    """Return the combatant whom a word names, in full or abbreviated; raise BadInput if it names nobody or several."""
    name = word.removeprefix(COMBATANT).lower()
    _, matches = fight.people.ranked(name)
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise unclear_error(
            f'"{word}" could be {either_or([fight.name_of(one) for one in matches])}. Which one?', matches, word
        )
    everybody = list(fight.state.combatants)
    up = [one.id for one in fight.state.combatants.values() if not one.is_gone]
    names = up if closest_name(name, up) else everybody
    raise BadInput(f'Nobody here is called "{word}". {suggestion_text(name, names)}', wrong=word, allowed=names)


def numbered_near(fight: LineContext, word: str, after: Sequence[str]) -> str:
    """Return the combatant meant by a mistyped word and the number after it: `gobln 2`; "" for nobody."""
    number = after[0].removesuffix(":") if after else ""
    if not number.isdecimal():
        return ""
    alike = [one.id for one in fight.state.combatants.values() if one.id.endswith(f"-{number}") and not one.is_gone]
    return closest_name(f"{word.lower()}-{number}", alike) or ""


def next_combatant(state: Encounter) -> str:
    """Return the combatant whose turn it is, or else the one who is next.

    In Ron d6 somebody who acts counts only if they have actions left and do not wait.
    """
    acting = state.acting
    if state.initiative.entries and acting:
        actions = state.combatants[acting].actions
        if not actions.left or actions.waiting:
            acting = ""
    return acting or state.next_up or ""

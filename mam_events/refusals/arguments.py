"""The arguments of refusals.

A rule passes the thing itself, `Refused("bad_target/self", who=attacker)`, and never its name. Plain text isn't one of
the allowed types, so mypy rejects a name passed as text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Protocol, TypeAlias

from msgspec import Struct

from mam_events.values import SaidTextField as SaidText
from mam_events.values import metres_words


class MessageArgument(Struct, frozen=True, tag_field="of", omit_defaults=True, forbid_unknown_fields=True):
    """Something that a message mentions, as it was at that moment."""


class CombatantArgument(MessageArgument, frozen=True, tag="combatant"):
    """A combatant."""

    id: str
    name: str


class Id(MessageArgument, frozen=True, tag="id"):
    """A combatant by id, where the id is what people type."""

    id: str


class ThingArgument(MessageArgument, frozen=True, tag="thing"):
    """A thing of a combatant (`owner`; "" if unknown); `name` is the name that people gave it."""

    owner: str
    id: str
    name: str


class RulingArgument(MessageArgument, frozen=True, tag="ruling"):
    """A ruling, an exchange or an action by its number; a view may not know that it exists."""

    number: int


class TextArgument(MessageArgument, frozen=True, tag="said"):
    """Words of the refused order; the person who gave it reads them unchanged."""

    text: str


class Word(MessageArgument, frozen=True, tag="word"):
    """One of several cases that choose the words; only the text for that case is shown."""

    way: str


class Term(MessageArgument, frozen=True, tag="term"):
    """A word of the rulebook or of the rules themselves: a preset, an option, an order, a position, a dice code."""

    id: str


class Amount(MessageArgument, frozen=True, tag="amount"):
    """A distance in metres, in words."""

    words: str


class Several(MessageArgument, frozen=True, tag="several"):
    """More than one of a kind."""

    ones: tuple[Anything, ...]


class Message(MessageArgument, frozen=True, tag="message"):
    """A text of the table by its key, with its arguments: a refusal, or a part of another message.

    `wrong` is the rejected value; `allowed` are the values that could have been given instead.
    """

    key: str
    references: dict[str, Anything]
    wrong: str = ""
    allowed: tuple[Anything, ...] = ()


Anything: TypeAlias = (
    CombatantArgument
    | Id
    | ThingArgument
    | RulingArgument
    | TextArgument
    | Word
    | Term
    | Amount
    | Several
    | Message
    | int
    | bool
)


WhyArgument: TypeAlias = Message | SaidText | None
"""The reason for an outcome, as data; a sentence in older logs. None if there is no reason to give."""


class Combatant(Protocol):
    """A combatant, as the rules see it."""

    @property
    def id(self) -> str:
        """The id in its fight."""

    @property
    def name(self) -> str:
        """The name that people gave."""

    @property
    def visibility(self) -> str:
        """The view to which it is visible."""


class HasItemName(Protocol):
    """A weapon, an armor or a piece of equipment, as the rules see it."""

    @property
    def id(self) -> str:
        """The id among the owner's things."""

    @property
    def name(self) -> str:
        """The name that people gave it; "" for the id."""


Given: TypeAlias = Anything | Combatant | HasItemName | Decimal | Fraction
"""The types that a rule may pass."""


def named_in(message: Message) -> Iterator[CombatantArgument | Id | ThingArgument | TextArgument]:
    """Yield everything in a message that may be hidden: combatants, their things, and people's words."""
    waiting: list[Anything] = [*message.references.values(), *message.allowed]
    while waiting:
        match waiting.pop():
            case CombatantArgument() | Id() | ThingArgument() | TextArgument() as one:
                yield one
            case Several() as those:
                waiting += those.ones
            case Message() as inner:
                waiting += (*inner.references.values(), *inner.allowed)


def reference_to(value: Given) -> Anything:
    """Return the reference to what a rule passes."""
    match value:
        case MessageArgument() | int():
            return value
        case Decimal() | Fraction():
            return Amount(metres_words(value))
    if hasattr(value, "visibility"):
        return CombatantArgument(value.id, value.name)
    return ThingArgument("", value.id, value.name or value.id)


def text_argument(order: Struct, field: str) -> TextArgument:
    """Return the words in that field of an order."""
    return TextArgument(str(getattr(order, field)))


def thing_of(owner: Combatant, what: HasItemName) -> ThingArgument:
    """Return a reference to something of that combatant's."""
    return ThingArgument(owner.id, what.id, what.name or what.id)


def thing_arguments(owner: Combatant, ids: Iterable[str]) -> tuple[ThingArgument, ...]:
    """Return references to things of that combatant by their ids only."""
    return tuple(ThingArgument(owner.id, one, one) for one in ids)


def text_fragment(key: str, **references: Given) -> Message:
    """Return a text of the table as a part of another text."""
    return Message(key, {name: reference_to(fields) for name, fields in references.items()})


def list_argument(ones: Iterable[Given]) -> Several:
    """Return these things as one reference."""
    return Several(tuple(map(reference_to, ones)))


def people(combatants: Mapping[str, Combatant], ids: Iterable[str]) -> Several:
    """Return these combatants as one reference."""
    return list_argument(combatants[one] for one in ids)

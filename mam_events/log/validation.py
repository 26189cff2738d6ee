"""Checks of the arguments that Python callers pass to the log: each has the type that its name implies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from functools import wraps
from inspect import signature
from types import NoneType
from typing import ParamSpec, TypeVar, get_args
from uuid import uuid4

from msgspec import to_builtins
from msgspec.structs import replace

from mam_events.commands import Command, encode_command
from mam_events.decider.checks import require_metres
from mam_events.deserializer import SHORTENER
from mam_events.errors import BadInput
from mam_events.events import NoteKind, TurnPolicy
from mam_events.refusals.suggestions import suggestion_text
from mam_events.sanitize import check_text, is_clean_state
from mam_events.visibility import PUBLIC, narrowest

P = ParamSpec("P")
T = TypeVar("T")
KINDS_OF_NOTE = get_args(NoteKind)
TURN_POLICIES = get_args(TurnPolicy)
WORDLESS: frozenset[NoteKind] = frozenset({"proposal", "decision"})
"""The kinds of notes that may have no text."""
MOST_PROPOSED = 10_000
"""The most characters of a proposed order, as JSON: more than any sheet of a combatant needs."""

_TEXT = (str,), "text"
_FLAG = (bool,), "True or False"
_RULING = (int,), "the number of a ruling"
_ANY_RULING = (int, NoneType), "the number of a ruling, or None"
_ANY_ORDER = (Command, NoneType), "an order, such as EndTurn(...), or None"

ARGUMENT_KINDS: dict[str, tuple[tuple[type, ...], str]] = {
    "about": _RULING,
    "after": _RULING,
    "as_of": _ANY_RULING,
    "at": ((Callable,), "something to call"),  # type: ignore[dict-item]  # isinstance takes it, though it is no type
    "branch": _TEXT,
    "busy_timeout": ((int, float), "a number of seconds"),
    "by": _TEXT,
    "clock": ((Callable,), "something to call"),  # type: ignore[dict-item]  # isinstance takes it, though it is no type
    "command": ((Command,), "an order, such as EndTurn(...)"),
    "command_id": _TEXT,
    "commands": ((list, tuple), "a list of orders"),
    "correction": _ANY_RULING,
    "corrections": ((list, tuple), "a list of numbers of rulings"),
    "create": _FLAG,
    "encounter": _TEXT,
    "entropy": ((Callable,), "something to call"),  # type: ignore[dict-item]  # as above
    "expect": _TEXT,
    "expected": _ANY_RULING,
    "instead": _ANY_ORDER,
    "kept": ((int,), "a number of encounters"),
    "kind": _TEXT,
    "moment": ((str, int, NoneType), "the number of a ruling, round:N or None"),
    "only": _FLAG,
    "order": _ANY_ORDER,
    "proposal": _RULING,
    "reason": _TEXT,
    "rewind": _FLAG,
    "rule": _TEXT,
    "ruling": _ANY_RULING,
    "sees": ((Callable,), "something to ask"),  # type: ignore[dict-item]  # isinstance takes it, though it is no type
    "steps": ((list, tuple), "a list of Strike, Amend and Restore"),
    "synchronous": _TEXT,
    "text": _TEXT,
    "turns": ((str,), "as_played or strict"),
    "visibility": _TEXT,
    "on_progress": ((Callable,), "something to call"),  # type: ignore[dict-item]  # isinstance takes it, though it is no type
}
"""The types that an argument of that name may have, and their description; True is no number."""


def checks_arguments(method: Callable[P, T]) -> Callable[P, T]:
    """Wrap the method to raise BadInput for an argument that isn't of the type its name implies."""
    names = tuple(signature(method).parameters)

    @wraps(method)
    def checked(*args: P.args, **kwargs: P.kwargs) -> T:
        for name, value in zip(names, args, strict=False):
            _check(name, value)
        for name, value in kwargs.items():
            _check(name, value)
        return method(*args, **kwargs)

    return checked


def _check(name: str, value: object) -> None:
    if name in ARGUMENT_KINDS:
        types, description = ARGUMENT_KINDS[name]
        if not isinstance(value, types) or (value.__class__ is bool and bool not in types):
            raise BadInput(f"must be {description}, not {SHORTENER.repr(value)}.", place=name)
    if name == "turns":
        check_turns(value)


def numbers(values: Sequence[int], place: str) -> tuple[int, ...]:
    """Return numbers of rulings, each once; raise BadInput for anything else."""
    for number in values:
        if number.__class__ is not int or number < 1:
            raise BadInput(f"Name a ruling by its number, 1 or more, not {SHORTENER.repr(number)}.", place=place)
    return tuple(dict.fromkeys(values))


def orders(items: Sequence[Command], place: str) -> tuple[Command, ...]:
    """Return one or more orders; raise BadInput for anything else."""
    for order in items:
        if not isinstance(order, Command):
            raise BadInput(f"This must be an order, not {SHORTENER.repr(order)}.", place=place)
    if not items:
        raise BadInput("must have at least one order.", place=place)
    return tuple(items)


def narrow_visibility(command: Command, visibility: str) -> Command:
    """Return the order, hidden from everyone from whom that visibility hides."""
    if visibility == PUBLIC:
        return command
    return replace(command, visibility=narrowest(visibility, command.visibility))


def check_insert(after: int, expect: str, turns: TurnPolicy = "as_played") -> None:
    """Raise BadInput for a place that is no ruling, and for a preview or `turns` without an insert."""
    if after < 0:
        raise BadInput("Name a ruling by its number, 1 or more.", place="after")
    if expect and not after:
        raise BadInput("Only an insert takes `expect`. Give the ruling that it follows.", place="expect")
    if turns == "strict" and not after:
        raise BadInput("Only an insert takes `turns`. Give the ruling that it follows.", place="turns")


def check_turns(turns: object) -> None:
    """Raise BadInput for an unknown way to treat turns."""
    if turns not in TURN_POLICIES:
        wrong = str(turns)
        sentence = f"{SHORTENER.repr(turns)} is not among the choices. {suggestion_text(wrong, TURN_POLICIES)}"
        raise BadInput(sentence, place="turns", wrong=wrong, allowed=TURN_POLICIES)


def check_remark(text: str, kind: str) -> None:
    """Raise BadInput for a note without text, or of an unknown kind."""
    if not check_text(text, "text").strip() and kind not in WORDLESS:
        raise BadInput("The text is missing.", place="text")
    if kind not in KINDS_OF_NOTE:
        sentence = f"{SHORTENER.repr(kind)} is not among the choices. {suggestion_text(kind, KINDS_OF_NOTE)}"
        raise BadInput(sentence, place="kind", wrong=kind, allowed=KINDS_OF_NOTE)


def check_proposal(order: Command) -> None:
    """Refuse an order that nobody could accept.

    Refused with `impossible_distance`; BadInput if it is too long or isn't plain text.
    """
    encoded = encode_command(order)
    if len(encoded) > MOST_PROPOSED:
        raise BadInput(f"A proposed order has at most {MOST_PROPOSED:,} characters.", place="order")
    if not is_clean_state(encoded):
        raise BadInput("The order has a character that cannot be used.", place="order")
    for place, number in numbers_in(to_builtins(order, builtin_types=(Decimal,)), "order"):
        require_metres(number, place)


def numbers_in(value: object, place: str) -> Iterator[tuple[str, Decimal]]:
    """Yield every decimal number in a plain value, with its place."""
    if isinstance(value, Decimal):
        yield place, value
    elif isinstance(value, dict):
        for name, part in value.items():
            yield from numbers_in(part, f"{place}.{name}")
    elif isinstance(value, list | tuple):
        for at, part in enumerate(value):
            yield from numbers_in(part, f"{place}.{at}")


def new_id() -> str:
    """Return a command id for orders that are sent together without one, so that they are found again together."""
    return f"line-{uuid4().hex[:16]}"


def random_bytes(entropy: Callable[[int], bytes], count: int) -> bytes:
    """Return random bytes that nobody can guess; raise BadInput if the entropy returns anything else."""
    drawn_bytes = entropy(count)
    if not isinstance(drawn_bytes, bytes) or len(drawn_bytes) != count:
        raise BadInput(f"must give {count} bytes, not {SHORTENER.repr(drawn_bytes)}.", place="entropy")
    return drawn_bytes

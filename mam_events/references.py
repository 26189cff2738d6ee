"""References and texts in commands and events, found by the kinds of their fields (`values`).

References name combatants, things and rulings; texts are people's words. Names of fields, choices and numbers are left
alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from functools import cache
from typing import Any, NamedTuple, TypeVar

from msgspec import Struct
from msgspec.structs import fields, replace

from mam_events.field_specs import FieldSpec, field_specs
from mam_events.refusals.arguments import Message, MessageArgument
from mam_events.values import SITUATION


class IdReference(NamedTuple):
    """A name or a number, what it can refer to (`combatant`, `thing`, `grapple`, `ruling`), and its field."""

    kinds: tuple[str, ...]
    value: str | int
    field: str


T = TypeVar("T", bound=Struct)
Reads = Mapping[str, Callable[[str], str]]
"""Functions that replace texts, by kind: `said`, or the kind of thing for an id; other texts are unchanged."""
_Leaf = Callable[[FieldSpec, str, Any], Any]
_Walk = Callable[[Any, _Leaf], Any]


def names_in(part: T, *, within: Collection[str] | None = None, since: T | None = None) -> list[IdReference]:
    """Return every name and number in a command, an event or a part of one.

    With `within` only in those fields; with `since` only where the value is not the identical object there. A field
    with its default names nothing; a field without a default is always included.
    """
    names = []

    def note(leaf: FieldSpec, field: str, value: Any) -> Any:
        if leaf.names == ("situation",):
            # A modifier may begin with the name of the roller.
            if (match := re.match(SITUATION, value)) and match[1]:
                names.append(IdReference(("combatant",), match[1], field))
        elif leaf.names:
            names.append(IdReference(leaf.names, value, field))
        return value

    for field, default, walk in _plan(type(part)):
        if within is None or field in within:
            value = getattr(part, field)
            if value != default and (since is None or value is not getattr(since, field)):
                walk(value, note)
    return names


def rulings_named(order: Struct) -> list[int]:
    """Return the numbers of the rulings that an order is about: all that it names except the one it answers."""
    within = _about_rulings(type(order))
    return [int(name.value) for name in names_in(order, within=within) if "ruling" in name.kinds] if within else []


@cache
def _about_rulings(kind: type[Struct]) -> frozenset[str]:
    """Return the fields in which an order may name a ruling that it is about."""
    return frozenset(name for name, shape in field_specs(kind).items() if name != "answers" and _names_ruling(shape))


def _names_ruling(shape: FieldSpec) -> bool:
    if shape.is_list or shape.is_table:
        return _names_ruling(shape.inner)
    within = (one for kind in shape.structs for one in field_specs(kind).values())
    return "ruling" in shape.names or any(map(_names_ruling, within))


def map_texts(part: T, reads: Reads) -> T:
    """Return the part with its texts replaced by those functions.

    If no text changes, return the part itself: a default that is built again would be written out.
    """
    return _mapped(part, _reading(reads))


def words_in(part: Struct) -> list[str]:
    """Return people's words in a command, an event or a part of one."""
    words: list[str] = []

    def said(text: str) -> str:
        words.append(text)
        return text

    map_texts(part, {"said": said})
    return words


def messages_in(part: Struct) -> list[Message]:
    """Return the reasons in an event, as data."""
    return [value for name in part.__struct_fields__ if isinstance(value := getattr(part, name), Message)]


def read_field(kind: type[Struct], field: str, value: Any, reads: Reads) -> Any:
    """Return a plain value of that struct field with its texts replaced by those functions."""
    return _mapped_field(kind, field, value, _reading(reads))


def _reading(reads: Reads) -> _Leaf:
    def read_leaf(leaf: FieldSpec, field: str, value: Any) -> Any:
        how = reads.get(leaf.words or leaf.names[0])
        return how(value) if how else value

    return read_leaf


def _mapped(part: T, leaf: _Leaf) -> T:
    new_values = {}
    for field, default, walk in _plan(type(part)):
        value = getattr(part, field)
        if value != default and (new := walk(value, leaf)) != value:
            new_values[field] = new
    return replace(part, **new_values) if new_values else part


def _mapped_field(kind: type[Struct], field: str, value: Any, leaf: _Leaf) -> Any:
    walk = next((walk for name, _, walk in _plan(kind) if name == field), None)
    return walk(value, leaf) if walk else value


@cache
def _plan(kind: type[Struct]) -> tuple[tuple[str, Any, _Walk], ...]:
    """Return the fields of a struct that may have a name or a text, with their defaults and walks."""
    shaped = field_specs(kind)
    return tuple((one.name, one.default, walk) for one in fields(kind) if (walk := _walk(shaped[one.name], one.name)))


def _walk(of: FieldSpec, field: str) -> _Walk | None:
    """Return the function that goes through a value of that kind; None if it has neither names nor texts."""
    if of.is_list or of.is_table:
        inner, key = _walk(of.inner, field), _walk(of.key, field) if of.is_table else None
        if of.is_list:
            return inner and (lambda values, leaf: values and tuple(inner(value, leaf) for value in values))
        keys, values = key or _same, inner or _same
        if keys is values:
            return None
        return lambda table, leaf: table and {keys(key, leaf): values(value, leaf) for key, value in table.items()}
    if struct := next(iter(of.structs), None):
        # Each reader gets a message rendered from its references.
        return None if issubclass(struct, MessageArgument) else lambda value, leaf: _struct(struct, value, leaf)
    if (of.names or of.words) and not {str, int}.isdisjoint(of.kinds):
        return lambda value, leaf: value if value is None else leaf(of, field, value)
    return None


def _struct(kind: type[Struct], value: Any, leaf: _Leaf) -> Any:
    if isinstance(value, Mapping):
        return {name: _mapped_field(kind, name, inner, leaf) for name, inner in value.items()}
    return value and _mapped(value, leaf)


def _same(value: Any, _: _Leaf) -> Any:
    return value

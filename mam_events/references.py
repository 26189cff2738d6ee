"""Names and texts inside commands and events, found by the kinds of their fields (`values`): combatants, things and
rulings that they name, what people said. Names of fields, choices and numbers stay as they are.
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
    """A name or a number, what it may be of (`combatant`, `thing`, `grapple`, `ruling`), and the field it stands in."""

    kinds: tuple[str, ...]
    value: str | int
    field: str


T = TypeVar("T", bound=Struct)
Reads = Mapping[str, Callable[[str], str]]
"""The treatment of a text, by its kind: `said`, or of an id what it is the id of; of any other it stays."""
_Leaf = Callable[[FieldSpec, str, Any], Any]
_Walk = Callable[[Any, _Leaf], Any]


def names_in(part: T, *, within: Collection[str] | None = None, since: T | None = None) -> list[IdReference]:
    """Every name and number inside a command, an event or a part of one; of only the fields `within`, if given, and of
    only those that are not the very same in `since`.

    A field with its default names nobody and nothing; one without any has to.
    """
    found = []

    def note(leaf: FieldSpec, field: str, value: Any) -> Any:
        if leaf.names == ("situation",):
            # The one whose roll the game master speaks of, where that was said.
            if (match := re.match(SITUATION, value)) and match[1]:
                found.append(IdReference(("combatant",), match[1], field))
        elif leaf.names:
            found.append(IdReference(leaf.names, value, field))
        return value

    for field, default, walk in _plan(type(part)):
        if within is None or field in within:
            value = getattr(part, field)
            if value != default and (since is None or value is not getattr(since, field)):
                walk(value, note)
    return found


def rulings_named(order: Struct) -> list[int]:
    """Return the rulings that an order is about, by their numbers: all that it names but the one that it answers."""
    within = _about_rulings(type(order))
    return [int(name.value) for name in names_in(order, within=within) if "ruling" in name.kinds] if within else []


@cache
def _about_rulings(kind: type[Struct]) -> frozenset[str]:
    """The fields in which an order may name a ruling that it is about."""
    return frozenset(name for name, shape in field_specs(kind).items() if name != "answers" and _names_ruling(shape))


def _names_ruling(shape: FieldSpec) -> bool:
    if shape.several or shape.keyed:
        return _names_ruling(shape.inner)
    within = (one for kind in shape.structs for one in field_specs(kind).values())
    return "ruling" in shape.names or any(map(_names_ruling, within))


def map_texts(part: T, reads: Reads) -> T:
    """The same with its texts read so; itself where none reads otherwise, for a default that is built anew would be
    written out.
    """
    return _mapped(part, _reading(reads))


def messages_in(part: Struct) -> list[Message]:
    """Return the reasons in an event, as data."""
    return [value for name in part.__struct_fields__ if isinstance(value := getattr(part, name), Message)]


def read_field(kind: type[Struct], field: str, value: Any, reads: Reads) -> Any:
    """A plain value read as that field of such a struct."""
    return _mapped_field(kind, field, value, _reading(reads))


def _reading(reads: Reads) -> _Leaf:
    def read_leaf(leaf: FieldSpec, field: str, value: Any) -> Any:
        how = reads.get(leaf.words or leaf.names[0])
        return how(value) if how else value

    return read_leaf


def _mapped(part: T, leaf: _Leaf) -> T:
    changed = {}
    for field, default, walk in _plan(type(part)):
        value = getattr(part, field)
        if value != default and (new := walk(value, leaf)) != value:
            changed[field] = new
    return replace(part, **changed) if changed else part


def _mapped_field(kind: type[Struct], field: str, value: Any, leaf: _Leaf) -> Any:
    walk = next((walk for name, _, walk in _plan(kind) if name == field), None)
    return walk(value, leaf) if walk else value


@cache
def _plan(kind: type[Struct]) -> tuple[tuple[str, Any, _Walk], ...]:
    """The fields of a struct in which a name or a text may stand, each with its default and how its values are gone
    through.
    """
    shaped = field_specs(kind)
    return tuple((one.name, one.default, walk) for one in fields(kind) if (walk := _walk(shaped[one.name], one.name)))


def _walk(of: FieldSpec, field: str) -> _Walk | None:
    """The way a value of that kind is gone through; None where it has neither a name nor a text."""
    if of.several or of.keyed:
        inner, key = _walk(of.inner, field), _walk(of.key, field) if of.keyed else None
        if of.several:
            return inner and (lambda values, leaf: values and tuple(inner(value, leaf) for value in values))
        keys, values = key or _same, inner or _same
        if keys is values:
            return None
        return lambda table, leaf: table and {keys(key, leaf): values(value, leaf) for key, value in table.items()}
    if struct := next(iter(of.structs), None):
        # A message is told to each reader by its references.
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

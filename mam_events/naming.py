"""Combatants, things and rulings that a command or an event names, by the kinds of its fields (`values`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple, TypeVar

from msgspec import Struct, inspect
from msgspec.structs import fields as fields_of

from mam_events.refusals.references import Reference
from mam_events.values import SITUATION


class Named(NamedTuple):
    """A name or a number, what it may be of (`combatant`, `thing`, `grapple`, `ruling`), and the field it stands in."""

    kinds: tuple[str, ...]
    value: str | int
    field: str


T = TypeVar("T", bound=Struct)
_Walk = Callable[[Any], Iterable[Named]]


def names_in(part: T, *, within: Collection[str] | None = None, since: T | None = None) -> Iterator[Named]:
    """Every name and number inside a command, an event or a part of one; of only the fields `within`, if given, and of
    only those that are not the very same in `since`.

    A field with its default names nobody and nothing; one without any has to.
    """
    for field, default, walk in _plan(type(part)):
        if within is None or field in within:
            value = getattr(part, field)
            if value != default and (since is None or value is not getattr(since, field)):
                yield from walk(value)


@cache
def _plan(kind: type[Struct]) -> tuple[tuple[str, Any, _Walk], ...]:
    """The fields of a struct that may name something, each with its default and how its values are gone through."""
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)  # noqa: S101 - as the annotation says
    walks = {field.name: _walk(field.type, field.name) for field in info.fields}
    return tuple((field.name, field.default, walk) for field in fields_of(kind) if (walk := walks[field.name]))


def _walk(info: inspect.Type, field: str, kinds: tuple[str, ...] = ()) -> _Walk | None:
    """The way a value of that type is gone through; None where it names nothing."""
    match info:
        case inspect.Metadata():
            return _walk(info.type, field, kinds or (info.extra or {}).get("names", ()))
        case inspect.StrType() if kinds == ("situation",):
            return lambda value: _whose(value, field)
        case inspect.StrType() | inspect.IntType() if kinds:
            return lambda value: (Named(kinds, value, field),)
        case inspect.StructType() if issubclass(info.cls, Reference):
            # A message is told to each reader by its references.
            return None
        case inspect.StructType():
            return names_in
        case inspect.VarTupleType():
            return _each(_walk(info.item_type, field))
        case inspect.DictType():
            keys, values = _each(_walk(info.key_type, field)), _each(_walk(info.value_type, field))
            return (lambda table: _of_both(table, keys, values)) if keys or values else None
        case inspect.UnionType():
            return next(filter(None, (_optional(_walk(one, field)) for one in info.types)), None)
    return None


def _each(walk: _Walk | None) -> _Walk | None:
    return walk and (lambda values: (found for value in values for found in walk(value)))


def _optional(walk: _Walk | None) -> _Walk | None:
    return walk and (lambda value: () if value is None else walk(value))


def _of_both(table: dict[Any, Any], keys: _Walk | None, values: _Walk | None) -> Iterator[Named]:
    yield from keys(table) if keys else ()
    yield from values(table.values()) if values else ()


def _whose(situation: str, field: str) -> Iterator[Named]:
    """The one whose roll the game master speaks of, where that was said."""
    match = re.match(SITUATION, situation)
    if match and match[1]:
        yield Named(("combatant",), match[1], field)

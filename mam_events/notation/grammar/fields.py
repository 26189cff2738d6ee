"""The fields of an order, or of a part of one, as they are typed one by one: `name=value`, `name.entry=value`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from msgspec import Struct
from msgspec.structs import FieldInfo, fields

from mam_events.errors import BadInput
from mam_events.field_specs import FieldSpec, field_specs
from mam_events.notation.lexer.lexer import TextToken, TokenValue, WordToken

SimpleField = Callable[[TokenValue, FieldSpec, str], Any]
"""A parser of a single value, given the token, the field's shape, and its place."""


@cache
def fields_by_name(kind: type[Struct]) -> Mapping[str, FieldInfo]:
    """Return the fields of a type by the name that people use for them."""
    return {field.encode_name: field for field in fields(kind)}


@cache
def shapes_by_name(kind: type[Struct]) -> Mapping[str, FieldSpec]:
    """Return the shapes of a type's fields by the same names."""
    return {name: field_specs(kind)[field.name] for name, field in fields_by_name(kind).items()}


class Fields:
    """The fields given for an order or a part of one: each once, except that lists grow, and tables grow by entries.

    `find` returns the field that a name means, `leaf` parses a value, and `entry` the name of an entry. Raises BadInput
    if one of them does, and for a field that is given twice.
    """

    def __init__(
        self,
        kind: type[Struct],
        place: str,
        find: Callable[[str], str],
        leaf: SimpleField,
        entry: Callable[[FieldSpec, str], str] | None = None,
    ) -> None:
        self.shapes = shapes_by_name(kind)
        self.found: dict[str, Any] = {}
        self._place = place
        self._find = find
        self._leaf = leaf
        self._entry = entry

    def say(self, token: WordToken) -> None:
        """Add a word with a key."""
        key, dot, part = token.key.partition(".") if self._entry else (token.key, "", "")
        name = self._find(key)
        shape, place = self.shapes[name], f"{self._place}: {name}"
        if dot and not shape.is_table:
            raise BadInput(
                f"{name} has no parts. Leave out the dot and what follows it.", place=self._place, wrong=f"{name}."
            )
        if dot and self._entry:
            self.put_entry(name, self._entry(shape, part), self._leaf(token.value, shape.inner, place))
        elif token.is_dash:
            self.put(name, None)
        elif shape.is_list:
            self.add(name, [self._leaf(one, shape.inner, place) for one in _each(token.value)])
        else:
            self.put(name, self._leaf(token.value, shape, place))

    def put(self, name: str, value: Any) -> None:
        """Set the value of a field."""
        if name in self.found:
            raise self._twice(name)
        self.found[name] = value

    def add(self, name: str, values: Sequence[Any]) -> None:
        """Append values to a list."""
        before = self.found.get(name, [])
        if not isinstance(before, list):
            raise self._twice(name)
        self.found[name] = [*before, *values]

    def put_entry(self, name: str, entry: str, value: Any) -> None:
        """Set one entry of a table."""
        table = self.found.setdefault(name, {})
        if not isinstance(table, dict) or entry in table:
            raise self._twice(f"{name}.{entry}")
        table[entry] = value

    def _twice(self, name: str) -> BadInput:
        return BadInput(f"{name} is given twice. Give it once.", place=self._place, wrong=name)


def _each(value: TokenValue) -> Sequence[TokenValue]:
    """Return the parts of a list, which commas separate; parentheses or a text are one part, and () is none."""
    if value == ():
        return ()
    return (value,) if isinstance(value, tuple | TextToken) else value.split(",")

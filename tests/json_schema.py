"""A validator for the part of JSON Schema 2020-12 that the schema of the orders uses; unknown keywords are errors."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

KINDS: dict[str, Callable[[Any], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "null": lambda value: value is None,
}
TOLD = {"$schema", "$defs", "title", "description", "default", "discriminator", "format"}
"""Keywords that only describe, and allow any value."""


def problems(schema: dict[str, Any], value: Any, root: dict[str, Any], at: str = "$") -> Iterator[str]:
    """Yield every error of a value, with its place."""
    for word, said in schema.items():
        if word not in TOLD and not word.startswith("x-"):
            yield from WORDS[word](said, value, root, at, schema)


def _ref(said: str, value: Any, root: Any, at: str, _: Any) -> Iterator[str]:
    yield from problems(root["$defs"][said.removeprefix("#/$defs/")], value, root, at)


def _any(said: list[Any], value: Any, root: Any, at: str, _: Any) -> Iterator[str]:
    found = [list(problems(one, value, root, at)) for one in said]
    if all(found):
        yield from min(found, key=len)


def _type(said: str | list[str], value: Any, _root: Any, at: str, _: Any) -> Iterator[str]:
    if not any(KINDS[kind](value) for kind in ([said] if isinstance(said, str) else said)):
        yield f"{at} is no {said}"


def _within(fits: Callable[[Any, Any], bool], kind: str) -> Callable[..., Iterator[str]]:
    def check(said: Any, value: Any, _root: Any, at: str, _: Any) -> Iterator[str]:
        if KINDS[kind](value) and not fits(value, said):
            yield f"{at}: {value!r} against {said!r}"

    return check


def _properties(said: dict[str, Any], value: Any, root: Any, at: str, _: Any) -> Iterator[str]:
    for name in said.keys() & value.keys() if isinstance(value, dict) else ():
        yield from problems(said[name], value[name], root, f"{at}.{name}")


def _others(said: Any, value: Any, root: Any, at: str, schema: dict[str, Any]) -> Iterator[str]:
    for name in value.keys() - schema.get("properties", {}).keys() if isinstance(value, dict) else ():
        if said is False:
            yield f"{at} has no {name}"
        else:
            yield from problems(said, value[name], root, f"{at}.{name}")


def _names(said: Any, value: Any, root: Any, at: str, _: Any) -> Iterator[str]:
    for name in value if isinstance(value, dict) else ():
        yield from problems(said, name, root, f"{at} key")


def _items(said: Any, value: Any, root: Any, at: str, _: Any) -> Iterator[str]:
    for index, one in enumerate(value if isinstance(value, list) else ()):
        yield from problems(said, one, root, f"{at}[{index}]")


WORDS: dict[str, Callable[..., Iterator[str]]] = {
    "$ref": _ref,
    "anyOf": _any,
    "type": _type,
    "enum": lambda said, value, _root, at, _: iter(() if value in said else (f"{at}: {value!r} is not in {said}",)),
    "pattern": _within(lambda text, said: re.search(said, text) is not None, "string"),
    "maxLength": _within(lambda text, said: len(text) <= said, "string"),
    "minimum": _within(lambda number, said: number >= said, "number"),
    "maximum": _within(lambda number, said: number <= said, "number"),
    "minItems": _within(lambda items, said: len(items) >= said, "array"),
    "maxItems": _within(lambda items, said: len(items) <= said, "array"),
    "required": _within(lambda table, said: set(said) <= table.keys(), "object"),
    "properties": _properties,
    "additionalProperties": _others,
    "propertyNames": _names,
    "items": _items,
}

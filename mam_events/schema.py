"""Every command as a JSON Schema, for forms, validation and client code."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Union

import msgspec
from msgspec import Struct

from mam_events.commands import COMMANDS, Command
from mam_events.deserializer import LEARNING, quote_value
from mam_events.errors import BadInput
from mam_events.field_specs import field_specs
from mam_events.refusals.suggestions import suggestion_text

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema(do: str = "") -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of that command, or of any command; raise BadInput for an unknown one.

    `do` tells commands apart. Three keywords are our own: `x-unit` is the unit of a number or the kind of a name
    (`points`, `combatant`), `x-unsaid` is the value if people leave the field out, `x-examples` are commands as they
    are typed.
    """
    if do and do not in COMMANDS:
        raise BadInput(
            f"{quote_value(do)} is not an order. {suggestion_text(do, COMMANDS)}", wrong=do, allowed=COMMANDS
        )
    kinds = [COMMANDS[do]] if do else list(COMMANDS.values())
    with LEARNING:
        document = _converted(msgspec.json.schema(Union[tuple(kinds)]))  # noqa: UP007 - the union is built at run time
    for part in {part for kind in kinds for part in _parts(kind)}:
        _describe(document["$defs"][part.__name__], part)
    return {"$schema": DIALECT, "title": do or "An order", **document}


def _converted(part: Any) -> Any:
    """Return a piece of msgspec's schema in the form that the dialect needs.

    Patterns are those of ECMAScript, a decimal is a number or text, and descriptions have no line breaks.
    """
    if isinstance(part, list | tuple):
        return [_converted(one) for one in part]
    if not isinstance(part, Mapping):
        return part
    parts = {name: _converted(one) for name, one in part.items()}
    if parts.get("format") == "decimal":
        parts["type"] = ["number", "string"]
    for name, convert in _CONVERSIONS.items():
        if isinstance(parts.get(name), str):
            parts[name] = convert(parts[name])
    return parts


def _unfolded(text: str) -> str:
    return "\n\n".join(" ".join(part.split()) for part in text.split("\n\n"))


_CONVERSIONS = {"pattern": lambda text: text.replace(r"\Z", "$"), "description": _unfolded}


def _parts(kind: Any) -> Iterator[type[Struct]]:
    """Yield a command and the structs that it contains."""
    if isinstance(kind, type) and issubclass(kind, Struct):
        yield kind
        for shape in field_specs(kind).values():
            yield from _parts(shape.inner.kind)


def _describe(document: dict[str, Any], kind: type[Struct]) -> None:
    """Add our own keywords to the schema of a command or a part of one."""
    for field, name in zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True):
        shape = field_specs(kind)[field]
        document["properties"][name] |= _without_empty({"x-unit": shape.unit, "x-unsaid": shape.unsaid})
    if issubclass(kind, Command):
        document |= _without_empty({"x-examples": [f"mam {example}" for example in kind.examples]})


def _without_empty(words: Mapping[str, str | Collection[str]]) -> dict[str, Any]:
    return {name: word for name, word in words.items() if word}

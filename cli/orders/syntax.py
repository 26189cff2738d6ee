"""The way each order is typed: which fields are bare words after the command's name, and which have an option."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from mam_events.field_specs import FieldSpec


class OrderSyntax(NamedTuple):
    """The fields typed as bare words, in order, and the options of the others; the rest is always filled in."""

    bare: tuple[str, ...]
    options: Mapping[str, str]


PEOPLE = ("combatant", "attacker", "target", "opponent", "driver", "vehicle", "mount")
"""The fields of orders that name the actor and the targets."""

_SHARED = ("visibility", "situation")
"""Fields that many commands take with shared options."""
_OWN: Mapping[str, Mapping[str, str]] = {
    "adjust": {"reason": "--reason", "turn": "--turn"},
    "change-rules": {"house_rules": "--set", "reason": "--reason"},
}
"""The options of orders whose other fields have their own grammars."""
_SILENT = ("the open exchange", "what was declared")
"""The `unsaid` texts of fields that are always filled in."""
_UNTOLD = {
    "join": ("kind", "athletic", "absorption", "parry", "encumbrance", "body", "pools", "mount", "word"),
    "close": ("seed",),
    "resolve": ("outcome",),
}
"""Fields by order that have no option."""


@cache
def command_field_specs(do: str) -> Mapping[str, FieldSpec]:
    """Return the fields of an order by name."""
    from mam_events.commands import COMMANDS
    from mam_events.field_specs import field_specs as of_kind

    return {name: shape for name, shape in of_kind(COMMANDS[do]).items() if name not in _SHARED}


@cache
def order_syntax(do: str) -> OrderSyntax:
    """Return how an order is typed.

    The syntax is empty for an unknown order, and for `open`, which only a command of its own gives.
    """
    from mam_events.commands import COMMANDS

    kind = COMMANDS.get(do)
    if kind is None or do == "open":
        return OrderSyntax((), {})
    untold = {"visibility", *kind.bare, *_UNTOLD.get(do, ())}
    untold |= {name for name, one in command_field_specs(do).items() if one.unsaid in _SILENT}
    options = {field: f"--{field.replace('_', '-')}" for field in kind.__struct_fields__ if field not in untold}
    return OrderSyntax(kind.bare, _OWN.get(do, options))


def word_for(do: str, field: str) -> str:
    """Return the typed word for a field of an order, `TARGET` for a bare one, or `--weapon`; "" if it has none."""
    from mam_events.commands import COMMANDS

    if do in _OWN or do not in COMMANDS or field not in COMMANDS[do].__struct_fields__:
        return ""
    return field.upper() if field in COMMANDS[do].bare else f"--{field.replace('_', '-')}"


COMMAND_ALIASES = {"change-rules": "rules change", "perform": "act", "roll-initiative": "initiative roll"}
"""The words typed for an order whose name no command of its own has."""


def format_order(do: str, values: Mapping[str, Any]) -> str:
    """Return an order as it is typed, without `mam`: `attack modre clone --weapon ice-blade --power 4`.

    A value of None is left out; text is quoted for a shell.
    """
    bare, options = order_syntax(do)
    parts = [COMMAND_ALIASES.get(do, do)]
    for field in bare:
        value = values.get(field)
        if isinstance(value, list | tuple):
            parts += map(_quoted, value)
        elif value is not None:
            parts.append(_quoted(value))
    for field, option in options.items():
        parts += _typed_field(field, option, values.get(field))
    return " ".join(parts)


def _typed_field(field: str, option: str, value: Any) -> list[str]:
    """Return one field as it is typed: an option once for each of its values, faces of dice joined by commas."""
    if value is None or value is False:
        return []
    if value is True:
        return [option]
    if isinstance(value, Mapping):
        return [part for key, inner in value.items() for part in (option, _quoted(f"{key}={_joined(inner)}"))]
    if field == "dice":
        return [option, _joined(value)] if value else []
    if isinstance(value, list | tuple):
        return [part for inner in value for part in (option, _quoted(inner))]
    return [option, _quoted(value)]


def _joined(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _quoted(value: Any) -> str:
    if isinstance(value, Mapping):
        value = ",".join(f"{key}={_word(inner)}" for key, inner in value.items())
    return shlex.quote(str(value))


def _word(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def line_with(line: str, *options: str) -> str:
    """Return a line with options in its notation: `undo 5 rewind !` for `undo 5 only !` and `--rewind`."""
    without = {"only"} if "--rewind" in options else set()
    words = [word for word in line.removesuffix("!").split(" ") if word and word not in without]
    text = re.sub(r"--(\S+) ([A-Z]+)", r"\1=\2", " ".join(options)).replace("--", "")
    return " ".join([*words, text, *(["!"] if line.endswith("!") else [])])

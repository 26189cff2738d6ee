"""References that may be omitted: to the exchange or action that is open when an order is given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from mam_events.commands import Adjust, Command, Spend, name_of
from mam_events.errors import Refused
from mam_events.field_specs import field_specs
from mam_events.notation.orders.defaults import changeable_declaration
from mam_events.refusals.arguments import Term
from mam_events.state import Encounter

PLACEHOLDER = 1
"""The number in a command in place of an omitted exchange, until the order is given."""

_DEEDS = {
    "adjust": "settle",
    "defend": "defend against",
    "interfere": "interfere with",
    "pass": "react to",
    "result": "settle",
    "spend": "spend points on",
    "throw-die": "throw a die for",
}
"""Verbs for what an order does to an action, if its own name is not such a verb."""


def nothing_open_error(do: str, fields: tuple[str, ...] = ("exchange",)) -> Refused:
    """Return the refusal of an order that needs an open exchange when there is none."""
    return Refused("no_such_exchange/nothing_open", deed=Term(_DEEDS.get(do, do)), fields=fields)


def left_out_of(kind: type[Struct], fields: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the references that an order omits, and that the open exchange fills when it is given."""
    if kind is Adjust:
        outcome = fields.get("outcome")
        return ("outcome",) if isinstance(outcome, Mapping) and "exchange" not in outcome else ()
    if kind is Spend:
        return ("exchange",) if fields.get("on") == "action" and "exchange" not in fields else ()
    return tuple(name for name in open_references(kind) if name not in fields)


def open_references(kind: type[Struct]) -> tuple[str, ...]:
    """Return the fields of such an order that refer to what is open if they are omitted."""
    return tuple(name for name, shape in field_specs(kind).items() if shape.names == ("ruling",) and shape.unsaid)


def with_placeholders(fields: Mapping[str, Any], left_out: tuple[str, ...]) -> dict[str, Any]:
    """Return the fields with placeholders for the omitted references, so that they can be read."""
    filled = dict(fields)
    for name in left_out:
        filled[name] = {**fields[name], "exchange": PLACEHOLDER} if name == "outcome" else PLACEHOLDER
    return filled


def resolve_open_references(command: Command, left_out: tuple[str, ...], state: Encounter) -> Command:
    """Return the command with its omitted references; raise Refused with `no_such_exchange` if nothing is open."""
    if not left_out:
        return command
    if any(field_specs(type(command))[name].unsaid == "what was declared" for name in left_out):
        return replace(command, **dict.fromkeys(left_out, changeable_declaration(state)))
    if not state.open_exchange:
        raise nothing_open_error(name_of(command), left_out)
    if isinstance(command, Adjust):
        assert command.outcome is not None  # noqa: S101 - only an outcome can leave out its exchange
        return replace(command, outcome=replace(command.outcome, exchange=state.open_exchange))
    return replace(command, **dict.fromkeys(left_out, state.open_exchange))

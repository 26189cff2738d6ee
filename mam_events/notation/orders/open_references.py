"""References that go without saying: to the exchange or action that is open when an order is given."""

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
"""Stands in a command for the exchange that is left out, until it is given."""

_DEEDS = {"result": "settle"}
"""Words for what an order does, where its own is none."""


def left_out_of(kind: type[Struct], fields: Mapping[str, Any]) -> tuple[str, ...]:
    """The references that an order leaves to the exchange that is open when it is given."""
    if kind is Adjust:
        outcome = fields.get("outcome")
        return ("outcome",) if isinstance(outcome, Mapping) and "exchange" not in outcome else ()
    if kind is Spend:
        return ("exchange",) if fields.get("on") == "action" and "exchange" not in fields else ()
    return tuple(name for name in open_references(kind) if name not in fields)


def open_references(kind: type[Struct]) -> tuple[str, ...]:
    """The fields of such an order that name what is open, where nothing else is said."""
    return tuple(name for name, shape in field_specs(kind).items() if shape.names == ("ruling",) and shape.unsaid)


def with_placeholders(fields: Mapping[str, Any], left_out: tuple[str, ...]) -> dict[str, Any]:
    """The fields with something in place of what is left out, so that they can be read."""
    filled = dict(fields)
    for name in left_out:
        filled[name] = {**fields[name], "exchange": PLACEHOLDER} if name == "outcome" else PLACEHOLDER
    return filled


def resolve_open_references(command: Command, left_out: tuple[str, ...], state: Encounter) -> Command:
    """The command with what it leaves out; refused with `no_such_exchange` where nothing is open."""
    if not left_out:
        return command
    if any(field_specs(type(command))[name].unsaid == "what was declared" for name in left_out):
        return replace(command, **dict.fromkeys(left_out, changeable_declaration(state)))
    if not state.open_exchange:
        raise Refused(
            "no_such_exchange/nothing_open",
            deed=Term(_DEEDS.get(name_of(command), name_of(command))),
            fields=left_out,
        )
    if isinstance(command, Adjust):
        assert command.outcome is not None  # noqa: S101 - what leaves out its exchange is there
        return replace(command, outcome=replace(command.outcome, exchange=state.open_exchange))
    return replace(command, **dict.fromkeys(left_out, state.open_exchange))

"""The body of a request: its media type, its size, and its value as the endpoint declares it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from mam_events.archive.input_files import without_mark
from mam_events.commands import COMMANDS, Command, Open, read_command
from mam_events.deserializer import parse_json, read_as
from mam_events.errors import BadInput
from mam_events.notation.lexer.lexer import MAX_ORDERS
from mam_events.sanitize import clean_fields
from web.service.middleware import body_of
from web.service.problems import HttpError

if TYPE_CHECKING:
    from starlette.requests import Request

    from web.service.context import Settings
    from web.service.endpoints import EndpointSpec


def read_json(body: bytes) -> Any:
    """Return the body as plain values; raise BadInput for invalid JSON and for a field that occurs twice."""
    return parse_json(without_mark(body, "body"), place="body")


def read_body_text(body: bytes) -> str:
    """Return the body as text; raise BadInput if it is not UTF-8."""
    try:
        return without_mark(body, "body").decode()
    except UnicodeDecodeError:
        raise BadInput("This is not UTF-8 text.", place="body") from None


def read_body(kind: Any, body: bytes) -> Any:
    """Return the body as the endpoint declares it; raise BadInput that names the field."""
    return read_as(kind, read_json(body), place="body")


def read_orders(body: Any, most: int = MAX_ORDERS) -> list[Command]:
    """Return the orders of a body, one or a list; raise BadInput with the place of the first invalid one."""
    orders = body if isinstance(body, list) else [body]
    if not 0 < len(orders) <= most:
        count_text = "1 order" if most == 1 else f"1 to {most} orders in a list"
        raise BadInput(f"Send {count_text}, not {len(orders)}.", place="body")
    return [order_from_json(one, f"order {at}" if orders[1:] else "") for at, one in enumerate(orders, 1)]


def order_from_json(fields: Any, place: str) -> Command:
    """Return the order in a JSON object; raise BadInput if it is invalid."""
    if not isinstance(fields, Mapping):
        raise BadInput(
            'An order must be an object, like {"do": "end-turn", "combatant": "modre"}.', place=place or "body"
        )
    kind = COMMANDS.get(fields.get("do", "")) if isinstance(fields.get("do"), str) else None
    command = read_command(clean_fields(kind, fields) if kind else fields, place=place)
    if isinstance(command, Open) and place != "open":
        raise BadInput("Begin a fight with POST /encounters.", place=place or "body")
    return command


async def read_request_body(request: Request, spec: EndpointSpec, settings: Settings) -> Any:
    """Return the body of a request as the endpoint declares it.

    Raises HttpError for another media type or a body that is too long, and BadInput for an invalid one.
    """
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media not in spec.takes:
        code = "must_be_json" if spec.takes == ("application/json",) else "must_be_text"
        raise HttpError(415, code, f"Send this with Content-Type: {' or '.join(spec.takes)}.")
    body = await body_of(request, settings.import_body if spec.body is bytes else settings.body)
    if spec.body is bytes:
        return body
    if spec.body is str:
        return read_body_text(body)
    if spec.gives_orders:
        return read_orders(read_json(body))
    if spec.body is Command:
        return read_orders(read_json(body), most=1)
    return read_body(spec.body, body)

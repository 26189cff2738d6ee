"""The OpenAPI 3.1 description of all endpoints, built from the docstrings and types of endpoints, orders and events."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from types import UnionType
from typing import Any, get_args, get_origin

import msgspec

from mam_events.commands import COMMANDS, Command
from mam_events.deserializer import LEARNING
from mam_events.events import TYPES, Event
from mam_events.refusals.texts import refusals
from mam_events.schema import schema
from mam_events.values import CLEAN
from mam_events.version import __version__
from projections.rulings.order_result import RulingResult
from web.service.endpoints import ENDPOINTS, EndpointSpec
from web.service.problems import MEDIA, TITLES, Problem
from web.service.routes import load_routes

REF = "#/components/schemas/{name}"
NOTE_OPERATIONS = ("dispute", "answer", "decide", "note", "propose")
API_DESCRIPTION = """The combat log of a table: each action is an event; each ruling can be undone, replayed, audited.

Each write names the version you saw: `If-Match` with the newest ruling that you know (the `ETag` of any read). It also
has an `Idempotency-Key` of your own, so that an order sent again is written once. Requests from localhost need no token
and act as the game master. Others send `Authorization: Bearer mam_…`, the token that `mam token` made. No answer shows
what a token may not know."""
COMMON_STATUSES = (400, 401, 403, 404, 405, 406, 421, 429, 500, 503)


@cache
def build_openapi() -> dict[str, Any]:
    """Return the OpenAPI description: paths with real examples, orders and events distinguished by `do` and `topic`."""
    kinds = list(dict.fromkeys(kind for spec in ENDPOINTS for kind in _kinds(spec)))
    with LEARNING:
        refs, definitions = msgspec.json.schema_components([*kinds, *TYPES.values(), Problem], ref_template=REF)
    schemas: dict[str, Any] = dict(definitions)
    of_kind = dict(zip(kinds, refs, strict=False))
    of_event = dict(zip(TYPES.values(), refs[len(kinds) :], strict=False))
    _add_orders(schemas)
    _add_events(schemas, of_event)
    _add_codes(schemas)
    _convert(schemas)
    _convert(list(refs))
    paths: dict[str, Any] = {}
    tags = load_routes()
    for spec in sorted(ENDPOINTS, key=lambda spec: tags.index(_room(spec))):
        paths.setdefault(spec.path, {})[spec.method.lower()] = _operation(spec, of_kind)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "mam-events",
            "version": __version__,
            "description": API_DESCRIPTION,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "security": [{}, {"token": []}, {"cookie": []}],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "description": "The token that `mam token` made."},
                "cookie": {"type": "apiKey", "in": "cookie", "name": "mam"},
            },
        },
    }


def _kinds(spec: EndpointSpec) -> Iterator[Any]:
    """Yield the types that an endpoint takes and returns, except orders, which are described separately."""
    for kind in (spec.answer, *(() if spec.gives_orders else (spec.body,))):
        yield from (one for one in _members(kind) if one not in (None, bytes, str, Command))


def _members(kind: Any) -> Iterator[Any]:
    """Yield the types that need their own schemas: the members of a list or of an untagged union, or the type."""
    if get_origin(kind) is list and isinstance(get_args(kind)[0], UnionType):
        yield from _members(get_args(kind)[0])
    elif isinstance(kind, UnionType) and not all(one.__struct_config__.tag for one in get_args(kind)):
        yield from get_args(kind)
    else:
        yield kind


def _shape(kind: Any, refs: Mapping[Any, Any]) -> dict[str, Any]:
    """Return the schema of a type whose members are known."""
    if kind is bytes:
        return {"type": "string"}
    if kind in refs:
        shape: dict[str, Any] = refs[kind]
        return shape
    if get_origin(kind) is list:
        return {"type": "array", "items": _shape(get_args(kind)[0], refs)}
    return {"anyOf": [refs[one] for one in get_args(kind)]}


def _add_orders(schemas: dict[str, Any]) -> None:
    document = schema()
    defs = document["$defs"]
    # Prefix the names of orders, because events and answers may have the same ones.
    for name, part in defs.items():
        schemas[f"Order.{name}"] = _moved(part)
    names = {do: f"Order.{kind.__name__}" for do, kind in COMMANDS.items()}
    schemas["Order"] = {
        "title": "Order",
        "description": "An order; `do` is its name.",
        "oneOf": [{"$ref": REF.format(name=name)} for name in names.values()],
        "discriminator": {
            "propertyName": "do",
            "mapping": {do: REF.format(name=name) for do, name in names.items()},
        },
    }


def _moved(part: Any) -> Any:
    """Return a part of a schema with its references moved to the components."""
    if isinstance(part, Mapping):
        return {
            name: one.replace("#/$defs/", "#/components/schemas/Order.") if name == "$ref" else _moved(one)
            for name, one in part.items()
        }
    return [_moved(one) for one in part] if isinstance(part, list | tuple) else part


def _add_codes(schemas: dict[str, Any]) -> None:
    """Add the codes of refusals; a problem has one of these, or one of the service itself."""
    schemas["RefusalCode"] = {
        "type": "string",
        "enum": list(refusals()),
        "description": "The code of the error; docs/refusals.md lists them all.",
    }
    code = schemas[Problem.__name__]["properties"]["code"]
    schemas[Problem.__name__]["properties"]["code"] = {"anyOf": [{"$ref": REF.format(name="RefusalCode")}, code]}


def _add_events(schemas: dict[str, Any], refs: Mapping[type[Event], Any]) -> None:
    """Add a schema for each event, distinguished by its topic."""
    mapping = {}
    for kind, ref in refs.items():
        name = ref["$ref"].rpartition("/")[2]
        part = schemas[name]
        part["properties"] = {"topic": {"const": kind.topic}} | part["properties"]
        part["required"] = ["topic", *part.get("required", ())]
        mapping[kind.topic] = REF.format(name=name)
    schemas["Event"] = {
        "title": "Event",
        "description": "An event as it is stored; `topic` is its type.",
        "oneOf": [{"$ref": ref} for ref in mapping.values()],
        "discriminator": {"propertyName": "topic", "mapping": mapping},
    }
    events = schemas[RulingResult.__name__]["properties"]["events"]
    events["items"] = {"$ref": REF.format(name="Event")}


def _convert(part: Any) -> None:
    """Convert patterns to ECMAScript, and join the wrapped lines of docstrings in descriptions."""
    if isinstance(part, dict):
        if isinstance(part.get("pattern"), str):
            part["pattern"] = part["pattern"].replace(r"\Z", "$")
        if part.get("pattern") == CLEAN.replace(r"\Z", "$"):
            # The service accepts control characters in input, and removes them.
            del part["pattern"]
        if isinstance(part.get("items"), list | tuple):
            part["prefixItems"], part["items"] = part["items"], False
        if isinstance(part.get("description"), str):
            part["description"] = "\n\n".join(" ".join(one.split()) for one in part["description"].split("\n\n"))
        if part.get("format") == "decimal":
            part["type"] = ["number", "string"]
        for one in part.values():
            _convert(one)
    elif isinstance(part, list):
        for one in part:
            _convert(one)


def _operation(spec: EndpointSpec, refs: Mapping[Any, Any]) -> dict[str, Any]:
    writes = spec.kind == "write"
    operation: dict[str, Any] = {
        "operationId": spec.name,
        "summary": spec.summary,
        "description": "\n\n".join(filter(None, (spec.description, _WHO[spec.rank]))),
        "tags": [_room(spec)],
        "parameters": [*_path(spec), *_query(spec), *(_headers(spec) if writes else _reading(spec))],
        "responses": {str(spec.status): _answer(spec, refs), **_problems(spec)},
    }
    if spec.body is not None:
        operation["requestBody"] = {"required": True, "content": _body(spec, refs)}
    return operation


_WHO = {
    "anybody": "",
    "viewer": "For everybody who has a token.",
    "player": "For players and the game master.",
    "gm": "For the game master.",
}


def _room(spec: EndpointSpec) -> str:
    return spec.function.__module__.rpartition(".")[2]


def _path(spec: EndpointSpec) -> Iterator[dict[str, Any]]:
    for name in spec.names:
        shape: dict[str, Any] = {"type": "string"}
        if name in ("ruling", "dispute", "proposal"):
            shape = {"type": "integer", "minimum": 1, "maximum": 999_999_999}
        elif name == "encounter":
            shape = {"type": "string", "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$", "maxLength": 60}
        yield {"name": name, "in": "path", "required": True, "schema": shape} | _example(spec.example.path.get(name))


def _query(spec: EndpointSpec) -> Iterator[dict[str, Any]]:
    with LEARNING:
        (_,), parameters = msgspec.json.schema_components([spec.query], ref_template=REF)
    part = parameters[spec.query.__name__]
    _convert(part)
    for name, shape in part["properties"].items():
        described_as = shape.pop("description", "")
        extra = {"description": described_as} if described_as else {}
        yield {"name": name, "in": "query", "schema": shape} | extra | _example(spec.example.query.get(name))


def _example(value: str | None) -> dict[str, Any]:
    if value is None:
        return {}
    return {"example": int(value) if re.fullmatch("[0-9]+", value) else value}


def _headers(spec: EndpointSpec) -> Iterator[dict[str, Any]]:
    optional = spec.gives_orders
    if spec.body is not bytes:
        yield {
            "name": "Idempotency-Key",
            "in": "header",
            "required": not optional,
            "description": "An id of your own. The same id and body sent again is written once.",
            "schema": {"type": "string", "minLength": 1, "maxLength": 100},
        }
    if "{encounter}" in spec.path:
        star = ", or `*`" if spec.name in NOTE_OPERATIONS else ""
        yield {
            "name": "If-Match",
            "in": "header",
            "required": not optional,
            "description": f"The newest ruling that you know, in quotes{star}.",
            "schema": {"type": "string", "pattern": '^("[0-9]{1,9}"|\\*)$' if star else '^"[0-9]{1,9}"$'},
        }


def _reading(spec: EndpointSpec) -> Iterator[dict[str, Any]]:
    if spec.kind == "look":
        yield {
            "name": "If-None-Match",
            "in": "header",
            "description": "The ETag that you have. If nothing was written since, the answer is 304.",
            "schema": {"type": "string"},
        }
    if spec.kind == "stream":
        yield {
            "name": "Last-Event-ID",
            "in": "header",
            "description": "The ruling that you saw last.",
            "schema": {"type": "string", "pattern": "^[0-9]{1,9}$"},
        }


def _answer(spec: EndpointSpec, refs: Mapping[Any, Any]) -> dict[str, Any]:
    shape = _shape(spec.answer, refs)
    answers: dict[str, Any] = {
        "description": spec.summary,
        "content": {media.partition(";")[0]: {"schema": shape} for media in spec.media},
    }
    tag = {"description": "The newest ruling, in quotes.", "schema": {"type": "string"}}
    if spec.kind in ("look", "write") and spec.body is not bytes:
        answers["headers"] = {"ETag": tag}
    return answers


def _problems(spec: EndpointSpec) -> dict[str, Any]:
    codes = [*COMMON_STATUSES, *((409, 413, 415, 422) if spec.method == "POST" else (409, 422))]
    if spec.kind == "write" and "{encounter}" in spec.path:
        codes += [412, 428]
    responses: dict[str, Any] = {
        str(code): {
            "description": TITLES[code],
            "content": {MEDIA: {"schema": {"$ref": REF.format(name=Problem.__name__)}}},
        }
        for code in sorted(codes)
    }
    if spec.kind == "look":
        responses["304"] = {"description": "Nothing was written since."}
    return responses


def _body(spec: EndpointSpec, refs: Mapping[Any, Any]) -> dict[str, Any]:
    order = {"$ref": REF.format(name="Order")}
    if spec.body in (bytes, str):
        example = {"example": spec.example.body} if spec.example.body is not None else {}
        return {spec.takes[0]: {"schema": {"type": "string"}} | example}
    if spec.body is Command:
        shape: Any = order
    elif spec.gives_orders:
        shape = {"oneOf": [order, {"type": "array", "items": order, "minItems": 1, "maxItems": 100}]}
    else:
        shape = refs[spec.body]
    example = {"example": spec.example.body} if spec.example.body is not None else {}
    return {"application/json": {"schema": shape} | example}

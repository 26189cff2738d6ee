"""Authentication: a token in a header, or a cookie that a page got for the token in its link."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

import msgspec
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from mam_events.errors import MamError
from web.service.middleware import FOREIGN, RateLimiter, address_of, body_of, is_local
from web.service.openapi import build_openapi
from web.service.principal import ANONYMOUS, LOCAL_GM, Principal
from web.service.problems import HttpError, problem_of, response_of
from web.service.request import check_rank
from web.service.request_body import read_body

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import Request

    from web.service.context import ServiceContext
    from web.service.endpoints import EndpointSpec
    from web.service.metrics import Metrics

COOKIE = "mam"
PAGES_AT = {"/": "index.html", "/reference": "reference.html"}
START_PAGES = {
    "index.html": "text/html",
    "reference.html": "text/html",
    "start.js": "text/javascript",
    "reference.js": "text/javascript",
    "start.css": "text/css",
    "tokens.css": "text/css",
}
START_PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
MAX_TOKEN_LENGTH = 1024
A_DAY = 24 * 3600


class LoginForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The token that follows the # of a link."""

    token: str


def token_from(request: Request) -> str:
    """Return the token of a request, from `Authorization: Bearer …` or from the cookie; "" if it has none."""
    header = request.headers.get("authorization", "")
    if header:
        kind, _, words = header.partition(" ")
        if kind.lower() != "bearer":
            challenge = {"WWW-Authenticate": "Bearer"}
            raise HttpError(401, "unknown_token", "Send the token as `Authorization: Bearer mam_…`.", challenge)
        # An empty token is invalid, and not the same as no token.
        return words.strip() or "-"
    return request.cookies.get(COOKIE, "")


async def authenticate(request: Request, service: ServiceContext, rates: RateLimiter) -> tuple[Principal, str]:
    """Return the principal, and whom the request counts against: a token, an address, or "" for this machine.

    Raises HttpError for an unknown token, which counts against its address, and for too many requests.
    """
    address = address_of(request.scope, passed_on=service.settings.passed_on)
    who = ANONYMOUS
    if not request.scope[FOREIGN]:
        try:
            here = is_local(request.scope, service.settings.own_hosts)
            who = await service.principal_of(token_from(request), at_this_machine=here)
        except HttpError:
            rates.take(address)
            raise
    payer = "" if who is LOCAL_GM else who.token or address
    if payer:
        rates.take(payer)
    return who, payer


async def authenticate_for(
    request: Request, service: ServiceContext, spec: EndpointSpec, rates: RateLimiter
) -> tuple[Principal, str]:
    """Return the principal as they are in the encounter of the path, and whom the request counts against.

    Raises HttpError as `authenticate` does, and if the principal may not call the endpoint.
    """
    who, payer = await authenticate(request, service, rates)
    encounter = request.path_params.get("encounter", "")
    try:
        if encounter:
            who = await service.principal_in(who, encounter)
        check_rank(who, spec, encounter)
    except HttpError:
        # A token for another fight doesn't exclude its owner from what everybody may see.
        if not (spec.public and await service.is_shown(encounter)):
            raise
        who = Principal("viewer", encounter=encounter)
    return who, payer


async def begin_session(request: Request) -> Response:
    """Store the token of a link in a cookie that no script can read and no other page sends."""
    service: ServiceContext = request.app.state.service
    try:
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            raise HttpError(415, "must_be_json", "Send this with Content-Type: application/json.")
        address = address_of(request.scope, passed_on=service.settings.passed_on)
        request.app.state.rates.take(f"session {address}")
        form: LoginForm = read_body(LoginForm, await body_of(request, MAX_TOKEN_LENGTH))
        await service.principal_of(form.token or "-", at_this_machine=False)
    except MamError as error:
        return response_of(problem_of(error, request.url.path), getattr(error, "headers", None))
    response = Response(status_code=204)
    secure = service.settings.secure
    response.set_cookie(COOKIE, form.token, max_age=30 * A_DAY, secure=secure, httponly=True, samesite="strict")
    return response


async def end_session(request: Request) -> Response:
    """Delete the cookie."""
    response = Response(status_code=204)
    response.delete_cookie(COOKIE, secure=request.app.state.service.settings.secure, httponly=True, samesite="strict")
    return response


async def openapi(request: Request) -> Response:
    """Return the OpenAPI description of all endpoints."""
    return _unchanging(request, _description(), "application/json", {})


@cache
def _description() -> bytes:
    return msgspec.json.encode(build_openapi())


@cache
def _file(name: str) -> bytes:
    """Return a file of the pages, read once, because a descriptor may not be free later."""
    folder = files("web") if name == "tokens.css" else files("web").joinpath("start")
    return folder.joinpath(name).read_bytes()


def _unchanging(request: Request, body: bytes, media: str, headers: Mapping[str, str]) -> Response:
    """Return an answer that stays the same while the service runs, or 304 if the client has it already.

    The request counts against the client's address.
    """
    try:
        request.app.state.rates.take(address_of(request.scope, passed_on=request.app.state.service.settings.passed_on))
    except MamError as error:
        return response_of(problem_of(error, request.url.path))
    tag = f'"{_tag(body)}"'
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers={"ETag": tag, **headers})
    return Response(body, headers={"ETag": tag, **headers}, media_type=media)


@cache
def _tag(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()[:16]


async def metrics(request: Request) -> Response:
    """Return the counters of the service in the Prometheus format, to the game master only."""
    service: ServiceContext = request.app.state.service
    try:
        who, _ = await authenticate(request, service, request.app.state.rates)
        if not who.has_rank("gm") or who.encounter:
            raise HttpError(403, "forbidden", "Only a game master of all encounters may see this.")
    except MamError as error:
        return response_of(problem_of(error, request.url.path), getattr(error, "headers", None))
    measures: Metrics = request.app.state.measures
    return measures.response(service)


async def page(request: Request) -> Response:
    """Return the start page, the API reference, or a file that they load."""
    name = request.path_params.get("name") or PAGES_AT.get(request.url.path, "")
    if name not in START_PAGES:
        raise HTTPException(404)
    return _unchanging(request, _file(name), START_PAGES[name], {"Content-Security-Policy": START_PAGE_POLICY})


LOGIN_ROUTES = [
    *(Route(path, page) for path in PAGES_AT),
    Route("/pages/{name}", page),
    Route("/session", begin_session, methods=["POST"]),
    Route("/session", end_session, methods=["DELETE"]),
    Route("/openapi.json", openapi),
    Route("/metrics", metrics),
]

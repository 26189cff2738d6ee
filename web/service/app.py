"""The application: each endpoint as a route that is run where it belongs and answers with its version or an error."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from time import perf_counter
from typing import Any, TypeVar

import msgspec
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from mam_events.errors import MamError, NotFound, VersionConflict
from mam_events.history.timeline.timeline import Timeline
from mam_events.log.combat_log import CombatLog
from projections.rulings.order_result import ruling_results
from projections.rulings.related_rulings import rulings_since
from web.service.answer_bytes import encode, encode_answer, encode_view
from web.service.context import CachedAnswer, ServiceContext, Settings
from web.service.endpoints import ENDPOINTS, EndpointSpec, NoQuery
from web.service.login import LOGIN_ROUTES, authenticate_for
from web.service.metrics import Metrics
from web.service.middleware import RateLimiter, SecurityMiddleware
from web.service.problems import HttpError, Problem, ProblemHint, problem_of, response_of
from web.service.request import RequestContext, read_command_id, read_expected, read_query
from web.service.request_body import read_request_body
from web.service.routes import load_routes

load_routes()
_log = logging.getLogger(__name__)
T = TypeVar("T")
_nothing = NoQuery()


@dataclass
class _RequestState:
    """All that is known of a request when an error is raised."""

    context: RequestContext | None = None


class Endpoint:
    """One endpoint as an ASGI application."""

    def __init__(self, spec: EndpointSpec, service: ServiceContext, rates: RateLimiter, measures: Metrics) -> None:
        self._spec = spec
        self._service = service
        self._rates = rates
        self._measures = measures

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        began, request_state = perf_counter(), _RequestState()
        request = Request(scope, receive)
        try:
            response = await self._answer(request, request_state)
        except MamError as error:
            response = await self._refused(error, request, request_state)
        except ClientDisconnect:
            return
        except Exception:  # noqa: BLE001 - no traceback reaches a user
            _log.exception("the service failed at %s", self._spec.name)
            failed = HttpError(500, "internal", "The service itself failed, and nothing more was written.")
            response = response_of(problem_of(failed, request.url.path))
        self._measures.count_request(self._spec.name, response.status_code, perf_counter() - began)
        await response(scope, receive, send)

    async def _answer(self, request: Request, request_state: _RequestState) -> Response:
        spec, service = self._spec, self._service
        who, payer = await authenticate_for(request, service, spec, self._rates)
        query = (
            read_query(spec.query, request.query_params.multi_items())
            if request.scope["query_string"] or _requires_query(spec.query)
            else spec.query()
        )
        context = request_state.context = RequestContext(
            service, who, request.path_params, query, looks=spec.kind in ("look", "write", "stream"), payer=payer
        )
        if _is_cached(spec) and (cached := service.cached(_key(spec, context))) is not None:
            return (
                _respond_or_unchanged(request, cached.number, cached.body)
                if spec.kind == "look"
                else _respond(spec, cached.body)
            )
        if spec.method == "GET":
            return await self._read(request, context)
        return await self._write(request, request_state)

    async def _read(self, request: Request, context: RequestContext) -> Response:
        spec, service = self._spec, self._service
        if spec.kind == "stream":
            accept = request.headers.get("accept", "")
            streamed: Response = await spec.function(context, accept, request.headers.get("last-event-id"))
            return streamed
        mark = service.mark() if _is_cached(spec) else None
        if spec.kind == "look":
            number, body = await self._computed(request, encode_view, context)
        else:
            number, body = 0, await self._computed(request, encode_answer, context)
        if mark is not None:
            service.keep(_key(spec, context), CachedAnswer(mark, number, body))
        return _respond_or_unchanged(request, number, body) if spec.kind == "look" else _respond(spec, body)

    async def _computed(self, request: Request, work: Callable[..., Any], context: RequestContext) -> Any:
        """Return the result of `work(context, …)`, computed where such endpoints run."""
        spec, service = self._spec, self._service
        if is_expensive(spec, context.query):
            return await cancel_on_disconnect(request, service.pool.run(work, context, spec.function))
        if spec.kind == "work":
            return await service.run_work(lambda: work(context, spec.function))
        return await service.run_read(lambda: work(context, spec.function))

    async def _write(self, request: Request, request_state: _RequestState) -> Response:
        spec, service, context = self._spec, self._service, request_state.context
        assert context is not None  # noqa: S101 - it was just made
        body = await read_request_body(request, spec, service.settings)
        context = request_state.context = msgspec.structs.replace(context, body=body)
        if spec.kind == "work":
            return _respond(spec, await self._computed(request, encode_answer, context))
        if getattr(context.query, "dry_run", False):
            return _respond(
                spec, await cancel_on_disconnect(request, service.pool.run(encode_answer, context, spec.function))
            )
        headers = request.headers
        key = read_command_id(headers.get("idempotency-key"), context.who)
        if context.encounter:
            expected = read_expected(headers.get("if-match"), free=not spec.conditional)
            context = request_state.context = msgspec.structs.replace(context, key=key, expected=expected)
        else:
            context = request_state.context = msgspec.structs.replace(context, key=key)
        # A game master's writes count against no limit.
        payer = "" if context.who.has_rank("gm") else context.payer
        result = await service.run_write(lambda: spec.function(context), *_written_to(context), payer=payer)
        service.feed.wake(set(_written_to(context)))
        self._measures.count_write(result)
        return _respond_to_write(spec, result)

    async def _refused(self, error: MamError, request: Request, request_state: _RequestState) -> Response:
        problem = problem_of(error, request.url.path)
        context = request_state.context
        if context is not None and context.encounter and not isinstance(error, HttpError):
            problem = await self._service.run_read(lambda: _redacted(problem, error, context))
        return response_of(problem, getattr(error, "headers", None))


class Resource:
    """All endpoints with the same path."""

    def __init__(self, methods: Mapping[str, Endpoint]) -> None:
        self._methods = methods

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; the server leaves out the body of an answer to HEAD."""
        method = scope["method"]
        await self._methods["GET" if method == "HEAD" else method](scope, receive, send)


@cache
def _requires_query(query: type[msgspec.Struct]) -> bool:
    """Return True if the query has a required field."""
    return any(field.required for field in msgspec.structs.fields(query))


def is_expensive(spec: EndpointSpec, query: Any) -> bool:
    """Return True if a request takes longer the longer the fight is, as each past moment does."""
    return spec.expensive or bool(getattr(query, "at", ""))


def _is_cached(spec: EndpointSpec) -> bool:
    """Return True if answers are cached: they stay the same until something is written, and many may ask for them."""
    return spec.kind == "look" or spec.public


def _key(spec: EndpointSpec, context: RequestContext) -> tuple[Any, ...]:
    """Return the cache key of an answer: the request as it was parsed, however it was spelled."""
    return (
        spec.name,
        *context.path.values(),
        context.query,
        context.who.rank,
        context.who.combatants,
        bool(context.who.token),
    )


async def cancel_on_disconnect(request: Request, computing: Coroutine[Any, Any, T]) -> T:
    """Return the computed result; cancel the work and raise ClientDisconnect once the client has left."""
    task, disconnect = asyncio.ensure_future(computing), asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait({task, disconnect}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise ClientDisconnect
        return task.result()
    finally:
        task.cancel()
        disconnect.cancel()


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _respond_or_unchanged(request: Request, number: int, body: bytes) -> Response:
    """Return the answer, or 304 if the client has it already."""
    tag = f'"{number}"'
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers={"ETag": tag})
    return Response(body, headers={"ETag": tag}, media_type="application/json")


def _respond(spec: EndpointSpec, body: bytes) -> Response:
    headers = {"Content-Security-Policy": PAGE_FRAME_POLICY} if spec.media[0].startswith("text/html") else None
    return Response(body, spec.status, headers, media_type=spec.media[0])


PAGE_FRAME_POLICY = "frame-ancestors 'none'"
"""The content security policy in the header of a replay page, in addition to the one in the page."""


def _respond_to_write(spec: EndpointSpec, result: Any) -> Response:
    headers = {}
    if (version := getattr(result, "version", None)) is not None:
        headers["ETag"] = f'"{version}"'
    if getattr(result, "repeated", False):
        headers["Idempotency-Replayed"] = "true"
    if spec.status == 201:  # noqa: PLR2004 - created
        headers["Location"] = f"/encounters/{result.encounter}"
    return Response(encode(result), spec.status, headers, media_type="application/json")


def _written_to(context: RequestContext) -> tuple[str, ...]:
    """Return the encounters that a request writes to."""
    name = getattr(context.body, "encounter", "") or getattr(context.query, "encounter", "")
    return tuple(dict.fromkeys(filter(None, (context.encounter, name))))


def _redacted(problem: Problem, error: MamError, context: RequestContext) -> Problem:
    """Return the problem as this principal may see it; after a version conflict also what the others wrote."""

    def at(timeline: Timeline) -> Problem:
        viewer = context.own_viewer(timeline)
        visible = problem
        if not (viewer.is_master or error.as_known):
            visible = msgspec.structs.replace(
                problem,
                detail=viewer.error_sentence(error),
                allowed=viewer.allowed(error),
                hints=tuple(ProblemHint(hint.order, dict(hint.values)) for hint in viewer.hints(error)),
            )
        if known_as := viewer.find_id(error):
            visible = msgspec.structs.replace(visible, detail=f"{visible.detail} {known_as}")
        if isinstance(error, VersionConflict):
            number = timeline.number if context.expected is None else context.expected
            recent = rulings_since(timeline, number, MISSED_LIMIT)
            missed = [one for one in recent if one.number > number]
            rows = ruling_results(missed, viewer.redactor, recent) if missed else []
            visible = msgspec.structs.replace(
                visible, version=timeline.number, missed=tuple(msgspec.Raw(encode(one)) for one in rows)
            )
        return visible

    try:
        return context.log.look(context.encounter, at)
    except NotFound:
        if context.who.has_rank("gm"):
            return problem
        # Don't reveal other encounters either.
        detail = f'There is no encounter "{context.encounter}" yet.'
        return msgspec.structs.replace(problem, detail=detail, allowed=())
    except MamError:
        return problem


MISSED_LIMIT = 100
"""The maximum number of missed rulings in a problem."""


def application(log: CombatLog, settings: Settings) -> Starlette:
    """Return the service for that log; its service context is `app.state.service`."""
    service, measures = ServiceContext(log, settings), Metrics()
    rates = RateLimiter(settings.rate, settings.burst)

    @asynccontextmanager
    async def life(_: Starlette) -> AsyncIterator[None]:
        await service.open()
        try:
            yield
        finally:
            await service.close()

    endpoints_by_path: dict[str, dict[str, Endpoint]] = {}
    for spec in _most_called_first():
        endpoints_by_path.setdefault(spec.path, {})[spec.method] = Endpoint(spec, service, rates, measures)
    routes = [Route(path, Resource(methods), methods=list(methods)) for path, methods in endpoints_by_path.items()]
    app = Starlette(routes=[*routes, *LOGIN_ROUTES], lifespan=life)
    # Redirects would lead to http://, even behind a proxy that speaks HTTPS.
    app.router.redirect_slashes = False
    app.state.service, app.state.measures, app.state.rates = service, measures, rates
    app.add_exception_handler(404, _unknown_path)
    app.add_exception_handler(405, _wrong_method)
    app.add_middleware(SecurityMiddleware, settings=settings)
    return app


def _most_called_first() -> list[EndpointSpec]:
    """Return all endpoints, those that are called most first."""
    hot = ("pools", "order", "state", "stream", "legal")
    return sorted(ENDPOINTS, key=lambda one: one.name not in hot)


async def _unknown_path(request: Request, _: Exception) -> Response:
    error = HttpError(404, "not_found", f"There is nothing at {request.url.path}. See GET /openapi.json for all calls.")
    return response_of(problem_of(error, request.url.path))


async def _wrong_method(request: Request, error: Exception) -> Response:
    headers = getattr(error, "headers", None) or {}
    allowed = headers.get("Allow", "")
    problem = HttpError(405, "wrong_method", f"Method {request.method} is not allowed here. Use {allowed}.", headers)
    return response_of(problem_of(problem, request.url.path), headers)

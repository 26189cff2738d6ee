"""The security middleware: it checks host and origin, limits requests, and sets safe headers."""

from __future__ import annotations

import ipaddress
import logging
import re
from collections import OrderedDict
from functools import cache
from time import monotonic
from typing import TYPE_CHECKING

from starlette.requests import ClientDisconnect, Request

from mam_events.errors import BadInput
from web.service.endpoints import ENDPOINTS
from web.service.problems import HttpError, problem_of, response_of

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from web.service.context import Settings

PROXY_HEADERS = frozenset({b"forwarded", b"x-forwarded-for", b"x-forwarded-host", b"x-real-ip", b"via"})
"""Headers that a proxy adds. With any of them, the client need not be on this machine."""
HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
]
FOR_ANYBODY = [
    *(one for one in HEADERS if one[0] != b"cross-origin-resource-policy"),
    (b"cross-origin-resource-policy", b"cross-origin"),
    (b"access-control-allow-origin", b"*"),
    (b"access-control-expose-headers", b"ETag"),
]
ONCE = frozenset(
    {b"host", b"origin", b"authorization", b"content-type", b"if-match", b"idempotency-key", b"last-event-id"}
)
"""Headers that may occur only once, because programs differ in which of two they use."""
FOREIGN = "mam.foreign"
"""The mark of a request from a page of another origin, which carries no user's rights."""
DEFAULT_CSP = b"default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
KNOWN = 10_000
LONGEST_ADDRESS = 64
_log = logging.getLogger(__name__)


class SecurityMiddleware:
    """Middleware that lets through requests to this host from its own pages, and sets safe headers on each answer."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let one request through, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        foreign = scope[FOREIGN] = self._is_foreign(headers)
        is_public_view = foreign and self._is_public(scope)

        async def safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = message["headers"] = list(message.get("headers", ()))
                header_names = {name for name, _ in headers}
                headers += FOR_ANYBODY if is_public_view else HEADERS
                if b"content-security-policy" not in header_names:
                    headers.append((b"content-security-policy", DEFAULT_CSP))
                if b"cache-control" not in header_names:
                    headers.append((b"cache-control", b"private, no-cache"))
                headers.append((b"vary", b"Authorization, Cookie, Accept, Origin"))
            await send(message)

        refused = self._refused(scope, headers, foreign=foreign and not is_public_view)
        if refused is not None:
            await response_of(problem_of(refused, scope["path"]))(scope, receive, safely)
            return
        try:
            await self._app(scope, receive, safely)
        except ClientDisconnect:
            return
        except Exception:  # noqa: BLE001 - no traceback reaches a user
            _log.exception("the service failed at %s", scope["path"])
            failed = HttpError(500, "internal", "The service itself failed, and nothing more was written.")
            await response_of(problem_of(failed, scope["path"]))(scope, receive, safely)

    def _is_foreign(self, headers: dict[bytes, bytes]) -> bool:
        origin = headers.get(b"origin")
        return origin is not None and origin.decode("latin-1").lower() not in self._settings.origins

    def _is_public(self, scope: Scope) -> bool:
        """Return True if anybody may read this path and the service shows closed fights to everybody."""
        return self._settings.public_replays and scope["method"] in ("GET", "HEAD") and is_public(scope["path"])

    def _refused(self, scope: Scope, headers: dict[bytes, bytes], *, foreign: bool) -> HttpError | None:
        names = [name for name, _ in scope["headers"] if name in ONCE]
        if len(names) > len({*names}):
            twice = next(name for name in names if names.count(name) > 1).decode()
            return HttpError(400, "header_twice", f"{twice} is sent twice. Send it once.")
        host = headers.get(b"host", b"").decode("latin-1").lower()
        if host not in self._settings.hosts:
            hosts = ", ".join(sorted(self._settings.hosts))
            return HttpError(421, "wrong_host", f'This service is not called "{host[:80]}". It is called {hosts}.')
        if foreign:
            return HttpError(403, "wrong_origin", "Pages from another origin may not use this service.")
        return None


def is_public(path: str) -> bool:
    """Return True for the path of an endpoint that anybody may call for a closed fight."""
    return any(pattern.fullmatch(path) for pattern in _public())


@cache
def _public() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(one.path))) for one in ENDPOINTS if one.public)


def is_local(scope: Scope, own_hosts: frozenset[str]) -> bool:
    """Return True if the client is on this machine: no proxy is in between, and the host is one of `own_hosts`.

    Any other host name could be claimed by somebody in the network, who could then lead a browser here with it.
    """
    client, headers = scope.get("client"), dict(scope["headers"])
    if client is None or PROXY_HEADERS & {*headers}:
        return False
    if headers.get(b"host", b"").decode("latin-1").lower() not in own_hosts:
        return False
    try:
        return ipaddress.ip_address(client[0]).is_loopback
    except ValueError:
        return False


def address_of(scope: Scope, *, passed_on: bool) -> str:
    """Return the client's address; behind a proxy, the one that the proxy reports."""
    values = [value for name, value in scope["headers"] if name == b"x-forwarded-for"] if passed_on else []
    # The proxy appends the address that it saw; clients can forge everything before it.
    last = values[-1].decode("latin-1").rpartition(",")[2].strip() if values else ""
    client = scope.get("client")
    return last[:LONGEST_ADDRESS] or (client[0] if client else "?")


class RateLimiter:
    """A rate limiter with a token bucket for each caller: `rate` requests a second, `burst` at once."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate = rate
        self._burst = burst
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, who: str) -> None:
        """Count one request; raise HttpError if there were too many."""
        now = monotonic()
        tokens, since = self._left.pop(who, (self._burst, now))
        tokens = min(self._burst, tokens + (now - since) * self._rate) - 1
        self._left[who] = (max(tokens, 0), now)
        while len(self._left) > KNOWN:
            self._left.popitem(last=False)
        if tokens < 0:
            raise HttpError(429, "too_many", f"More than {self._rate:g} requests a second. Wait a moment.")


async def body_of(request: Request, limit: int) -> bytes:
    """Return the body of a request; raise HttpError if it is longer than `limit` bytes."""
    content_length = request.headers.get("content-length", "")
    if content_length and not content_length.isdecimal():
        raise BadInput("This must be a number.", place="Content-Length")
    parts, size = [], 0
    if int(content_length or 0) <= limit:
        async for part in request.stream():
            size += len(part)
            if size > limit:
                break
            parts.append(part)
        else:
            return b"".join(parts)
    raise HttpError(413, "too_large", f"A body has at most {limit} bytes here.", {"Connection": "close"})

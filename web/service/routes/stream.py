"""The endpoint that streams new rulings, as server-sent events or as lines, from any ruling on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Annotated, Any

import msgspec
from msgspec import Meta
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from mam_events.errors import BadInput, MamError
from mam_events.history.timeline.timeline import Timeline
from projections.rulings.order_result import RulingResult, ruling_results
from projections.rulings.related_rulings import rulings_since
from web.service.endpoints import Example, endpoint
from web.service.problems import HttpError
from web.service.request import RequestContext
from web.service.routes.commands import DUEL
from web.service.routes.transfer import NDJSON
from web.service.routes.views import ViewQuery

SSE = "text/event-stream"
INLINE_LIMIT = 100
"""The most new rulings that are encoded here; more of them are a long computation."""
BATCH_SIZE = 1000
"""The most rulings that are encoded at a time."""
EncodedRulings = tuple[int, list[tuple[int, bytes]]]
"""The newest ruling, and some rulings by number as JSON."""
RETRY_MILLISECONDS = 1000
"""The milliseconds after which a browser reconnects."""


class StreamQuery(ViewQuery, frozen=True):
    """The ruling after which the stream begins; `Last-Event-ID` takes precedence."""

    after: Annotated[int, Meta(ge=0, le=999_999_999)] = 0


@endpoint(
    "GET /encounters/{encounter}/events/stream",
    "stream",
    answer=RulingResult,
    query=StreamQuery,
    media=(SSE, NDJSON),
    example=Example(path=DUEL, query={"after": "0"}),
)
async def stream(context: RequestContext, accept: str, last: str | None) -> StreamingResponse:
    """Stream all rulings after that one as they come: `event: ruling` with its number as id.

    A correction shows how it changed other rulings. With `Accept: application/x-ndjson` the stream has the same as
    lines. `event: reset` means that the log does not have the ruling that you saw last: begin again. A comment comes
    every 15 seconds.
    """
    lines = NDJSON in accept and SSE not in accept
    after = context.query.after
    if last:
        if not last.isascii() or not last.isdecimal() or len(last) > 9:  # noqa: PLR2004 - as long as any number
            raise BadInput("This must be the number of a ruling.", place="Last-Event-ID")
        after = int(last)
    # Refuse callers who may not read the fight before the stream begins.
    await context.service.run_read(lambda: context.log.look(context.encounter, context.viewer))
    settings, feed = context.service.settings, context.service.feed
    own = feed.of(context.payer) if context.payer else 0
    if feed.open >= settings.streams_in_all or own >= settings.streams:
        raise HttpError(429, "too_many_streams", "Too many streams are open. Close one.")
    media = NDJSON if lines else SSE
    # The stream counts from here on. Nothing is awaited since the check, so the limit holds.
    comes = feed.waiting_for(context.encounter, context.payer)
    return Stream(
        _messages(context, after, comes, lines=lines),
        media_type=media,
        headers={"X-Accel-Buffering": "no"},
        leave=lambda: feed.leave(context.encounter, context.payer, comes),
    )


class Stream(StreamingResponse):
    """A stream that calls `leave` at its end, however it ends; a HEAD request gets only the headers."""

    def __init__(self, content: AsyncIterator[bytes], *, leave: Callable[[], None], **more: Any) -> None:
        super().__init__(content, **more)
        self._leave = leave

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the stream."""
        try:
            if scope["method"] == "HEAD":
                await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
                await send({"type": "http.response.body"})
            else:
                await super().__call__(scope, receive, send)
        finally:
            self._leave()


async def _messages(context: RequestContext, after: int, comes: asyncio.Event, *, lines: bool) -> AsyncIterator[bytes]:
    service = context.service
    if not lines:
        yield f"retry: {RETRY_MILLISECONDS}\n\n".encode()
    while not service.feed.ended:
        comes.clear()
        try:
            newest, rulings = await _next(context, after)
            if not await service.is_still_valid(context.who):
                return
        except MamError:
            # The store is unavailable; the stream continues once it is back.
            newest, rulings = after, []
        if newest < after:
            yield b'{"reset":true}\n' if lines else b"event: reset\ndata: {}\n\n"
            after = 0
            continue
        for number, body in rulings:
            yield body + b"\n" if lines else b"id: %d\nevent: ruling\ndata: %b\n\n" % (number, body)
            after = number
        if after < newest:
            continue
        try:
            await asyncio.wait_for(comes.wait(), service.settings.heartbeat)
        except TimeoutError:
            yield b"\n" if lines else b":\n\n"


async def _next(context: RequestContext, after: int) -> EncodedRulings:
    """Return the newest ruling, and those after `after` as JSON; equal requests at the same time share the work."""
    key = ("stream", context.encounter, context.who.rank, context.who.combatants, context.query.view, after)
    newest, rulings = await context.service.shared(
        key, lambda: context.service.run_read(lambda: encode_next_rulings(context, after, INLINE_LIMIT))
    )
    if after < newest and not rulings:
        # Shared only by requests of this payer, because it counts against their limit.
        newest, rulings = await context.service.shared(
            (*key, context.payer), lambda: context.service.pool.run(encode_next_rulings, context, after)
        )
    return newest, rulings


def encode_next_rulings(context: RequestContext, after: int, most: int | None = None) -> EncodedRulings:
    """Return the newest ruling, and the next ones after `after` as JSON; none if there are more than `most`."""

    def at(timeline: Timeline) -> EncodedRulings:
        if after >= timeline.number or (most is not None and timeline.number - after > most):
            return timeline.number, []
        about = rulings_since(timeline, after)
        rulings_sent = [ruling for ruling in about if after < ruling.number <= after + BATCH_SIZE]
        results = ruling_results(rulings_sent, context.viewer(timeline).redactor, about)
        return timeline.number, [(one.number, msgspec.json.encode(one)) for one in results]

    return context.log.look(context.encounter, at)

"""The log as it grows: rulings as server-sent events or as lines, from any ruling on, while somebody listens."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta
from starlette.responses import StreamingResponse

from mam_events.errors import BadInput, MamError
from web.service.calls import Example, call
from web.service.moving import NDJSON
from web.service.ordering import DUEL
from web.service.problems import HttpError
from web.service.reading import View
from web.service.telling import RulingTold, since, told_rulings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from mam_events.rulings.timeline import Timeline
    from web.service.asking import Ask

SSE = "text/event-stream"
AT_ONCE = 100
"""So many rulings are told at a time."""
RETRY = 1000
"""Milliseconds after which a browser comes back."""


class Following(View, frozen=True):
    """Behind which ruling to begin; `Last-Event-ID` says the same, and counts for more."""

    after: Annotated[int, Meta(ge=0)] = 0


@call(
    "GET /encounters/{encounter}/events/stream",
    "stream",
    answer=RulingTold,
    query=Following,
    media=(SSE, NDJSON),
    example=Example(path=DUEL, query={"after": "0"}),
)
async def stream(ask: Ask, accept: str, last: str | None) -> StreamingResponse:
    """Every ruling as it comes, from that one on: `event: ruling` with its number as id.

    A correction tells what it made of others. With `Accept: application/x-ndjson` the same as lines. `event: reset`
    says that the log does not have the ruling that you saw last: begin anew. A comment comes every 15 seconds.
    """
    lines = NDJSON in accept and SSE not in accept
    after = ask.query.after
    if last:
        if not last.isascii() or not last.isdecimal() or len(last) > 9:  # noqa: PLR2004 - as long as any number
            raise BadInput("this is the number of a ruling.", place="Last-Event-ID")
        after = int(last)
    # Whoever may not look is told so before the stream begins.
    await ask.desk.reading(lambda: ask.log.look(ask.encounter, ask.seat))
    settings, feed = ask.desk.settings, ask.desk.feed
    own = feed.of(ask.who.token) if ask.who.token else 0
    if feed.open >= settings.streams_in_all or own >= settings.streams:
        raise HttpError(429, "too_many_streams", "So many streams are open already; close one.")
    media = NDJSON if lines else SSE
    return StreamingResponse(_told(ask, after, lines=lines), media_type=media, headers={"X-Accel-Buffering": "no"})


async def _told(ask: Ask, after: int, *, lines: bool) -> AsyncIterator[bytes]:
    desk = ask.desk
    comes = desk.feed.waiting_for(ask.encounter, ask.who.token)
    try:
        if not lines:
            yield f"retry: {RETRY}\n\n".encode()
        while not desk.feed.ended:
            comes.clear()
            try:
                newest, found = await _next(ask, after)
            except MamError:
                # The store is gone for a while; whoever listens is told once it is back.
                newest, found = after, []
            if newest < after:
                yield b'{"reset":true}\n' if lines else b"event: reset\ndata: {}\n\n"
                after = 0
                continue
            for number, body in found:
                yield body + b"\n" if lines else b"id: %d\nevent: ruling\ndata: %b\n\n" % (number, body)
                after = number
            if after < newest:
                continue
            try:
                await asyncio.wait_for(comes.wait(), desk.settings.heartbeat)
            except TimeoutError:
                yield b"\n" if lines else b":\n\n"
                if not await desk.still(ask.who):
                    return
    finally:
        desk.feed.leave(ask.encounter, ask.who.token, comes)


async def _next(ask: Ask, after: int) -> tuple[int, list[tuple[int, bytes]]]:
    """The newest ruling, and those behind `after` as JSON; made once for all who look likewise."""
    key = ("stream", ask.encounter, ask.who.rank, ask.who.combatants, ask.query.view, after)
    return await ask.desk.shared(key, lambda: ask.log.look(ask.encounter, lambda timeline: _seen(ask, timeline, after)))


def _seen(ask: Ask, timeline: Timeline, after: int) -> tuple[int, list[tuple[int, bytes]]]:
    if after >= timeline.number:
        return timeline.number, []
    screen = ask.seat(timeline).screen
    about = since(timeline, after)
    wanted = [ruling for ruling in about if after < ruling.number <= after + AT_ONCE]
    told = told_rulings(wanted, screen, about)
    return timeline.number, [(one.number, msgspec.json.encode(one)) for one in told]

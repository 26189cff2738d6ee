"""Answers of endpoints as bytes, in whatever process they are computed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable

    from mam_events.history.timeline.timeline import Timeline
    from web.service.request import RequestContext

encode = msgspec.json.Encoder(decimal_format="string").encode


def encode_view(context: RequestContext, does: Callable[[RequestContext, Timeline], Any]) -> tuple[int, bytes]:
    """Return the number of the newest ruling and the answer of a `look` endpoint as JSON."""
    return context.log.look(context.encounter, lambda timeline: (timeline.number, encode(does(context, timeline))))


def encode_answer(context: RequestContext, does: Callable[[RequestContext], Any]) -> bytes:
    """Return the answer of an endpoint, encoded as JSON unless it is bytes already."""
    result = does(context)
    return result if isinstance(result, bytes) else encode(result)

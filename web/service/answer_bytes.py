"""Answers of calls as bytes, wherever they are computed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable

    from mam_events.history.timeline.timeline import Timeline
    from web.service.request import Ask

encode = msgspec.json.Encoder(decimal_format="string").encode


def look(ask: Ask, does: Callable[[Ask, Timeline], Any]) -> tuple[int, bytes]:
    """Return a look at the encounter as JSON, after the newest ruling then."""
    return ask.log.look(ask.encounter, lambda timeline: (timeline.number, encode(does(ask, timeline))))


def work(ask: Ask, does: Callable[[Ask], Any]) -> bytes:
    """Return the answer of a call, as JSON where it is not bytes."""
    found = does(ask)
    return found if isinstance(found, bytes) else encode(found)

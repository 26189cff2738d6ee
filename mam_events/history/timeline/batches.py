"""Rulings that were requested together: they are undone together, and share a command id."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import TYPE_CHECKING

from mam_events.events import Play
from mam_events.history.timeline.command_ids import NTH, batch_member_id

if TYPE_CHECKING:
    from mam_events.history.timeline.timeline import Timeline


def batch_members(timeline: Timeline, ruling: int) -> tuple[int, ...]:
    """Return the living plays that were requested together with that play.

    The first has the common id, the others the same id with a number appended, and each has the hash of the whole
    request.
    """
    head = timeline.heads[ruling - 1]
    if not isinstance(head, Play) or not head.id:
        return (ruling,)
    begun = NTH.sub("", head.id)
    first = timeline.head_with_id(begun)
    id_ = begun if first is not None and first.body == head.body else head.id
    return tuple(number for number in _parts(timeline, id_, head.body) if timeline.lives(number)) or (ruling,)


def _parts(timeline: Timeline, command_id: str, body: str) -> Iterator[int]:
    for at in count(1):
        part = timeline.head_with_id(batch_member_id(command_id, at))
        if part is None or part.body != body:
            return
        if isinstance(part, Play):
            yield part.ruling

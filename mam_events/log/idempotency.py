"""Command ids: a command that is sent again gets its first answer, and is written once."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import msgspec

from mam_events.errors import Refused
from mam_events.history.corrections import corrections
from mam_events.history.timeline.moments import state_at
from mam_events.log.results import Answer
from mam_events.refusals.arguments import RulingArgument, TextArgument

if TYPE_CHECKING:
    from mam_events.history.timeline.timeline import Timeline


def digest(request: object) -> str:
    """Return the hash of a request that is stored with its command id."""
    return hashlib.sha256(msgspec.json.encode(request, order="sorted")).hexdigest()[:32]


def typed_as(line: str, command_id: str) -> object:
    """Return the request of a typed line under that id."""
    return [command_id, ["line", line]]


def first_answer(encounter: str, timeline: Timeline, command_id: str, body: str) -> Answer:
    """Return the first answer to that command id; refuse with `key_reused` if it was given for another request."""
    number, first_body = timeline.find_id(command_id) or (0, "")
    if first_body != body:
        raise Refused("key_reused", command_id=TextArgument(command_id), number=RulingArgument(number))
    entry = timeline.entries.get(number)
    state = state_at(timeline, number if entry else None)
    return Answer(
        encounter,
        number,
        timeline.head(number),
        entry.first.events(timeline.decoders) if entry else (),
        state,
        state,
        repeated=True,
        corrected_by=corrections.corrected_by(timeline, number),
    )

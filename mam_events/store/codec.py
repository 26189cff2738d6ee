"""The conversion of events to rows and back: a topic of our own and JSON of the fields, never a Python path."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec

from mam_events.commands import decode_stored_command
from mam_events.deserializer import LEARNING
from mam_events.errors import StoreUnusable
from mam_events.events import UPCASTS, Event, Play, brought_up, event_kind

encode_json: Callable[[Event], bytes] = msgspec.json.Encoder().encode
"""The JSON of an event as it is stored."""

# TypeError is for a state that is not bytes, which only another program can have written.
UNREADABLE = (msgspec.MsgspecError, TypeError, UnicodeDecodeError)


class _Decoders(dict[str, Callable[[bytes], Event]]):
    """One decoder per topic, built at first use: a command needs few of them."""

    def __missing__(self, topic: str) -> Callable[[bytes], Event]:
        with LEARNING:
            decode: Callable[[bytes], Event] = msgspec.json.Decoder(event_kind(topic)).decode
        self[topic] = _through_steps(topic, decode) if topic in UPCASTS else decode
        return self[topic]


def _through_steps(topic: str, decode: Callable[[bytes], Event]) -> Callable[[bytes], Event]:
    """Build the decoder of a topic that is no longer written from the decoder of its current topic."""

    def decode_old(state: bytes) -> Event:
        fields = msgspec.json.decode(state)
        try:
            today = brought_up(topic, fields)
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise msgspec.ValidationError(f"it has no {topic} that can be brought up to date: {error!r}") from error
        return decode(msgspec.json.encode(today))

    return decode_old


_DECODERS = _Decoders()


def decoders() -> Mapping[str, Callable[[bytes], Event]]:
    """Return the closed dict from topic to decoder, for hot loops.

    An unknown topic raises `StoreUnusable`. A state that doesn't fit its topic raises `msgspec.MsgspecError`, which
    `decode` and `decode_rows` turn into `StoreUnusable`.
    """
    return _DECODERS


def encode(event: Event) -> tuple[str, bytes]:
    """Return the topic and the JSON of an event."""
    return event.topic, encode_json(event)


def _whole(event: Event) -> Event:
    """Return the event, after decoding its command, which is otherwise decoded at first use."""
    if isinstance(event, Play):
        decode_stored_command(event.raw)
    return event


def decode(topic: str, state: bytes) -> Event:
    """Decode the event of a row; raise `StoreUnusable` for an unknown topic or a state that doesn't fit."""
    try:
        return _whole(_DECODERS[topic](state))
    except UNREADABLE as error:
        raise StoreUnusable.unreadable(f"An event of the kind {topic}", error) from error


def decode_rows(rows: Sequence[tuple[int, str, bytes]]) -> list[Event]:
    """Decode the events of an encounter's rows; raise `StoreUnusable` naming the version that can't be read."""
    decoder_cache = _DECODERS
    events: list[Event] = []
    append = events.append
    try:
        for _, topic, state in rows:
            append(_whole(decoder_cache[topic](state)))
    except UNREADABLE as error:
        version, topic, _ = rows[len(events)]
        raise StoreUnusable.unreadable(f"Event {version}, of the kind {topic},", error) from error
    return events

"""The store of the log: recorders of the event-sourcing library that write all rows of an append or none."""

from __future__ import annotations

from mam_events.store.codec import UNREADABLE, decode, decode_rows, decoders, encode, encode_json
from mam_events.store.rows import EventRange, Notification, StoredEventRow, build_events
from mam_events.store.urls import environment_at, is_postgres

__all__ = [
    "UNREADABLE",
    "EventRange",
    "Notification",
    "StoredEventRow",
    "build_events",
    "decode",
    "decode_rows",
    "decoders",
    "encode",
    "encode_json",
    "environment_at",
    "is_postgres",
]

"""The store of the log: rows in, rows out, all or nothing. The only package that imports `eventsourcing`."""

from __future__ import annotations

from mam_events.store.addresses import is_postgres, store_at
from mam_events.store.mapper import UNREADABLE, decode, decode_rows, decoders, encode, encode_json
from mam_events.store.rows import Notification, Row
from mam_events.store.sqlite import SQLiteStore, open_store

__all__ = [
    "UNREADABLE",
    "Notification",
    "Row",
    "SQLiteStore",
    "decode",
    "decode_rows",
    "decoders",
    "encode",
    "encode_json",
    "is_postgres",
    "open_store",
    "store_at",
]

"""The tables of the log, and the statement that appends to them one ruling or none."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from functools import cache

import msgspec
from msgspec import Struct

from mam_events.errors import StoreUnusable
from mam_events.events import SEAL

_EVENTS = (
    "CREATE TABLE IF NOT EXISTS stored_events (originator_id TEXT, originator_version INTEGER, topic TEXT, state BLOB, "
    "PRIMARY KEY (originator_id, originator_version))"
)
TABLES = (
    _EVENTS,
    "CREATE TABLE IF NOT EXISTS seeds (encounter TEXT PRIMARY KEY, seed BLOB NOT NULL) WITHOUT ROWID",
)
"""The event-sourcing library's own table of events, and beside it the secret seeds of the dice."""

# A trigger may have been made since the log was opened; where there is one, nothing is written that it could change.
_INSERT = "INSERT INTO stored_events SELECT * FROM (VALUES {}) WHERE NOT EXISTS {}"
TRIGGER = "(SELECT 1 FROM sqlite_schema WHERE type = 'trigger')"


def create_tables(cursor: sqlite3.Cursor) -> None:
    """Make every table of a new store, inside the caller's transaction."""
    for statement in TABLES:
        cursor.execute(statement)


@cache
def insert(count: int) -> str:
    """The statement for so many rows."""
    return _INSERT.format(", ".join(["(?, ?, ?, ?)"] * count), TRIGGER)


class _Lead(Struct):
    """The columns that tell that a row is the head of a ruling, and of which, whatever else it may be."""

    ruling: int = 0
    seal: str = ""


_lead = msgspec.json.Decoder(_Lead).decode


def ruling_of(state: bytes) -> int:
    """The number of the ruling that begins with that row; 0 for any other event, or for what is none of ours."""
    if not isinstance(state, bytes) or SEAL not in state:
        return 0
    try:
        lead = _lead(state)
    except msgspec.MsgspecError:
        return 0
    return lead.ruling if lead.seal else 0


def laid_out(encounter: str, rows: Sequence[tuple[int, str, bytes]]) -> tuple[list[str | int | bytes], list[int]]:
    """The parameters of all rows, and the rulings that begin in them; raises `ValueError` for a gap."""
    if not rows:
        raise ValueError("an append needs at least one row")
    last = rows[0][0] - 1
    if last < 0:
        raise ValueError("versions begin at 1")
    parameters: list[str | int | bytes] = []
    begun: list[int] = []
    for row in rows:
        last += 1
        if row[0] != last:
            raise ValueError(f"only version {last} can follow version {last - 1}, not {row[0]}")
        parameters += (encounter, *row)
        if number := ruling_of(row[2]):
            begun.append(number)
    return parameters, begun


def check_count(written: sqlite3.Cursor, count: int) -> None:
    """Raise StoreUnusable unless the statement wrote so many rows: SQLite may be kept from it without a word."""
    if written.rowcount != count:
        raise StoreUnusable(
            f"Of {count} rows this store took {written.rowcount}: it has a trigger, or something else keeps others out."
        )

"""The tables of the log, and the statement that appends a whole ruling or nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from functools import cache

import msgspec
from msgspec import Struct

from mam_events.errors import StoreUnusable
from mam_events.events import SEAL
from mam_events.store.rows import StoredEventRow
from mam_events.store.sqlite_identity import set_identity

_EVENTS = (
    "CREATE TABLE IF NOT EXISTS stored_events (originator_id TEXT, originator_version INTEGER, topic TEXT, state BLOB, "
    "PRIMARY KEY (originator_id, originator_version))"
)
TABLES = (
    _EVENTS,
    "CREATE TABLE IF NOT EXISTS seeds (encounter TEXT PRIMARY KEY, seed BLOB NOT NULL) WITHOUT ROWID",
)
"""The event-sourcing library's own table of events, and a table of the secret seeds of the dice."""
BESIDE = (
    """CREATE TABLE IF NOT EXISTS projected (
        projection TEXT, encounter TEXT, version INTEGER NOT NULL, said BLOB NOT NULL,
        PRIMARY KEY (projection, encounter)
    ) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS tracking (
        application_name TEXT, notification_id INTEGER, PRIMARY KEY (application_name)
    ) WITHOUT ROWID""",
    # The library's mark of a table with one row for each position. It recreates any other table of that name.
    "INSERT OR IGNORE INTO tracking VALUES ('__migration__', 1)",
    """CREATE TABLE IF NOT EXISTS stored_snapshots (
        originator_id TEXT, originator_version INTEGER, topic TEXT, state BLOB,
        PRIMARY KEY (originator_id, originator_version)
    ) WITHOUT ROWID""",
    "CREATE TABLE IF NOT EXISTS tokens (made INTEGER PRIMARY KEY, id TEXT UNIQUE, said BLOB NOT NULL)",
)
"""The tables beside the events, made when something is first stored in any of them."""

# A trigger may have been created since the log was opened. It could change rows, so nothing is inserted then.
_INSERT = "INSERT INTO stored_events SELECT * FROM (VALUES {}) WHERE NOT EXISTS {}"
_TRIGGER = "(SELECT 1 FROM sqlite_schema WHERE type = 'trigger')"


def create_tables(cursor: sqlite3.Cursor) -> None:
    """Make every table of a new store, inside the caller's transaction."""
    for statement in TABLES:
        cursor.execute(statement)
    set_identity(cursor)


@cache
def insert(count: int) -> str:
    """Return the statement that inserts `count` rows."""
    return _INSERT.format(", ".join(["(?, ?, ?, ?)"] * count), _TRIGGER)


class _Lead(Struct):
    """The fields that show that a row is the head of a ruling, and its number, in any kind of row."""

    ruling: int = 0
    seal: str = ""


_lead = msgspec.json.Decoder(_Lead).decode


def ruling_of(state: bytes) -> int:
    """Return the number of the ruling that begins with that row; 0 for any other event, or for foreign data."""
    if not isinstance(state, bytes) or SEAL not in state:
        return 0
    try:
        lead = _lead(state)
    except msgspec.MsgspecError:
        return 0
    return lead.ruling if lead.seal else 0


def begun_rulings(events: Sequence[StoredEventRow]) -> list[int]:
    """Return the rulings that begin in those events of one encounter; raise ValueError for a gap."""
    if not events:
        raise ValueError("an append needs at least one row")
    encounter, last, *_ = events[0]
    last -= 1
    if last < 0:
        raise ValueError("versions begin at 1")
    begun: list[int] = []
    for originator, version, _, state in events:
        last += 1
        if originator != encounter:
            raise ValueError(f'"{originator}" cannot be saved with "{encounter}": each encounter has a save of its own')
        if version != last:
            raise ValueError(f"only version {last} can follow version {last - 1}, not {version}")
        if number := ruling_of(state):
            begun.append(number)
    return begun


def check_triggers(cursor: sqlite3.Cursor) -> None:
    """Raise StoreUnusable if the store has a trigger, which might change what is written."""
    if cursor.execute(f"SELECT EXISTS {_TRIGGER}").fetchone()[0]:  # the text is our own
        raise StoreUnusable("This store has a trigger, which might change what is written. Drop it: no log has any.")


def check_count(cursor: sqlite3.Cursor, count: int) -> None:
    """Raise StoreUnusable unless the statement wrote that many rows: SQLite may skip rows without an error."""
    if cursor.rowcount != count:
        raise StoreUnusable(
            f"This store took only {cursor.rowcount} of {count} rows: a trigger or something else stops writing."
        )

"""The tables of the log: written one ruling at a time, read as tuples."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from functools import cache, partial
from itertools import chain

import msgspec
from msgspec import Struct

from mam_events.errors import StoreUnusable, VersionConflict
from mam_events.store.connections import Connections
from mam_events.store.rows import Notification

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
_TRIGGER = "(SELECT 1 FROM sqlite_schema WHERE type = 'trigger')"
_VIEWS = (
    "CREATE TABLE IF NOT EXISTS views (view TEXT, encounter TEXT, version INTEGER NOT NULL, said BLOB NOT NULL, "
    "PRIMARY KEY (view, encounter)) WITHOUT ROWID"
)
_KEEP = f"INSERT OR REPLACE INTO views SELECT ?, ?, ?, ? WHERE NOT EXISTS {_TRIGGER}"
_ROWS_OF_ONE_STATEMENT = 32
_REMEMBERED = 10_000
_SEED_BYTES = 32

# `Notification._make` without its checks: the query gives five columns.
_notification = partial(tuple.__new__, Notification)


@cache
def _insert(count: int) -> str:
    """The statement for so many rows."""
    return _INSERT.format(", ".join(["(?, ?, ?, ?)"] * count), _TRIGGER)


class _Lead(Struct):
    """The columns that tell that a row is the head of a ruling, and of which, whatever else it may be."""

    ruling: int = 0
    seal: str = ""


_lead = msgspec.json.Decoder(_Lead).decode
_SEALED = b'"seal":"'


def _ruling_of(state: bytes) -> int:
    """The number of the ruling that begins with that row; 0 for any other event, or for what is none of ours."""
    if not isinstance(state, bytes) or _SEALED not in state:
        return 0
    try:
        lead = _lead(state)
    except msgspec.MsgspecError:
        return 0
    return lead.ruling if lead.seal else 0


def _laid_out(encounter: str, rows: Sequence[tuple[int, str, bytes]]) -> tuple[list[str | int | bytes], list[int]]:
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
        if number := _ruling_of(row[2]):
            begun.append(number)
    return parameters, begun


def _check_count(written: sqlite3.Cursor, count: int) -> None:
    """Raise StoreUnusable unless the statement wrote so many rows: SQLite may be kept from it without a word."""
    if written.rowcount != count:
        raise StoreUnusable(
            f"Of {count} rows this store took {written.rowcount}: it has a trigger, or something else keeps others out."
        )


class Recorder:
    """The rows of every encounter, in the table of events that the event-sourcing library reads too.

    Its methods raise the errors of `sqlite3`, which `SQLiteStore` translates.
    """

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        # The last version and ruling known to be stored; rows are never deleted, so that what follows it may follow.
        self._stored: dict[str, tuple[int, int]] = {}

    @staticmethod
    def create_tables(cursor: sqlite3.Cursor) -> None:
        """Make every table of a new store, inside the caller's transaction."""
        for statement in TABLES:
            cursor.execute(statement)

    def append(self, encounter: str, rows: Sequence[tuple[int, str, bytes]], seed: bytes | None) -> int:
        """Write all rows or none, and return the notification id of the last.

        Raises `VersionConflict` when the first version is not the one after the last stored, `ValueError` for rows
        that are no append: whoever reads the log asks for every version and every ruling in turn.
        """
        parameters, begun = _laid_out(encounter, rows)
        first, last = rows[0][0], rows[-1][0]
        if seed is not None and (first != 1 or len(seed) != _SEED_BYTES):
            raise ValueError("a seed has 32 bytes and comes with version 1")
        try:
            with self._connections.lock:
                version, ruling = self._stored.get(encounter, (0, 0))
                if version != first - 1:
                    ruling = self._ruling_at(encounter, first - 1)
                if begun and begun != list(range(ruling + 1, ruling + 1 + len(begun))):
                    raise ValueError(f"only ruling {ruling + 1} can follow ruling {ruling}, not {begun}")
                if seed is None and len(rows) <= _ROWS_OF_ONE_STATEMENT:
                    # One statement is one transaction: it takes the write lock at its start and commits at its end.
                    written = self._connections.writer().execute(_insert(len(rows)), parameters)
                    _check_count(written, len(rows))
                    rowid = written.lastrowid
                else:
                    rowid = self._append_in_steps(encounter, rows, seed)
                if len(self._stored) >= _REMEMBERED:
                    self._stored.clear()
                self._stored[encounter] = (last, begun[-1] if begun else ruling)
        except sqlite3.IntegrityError as error:
            if not self._has(encounter, first):
                raise
            raise VersionConflict(f'"{encounter}" has moved on: its version {first} is written already.') from error
        return rowid or 0

    def _append_in_steps(self, encounter: str, rows: Sequence[tuple[int, str, bytes]], seed: bytes | None) -> int:
        with self._connections.writing() as cursor:
            cursor.executemany(_insert(1), [(encounter, *row) for row in rows[:-1]])
            _check_count(cursor, len(rows) - 1)
            last = cursor.execute(_insert(1), (encounter, *rows[-1])).lastrowid
            _check_count(cursor, 1)
            if seed is not None:
                cursor.execute("INSERT INTO seeds VALUES (?, ?)", (encounter, seed))
        return last or 0

    def _has(self, encounter: str, version: int) -> bool:
        query = "SELECT 1 FROM stored_events WHERE originator_id = ? AND originator_version = ?"
        with self._connections.reading() as cursor:
            return cursor.execute(query, (encounter, version)).fetchone() is not None

    def _ruling_at(self, encounter: str, version: int) -> int:
        """The ruling that the row of that version belongs to, 0 before the first; raises `VersionConflict`."""
        query = (
            "SELECT originator_version, state FROM stored_events "
            "WHERE originator_id = ? AND originator_version <= ? ORDER BY originator_version DESC"
        )
        found = self._connections.writer().execute(query, (encounter, version))
        with closing(found):
            last = found.fetchone()
            if version and (last is None or last[0] != version):
                raise VersionConflict(f'"{encounter}" has no version {version} yet that another could follow.')
            rows = chain([last] if last else (), found)
            return next(filter(None, (_ruling_of(state) for _, state in rows)), 0)

    def rows(self, encounter: str, after: int) -> list[tuple[int, str, bytes]]:
        """The rows of an encounter behind a version, in order."""
        query = (
            "SELECT originator_version, topic, state FROM stored_events "
            "WHERE originator_id = ? AND originator_version > ? ORDER BY originator_version"
        )
        with self._connections.reading() as cursor:
            return cursor.execute(query, (encounter, after)).fetchall()

    def notifications(self, after: int, limit: int) -> list[Notification]:
        """At most `limit` events of the whole store behind a notification id, in order."""
        query = (
            "SELECT rowid, originator_id, originator_version, topic, state FROM stored_events "
            "WHERE rowid > ? ORDER BY rowid LIMIT ?"
        )
        with self._connections.reading() as cursor:
            return list(map(_notification, cursor.execute(query, (after, limit)).fetchall()))

    def last_notification(self) -> int:
        """The id of the newest event of the store, 0 if there is none."""
        with self._connections.reading() as cursor:
            return cursor.execute("SELECT max(rowid) FROM stored_events").fetchone()[0] or 0

    def last_version(self, encounter: str) -> int:
        """The newest version of an encounter, 0 if there is none."""
        query = "SELECT max(originator_version) FROM stored_events WHERE originator_id = ?"
        with self._connections.reading() as cursor:
            return cursor.execute(query, (encounter,)).fetchone()[0] or 0

    def versions(self, *, last_played: bool) -> list[tuple[str, int]]:
        """Every encounter with its newest version, the oldest first or the one that was written to last."""
        # One step through the index per encounter, not per event.
        query = """
            WITH RECURSIVE ids (id) AS (
                SELECT min(originator_id) FROM stored_events
                UNION ALL
                SELECT (SELECT min(originator_id) FROM stored_events WHERE originator_id > id)
                FROM ids WHERE id IS NOT NULL
            )
            SELECT last.originator_id, last.originator_version
            FROM ids JOIN stored_events AS first ON first.originator_id = id AND first.originator_version =
                (SELECT min(originator_version) FROM stored_events WHERE originator_id = id)
            JOIN stored_events AS last ON last.originator_id = id AND last.originator_version =
                (SELECT max(originator_version) FROM stored_events WHERE originator_id = id)
            WHERE typeof(id) = 'text' ORDER BY iif(?, -last.rowid, first.rowid)
        """
        with self._connections.reading() as cursor:
            return cursor.execute(query, (last_played,)).fetchall()

    def kept(self, view: str) -> dict[str, tuple[int, bytes]]:
        """The view kept of every encounter under that name, each with the version that it is of."""
        with self._connections.reading() as cursor:
            try:
                found = cursor.execute("SELECT encounter, version, said FROM views WHERE view = ?", (view,)).fetchall()
            except sqlite3.OperationalError as error:
                # Nothing was kept yet, or there is something else of that name.
                if error.sqlite_errorcode != sqlite3.SQLITE_ERROR:
                    raise
                return {}
        return {encounter: (version, said) for encounter, version, said in found}

    def keep(self, view: str, rows: Sequence[tuple[str, int, bytes]]) -> None:
        """Keep that under that name of encounters at some versions."""
        with self._connections.writing(wait=False) as cursor:
            cursor.execute(_VIEWS)
            cursor.executemany(_KEEP, [(view, *row) for row in rows])

    def strays(self) -> list[str]:
        """The rows in the log's tables that are of no encounter: so many under which name, or a seed."""
        query = """
            SELECT count(*) || iif(count(*) = 1, ' row', ' rows') || ' under ' || quote(originator_id)
            FROM stored_events WHERE typeof(originator_id) <> 'text' OR coalesce(originator_version < 1, TRUE)
            GROUP BY originator_id
            UNION ALL
            SELECT 'a seed under ' || quote(encounter)
            FROM seeds WHERE NOT EXISTS (SELECT 1 FROM stored_events WHERE originator_id = encounter)
        """
        with self._connections.reading() as cursor:
            return [found for (found,) in cursor.execute(query)]

    def latest(self) -> str | None:
        """The encounter of the newest event of the store."""
        query = (
            "SELECT originator_id FROM stored_events WHERE typeof(originator_id) = 'text' ORDER BY rowid DESC LIMIT 1"
        )
        with self._connections.reading() as cursor:
            rows = cursor.execute(query).fetchall()
        return rows[0][0] if rows else None

    def seed(self, encounter: str) -> bytes | None:
        """The secret seed of an encounter's dice."""
        with self._connections.reading() as cursor:
            rows = cursor.execute("SELECT seed FROM seeds WHERE encounter = ?", (encounter,)).fetchall()
        return rows[0][0] if rows else None

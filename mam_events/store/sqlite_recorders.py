"""The library's recorders over one SQLite file: the same tables, with the SQL that is worth its time."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from eventsourcing.persistence import IntegrityError, Tracking
from eventsourcing.sqlite import (
    SQLiteAggregateRecorder,
    SQLiteApplicationRecorder,
    SQLiteRecorder,
    SQLiteTrackingRecorder,
)

from mam_events.errors import StoreUnusable
from mam_events.store.failures import told, translate
from mam_events.store.rows import Recorded
from mam_events.store.sql_recorders import (
    FORGET,
    SqlEventRecorder,
    SqlSeedRecorder,
    SqlSnapshotRecorder,
    SqlTokenRecorder,
    SqlViewRecorder,
)
from mam_events.store.tables import TABLES, TRIGGER, check_count, insert

if TYPE_CHECKING:
    from mam_events.store.sqlite import Datastore
    from mam_events.store.subscription import PollingSubscription

_PROJECTED = (
    "CREATE TABLE IF NOT EXISTS projected (projection TEXT, encounter TEXT, version INTEGER NOT NULL, "
    "said BLOB NOT NULL, PRIMARY KEY (projection, encounter)) WITHOUT ROWID"
)
# The library's mark of a table with one row for each position: it makes any other one anew, under the same name.
_ONE_ROW_EACH = "INSERT OR IGNORE INTO tracking VALUES ('__migration__', 1)"
_TOKENS = "CREATE TABLE IF NOT EXISTS tokens (made INTEGER PRIMARY KEY, id TEXT UNIQUE, said BLOB NOT NULL)"
_KEEP = f"INSERT OR REPLACE INTO projected SELECT ?, ?, ?, ? WHERE NOT EXISTS {TRIGGER}"
_ROWS_OF_ONE_STATEMENT = 32
_columns = attrgetter("originator_id", "originator_version", "topic", "state")


class _LogRecorder(SQLiteRecorder):
    """A recorder over the connections of a log; its tables are there, or are made when something is kept."""

    datastore: Datastore

    def __init__(self, datastore: Datastore, **more: Any) -> None:
        super().__init__(datastore, **more)
        self.connections = datastore.connections
        self.name = datastore.name

    def ask(self, query: str, *parameters: object, beside: bool = False) -> list[Any]:
        """Return the rows of a query, as `SqlRecorder` says."""
        with self.connections.reading() as cursor:
            try:
                return cursor.execute(query, parameters).fetchall()
            except sqlite3.OperationalError as error:
                # Something else may have the table's name as well.
                # What is no UTF-8 is Python's own complaint, which has no code.
                if not beside or getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) != sqlite3.SQLITE_ERROR:
                    raise
                return []

    def translate(self, error: BaseException) -> None:
        """Raise what an error of SQLite means."""
        translate(error, self.name)


class SQLiteEventRecorder(_LogRecorder, SqlEventRecorder, SQLiteApplicationRecorder):  # type: ignore[misc]  # as there
    """The events of every encounter and, in the same transaction, the secret seeds of their dice."""

    ID = "rowid"
    IS_TEXT = "typeof({}) = 'text'"

    def __init__(self, datastore: Datastore) -> None:
        super().__init__(datastore)
        self.lock = self.connections.lock

    def construct_create_table_statements(self) -> list[str]:
        """Return the statements for the tables of the log."""
        return list(TABLES)

    @told
    def insert_events(self, stored_events: Sequence[Any], *, seed: bytes | None = None, **_: Any) -> Sequence[int]:
        """Write all or none, as `EventRecorder` says."""
        if not stored_events:
            return []
        try:
            if seed is None and len(stored_events) <= _ROWS_OF_ONE_STATEMENT:
                # One statement is one transaction: it takes the write lock at its start and commits at its end.
                parameters = list(chain.from_iterable(_rows_of(stored_events)))
                with self.connections.lock:
                    work = partial(self.connections.writer().execute, insert(len(stored_events)), parameters)
                    written = self.connections.patiently(work)
                    check_count(written, len(stored_events))
                    last = written.lastrowid or 0
            else:
                last = self._insert_in_steps(_rows_of(stored_events), seed)
        except sqlite3.IntegrityError as error:
            first = stored_events[0]
            repeated = len({_columns(one)[:2] for one in stored_events}) < len(stored_events)
            if not (repeated or self._has(first.originator_id, first.originator_version)):
                raise
            raise IntegrityError(error) from error
        return list(range(last - len(stored_events) + 1, last + 1))

    def _insert_in_steps(self, rows: Sequence[Sequence[Any]], seed: bytes | None) -> int:
        with self.connections.writing() as cursor:
            cursor.executemany(insert(1), rows[:-1])
            if len(rows) > 1:
                check_count(cursor, len(rows) - 1)
            last = cursor.execute(insert(1), rows[-1]).lastrowid
            check_count(cursor, 1)
            if seed is not None:
                encounter, first, *_ = rows[0]
                instead = " OR REPLACE" if first > 1 else ""
                cursor.execute(f"INSERT{instead} INTO seeds VALUES (?, ?)", (encounter, seed))
        return last or 0

    def _has(self, encounter: str, version: int) -> bool:
        query = "SELECT 1 FROM stored_events WHERE originator_id = ? AND originator_version = ?"
        with self.connections.reading() as cursor:
            return cursor.execute(query, (encounter, version)).fetchone() is not None

    def subscribe(self, gt: int | None = None, topics: Sequence[str] = ()) -> PollingSubscription:
        """Return every event behind a notification id, and those to come."""
        from mam_events.store.subscription import PollingSubscription  # noqa: PLC0415 - few follow

        return PollingSubscription(self, gt, topics)

    @told
    def strays(self) -> list[str]:
        """Return the rows and seeds of no encounter."""
        query = """
            SELECT count(*) || iif(count(*) = 1, ' row', ' rows') || ' under ' || quote(originator_id)
            FROM stored_events WHERE typeof(originator_id) <> 'text' OR coalesce(originator_version < 1, TRUE)
            GROUP BY originator_id
            UNION ALL
            SELECT 'a seed under ' || quote(encounter)
            FROM seeds WHERE NOT EXISTS (SELECT 1 FROM stored_events WHERE originator_id = encounter)
        """
        with self.connections.reading() as cursor:
            return [found for (found,) in cursor.execute(query)]


def _rows_of(events: Sequence[Any]) -> Sequence[Sequence[Any]]:
    """Return events as rows of the table, which ours are; the library's own are dataclasses."""
    return events if type(events[0]) is Recorded else list(map(_columns, events))


class SQLiteSnapshotRecorder(_LogRecorder, SqlSnapshotRecorder, SQLiteAggregateRecorder):  # type: ignore[misc]  # as above
    """The snapshots of encounters, in a table that is made with the first one."""

    @property
    def _replace(self) -> str:
        return f"INSERT OR REPLACE INTO {self.events_table_name} VALUES (?, ?, ?, ?)"  # noqa: S608 - our own name

    @told
    def insert_events(self, stored_events: Sequence[Any], **_: Any) -> None:
        """Keep snapshots, in place of those that another program took of the same encounters."""
        others = f"DELETE FROM {self.events_table_name} WHERE originator_id = ? AND topic <> ?"  # noqa: S608 - our own name
        with suppress(StoreUnusable, sqlite3.Error), self.connections.writing(wait=False) as cursor:
            for statement in self.create_table_statements:
                cursor.execute(statement)
            for one in stored_events:
                cursor.execute(others, (one.originator_id, one.topic))
                cursor.execute(self._replace, _columns(one))


class SQLiteSeedRecorder(_LogRecorder, SqlSeedRecorder):
    """The secret seeds of the dice."""


class SQLiteTokenRecorder(_LogRecorder, SqlTokenRecorder):
    """The tokens of people."""

    @told
    def keep(self, token: str, said: bytes) -> None:
        """Keep what is said of the token of that id, in place of what was."""
        with self.connections.writing() as cursor:
            cursor.execute(_TOKENS)
            cursor.execute(
                "INSERT INTO tokens (id, said) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET said = excluded.said",
                (token, said),
            )


class SQLiteViewRecorder(_LogRecorder, SqlViewRecorder, SQLiteTrackingRecorder):
    """The view of a projection in the file of its log."""

    TRACKING = "tracking"

    def __init__(self, datastore: Datastore, projection: str = "", **_: Any) -> None:
        super().__init__(datastore)
        self.projection = projection

    @told
    def create_table(self) -> None:
        """Make the tables of rows and positions."""
        with self.connections.writing() as cursor:
            self._create_tables(cursor)

    def _create_tables(self, cursor: sqlite3.Cursor) -> None:
        for statement in (*self.create_table_statements, _PROJECTED, _ONE_ROW_EACH):
            cursor.execute(statement)

    @told
    def keep(
        self,
        rows: Sequence[tuple[str, int, bytes]],
        tracking: Tracking | None = None,
        *,
        after: int | None = None,
        wait: bool = True,
    ) -> None:
        """Keep rows and their position, as `ViewRecorder` says."""
        with self.connections.writing(wait=wait) as cursor:
            self._create_tables(cursor)
            if rows:
                cursor.executemany(_KEEP, [(self.projection, *row) for row in rows])
                check_count(cursor, len(rows))
            if tracking is not None:
                self._track(cursor, self.tracked(tracking.application_name), tracking.notification_id, after)

    def _track(self, cursor: sqlite3.Cursor, name: str, position: int, after: int | None) -> None:
        (before,) = cursor.execute(self.select_max_tracking_id_statement, (name,)).fetchone()
        if not isinstance(before, int | None):
            # Another program put something else there, which no number would ever take the place of.
            cursor.execute("DELETE FROM tracking WHERE application_name = ?", (name,))
            before = None
        asked = {"application_name": name, "notification_id": position}
        if after not in (None, before or 0) or cursor.execute(self.insert_tracking_statement, asked).fetchone() is None:
            raise IntegrityError(f"{name} has come to {before} already.")

    @told
    def forget(self) -> None:
        """Let go of what can be made again."""
        with self.connections.writing() as cursor:
            for table in ("projected", "stored_snapshots"):
                cursor.execute(f"DROP TABLE IF EXISTS {table}")
            self._create_tables(cursor)
            cursor.execute(FORGET.format(self.TRACKING))

"""A log in one SQLite file, or in memory: a persistence module of the event-sourcing library."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eventsourcing import persistence
from eventsourcing.persistence import IntegrityError
from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteCursor, SQLiteDatastore, SQLiteFactory
from eventsourcing.utils import Environment

from mam_events.store.rows import Notification, StoredEventRow
from mam_events.store.sql_recorders import SqlEventRecorder, SqlFactory, columns
from mam_events.store.sqlite_backup import copy_into
from mam_events.store.sqlite_connections import MEMORY, Connections
from mam_events.store.sqlite_errors import translate_errors
from mam_events.store.sqlite_schema import TABLES, check_count, create_tables, insert

if TYPE_CHECKING:
    from mam_events.store.sqlite_subscription import PollingSubscription

_ROWS_OF_ONE_STATEMENT = 32


class Datastore(SQLiteDatastore):
    """The library's datastore without its pool, in which readers queue behind writers and every use costs two locks."""

    def __init__(self, connections: Connections) -> None:
        super().__init__(connections.location, originator_id_type="text")
        self.connections = connections

    @contextmanager
    def transaction(self, *, commit: bool) -> Iterator[SQLiteCursor]:
        """Yield a cursor for the library's own methods, with the rows and errors that they expect."""
        try:
            with self.connections.writing() if commit else self.connections.reading() as cursor:
                cursor.row_factory = sqlite3.Row
                yield SQLiteCursor(cursor)
        except sqlite3.Error as error:
            # Both modules follow PEP 249, so the classes have the same names.
            kind: type[Exception] = getattr(persistence, type(error).__name__, persistence.PersistenceError)
            raise kind(error) from error

    def close(self) -> None:
        """Close every connection."""
        super().close()
        self.connections.close()


class SQLiteEventRecorder(SqlEventRecorder, SQLiteApplicationRecorder):  # type: ignore[misc]  # plain tuples for events
    """The events of every encounter and, in the same transaction, the secret seeds of their dice."""

    connections: Connections

    def construct_create_table_statements(self) -> list[str]:
        """Return the statements for the tables of the log."""
        return list(TABLES)

    @translate_errors
    def insert_events(self, stored_events: Sequence[Any], *, seed: bytes | None = None, **_: Any) -> Sequence[int]:
        """Write all or none, like `EventRecorder`."""
        if not stored_events:
            return []
        # Our events are rows of the table; the library's own are dataclasses.
        rows = stored_events if type(stored_events[0]) is StoredEventRow else list(map(columns, stored_events))
        try:
            if seed is None and len(rows) <= _ROWS_OF_ONE_STATEMENT:
                # A single statement is its own transaction: it takes the write lock at its start and commits at its
                # end.
                parameters = list(chain.from_iterable(rows))
                with self.lock:
                    writer = self.connections.writer()
                    cursor = self.connections.patiently(partial(writer.execute, insert(len(rows)), parameters))
                    check_count(cursor, len(rows))
                    self.connections.confirm(writer)
                    last = cursor.lastrowid or 0
            else:
                last = self._insert_in_steps(rows, seed)
        except sqlite3.IntegrityError as error:
            repeated = len({row[:2] for row in rows}) < len(rows)
            if not (repeated or self.select_rows(rows[0][0], gt=rows[0][1] - 1, limit=1)):
                raise
            raise IntegrityError(error) from error
        return list(range(last - len(rows) + 1, last + 1))

    def select_notifications(self, *args: Any, **more: Any) -> list[Notification]:  # type: ignore[override]  # the same
        """Return events of the whole store, like `EventRecorder`."""
        # A follower asks again and again, so it notices missing side files first.
        self.connections.save_if_changed()
        return super().select_notifications(*args, **more)

    def _insert_in_steps(self, rows: Sequence[Sequence[Any]], seed: bytes | None) -> int:
        with self.connections.writing() as cursor:
            cursor.executemany(insert(1), rows[:-1])
            if len(rows) > 1:
                check_count(cursor, len(rows) - 1)
            last = cursor.execute(insert(1), rows[-1]).lastrowid
            check_count(cursor, 1)
            if seed is not None:
                encounter, first, *_ = rows[0]
                conflict = " OR REPLACE" if first > 1 else ""
                cursor.execute(f"INSERT{conflict} INTO seeds VALUES (?, ?)", (encounter, seed))
        return last or 0

    def subscribe(self, gt: int | None = None, topics: Sequence[str] = ()) -> PollingSubscription:
        """Return a subscription to every event after a notification id, now and later."""
        from mam_events.store.sqlite_subscription import PollingSubscription  # noqa: PLC0415 - few follow

        return PollingSubscription(self, gt, topics)


class Factory(SqlFactory, SQLiteFactory):
    """The recorders of a log in the file `SQLITE_DBNAME`, which is created unless `CREATE_TABLE` forbids it.

    Threads may share one, processes one file. Raises NotFound if there is no file and it may not be created,
    StoreUnusable for a file that can't be used.
    """

    SQLITE_SYNCHRONOUS = "SQLITE_SYNCHRONOUS"
    SQLITE_BUSY_TIMEOUT = "SQLITE_BUSY_TIMEOUT"
    event_recorder_class = SQLiteEventRecorder
    datastore: Datastore

    def __init__(self, env: Environment) -> None:
        super().__init__(env)
        location = env.get(self.SQLITE_DBNAME, "")
        self.path = None if location == MEMORY else Path(location)
        self.label = str(self.path or "The log in memory")
        self.url = "sqlite://" if self.path is None else f"sqlite:///{self.path}"
        connections = Connections(
            location,
            self.label,
            synchronous=self.env.get(self.SQLITE_SYNCHRONOUS, "FULL"),
            busy_timeout=float(self.env.get(self.SQLITE_BUSY_TIMEOUT, "5")),
        )
        connections.open(create_tables, create=self.env_create_table())
        self.datastore = Datastore(connections)

    @translate_errors
    def mark(self) -> int:
        """Return SQLite's count of commits, from memory that all processes share."""
        return self.datastore.connections.mark()

    @translate_errors
    def check(self) -> None:
        """Raise StoreUnusable if someone deleted or replaced the file, or those beside it."""
        self.datastore.connections.check()

    @translate_errors
    def copy_into(self, target: Path, step: Callable[[int], None] = lambda _: None, *, name: str = "") -> None:
        """Copy all of it into an empty file, like `EncounterFactory`."""
        copy_into(self.datastore.connections, target, step, name or str(target))

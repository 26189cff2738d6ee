"""A log in one SQLite file, or in memory: a persistence module of the event-sourcing library."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from eventsourcing import persistence
from eventsourcing.sqlite import (
    SQLiteAggregateRecorder,
    SQLiteCursor,
    SQLiteDatastore,
    SQLiteFactory,
    SQLiteTrackingRecorder,
)
from eventsourcing.utils import Environment

from mam_events.store.connections import MEMORY, Connections
from mam_events.store.copying import copy_into
from mam_events.store.failures import told, translate
from mam_events.store.persistence import EncounterFactory
from mam_events.store.sqlite_recorders import (
    SQLiteEventRecorder,
    SQLiteSeedRecorder,
    SQLiteSnapshotRecorder,
    SQLiteTokenRecorder,
    SQLiteViewRecorder,
)
from mam_events.store.tables import create_tables


class Datastore(SQLiteDatastore):
    """The library's datastore without its pool: there readers queue behind writers, and every use costs two locks."""

    def __init__(self, connections: Connections, name: str) -> None:
        super().__init__(connections.location, originator_id_type="text")
        self.connections = connections
        self.name = name

    @contextmanager
    def transaction(self, *, commit: bool) -> Iterator[SQLiteCursor]:
        """Yield a cursor for the library's own methods, with the rows and the errors that they expect."""
        try:
            with self.connections.writing() if commit else self.connections.reading() as cursor:
                cursor.row_factory = sqlite3.Row
                yield SQLiteCursor(cursor)
        except sqlite3.Error as error:
            # Both follow PEP 249, so the classes have the same names.
            kind: type[Exception] = getattr(persistence, type(error).__name__, persistence.PersistenceError)
            raise kind(error) from error

    def close(self) -> None:
        """Close every connection."""
        super().close()
        self.connections.close()


class Factory(EncounterFactory, SQLiteFactory):
    """The recorders of a log in the file `SQLITE_DBNAME`, which is made unless `CREATE_TABLE` says no.

    Threads may share one, processes one file. Raises NotFound if there is no file and none may be made, StoreUnusable
    for one that cannot be used.
    """

    SQLITE_SYNCHRONOUS = "SQLITE_SYNCHRONOUS"
    SQLITE_BUSY_TIMEOUT = "SQLITE_BUSY_TIMEOUT"
    tracking_recorder_class: type[SQLiteTrackingRecorder] = SQLiteViewRecorder
    datastore: Datastore

    def __init__(self, env: Environment) -> None:
        super().__init__(env)
        location = env.get(self.SQLITE_DBNAME, "")
        self.path = None if location == MEMORY else Path(location)
        self.label = str(self.path or "The log in memory")
        self.url = "sqlite://" if self.path is None else f"sqlite:///{self.path}"
        self._open(location)

    def translate(self, error: BaseException) -> None:
        """Raise what an error of SQLite means."""
        translate(error, self.label)

    @told
    def _open(self, location: str) -> None:
        connections = Connections(
            location,
            synchronous=self.env.get(self.SQLITE_SYNCHRONOUS, "FULL"),
            busy_timeout=float(self.env.get(self.SQLITE_BUSY_TIMEOUT, "5")),
        )
        connections.open(create_tables, create=self.env_create_table())
        self.datastore = Datastore(connections, self.label)

    def application_recorder(self) -> SQLiteEventRecorder:
        """Return the recorder of events."""
        return SQLiteEventRecorder(self.datastore)

    def aggregate_recorder(self, purpose: str = "events") -> SQLiteAggregateRecorder:
        """Return the recorder of events, or for another purpose that of snapshots, which may be replaced."""
        if purpose == "events":
            return self.application_recorder()
        return SQLiteSnapshotRecorder(self.datastore, events_table_name=f"stored_{purpose}")

    def seed_recorder(self) -> SQLiteSeedRecorder:
        """Return the recorder of seeds."""
        return SQLiteSeedRecorder(self.datastore)

    def token_recorder(self) -> SQLiteTokenRecorder:
        """Return the recorder of tokens."""
        return SQLiteTokenRecorder(self.datastore)

    def view_recorder(self, projection: str) -> SQLiteViewRecorder:
        """Return the recorder of the view of that projection."""
        return SQLiteViewRecorder(self.datastore, projection)

    @contextmanager
    def grouped(self) -> Iterator[None]:
        """Make one transaction of a block, as `EncounterFactory` says.

        What fails in it undoes itself alone; what the thread reads meanwhile is what it has written. The others wait
        for their turn to write, and read what was there before.
        """
        try:
            with self.datastore.connections.grouped():
                yield
        except BaseException as error:
            translate(error, self.label)
            raise

    @told
    def mark(self) -> int:
        """Return SQLite's count of what was committed; one look at memory that all processes share."""
        return self.datastore.connections.mark()

    @told
    def copy_into(self, target: Path, step: Callable[[int], None] = lambda _: None, *, name: str = "") -> None:
        """Copy all of it into an empty file, as `EncounterFactory` says."""
        copy_into(self.datastore.connections, target, step, name or str(target))

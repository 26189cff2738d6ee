"""A log in a PostgreSQL database: a persistence module of the event-sourcing library."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Any

from eventsourcing.persistence import InfrastructureFactory
from eventsourcing.postgres import PostgresAggregateRecorder, PostgresDatastore, PostgresFactory
from eventsourcing.utils import Environment

from mam_events.errors import StoreUnusable
from mam_events.store.persistence import EncounterFactory
from mam_events.store.postgres_connections import Connections
from mam_events.store.postgres_recorders import (
    PostgresEventRecorder,
    PostgresSeedRecorder,
    PostgresSnapshotRecorder,
    PostgresTokenRecorder,
    PostgresViewRecorder,
)


class Datastore(PostgresDatastore):
    """The library's datastore over the pool of those who read; its recorders of other tables run on it too."""

    def __init__(self, connections: Connections) -> None:
        self.connections = connections
        super().__init__("", "", "", "", "", schema=connections.schema, originator_id_type="text")
        self.pool = connections.readers

    def register_type_adapters(self) -> None:
        """Do nothing: a log has no composite types, and to look for them takes a connection."""

    def close(self) -> None:
        """Close every connection."""
        with suppress(AttributeError):
            self.connections.close()

    def __exit__(self, *_: object) -> None:
        self.close()


class Factory(EncounterFactory, PostgresFactory):
    """The recorders of a log in the database at `POSTGRES_URL`, in which `migrate` has made the tables.

    Threads may share one, processes one database. Raises StoreUnusable for one that does not answer, or holds no log.
    """

    POSTGRES_URL = "POSTGRES_URL"
    POSTGRES_BUSY_TIMEOUT = "POSTGRES_BUSY_TIMEOUT"
    datastore: Datastore

    def __init__(self, env: Environment) -> None:
        # That of `PostgresFactory` takes apart what the address says whole.
        InfrastructureFactory.__init__(self, env)
        self.url = env.get(self.POSTGRES_URL, "")
        connections = Connections(self.url, busy_timeout=float(env.get(self.POSTGRES_BUSY_TIMEOUT, "5")))
        self.name = self.label = connections.name
        connections.open()
        self.datastore = Datastore(connections)

    def application_recorder(self) -> PostgresEventRecorder:
        """Return the recorder of events."""
        return PostgresEventRecorder(self.datastore)

    def aggregate_recorder(self, purpose: str = "events") -> PostgresAggregateRecorder:
        """Return the recorder of events, or for another purpose that of snapshots, which may be replaced."""
        if purpose == "events":
            return self.application_recorder()
        return PostgresSnapshotRecorder(self.datastore, events_table_name=f"stored_{purpose}")

    def tracking_recorder(self, tracking_recorder_class: type[Any] | None = None) -> Any:
        """Return a recorder of that class, or that of positions alone."""
        if tracking_recorder_class is None:
            return self.view_recorder("")
        return super().tracking_recorder(tracking_recorder_class)

    def seed_recorder(self) -> PostgresSeedRecorder:
        """Return the recorder of seeds."""
        return PostgresSeedRecorder(self.datastore)

    def token_recorder(self) -> PostgresTokenRecorder:
        """Return the recorder of tokens."""
        return PostgresTokenRecorder(self.datastore)

    def view_recorder(self, projection: str) -> PostgresViewRecorder:
        """Return the recorder of the view of that projection."""
        return PostgresViewRecorder(self.datastore, projection)

    def grouped(self) -> AbstractContextManager[None]:
        """Make one transaction of a block, as `EncounterFactory` says.

        What fails in it undoes itself alone; what the thread reads meanwhile is what it has written. The others wait
        for their turn to write, and read what was there before.
        """
        return self.datastore.connections.grouped()

    def mark(self) -> None:
        """Return None: to know whether anything was written, the database has to be asked."""

    def copy_into(self, target: Path, step: Callable[[int], None] = lambda _: None, *, name: str = "") -> None:
        """Raise StoreUnusable: `mam copy` moves the rows of a database into a file, `pg_dump` saves all of it."""
        del target, step, name
        raise StoreUnusable(f"{self.label} is no file: its rows are copied into one, pg_dump saves all of it.")

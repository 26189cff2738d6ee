"""A log in a PostgreSQL database: a persistence module of the event-sourcing library."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eventsourcing.persistence import InfrastructureFactory, IntegrityError
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore, PostgresFactory
from eventsourcing.utils import Environment

from mam_events.errors import StoreUnusable
from mam_events.store.postgres_connections import TRIGGER, Connections
from mam_events.store.sql_recorders import SqlEventRecorder, SqlFactory
from mam_events.store.sqlite_errors import translate_errors

if TYPE_CHECKING:
    from mam_events.store.postgres_subscription import ListeningSubscription


class Datastore(PostgresDatastore):
    """The library's datastore over the pool of readers; its recorders of other tables use it too."""

    def __init__(self, connections: Connections) -> None:
        self.connections = connections
        super().__init__("", "", "", "", "", schema=connections.schema, originator_id_type="text")
        self.pool = connections.readers

    def register_type_adapters(self) -> None:
        """Do nothing: a log has no composite types, and looking for them would take a connection."""

    def close(self) -> None:
        """Close every connection."""
        with suppress(AttributeError):
            self.connections.close()

    def __exit__(self, *_: object) -> None:
        self.close()


class PostgresEventRecorder(SqlEventRecorder, PostgresApplicationRecorder):
    """The events of every encounter and, in the same transaction, the secret seeds of their dice."""

    connections: Connections

    def create_table(self) -> None:
        """Do nothing: `migrate` makes the tables, because it may be the only one with permission to do so."""

    @translate_errors
    def insert_events(self, stored_events: Sequence[Any], *, seed: bytes | None = None, **_: Any) -> Sequence[int]:
        """Write all or none, like `EventRecorder`.

        If the connection is lost meanwhile, it checks whether they were stored; if not, it sends them again.
        """
        if not stored_events:
            return []
        stretches = _stretches(stored_events)
        if len(stretches) > 1:
            # Only other applications of the library write to several encounters at once.
            with self.connections.grouped():
                return [count for stretch in stretches for count in self.insert_events(stretch, seed=seed)]
        with self.lock:
            last = self.connections.append(stored_events, seed)
        if last == TRIGGER:
            raise StoreUnusable(
                f"{self.connections.name} has a trigger on its events, which may change them. Drop it: no log has any."
            )
        if last <= 0:
            first = stored_events[0]
            raise IntegrityError(f"version {first.originator_version} cannot follow in {first.originator_id}")
        # The function keeps other writers from taking an id in between.
        return list(range(last - len(stored_events) + 1, last + 1))

    def subscribe(self, gt: int | None = None, topics: Sequence[str] = ()) -> ListeningSubscription:
        """Return a subscription to every event after a notification id, now and later."""
        from mam_events.store.postgres_subscription import ListeningSubscription  # noqa: PLC0415 - few follow

        return ListeningSubscription(self, gt, topics, listen=self.connections.listen)


def _stretches(events: Sequence[Any]) -> list[list[Any]]:
    """Return the events in runs of one encounter and consecutive versions."""
    groups: list[list[Any]] = []
    at = ("", 0)
    for event in events:
        encounter, version = event.originator_id, event.originator_version
        if not groups or at != (encounter, version - 1):
            groups.append([])
        groups[-1].append(event)
        at = (encounter, version)
    return groups


class Factory(SqlFactory, PostgresFactory):
    """The recorders of a log in the database at `POSTGRES_URL`, in which `migrate` has made the tables.

    Threads may share one, processes one database. Raises StoreUnusable if the database doesn't answer or has no log.
    """

    POSTGRES_URL = "POSTGRES_URL"
    POSTGRES_BUSY_TIMEOUT = "POSTGRES_BUSY_TIMEOUT"
    event_recorder_class = PostgresEventRecorder
    datastore: Datastore

    def __init__(self, env: Environment) -> None:
        # Skip the constructor of `PostgresFactory`, which takes the address apart.
        InfrastructureFactory.__init__(self, env)
        self.url = env.get(self.POSTGRES_URL, "")
        connections = Connections(self.url, busy_timeout=float(env.get(self.POSTGRES_BUSY_TIMEOUT, "5")))
        self.label = connections.name
        connections.open()
        self.datastore = Datastore(connections)

    def mark(self) -> None:
        """Return None: only the database knows whether anything was written."""

    def copy_into(self, target: Path, step: Callable[[int], None] = lambda _: None, *, name: str = "") -> None:
        """Raise StoreUnusable: `mam copy` copies the rows of a database into a file, `pg_dump` saves all of it."""
        del target, step, name
        raise StoreUnusable(f"{self.label} is no file: its rows are copied into one, pg_dump saves all of it.")

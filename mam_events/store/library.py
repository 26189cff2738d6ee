"""The log as the event-sourcing library sees it: its mapper, datastore, recorder, factory and application."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import ClassVar

import msgspec
from eventsourcing import persistence
from eventsourcing.application import Application
from eventsourcing.domain import DomainEventProtocol
from eventsourcing.persistence import InfrastructureFactory, Mapper, StoredEvent, TrackingRecorder
from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteCursor, SQLiteDatastore, SQLiteFactory
from eventsourcing.utils import Environment

from mam_events.events import Event
from mam_events.store.connections import Connections
from mam_events.store.mapper import decode, encode
from mam_events.store.subscription import PollingSubscription
from mam_events.store.tables import TABLES


class Envelope(msgspec.Struct, frozen=True, gc=False):
    """An event with its place in the log, in the form that the library asks of a domain event."""

    originator_id: str
    originator_version: int
    body: Event


class EventMapper(Mapper[str]):
    """The library's mapper over the same rows; states stay readable with any SQLite tool, so it never compresses."""

    def to_stored_event(self, domain_event: DomainEventProtocol[str]) -> StoredEvent:
        """The row of an `Envelope`."""
        if not isinstance(domain_event, Envelope):
            raise TypeError(f"the log stores envelopes, not {type(domain_event).__name__}")
        topic, state = encode(domain_event.body)
        return StoredEvent(domain_event.originator_id, domain_event.originator_version, topic, state)

    def to_domain_event(self, stored_event: StoredEvent) -> Envelope:
        """The `Envelope` of a row; raises `StoreUnusable` as `decode` does."""
        body = decode(stored_event.topic, stored_event.state)
        return Envelope(str(stored_event.originator_id), stored_event.originator_version, body)


class Datastore(SQLiteDatastore):
    """The library's datastore without its pool: there readers queue behind writers, and every use costs two locks."""

    def __init__(self, connections: Connections) -> None:
        super().__init__(connections.location, originator_id_type="text")
        self.connections = connections

    @contextmanager
    def transaction(self, *, commit: bool) -> Iterator[SQLiteCursor]:
        """The same for the library's own methods, with the rows and the errors that they expect."""
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


class EventRecorder(SQLiteApplicationRecorder):
    """The library's recorder over the table of events, with a subscription that polls."""

    def construct_create_table_statements(self) -> list[str]:
        """The tables of the log."""
        return list(TABLES)

    def subscribe(self, gt: int | None = None, topics: Sequence[str] = ()) -> PollingSubscription:
        """Every event behind a notification id, for the library's projections."""
        return PollingSubscription(self, gt, topics)


class Factory(SQLiteFactory):
    """The library's factory over a `Datastore`."""

    SQLITE_SYNCHRONOUS = "SQLITE_SYNCHRONOUS"
    SQLITE_BUSY_TIMEOUT = "SQLITE_BUSY_TIMEOUT"

    datastore: Datastore

    def __init__(self, env: Environment) -> None:
        super().__init__(env)
        self.datastore = Datastore(
            Connections(
                env[self.SQLITE_DBNAME],
                synchronous=env.get(self.SQLITE_SYNCHRONOUS, "FULL"),
                busy_timeout=float(env.get(self.SQLITE_BUSY_TIMEOUT, "5")),
            )
        )

    def application_recorder(self) -> EventRecorder:
        """The recorder of the log."""
        return EventRecorder(self.datastore)


class EncounterLog(Application[str]):
    """The library's application over the log: event store, repository and notification log of encounters."""

    env: ClassVar[dict[str, str]] = {
        "PERSISTENCE_MODULE": f"{__name__}:Factory",
        "ORIGINATOR_ID_TYPE": "text",
        "CREATE_TABLE": "no",
    }
    recorder: EventRecorder

    def __init__(self, env: Mapping[str, str] | None = None, *, connections: Connections | None = None) -> None:
        self._connections = connections
        super().__init__(env)

    def construct_factory(self, env: Environment) -> InfrastructureFactory[TrackingRecorder]:
        """The factory, over the connections of a log that is open already where there are any."""
        factory = super().construct_factory(env)
        if self._connections and isinstance(factory, Factory):
            factory.datastore = Datastore(self._connections)
        return factory

    def construct_env(self, name: str, env: Mapping[str, str] | None = None) -> Environment:
        """The words of the class and of the caller, and nothing else.

        The library lets `os.environ` speak too, and a name there that starts with the application's own beats even
        what the caller says.
        """
        return Environment(name, {**type(self).env, **(env or {})})

    def construct_mapper(self) -> Mapper[str]:
        """The mapper of our topics, without compression or encryption."""
        return EventMapper(self.construct_transcoder())

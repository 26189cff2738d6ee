"""The log in PostgreSQL as the event-sourcing library sees it: a recorder over the same table, and its application."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from eventsourcing.application import Application
from eventsourcing.persistence import Mapper, StoredEvent
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresFactory
from eventsourcing.utils import Environment
from psycopg.conninfo import conninfo_to_dict

from mam_events.store.library import EventMapper
from mam_events.store.subscription import PollingSubscription

_INSERT = """
    INSERT INTO stored_events (originator_id, originator_version, topic, state)
    SELECT * FROM unnest(%s::text[], %s::bigint[], %s::text[], %s::bytea[]) RETURNING notification_id
"""


class EventRecorder(PostgresApplicationRecorder):
    """The library's recorder without its types and functions, which a migrated database does not have."""

    def insert_events(self, stored_events: Sequence[StoredEvent], **_: Any) -> Sequence[int]:
        """Append in one transaction; its user must be allowed to write rows."""
        rows = [(row.originator_id, row.originator_version, row.topic, row.state) for row in stored_events]
        with self.datastore.transaction(commit=True) as cursor:
            self._lock_table(cursor)
            cursor.execute(_INSERT, [list(column) for column in zip(*rows, strict=True)] or [[]] * 4, prepare=True)
            found = [row["notification_id"] for row in cursor.fetchall()]
            self._notify_channel(cursor)
        return found

    def subscribe(self, gt: int | None = None, topics: Sequence[str] = ()) -> PollingSubscription:
        """Every event behind a notification id, for the library's projections."""
        # The library's own listens only some time after it has looked: what comes in between is told to nobody.
        return PollingSubscription(self, gt, topics)


class Factory(PostgresFactory):
    """The library's factory with that recorder."""

    application_recorder_class = EventRecorder


class PostgresEncounterLog(Application[str]):
    """The library's application over a log in PostgreSQL.

    By its `name` it knows the table and the channel of the log, `stored_events`.
    """

    name = "stored"
    env: ClassVar[dict[str, str]] = {
        "PERSISTENCE_MODULE": f"{__name__}:Factory",
        "POSTGRES_ORIGINATOR_ID_TYPE": "text",
        "ORIGINATOR_ID_TYPE": "text",
        "CREATE_TABLE": "no",
    }
    recorder: EventRecorder

    @classmethod
    def at(cls, url: str) -> PostgresEncounterLog:
        """The application over the log at that address."""
        said = conninfo_to_dict(url)
        names = {"dbname": "", "host": "", "port": "5432", "user": "", "password": ""}
        return cls({f"POSTGRES_{name.upper()}": f"{said.get(name) or default}" for name, default in names.items()})

    def construct_env(self, name: str, env: Mapping[str, str] | None = None) -> Environment:
        """The words of the class and of the caller, and nothing of `os.environ`."""
        return Environment(name, {**type(self).env, **(env or {})})

    def construct_mapper(self) -> Mapper[str]:
        """The mapper of our topics, without compression or encryption."""
        return EventMapper(self.construct_transcoder())

"""The library's recorders over one PostgreSQL database: the tables and the function that `schema` makes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any

import psycopg
from eventsourcing.persistence import IntegrityError, Tracking
from eventsourcing.postgres import (
    PostgresAggregateRecorder,
    PostgresApplicationRecorder,
    PostgresRecorder,
    PostgresTrackingRecorder,
)

from mam_events.errors import StoreUnusable
from mam_events.store.failures import told
from mam_events.store.postgres_connections import TRIGGER, translate
from mam_events.store.sql_recorders import (
    FORGET,
    SqlEventRecorder,
    SqlSeedRecorder,
    SqlSnapshotRecorder,
    SqlTokenRecorder,
    SqlViewRecorder,
)

if TYPE_CHECKING:
    from psycopg import Connection

    from mam_events.store.postgres import Datastore
    from mam_events.store.postgres_subscription import ListeningSubscription


_LOCK_POSITION = "SELECT notification_id FROM notification_tracking WHERE application_name = %s FOR UPDATE"


@cache
def _marked(query: str) -> str:
    """Return the query with the marks of psycopg."""
    return query.replace("?", "%s")


class _LogRecorder(PostgresRecorder):
    """A recorder over the connections of a log."""

    datastore: Datastore

    def __init__(self, datastore: Datastore, **more: Any) -> None:
        super().__init__(datastore, **more)
        self.connections = datastore.connections
        self.name = self.connections.name

    def ask(self, query: str, *parameters: object, beside: bool = False) -> list[Any]:
        """Return the rows of a query, as `SqlRecorder` says; a log that was migrated has all tables."""
        del beside
        return self.connections.rows(_marked(query), *parameters)

    def translate(self, error: BaseException) -> None:
        """Raise what an error of psycopg means."""
        translate(error, self.name)

    def create_table(self) -> None:
        """Do nothing: whoever migrates makes the tables, as it may be the only one who is allowed to."""


class PostgresEventRecorder(_LogRecorder, SqlEventRecorder, PostgresApplicationRecorder):
    """The events of every encounter and, in the same transaction, the secret seeds of their dice."""

    ID = "notification_id"
    IS_TEXT = "{} IS NOT NULL"

    def __init__(self, datastore: Datastore) -> None:
        super().__init__(datastore)
        self.lock = self.connections.lock

    @told
    def insert_events(self, stored_events: Sequence[Any], *, seed: bytes | None = None, **_: Any) -> Sequence[int]:
        """Write all or none, as `EventRecorder` says.

        Where the connection is lost in the middle it is found out whether they are there; if not, they are sent again.
        """
        if not stored_events:
            return []
        stretches = _stretches(stored_events)
        if len(stretches) > 1:
            # None of ours, but of other applications of the library.
            with self.connections.grouped():
                return [found for stretch in stretches for found in self.insert_events(stretch, seed=seed)]
        with self.lock:
            last = self.connections.append(stored_events, seed)
        if last == TRIGGER:
            raise StoreUnusable(
                f"{self.name} has a trigger on its events, which may change what is written; no log has any, so drop "
                "it."
            )
        if last <= 0:
            first = stored_events[0]
            raise IntegrityError(f"version {first.originator_version} cannot follow in {first.originator_id}")
        # The function lets nobody else take an id in between.
        return list(range(last - len(stored_events) + 1, last + 1))

    def subscribe(self, gt: int | None = None, topics: Sequence[str] = ()) -> ListeningSubscription:
        """Return every event behind a notification id, and those to come."""
        from mam_events.store.postgres_subscription import ListeningSubscription  # noqa: PLC0415 - few follow

        return ListeningSubscription(self, gt, topics, listen=self.listen)

    def listen(self) -> Connection[Any]:
        """Return a connection of its own that is told of every append from now on."""
        return self.connections.listen()

    @told
    def strays(self) -> list[str]:
        """Return the rows and seeds of no encounter."""
        query = """
            SELECT count(*) || ' rows under ' || quote_literal(originator_id) FROM stored_events
            WHERE originator_version < 1 GROUP BY originator_id
            UNION ALL
            SELECT 'a seed under ' || quote_literal(encounter) FROM seeds
            WHERE NOT EXISTS (SELECT FROM stored_events WHERE originator_id = encounter)
        """
        return [found for (found,) in self.connections.rows(query)]


def _stretches(events: Sequence[Any]) -> list[list[Any]]:
    """Return the events in stretches of one encounter and consecutive versions."""
    found: list[list[Any]] = []
    at = ("", 0)
    for event in events:
        encounter, version = event.originator_id, event.originator_version
        if not found or at != (encounter, version - 1):
            found.append([])
        found[-1].append(event)
        at = (encounter, version)
    return found


class PostgresSnapshotRecorder(_LogRecorder, SqlSnapshotRecorder, PostgresAggregateRecorder):  # type: ignore[misc]  # rows
    """The snapshots of encounters."""

    @told
    def insert_events(self, stored_events: Sequence[Any], **_: Any) -> None:
        """Keep snapshots, in place of those that another program took of the same encounters."""
        table = self.events_table_name
        others = f"DELETE FROM {table} WHERE originator_id = %s AND topic <> %s"  # noqa: S608 - our own name
        keep = (
            f"INSERT INTO {table} VALUES (%s, %s, %s, %b) ON CONFLICT (originator_id, originator_version) "  # noqa: S608 - as above
            "DO UPDATE SET topic = excluded.topic, state = excluded.state"
        )
        with suppress(psycopg.Error, StoreUnusable), self.connections.writing() as cursor:
            for one in stored_events:
                cursor.execute(others, (one.originator_id, one.topic))
                cursor.execute(keep, (one.originator_id, one.originator_version, one.topic, one.state))


class PostgresSeedRecorder(_LogRecorder, SqlSeedRecorder):
    """The secret seeds of the dice."""


class PostgresTokenRecorder(_LogRecorder, SqlTokenRecorder):
    """The tokens of people."""

    @told
    def keep(self, token: str, said: bytes) -> None:
        """Keep what is said of the token of that id, in place of what was."""
        query = "INSERT INTO tokens (id, said) VALUES (%s, %b) ON CONFLICT (id) DO UPDATE SET said = excluded.said"
        with self.connections.writing() as cursor:
            cursor.execute(query, (token, said))


class PostgresViewRecorder(_LogRecorder, SqlViewRecorder, PostgresTrackingRecorder):
    """The view of a projection in the database of its log."""

    TRACKING = "notification_tracking"

    def __init__(self, datastore: Datastore, projection: str = "", **_: Any) -> None:
        super().__init__(datastore)
        self.projection = projection

    @told
    def rows(self, encounters: Sequence[str] | None = None) -> Mapping[str, tuple[int, bytes]]:
        """Return the rows of those encounters, as `ViewRecorder` says."""
        if encounters is None:
            return super().rows()
        # All of them are one parameter: any number of them is one statement, none of them too.
        query = "SELECT encounter, version, said FROM projected WHERE projection = ? AND encounter = ANY(?)"
        found = self.ask(query, self.projection, list(encounters))
        return {encounter: (version, said) for encounter, version, said in found}

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
        del wait
        query = (
            "INSERT INTO projected VALUES (%s, %s, %s, %b) ON CONFLICT (projection, encounter) "
            "DO UPDATE SET version = excluded.version, said = excluded.said"
        )
        with self.connections.writing() as cursor:
            if tracking is not None:
                # First, so that one of two processes waits here for the other, and then goes no further.
                name = self.tracked(tracking.application_name)
                found = cursor.execute(_LOCK_POSITION, (name,)).fetchall()
                if after not in (None, found[0][0] if found else 0):
                    raise IntegrityError(f"{name} has come to {found} already.")
                self._insert_tracking(cursor, Tracking(name, tracking.notification_id))  # type: ignore[arg-type]  # no dicts
            # In one order, so that no two wait for one another.
            cursor.executemany(query, [(self.projection, *row) for row in sorted(rows)])

    @told
    def forget(self) -> None:
        """Let go of what can be made again."""
        with self.connections.writing() as cursor:
            cursor.execute("DELETE FROM projected")
            cursor.execute("DELETE FROM stored_snapshots")
            cursor.execute(FORGET.format(self.TRACKING))

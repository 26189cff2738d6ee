"""The recorders of a log in an SQL database, SQLite or PostgreSQL, and the base of its factory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from operator import attrgetter
from typing import Any, ClassVar, Unpack

import msgspec
from eventsourcing.persistence import AggregateRecorder, IntegrityError, Tracking

from mam_events.errors import StoreUnusable
from mam_events.sanitize import is_clean, printable
from mam_events.store.persistence import (
    EncounterFactory,
    EventRecorder,
    ProjectionRecorder,
    SeedRecorder,
    Span,
    TokenRecorder,
)
from mam_events.store.rows import Notification, StoredEventRow
from mam_events.store.sql_dialect import SqlConnections
from mam_events.store.sqlite_errors import translate_errors

_MOST = 2**63 - 1
_EVENTS = (
    "SELECT originator_version, topic, state FROM stored_events WHERE originator_id = ? AND originator_version > ?"
)
_EVENTS_BEHIND = f"{_EVENTS} ORDER BY originator_version"
_SNAPSHOTS_OF_OTHERS = "DELETE FROM stored_snapshots WHERE originator_id = ? AND topic <> ?"
_KEEP_SNAPSHOT = (
    "INSERT INTO stored_snapshots VALUES (?, ?, ?, ?) ON CONFLICT (originator_id, originator_version) "
    "DO UPDATE SET topic = excluded.topic, state = excluded.state"
)
_KEEP_SAID = "INSERT INTO tokens (id, said) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET said = excluded.said"
_KEEP_ROW = (
    "INSERT INTO projected VALUES (?, ?, ?, ?) ON CONFLICT (projection, encounter) "
    "DO UPDATE SET version = excluded.version, said = excluded.said"
)
# `Notification._make` without its checks: the query gives five columns.
_notification = partial(tuple.__new__, Notification)
columns = attrgetter("originator_id", "originator_version", "topic", "state")
"""The columns of an event, which may be one of the library's own."""


def _limits(lte: int | None = None, limit: int | None = None) -> tuple[int, int]:
    """Return the newest version, or id, and the number of rows to select; None stands for all."""
    return _MOST if lte is None else lte, _MOST if limit is None else limit


class SqlRecorder:
    """A recorder over the connections of a log."""

    def __init__(self, datastore: Any) -> None:
        # Keep the datastore: the library's closes its connections when it is garbage-collected.
        self.datastore = datastore
        self.connections: SqlConnections = datastore.connections

    def translate(self, error: BaseException) -> None:
        """Raise the project's own error for one of the database."""
        self.connections.translate(error)


class SqlEventRecorder(SqlRecorder, EventRecorder):
    """The events of every encounter."""

    def __init__(self, datastore: Any) -> None:
        """Take the datastore of the library's class, which follows in the method resolution order."""
        super(SqlRecorder, self).__init__(datastore)  # type: ignore[call-arg]  # the library's class
        self.connections = datastore.connections
        self.lock = self.connections.lock
        self.id = self.connections.dialect.notification_id

    @translate_errors
    def select_rows(self, originator_id: Any, **span: Unpack[Span]) -> list[tuple[int, str, bytes]]:
        """Return the rows of an encounter, like `EventRecorder`."""
        desc, limits = span.get("desc"), _limits(span.get("lte"), span.get("limit"))
        # Nearly every call takes the one query without limits, which is prepared once.
        if desc or limits != (_MOST, _MOST):
            order = "DESC" if desc else "ASC"
            query = f"{_EVENTS} AND originator_version <= ? ORDER BY originator_version {order} LIMIT ?"
            rows = self.connections.ask(query, originator_id, span.get("gt") or 0, *limits)
        else:
            rows = self.connections.ask(_EVENTS_BEHIND, originator_id, span.get("gt") or 0)
        if rows and not is_clean(originator_id):
            raise StoreUnusable(
                f'The store has rows under "{printable(originator_id)}", and no encounter can have such a name. '
                "It was damaged, or another program changed it."
            )
        return rows

    @translate_errors
    def select_notifications(  # type: ignore[override]  # as `EventRecorder`
        self,
        start: int | None,
        limit: int,
        stop: int | None = None,
        topics: Sequence[str] = (),
        *,
        inclusive_of_start: bool = True,
    ) -> list[Notification]:
        """Return at most `limit` events of the whole store from a notification id on, in order."""
        condition = f"AND topic IN ({', '.join('?' * len(topics))}) " if topics else ""
        query = (
            f"SELECT {self.id}, originator_id, originator_version, topic, state FROM stored_events "
            f"WHERE {self.id} >= ? AND {self.id} <= ? {condition}ORDER BY {self.id} LIMIT ?"
        )
        first = 0 if start is None else start if inclusive_of_start else start + 1
        last, most = _limits(stop, limit)
        return list(map(_notification, self.connections.ask(query, first, last, *topics, most)))

    @translate_errors
    def encounters_after(self, position: int, limit: int) -> tuple[list[str], int]:
        """Return the encounters of the next events, like `EventRecorder`."""
        query = (
            f"SELECT originator_id, max({self.id}) FROM (SELECT {self.id}, originator_id FROM stored_events "
            f"WHERE {self.id} > ? ORDER BY {self.id} LIMIT ?) AS next GROUP BY originator_id ORDER BY min({self.id})"
        )
        rows = self.connections.ask(query, position, limit)
        encounters = [encounter for encounter, _ in rows if isinstance(encounter, str)]
        return encounters, max((last for _, last in rows), default=position)

    @translate_errors
    def max_notification_id(self) -> int:
        """Return the id of the newest event of the store, 0 if there is none."""
        return self.connections.ask(f"SELECT max({self.id}) FROM stored_events")[0][0] or 0

    @translate_errors
    def last_version(self, encounter: str) -> int:
        """Return the newest version of an encounter, 0 if there is none."""
        query = "SELECT max(originator_version) FROM stored_events WHERE originator_id = ?"
        return self.connections.ask(query, encounter)[0][0] or 0

    @translate_errors
    def versions(self, *, last_played: bool = False) -> list[tuple[str, int]]:
        """Return every encounter with its newest version, like `EventRecorder`."""
        order = "DESC" if last_played else "ASC"
        # Step through the index once for each encounter, not for each event.
        return self.connections.ask(f"""
            WITH RECURSIVE ids (id) AS (
                SELECT min(originator_id) FROM stored_events
                UNION ALL
                SELECT (SELECT min(originator_id) FROM stored_events WHERE originator_id > id)
                FROM ids WHERE id IS NOT NULL
            ), newest (id, version) AS (
                SELECT id, (SELECT max(originator_version) FROM stored_events WHERE originator_id = id) FROM ids
            )
            SELECT id, version FROM newest WHERE version IS NOT NULL AND {self.connections.dialect.is_text.format("id")}
            ORDER BY (
                SELECT {self.id} FROM stored_events WHERE originator_id = id AND originator_version IS NOT NULL
                ORDER BY originator_version {order} LIMIT 1
            ) {order}
        """)

    @translate_errors
    def latest(self) -> str | None:
        """Return the encounter that was last written to."""
        text_condition = self.connections.dialect.is_text.format("originator_id")
        rows = self.connections.ask(
            f"SELECT originator_id FROM stored_events WHERE {text_condition} ORDER BY {self.id} DESC LIMIT 1"
        )
        return rows[0][0] if rows else None

    @translate_errors
    def strays(self) -> list[str]:
        """Return the rows and seeds that belong to no encounter."""
        text_condition = self.connections.dialect.is_text.format("originator_id")
        rows = self.connections.ask(
            "SELECT originator_id, count(*) FROM stored_events "
            f"WHERE NOT ({text_condition}) OR coalesce(originator_version < 1, TRUE) GROUP BY originator_id"
        )
        seeds = self.connections.ask(
            "SELECT encounter FROM seeds WHERE NOT EXISTS (SELECT 1 FROM stored_events WHERE originator_id = encounter)"
        )
        return [
            *(f"{count} {'row' if count == 1 else 'rows'} under {_quoted(name)}" for name, count in rows),
            *(f"a seed under {_quoted(name)}" for (name,) in seeds),
        ]


def _quoted(name: object) -> str:
    """Return a name of a row, quoted for SQL."""
    if isinstance(name, bytes):
        return f"X'{name.hex().upper()}'"
    return "NULL" if name is None else printable(repr(name))


class SqlSnapshotRecorder(SqlRecorder, AggregateRecorder):
    """The snapshots of encounters; if the store can't take one now, nothing is lost: they can be made again."""

    @translate_errors
    def select_events(self, originator_id: Any, **span: Unpack[Span]) -> list[StoredEventRow]:  # type: ignore[override]  # as events
        """Return the snapshots of an encounter."""
        query = (
            "SELECT originator_id, originator_version, topic, state FROM stored_snapshots "
            "WHERE originator_id = ? AND originator_version > ? AND originator_version <= ? "
            f"ORDER BY originator_version {'DESC' if span.get('desc') else 'ASC'} LIMIT ?"
        )
        limits = _limits(span.get("lte"), span.get("limit"))
        rows = self.connections.ask(query, originator_id, span.get("gt") or 0, *limits, side_tables=True)
        return list(map(StoredEventRow._make, rows))

    def insert_events(self, stored_events: Sequence[Any], **_: Any) -> None:
        """Store snapshots, replacing those that another program took of the same encounters."""
        with suppress(StoreUnusable):
            self._keep(stored_events)

    @translate_errors
    def _keep(self, snapshots: Sequence[Any]) -> None:
        with self.connections.writing(wait=False, side_tables=True) as cursor:
            for one in snapshots:
                cursor.execute(_SNAPSHOTS_OF_OTHERS, (one.originator_id, one.topic))
                cursor.execute(_KEEP_SNAPSHOT, columns(one))


class SqlSeedRecorder(SqlRecorder, SeedRecorder):
    """The secret seeds of the dice."""

    @translate_errors
    def get(self, encounter: str) -> bytes | None:
        """Return the seed of an encounter's dice, None if this store doesn't have it."""
        rows = self.connections.ask("SELECT seed FROM seeds WHERE encounter = ?", encounter)
        return rows[0][0] if rows else None


class SqlTokenRecorder(SqlRecorder, TokenRecorder):
    """The access tokens."""

    @translate_errors
    def all(self) -> list[bytes]:
        """Return the record of every token."""
        return [
            encoded for (encoded,) in self.connections.ask("SELECT said FROM tokens ORDER BY made", side_tables=True)
        ]

    @translate_errors
    def keep(self, token: str, encoded: bytes) -> None:
        """Store the record of the token with that id, replacing any previous one."""
        with self.connections.writing(side_tables=True) as cursor:
            cursor.execute(_KEEP_SAID, (token, encoded))


class SqlProjectionRecorder(SqlRecorder, ProjectionRecorder):
    """The recorder of a projection in the store of its log.

    Rows and position are stored in one transaction, for any number of events at once.
    """

    def __init__(self, datastore: Any, projection: str = "", **_: Any) -> None:
        super().__init__(datastore)
        self.projection = projection

    @translate_errors
    def rows(self, encounters: Sequence[str] | None = None) -> Mapping[str, tuple[int, bytes]]:
        """Return the rows of those encounters, like `ProjectionRecorder`."""
        query, parameters = "SELECT encounter, version, said FROM projected WHERE projection = ?", [self.projection]
        if encounters is not None:
            # One JSON parameter holds all of them, so that the statement is always the same, even for none.
            query += f" AND encounter IN (SELECT value FROM {self.connections.dialect.json_texts}(?))"
            parameters.append(msgspec.json.encode(encounters).decode())
        rows = self.connections.ask(query, *parameters, side_tables=True)
        return {encounter: (version, position) for encounter, version, position in rows}

    @translate_errors
    def keep(
        self,
        rows: Sequence[tuple[str, int, bytes]],
        tracking: Tracking | None = None,
        *,
        after: int | None = None,
        wait: bool = True,
    ) -> None:
        """Store rows and their position, like `ProjectionRecorder`."""
        with self.connections.writing(wait=wait, side_tables=True) as cursor:
            if tracking is not None:
                # Track first: then the second of two processes waits here, and writes nothing.
                self._track(cursor, self.tracked(tracking.application_name), tracking.notification_id, after)
            # Sorted, so that no two writers wait for each other.
            cursor.executemany(_KEEP_ROW, [(self.projection, *row) for row in sorted(rows)])

    def _track(self, cursor: Any, name: str, position: int, after: int | None) -> None:
        table = self.connections.dialect.tracking
        if after:
            statement = f"UPDATE {table} SET notification_id = ? WHERE application_name = ? AND notification_id = ?"
            cursor.execute(statement, (position, name, after))
        else:
            # A position that is not a number comes from another program and counts as 0.
            cursor.execute(
                f"INSERT INTO {table} (application_name, notification_id) VALUES (?, ?) ON CONFLICT (application_name) "
                "DO UPDATE SET notification_id = excluded.notification_id "
                f"WHERE coalesce(CAST({table}.notification_id AS bigint), 0) <= ?",
                (name, position, position - 1 if after is None else 0),
            )
        if cursor.rowcount != 1:
            raise IntegrityError(f"the position of {name} is not the one before {position} any more.")

    @translate_errors
    def max_tracking_id(self, application_name: str) -> int | None:
        """Return the position in that application, or None."""
        query = f"SELECT max(notification_id) FROM {self.connections.dialect.tracking} WHERE application_name = ?"
        rows = self.connections.ask(query, self.tracked(application_name), side_tables=True)
        return rows[0][0] if rows and isinstance(rows[0][0], int) else None


class SqlFactory(EncounterFactory):
    """The recorders of a log in an SQL database, over the connections of its datastore."""

    datastore: Any
    event_recorder_class: ClassVar[type[SqlEventRecorder]]

    @property
    def connections(self) -> SqlConnections:
        """The connections to the database."""
        return self.datastore.connections  # type: ignore[no-any-return]  # each database has a datastore of its own

    def translate(self, error: BaseException) -> None:
        """Raise the project's own error for one of the database."""
        self.connections.translate(error)

    def application_recorder(self) -> SqlEventRecorder:
        """Return the recorder of events."""
        return self.event_recorder_class(self.datastore)

    def aggregate_recorder(self, purpose: str = "events") -> AggregateRecorder:
        """Return the recorder of events, or that of snapshots for any other purpose; snapshots may be replaced."""
        return self.application_recorder() if purpose == "events" else SqlSnapshotRecorder(self.datastore)

    def tracking_recorder(self, tracking_recorder_class: type[Any] | None = None) -> Any:
        """Return a recorder of that class, or that of positions only."""
        if tracking_recorder_class is None or issubclass(tracking_recorder_class, SqlProjectionRecorder):
            return (tracking_recorder_class or SqlProjectionRecorder)(self.datastore)
        return super().tracking_recorder(tracking_recorder_class)  # type: ignore[safe-super]  # the library's class

    def seed_recorder(self) -> SqlSeedRecorder:
        """Return the recorder of seeds."""
        return SqlSeedRecorder(self.datastore)

    def token_recorder(self) -> SqlTokenRecorder:
        """Return the recorder of tokens."""
        return SqlTokenRecorder(self.datastore)

    def projection_recorder(self, projection: str) -> SqlProjectionRecorder:
        """Return the recorder of that projection."""
        return SqlProjectionRecorder(self.datastore, projection)

    @translate_errors
    def forget(self) -> None:
        """Delete everything that can be made again."""
        dialect = self.connections.dialect
        with self.connections.writing(side_tables=True) as cursor:
            for table in ("projected", "stored_snapshots"):
                cursor.execute(dialect.empty.format(table))
            # A projection with tables of its own keeps its position.
            cursor.execute(f"DELETE FROM {dialect.tracking} WHERE application_name LIKE '%/%'")

    @contextmanager
    def grouped(self) -> Iterator[None]:
        """Group all writes of this thread into one transaction, like `EncounterFactory`.

        A failed part is rolled back alone; the thread reads what it has written. Other threads wait for their turn to
        write, and read the previous state.
        """
        try:
            with self.connections.grouped():
                yield
        except BaseException as error:
            self.translate(error)
            raise

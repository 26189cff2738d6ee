"""The connections to one PostgreSQL database: one writer, and a pool of readers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from operator import attrgetter
from threading import RLock, get_ident
from time import monotonic, sleep
from typing import Any, TypeVar
from urllib.parse import urlsplit

import psycopg
from eventsourcing.postgres import ConnectionPool
from psycopg import Connection, Cursor
from psycopg.pq import Format
from psycopg.rows import DictRow, dict_row, tuple_row
from psycopg_pool import PoolTimeout

from mam_events.errors import BadInput, CommandHint, MamError, StoreUnusable
from mam_events.store.postgres_schema import CHANNEL, FORMAT
from mam_events.store.sql_dialect import Dialect
from mam_events.store.sqlite_errors import translate_errors

T = TypeVar("T")
READERS = 8
PATIENCE = 10.0
"""The seconds to wait, during a command, for a database that has gone."""
MOVED_ON, TRIGGER = 0, -1
"""The codes of the database function if it wrote nothing."""
_APPEND = "SELECT mam_append(%s, %s, %b, %b, %b)"
_SLICE = 0.25
_row = attrgetter("originator_version", "topic", "state")


def translate_postgres_error(error: BaseException, name: str) -> None:
    """Raise the project's own error for one of psycopg; return for any other error."""
    if isinstance(error, MamError):
        return
    if isinstance(error, psycopg.errors.InsufficientPrivilege):
        sentence = f"{name} does not allow this to its user. Grant the rights when migrating it."
        raise StoreUnusable(sentence, hints=[CommandHint("migrate")])
    if isinstance(error, psycopg.errors.UndefinedTable | psycopg.errors.UndefinedFunction):
        raise StoreUnusable(f"{name} holds no log yet. Migrate it first.", hints=[CommandHint("migrate")]) from error
    if isinstance(error, PoolTimeout | psycopg.OperationalError | psycopg.InterfaceError):
        raise StoreUnusable(f"{name} does not answer ({_first(error)}). Try again later.") from error
    if isinstance(error, psycopg.Error):
        raise StoreUnusable(f"{name} cannot be used: {_first(error)}.") from error
    if isinstance(error, UnicodeEncodeError | OverflowError):
        raise BadInput("No log can hold such a name or number.") from error


def _first(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0].rstrip(".") if lines else type(error).__name__


def redact_url(url: str) -> str:
    """Return the address without its password and options, as errors show it."""
    parts = urlsplit(url)
    port = f":{parts.port}" if parts.port else ""
    return f"postgresql://{parts.hostname or ''}{port}{parts.path}"


@cache
def _marked(query: str) -> str:
    """Return the query with the parameter markers of psycopg."""
    return query.replace("?", "%s")


class MarkedCursor(Cursor[Any]):
    """A cursor for queries with a `?` for each parameter; its rows are plain tuples."""

    def __init__(self, connection: Connection[Any]) -> None:
        super().__init__(connection, row_factory=tuple_row)
        self.format = Format.BINARY

    def execute(self, query: Any, params: Any = None, **how: Any) -> Any:
        """Execute a query."""
        return super().execute(_marked(query), params, **how)

    def executemany(self, query: Any, params_seq: Any, **how: Any) -> None:
        """Execute a query for each of those parameters."""
        super().executemany(_marked(query), params_seq, **how)


class Connections:
    """The connections to one log.

    All writers of a process take turns on one connection, by `lock`; readers take those of the pool.
    """

    dialect = Dialect(
        "notification_id", "{} IS NOT NULL", "notification_tracking", "json_array_elements_text", "DELETE FROM {}"
    )
    schema = "public"
    """The schema with the tables of the log, once it is open."""

    def __init__(self, url: str, *, busy_timeout: float = 5.0) -> None:
        self.url = url
        self.name = redact_url(url)
        self.lock = RLock()
        self._busy_timeout = busy_timeout
        self._writer: Connection[tuple[Any, ...]] | None = None
        self._closed = False
        self._grouping = 0
        self._group: list[Sequence[Any]] = []
        self._more = False
        # The library's methods want dicts for rows.
        self.readers: ConnectionPool[Connection[DictRow]] = ConnectionPool(
            url,
            min_size=0,
            max_size=READERS,
            timeout=max(busy_timeout, 1.0),
            kwargs={"autocommit": True, "row_factory": dict_row},
            check=ConnectionPool.check_connection,
            open=False,
        )

    def translate(self, error: BaseException) -> None:
        """Raise the project's own error for one of psycopg."""
        translate_postgres_error(error, self.name)

    @translate_errors
    def open(self) -> None:
        """Open the log; raise StoreUnusable if there is none that this program can use."""
        try:
            with self._connect() as connection:
                self.schema = _checked_schema(connection, self.name)
            self.readers.open()
        except BaseException:
            self.close()
            raise

    def _connect(self) -> Connection[tuple[Any, ...]]:
        if self._closed:
            raise StoreUnusable(f"{self.name} has been closed.")
        seconds = max(int(self._busy_timeout), 2)
        return psycopg.connect(
            self.url, autocommit=True, row_factory=tuple_row, connect_timeout=seconds, application_name="mam-events"
        )

    @translate_errors
    def listen(self) -> Connection[tuple[Any, ...]]:
        """Return a separate connection that receives a notification of every append from now on."""
        connection = self._connect()
        try:
            connection.execute(f"LISTEN {CHANNEL}")
        except BaseException:
            connection.close()
            raise
        return connection

    def writer(self) -> Connection[tuple[Any, ...]]:
        """Return the writing connection; call it only with `lock` held."""
        if self._writer is None or self._writer.closed:
            if self._grouping:
                raise StoreUnusable(f"{self.name} gave up the transaction. Nothing of it was written.")
            self._writer = self._connect()
        return self._writer

    @contextmanager
    def reading(self) -> Iterator[MarkedCursor]:
        """Yield a cursor for one query; in a group that of the writing thread."""
        if self._grouping == get_ident():
            with MarkedCursor(self.writer()) as cursor:
                yield cursor
            return
        with self.readers.connection() as connection, MarkedCursor(connection) as cursor:
            yield cursor

    def ask(self, query: str, *parameters: Any, side_tables: bool = False) -> list[Any]:
        """Return the rows of a query, and retry once if the connection was lost.

        `side_tables` is ignored: a migrated log has all tables.
        """
        del side_tables
        for attempt in (1, 2):
            try:
                with self.reading() as cursor:
                    return cursor.execute(query, parameters, prepare=True).fetchall()  # type: ignore[no-any-return]  # rows
            except psycopg.OperationalError:
                if attempt > 1 or self._grouping == get_ident():
                    raise
        raise AssertionError

    @contextmanager
    def writing(self, *, wait: bool = True, side_tables: bool = False) -> Iterator[MarkedCursor]:
        """Yield a cursor for anything but events: a separate transaction, or a part of this thread's group."""
        del wait, side_tables
        if self._grouping == get_ident():
            with contextmanager(self._part)(), MarkedCursor(self.writer()) as cursor:
                self._more = True
                yield cursor
            return
        with self.readers.connection() as connection, connection.transaction(), MarkedCursor(connection) as cursor:
            yield cursor

    def _patiently(self, work: Callable[[], T]) -> T:
        """Return the result of work, which is tried again if the server has gone and nothing is lost by that."""
        end = monotonic() + PATIENCE
        while True:
            try:
                return work()
            except psycopg.OperationalError:
                if self._grouping or monotonic() >= end:
                    raise
                self._let_go()
                sleep(_SLICE)

    def append(self, events: Sequence[Any], seed: bytes | None) -> int:
        """Write the events of one encounter, with `lock` held, and return the notification id of the last one.

        If nothing was written, return the code from the database function. If the server has gone, wait for it: what it
        had written before the answer was lost counts as written, and the rest is sent again.
        """
        encounter, first = events[0].originator_id, events[0].originator_version
        values = (encounter, first, [event.topic for event in events], [event.state for event in events], seed)
        attempts = 0

        def send() -> int:
            nonlocal attempts
            attempts += 1
            with self.writer().cursor(binary=True) as cursor:
                cursor.execute(_APPEND, values, prepare=True)
                return int(cursor.fetchall()[0][0])

        answer = self._patiently(send)
        if attempts > 1 and answer == MOVED_ON:
            # An earlier attempt may have written these events.
            answer = self._last_id(events)
        if self._grouping and answer > 0:
            self._group.append(events)
        return answer

    def _last_id(self, events: Sequence[Any]) -> int:
        """Return the notification id of the last of the events if all are stored unchanged, otherwise 0."""
        query = (
            "SELECT originator_version, topic, state, notification_id FROM stored_events WHERE originator_id = ? "
            "AND originator_version >= ? ORDER BY originator_version LIMIT ?"
        )
        rows = self.ask(query, events[0].originator_id, events[0].originator_version, len(events))
        return rows[-1][3] if [row[:3] for row in rows] == list(map(_row, events)) else 0

    @contextmanager
    def grouped(self) -> Iterator[None]:
        """Group all writes of this thread in the block into one transaction, or a part of an open one."""
        with self.lock:
            if self._grouping:
                yield from self._part()
                return
            self._group, self._more = [], False
            try:
                connection = self._patiently(self._begin)
                self._grouping = get_ident()
                yield
                self._commit(connection)
            except BaseException:
                self._grouping = 0
                self._let_go()
                raise
            finally:
                self._grouping = 0
                self._group = []

    def _begin(self) -> Connection[tuple[Any, ...]]:
        """Return the writing connection, in a transaction."""
        connection = self.writer()
        connection.execute("BEGIN")
        return connection

    def _commit(self, connection: Connection[tuple[Any, ...]]) -> None:
        try:
            answer = connection.execute("COMMIT").statusmessage
        except psycopg.OperationalError:
            self._grouping = 0
            self._let_go()
            if not self._is_committed():
                raise
        else:
            # After a failed statement the server rolls back instead of committing, without an error.
            if answer != "COMMIT":
                raise StoreUnusable(f"{self.name} gave up the transaction. Nothing of it was written.")

    def _part(self) -> Iterator[None]:
        """Open a part of a group that is rolled back alone if it fails."""
        connection, at = self.writer(), len(self._group)
        # psycopg prepares this statement, but not those of its own transaction blocks.
        connection.execute("SAVEPOINT part")
        try:
            yield
        except BaseException:
            del self._group[at:]
            if not connection.closed:
                connection.execute("ROLLBACK TO SAVEPOINT part")
            raise
        finally:
            if not connection.closed:
                connection.execute("RELEASE SAVEPOINT part")

    def _is_committed(self) -> bool:
        """Return True if the events of the group are stored, after waiting for a server that has gone."""
        if not self._group:
            return not self._more
        return self._patiently(lambda: all(map(self._last_id, self._group)))

    def _let_go(self) -> None:
        if self._writer is not None:
            with suppress(psycopg.Error):
                self._writer.close()
            self._writer = None

    def close(self) -> None:
        """Close every connection."""
        self._closed = True
        self.readers.close()
        with self.lock:
            self._let_go()


def _checked_schema(connection: Connection[tuple[Any, ...]], name: str) -> str:
    """Return the schema of the log; raise StoreUnusable if the database has none or that of a newer program."""
    query = """
        SELECT nspname, to_regclass('mam_format') FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
        WHERE pg_class.oid = to_regclass('stored_events')
    """
    row = connection.execute(query).fetchone()
    if row is None or None in row:
        raise StoreUnusable(f"{name} holds no log yet. Migrate it first.", hints=[CommandHint("migrate")])
    (version,) = connection.execute("SELECT max(format) FROM mam_format").fetchone() or (0,)
    if version > FORMAT:
        raise StoreUnusable(f"{name} was migrated by a newer mam-events (format {version}, this one reads {FORMAT}).")
    if version < FORMAT:
        raise StoreUnusable(f"{name} is from an older mam-events. Migrate it first.", hints=[CommandHint("migrate")])
    return str(row[0])

"""The log in PostgreSQL: the same rows, appended by one function of the database that lets writers in one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property, wraps
from threading import RLock, get_ident
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Self, TypeVar
from urllib.parse import urlsplit

import psycopg
from psycopg.rows import tuple_row
from psycopg_pool import ConnectionPool, PoolTimeout

from mam_events.errors import BadInput, Hint, MamError, StoreUnusable, VersionConflict
from mam_events.store.rows import Arrival, Notification
from mam_events.store.schema import CHANNEL, FORMAT
from mam_events.store.tables import laid_out, ruling_of
from mam_events.text import is_clean, printable

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    from psycopg import Connection, Cursor

    from mam_events.store.postgres_library import PostgresEncounterLog

P = ParamSpec("P")
T = TypeVar("T")
_SEED_BYTES = 32
_REMEMBERED = 10_000
READERS = 8
PATIENCE = 10.0
"""So many seconds a database that has gone is waited for, in the middle of an order."""
_SLICE = 0.25
_MOVED_ON, _TRIGGER = 0, -1
"""The answers of the function where it has appended nothing."""


def _told(method: Callable[Concatenate[PostgresStore, P], T]) -> Callable[Concatenate[PostgresStore, P], T]:
    """Let no error of psycopg out of a method, but what it means to whoever has the store."""

    @wraps(method)
    def asked(store: PostgresStore, /, *args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return method(store, *args, **kwargs)
        except Exception as error:
            translate(error, store.name)
            raise

    return asked


def translate(error: BaseException, name: str) -> None:
    """Raise what the error means, where it is one of psycopg."""
    if isinstance(error, MamError):
        return
    if isinstance(error, psycopg.errors.InsufficientPrivilege):
        sentence = f"{name} does not allow this to its user; whoever migrates it grants what it takes."
        raise StoreUnusable(sentence, hints=[Hint("migrate")])
    if isinstance(error, psycopg.errors.UndefinedTable | psycopg.errors.UndefinedFunction):
        raise StoreUnusable(f"{name} holds no log yet; migrate it first.", hints=[Hint("migrate")]) from error
    if isinstance(error, PoolTimeout | psycopg.OperationalError | psycopg.InterfaceError):
        raise StoreUnusable(f"{name} does not answer ({_first(error)}); try again when it does.") from error
    if isinstance(error, psycopg.Error):
        raise StoreUnusable(f"{name} cannot be used: {_first(error)}.") from error
    if isinstance(error, UnicodeEncodeError | OverflowError):
        raise BadInput("no log can hold such a name or number.") from error


def _first(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0].rstrip(".") if lines else type(error).__name__


def shown(url: str) -> str:
    """The address without its password and options, as errors have it."""
    parts = urlsplit(url)
    port = f":{parts.port}" if parts.port else ""
    return f"postgresql://{parts.hostname or ''}{port}{parts.path}"


class PostgresStore:
    """The rows of every encounter, their seeds, tokens and what projections keep, in one database.

    Threads may share one store, any number of processes one database. Every method raises `StoreUnusable` when it
    does not answer.
    """

    path: Path | None = None
    has_seeds = True

    def __init__(self, url: str, *, busy_timeout: float = 5.0) -> None:
        self.url = url
        self.name = shown(url)
        self._busy_timeout = busy_timeout
        self._lock = RLock()
        self._writer: Connection[tuple[Any, ...]] | None = None
        self._listener: Connection[tuple[Any, ...]] | None = None
        self._grouping = 0
        self._depth = 0
        self._written: list[tuple[str, Sequence[tuple[int, str, bytes]]]] = []
        self._newest: tuple[str, Sequence[tuple[int, str, bytes]]] = ("", ())
        self._stored: dict[str, tuple[int, int]] = {}
        self._readers = ConnectionPool(
            url,
            min_size=0,
            max_size=READERS,
            timeout=max(busy_timeout, 1.0),
            kwargs={"autocommit": True, "row_factory": tuple_row},
            check=ConnectionPool.check_connection,
            open=False,
        )
        self._open()

    @cached_property
    def application(self) -> PostgresEncounterLog:
        """The event-sourcing library's view of the same log, made when it is first asked for."""
        from mam_events.store.postgres_library import PostgresEncounterLog  # noqa: PLC0415 - as of a file

        return PostgresEncounterLog.at(self.url)

    @_told
    def _open(self) -> None:
        try:
            with self._connected() as connection:
                _check_schema(connection, self.name)
            self._readers.open()
        except BaseException:
            self.close()
            raise

    def _connected(self) -> Connection[tuple[Any, ...]]:
        seconds = max(int(self._busy_timeout), 2)
        return psycopg.connect(
            self.url, autocommit=True, row_factory=tuple_row, connect_timeout=seconds, application_name="mam-events"
        )

    def _write_connection(self) -> Connection[tuple[Any, ...]]:
        if self._writer is None or self._writer.closed:
            self._writer = self._connected()
        return self._writer

    @contextmanager
    def _reading(self) -> Iterator[Cursor[tuple[Any, ...]]]:
        """A cursor for one query; in a group that of the thread that writes."""
        if self._grouping == get_ident():
            with self._write_connection().cursor(binary=True) as cursor:
                yield cursor
            return
        with self._readers.connection() as connection, connection.cursor(binary=True) as cursor:
            yield cursor

    def _rows(self, query: str, *parameters: Any) -> list[tuple[Any, ...]]:
        """The rows of a query, asked once more where its connection was lost."""
        for attempt in (1, 2):
            try:
                with self._reading() as cursor:
                    return cursor.execute(query, parameters, prepare=True).fetchall()
            except psycopg.OperationalError:
                if attempt > 1 or self._grouping == get_ident():
                    raise
        raise AssertionError

    @_told
    def append(self, encounter: str, rows: Sequence[tuple[int, str, bytes]], *, seed: bytes | None = None) -> int:
        """Write all rows or none, durably, and return the notification id of the last; as `SQLiteStore.append`.

        Where the connection is lost in the middle it is found out whether they are there; if not, they are sent again.
        """
        self._newest = (encounter, rows)
        _, begun = laid_out(encounter, rows)
        first, last = rows[0][0], rows[-1][0]
        if seed is not None and len(seed) != _SEED_BYTES:
            raise ValueError("a seed has 32 bytes")
        with self._lock:
            version, ruling = self._stored.get(encounter, (0, 0))
            if version != first - 1:
                ruling = self._ruling_at(encounter, first - 1)
            if begun and begun != list(range(ruling + 1, ruling + 1 + len(begun))):
                raise ValueError(f"only ruling {ruling + 1} can follow ruling {ruling}, not {begun}")
            found = self._appended(encounter, rows, seed)
            if len(self._stored) >= _REMEMBERED:
                self._stored.clear()
            self._stored[encounter] = (last, begun[-1] if begun else ruling)
            if self._grouping:
                self._written.append((encounter, rows))
        return found

    def _appended(self, encounter: str, rows: Sequence[tuple[int, str, bytes]], seed: bytes | None) -> int:
        end, lost = monotonic() + PATIENCE, False
        while True:
            try:
                found = self._call(encounter, rows, seed)
            except psycopg.OperationalError:
                if self._grouping or monotonic() >= end:
                    raise
                # It may have been written before the answer was lost: then it has moved on, by these very rows.
                lost = True
                self._let_go()
                sleep(_SLICE)
                continue
            if found > 0:
                return found
            if found == _TRIGGER:
                raise StoreUnusable(
                    f"{self.name} has a trigger on its events, which may change what is written; no log has any, so "
                    "drop it."
                )
            if lost and self.read(encounter, rows[0][0] - 1)[: len(rows)] == [tuple(row) for row in rows]:
                return self.last_notification()
            raise VersionConflict(f'"{encounter}" has moved on: its version {rows[0][0]} is written already.')

    def _call(self, encounter: str, rows: Sequence[tuple[int, str, bytes]], seed: bytes | None) -> int:
        asked = (encounter, rows[0][0], [row[1] for row in rows], [row[2] for row in rows], seed)
        with self._write_connection().cursor(binary=True) as cursor:
            cursor.execute("SELECT mam_append(%s, %s, %b, %b, %b)", asked, prepare=True)
            told = cursor.fetchone()
        return int(told[0]) if told else _MOVED_ON

    def _let_go(self) -> None:
        if self._writer is not None:
            with suppress(psycopg.Error):
                self._writer.close()
            self._writer = None

    @contextmanager
    def grouped(self) -> Iterator[None]:
        """One transaction for every `append` of this thread in the block; as `SQLiteStore.grouped`."""
        with self._lock:
            if self._grouping:
                yield from self._part()
                return
            self._written = []
            try:
                connection = self._begun()
                self._grouping = get_ident()
                yield
                try:
                    connection.execute("COMMIT")
                except psycopg.OperationalError:
                    self._grouping = 0
                    self._let_go()
                    if not self._is_there(self._written):
                        raise
            except BaseException as error:
                self._stored.clear()
                self._grouping = 0
                self._let_go()
                translate(error, self.name)
                raise
            finally:
                self._grouping = 0
                self._written = []

    def _begun(self) -> Connection[tuple[Any, ...]]:
        """The connection that writes, in a transaction; a server that has gone is waited for: nothing is lost yet."""
        end = monotonic() + PATIENCE
        while True:
            try:
                connection = self._write_connection()
                connection.execute("BEGIN")
            except psycopg.OperationalError:
                self._let_go()
                if monotonic() >= end:
                    raise
                sleep(_SLICE)
            else:
                return connection

    def _part(self) -> Iterator[None]:
        connection, at = self._write_connection(), len(self._written)
        connection.execute("SAVEPOINT part")
        try:
            yield
        except BaseException:
            if not connection.closed:
                connection.execute("ROLLBACK TO SAVEPOINT part")
            self._stored.clear()
            del self._written[at:]
            raise
        finally:
            if not connection.closed:
                connection.execute("RELEASE SAVEPOINT part")

    def _is_there(self, written: Sequence[tuple[str, Sequence[tuple[int, str, bytes]]]]) -> bool:
        """True if all of it is stored, in the end: a server that comes again is waited for."""
        end = monotonic() + PATIENCE
        while True:
            try:
                return all(
                    self.read(encounter, rows[0][0] - 1)[: len(rows)] == [tuple(row) for row in rows]
                    for encounter, rows in written
                )
            except StoreUnusable:
                if monotonic() >= end:
                    raise
                sleep(_SLICE)

    def _ruling_at(self, encounter: str, version: int) -> int:
        """The ruling that the row of that version belongs to, 0 before the first; raises `VersionConflict`."""
        query = (
            "SELECT originator_version, state FROM stored_events "
            "WHERE originator_id = %s AND originator_version <= %s ORDER BY originator_version DESC LIMIT 200"
        )
        before = version
        while True:
            found = self._rows(query, encounter, before)
            if before == version and version and (not found or found[0][0] != version):
                raise VersionConflict(f'"{encounter}" has no version {version} yet that another could follow.')
            for _, state in found:
                if number := ruling_of(state):
                    return number
            if not found:
                return 0
            before = found[-1][0] - 1

    def has_written(self) -> bool:
        """True if what was last to be appended here is in the store."""
        encounter, rows = self._newest
        return bool(rows) and self.read(encounter, rows[0][0] - 1)[: len(rows)] == list(rows)

    @_told
    def read(self, encounter: str, after: int = 0) -> list[tuple[int, str, bytes]]:
        """The rows of an encounter behind version `after`, in order; as `SQLiteStore.read`."""
        query = (
            "SELECT originator_version, topic, state FROM stored_events "
            "WHERE originator_id = %s AND originator_version > %s ORDER BY originator_version"
        )
        rows = self._rows(query, encounter, after)
        if rows and not is_clean(encounter):
            raise StoreUnusable(
                f'There are rows under "{printable(encounter)}", with characters that no encounter has.'
            )
        return rows

    @_told
    def last_version(self, encounter: str) -> int:
        """The newest version of an encounter, 0 if there is none."""
        found = self._rows("SELECT max(originator_version) FROM stored_events WHERE originator_id = %s", encounter)
        return int(found[0][0] or 0)

    def encounters(self) -> list[str]:
        """The ids of all encounters, the oldest first."""
        return [encounter for encounter, _ in self.versions()]

    @_told
    def versions(self, *, last_played: bool = False) -> list[tuple[str, int]]:
        """Every encounter with its newest version, the oldest first, or the one that was written to last."""
        # One step through the index per encounter, not per event.
        order = "last.notification_id DESC" if last_played else "first.notification_id"
        query = f"""
            WITH RECURSIVE ids (id) AS (
                (SELECT min(originator_id) FROM stored_events)
                UNION ALL
                SELECT (SELECT min(originator_id) FROM stored_events WHERE originator_id > id)
                FROM ids WHERE id IS NOT NULL
            )
            SELECT id, last.originator_version
            FROM ids
            CROSS JOIN LATERAL (SELECT notification_id FROM stored_events WHERE originator_id = id
                ORDER BY originator_version LIMIT 1) AS first
            CROSS JOIN LATERAL (SELECT notification_id, originator_version FROM stored_events WHERE originator_id = id
                ORDER BY originator_version DESC LIMIT 1) AS last
            ORDER BY {order}
        """  # noqa: S608 - one of two words of our own
        return self._rows(query)

    @_told
    def strays(self) -> list[str]:
        """The rows in the log that are of none of `encounters`."""
        query = """
            SELECT count(*) || ' rows under ' || quote_literal(originator_id) FROM stored_events
            WHERE originator_version < 1 GROUP BY originator_id
            UNION ALL
            SELECT 'a seed under ' || quote_literal(encounter) FROM seeds
            WHERE NOT EXISTS (SELECT FROM stored_events WHERE originator_id = encounter)
        """
        return [found for (found,) in self._rows(query)]

    @_told
    def latest(self) -> str | None:
        """The encounter that was written to last."""
        rows = self._rows("SELECT originator_id FROM stored_events ORDER BY notification_id DESC LIMIT 1")
        return rows[0][0] if rows else None

    @_told
    def seed(self, encounter: str) -> bytes | None:
        """The secret seed of an encounter's dice, if one is kept here."""
        rows = self._rows("SELECT seed FROM seeds WHERE encounter = %s", encounter)
        return rows[0][0] if rows else None

    @_told
    def notifications(self, after: int, limit: int) -> list[Notification]:
        """At most `limit` rows of the whole store behind a notification id, in order."""
        query = (
            "SELECT notification_id, originator_id, originator_version, topic, state FROM stored_events "
            "WHERE notification_id > %s ORDER BY notification_id LIMIT %s"
        )
        return [Notification(*row) for row in self._rows(query, after, limit)]

    @_told
    def last_notification(self) -> int:
        """The id of the newest row of the store, 0 if there is none."""
        return int(self._rows("SELECT max(notification_id) FROM stored_events")[0][0] or 0)

    @_told
    def arrivals(self, after: int, seconds: float, pause: Callable[[float], object] = sleep) -> list[Arrival]:
        """The rows of the whole store behind a notification id, at most a thousand; where there are none yet, they are
        waited for so long: the database tells of what is new, and is asked each quarter of a second.
        """
        query = (
            "SELECT notification_id, originator_id, originator_version FROM stored_events "
            "WHERE notification_id > %s ORDER BY notification_id LIMIT 1000"
        )
        end = monotonic() + seconds
        while True:
            # It listens before it looks, so that nothing comes in between.
            listener = self._listening()
            found = self._rows(query, after)
            if found or monotonic() >= end or pause(0) is True:
                return [Arrival(*row) for row in found]
            try:
                next(listener.notifies(timeout=min(_SLICE, max(end - monotonic(), 0)), stop_after=1), None)
            except psycopg.Error:
                self._listener = None

    def _listening(self) -> Connection[tuple[Any, ...]]:
        if self._listener is None or self._listener.closed:
            self._listener = self._connected()
            self._listener.execute(f"LISTEN {CHANNEL}")
        return self._listener

    def mark(self) -> None:
        """None: to know whether anything was written, the database has to be asked."""

    @_told
    def kept(self, table: str, encounters: Sequence[str]) -> Mapping[str, tuple[int, bytes]]:
        """The rows that `keep` was given under that name of each of those encounters."""
        query = "SELECT encounter, version, said FROM projected WHERE projection = %s AND encounter = ANY(%s)"
        return {encounter: (version, said) for encounter, version, said in self._rows(query, table, list(encounters))}

    @_told
    def keep(self, table: str, rows: Sequence[tuple[str, int, bytes]], *, wait: bool = True) -> None:
        """Keep beside the log what a projection makes of encounters and the versions it is of, in one transaction."""
        del wait
        query = (
            "INSERT INTO projected VALUES (%s, %s, %s, %b) ON CONFLICT (projection, encounter) "
            "DO UPDATE SET version = excluded.version, said = excluded.said"
        )
        with self._readers.connection() as connection, connection.transaction(), connection.cursor() as cursor:
            cursor.executemany(query, [(table, *row) for row in rows])

    @_told
    def forget(self) -> None:
        """Let go of everything that `keep` was given."""
        with self._readers.connection() as connection:
            connection.execute("DELETE FROM projected")

    @_told
    def tokens(self) -> list[bytes]:
        """The words that `keep_token` was given last of every token, in the order in which they were made."""
        return [said for (said,) in self._rows("SELECT said FROM tokens ORDER BY made")]

    @_told
    def keep_token(self, token: str, said: bytes) -> None:
        """Keep what is said of the token of that id, in place of what was."""
        query = "INSERT INTO tokens (id, said) VALUES (%s, %b) ON CONFLICT (id) DO UPDATE SET said = excluded.said"
        with self._readers.connection() as connection:
            connection.execute(query, (token, said))

    def copy_into(self, target: Path, step: Callable[[int], None] = lambda _: None, *, name: str = "") -> None:
        """Not of a database: `mam copy` moves its rows into a file, `pg_dump` saves all of it."""
        del target, step, name
        raise StoreUnusable(f"{self.name} is no file: its rows are copied into one, pg_dump saves all of it.")

    def close(self) -> None:
        """Let go of every connection."""
        self._readers.close()
        for connection in (self._writer, self._listener):
            if connection is not None:
                with suppress(psycopg.Error):
                    connection.close()
        self._writer = self._listener = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"PostgresStore({self.name!r})"


def _check_schema(connection: Connection[tuple[Any, ...]], name: str) -> None:
    """Raise StoreUnusable for a database that holds no log, or one of a newer program, or one with a trigger."""
    found = connection.execute("SELECT to_regclass('mam_format'), to_regclass('stored_events')").fetchone()
    if found is None or None in found:
        raise StoreUnusable(f"{name} holds no log yet; migrate it first.", hints=[Hint("migrate")])
    (version,) = connection.execute("SELECT max(format) FROM mam_format").fetchone() or (0,)
    if version > FORMAT:
        raise StoreUnusable(f"{name} was migrated by a newer mam-events (format {version}, this one reads {FORMAT}).")
    if version < FORMAT:
        raise StoreUnusable(f"{name} is of an older mam-events; migrate it first.", hints=[Hint("migrate")])

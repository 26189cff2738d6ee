"""The connections to one SQLite file: one writer, and as many readers as needed."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from threading import RLock, get_ident
from time import monotonic
from typing import Any, TypeVar

from mam_events.errors import StoreUnusable
from mam_events.store.sql_dialect import Dialect
from mam_events.store.sqlite_errors import is_without_side_files, primary_code, translate_errors, translate_sqlite_error
from mam_events.store.sqlite_file import check_schema, connect, create_layout, initialise, is_blank, open_or_create
from mam_events.store.sqlite_identity import check_wal, claim_wal, release_wal
from mam_events.store.sqlite_schema import BESIDE, check_triggers
from mam_events.store.sqlite_side_files import WAL_LIMIT, SideFiles, check_side_files

T = TypeVar("T")
MEMORY = ":memory:"
"""The location of a store that exists only as long as its `Connections`."""

_TURN = 0.004
"""Seconds that SQLite itself waits for the write lock before the next retry."""


class Connections:
    """The connections to one log.

    All writers of a process share one connection, by `lock`; readers have their own, so that WAL lets them read
    meanwhile. A store in memory has one connection for everything.
    """

    dialect = Dialect("rowid", "typeof({}) = 'text'", "tracking", "json_each", "DROP TABLE IF EXISTS {}")

    def __init__(self, location: str, name: str = "", *, synchronous: str = "FULL", busy_timeout: float = 5.0) -> None:
        self.location = location
        self.name = name or location
        self.lock = RLock()
        self._path = None if location == MEMORY else Path(location)
        self._synchronous = synchronous
        self._busy_timeout = busy_timeout
        self._writer: sqlite3.Connection | None = None
        self._readers: list[sqlite3.Connection] = []
        self._watcher: sqlite3.Connection | None = None
        self._frozen = False
        self._closed = False
        self._grouping = 0
        self._identity: tuple[int, int] | None = None
        self._file = Path(location)
        self._side_files = SideFiles(self._file, location)

    def translate(self, error: BaseException) -> None:
        """Raise the project's own error for one of SQLite."""
        translate_sqlite_error(error, self.name)

    @translate_errors
    def open(self, create_tables: Callable[[sqlite3.Cursor], None], *, create: bool) -> None:
        """Open or create the log; take no write lock if it exists. Raise as `open_or_create` does."""
        # Later connections may be made from another directory, and side files are beside the real file.
        self._file = Path(os.path.realpath(self.location))
        self._side_files = SideFiles(self._file, self.location)
        try:
            if self._path is None:
                with self.writing() as cursor:
                    create_layout(cursor, create_tables)
            else:
                self._open(self._path, create_tables, create=create)
        except BaseException:
            self.close()
            raise

    def _open(self, path: Path, create_tables: Callable[[sqlite3.Cursor], None], *, create: bool) -> None:
        open_or_create(path, create_tables, create=create, busy_timeout=self._busy_timeout)
        self._identity = self._identity_now()
        check_wal(self._file, self.location)
        check_side_files(self._file, self.location, busy_timeout=self._busy_timeout)
        try:
            journal_mode = self._look(path) or self._begin(path, create_tables, create=create)
        except sqlite3.OperationalError as error:
            # If the side files of a file in WAL mode can't be created, SQLite reads the file only as immutable.
            if not is_without_side_files(error):
                raise
            self._frozen = True
            journal_mode = self._look(path) or self._begin(path, create_tables, create=create)
        if journal_mode != "wal" and not self._frozen:
            # The log was copied, or its creation stopped before this step. It works without WAL, but readers would have
            # to wait.
            with suppress(sqlite3.OperationalError):
                initialise(path, create_tables, busy_timeout=0)

    def _look(self, path: Path) -> str:
        """Return the journal mode, or "" for an empty file: SQLite has just rolled back an interrupted creation."""
        with self.reading() as cursor:
            if is_blank(cursor, path):
                return ""
            check_schema(cursor, path)
            mode: str = cursor.execute("PRAGMA journal_mode").fetchone()[0]
            return mode

    def _begin(self, path: Path, create_tables: Callable[[sqlite3.Cursor], None], *, create: bool) -> str:
        """Create the log, also after an interrupted creation, and return the journal mode."""
        open_or_create(path, create_tables, create=create, busy_timeout=self._busy_timeout)
        mode = self._look(path)
        if not mode:
            raise StoreUnusable(f"{path} was emptied while it was opened.")
        return mode

    def _identity_now(self) -> tuple[int, int] | None:
        """Return the device and inode of the file at the path, None if there is none."""
        try:
            status = os.stat(self._file)  # noqa: PTH116 - it comes before every write, and Path takes twice as long
        except FileNotFoundError:
            return None
        return status.st_dev, status.st_ino

    def _has_wal(self) -> bool:
        wal = Path(f"{self._file}-wal")
        return wal.exists() and wal.stat().st_size > 0

    def writer(self) -> sqlite3.Connection:
        """Return the writing connection, between two transactions; call it only with `lock` held."""
        connection = self._writer or self._connect_writer()
        if self._grouping and connection.in_transaction:
            return connection
        if self._grouping:
            raise StoreUnusable(f"{self.location} gave up the transaction. Nothing of it was written.")
        if connection.in_transaction:
            # The lock is reentrant: this write would share the fate of the thread's unfinished transaction.
            raise StoreUnusable(f"{self.location} is in the middle of another transaction of the same thread.")
        if self._path is not None:
            self._check_files(connection)
        return connection

    def check(self) -> None:
        """Raise StoreUnusable if someone deleted or replaced the file, or those beside it, since it was opened."""
        if self._path is not None:
            self._check_identity()
            self._check_side_files()

    def _check_identity(self) -> None:
        if self._identity_now() != self._identity:
            raise StoreUnusable(f"{self.location} was deleted or replaced since it was opened. Nothing was written.")

    def _check_files(self, connection: sqlite3.Connection) -> None:
        """Raise StoreUnusable if writes would be lost, because SQLite goes on writing to deleted files."""
        self._check_identity()
        if not self._side_files.are_right():
            connection.rollback()
            raise self._lost("nothing was written")

    def confirm(self, connection: sqlite3.Connection) -> None:
        """Raise StoreUnusable if the last commit may be lost; call it only with `lock` held."""
        if self._path is None or self._grouping:
            return
        if self._side_files.held is None:
            self._side_files.hold(connection)
        if not self._side_files.has_wal() and not self._side_files.save():
            raise self._lost("this may not be kept")

    def _lost(self, so: str) -> StoreUnusable:
        """Save what was written before, and return the error to raise."""
        files = self._side_files.find_changed() or [f"{self.location}-wal"]
        if not self._side_files.save():
            so += ", and what was written last may be lost"
        return StoreUnusable(
            f"Somebody deleted, replaced or cut {' and '.join(files)} while {self.location} was in use, so {so}. End "
            "every program that has it open, then start again."
        )

    def _connect_writer(self) -> sqlite3.Connection:
        if self._closed:
            raise StoreUnusable(f"{self.location} has been closed.")
        if self._path is None:
            connection = sqlite3.connect(MEMORY, isolation_level=None, check_same_thread=False, cached_statements=128)
        else:
            self._check_side_files()
            connection = connect(
                self._file,
                "mode=rw",
                busy_timeout=min(self._busy_timeout, _TURN),
                settings={"synchronous": self._synchronous, "journal_size_limit": str(WAL_LIMIT)},
            )
            if self._identity is None:
                # The library's own application opens nothing before its first use.
                self._identity = self._identity_now()
            # This connection is closed last. Its settings have already made SQLite read the file.
            self._side_files.hold(connection)
            claim_wal(self._file, connection)
        self._writer = connection
        return connection

    def patiently(self, work: Callable[[], T], *, wait: bool = True) -> T:
        """Return the result of a statement that takes the write lock; retry while another process has it.

        SQLite's own pauses grow to a tenth of a second, so that the longest waiter would go on waiting.
        """
        end = monotonic() + (self._busy_timeout if wait else 0)
        while True:
            try:
                return work()
            except sqlite3.OperationalError as error:
                if primary_code(error) != sqlite3.SQLITE_BUSY or monotonic() >= end:
                    raise

    @contextmanager
    def writing(self, *, wait: bool = True, side_tables: bool = False) -> Iterator[sqlite3.Cursor]:
        """Yield a cursor in a transaction that holds the write lock throughout, or in a part of a group.

        `side_tables` creates the tables beside the events. Without `wait` it fails if another process has the lock.
        """
        with self.lock, self._transaction(wait=wait) as cursor:
            if side_tables:
                check_triggers(cursor)
                for statement in BESIDE:
                    cursor.execute(statement)
            yield cursor

    @contextmanager
    def grouped(self) -> Iterator[None]:
        """Group all writes of this thread in the block into one transaction, or a part of an open one.

        Each `writing` is rolled back alone if it fails; the thread reads what it has written.
        """
        with self.lock, self._transaction():
            before, self._grouping = self._grouping, get_ident()
            try:
                yield
            finally:
                self._grouping = before

    @contextmanager
    def _transaction(self, *, wait: bool = True) -> Iterator[sqlite3.Cursor]:
        connection = self.writer()
        if self._grouping:
            with _savepoint(connection) as cursor:
                yield cursor
            return
        cursor = connection.cursor()
        try:
            self.patiently(partial(cursor.execute, "BEGIN IMMEDIATE"), wait=wait)
            yield cursor
            if self._path is not None:
                self._check_files(connection)
            cursor.execute("COMMIT")
            self.confirm(connection)
        except BaseException:
            connection.rollback()
            raise
        finally:
            cursor.close()

    def ask(self, query: str, *parameters: object, side_tables: bool = False) -> list[Any]:
        """Return the rows of a query; no rows if one of the `side_tables` is asked and doesn't exist yet."""
        with self.reading() as cursor:
            try:
                return cursor.execute(query, parameters).fetchall()
            except sqlite3.OperationalError as error:
                # The table is missing, or something else has its name. Python's own error for invalid UTF-8 has no
                # code.
                if not side_tables or getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) != sqlite3.SQLITE_ERROR:
                    raise
                return []

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Cursor]:
        """Yield a cursor for one query; several queries of one block may see different states of the log."""
        if self._path is None or self._grouping == get_ident():
            with self.lock:
                yield (self._writer or self._connect_writer()).cursor()
            return
        try:
            connection = self._readers.pop()
        except IndexError:
            connection = self._connect_reader()
        try:
            yield connection.cursor()
        except BaseException:
            self._side_files.close(connection)
            raise
        if self._closed or self._frozen:
            self._side_files.close(connection)
        else:
            self._readers.append(connection)

    def mark(self) -> int:
        """Return SQLite's count of commits by any connection; with only one connection, its own count."""
        if self._path is None:
            return (self._writer or self._connect_writer()).total_changes
        if self._watcher is None:
            self._watcher = self._connect_reader()
        self.save_if_changed()
        version: int = self._watcher.execute("PRAGMA data_version").fetchone()[0]
        return version

    def _connect_reader(self) -> sqlite3.Connection:
        if self._closed:
            raise StoreUnusable(f"{self.location} has been closed.")
        if self._frozen and not self._has_wal():
            return connect(self._file, "mode=ro&immutable=1", busy_timeout=self._busy_timeout)
        self._check_side_files()
        connection = connect(self._file, "mode=rw", busy_timeout=self._busy_timeout, settings={"query_only": "ON"})
        if self._side_files.held is None:
            try:
                connection.execute("PRAGMA schema_version").fetchone()
            except BaseException:
                connection.close()
                raise
            self._side_files.hold(connection)
        return connection

    def save_if_changed(self) -> None:
        """Save the last writes if side files were deleted since; for callers that check again and again."""
        if self._side_files.find_changed():
            self._side_files.save()

    def _check_side_files(self) -> None:
        """Raise StoreUnusable if a new connection would have other side files than the existing ones."""
        if self._side_files.find_changed():
            raise self._lost("it cannot be read or written to here")

    def close(self) -> None:
        """Close every connection; the last one of all processes moves the WAL into the file."""
        self._closed = True
        if self._watcher is not None:
            self._side_files.close(self._watcher)
        while self._readers:
            self._side_files.close(self._readers.pop())
        with self.lock:
            if self._writer is not None:
                self._side_files.close(self._writer)
                self._writer = None
        if self._path is not None:
            release_wal(self._file)

    def __del__(self) -> None:
        # Close connections that nobody closed. After an interrupt in the constructor there may be none.
        with suppress(AttributeError):
            self.close()


@contextmanager
def _savepoint(connection: sqlite3.Connection) -> Iterator[sqlite3.Cursor]:
    """Open a part of a transaction that is rolled back alone if it fails."""
    cursor = connection.cursor()
    cursor.execute("SAVEPOINT part")
    try:
        yield cursor
    except BaseException:
        # SQLite may have rolled back the whole transaction, for example on a full disk.
        if connection.in_transaction:
            cursor.execute("ROLLBACK TO part")
        raise
    finally:
        if connection.in_transaction:
            cursor.execute("RELEASE part")
        cursor.close()

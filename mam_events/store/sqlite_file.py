"""The ownership of a file: only one of our logs, or a new file, is ever opened for writing.

The mark of a log (SQLite's `application_id` and `user_version`) is written before the file goes into WAL mode. So it is
in the file itself and can be read without a lock, without recovery, and without a trace in another program's file.
"""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from types import MappingProxyType

from mam_events.errors import NotFound, StoreUnusable

APPLICATION_ID = int.from_bytes(b"MamE")
"""SQLite's mark of the program that owns a file."""

FORMAT = 1
"""The version of the table layout; a newer program wrote a file with a higher one."""

_JOURNAL = bytes.fromhex("d9d505f920a163d7")

# The file has the seeds of open encounters, so only its owner may read it.
_PRIVATE = stat.S_IRUSR | stat.S_IWUSR

# The bytes of the smallest possible page. SQLite treats a file of one byte as empty.
_SMALLEST = 512

_IDENTITY = """
    SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema)
    FROM pragma_application_id, pragma_user_version
"""


_TABLES = frozenset({"stored_events", "seeds"})
"""The tables of every log."""


def connect(
    path: Path, options: str, *, busy_timeout: float, settings: Mapping[str, str] = MappingProxyType({})
) -> sqlite3.Connection:
    """Open a connection in autocommit mode.

    `options` are SQLite's URI parameters, the timeout is in seconds, `settings` are those of PRAGMA.
    """
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?{options}",
        uri=True,
        timeout=busy_timeout,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=128,
    )
    try:
        for name, value in settings.items():
            connection.execute(f"PRAGMA {name} = {value}")
    except BaseException:
        connection.close()
        raise
    return connection


def make_private(path: Path) -> None:
    """Create an empty file that only its owner may ever read; raise FileExistsError.

    SQLite gives the files beside it the same mode. No handle is opened on it: closing one would drop the locks that a
    thread may have taken on the file through SQLite meanwhile.
    """
    try:
        os.mknod(path, stat.S_IFREG | _PRIVATE)
    except PermissionError:
        # Some systems let only root make a node, even for a regular file.
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _PRIVATE))
    # The umask may have removed permissions.
    path.chmod(_PRIVATE)


def is_blank(cursor: sqlite3.Cursor, path: Path) -> bool:
    """Return True if a database has no content and no owner yet; raise `StoreUnusable` unless it is that or a log."""
    application, version, tables = cursor.execute(_IDENTITY).fetchone()
    if application == APPLICATION_ID:
        if version > FORMAT:
            raise StoreUnusable(
                f"{path} was written by a newer version of mam-events (format {version}, this one reads {FORMAT}). "
                "Update mam-events to open it."
            )
        return False
    if application or version or tables:
        raise StoreUnusable(f"{path} is an SQLite file of another program. Choose another file.")
    return True


def check_schema(cursor: sqlite3.Cursor, path: Path) -> None:
    """Raise StoreUnusable for a log that lacks a table or has a trigger, which could change what is written."""
    rows = cursor.execute("SELECT type, name FROM sqlite_schema WHERE type IN ('table', 'trigger')").fetchall()
    for kind, name in rows:
        if kind == "trigger":
            raise StoreUnusable(
                f'{path} has a trigger, "{name}", which may change what is written here. Drop it: no log has any.'
            )
    if missing := _TABLES - {name for _, name in rows}:
        raise StoreUnusable(f"{path} is not a whole log: its table {min(missing)} is missing.")


def open_or_create(
    path: Path, create_tables: Callable[[sqlite3.Cursor], None], *, create: bool, busy_timeout: float
) -> None:
    """Make sure that there is a log at `path`; create it if there is no file and `create` allows it.

    Raises `NotFound` if there is none and it may not be created, `StoreUnusable` for any other file, which is left as
    it was. Any number of processes may do this to one file at once.
    """
    try:
        status = path.stat()
    except FileNotFoundError:
        if create and not path.parent.is_dir():
            raise StoreUnusable(f"The directory {path.parent} does not exist.") from None
        size = 0
    except OSError as error:
        raise StoreUnusable(f"{path} cannot be opened: {error.strerror}.") from error
    else:
        if not stat.S_ISREG(status.st_mode):
            raise StoreUnusable(f"{path} is not a file that can hold a log. Name another path for the log.")
        if status.st_nlink > 1:
            # SQLite names side files after the opened name, so under another name it would use other ones.
            raise StoreUnusable(
                f"{path} has {status.st_nlink} names (hard links), and writing under one of them could damage it "
                "under another. Leave only one name, or copy the file."
            )
        size = status.st_size
        if 0 < size < _SMALLEST:
            raise StoreUnusable(
                f"{path} is neither a log nor an SQLite file. Choose another file, or restore a backup."
            )
    if size == 0 or _looks_blank(path):
        if not create:
            raise NotFound(f"There is no log at {path} yet.")
        initialise(path, create_tables, busy_timeout=busy_timeout)


def _looks_blank(path: Path) -> bool:
    # Read even the first page through SQLite: closing another handle on the file drops this process's locks on it.
    with closing(connect(path, "mode=ro&immutable=1", busy_timeout=0)) as connection:
        try:
            return is_blank(connection.cursor(), path)
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_NOTADB and not _is_being_made(path):
                raise
            # Without a lock, another process may be writing the page; the check with a lock decides.
            return False


def _is_being_made(path: Path) -> bool:
    """Return True if SQLite's journal shows that the file was empty before a write that is not complete."""
    try:
        header = Path(f"{path}-journal").read_bytes()[:20]
    except OSError:
        return False
    return header.startswith(_JOURNAL) and header[16:] == bytes(4)


def create_layout(cursor: sqlite3.Cursor, create_tables: Callable[[sqlite3.Cursor], None]) -> None:
    """Make the tables of a new log and its mark, inside the caller's transaction."""
    create_tables(cursor)
    cursor.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    cursor.execute(f"PRAGMA user_version = {FORMAT}")


def initialise(path: Path, create_tables: Callable[[sqlite3.Cursor], None], *, busy_timeout: float) -> None:
    """Make a log of a blank or missing file, or put an existing log into WAL mode."""
    with suppress(OSError):
        # If the file is missing and can't be created, SQLite reports that below.
        make_private(Path(os.path.realpath(path)))
    with closing(connect(path, "mode=rw", busy_timeout=busy_timeout)) as connection:
        cursor = connection.cursor()
        cursor.execute("BEGIN IMMEDIATE")
        if is_blank(cursor, path):
            # Keep the lock beyond the commit, until WAL mode is on: changing the mode needs exclusive access.
            cursor.execute("PRAGMA locking_mode = EXCLUSIVE")
            create_layout(cursor, create_tables)
        cursor.execute("COMMIT")
        cursor.execute("PRAGMA journal_mode = WAL")

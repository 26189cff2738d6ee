"""Whose file is this? Only a log of ours, or a new file, is ever opened for writing.

The mark of a log (SQLite's `application_id` and `user_version`) is written before the file goes into WAL mode, so it
stands in the file itself and can be read without a lock, without recovery, and without a trace in a file of others.
"""

from __future__ import annotations

import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from mam_events.errors import NotFound, StoreUnusable

APPLICATION_ID = int.from_bytes(b"MamE")
"""SQLite's mark for the program that a file belongs to."""

FORMAT = 1
"""The layout of the tables; a file with a higher one was written by a newer version."""

# Bytes of the smallest page there can be; SQLite itself takes a file of one byte for an empty one.
_SMALLEST = 512

_IDENTITY = """
    SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema)
    FROM pragma_application_id, pragma_user_version
"""


def connect(path: Path, options: str, *, busy_timeout: float) -> sqlite3.Connection:
    """A connection in autocommit mode; `options` are SQLite's URI parameters, the timeout is in seconds."""
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?{options}",
        uri=True,
        timeout=busy_timeout,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=128,
    )


def is_blank(cursor: sqlite3.Cursor, path: Path) -> bool:
    """Whether a database is still without content and owner; raises `StoreUnusable` unless it is that or a log."""
    application, version, tables = cursor.execute(_IDENTITY).fetchone()
    if application == APPLICATION_ID:
        if version > FORMAT:
            raise StoreUnusable(
                f"{path} was written by a newer version of mam-events (format {version}, this one reads {FORMAT})."
            )
        return False
    if application or version or tables:
        raise StoreUnusable(f"{path} is an SQLite file of another program.")
    return True


def claim(path: Path, create_tables: Callable[[sqlite3.Cursor], None], *, create: bool, busy_timeout: float) -> None:
    """See to it that there is a log at `path`: made here if the file is new and `create` allows it.

    Raises `NotFound` where there is none and none may be made, `StoreUnusable` for any other file; that is then left
    as it was. Any number of processes may do this to one file at once.
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
            raise StoreUnusable(f"{path} is not a file.")
        size = status.st_size
        if 0 < size < _SMALLEST:
            raise StoreUnusable(f"{path} is no log and no SQLite file at all.")
    if size == 0 or _looks_blank(path):
        if not create:
            raise NotFound(f"There is no log at {path} yet.")
        initialise(path, create_tables, busy_timeout=busy_timeout)


def _looks_blank(path: Path) -> bool:
    # SQLite's own file handling is used even for this look at the first page: closing a second handle on a file drops
    # the locks that this process holds on it through SQLite.
    with closing(connect(path, "mode=ro&immutable=1", busy_timeout=0)) as connection:
        try:
            return is_blank(connection.cursor(), path)
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_NOTADB:
                raise
            # Without a lock one can meet a page that another process is about to write; the look with a lock decides.
            return False


def initialise(path: Path, create_tables: Callable[[sqlite3.Cursor], None], *, busy_timeout: float) -> None:
    """Make a log of a blank file, or put one that is a log already into WAL mode."""
    with closing(connect(path, "mode=rwc", busy_timeout=busy_timeout)) as connection:
        cursor = connection.cursor()
        cursor.execute("BEGIN IMMEDIATE")
        if is_blank(cursor, path):
            # The lock is kept beyond the commit, until the file is in WAL mode: to change the mode, one must be alone.
            cursor.execute("PRAGMA locking_mode = EXCLUSIVE")
            create_tables(cursor)
            cursor.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            cursor.execute(f"PRAGMA user_version = {FORMAT}")
        cursor.execute("COMMIT")
        cursor.execute("PRAGMA journal_mode = WAL")

"""A copy of a store in use: SQLite's online backup, in one snapshot, while others go on writing."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from mam_events.errors import StoreUnusable
from mam_events.store.sqlite_connections import Connections
from mam_events.store.sqlite_errors import store_unusable
from mam_events.store.sqlite_file import connect
from mam_events.store.sqlite_identity import set_identity

_PAGES_AT_ONCE = 64


def copy_into(connections: Connections, target: Path, step: Callable[[int], None], name: str) -> None:
    """Copy the store into an empty file; call `step` with the number of pages left.

    Raises StoreUnusable if the copy is damaged, and under that `name` if the copy can't be written.
    """
    with closing(connect(target, "mode=rw", busy_timeout=0)) as copy, connections.reading() as cursor:
        # Read one snapshot: otherwise every write by others would restart the copy.
        cursor.execute("BEGIN")
        try:
            cursor.execute("SELECT count(*) FROM sqlite_schema").fetchone()
            cursor.connection.backup(copy, pages=_PAGES_AT_ONCE, progress=lambda _, remaining, __: step(remaining))
        except sqlite3.Error as error:
            # SQLite doesn't say which file failed; it must be the copy, because the source has just been read.
            raise store_unusable(error, name) from error
        finally:
            cursor.connection.rollback()
        _check(copy)
        # The copy is a store of its own: later writes to the source don't belong to its past.
        set_identity(copy.cursor())


def _check(copy: sqlite3.Connection) -> None:
    problem = copy.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if problem != "ok":
        raise StoreUnusable(f"The copy is damaged, and so is the log that it was taken from: {problem}.")

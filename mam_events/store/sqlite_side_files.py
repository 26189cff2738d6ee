"""The files that SQLite keeps beside a log in use: `-wal` with the last writes, and `-shm`, its index.

They stay as they are from the first to the last connection of all processes. If someone deletes or replaces them,
SQLite goes on writing into a file without a name, which is lost when the process ends.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from time import monotonic, sleep
from typing import NamedTuple

from mam_events.errors import StoreUnusable
from mam_events.store.sqlite_errors import primary_code
from mam_events.store.sqlite_file import connect

WAL_LIMIT = 4 * 1024 * 1024
"""Bytes to which the WAL shrinks once no long reader prevents its reuse; its usual size."""

_PAUSE = 0.005
_PATIENCE = 2.0
"""Seconds that are enough for a program that opens or closes a log to make or delete them."""


class _Held(NamedTuple):
    """The inodes of the two files that a connection holds."""

    holder: sqlite3.Connection
    wal: int
    shm: int


def _look(name: str) -> tuple[int, int]:
    """Return the inode of a file, 0 if there is none, and its size."""
    try:
        status = os.stat(name)  # noqa: PTH116 - it comes before and after every write, and Path takes twice as long
    except FileNotFoundError:
        return 0, 0
    return status.st_ino, status.st_size


class SideFiles:
    """The side files of one log, as the connections of this process hold them.

    They are unknown while no connection holds them, and if a log is not in WAL mode.
    """

    def __init__(self, file: Path, location: str) -> None:
        self._file = file
        self._location = location
        self._wal, self._shm = f"{file}-wal", f"{file}-shm"
        self.held: _Held | None = None
        """None while no connection is known to hold them."""
        self._size = 0

    def hold(self, connection: sqlite3.Connection) -> None:
        """Record the files that a connection holds after it has read."""
        (wal, size), (shm, _) = _look(self._wal), _look(self._shm)
        if wal and shm:
            if self.held is None:
                self._size = size
            self.held = _Held(connection, wal, shm)

    def close(self, connection: sqlite3.Connection) -> None:
        """Close a connection; forget the files if it held them, because SQLite deletes them with the last connection.

        Files that others made in the meantime would be deleted too; in that case it stays open until the program ends.
        """
        if self.held is not None and self.held.holder is connection:
            if self.are_of_others():
                import ctypes  # noqa: PLC0415 - it is rarely needed

                ctypes.pythonapi.Py_IncRef(ctypes.py_object(connection))
                return
            self.held = None
        connection.close()

    def find_changed(self) -> list[str]:
        """Return the names of the files that are no longer the held ones."""
        if (files := self.held) is None:
            return []
        looks = (("wal", self._wal, files.wal), ("shm", self._shm, files.shm))
        return [f"{self._location}-{ending}" for ending, name, inode in looks if _look(name)[0] != inode]

    def are_right(self) -> bool:
        """Return True if writes will be found again; call it only in a thread that may write."""
        return self.has_wal() and (self.held is None or _look(self._shm)[0] == self.held.shm)

    def has_wal(self) -> bool:
        """Return True if the WAL is the held one, and complete; call it only in a thread that may write."""
        if self.held is None:
            return True
        number, size = _look(self._wal)
        if number != self.held.wal:
            return False
        # SQLite itself truncates a long WAL to the limit, and any program may empty it after moving all of it into the
        # log.
        if size < self._size and size < WAL_LIMIT and not self._is_readable():
            return False
        self._size = size
        return True

    def _is_readable(self) -> bool:
        """Return True if every page that SQLite looks for in the WAL is there."""
        try:
            with closing(connect(self._file, "mode=rw", busy_timeout=1, settings={"query_only": "ON"})) as fresh:
                answer: str = fresh.execute("PRAGMA quick_check(1)").fetchone()[0]
                return answer == "ok"
        except sqlite3.Error as error:
            if primary_code(error) == sqlite3.SQLITE_BUSY:
                raise
            return False

    def are_of_others(self) -> bool:
        """Return True if other programs have opened the log since, with side files of their own."""
        return self.held is not None and _look(self._shm)[0] not in (0, self.held.shm)

    def save(self) -> bool:
        """Move the content of a WAL without a name into the log itself; return False if some of it may be lost."""
        if (files := self.held) is None or _look(self._wal)[0] == files.wal:
            return self.has_wal()
        if self.are_of_others():
            # The others have continued from a log without the end of this WAL, so the two must not be mixed.
            return False
        try:
            busy, pages, pages_moved = files.holder.execute("PRAGMA wal_checkpoint(FULL)").fetchone()
            if busy or pages_moved != pages:
                return False
            # Move the file that took the WAL's name: the next program would write its content over the log.
            Path(self._wal).replace(f"{self._wal}-replaced")
        except FileNotFoundError:
            return True
        except (sqlite3.Error, OSError):
            return False
        return True


def check_side_files(file: Path, location: str, *, busy_timeout: float) -> None:
    """Raise StoreUnusable if another program has a log open whose side files are gone.

    Its last writes can't be read here, and would be lost.
    """
    end = monotonic() + max(busy_timeout, _PATIENCE)
    while missing := [f"{location}{ending}" for ending in ("-wal", "-shm") if not Path(f"{file}{ending}").exists()]:
        try:
            with closing(connect(file, "mode=rw", busy_timeout=0, settings={"locking_mode": "EXCLUSIVE"})) as exclusive:
                exclusive.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        except sqlite3.Error as error:
            if primary_code(error) == sqlite3.SQLITE_BUSY:
                # Another program may be opening or closing the log, and creates or deletes these files then.
                if monotonic() < end:
                    sleep(_PAUSE)
                    continue
                raise StoreUnusable(
                    f"Somebody deleted {' and '.join(missing)} while another program has {location} open. End that "
                    "program first, so that its last writes are kept."
                ) from error
        return

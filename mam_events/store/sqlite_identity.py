"""The identity of a store, and the file beside it that names the store to which its WAL belongs.

SQLite replays any WAL that is beside a file. After a crash one may be beside a backup that replaced the store.
"""

from __future__ import annotations

import secrets
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from mam_events.errors import StoreUnusable
from mam_events.store.sqlite_file import connect


def set_identity(cursor: sqlite3.Cursor) -> None:
    """Give a new store, or a copy, an identity of its own."""
    cursor.execute("CREATE TABLE IF NOT EXISTS identity (store TEXT NOT NULL)")
    cursor.execute("DELETE FROM identity")
    cursor.execute("INSERT INTO identity VALUES (?)", (secrets.token_hex(16),))


def check_wal(file: Path, location: str) -> None:
    """Raise StoreUnusable if the WAL beside a file was written for another store."""
    owner = _owner(file)
    if not owner or not _has_wal(file):
        return
    # Ignore the WAL: read with it, the file would already look like the other store.
    with closing(connect(file, "mode=ro&immutable=1", busy_timeout=0)) as connection:
        identity = _identity(connection)
    if identity and identity != owner:
        raise StoreUnusable(
            f"{location}-wal belongs to another store than {location} and would damage it. Move "
            f"{location}-wal and {location}-shm to another folder, or put the earlier store back."
        )


def claim_wal(file: Path, connection: sqlite3.Connection) -> None:
    """Record the store of that connection as the owner of the WAL, before anything is written."""
    identity = _identity(connection)
    if identity == _owner(file):
        return
    owner = _identity_file(file)
    new = owner.with_name(f"{owner.name}-{secrets.token_hex(4)}")
    try:
        new.write_text(identity, "ascii")
        new.chmod(file.stat().st_mode & 0o666)
        new.replace(owner)
    except OSError:
        # No name is better than a wrong one.
        for one in (new, owner):
            with suppress(OSError):
                one.unlink()


def release_wal(file: Path) -> None:
    """Remove that record if the last connection of the store has removed the WAL."""
    with suppress(OSError):
        if not Path(f"{file}-wal").exists():
            _identity_file(file).unlink()


def _identity_file(file: Path) -> Path:
    return Path(f"{file}-id")


def _owner(file: Path) -> str:
    """Return the identity in the file beside the store; "" if there is none."""
    try:
        return _identity_file(file).read_text("ascii", "replace")
    except OSError:
        return ""


def _has_wal(file: Path) -> bool:
    try:
        return Path(f"{file}-wal").stat().st_size > 0
    except OSError:
        return False


def _identity(connection: sqlite3.Connection) -> str:
    """Return the identity of a store; "" if it is unknown."""
    try:
        row = connection.execute("SELECT store FROM identity").fetchone()
    except sqlite3.Error:
        return ""
    return str(row[0]) if row else ""

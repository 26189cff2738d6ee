"""Errors of SQLite as `StoreUnusable`, with sentences that a person can act on."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from functools import wraps
from typing import Any, Protocol, TypeVar, cast

from mam_events.errors import BadInput, MamError, StoreUnusable

_Method = TypeVar("_Method", bound=Callable[..., Any])


class _Store(Protocol):
    def translate(self, error: BaseException) -> None: ...


_LOCKED = "{name} is locked by another process. Try again when that is done."
_NOT_OPENED = "{name} cannot be opened: it or its directory is missing, read-only or not yours."
_SENTENCES = {
    **dict.fromkeys((sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL), _LOCKED),
    sqlite3.SQLITE_READONLY: "{name} is read-only, so nothing can be added to it.",
    **dict.fromkeys((sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM), _NOT_OPENED),
    sqlite3.SQLITE_IOERR: "{name} could not be read or written: its disk is full or failing ({detail}).",
    sqlite3.SQLITE_FULL: "There is no room left on the disk that holds {name}.",
    sqlite3.SQLITE_CORRUPT: "{name} is damaged: {detail}.",
    sqlite3.SQLITE_NOTADB: "{name} is neither a log nor an SQLite file. Choose another file, or restore a backup.",
    sqlite3.SQLITE_CONSTRAINT: "{name} refuses these rows: {detail}.",
}
_OTHERWISE = "{name} cannot be used: {detail}."


def primary_code(error: BaseException | None) -> int | None:
    """Return SQLite's primary result code of an error, if it has one."""
    while error is not None:
        code = getattr(error, "sqlite_errorcode", None)
        if isinstance(code, int):
            return code & 0xFF
        error = error.__cause__
    return None


def is_without_side_files(error: sqlite3.Error) -> bool:
    """Return True if SQLite could not make its files beside the log: no permission, or a full disk."""
    return primary_code(error) in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY) or (
        error.sqlite_errorcode in (sqlite3.SQLITE_IOERR_SHMOPEN, sqlite3.SQLITE_IOERR_SHMSIZE)
    )


def store_unusable(error: BaseException, name: str) -> StoreUnusable:
    """Return the error to raise instead of one of `sqlite3`; `name` is the store's, as the user gave it."""
    sentence = _SENTENCES.get(primary_code(error) or 0, _OTHERWISE)
    return StoreUnusable(sentence.format(name=name, detail=str(error).rstrip(".")))


def translate_errors(method: _Method) -> _Method:
    """Raise the project's own error for each error of the database, with the store's `translate`."""

    @wraps(method)
    def asked(store: _Store, /, *rest: Any, **more: Any) -> Any:
        try:
            return method(store, *rest, **more)
        except Exception as error:
            store.translate(error)
            raise

    return cast("_Method", asked)


def translate_sqlite_error(error: BaseException, name: str) -> None:
    """Raise the project's own error for one of `sqlite3`."""
    if isinstance(error, MamError):
        return
    if isinstance(error, sqlite3.Error):
        raise store_unusable(error, name) from error
    if isinstance(error, OSError):
        raise StoreUnusable(f"{name} cannot be used: {error.strerror or error}.") from error
    if isinstance(error, UnicodeDecodeError):
        # SQLite's own message about a damaged file may not be readable either.
        raise StoreUnusable(f"{name} is damaged: it holds bytes that are not text.") from error
    if isinstance(error, UnicodeEncodeError | OverflowError):
        raise BadInput("No log can hold such a name or number.") from error

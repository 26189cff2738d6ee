"""Tables that projections keep in the store, each moved forward in one transaction with its position."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from eventsourcing.persistence import Tracking
from eventsourcing.sqlite import SQLiteCursor, SQLiteTrackingRecorder

from mam_events.errors import VersionConflict
from mam_events.store.datastore import Datastore
from mam_events.store.failures import Translation


class ViewRecorder(SQLiteTrackingRecorder):
    """The library's table of positions, one row per view."""

    datastore: Datastore

    def position(self, name: str, cursor: sqlite3.Cursor) -> int:
        """How far a view has come: a notification id, 0 for a view that has not begun."""
        return self._max_tracking_id(name, SQLiteCursor(cursor)) or 0

    def advance(self, name: str, up_to: int, cursor: sqlite3.Cursor) -> None:
        """Note in the caller's transaction that a view has come to a notification id, which must be a higher one."""
        self._insert_tracking(SQLiteCursor(cursor), Tracking(name, up_to))

    def restart(self, name: str, cursor: sqlite3.Cursor) -> None:
        """Forget in the caller's transaction how far a view has come."""
        cursor.execute("DELETE FROM tracking WHERE application_name = ?", (name,))


class ViewTables:
    """The tables of some views, which are moved forward in batches and read with SQL."""

    def __init__(self, recorder: ViewRecorder, create_statements: Sequence[str], translation: Translation) -> None:
        self._recorder = recorder
        self._translation = translation
        with translation, recorder.datastore.lock:
            for statement in create_statements:
                # One by one: a table that exists then needs no write lock.
                recorder.datastore.writer().execute(statement)

    def position(self, name: str) -> int:
        """How far a view has come: a notification id, 0 for a view that has not begun."""
        with self._translation, self._recorder.datastore.reading() as cursor:
            return self._recorder.position(name, cursor)

    @contextmanager
    def transaction(self, name: str, after: int, up_to: int) -> Iterator[sqlite3.Cursor]:
        """One transaction for the rows of a view and its position, which goes from `after` to `up_to`.

        Raises `VersionConflict`, and changes nothing, if the view is not at `after`: then another process has taken
        it further, and what the caller has read is not what comes next.
        """
        with self._translation, self._recorder.datastore.writing() as cursor:
            position = self._recorder.position(name, cursor)
            if position != after:
                raise VersionConflict(f'The view "{name}" is at {position} already, not at {after}.')
            if up_to > after:
                self._recorder.advance(name, up_to, cursor)
            yield cursor

    @contextmanager
    def restart(self, name: str) -> Iterator[sqlite3.Cursor]:
        """One transaction in which the caller empties the tables of a view and its position falls to 0."""
        with self._translation, self._recorder.datastore.writing() as cursor:
            self._recorder.restart(name, cursor)
            yield cursor

    def rows(self, query: str, parameters: Sequence[object] = ()) -> list[Any]:
        """The rows of a query, as tuples."""
        with self._translation, self._recorder.datastore.reading() as cursor:
            return cursor.execute(query, parameters).fetchall()

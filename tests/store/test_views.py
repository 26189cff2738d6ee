"""Tables of views move forward with their position, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from mam_events.errors import StoreUnusable, VersionConflict
from mam_events.store import SQLiteStore, open_store

SEEN = ("CREATE TABLE IF NOT EXISTS seen (id INTEGER PRIMARY KEY, encounter TEXT)",)
INSERT = "INSERT INTO seen VALUES (?, ?)"


@pytest.fixture
def played(store: SQLiteStore) -> SQLiteStore:
    for name in ("one", "two"):
        store.append(name, [(version, "Probe.1", b"{}") for version in (1, 2, 3)])
    return store


def test_rows_and_position_are_written_together(played: SQLiteStore) -> None:
    views = played.views(SEEN)
    assert views.position("seen") == 0
    for after in (0, 4):
        batch = played.notifications(after, 4)
        with views.transaction("seen", after, batch[-1].id) as cursor:
            cursor.executemany(INSERT, [(item.id, item.encounter) for item in batch])
        assert views.position("seen") == batch[-1].id
    assert views.rows("SELECT encounter, count(*) FROM seen GROUP BY encounter") == [("one", 3), ("two", 3)]
    assert views.rows("SELECT id FROM seen WHERE id > ?", (4,)) == [(5,), (6,)]
    assert views.position("another") == 0


def test_a_failure_takes_rows_and_position_back(played: SQLiteStore) -> None:
    views = played.views(SEEN)

    def project(statement: str, divisor: int) -> None:
        with views.transaction("seen", 0, 6) as cursor:
            cursor.execute(INSERT, (6 // divisor, "one"))
            cursor.execute(statement)
            assert 6 // (divisor - 1)

    for statement in ("INSERT INTO nowhere VALUES (1)", "INSERT INTO seen VALUES (3, 'again')", "no SQL"):
        with pytest.raises(StoreUnusable, match=r"cannot be used|refuses these rows"):
            project(statement, 2)
    with pytest.raises(ZeroDivisionError):
        project("SELECT 1", 1)
    assert views.position("seen") == 0
    assert views.rows("SELECT * FROM seen") == []
    project("SELECT 1", 2)
    assert (views.position("seen"), views.rows("SELECT * FROM seen")) == (6, [(3, "one")])


def test_a_batch_that_does_not_come_next_is_refused(played: SQLiteStore) -> None:
    views = played.views(SEEN)
    with views.transaction("seen", 0, 4) as cursor:
        cursor.execute(INSERT, (1, "one"))
    for after, up_to in ((0, 6), (0, 4), (0, 2), (3, 6), (5, 6)):
        with pytest.raises(VersionConflict, match='"seen" is at 4'), views.transaction("seen", after, up_to):
            pytest.fail("a batch was applied twice or out of turn")
    assert views.position("seen") == 4


def test_rows_may_be_mended_where_the_position_stays(played: SQLiteStore) -> None:
    views = played.views(SEEN)
    for _ in range(2):
        with views.transaction("seen", 0, 0) as cursor:
            cursor.execute("INSERT INTO seen (encounter) VALUES ('mended')")
    assert views.position("seen") == 0
    assert views.rows("SELECT count(*) FROM seen") == [(2,)]


def test_a_view_can_begin_anew(played: SQLiteStore) -> None:
    views = played.views(SEEN)
    with views.transaction("seen", 0, 6) as cursor:
        cursor.execute(INSERT, (1, "one"))
    with pytest.raises(StoreUnusable), views.restart("seen") as cursor:
        cursor.execute("DELETE FROM sen")
    assert (views.position("seen"), len(views.rows("SELECT * FROM seen"))) == (6, 1)
    with views.restart("seen") as cursor:
        cursor.execute("DELETE FROM seen")
    assert (views.position("seen"), len(views.rows("SELECT * FROM seen"))) == (0, 0)
    with views.transaction("seen", 0, 6) as cursor:
        cursor.execute(INSERT, (2, "one"))
    assert views.position("seen") == 6


def test_a_view_is_there_again_and_opening_it_takes_no_write_lock(path: Path) -> None:
    with open_store(path, busy_timeout=0.05) as store:
        with store.views(SEEN).transaction("seen", 0, 7) as cursor:
            cursor.execute(INSERT, (7, "one"))
        with open_store(path, busy_timeout=0.05) as other, store.views([]).transaction("busy", 0, 1):
            views = other.views(SEEN)
            assert views.position("seen") == 7
            assert views.rows("SELECT * FROM seen") == [(7, "one")]


def test_a_query_cannot_write(path: Path) -> None:
    with open_store(path) as store, pytest.raises(StoreUnusable):
        store.views(SEEN).rows("INSERT INTO seen VALUES (1, 'one')")

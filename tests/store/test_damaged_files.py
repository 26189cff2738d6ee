"""Log files that are damaged or that another program has changed."""

from __future__ import annotations

import os
import random
import re
from contextlib import suppress
from pathlib import Path

import pytest

from mam_events.errors import MamError, StoreUnusable, VersionConflict
from mam_events.log.encounters import Encounters
from mam_events.store import build_events, decode_rows
from tests.conftest import in_sqlite
from tests.store.sqlite_rows import ROWS, open_sqlite


def test_a_log_that_left_wal_mode_returns_to_it(log: Path) -> None:
    with open_sqlite(log) as connection:
        assert connection.execute("PRAGMA journal_mode = DELETE").fetchone() == ("delete",)
        connection.execute("BEGIN")
        connection.execute("SELECT count(*) FROM stored_events").fetchone()
        with Encounters.at(log, busy_timeout=0.05) as store:
            assert store.rows("fight") == ROWS
    with Encounters.at(log) as store, open_sqlite(log) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert store.rows("fight") == ROWS


def test_a_full_disk_gives_an_error_and_loses_nothing(path: Path) -> None:
    with Encounters.at(path) as store:
        store.save(*build_events("fight", ROWS[:1]))
        connections = in_sqlite(store)
        with connections.writing() as cursor:
            pages = cursor.execute("PRAGMA page_count").fetchone()[0]
            cursor.execute(f"PRAGMA max_page_count = {pages}")
        long = b"x" * 5000
        for seed in (None, b"s" * 64):
            with pytest.raises(StoreUnusable, match="no room left on the disk"):
                store.save(*build_events("other", [(1, "Probe.1", long), (2, "Probe.1", long)]), seed=seed)
        assert store.encounters() == ["fight"]
        assert store.seeds.get("other") is None
        with pytest.raises(StoreUnusable, match="no room left on the disk"):
            store.projection_recorder("seen").keep([("fight", 1, long)])
        assert store.projection_recorder("seen").rows(["fight"]) == {}
        with connections.writing() as cursor:
            cursor.execute("PRAGMA max_page_count = 1000000")
        assert store.save(*build_events("other", [(1, "Probe.1", long)]))[-1] == 2


@pytest.mark.parametrize("size", [1, 16, 50, 99, 100, 101, 1000, 4095, 4096, 4097, 8192, 12288, 20000])
def test_a_truncated_log_is_refused(log: Path, size: int) -> None:
    os.truncate(log, size)
    with pytest.raises(StoreUnusable, match=r"damaged|nor an SQLite file"), Encounters.at(log) as store:
        store.rows("fight")


def test_a_damaged_log_raises_only_errors_of_the_program(log: Path) -> None:
    content = log.read_bytes()
    dice = random.Random(7)
    refused = 0
    for _ in range(150):
        damaged = bytearray(content)
        for _ in range(dice.choice([1, 3, 30])):
            damaged[dice.randrange(len(damaged)) if dice.random() < 0.7 else dice.randrange(4096)] = dice.randrange(256)
        log.write_bytes(damaged)
        try:
            with Encounters.at(log, busy_timeout=0.05) as store:
                with suppress(StoreUnusable):
                    decode_rows(store.rows("fight"))
                store.recorder.select_notifications(0, 1000, inclusive_of_start=False)
                store.encounters()
                store.seeds.get("fight")
                store.save(*build_events("fight", [(store.recorder.last_version("fight") + 1, "Probe.1", b"{}")]))
        except MamError:
            refused += 1
        for side in ("-wal", "-shm", "-journal"):
            Path(f"{log}{side}").unlink(missing_ok=True)
    assert 0 < refused < 150


def test_a_log_with_any_trigger_is_refused(log: Path) -> None:
    with open_sqlite(log) as connection:
        connection.execute("CREATE TRIGGER tt AFTER INSERT ON stored_events BEGIN SELECT 1; END")
    with pytest.raises(StoreUnusable, match=r'has a trigger, "tt", which may change what is written'):
        Encounters.at(log)


def test_a_trigger_only_in_the_wal_is_detected(log: Path) -> None:
    with open_sqlite(log) as connection:
        connection.execute("CREATE TRIGGER tt AFTER INSERT ON seeds BEGIN SELECT 1; END")
        with pytest.raises(StoreUnusable, match="trigger"):
            Encounters.at(log)


@pytest.mark.parametrize("table", ["stored_events", "seeds"])
def test_a_log_with_a_missing_table_or_a_view_is_refused(log: Path, table: str) -> None:
    with open_sqlite(log) as connection:
        connection.execute(f"ALTER TABLE {table} RENAME TO moved")
        with pytest.raises(StoreUnusable, match=f"its table {table} is missing"):
            Encounters.at(log)
        connection.execute(f"CREATE VIEW {table} AS SELECT * FROM moved")  # noqa: S608 - one of two names
        with pytest.raises(StoreUnusable, match=f"its table {table} is missing"):
            Encounters.at(log)


ROWS_AFTER = [(number, "Probe.1", b"{}") for number in range(201, 252)]


@pytest.mark.parametrize("count", [1, 2, 50])
@pytest.mark.parametrize(
    "does",
    [
        "SELECT RAISE(IGNORE)",
        "SELECT RAISE(ABORT, 'no')",
        "SELECT 1",
        "INSERT INTO seeds VALUES (new.originator_version, x'00')",
        "UPDATE stored_events SET state = x'7b7d'",
        "DELETE FROM stored_events",
    ],
)
@pytest.mark.parametrize("when", ["BEFORE", "AFTER"])
def test_a_trigger_created_while_the_log_is_open_never_runs(log: Path, when: str, does: str, count: int) -> None:
    with Encounters.at(log) as store:
        store.save(*build_events("fight", ROWS_AFTER[:1]))
        with open_sqlite(log) as connection:
            connection.execute(f"CREATE TRIGGER tt {when} INSERT ON stored_events BEGIN {does}; END")
            for _ in range(2):
                with pytest.raises(StoreUnusable, match="took only 0 of "):
                    store.save(*build_events("fight", ROWS_AFTER[1 : 1 + count]))
            connection.execute("DROP TRIGGER tt")
        assert store.rows("fight") == [*ROWS, *ROWS_AFTER[:1]]
        assert store.seeds.get("201") is None
        store.save(*build_events("fight", ROWS_AFTER[1 : 1 + count]))
        with pytest.raises(VersionConflict):
            store.save(*build_events("fight", ROWS_AFTER[1 : 1 + count]))


@pytest.mark.parametrize("count", [1, 50])
def test_a_write_that_stores_fewer_rows_is_refused(log: Path, count: int) -> None:
    with Encounters.at(log) as store, Encounters.at(log) as other:
        assert store.recorder.last_version("fight") == 200
        with open_sqlite(log) as connection:
            (sql,) = connection.execute("SELECT sql FROM sqlite_schema WHERE name = 'stored_events'").fetchone()
            connection.execute("DROP TABLE stored_events")
            connection.execute(re.sub(r"(PRIMARY KEY[^)]*\))", r"\1 ON CONFLICT IGNORE", sql))
        other.save(*build_events("fight", ROWS[:1]))
        with pytest.raises(StoreUnusable, match="This store took only"):
            store.save(*build_events("fight", ROWS[:count]))


def test_a_leftover_seed_is_not_a_version_conflict(path: Path) -> None:
    with Encounters.at(path) as store:
        with open_sqlite(path) as connection:
            connection.execute("INSERT INTO seeds VALUES ('fight', x'00')")
        with pytest.raises(StoreUnusable, match="seeds"):
            store.save(*build_events("fight", ROWS[:1]), seed=b"s" * 64)
        assert store.encounters() == []


def test_a_log_with_a_second_hard_link_is_refused(log: Path) -> None:
    other = log.with_name("other.mam")
    other.hardlink_to(log)
    for name in (log, other):
        with pytest.raises(StoreUnusable, match=r"2 names \(hard links\)"):
            Encounters.at(name)
    other.unlink()
    Encounters.at(log).close()

"""Opening a log file: any other file gives a specific error and is not changed."""

from __future__ import annotations

import os
import random
import re
import shutil
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest

from mam_events.errors import BadInput, MamError, NotFound, StoreUnusable, VersionConflict
from mam_events.log.encounters import Encounters
from mam_events.store import build_events, decode_rows
from mam_events.store.sqlite_file import APPLICATION_ID, FORMAT
from tests.conftest import Nobody, in_sqlite

ROWS = [(version, "Probe.1", b'{"points":3}') for version in range(1, 201)]


def raw(path: Path) -> closing[sqlite3.Connection]:
    return closing(sqlite3.connect(path, isolation_level=None))


def contents(directory: Path) -> dict[str, tuple[bytes, int]]:
    return {file.name: (file.read_bytes(), file.stat().st_mtime_ns) for file in directory.iterdir() if file.is_file()}


@pytest.fixture
def log(path: Path) -> Path:
    with Encounters.at(path) as store:
        store.save(*build_events("fight", ROWS), seed=b"s" * 64)
    return path


def test_a_missing_log_is_created_only_on_request(path: Path) -> None:
    with pytest.raises(NotFound, match=r"There is no log at .*fights\.mam yet"):
        Encounters.at(path, create=False)
    assert list(path.parent.iterdir()) == []
    Encounters.at(path).close()
    Encounters.at(path, create=False).close()


@pytest.mark.parametrize("blank", ["empty file", "database without tables"])
def test_a_blank_file_becomes_a_log_only_on_request(path: Path, blank: str) -> None:
    path.touch()
    if blank == "database without tables":
        with raw(path) as connection:
            connection.execute("VACUUM")
            connection.execute("CREATE TABLE t (a)")
            connection.execute("DROP TABLE t")
    before = contents(path.parent)
    with pytest.raises(NotFound):
        Encounters.at(path, create=False)
    assert contents(path.parent) == before
    with Encounters.at(path) as store:
        assert store.save(*build_events("fight", ROWS[:1]))[-1] == 1


def test_a_log_has_its_application_id_format_and_tables(log: Path) -> None:
    with raw(log) as connection:
        assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        assert connection.execute("PRAGMA user_version").fetchone() == (FORMAT,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    assert tables == {"stored_events", "seeds", "identity"}
    header = log.read_bytes()[:100]
    assert int.from_bytes(header[68:72]) == APPLICATION_ID
    assert int.from_bytes(header[60:64]) == FORMAT


def foreign_delete(path: Path) -> None:
    with raw(path) as connection:
        connection.execute("CREATE TABLE stored_events (a)")


def foreign_wal(path: Path) -> None:
    """Write changes that are only in the WAL, as a running or killed program leaves them."""
    with raw(path) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE theirs (a)")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("INSERT INTO theirs VALUES (1)")
        left = contents(path.parent)
    for name, (content, _) in left.items():
        if not name.endswith("-shm"):
            path.with_name(name).write_bytes(content)


def foreign_journal(path: Path) -> None:
    """Write a cut off transaction that SQLite would roll back."""
    with raw(path) as connection:
        connection.execute("CREATE TABLE theirs (a)")
        connection.execute("PRAGMA cache_size = 1")
        connection.execute("PRAGMA cache_spill = 1")
        connection.execute("BEGIN")
        connection.executemany("INSERT INTO theirs VALUES (?)", [("x" * 3000,)] * 50)
        left = contents(path.parent)
    for name, (content, _) in left.items():
        path.with_name(name).write_bytes(content)
    assert path.with_name(f"{path.name}-journal").exists()


def foreign_mark(path: Path) -> None:
    with raw(path) as connection:
        connection.execute("PRAGMA application_id = 1196444487")


def foreign_version(path: Path) -> None:
    with raw(path) as connection:
        connection.execute("PRAGMA user_version = 1")


FOREIGN: list[Callable[[Path], None]] = [
    foreign_delete,
    foreign_wal,
    foreign_journal,
    foreign_mark,
    foreign_version,
]


@pytest.mark.parametrize("make", FOREIGN, ids=lambda make: make.__name__)
@pytest.mark.parametrize("create", [True, False])
def test_a_file_of_another_program_is_not_changed(path: Path, make: Callable[[Path], None], *, create: bool) -> None:
    make(path)
    before = contents(path.parent)
    with pytest.raises(StoreUnusable, match="SQLite file of another program"):
        Encounters.at(path, create=create)
    assert contents(path.parent) == before


@pytest.mark.parametrize(
    "content",
    [b"x", b"modre attacks the clone\n" * 200, bytes(5000), b"SQLite format 3", b"SQLite format 3\0" + bytes(90)],
)
def test_a_file_that_is_not_a_database_is_not_changed(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    before = contents(path.parent)
    with pytest.raises(StoreUnusable, match=r"nor an SQLite file|damaged"):
        Encounters.at(path)
    assert contents(path.parent) == before


def test_a_log_of_a_newer_version_is_not_changed(log: Path) -> None:
    with raw(log) as connection:
        connection.execute(f"PRAGMA user_version = {FORMAT + 1}")
    before = contents(log.parent)
    with pytest.raises(StoreUnusable, match="newer version"):
        Encounters.at(log)
    assert contents(log.parent) == before


def test_a_newer_format_only_in_the_wal_is_detected(log: Path) -> None:
    with raw(log) as connection:
        connection.execute(f"PRAGMA user_version = {FORMAT + 1}")
        with pytest.raises(StoreUnusable, match="newer version"):
            Encounters.at(log)


@pytest.mark.parametrize(
    ("place", "sentence"),
    [
        (".", "is not a file"),
        ("nowhere/fights.mam", "directory .*nowhere does not exist"),
        ("file/fights.mam", "cannot be opened|directory .* does not exist"),
        ("n" * 300, "cannot be opened"),
        ("pipe", "is not a file"),
    ],
)
def test_a_path_that_cannot_be_a_log_is_refused(tmp_path: Path, place: str, sentence: str) -> None:
    (tmp_path / "file").touch()
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(StoreUnusable, match=sentence):
        Encounters.at(tmp_path / place)


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("postgresql://mam:hunter2@127.0.0.1:1/fights", "does not answer"),
        ("postgres://mam:hunter2@127.0.0.1:1/fights", "does not answer"),
        ("POSTGRES://mam:hunter2@127.0.0.1:1/fights", "does not answer"),
        ("mysql://mam:hunter2@db/fights", "mysql://"),
        ("sqlite://hunter2", "three slashes"),
        ("sqlite:///", "name of a file"),
        ("", "name of a file"),
        ("hunter2\0", "name of a file"),
    ],
)
def test_an_invalid_address_is_refused_without_repeating_it(address: str, sentence: str) -> None:
    with pytest.raises(StoreUnusable, match=sentence) as refusal:
        Encounters.at(address, busy_timeout=0.1)
    assert "hunter2" not in str(refusal.value)


def test_an_unknown_synchronous_mode_is_refused(path: Path) -> None:
    with pytest.raises(BadInput, match="synchronous"):
        Encounters.at(path, synchronous="OFF")
    assert not path.exists()


@pytest.mark.parametrize(
    "name", ["a b.mam", "50%.mam", "who?.mam", "#1.mam", "fights;mam", "é.mam", "%41.mam", "a&b=c"]
)
def test_special_characters_in_a_file_name_are_literal(tmp_path: Path, name: str) -> None:
    with Encounters.at(tmp_path / name) as store:
        store.save(*build_events("fight", ROWS))
    assert [file.name for file in tmp_path.iterdir()] == [name]
    with Encounters.at(str(tmp_path / name), create=False) as store:
        assert store.rows("fight") == ROWS


def test_an_address_may_be_relative(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(path.parent)
    with Encounters.at("sqlite:///fights.mam") as store:
        (path.parent / "elsewhere").mkdir()
        monkeypatch.chdir("elsewhere")
        store.save(*build_events("fight", ROWS))
    monkeypatch.chdir("..")
    with Encounters.at("fights.mam", create=False) as store:
        assert store.rows("fight") == ROWS


def test_a_symbolic_link_is_followed(path: Path) -> None:
    link = path.with_name("link.mam")
    link.symlink_to(path)
    with Encounters.at(link) as store:
        store.save(*build_events("fight", ROWS))
    with Encounters.at(path, create=False) as store:
        assert store.rows("fight") == ROWS
    path.with_name("loop").symlink_to("loop")
    with pytest.raises(StoreUnusable, match="cannot be opened"):
        Encounters.at(path.with_name("loop"))


def test_a_locked_log_gives_an_error_for_writes_and_can_be_read(log: Path) -> None:
    with raw(log) as connection, Encounters.at(log, busy_timeout=0.05) as store:
        connection.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreUnusable, match="locked by another process"):
            store.save(*build_events("fight", [(201, "Probe.1", b"{}")]))
        with pytest.raises(StoreUnusable, match="locked by another process"):
            store.save(*build_events("other", [(1, "Probe.1", b"{}")]), seed=b"s" * 64)
        with Encounters.at(log, busy_timeout=0.05) as reader:
            assert reader.rows("fight") == ROWS
        connection.execute("ROLLBACK")
        assert store.save(*build_events("fight", [(201, "Probe.1", b"{}")]))[-1] == 201


def test_a_locked_new_file_gives_an_error(path: Path) -> None:
    with raw(path) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreUnusable, match="locked by another process"):
            Encounters.at(path, busy_timeout=0.05)


def test_a_log_that_left_wal_mode_returns_to_it(log: Path) -> None:
    with raw(log) as connection:
        assert connection.execute("PRAGMA journal_mode = DELETE").fetchone() == ("delete",)
        connection.execute("BEGIN")
        connection.execute("SELECT count(*) FROM stored_events").fetchone()
        with Encounters.at(log, busy_timeout=0.05) as store:
            assert store.rows("fight") == ROWS
    with Encounters.at(log) as store, raw(log) as connection:
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


def test_a_read_only_log_can_be_read(public: Path, as_nobody: Nobody) -> None:
    path = public / "fights.mam"
    with Encounters.at(path) as store:
        store.save(*build_events("fight", ROWS))
    path.chmod(0o444)
    with as_nobody(), Encounters.at(path) as store:
        assert store.rows("fight") == ROWS
        with pytest.raises(StoreUnusable, match="read-only"):
            store.save(*build_events("fight", [(201, "Probe.1", b"{}")]))
        with pytest.raises(StoreUnusable, match="read-only"):
            store.save(*build_events("new", [(1, "Probe.1", b"{}")]), seed=b"s" * 64)
        with pytest.raises(StoreUnusable, match="read-only"):
            store.projection_recorder("seen").keep([("fight", 200, b"")])
        assert (store.encounters(), store.projection_recorder("seen").rows(["fight"])) == (["fight"], {})


def test_a_log_in_a_read_only_directory_can_be_read(public: Path, as_nobody: Nobody) -> None:
    path = public / "fights.mam"
    with Encounters.at(path) as store:
        store.save(*build_events("fight", ROWS))
    path.chmod(0o444)
    public.chmod(0o555)
    before = contents(public)
    with as_nobody():
        with Encounters.at(path) as store:
            assert store.rows("fight") == ROWS
            assert store.recorder.max_notification_id() == 200
            with pytest.raises(StoreUnusable, match="read-only"):
                store.save(*build_events("fight", [(201, "Probe.1", b"{}")]))
            assert store.rows("fight") == ROWS
        with pytest.raises(StoreUnusable, match="read-only"):
            Encounters.at(public / "new.mam")
    assert contents(public) == before


def test_a_read_only_reader_sees_what_others_append(public: Path, as_nobody: Nobody) -> None:
    path = public / "fights.mam"
    with Encounters.at(path) as writer:
        writer.save(*build_events("fight", ROWS))
    path.chmod(0o644)
    public.chmod(0o555)
    with as_nobody():
        reader = Encounters.at(path)
        assert reader.recorder.last_version("fight") == 200
    public.chmod(0o777)
    with Encounters.at(path) as writer:
        writer.save(*build_events("fight", [(201, "Probe.1", b"{}")]))
    public.chmod(0o555)
    with as_nobody():
        assert reader.recorder.last_version("fight") == 201
    public.chmod(0o777)
    with Encounters.at(path) as writer:
        writer.save(*build_events("fight", [(202, "Probe.1", b"{}")]))
        public.chmod(0o555)
        with as_nobody():
            assert reader.recorder.last_version("fight") == 202
            writer.save(*build_events("fight", [(203, "Probe.1", b"{}")]))
            assert reader.recorder.last_version("fight") == 203
            reader.close()


def test_a_log_whose_wal_cannot_be_read_is_refused(public: Path, as_nobody: Nobody) -> None:
    (public / "copy").mkdir()
    with Encounters.at(public / "fights.mam") as store:
        store.save(*build_events("fight", ROWS))
        for name in ("fights.mam", "fights.mam-wal"):
            shutil.copy(public / name, public / "copy" / name)
            (public / "copy" / name).chmod(0o666)
    (public / "copy").chmod(0o555)
    with as_nobody(), pytest.raises(StoreUnusable, match="cannot be opened"):
        Encounters.at(public / "copy" / "fights.mam")
    (public / "copy").chmod(0o777)
    with as_nobody(), Encounters.at(public / "copy" / "fights.mam") as store:
        assert store.rows("fight") == ROWS


def test_a_log_without_read_permission_is_refused(public: Path, as_nobody: Nobody) -> None:
    path = public / "fights.mam"
    Encounters.at(path).close()
    path.chmod(0)
    with as_nobody(), pytest.raises(StoreUnusable, match="cannot be opened"):
        Encounters.at(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0


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
    with raw(log) as connection:
        connection.execute("CREATE TRIGGER tt AFTER INSERT ON stored_events BEGIN SELECT 1; END")
    with pytest.raises(StoreUnusable, match=r'has a trigger, "tt", which may change what is written'):
        Encounters.at(log)


def test_a_trigger_only_in_the_wal_is_detected(log: Path) -> None:
    with raw(log) as connection:
        connection.execute("CREATE TRIGGER tt AFTER INSERT ON seeds BEGIN SELECT 1; END")
        with pytest.raises(StoreUnusable, match="trigger"):
            Encounters.at(log)


@pytest.mark.parametrize("table", ["stored_events", "seeds"])
def test_a_log_with_a_missing_table_or_a_view_is_refused(log: Path, table: str) -> None:
    with raw(log) as connection:
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
        with raw(log) as connection:
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
        with raw(log) as connection:
            (sql,) = connection.execute("SELECT sql FROM sqlite_schema WHERE name = 'stored_events'").fetchone()
            connection.execute("DROP TABLE stored_events")
            connection.execute(re.sub(r"(PRIMARY KEY[^)]*\))", r"\1 ON CONFLICT IGNORE", sql))
        other.save(*build_events("fight", ROWS[:1]))
        with pytest.raises(StoreUnusable, match="This store took only"):
            store.save(*build_events("fight", ROWS[:count]))


def test_a_leftover_seed_is_not_a_version_conflict(path: Path) -> None:
    with Encounters.at(path) as store:
        with raw(path) as connection:
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


@pytest.mark.parametrize("seconds", [-1, float("nan"), float("inf"), 1e30])
def test_a_busy_timeout_of_more_than_a_day_is_refused(tmp_path: Path, seconds: float) -> None:
    with pytest.raises(BadInput, match=r"must be a number of seconds, 0 to 86400, not"):
        Encounters.at(tmp_path / "log.mam", busy_timeout=seconds)

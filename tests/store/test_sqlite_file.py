"""Opening a log file: any other file gives a specific error and is not changed."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from mam_events.errors import BadInput, NotFound, StoreUnusable
from mam_events.log.encounters import Encounters
from mam_events.store import build_events
from mam_events.store.sqlite_file import APPLICATION_ID, FORMAT
from tests.conftest import Nobody
from tests.store.sqlite_rows import ROWS, open_sqlite


def contents(directory: Path) -> dict[str, tuple[bytes, int]]:
    return {file.name: (file.read_bytes(), file.stat().st_mtime_ns) for file in directory.iterdir() if file.is_file()}


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
        with open_sqlite(path) as connection:
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
    with open_sqlite(log) as connection:
        assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        assert connection.execute("PRAGMA user_version").fetchone() == (FORMAT,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    assert tables == {"stored_events", "seeds", "identity"}
    header = log.read_bytes()[:100]
    assert int.from_bytes(header[68:72]) == APPLICATION_ID
    assert int.from_bytes(header[60:64]) == FORMAT


def foreign_delete(path: Path) -> None:
    with open_sqlite(path) as connection:
        connection.execute("CREATE TABLE stored_events (a)")


def foreign_wal(path: Path) -> None:
    """Write changes that are only in the WAL, as a running or killed program leaves them."""
    with open_sqlite(path) as connection:
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
    with open_sqlite(path) as connection:
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
    with open_sqlite(path) as connection:
        connection.execute("PRAGMA application_id = 1196444487")


def foreign_version(path: Path) -> None:
    with open_sqlite(path) as connection:
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
    with open_sqlite(log) as connection:
        connection.execute(f"PRAGMA user_version = {FORMAT + 1}")
    before = contents(log.parent)
    with pytest.raises(StoreUnusable, match="newer version"):
        Encounters.at(log)
    assert contents(log.parent) == before


def test_a_newer_format_only_in_the_wal_is_detected(log: Path) -> None:
    with open_sqlite(log) as connection:
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
    with open_sqlite(log) as connection, Encounters.at(log, busy_timeout=0.05) as store:
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
    with open_sqlite(path) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreUnusable, match="locked by another process"):
            Encounters.at(path, busy_timeout=0.05)


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


@pytest.mark.parametrize("seconds", [-1, float("nan"), float("inf"), 1e30])
def test_a_busy_timeout_of_more_than_a_day_is_refused(tmp_path: Path, seconds: float) -> None:
    with pytest.raises(BadInput, match=r"must be a number of seconds, 0 to 86400, not"):
        Encounters.at(tmp_path / "log.mam", busy_timeout=seconds)

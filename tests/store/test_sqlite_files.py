"""The files of a store: private, closed after failures, limited in size, and never lost unnoticed."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from time import monotonic

import pytest

from mam_events.commands import Open
from mam_events.errors import NotFound, StoreUnusable
from mam_events.log.combat_log import CombatLog
from mam_events.log.encounters import Encounters
from mam_events.store import build_events
from mam_events.store.sqlite_file import make_private
from mam_events.store.sqlite_side_files import WAL_LIMIT
from tests.conftest import in_sqlite

ROWS = [(version, "Probe.1", b"{}") for version in range(1, 4)]
NEXT = [(4, "Probe.1", b"{}")]


def raw(path: Path) -> closing[sqlite3.Connection]:
    return closing(sqlite3.connect(path, isolation_level=None))


@pytest.fixture(params=[0, 0o022, 0o177, 0o777])
def mask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


@pytest.mark.usefixtures("mask")
def test_only_the_owner_can_read_a_store_and_its_side_files(path: Path) -> None:
    with Encounters.at(path) as store:
        store.save(*build_events("fight", ROWS), seed=b"s" * 64)
        modes = {file.name.removeprefix(path.name): stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    assert modes == {"": 0o600, "-wal": 0o600, "-shm": 0o600, "-id": 0o600}


@pytest.mark.usefixtures("mask")
def test_a_new_store_is_never_readable_by_others(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    modes: list[int] = []
    connect = sqlite3.connect

    def watched(*arguments: object, **options: object) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*arguments, **options)  # type: ignore[call-overload]  # as it was called
        modes.extend(stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir())
        connection.set_trace_callback(
            lambda _: modes.extend(stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir())
        )
        return connection

    monkeypatch.setattr(sqlite3, "connect", watched)
    with Encounters.at(path) as store:
        store.save(*build_events("fight", ROWS), seed=b"s" * 64)
    assert set(modes) == {0o600}


def test_without_mknod_the_new_file_is_still_private(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "mknod", refuse)
    make_private(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with pytest.raises(FileExistsError):
        make_private(path)


@pytest.mark.parametrize("reached", ["the pages behind the first", "the mark"])
def test_a_killed_creation_is_completed_by_the_next(path: Path, reached: str) -> None:
    half = path.with_name("half.mam")
    with raw(half) as connection:
        connection.execute("PRAGMA cache_size = 1")
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("CREATE TABLE stored_events (a)")
        connection.executemany("INSERT INTO stored_events VALUES (?)", [("x" * 3000,)] * 50)
        for ending in ("", "-journal"):
            shutil.copy(f"{half}{ending}", f"{path}{ending}")
    if reached == "the mark":
        complete_path = path.with_name("whole.mam")
        Encounters.at(complete_path).close()
        with path.open("r+b") as file:
            file.write(complete_path.read_bytes()[:4096])
    assert path.stat().st_size > 4096
    left = {ending: Path(f"{path}{ending}").read_bytes() for ending in ("", "-journal")}
    with pytest.raises(NotFound, match="no log at"):
        Encounters.at(path, create=False)
    for ending, content in left.items():
        Path(f"{path}{ending}").write_bytes(content)
    with Encounters.at(path) as store:
        assert store.save(*build_events("fight", ROWS))[-1] == 3


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="only Linux counts a process's open files for it")
def test_a_failure_leaves_no_file_open(path: Path) -> None:
    with Encounters.at(path) as store:
        store.save(*build_events("fight", ROWS))
    content = path.read_bytes()
    path.write_bytes(content[:4096] + bytes(8192))

    def fail() -> None:
        with suppress(StoreUnusable), Encounters.at(path) as store:
            for _ in range(5):
                with suppress(StoreUnusable):
                    store.save(*build_events("fight", NEXT))
                with suppress(StoreUnusable):
                    store.rows("fight")

    fail()
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(50):
        fail()
    assert len(list(Path("/proc/self/fd").iterdir())) <= before


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="only Linux counts a process's open files for it")
@pytest.mark.parametrize("setting", ["synchronous", "query_only"])
def test_a_failing_setting_leaves_no_file_open(path: Path, setting: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing(sqlite3.Connection):
        def execute(self, statement: str, *parameters: object) -> sqlite3.Cursor:
            if setting in statement:
                raise sqlite3.OperationalError(setting)
            return super().execute(statement, *parameters)  # type: ignore[arg-type]  # as it was called

    connect = sqlite3.connect
    with Encounters.at(path) as store:
        monkeypatch.setattr(sqlite3, "connect", lambda *a, **k: connect(*a, factory=Failing, **k))
        with suppress(ZeroDivisionError), in_sqlite(store).reading():
            # Raise, so that this connection is closed and not used again.
            raise ZeroDivisionError
        errors: list[BaseException] = []
        before = len(list(Path("/proc/self/fd").iterdir()))
        for _ in range(50):
            with pytest.raises(StoreUnusable, match=setting) as refusal:
                (store.save(*build_events("fight", ROWS)) if setting == "synchronous" else store.rows("fight"))
            errors.append(refusal.value)
        assert len(list(Path("/proc/self/fd").iterdir())) <= before


@pytest.mark.parametrize("befallen", ["deleted", "moved away", "replaced"])
def test_nothing_is_written_to_a_file_that_is_gone(path: Path, befallen: str) -> None:
    with Encounters.at(path) as store:
        store.save(*build_events("fight", ROWS))
        if befallen == "deleted":
            path.unlink()
        elif befallen == "moved away":
            path.rename(path.with_name("elsewhere.mam"))
        else:
            with Encounters.at(path.with_name("another.mam")) as another:
                another.save(*build_events("theirs", ROWS))
            path.with_name("another.mam").replace(path)
        for rows in (NEXT, [(version, "Probe.1", b"{}") for version in range(4, 100)]):
            with pytest.raises(StoreUnusable, match=r"deleted or replaced since it was opened\. Nothing was written"):
                store.save(*build_events("fight", rows))
        with pytest.raises(StoreUnusable, match="deleted or replaced"):
            store.projection_recorder("seen").keep([("fight", 1, b"")])
        assert store.projection_recorder("seen").rows(["fight"]) == {}
        if befallen == "moved away":
            path.with_name("elsewhere.mam").rename(path)
            store.save(*build_events("fight", NEXT))


def test_the_wal_shrinks_again_after_a_long_read(path: Path) -> None:
    wal = Path(f"{path}-wal")
    with Encounters.at(path, synchronous="NORMAL") as store:
        store.save(*build_events("fight", ROWS))
        with raw(path) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM stored_events").fetchall()
            for version in range(4, 16):
                store.save(*build_events("fight", [(version, "Probe.1", bytes(1_000_000))]))
            assert wal.stat().st_size > 2 * WAL_LIMIT
        for version in range(16, 20):
            store.save(*build_events("fight", [(version, "Probe.1", b"{}")]))
        assert wal.stat().st_size <= WAL_LIMIT


def test_a_log_is_opened_with_the_given_settings(path: Path) -> None:
    with CombatLog.open(path, synchronous="NORMAL", busy_timeout=0.25) as log:
        assert in_sqlite(log).writer().execute("PRAGMA synchronous").fetchone() == (1,)
        with CombatLog.open(path) as other, in_sqlite(other).writing():
            began = monotonic()
            with pytest.raises(StoreUnusable, match="locked"):
                log.execute("fight", Open())
            assert monotonic() - began >= 0.25

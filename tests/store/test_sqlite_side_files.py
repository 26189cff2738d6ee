"""Side files deleted, replaced or truncated under an open log: nothing is written that would be lost."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import pytest

from mam_events.errors import StoreUnusable
from mam_events.log.encounters import Encounters
from mam_events.store import build_events
from tests.conftest import in_sqlite

if TYPE_CHECKING:
    from tests.store.conftest import Workers

REFUSAL = "Somebody deleted, replaced or cut .* in use, so nothing was written. End every program that has it open"


def wal(path: Path) -> Path:
    return Path(f"{path}-wal")


def shm(path: Path) -> Path:
    return Path(f"{path}-shm")


def delete_both(path: Path) -> None:
    wal(path).unlink()
    shm(path).unlink()


def replace_wal(path: Path, content: bytes) -> None:
    new = path.with_name("new")
    new.write_bytes(content)
    new.replace(wal(path))


def move(file: Path) -> None:
    file.rename(file.with_name("elsewhere"))


def replace_both(path: Path) -> None:
    replace_wal(path, b"nothing of SQLite's")
    new = path.with_name("new")
    new.write_bytes(shm(path).read_bytes())
    new.replace(shm(path))


def rows(version: int, size: int = 2) -> list[tuple[int, str, bytes]]:
    return [(version, "Probe.1", b"x" * (size - 2) + b"{}")]


def save(store: Encounters, version: int, size: int = 2) -> None:
    store.save(*build_events("fight", rows(version, size)))


def newest(path: Path) -> int:
    with Encounters.at(path, create=False) as store:
        return store.recorder.last_version("fight")


HARM: dict[str, Callable[[Path], None]] = {
    "both deleted": delete_both,
    "the WAL deleted": lambda path: wal(path).unlink(),
    "the index deleted": lambda path: shm(path).unlink(),
    "the WAL moved away": lambda path: move(wal(path)),
    "the WAL replaced by nothing": lambda path: replace_wal(path, b""),
    "the WAL replaced by an old one": lambda path: replace_wal(path, wal(path).read_bytes()[: 32 + 4120]),
}


@pytest.mark.parametrize("harm", HARM)
@pytest.mark.parametrize("ending", ["killed", "closed"])
def test_acknowledged_rows_are_kept_and_later_ones_refused(
    path: Path, workers: Workers, harm: str, ending: str
) -> None:
    (worker,) = workers(1)
    for version in range(1, 11):
        assert worker.ask("write", str(path), version) == "done"
    HARM[harm](path)
    for _ in range(2):
        answer = worker.ask("write", str(path), 11)
        assert "so nothing was written. End every program" in answer
        assert "may be lost" not in answer
    if ending == "closed":
        assert worker.ask("close", str(path)) == "done"
        assert worker.ask("write", str(path), 11) == "done"
        assert worker.ask("read", str(path)) == "11"
    worker.kill()
    assert newest(path) == (11 if ending == "closed" else 10)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


@pytest.mark.parametrize("harm", HARM)
def test_missing_side_files_are_detected_before_the_first_write(path: Path, workers: Workers, harm: str) -> None:
    first, second = workers(2)
    for version in range(1, 11):
        assert first.ask("write", str(path), version) == "done"
    assert second.ask("read", str(path)) == "10"
    HARM[harm](path)
    assert "so it cannot be read or written to here. End every program" in second.ask("write", str(path), 11)
    assert "so nothing was written" in first.ask("write", str(path), 11)
    assert second.ask("read", str(path)) == "10", "who has read goes on"
    first.kill()
    second.kill()
    assert newest(path) == 10


@pytest.mark.parametrize("harm", ["both deleted", "the WAL deleted", "the index deleted"])
def test_no_other_program_opens_a_log_without_its_unwritten_end(path: Path, workers: Workers, harm: str) -> None:
    (worker,) = workers(1)
    assert worker.ask("write", str(path), 1) == "done"
    HARM[harm](path)
    with pytest.raises(StoreUnusable, match=r"while another program has"):
        Encounters.at(path, busy_timeout=0)
    assert worker.ask("close", str(path)) == "done"
    assert newest(path) == 1


@pytest.mark.parametrize("harm", ["both deleted", "the WAL deleted", "the WAL replaced by nothing"])
@pytest.mark.parametrize("look", ["mark", "subscription"])
def test_checking_for_changes_preserves_what_is_in_the_deleted_wal(path: Path, harm: str, look: str) -> None:
    with Encounters.at(path) as store:
        save(store, 1)
        following = store.recorder.subscribe(1)
        assert store.factory.mark() is not None
        HARM[harm](path)
        if look == "mark":
            store.factory.mark()
        else:
            assert following.look() == []
        with closing(sqlite3.connect(f"{path.as_uri()}?immutable=1", uri=True)) as connection:
            assert connection.execute("SELECT count(*) FROM stored_events").fetchone() == (1,)


@pytest.mark.parametrize("harm", HARM)
def test_a_group_is_refused_at_its_end(path: Path, harm: str) -> None:
    with Encounters.at(path) as store:
        save(store, 1)

        def play() -> None:
            with store.factory.grouped():
                save(store, 2)
                save(store, 3)
                HARM[harm](path)
                save(store, 4)

        with pytest.raises(StoreUnusable, match=REFUSAL):
            play()
        assert store.recorder.last_version("fight") == 1
    assert newest(path) == 1


@pytest.mark.parametrize("harm", HARM)
def test_readers_are_not_disturbed_by_deleted_side_files(path: Path, harm: str) -> None:
    with Encounters.at(path) as store:
        save(store, 1)
        with in_sqlite(store).reading() as cursor:
            cursor.execute("BEGIN")
            assert cursor.execute("SELECT count(*) FROM stored_events").fetchone() == (1,)
            save(store, 2)
            HARM[harm](path)
            with pytest.raises(StoreUnusable, match="Somebody deleted, replaced or cut"):
                save(store, 3)
            assert cursor.execute("SELECT count(*) FROM stored_events").fetchone() == (1,)
            cursor.execute("COMMIT")
    assert newest(path) == 2


def test_a_commit_during_the_deletion_counts_if_it_could_be_preserved(path: Path) -> None:
    class Late(sqlite3.Connection):
        """A connection whose side files are deleted in the middle of a write."""

        def execute(self, statement: str, *parameters: object) -> sqlite3.Cursor:
            if statement.startswith("INSERT INTO stored_events") and wal(path).exists():
                delete_both(path)
            return super().execute(statement, *parameters)  # type: ignore[arg-type]  # as it was called

    connect = sqlite3.connect
    with Encounters.at(path) as store, pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite3, "connect", lambda *a, **k: connect(*a, factory=Late, **k))
        save(store, 1)
        with pytest.raises(StoreUnusable, match=REFUSAL):
            save(store, 2)
        with closing(connect(f"{path.as_uri()}?immutable=1", uri=True)) as connection:
            assert connection.execute("SELECT count(*) FROM stored_events").fetchone() == (1,)
    assert newest(path) == 1


@pytest.mark.parametrize("length", [0, 32, 32 + 3 * 4120 + 100])
@pytest.mark.parametrize("size", [2, 3000])
def test_a_truncated_wal_is_not_written_to(path: Path, length: int, size: int) -> None:
    with Encounters.at(path) as store:
        for version in range(1, 11):
            save(store, version, size)
        with wal(path).open("r+b") as file:
            file.truncate(length)
        for _ in range(2):
            with pytest.raises(StoreUnusable, match="so nothing was written, and what was written last may be lost"):
                save(store, 11, size)


def test_a_wal_truncated_by_a_checkpoint_is_written_to(path: Path) -> None:
    with Encounters.at(path) as store:
        for version in range(1, 11):
            save(store, version, 3000)
            if version % 3 == 0:
                with closing(sqlite3.connect(path, isolation_level=None)) as other:
                    assert other.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0
                    assert wal(path).stat().st_size == 0
                    if version == 6:
                        other.execute("CREATE TABLE theirs (a)")
    assert newest(path) == 10


@pytest.mark.parametrize("harm", [delete_both, replace_both])
def test_new_side_files_of_another_program_are_not_touched(
    path: Path, workers: Workers, harm: Callable[[Path], None]
) -> None:
    (worker,) = workers(1)
    assert worker.ask("write", str(path), 1) == "done"
    assert worker.ask("close", str(path)) == "done"
    assert worker.ask("read", str(path)) == "1"
    harm(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("INSERT INTO stored_events VALUES ('fight', 2, 'Probe.1', '{}')")
    assert "so it cannot be read or written" in worker.ask("write", str(path), 2)
    assert worker.ask("close", str(path)) == "done"
    assert worker.end() == ""
    assert newest(path) == 2


@pytest.mark.slow
def test_a_log_that_others_keep_opening_and_closing_is_never_refused(path: Path, workers: Workers) -> None:
    first, second, third = workers(3)
    turns = 100
    first.tell("own", str(path), "a", 10 * turns)
    for worker, name in ((second, "b"), (third, "c")):
        for turn in range(turns):
            worker.tell("own", str(path), f"{name}{turn}", 1)
    failures: list[BaseException] = []

    def read() -> None:
        try:
            for _ in range(turns):
                with Encounters.at(path) as store:
                    store.encounters()
        except BaseException as error:  # noqa: BLE001 - the test reports it
            failures.append(error)

    threads = [Thread(target=read) for _ in range(2)]
    for thread in threads:
        thread.start()
    assert first.hear() == "done"
    assert [worker.hear() for worker in (second, third) for _ in range(turns)] == ["done"] * 2 * turns
    for thread in threads:
        thread.join()
    assert failures == []
    assert not wal(path).exists()


def test_a_failing_reader_does_not_hide_missing_files(path: Path) -> None:
    Encounters.at(path).close()
    with Encounters.at(path) as store:
        with pytest.raises(ZeroDivisionError), in_sqlite(store).reading():
            raise ZeroDivisionError
        assert not wal(path).exists()
        save(store, 1)
        assert wal(path).exists()
        delete_both(path)
        with pytest.raises(StoreUnusable, match=REFUSAL):
            save(store, 2)

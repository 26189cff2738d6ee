"""A WAL left by a crash: it is replayed only into the store that it was written for."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mam_events.errors import StoreUnusable
from mam_events.log.encounters import Encounters
from mam_events.store import build_events
from tests.store.test_sqlite_side_files import newest

if TYPE_CHECKING:
    from tests.store.conftest import Workers

REFUSAL = (
    r"fights\.mam-wal belongs to another store than \S+fights\.mam and would damage it. Move "
    r"\S+fights\.mam-wal and \S+fights\.mam-shm to another folder, or put the earlier store back\."
)


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}


def backup(path: Path) -> Path:
    """Copy the store as `mam backup` does."""
    copy = path.with_name("friday.db")
    copy.touch()
    with Encounters.at(path, create=False) as store:
        store.factory.copy_into(copy)
    return copy


def other(path: Path) -> Path:
    """Create another store, with one row of the same fight."""
    other_path = path.with_name("other.db")
    with Encounters.at(other_path) as store:
        store.save(*build_events("fight", [(1, "Probe.1", b"{}")]))
    return other_path


@pytest.mark.parametrize("make", [backup, other])
@pytest.mark.parametrize("put", [shutil.move, shutil.copyfile])
def test_a_store_is_not_opened_with_another_stores_wal(
    path: Path, workers: Workers, make: Callable[[Path], Path], put: Callable[[Path, Path], object]
) -> None:
    first, second = workers(2)
    assert first.ask("write", str(path), 1) == "done"
    put_back = make(path)
    for version in range(2, 11):
        assert first.ask("write", str(path), version) == "done"
    first.kill()
    put(put_back, path)
    before = contents(path.parent)
    for _ in range(2):
        with pytest.raises(StoreUnusable, match=REFUSAL):
            Encounters.at(path, create=False)
    assert contents(path.parent) == before
    for ending in ("-wal", "-shm"):
        path.with_name(f"{path.name}{ending}").unlink()
    assert second.ask("write", str(path), 2) == "done"
    second.kill()
    assert newest(path) == 2, "the WAL is the new store's own"
    assert {*contents(path.parent)} - {put_back.name} == {path.name}


def test_a_store_moved_with_its_side_files_after_a_crash_is_complete(path: Path, workers: Workers) -> None:
    (worker,) = workers(1)
    for version in range(1, 11):
        assert worker.ask("write", str(path), version) == "done"
    worker.kill()
    elsewhere = path.parent / "elsewhere"
    elsewhere.mkdir()
    for name, content in contents(path.parent).items():
        (elsewhere / name).write_bytes(content)
    assert newest(elsewhere / path.name) == 10
    assert newest(path) == 10

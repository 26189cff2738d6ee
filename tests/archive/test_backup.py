"""Backups: complete copies of a store in use, checked, that never replace another file."""

from __future__ import annotations

import os
import resource
import secrets
import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, Event

import pytest

from mam_events.archive import back_up
from mam_events.archive.atomic_file import publish
from mam_events.archive.store_copy import copy_store
from mam_events.commands import Adjust
from mam_events.errors import BadInput, StoreUnusable, VerificationFailed
from mam_events.log.combat_log import CombatLog
from mam_events.verification import verify
from tests.conftest import in_sqlite
from tests.fighters import play_printed
from tests.verification.forge import printed_fight


@pytest.fixture(params=["file", "memory"])
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[CombatLog]:
    with CombatLog.open(tmp_path / "mam.db" if request.param == "file" else "sqlite://") as opened_log:
        printed_fight(opened_log)
        play_printed(opened_log, "other")
        yield opened_log


def test_a_backup_contains_the_whole_store_and_can_be_continued(log: CombatLog, tmp_path: Path) -> None:
    target = tmp_path / "friday.db"
    report = back_up(log, target)
    assert list(report.encounters) == log.encounters() == ["fight", "other"]
    assert report.rulings == 23 + 21
    assert report.encounters["fight"] == verify(log.application.rows("fight"))
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert {file.name for file in tmp_path.iterdir()} - {"mam.db", "mam.db-wal", "mam.db-shm", "mam.db-id"} == {
        "friday.db"
    }
    with CombatLog.open(target, create=False) as copy:
        for name in log.encounters():
            assert copy.application.rows(name) == log.application.rows(name)
            assert copy.application.seeds.get(name) == log.application.seeds.get(name)
        assert copy.application.recorder.max_notification_id() == log.application.recorder.max_notification_id()
        assert copy.execute("other", Adjust(reason="on")).number == log.execute("other", Adjust(reason="on")).number


@pytest.mark.parametrize("content", ["file", "directory", "link to nothing"])
def test_a_backup_never_replaces_an_existing_file(log: CombatLog, tmp_path: Path, content: str) -> None:
    target = tmp_path / "friday.db"
    if content == "file":
        target.touch()
    elif content == "directory":
        target.mkdir()
    else:
        target.symlink_to("nothing")
    with pytest.raises(BadInput, match=r"Give the backup another name"):
        back_up(log, target)
    with pytest.raises(BadInput, match="no such folder"):
        back_up(log, tmp_path / "nowhere" / "friday.db")
    came_up = tmp_path / "saturday.db"
    with pytest.raises(BadInput, match=r"exists\. Give the backup another name"):
        back_up(log, came_up, copied=lambda _: came_up.touch())
    assert came_up.stat().st_size == 0
    assert not [file for file in tmp_path.iterdir() if file.name.startswith(".mam")]


def test_without_hard_links_the_backup_is_renamed(
    log: CombatLog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "link", refuse)
    back_up(log, tmp_path / "friday.db")
    assert (tmp_path / "friday.db").exists()
    came_up = tmp_path / "saturday.db"
    with pytest.raises(BadInput, match=r"exists\. Give the backup another name"):
        back_up(log, came_up, copied=lambda _: came_up.touch())
    assert came_up.stat().st_size == 0


def test_a_copy_never_replaces_a_file_created_meanwhile(log: CombatLog, tmp_path: Path) -> None:
    came_up = tmp_path / "friday.db"
    with pytest.raises(BadInput, match=r"The file"):
        copy_store(log, str(came_up), came_up.touch)
    assert came_up.stat().st_size == 0


def test_no_backup_of_an_altered_store_is_kept(log: CombatLog, tmp_path: Path) -> None:
    writer = in_sqlite(log).writer()
    writer.execute(
        "UPDATE stored_events SET state = replace(state, '\"points\":6', '\"points\":5') WHERE originator_id = 'other'"
    )
    assert writer.execute("SELECT changes()").fetchone() != (0,)
    with pytest.raises(VerificationFailed, match='"other" failed verification'):
        back_up(log, tmp_path / "friday.db")
    assert not [file for file in tmp_path.iterdir() if not file.name.startswith("mam.db")]


def test_simultaneous_backups_do_not_interfere(tmp_path: Path) -> None:
    with CombatLog.open(tmp_path / "mam.db") as log, ThreadPoolExecutor(4) as pool:
        play_printed(log, "fight")
        together = Barrier(4, timeout=30)

        def copy(number: int) -> int:
            calls: list[int] = []

            def meet(_: int) -> None:
                if not calls:
                    calls.append(together.wait())

            return back_up(log, tmp_path / f"copy-{number}.db", copied=meet).rulings

        assert list(pool.map(copy, range(4))) == [21] * 4
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "copy-0.db",
        "copy-1.db",
        "copy-2.db",
        "copy-3.db",
        "mam.db",
    ]


def test_a_backup_does_not_replace_the_draft_of_another_program(log: CombatLog, tmp_path: Path) -> None:
    names = [f".mam-{os.getpid()}.backup", ".mam-0123456789abcdef"]
    for name in names:
        (tmp_path / name).write_text("not mine")
    back_up(log, tmp_path / "friday.db")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(secrets, "token_hex", lambda _: "0123456789abcdef")
        with pytest.raises(BadInput, match=r"saturday\.db cannot be written: File exists"):
            back_up(log, tmp_path / "saturday.db")
    assert [(tmp_path / name).read_text() for name in names] == ["not mine"] * 2


def test_an_error_while_copying_names_the_backup_file(tmp_path: Path) -> None:
    with CombatLog.open(tmp_path / "mam.db") as log:
        play_printed(log, "fight")
        target = tmp_path / "friday.db"

        _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (8192, most))
        try:
            with pytest.raises(StoreUnusable, match=r"friday\.db") as error:
                back_up(log, target)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
        assert "mam.db" not in error.value.sentence
        assert ".mam-" not in error.value.sentence
        assert not list(tmp_path.glob(".mam-*"))


def test_writing_during_a_backup_is_not_blocked_and_not_included(tmp_path: Path) -> None:
    path = tmp_path / "mam.db"
    started_event, written_event = Event(), Event()
    with CombatLog.open(path, synchronous="NORMAL") as log, CombatLog.open(path) as other:
        play_printed(log, "fight")
        for number in range(300):
            log.note("fight", f"{number} " + "so it was " * 190)
        before = log.timeline("fight").number
        left: list[int] = []

        def wait(pages: int) -> None:
            left.append(pages)
            if not started_event.is_set():
                started_event.set()
                assert written_event.wait(30)

        with ThreadPoolExecutor(1) as pool:
            copying = pool.submit(back_up, log, tmp_path / "friday.db", copied=wait)
            assert started_event.wait(30)
            for writer in (log, other):
                for number in range(10):
                    writer.note("fight", f"meanwhile {number}")
            written_event.set()
            report = copying.result(60)
        assert report.rulings == before
        assert log.timeline("fight").number == before + 20
        assert left == sorted(left, reverse=True)
        assert left[-1] == 0
        assert len(left) > 1


def test_an_error_for_a_name_that_is_too_long_is_one_sentence(log: CombatLog, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be written: File name too long"):
        copy_store(log, str(tmp_path / f"{'x' * 300}.db"))


def test_a_copy_that_cannot_be_published_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    draft, target = tmp_path / "draft", tmp_path / "friday.db"
    draft.touch()
    monkeypatch.setattr(os, "link", refuse)
    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(PermissionError):
        publish(draft, target)
    assert not target.exists()

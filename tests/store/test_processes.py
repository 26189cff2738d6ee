"""Several processes on one file, and killed processes, lose and duplicate nothing."""

from __future__ import annotations

import json
import random
import signal
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mam_events.log.encounters import Encounters
from tests.effort import FUZZ

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from tests.store.conftest import Worker, Workers


def groups_of(store: Encounters, encounter: str) -> Counter[tuple[str, int]]:
    """Check the versions and groups of an encounter, and count the groups.

    The versions have no gaps, and every group is whole and in one piece.
    """
    stored_rows = [(version, json.loads(state)) for version, _, state in store.rows(encounter)]
    assert [version for version, _ in stored_rows] == list(range(1, len(stored_rows) + 1))
    groups: Counter[tuple[str, int]] = Counter()
    at = 0
    while at < len(stored_rows):
        first = stored_rows[at][1]
        assert [state for _, state in stored_rows[at : at + first["size"]]] == [first] * first["size"]
        groups[first["by"], first["group"]] += 1
        at += first["size"]
    return groups


@pytest.mark.parametrize("number", [2, 4])
def test_processes_append_to_separate_encounters(path: Path, workers: Workers, number: int) -> None:
    count = 400 if FUZZ else 60
    started = workers(number)
    for i, worker in enumerate(started):
        worker.tell("own", str(path), f"fight-{i}", count)
    assert [worker.hear() for worker in started] == ["done"] * number
    with Encounters.at(path, create=False) as store:
        assert sorted(store.encounters()) == [f"fight-{i}" for i in range(number)]
        for i in range(number):
            assert groups_of(store, f"fight-{i}") == Counter((f"fight-{i}", group) for group in range(count))
        assert [item.id for item in store.recorder.select_notifications(0, 10**6, inclusive_of_start=False)] == list(
            range(1, 2 * count * number + 1)
        )


@pytest.mark.parametrize("number", [2, 4])
def test_processes_append_to_one_encounter(path: Path, workers: Workers, number: int) -> None:
    count = 200 if FUZZ else 30
    started = workers(number)
    for i, worker in enumerate(started):
        worker.tell("shared", str(path), "fight", f"player-{i}", count)
    assert all(int(worker.hear()) >= 0 for worker in started)
    with Encounters.at(path, create=False) as store:
        assert groups_of(store, "fight") == Counter((f"player-{i}", g) for i in range(number) for g in range(count))
        assert store.recorder.max_notification_id() == store.recorder.last_version("fight") == 3 * count * number


@pytest.mark.parametrize("content", ["no file", "empty file"])
def test_four_processes_open_one_new_file_together(tmp_path: Path, workers: Workers, content: str) -> None:
    started = workers(4)
    for turn in range(400 if FUZZ else 40):
        path = tmp_path / f"fights-{turn}.mam"
        if content == "empty file":
            path.touch()
        for i, worker in enumerate(started):
            worker.tell("fresh", str(path), f"fight-{i}")
        assert [worker.hear() for worker in started] == ["6 True"] * 4
    for worker in started:
        assert worker.end() == ""


def test_a_store_can_be_opened_while_others_write(path: Path, workers: Workers) -> None:
    first, second = workers(2)
    groups = 2000 if FUZZ else 500
    first.tell("own", str(path), "a", groups)
    second.tell("own", str(path), "b", groups)
    version = 0
    while version < 4 * groups:
        with Encounters.at(path) as store:
            last = store.recorder.max_notification_id()
        assert last >= version
        version = last
    assert (first.hear(), second.hear()) == ("done", "done")


def test_a_process_that_ends_without_closing_leaves_a_complete_log(path: Path, workers: Workers) -> None:
    (worker,) = workers(1)
    worker.tell("leave_open", str(path))
    assert worker.hear() == "done"
    assert worker.end() == ""
    with Encounters.at(path, create=False) as store:
        assert store.recorder.last_version("left") == 1


def kill_after(worker: Worker, acknowledged: int, dice: random.Random) -> dict[str, int]:
    """Kill a process some time after that many groups.

    Return the newest version that it had acknowledged by then, per encounter.
    """
    last: dict[str, int] = {}

    def note(line: str) -> None:
        # The last line may be cut off in the middle.
        if line.endswith("\n"):
            _, encounter, version = line.split()
            last[encounter] = int(version)

    assert worker.process.stdout
    for _ in range(acknowledged):
        note(worker.process.stdout.readline())
    # Nothing waits for this: it spreads the kills over the whole time between two acknowledgements.
    time.sleep(dice.uniform(0, 0.002))
    worker.process.send_signal(signal.SIGKILL)
    for line in worker.process.stdout:
        note(line)
    assert worker.process.stderr
    assert worker.process.wait() == -signal.SIGKILL, worker.process.stderr.read()
    return last


def test_a_kill_loses_nothing_acknowledged_and_keeps_groups_complete(path: Path, workers: Workers) -> None:
    dice = random.Random()
    acknowledged: dict[str, int] = {}
    for turn in range(200 if FUZZ else 30):
        (worker,) = workers(1)
        worker.tell("crash", str(path), turn)
        acknowledged |= kill_after(worker, dice.randrange(12), dice)
        if not path.exists():
            continue
        with Encounters.at(path) as store:
            for encounter, version in acknowledged.items():
                assert store.recorder.last_version(encounter) >= version
            for encounter in store.encounters():
                assert set(groups_of(store, encounter).values()) == {1}
                assert store.seeds.get(encounter) == b"s" * 64
            ids = [item.id for item in store.recorder.select_notifications(0, 10**6, inclusive_of_start=False)]
            assert ids == list(range(1, len(ids) + 1))
            for encounter, (version, state) in store.projection_recorder("newest").rows(store.encounters()).items():
                assert store.rows(encounter, version - 1)[0][2] == state
    assert acknowledged

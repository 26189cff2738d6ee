"""Many fights judged again, in any number of processes."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from math import isclose
from pathlib import Path
from random import Random
from shutil import copy
from typing import Any, TypeVar

import pytest

from mam_events.archive import export_ndjson
from mam_events.errors import NotFound
from mam_events.fights import load_fight, play
from mam_events.log.combat_log import CombatLog
from projections.chunks import chunked
from projections.corpus.runner import SerialExecutor, Task, corpus_tasks, map_in_order, rerun_task, with_export
from projections.corpus.summary import Rerun, RunOutcome, rerun, summary, wilson_interval
from tests.fights.tables import play_random_fight

EXAMPLES = Path(__file__).parents[3] / "examples"
R = TypeVar("R")
RULES = {"half_success": "never"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Fill a folder with a fight file, an export, and a store of two fights."""
    copy(EXAMPLES / "archers-in-the-dark.toml", tmp_path)
    with CombatLog.open(tmp_path / "evening.db") as log:
        play(log, load_fight(EXAMPLES / "toughness.toml"), "second")
        play(log, load_fight(EXAMPLES / "archers-in-the-dark.toml"), "first")
        (tmp_path / "b.ndjson").write_bytes(b"".join(export_ndjson(log, "first")))
    return tmp_path


def test_tasks_of_a_folder_are_sorted_by_name_and_of_a_store_as_played(folder: Path) -> None:
    assert [task.name for task in corpus_tasks(str(folder))] == ["archers-in-the-dark", "b", "second", "first"]
    assert [task.name for task in corpus_tasks(str(folder / "evening.db"))] == ["second", "first"]
    with pytest.raises(NotFound):
        corpus_tasks(str(folder / "nothing.db"))


def test_a_fight_has_the_same_result_from_a_file_an_export_and_a_store(folder: Path) -> None:
    reruns = [rerun_task(task, [RULES])[0] for task in corpus_tasks(str(folder))]
    file, export, _, stored = reruns
    assert (export.seal, export.first, export.void) == (stored.seal, stored.first, stored.void) == (stored.seal, 26, 0)
    assert (file.played, file.supposed) == (stored.played, stored.supposed)
    assert stored.played == RunOutcome("watch", 3, (("raider", 3),), 4, 2, 1)
    assert stored.flips
    later_reruns = [rerun_task(task, [RULES])[0] for task in corpus_tasks(str(folder))]
    assert summary(later_reruns, RULES) == summary(reruns, RULES)


def test_fights_that_cannot_be_judged_are_listed_and_not_counted(folder: Path) -> None:
    reruns = [rerun_task(Task(str(EXAMPLES / name)), [RULES])[0] for name in ("four-of-a-kind.toml", "points.toml")]
    totals = summary([*reruns, rerun_task(Task(str(folder / "b.ndjson")), [RULES])[0]], RULES)
    assert [one.fight for one in totals.refused] == ["four-of-a-kind", "points"]
    assert "does nothing under ron_d6" in totals.refused[0].refused
    assert (totals.fights, totals.flips.share.count, totals.flips.share.of) == (3, 1, 1)


def test_the_interval_is_wilsons() -> None:
    """The example of Wilson's interval in any table: 4 of 10 lie between 16.8 % and 68.7 %."""
    interval = wilson_interval(4, 10)
    assert isclose(interval.low, 0.1682, abs_tol=1e-4)
    assert isclose(interval.high, 0.6873, abs_tol=1e-4)
    assert (
        wilson_interval(0, 0).low,
        wilson_interval(0, 0).high,
        wilson_interval(0, 9).low,
        wilson_interval(9, 9).high,
    ) == (0, 1, 0, 1)


def test_at_most_five_fights_that_change_most_are_listed() -> None:
    way, other = RunOutcome("a", 1, (), 1, 1, 0), RunOutcome("b", 1, (), 1, 0, 0)
    reruns = [Rerun(f"{n}", "s", 10, 10 - n, n, 0, first=1, played=way, supposed=way) for n in range(1, 9)]
    reruns.append(Rerun("flip", "s", 10, 9, 1, 0, first=1, played=way, supposed=other))
    totals = summary(reruns, RULES)
    assert [one.fight for one in totals.most] == ["flip", "8", "7", "6", "5"]
    assert (totals.flips.share.count, totals.touched.share.count, totals.recorded.count) == (1, 9, 53)


def test_a_random_fight_under_its_own_rules_has_no_difference() -> None:
    log, encounter = play_random_fight(Random(7))
    ruleset = log.at(encounter).ruleset
    assert ruleset is not None
    option = min(ruleset.readings)
    own = {option: ruleset.readings[option]}
    assert not rerun(encounter, log.timeline(encounter), log.rules, own).first


def test_map_in_order_submits_only_a_few_tasks_ahead() -> None:
    numbers: list[int] = []

    class Counting(SerialExecutor):
        def submit(self, fn: Callable[..., R], /, *args: Any, **kwargs: Any) -> Future[R]:
            numbers.append(args[0])
            return super().submit(fn, *args, **kwargs)

    results = map_in_order(Counting(), str, range(100), ahead=3)
    for number in range(10):
        assert next(results) == str(number)
        assert len(numbers) <= number + 4
    assert list(results) == [str(number) for number in range(10, 100)]
    assert list(chunked(range(5), 2)) == [[0, 1], [2, 3], [4]]


def test_a_task_with_its_export_needs_no_file(folder: Path) -> None:
    tasks = corpus_tasks(str(folder))
    exports = [with_export(task) for task in [*tasks, Task(str(EXAMPLES / "points.toml"))]]
    reruns = [rerun_task(task, [RULES]) for task in [*tasks, Task(str(EXAMPLES / "points.toml"))]]
    for path in folder.iterdir():
        path.unlink()
    assert [rerun_task(task, [RULES]) for task in exports] == reruns


def test_fights_that_cannot_be_judged_are_counted_and_few_are_listed() -> None:
    totals = summary((Rerun(f"{n}", "s", refused="no") for n in range(30)), RULES)
    assert (totals.fights, totals.not_judged, len(totals.refused), totals.flips.share.of) == (30, 30, 5, 0)

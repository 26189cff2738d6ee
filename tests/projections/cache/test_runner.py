"""The table runner while others write: live, after a kill, and two runners at once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Lock, Thread
from time import monotonic, sleep
from typing import Any

import msgspec
import pytest
from eventsourcing.persistence import IntegrityError, Tracking

from mam_events.commands import Adjust, Open
from mam_events.log.combat_log import CombatLog
from mam_events.log.readable_log import ReadableLog
from mam_events.store import StoredEventRow
from mam_events.store.sql_recorders import SqlProjectionRecorder
from projections.cache import runner
from projections.cache.registry import CACHED_PROJECTIONS, OUTCOME_TABLE, POOL_TABLE, TURN_ORDER_TABLE, rebuild
from projections.cache.runner import TableProjection, TableRunner
from projections.cache.table import catch_up
from projections.state.pools import EncounterPools
from tests.conftest import in_sqlite
from tests.fighters import play_printed
from tests.projections.evenings import evening

ROOT = Path(__file__).parents[3]
MAKE = POOL_TABLE.make


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the wait for a batch."""
    monkeypatch.setattr(runner, "PAUSE", 0.01)


def all_rows(log: CombatLog) -> dict[str, bytes]:
    """Return the rows of every table for the game master, as JSON."""
    return {
        table.name: msgspec.json.encode(sorted(table.recorder(log).rows().items()), order="sorted")
        for table in CACHED_PROJECTIONS
    }


def position(log: CombatLog) -> set[int | None]:
    return {table.recorder(log).max_tracking_id(log.application.name) for table in CACHED_PROJECTIONS}


def equals_rebuild(log: CombatLog) -> bool:
    """Return True if every table equals a rebuilt one, and its position is the newest event."""
    rows, at = all_rows(log), position(log)
    rebuild(log)
    assert position(log) == {log.application.recorder.max_notification_id()}
    return (rows, at) == (all_rows(log), position(log))


def test_tables_are_updated_while_a_fight_is_played(tmp_path: Path) -> None:
    with CombatLog.open(tmp_path / "mam.db") as log:
        play_printed(log, "fight")
        with TableRunner(log) as table_runner:
            table_runner.wait(log.application.recorder.max_notification_id(), timeout=20)
            assert POOL_TABLE.recorder(log).rows()["fight"][0] == log.application.recorder.last_version("fight")
            for number in range(5):
                log.execute("fight", Adjust(reason=f"{number}"))
            log.undo("fight", 17)
            evening(log, "evening", 3, moves=10)
            table_runner.wait(log.application.recorder.max_notification_id(), timeout=20)
            assert not table_runner.is_interrupted.is_set()
        assert equals_rebuild(log)
        (row,) = [row for encounter, row in TURN_ORDER_TABLE.rows(log) if encounter == "fight"]
        assert tuple(one.combatant for one in row.rows) == log.at("fight").turn_order


def test_a_table_projection_processes_one_event_after_the_other(log: CombatLog) -> None:
    play_printed(log, "fight")
    projection = TableProjection(log, [OUTCOME_TABLE])
    for one in log.application.recorder.select_notifications(1, 100):
        projection.process_event(StoredEventRow(*one[1:]), Tracking("Encounters", one.id))
        assert (projection.view.max_tracking_id("Encounters") or 0) >= one.id
    assert projection.view.rows() == OUTCOME_TABLE.recorder(log).rows() != {}
    with pytest.raises(IntegrityError, match="is not the one before"):
        projection.view.insert_tracking(Tracking("Encounters", one.id))


@pytest.mark.slow
def test_a_killed_rebuild_continues_where_it_was(tmp_path: Path) -> None:
    """Rows and position are written in one transaction."""
    path = tmp_path / "mam.db"
    with CombatLog.open(path, synchronous="NORMAL") as log:
        for number in range(90):
            log.execute(f"f{number}", Open())
            log.execute(f"f{number % 7}", Adjust(reason="on"))
        newest = log.application.recorder.max_notification_id()
        positions = set()
        # From immediately to after the end of the rebuild, even on a slow machine.
        for seconds in (0.0, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8, 20.0):
            rebuild_and_be_killed(path, seconds)
            for table in CACHED_PROJECTIONS:
                recorder = table.recorder(log)
                at = recorder.max_tracking_id("Encounters") or 0
                positions.add(at)
                encounters, _ = log.application.recorder.encounters_after(at, newest)
                names = {one.originator_id for one in log.application.recorder.select_notifications(1, at)}
                assert names - set(encounters) <= set(recorder.rows()), "a position counts what is not kept"
        catch_up(log, CACHED_PROJECTIONS)
        assert equals_rebuild(log)
    assert len(positions) > 1, "it was killed at one moment alone"


def rebuild_and_be_killed(path: Path, seconds: float) -> None:
    """Rebuild every table in another process, and kill it that many seconds after the start."""
    code = (
        "import sys; from mam_events.log.combat_log import CombatLog; from projections.cache.registry import rebuild; "
        "log = CombatLog.open(sys.argv[1]); print('begins', flush=True); rebuild(log)"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen((sys.executable, "-c", code, str(path)), stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout
        assert process.stdout.readline() == b"begins\n"
        with suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
        process.send_signal(signal.SIGKILL)


@contextmanager
def positions_kept(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[str, int]]]:
    """Yield a list to which every written position is added."""
    positions: list[tuple[str, int]] = []
    lock, keep = Lock(), SqlProjectionRecorder.keep

    def noting(self: SqlProjectionRecorder, rows: Any, tracking: Tracking | None = None, **how: Any) -> None:
        keep(self, rows, tracking, **how)
        if tracking is not None:
            with lock:
                positions.append((self.projection, tracking.notification_id))

    with monkeypatch.context() as patch:
        patch.setattr(SqlProjectionRecorder, "keep", noting)
        yield positions


def test_two_runners_do_not_run_one_projection_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "mam.db"
    with CombatLog.open(path) as log, CombatLog.open(path) as other, positions_kept(monkeypatch) as positions:
        with TableRunner(log) as table_runner, TableRunner(other) as other_runner:
            writers = [Thread(target=play_printed, args=(one, f"{name}")) for name, one in enumerate((log, other, log))]
            for writer in writers:
                writer.start()
            for writer in writers:
                writer.join()
            newest = log.application.recorder.max_notification_id()
            table_runner.wait(newest, timeout=20)
            other_runner.wait(newest, timeout=20)
        assert len(positions) == len(set(positions)), "a position was kept twice"
        assert equals_rebuild(log)


def test_rows_made_before_a_rebuild_do_not_count_as_complete(log: CombatLog, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(3):
        log.execute(f"f{number}", Open())
    catch_up(log, [POOL_TABLE])
    log.note("f1", "on")

    def forgetting(log: ReadableLog, encounter: str, view: str) -> tuple[EncounterPools, int]:
        monkeypatch.setattr(POOL_TABLE, "make", MAKE)
        log.application.factory.forget()
        return MAKE(log, encounter, view)

    monkeypatch.setattr(POOL_TABLE, "make", forgetting)
    catch_up(log, [POOL_TABLE])
    assert sorted(POOL_TABLE.recorder(log).rows()) == ["f0", "f1", "f2"]


def test_tables_stay_in_step_if_another_runner_intervenes(log: CombatLog, monkeypatch: pytest.MonkeyPatch) -> None:
    log.execute("f0", Open())
    first = log.application.recorder.max_notification_id()
    log.note("f0", "on")
    newest = log.application.recorder.max_notification_id()

    def overtaken(log: ReadableLog, encounter: str, view: str) -> tuple[EncounterPools, int]:
        monkeypatch.setattr(POOL_TABLE, "make", MAKE)
        for table in (POOL_TABLE, OUTCOME_TABLE):
            table.recorder(log).keep([], Tracking("Encounters", first), after=0)
        return MAKE(log, encounter, view)

    monkeypatch.setattr(POOL_TABLE, "make", overtaken)
    with positions_kept(monkeypatch) as positions:
        catch_up(log, [POOL_TABLE, OUTCOME_TABLE])
    assert [at for _, at in positions] == [first, first, newest, newest]
    assert [name.split("/")[0] for name, _ in positions[2:]] == ["pools", "outcomes"], "both in one pass, or neither"


def test_a_rebuild_beside_a_runner_and_a_writer_loses_no_row(tmp_path: Path) -> None:
    path = tmp_path / "mam.db"
    with CombatLog.open(path, synchronous="NORMAL") as log, CombatLog.open(path, synchronous="NORMAL") as other:
        for number in range(300):
            log.execute(f"f{number}", Open())
        with TableRunner(log, [POOL_TABLE, OUTCOME_TABLE]) as table_runner:
            table_runner.wait(log.application.recorder.max_notification_id(), timeout=60)
            writer = Thread(target=lambda: [log.note("f7", f"{number}") for number in range(200)])
            writer.start()
            for _ in range(3):
                other.application.factory.forget()
                catch_up(other, [POOL_TABLE, OUTCOME_TABLE])
            writer.join()
            table_runner.wait(log.application.recorder.max_notification_id(), timeout=60)
        for table in (POOL_TABLE, OUTCOME_TABLE):
            assert table.count(log, log.application.recorder.versions()) == (300, 0)


def test_a_runner_waits_for_a_locked_store(tmp_path: Path) -> None:
    path = tmp_path / "mam.db"
    with CombatLog.open(path) as log, CombatLog.open(path, busy_timeout=0.05) as other:
        play_printed(log, "fight")
        with ExitStack() as stack:
            stack.enter_context(in_sqlite(log).writing())
            with TableRunner(other) as table_runner:
                sleep(0.5)
                assert POOL_TABLE.recorder(other).rows() == {}
                stack.close()
                table_runner.wait(log.application.recorder.max_notification_id(), timeout=20)
        assert equals_rebuild(log)


def slowly(log: ReadableLog, encounter: str, view: str) -> tuple[EncounterPools, int]:
    sleep(0.1)
    return MAKE(log, encounter, view)


def test_a_runner_stops_at_once_in_the_middle_of_its_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with CombatLog.open(tmp_path / "mam.db", synchronous="NORMAL") as log:
        for number in range(200):
            log.execute(f"f{number}", Open())
        monkeypatch.setattr(POOL_TABLE, "make", slowly)
        with TableRunner(log, [POOL_TABLE]):
            sleep(0.3)
            start = monotonic()
        assert monotonic() - start < 5
        assert POOL_TABLE.recorder(log).max_tracking_id("Encounters") is None

"""The library's own projections follow the log live."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import singledispatchmethod
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from eventsourcing.domain import DomainEventProtocol
from eventsourcing.persistence import Tracking, TrackingRecorder
from eventsourcing.popo import POPOTrackingRecorder
from eventsourcing.projection import Projection, ProjectionRunner
from eventsourcing.sqlite import SQLiteTrackingRecorder

from mam_events.commands import Adjust
from mam_events.errors import StoreUnusable
from mam_events.events import Head, Play
from mam_events.log.combat_log import CombatLog
from mam_events.log.encounters import Encounters
from mam_events.store import StoredEventRow, build_events, environment_at
from tests.fighters import play_printed
from tests.postgres import shared

ROOT = Path(__file__).parents[2]


class InMemory(POPOTrackingRecorder):
    """The library's recorder with a count."""

    def __init__(self) -> None:
        super().__init__()
        self.counted = 0

    def count(self, tracking: Tracking, rulings: int) -> None:
        with self._database_lock:
            self._assert_tracking_uniqueness(tracking)
            self._insert_tracking(tracking)
            self.counted += rulings

    def total(self) -> int:
        return self.counted


class InFile(SQLiteTrackingRecorder):
    """The library's recorder in a file, which a projection can continue from."""

    def __init__(self, datastore: Any) -> None:
        super().__init__(datastore)
        self.create_table_statements.append("CREATE TABLE IF NOT EXISTS counted (rulings INTEGER)")

    def count(self, tracking: Tracking, rulings: int) -> None:
        with self.datastore.transaction(commit=True) as cursor:
            self._insert_tracking(cursor, tracking)
            cursor.execute("INSERT INTO counted VALUES (?)", (rulings,))

    def total(self) -> int:
        with self.datastore.transaction(commit=False) as cursor:
            cursor.execute("SELECT sum(rulings) FROM counted")
            return int(cursor.fetchone()[0] or 0)


class Counting(Projection[TrackingRecorder]):
    """Counts the rulings of a whole store."""

    name = "counting"

    @singledispatchmethod
    def process_event(self, domain_event: DomainEventProtocol[Any], tracking: Tracking) -> None:
        assert isinstance(domain_event, StoredEventRow)
        self.view.count(tracking, isinstance(domain_event.body, Head))  # type: ignore[attr-defined]  # both views have it


class CountingPlays(Counting):
    """Counts only plays: the library asks the recorder for those topics."""

    topics = (Play.topic,)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "mam.db"


def runner(
    at: Path | str, view: type[TrackingRecorder], projection: type[Counting] = Counting
) -> ProjectionRunner[Any, Any]:
    if isinstance(at, Path):
        env = {"SQLITE_DBNAME": str(at)}
    else:
        env = environment_at(at) | {"COUNTING_PERSISTENCE_MODULE": "eventsourcing.popo"}
    if view is InFile:
        assert isinstance(at, Path)
        env |= {
            "COUNTING_PERSISTENCE_MODULE": "eventsourcing.sqlite",
            "COUNTING_SQLITE_DBNAME": str(at.with_name("counted.db")),
        }
    return ProjectionRunner(application_class=Encounters, projection_class=projection, view_class=view, env=env)


@pytest.mark.parametrize("view", [InMemory, InFile])
def test_a_library_projection_counts_rulings_live(path: Path, view: type[TrackingRecorder]) -> None:
    with CombatLog.open(path) as log:
        play_printed(log, "fight")
        with runner(path, view) as running:
            running.wait(log.application.recorder.max_notification_id(), timeout=20)
            assert running.projection.view.total() == 21
            for number in range(3):
                log.execute("fight", Adjust(reason=f"{number}"))
            log.undo("fight", 17)
            play_printed(log, "other")
            running.wait(log.application.recorder.max_notification_id(), timeout=20)
            assert running.projection.view.total() == 21 + 3 + 1 + 21
        log.note("fight", "Nobody is counting.")
        with runner(path, view) as second_runner:
            second_runner.wait(log.application.recorder.max_notification_id(), timeout=20)
            assert second_runner.projection.view.total() == 47
            assert not second_runner.is_interrupted.is_set()


@pytest.mark.slow
def test_a_library_projection_counts_rulings_in_postgresql() -> None:
    url = shared().database()
    with CombatLog.open(url) as log:
        play_printed(log, "fight")
        with runner(url, InMemory) as running:
            running.wait(log.application.recorder.max_notification_id(), timeout=20)
            assert running.projection.view.total() == 21
            log.note("fight", "one more")
            running.wait(log.application.recorder.max_notification_id(), timeout=20)
            assert running.projection.view.total() == 22
    shared().drop(url)


def test_a_projection_of_some_topics_gets_only_those(path: Path) -> None:
    with CombatLog.open(path) as log:
        play_printed(log, "fight")
        log.note("fight", "which is no play")
        with runner(path, InMemory, CountingPlays) as running:
            last = log.execute("fight", Adjust(reason="the last")).head.ruling
            wanted = next(
                n.id
                for n in log.application.recorder.select_notifications(0, 1000, inclusive_of_start=False)[::-1]
                if n.topic == Play.topic
            )
            running.wait(wanted, timeout=20)
            assert running.projection.view.total() == last - 1


def test_an_unreadable_event_ends_a_projection_with_the_reason(path: Path) -> None:
    with CombatLog.open(path) as log:
        play_printed(log, "fight")
        with pytest.raises(StoreUnusable, match="newer mam-events"), runner(path, InMemory) as running:  # noqa: PT012 - the runner raises again as it ends
            log.application.save(*build_events("else", [(1, "BroomstickMounted.7", b"{}")]))
            running.run_forever(timeout=20)


def test_a_subscription_gives_every_event_once_and_ends_when_stopped(path: Path) -> None:
    with CombatLog.open(path) as log:
        play_printed(log, "fight")
        rows = len(log.application.rows("fight"))
        recorder = log.application.recorder
        with recorder.subscribe(gt=5) as subscription, ThreadPoolExecutor(1) as pool:
            ids = [next(subscription).id for _ in range(rows - 5)]
            assert ids == list(range(6, rows + 1))
            waiting: Callable[[], list[int]] = lambda: [item.id for item in subscription]  # noqa: E731 - it is only passed on
            rest = pool.submit(waiting)
            log.note("fight", "one more")
            deadline = monotonic() + 20
            while recorder.max_notification_id() != subscription._last_notification_id and monotonic() < deadline:  # noqa: SLF001 - nothing public shows its position
                pass
            subscription.stop()
            assert rest.result(20) == [rows + 1]

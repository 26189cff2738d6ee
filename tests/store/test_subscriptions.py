"""Subscriptions deliver every event once, in order and soon; the first tests could be the library's own."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event
from typing import Any

import psycopg
import pytest
from eventsourcing.persistence import (
    ApplicationRecorder,
    Notification,
    OperationalError,
    StoredEvent,
    Subscription,
)
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore, PostgresSubscription
from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteDatastore
from psycopg.conninfo import conninfo_to_dict

from mam_events.log.encounters import Encounters
from mam_events.store import build_events
from mam_events.store.postgres import PostgresEventRecorder
from mam_events.store.postgres_subscription import ListeningSubscription
from mam_events.store.sqlite import SQLiteEventRecorder
from mam_events.store.sqlite_subscription import AT_ONCE, PollingSubscription
from tests.postgres import shared

Opened = Callable[[str], Any]
"""A recorder over a log at that path or address, as a context."""
SOON = 10.0
"""Seconds that a busy machine may need for immediate work."""
WINDOW = 1.0
"""Seconds of delay for a reader that might start to listen too late."""
NEVER = 3.0
"""Seconds after which nothing more is expected."""


def event(version: int, topic: str = "Probe.1") -> StoredEvent:
    return StoredEvent(originator_id="fight", originator_version=version, topic=topic, state=b"{}")


def versions(notifications: Sequence[Notification]) -> list[int]:
    return [notification.originator_version for notification in notifications]


@contextmanager
def taking(subscription: Subscription[ApplicationRecorder]) -> Iterator[Callable[[], Future[Notification]]]:
    """Yield a function that waits for the next event in a thread, which ends with the block."""
    with ThreadPoolExecutor(1) as pool, subscription:
        yield lambda: pool.submit(next, subscription)


def until(condition: Callable[[], Any]) -> Any:
    """Wait until `found` returns something and return that."""
    end = time.monotonic() + SOON
    while not (it := condition()) and time.monotonic() < end:
        time.sleep(0.01)
    assert it
    return it


# In SQLite.


@contextmanager
def stock_in_file(path: str) -> Iterator[ApplicationRecorder]:
    with closing(SQLiteDatastore(path, originator_id_type="text")) as datastore:
        recorder = SQLiteApplicationRecorder(datastore)
        recorder.create_table()
        yield recorder


@contextmanager
def ours_in_file(path: str) -> Iterator[ApplicationRecorder]:
    with Encounters.at(path) as application:
        yield application.recorder


@contextmanager
def ours_over_stock(path: str) -> Iterator[ApplicationRecorder]:
    class Subscribing(SQLiteApplicationRecorder):
        def subscribe(self, gt: int | None = None, topics: Sequence[str] = ()) -> Subscription[ApplicationRecorder]:
            return PollingSubscription(self, gt, topics)

    with closing(SQLiteDatastore(path, originator_id_type="text")) as datastore:
        recorder = Subscribing(datastore)
        recorder.create_table()
        yield recorder


@pytest.mark.parametrize(
    "opened",
    [
        pytest.param(stock_in_file, marks=pytest.mark.xfail(strict=True, raises=NotImplementedError)),
        ours_over_stock,
        ours_in_file,
    ],
)
def test_a_file_can_be_subscribed_to(opened: Opened, path: Path) -> None:
    with opened(str(path)) as recorder, opened(str(path)) as other:
        recorder.insert_events([event(1), event(2)])
        with taking(recorder.subscribe(gt=1)) as take:
            assert take().result(SOON).originator_version == 2
            third = take()
            assert not third.done()
            other.insert_events([event(3)])
            assert third.result(SOON).id == 3
            waiting = take()
        with pytest.raises(StopIteration):
            waiting.result(SOON)


# In PostgreSQL.


class Overtaken:
    """A recorder during whose first query another event is written."""

    looked: Event

    def select_notifications(self, *arguments: Any, **more: Any) -> Any:
        notifications = super().select_notifications(*arguments, **more)  # type: ignore[misc]  # a mixin
        if not self.looked.is_set():
            self.insert_events([event(1)])  # type: ignore[attr-defined]  # as above
            self.looked.set()
        return notifications


class SlowToListen(PostgresSubscription):
    def _listen(self) -> None:
        self._recorder.looked.wait(WINDOW)  # type: ignore[attr-defined]  # it is `Overtaken`
        super()._listen()


class StockOvertaken(Overtaken, PostgresApplicationRecorder):
    def subscribe(self, gt: int | None = None, topics: Sequence[str] = ()) -> Subscription[ApplicationRecorder]:
        return SlowToListen(self, gt, topics)


class OnlyListening(ListeningSubscription):
    """A subscription that finds events only by notification."""

    interval = 600.0


class OursOvertaken(Overtaken, PostgresEventRecorder):
    def subscribe(self, gt: int | None = None, topics: Sequence[str] = ()) -> ListeningSubscription:
        def slowly() -> psycopg.Connection[Any]:
            self.looked.wait(WINDOW)
            return self.connections.listen()

        return OnlyListening(self, gt, topics, listen=slowly)


@contextmanager
def stock_in_postgres(
    url: str, kind: type[PostgresApplicationRecorder] = PostgresApplicationRecorder
) -> Iterator[ApplicationRecorder]:
    parameters = conninfo_to_dict(url)
    names = [str(parameters.get(name) or "") for name in ("dbname", "host", "port", "user", "password")]
    with closing(PostgresDatastore(*names, originator_id_type="text", pool_size=1, max_overflow=5)) as datastore:
        recorder = kind(datastore)
        recorder.create_table()
        yield recorder


@contextmanager
def ours_in_postgres(url: str) -> Iterator[ApplicationRecorder]:
    with Encounters.at(url) as application:
        yield application.recorder


@contextmanager
def stock_overtaken(url: str) -> Iterator[ApplicationRecorder]:
    with stock_in_postgres(url, StockOvertaken) as recorder:
        recorder.looked = Event()  # type: ignore[attr-defined]  # it is `Overtaken`
        yield recorder


@contextmanager
def ours_overtaken(url: str) -> Iterator[ApplicationRecorder]:
    with Encounters.at(url) as application:
        recorder = OursOvertaken(application.factory.datastore)  # type: ignore[attr-defined]  # that of PostgreSQL
        recorder.looked = Event()
        yield recorder


def listeners(url: str) -> list[int]:
    """Return the process ids of the server's connections that listen."""
    query = "SELECT pid FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database()"
    with psycopg.connect(url, autocommit=True) as connection:
        return [pid for (pid,) in connection.execute(query)]


@pytest.fixture
def url() -> Iterator[str]:
    url = shared().database()
    yield url
    shared().drop(url)


@pytest.mark.slow
@pytest.mark.parametrize(
    "opened",
    [pytest.param(stock_overtaken, marks=pytest.mark.xfail(strict=True, raises=TimeoutError)), ours_overtaken],
)
def test_an_event_between_the_first_query_and_listening_is_delivered(opened: Opened, url: str) -> None:
    with opened(url) as recorder, taking(recorder.subscribe()) as take:
        first = take()
        assert recorder.looked.wait(SOON)
        assert first.result(NEVER).originator_version == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "opened",
    [pytest.param(stock_in_postgres, marks=pytest.mark.xfail(strict=True, raises=TimeoutError)), ours_in_postgres],
)
def test_an_event_without_a_notification_is_delivered(opened: Opened, url: str) -> None:
    with opened(url) as recorder, taking(recorder.subscribe()) as take:
        recorder.insert_events([event(1)])
        assert take().result(SOON).originator_version == 1
        second = take()
        until(lambda: listeners(url))
        with psycopg.connect(url) as connection:
            connection.execute("INSERT INTO stored_events VALUES ('fight', 2, 'Probe.1', '{}')")
        assert second.result(NEVER).originator_version == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    "opened",
    [pytest.param(stock_in_postgres, marks=pytest.mark.xfail(strict=True, raises=OperationalError)), ours_in_postgres],
)
def test_a_lost_connection_is_restored(opened: Opened, url: str) -> None:
    with opened(url) as recorder, taking(recorder.subscribe()) as take:
        recorder.insert_events([event(1)])
        assert take().result(SOON).originator_version == 1
        second = take()
        (lost,) = until(lambda: listeners(url))
        with psycopg.connect(url) as connection:
            connection.execute("SELECT pg_terminate_backend(%s)", (lost,))
        until(lambda: second.done() or set(listeners(url)) - {lost})
        recorder.insert_events([event(2)])
        assert second.result(SOON).originator_version == 2


@pytest.mark.slow
def test_an_event_is_delivered_by_notification_without_polling(url: str) -> None:
    with Encounters.at(url) as application, Encounters.at(url) as other:
        recorder = application.recorder
        assert isinstance(recorder, PostgresEventRecorder)
        with taking(OnlyListening(recorder, listen=recorder.connections.listen)) as take:
            for version in (1, 2, 3):
                waiting = take()
                until(lambda: listeners(url))
                other.save(*build_events("fight", [(version, "Probe.1", b"{}")]))
                assert waiting.result(SOON).originator_version == version


@pytest.mark.slow
def test_a_stopped_subscription_no_longer_listens(url: str) -> None:
    with Encounters.at(url) as application:
        subscription = application.recorder.subscribe()
        with taking(subscription) as take:
            waiting = take()
            until(lambda: listeners(url))
            began = time.monotonic()
            subscription.stop()
            with pytest.raises(StopIteration):
                waiting.result(SOON)
            assert time.monotonic() - began < 1
        until(lambda: not listeners(url))
        # If nobody is waiting, stopping the subscription closes the connection.
        idle = application.recorder.subscribe()
        assert idle.batch(0) == ()
        assert listeners(url)
        idle.stop()
        until(lambda: not listeners(url))


# For every kind of store.


@pytest.fixture(params=["file", "memory", pytest.param("postgres", marks=pytest.mark.slow)])
def application(request: pytest.FixtureRequest, path: Path) -> Iterator[Encounters]:
    at = {"file": str(path), "memory": "sqlite://"}
    with Encounters.at(at.get(request.param) or request.getfixturevalue("url")) as opened:
        yield opened


def probes(first: int, last: int, topic: str = "Probe.1") -> list[tuple[int, str, bytes]]:
    return [(version, topic, b"{}") for version in range(first, last + 1)]


def test_a_batch_gives_all_available_events(application: Encounters) -> None:
    application.save(*build_events("fight", probes(1, AT_ONCE + 5)))
    with application.recorder.subscribe(gt=3) as subscription:
        assert next(subscription).originator_version == 4
        assert versions(subscription.batch()) == list(range(5, AT_ONCE + 4))
        assert versions(subscription.batch()) == [AT_ONCE + 4, AT_ONCE + 5]
        assert subscription.batch(0) == ()
        began = time.monotonic()
        assert subscription.batch(0.3) == ()
        assert 0.3 <= time.monotonic() - began < 1
        with ThreadPoolExecutor(1) as pool:
            waiting = pool.submit(subscription.batch)
            application.save(*build_events("fight", probes(AT_ONCE + 6, AT_ONCE + 7)))
            assert versions(waiting.result(SOON)) == [AT_ONCE + 6, AT_ONCE + 7]
            waiting = pool.submit(subscription.batch)
            subscription.stop()
            assert waiting.result(SOON) == ()
        assert subscription.batch() == ()


def test_nothing_is_missed_while_several_threads_write(application: Encounters) -> None:
    def write(encounter: str) -> None:
        for version in range(1, 41):
            application.save(*build_events(encounter, probes(version, version)))

    results: list[Notification] = []
    with application.recorder.subscribe() as subscription, ThreadPoolExecutor(4) as pool:
        for name in ("one", "two", "three", "four"):
            pool.submit(write, name)
        while len(results) < 160:
            some = subscription.batch(SOON)
            assert some
            results += some
    assert [notification.id for notification in results] == sorted({notification.id for notification in results})
    for name in ("one", "two", "three", "four"):
        assert [one.originator_version for one in results if one.originator_id == name] == list(range(1, 41))


def test_events_of_other_topics_are_read_only_once(path: Path) -> None:
    starts: list[int | None] = []

    class Watched(SQLiteEventRecorder):
        def select_notifications(self, start: int | None, *arguments: Any, **more: Any) -> Any:
            starts.append(start)
            return super().select_notifications(start, *arguments, **more)

    with Encounters.at(path) as application:
        recorder = Watched(application.factory.datastore)  # type: ignore[attr-defined]  # that of a file
        application.save(*build_events("fight", [*probes(1, 50), *probes(51, 51, "Rare.1"), *probes(52, 99)]))
        with recorder.subscribe(topics=["Rare.1"]) as subscription:
            assert versions(subscription.batch()) == [51]
            assert subscription.batch(0) == ()
            application.save(*build_events("fight", [*probes(100, 120), *probes(121, 121, "Rare.1")]))
            assert versions(subscription.batch()) == [121]
    assert starts == [None, 99, 99]


def test_the_notification_log_has_sections(application: Encounters) -> None:
    last = 2 * application.log_section_size + 100
    application.save(*build_events("fight", [*probes(1, last - 1), *probes(last, last, "Rare.1")]))
    log = application.notification_log
    sections = []
    at: str | None = f"1,{application.log_section_size}"
    while at:
        sections.append(log[at])
        at = sections[-1].next_id
    assert [section.id for section in sections] == ["1,1000", "1001,2000", "2001,2100"]
    assert versions([one for section in sections for one in section.items]) == list(range(1, last + 1))
    assert versions(log.select(5, 3)) == [5, 6, 7]
    assert versions(log.select(5, 3, inclusive_of_start=False)) == [6, 7, 8]
    assert versions(log.select(5, 10, stop=6)) == [5, 6]
    assert versions(log.select(None, 10, topics=["Rare.1"])) == [last]
    with pytest.raises(ValueError, match="greater than section size"):
        log.select(1, application.log_section_size + 1)

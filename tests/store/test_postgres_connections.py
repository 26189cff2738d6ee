"""A log in PostgreSQL that loses its connection: it always knows what was written."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread

import psycopg
import pytest
from eventsourcing.persistence import IntegrityError
from psycopg.conninfo import conninfo_to_dict

from mam_events.errors import StoreUnusable, VersionConflict
from mam_events.log.encounters import Encounters
from mam_events.store import build_events
from tests.postgres import shared

pytestmark = pytest.mark.slow

GAVE_UP = "gave up the transaction. Nothing of it was written"


@pytest.fixture
def url() -> Iterator[str]:
    url = shared().database()
    yield url
    shared().drop(url)


def probe(encounter: str, *versions: int) -> Callable[[Encounters], list[int]]:
    """Return a function that saves those versions of an encounter."""
    return lambda log: list(log.save(*build_events(encounter, [(version, "Probe.1", b"{}") for version in versions])))


def stored(url: str) -> list[tuple[str, int, int]]:
    """Return the rows in the database, read with plain SQL."""
    query = "SELECT originator_id, originator_version, notification_id FROM stored_events ORDER BY notification_id"
    with psycopg.connect(url) as connection:
        return connection.execute(query).fetchall()


class Wire:
    """A proxy between a log and its server that can lose the next answer."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._said = conninfo_to_dict(url)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.loses = Event()
        self.found: list[list[tuple[str, int, int]]] = []
        """The rows in the database at each lost answer."""
        self._ends = [self._listener]
        self._threads: list[Thread] = []
        self._start(self._accept)

    @property
    def url(self) -> str:
        """The address of the proxy."""
        user, password = self._said["user"], self._said.get("password")
        userinfo = f"{user}:{password}" if password else user
        _, port = self._listener.getsockname()
        return f"postgresql://{userinfo}@127.0.0.1:{port}/{self._said['dbname']}?sslmode=disable&gssencmode=disable"

    def close(self) -> None:
        """Close all connections."""
        _hang_up(*self._ends)
        for thread in self._threads:
            thread.join()
        for end in self._ends:
            end.close()

    def _start(self, work: Callable[..., None], *ends: socket.socket) -> None:
        self._threads.append(Thread(target=work, args=ends))
        self._threads[-1].start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                far = self._connect()
                self._ends += [near, far]
                self._start(self._pass, near, far)
                self._start(self._pass_back, far, near)

    def _connect(self) -> socket.socket:
        host, port = str(self._said["host"]), int(self._said["port"] or 5432)
        if not host.startswith("/"):
            return socket.create_connection((host, port))
        far = socket.socket(socket.AF_UNIX)
        far.connect(f"{host}/.s.PGSQL.{port}")
        return far

    def _pass(self, near: socket.socket, far: socket.socket) -> None:
        with suppress(OSError):
            while content := near.recv(65536):
                far.sendall(content)
        _hang_up(near, far)

    def _pass_back(self, far: socket.socket, near: socket.socket) -> None:
        with suppress(OSError):
            while content := far.recv(65536):
                if self.loses.is_set():
                    self.loses.clear()
                    self.found.append(stored(self._url))
                    break
                near.sendall(content)
        _hang_up(near, far)


def _hang_up(*ends: socket.socket) -> None:
    for end in ends:
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


@contextmanager
def wired(url: str) -> Iterator[tuple[Encounters, Wire]]:
    wire = Wire(url)
    try:
        with Encounters.at(wire.url) as log:
            # The statement is prepared now, so that the next answer is the one to the next append.
            assert probe("warm", 1)(log) == [1]
            yield log, wire
    finally:
        wire.close()


def test_a_write_whose_answer_was_lost_counts_as_written(url: str) -> None:
    with wired(url) as (log, wire):
        wire.loses.set()
        ids = probe("fight", 1, 2)(log)
        assert wire.found == [stored(url)]
        assert [row for row in stored(url) if row[0] == "fight"] == [("fight", 1, ids[0]), ("fight", 2, ids[1])]
        assert log.has_written()
        assert len(probe("fight", 3)(log)) == 1


def test_a_row_of_another_writer_is_not_taken_for_ones_own(url: str) -> None:
    with wired(url) as (log, wire), Encounters.at(url) as other:
        probe("fight", 1)(log)
        other.save(*build_events("fight", [(2, "Other.1", b"{}")]))
        wire.loses.set()
        with pytest.raises(VersionConflict, match=r"meanwhile \(version 2\)"):
            probe("fight", 2)(log)
        assert len(wire.found) == 1
        assert log.rows("fight", 1) == [(2, "Other.1", b"{}")]


def test_a_group_whose_last_answer_was_lost_counts_as_written(url: str) -> None:
    with wired(url) as (log, wire):
        with log.grouped():
            probe("one", 1)(log)
            probe("two", 1, 2)(log)
            assert len(stored(url)) == 1
            wire.loses.set()
        assert wire.found == [stored(url)]
        assert [row[:2] for row in stored(url)] == [("warm", 1), ("one", 1), ("two", 1), ("two", 2)]
        assert len(probe("two", 3)(log)) == 1


def test_a_lost_answer_for_a_group_without_events_is_an_error(url: str) -> None:
    with wired(url) as (log, wire):
        with pytest.raises(StoreUnusable, match="does not answer"), log.grouped():  # noqa: PT012 - the end of the block fails
            log.tokens.keep("a", b"{}")
            wire.loses.set()
        with log.grouped():
            log.tokens.keep("a", b"again")
            probe("fight", 1)(log)
            wire.loses.set()
        assert log.tokens.all() == [b"again"]


def test_a_group_that_loses_its_connection_is_not_written(url: str) -> None:
    with Encounters.at(url) as log:
        with pytest.raises(StoreUnusable), log.grouped():  # noqa: PT012 - the end of the block fails
            probe("one", 1)(log)
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )
            with pytest.raises(StoreUnusable, match="does not answer"):
                probe("two", 1)(log)
            with pytest.raises(StoreUnusable, match=GAVE_UP):
                probe("three", 1)(log)
        assert stored(url) == []
        assert len(probe("one", 1)(log)) == 1


def test_a_group_with_an_error_inside_is_not_written(url: str) -> None:
    with Encounters.at(url) as log:
        with pytest.raises(StoreUnusable, match=GAVE_UP), log.grouped():  # noqa: PT012 - the end of the block fails
            probe("one", 1)(log)
            with pytest.raises(StoreUnusable):
                log.recorder.select_notifications(0, -1)
        assert stored(url) == []


def test_tokens_and_views_are_written_with_their_group(url: str) -> None:
    with Encounters.at(url) as log, Encounters.at(url) as other:
        with suppress(RuntimeError), log.grouped():
            log.tokens.keep("a", b"{}")
            log.projection_recorder("seen").keep([("fight", 1, b"1")])
            assert (log.tokens.all(), other.tokens.all()) == ([b"{}"], [])
            raise RuntimeError
        assert (log.tokens.all(), dict(log.projection_recorder("seen").rows())) == ([], {})
        with log.grouped():
            log.tokens.keep("a", b"{}")
            with pytest.raises(StoreUnusable):
                log.projection_recorder("seen").keep([("fight", 2**70, b"1")])
            probe("fight", 1)(log)
        assert (other.tokens.all(), dict(other.projection_recorder("seen").rows())) == ([b"{}"], {})
        assert [row[:2] for row in stored(url)] == [("fight", 1)]


def test_a_closed_log_writes_nothing(url: str) -> None:
    log = Encounters.at(url)
    log.close()
    with pytest.raises(StoreUnusable):
        log.encounters()
    with pytest.raises(StoreUnusable, match="has been closed"):
        probe("fight", 1)(log)
    assert stored(url) == []


def test_events_of_several_encounters_are_written_completely_or_not(url: str) -> None:
    with Encounters.at(url) as log:
        first, second = (build_events(name, [(1, "Probe.1", b"{}"), (2, "Probe.1", b"{}")]) for name in ("one", "two"))
        assert log.recorder.insert_events([*first, *second]) == [1, 2, 3, 4]
        third = build_events("three", [(1, "Probe.1", b"{}")])
        with pytest.raises(IntegrityError):
            log.recorder.insert_events([*third, *second])
        assert [row[:2] for row in stored(url)] == [("one", 1), ("one", 2), ("two", 1), ("two", 2)]

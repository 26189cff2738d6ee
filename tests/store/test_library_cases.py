"""What eventsourcing asks of every recorder holds for ours, in a file, in memory and in PostgreSQL; its application
runs on it.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from unittest.mock import patch
from uuid import uuid4

import pytest
from eventsourcing.persistence import AggregateRecorder, ApplicationRecorder
from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteDatastore

from mam_events.events import TYPES, Event
from mam_events.store import SQLiteStore, open_store
from mam_events.store.library import Envelope
from mam_events.store.postgres import PostgresStore
from mam_events.store.tables import TABLES
from tests.postgres import shared

# The cases for ciphers live in the same module; they need a package that the log does without.
CIPHER = ModuleType("eventsourcing.cipher")
CIPHER.AESCipher = None  # type: ignore[attr-defined]  # a module made by hand declares nothing
with patch.dict(sys.modules, {CIPHER.__name__: CIPHER}):
    from eventsourcing.tests import persistence as cases


class InFile(cases.RecorderTestCase):
    def open(self) -> SQLiteStore | PostgresStore:
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        store = open_store(Path(directory.name) / "fights.mam")
        self.addCleanup(store.close)
        return store

    def new_originator_id(self) -> str:
        return f"fight-{uuid4()}"


class InMemory(InFile):
    def open(self) -> SQLiteStore:
        store = open_store("sqlite://")
        self.addCleanup(store.close)
        return store


class OnPostgres(InFile):
    def open(self) -> PostgresStore:
        url = shared().database()
        self.addCleanup(shared().drop, url)
        store = PostgresStore(url)
        self.addCleanup(store.close)
        self.addCleanup(store.application.close)
        return store


class TestAggregateRecorderInFile(InFile, cases.AggregateRecorderTestCase):
    def create_recorder(self) -> AggregateRecorder:
        recorder = self.open().application.factory.aggregate_recorder("snapshots")
        recorder.create_table()  # type: ignore[attr-defined]  # the factory names only the abstract class
        return recorder


class TestAggregateRecorderInMemory(InMemory, TestAggregateRecorderInFile):
    pass


class TestAggregateRecorderOnPostgres(OnPostgres, TestAggregateRecorderInFile):
    pass


class TestApplicationRecorderInFile(InFile, cases.ApplicationRecorderTestCase[ApplicationRecorder]):
    def create_recorder(self) -> ApplicationRecorder:
        return self.open().application.recorder

    def test_events_come_to_those_who_subscribe(self) -> None:
        self.optional_test_insert_subscribe()


class TestApplicationRecorderInMemory(InMemory, TestApplicationRecorderInFile):
    pass


class TestApplicationRecorderOnPostgres(OnPostgres, TestApplicationRecorderInFile):
    pass


class TestNotificationIdsInFile(InFile, cases.NonInterleavingNotificationIDsBaseCase):
    def create_recorder(self) -> ApplicationRecorder:
        return self.open().application.recorder


class TestNotificationIdsInMemory(InMemory, TestNotificationIdsInFile):
    pass


class TestNotificationIdsOnPostgres(OnPostgres, TestNotificationIdsInFile):
    pass


@pytest.fixture(scope="module")
def probe() -> Iterator[Callable[[int], Event]]:
    class LibraryProbed(Event, frozen=True):
        points: int

    yield lambda points: LibraryProbed(points=points)
    del TYPES["LibraryProbed.1"]


def test_the_librarys_application_and_the_store_are_two_views_of_one_log(
    store: SQLiteStore, probe: Callable[[int], Event]
) -> None:
    recordings = store.application.save(*[Envelope("fight", version, probe(version)) for version in (1, 2, 3)])
    assert [recording.notification.id for recording in recordings] == [1, 2, 3]
    assert store.append("fight", [(4, "LibraryProbed.1", b'{"points":4}')]) == 4
    assert [version for version, _, _ in store.read("fight")] == [1, 2, 3, 4]
    envelopes = list(store.application.events.get("fight", gt=2))
    assert envelopes == [Envelope("fight", 3, probe(3)), Envelope("fight", 4, probe(4))]
    assert [item.id for item in store.application.notification_log.select(1, 10)] == [1, 2, 3, 4]


def test_the_librarys_mapper_takes_envelopes_only(store: SQLiteStore) -> None:
    class Stranger:
        originator_id = "fight"
        originator_version = 1

    with pytest.raises(TypeError, match="not Stranger"):
        store.application.save(Stranger())
    assert store.last_notification() == 0


def test_the_environment_cannot_send_the_log_elsewhere(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for prefix in ("", "ENCOUNTERLOG_"):
        monkeypatch.setenv(f"{prefix}SQLITE_DBNAME", str(path.with_name("elsewhere")))
        monkeypatch.setenv(f"{prefix}PERSISTENCE_MODULE", "eventsourcing.popo")
        monkeypatch.setenv(f"{prefix}ORIGINATOR_ID_TYPE", "uuid")
        monkeypatch.setenv(f"{prefix}COMPRESSOR_TOPIC", "eventsourcing.compressor:ZlibCompressor")
        monkeypatch.setenv(f"{prefix}SQLITE_SYNCHRONOUS", "OFF")
    with open_store(path) as store:
        store.append("fight", [(1, "Probe.1", b"{}")])
        assert store.connections.writer().execute("PRAGMA synchronous").fetchone() == (2,)
    with open_store(path) as store:
        assert store.read("fight") == [(1, "Probe.1", b"{}")]
    assert sorted(file.name for file in path.parent.iterdir()) == [path.name]


def test_the_log_is_the_table_that_the_library_would_make() -> None:
    recorder = SQLiteApplicationRecorder(SQLiteDatastore(":memory:", originator_id_type="text"))
    created = [" ".join(statement.split()) for statement in recorder.construct_create_table_statements()]
    assert [statement.replace("( ", "(").replace(" )", ")") for statement in created] == [TABLES[0]]

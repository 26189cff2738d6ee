"""The library's test cases for every recorder, run on ours in a file, in memory and in PostgreSQL.

Its application runs on our recorders, and the log is such an application.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import patch
from uuid import uuid4

import pytest
from eventsourcing import persistence
from eventsourcing.application import Application
from eventsourcing.domain import DomainEvent
from eventsourcing.persistence import AggregateRecorder, ApplicationRecorder, StoredEvent, TrackingRecorder
from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteDatastore
from eventsourcing.tests import application as application_cases
from eventsourcing.tests import domain as bank

from mam_events.events import TYPES, Event
from mam_events.log.encounters import Encounters
from mam_events.store import StoredEventRow, build_events, encode, environment_at
from mam_events.store.sqlite_schema import TABLES
from tests.conftest import in_sqlite
from tests.postgres import shared

# The cases for ciphers are in the same module, and need a package that the log doesn't use.
CIPHER = ModuleType("eventsourcing.cipher")
CIPHER.AESCipher = None  # type: ignore[attr-defined]  # a module made by hand declares nothing
with patch.dict(sys.modules, {CIPHER.__name__: CIPHER}):
    from eventsourcing.tests import persistence as cases


def ours(expected: Any) -> Any:
    """Return our recorder's result in the form that a case of the library expects.

    Ours give plain tuples with the fields of a StoredEvent. They give nothing for a version before the first, which is
    no event of an encounter.
    """
    if isinstance(expected, StoredEvent):
        return StoredEventRow(
            str(expected.originator_id), expected.originator_version, expected.topic, bytes(expected.state)
        )
    if isinstance(expected, list):
        return [ours(one) for one in expected if getattr(one, "originator_version", 1) > 0]
    return expected


class InFile(cases.RecorderTestCase):
    def address(self) -> str:
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        return str(Path(directory.name) / "fights.mam")

    def open(self) -> Encounters:
        log = Encounters.at(self.address())
        self.addCleanup(log.close)
        return log

    def new_originator_id(self) -> str:
        return f"fight-{uuid4()}"

    def assertEqual(self, first: Any, second: Any, msg: Any = None) -> None:  # noqa: N802 - unittest's name
        assert first == ours(second), msg


class InMemory(InFile):
    def address(self) -> str:
        return "sqlite://"


class OnPostgres(InFile):
    def address(self) -> str:
        url = shared().database()
        self.addCleanup(shared().drop, url)
        return url


class TestAggregateRecorderInFile(InFile, cases.AggregateRecorderTestCase):
    def create_recorder(self) -> AggregateRecorder:
        return self.open().factory.aggregate_recorder()

    def assertEqual(self, first: Any, second: Any, msg: Any = None) -> None:  # noqa: N802 - unittest's name
        if second is None:
            # Our only event recorder is that of the application, which returns ids.
            assert isinstance(first, list), msg
        else:
            assert first == ours(second), msg


class TestAggregateRecorderInMemory(InMemory, TestAggregateRecorderInFile):
    pass


@pytest.mark.slow
class TestAggregateRecorderOnPostgres(OnPostgres, TestAggregateRecorderInFile):
    pass


class TestApplicationRecorderInFile(InFile, cases.ApplicationRecorderTestCase[ApplicationRecorder]):
    def create_recorder(self) -> ApplicationRecorder:
        return self.open().recorder

    def assertIsNone(self, obj: Any, msg: Any = None) -> None:  # noqa: N802 - unittest's name
        # The newest id of an empty store is 0 here, a position that can be compared.
        assert (obj or None) is None, msg

    def test_subscribers_receive_events(self) -> None:
        self.optional_test_insert_subscribe()


class TestApplicationRecorderInMemory(InMemory, TestApplicationRecorderInFile):
    pass


@pytest.mark.slow
class TestApplicationRecorderOnPostgres(OnPostgres, TestApplicationRecorderInFile):
    pass


class TestNotificationIdsInFile(InFile, cases.NonInterleavingNotificationIDsBaseCase):
    def create_recorder(self) -> ApplicationRecorder:
        return self.open().recorder


class TestNotificationIdsInMemory(InMemory, TestNotificationIdsInFile):
    pass


@pytest.mark.slow
class TestNotificationIdsOnPostgres(OnPostgres, TestNotificationIdsInFile):
    pass


class TestTrackingRecorderInFile(InFile, cases.TrackingRecorderTestCase):
    def create_recorder(self) -> TrackingRecorder:
        return self.open().projection_recorder("probe")


class TestTrackingRecorderInMemory(InMemory, TestTrackingRecorderInFile):
    pass


@pytest.mark.slow
class TestTrackingRecorderOnPostgres(OnPostgres, TestTrackingRecorderInFile):
    pass


class TestApplicationInFile(InFile, application_cases.ExampleApplicationTestCase):
    """The library's example, aggregates, mapper and snapshots of its own, on our persistence module.

    Its other cases are of the stock application alone, whose name they write out.
    """

    expected_factory_topic = "mam_events.store.sqlite:Factory"

    def setUp(self) -> None:
        # Encounter ids are text, so the accounts use text too, though their events expect UUIDs.
        self.enterContext(patch.object(DomainEvent, "__post_init__"))
        self.enterContext(patch.object(persistence, "find_id_convertor", return_value=str))
        for module in (application_cases, bank):
            self.enterContext(patch.object(module, "uuid4", self.new_originator_id))
        self.enterContext(patch.dict(os.environ, environment_at(self.address())))


class TestApplicationInMemory(InMemory, TestApplicationInFile):
    pass


@pytest.mark.slow
class TestApplicationOnPostgres(OnPostgres, TestApplicationInFile):
    expected_factory_topic = "mam_events.store.postgres:Factory"


@pytest.fixture(scope="module")
def probe() -> Iterator[Callable[[int], Event]]:
    class LibraryProbed(Event, frozen=True):
        points: int

    yield lambda points: LibraryProbed(points=points)
    del TYPES["LibraryProbed.1"]


def test_the_log_is_a_library_application_with_domain_events(store: Encounters, probe: Callable[[int], Event]) -> None:
    assert isinstance(store, Application)
    rows = [(version, *encode(probe(version))) for version in (1, 2, 3)]
    assert list(store.save(*build_events("fight", rows))) == [1, 2, 3]
    assert list(store.save(StoredEventRow("fight", 4, "LibraryProbed.1", b'{"points":4}'))) == [4]
    assert [version for version, _, _ in store.rows("fight")] == [1, 2, 3, 4]
    events = list(store.events.get("fight", gt=2))
    assert events == [StoredEventRow("fight", 3, *encode(probe(3))), StoredEventRow("fight", 4, *encode(probe(4)))]
    assert [event.body for event in events] == [probe(3), probe(4)]  # type: ignore[attr-defined]  # they are ours
    assert [item.id for item in store.notification_log.select(1, 10)] == [1, 2, 3, 4]
    assert [store.mapper.to_domain_event(item) for item in store.notification_log.select(3, 10)] == events


def test_the_library_mapper_accepts_only_recorded_events(store: Encounters) -> None:
    class Stranger:
        originator_id = "fight"
        originator_version = 1

    with pytest.raises(TypeError, match="not Stranger"):
        store.save(Stranger())
    assert store.recorder.max_notification_id() == 0


def test_environment_variables_cannot_redirect_the_log(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for prefix in ("", "ENCOUNTERS_"):
        monkeypatch.setenv(f"{prefix}SQLITE_DBNAME", str(path.with_name("elsewhere")))
        monkeypatch.setenv(f"{prefix}PERSISTENCE_MODULE", "eventsourcing.popo")
        monkeypatch.setenv(f"{prefix}ORIGINATOR_ID_TYPE", "uuid")
        monkeypatch.setenv(f"{prefix}COMPRESSOR_TOPIC", "eventsourcing.compressor:ZlibCompressor")
        monkeypatch.setenv(f"{prefix}SQLITE_SYNCHRONOUS", "OFF")
        monkeypatch.setenv(f"{prefix}IS_SNAPSHOTTING_ENABLED", "n")
    with Encounters.at(path) as store:
        store.save(*build_events("fight", [(1, "Probe.1", b"{}")]))
        assert in_sqlite(store).writer().execute("PRAGMA synchronous").fetchone() == (2,)
        assert store.snapshots is not None
    with Encounters.at(path) as store:
        assert store.rows("fight") == [(1, "Probe.1", b"{}")]
    assert sorted(file.name for file in path.parent.iterdir()) == [path.name]


def test_the_table_is_the_one_the_library_creates() -> None:
    recorder = SQLiteApplicationRecorder(SQLiteDatastore(":memory:", originator_id_type="text"))
    created = [" ".join(statement.split()) for statement in recorder.construct_create_table_statements()]
    assert [statement.replace("( ", "(").replace(" )", ")") for statement in created] == [TABLES[0]]

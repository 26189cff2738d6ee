"""The log in a real PostgreSQL: the same rows as in a file, with several writers and killed servers."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from eventsourcing.persistence import IntegrityError, Tracking
from eventsourcing.postgres import PostgresTrackingRecorder

from mam_events.archive import copy_store
from mam_events.errors import BadInput, StoreUnusable, VersionConflict
from mam_events.fights import load_fight, play
from mam_events.log.combat_log import CombatLog
from mam_events.log.encounters import Encounters
from mam_events.log.group_commit import GroupCommit
from mam_events.store import StoredEventRow, build_events
from mam_events.store.postgres_schema import FORMAT, migrate
from mam_events.verification import verify
from tests.fighters import play_printed
from tests.postgres import Databases, Server, shared

ROOT = Path(__file__).parents[2]
EXAMPLES = [file for file in sorted((ROOT / "examples").glob("*.toml")) if "\nencounter" in file.read_text("utf-8")]
OLD = Path(__file__).with_name("format_1.sql")
Rows = list[tuple[int, str, bytes]]


@pytest.fixture
def server() -> Databases:
    return shared()


@pytest.fixture
def database(server: Databases) -> Callable[[], str]:
    """Return a function that creates an empty, migrated database and returns its address."""
    return server.database


def deterministic_log(url: str | Path) -> CombatLog:
    """Open a log whose clock and entropy are always the same."""
    luck = Random(4)
    return CombatLog.open(url, clock=lambda: datetime(2026, 1, 1, tzinfo=UTC), entropy=luck.randbytes)


@pytest.mark.slow
@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_a_fight_has_the_same_bytes_in_a_file_and_in_postgresql(
    database: Callable[[], str], file: Path, tmp_path: Path
) -> None:
    results: list[tuple[Rows, bytes | None]] = []
    for url in (tmp_path / "mam.db", database()):
        with deterministic_log(url) as log:
            name = play(log, load_fight(file)).encounter
            results.append((log.application.rows(name), log.application.seeds.get(name)))
            assert log.application.recorder.latest() == name
            assert log.application.recorder.versions() == [(name, len(results[-1][0]))]
    assert results[0] == results[1]
    verify(results[1][0], seed=results[1][1])


@pytest.mark.slow
def test_corrections_disputes_and_branches_have_the_same_bytes(database: Callable[[], str], tmp_path: Path) -> None:
    results: list[object] = []
    for url in (tmp_path / "mam.db", database()):
        with deterministic_log(url) as log:
            play_printed(log, "fight")
            log.undo("fight", 17)
            log.redo("fight")
            log.note("fight", "no", kind="dispute", about=8)
            log.branch("fight", "again", 8)
            results.append(
                [(name, log.application.rows(name)) for name, _ in log.application.recorder.versions(last_played=True)]
            )
    assert results[0] == results[1]


@pytest.mark.slow
def test_rows_that_do_not_follow_are_refused(database: Callable[[], str]) -> None:
    with Encounters.at(database()) as store:
        assert store.save(*build_events("fight", [(1, "Probe.1", b"{}"), (2, "Probe.1", b"{}")])) == [1, 2]
        with pytest.raises(VersionConflict, match=r"meanwhile \(version 2\)"):
            store.save(*build_events("fight", [(2, "Probe.1", b"{}")]))
        with pytest.raises(VersionConflict, match="no version 4 yet"):
            store.save(*build_events("fight", [(5, "Probe.1", b"{}")]))
        assert [row[0] for row in store.rows("fight")] == [1, 2]
        assert store.rows("fight", 1) == [(2, "Probe.1", b"{}")]


@pytest.mark.slow
def test_a_group_is_written_completely_or_not(database: Callable[[], str]) -> None:
    url = database()
    with Encounters.at(url) as store, Encounters.at(url) as other:
        with suppress(RuntimeError), store.grouped():
            store.save(*build_events("one", [(1, "Probe.1", b"{}")]))
            assert store.rows("one")
            assert not other.rows("one")
            raise RuntimeError
        assert not store.rows("one")
        with store.grouped():
            store.save(*build_events("one", [(1, "Probe.1", b"{}")]))
            with suppress(RuntimeError), store.grouped():
                store.save(*build_events("two", [(1, "Probe.1", b"{}")]))
                raise RuntimeError
            with pytest.raises(VersionConflict):
                store.save(*build_events("one", [(1, "Probe.1", b"{}")]))
        assert [name for name, _ in other.recorder.versions()] == ["one"]


@pytest.mark.slow
def test_the_error_for_a_database_without_a_log_says_how_to_migrate(server: Databases) -> None:
    with pytest.raises(StoreUnusable, match="Migrate it first"):
        CombatLog.open(server.url(server.empty()))


def test_no_error_contains_a_password() -> None:
    with pytest.raises(StoreUnusable) as error:
        CombatLog.open("postgresql://mam:geheim@127.0.0.1:9/fights", busy_timeout=0.1)
    assert "geheim" not in str(error.value)


@pytest.mark.slow
def test_sixty_simultaneous_starts_succeed(server: Databases) -> None:
    url = server.url(server.empty())

    def start(_: int) -> list[str]:
        migrate(url, "fresh")
        with CombatLog.open(url) as log:
            return log.encounters()

    with ThreadPoolExecutor(60) as pool:
        assert list(pool.map(start, range(60))) == [[]] * 60


@pytest.mark.slow
def test_four_processes_lose_and_duplicate_nothing(
    database: Callable[[], str],
) -> None:
    url = database()
    with CombatLog.open(url) as log:
        play_printed(log, "shared")
        before = log.timeline("shared").number
    numbers: list[int] = []
    event = threading.Event()

    def follow() -> None:
        with Encounters.at(url) as store:
            subscription = store.recorder.subscribe()
            while not event.is_set() or store.recorder.max_notification_id() > (numbers or [0])[-1]:
                numbers.extend(row.id for row in subscription.batch(0.3))
            subscription.stop()

    follower = threading.Thread(target=follow)
    follower.start()
    script = (
        "import sys\n"
        "from mam_events.log.combat_log import CombatLog\n"
        "log, own = CombatLog.open(sys.argv[1]), sys.argv[2]\n"
        "for n in range(15):\n"
        "    log.note('shared', f'{own} {n}', command_id=f'{own} {n}')\n"
    )
    writers = [
        subprocess.Popen([sys.executable, "-c", script, url, f"writer-{n}"], cwd=ROOT, stderr=subprocess.PIPE)
        for n in range(4)
    ]
    for writer in writers:
        _, err = writer.communicate(timeout=120)
        assert writer.returncode == 0, err
    event.set()
    follower.join()
    with CombatLog.open(url) as log:
        timeline = log.timeline("shared")
        assert timeline.number == before + 60
        assert len({head.id for head in timeline.heads[before:]}) == 60
        assert numbers == [
            row.id for row in log.application.recorder.select_notifications(0, 10_000, inclusive_of_start=False)
        ]
        verify(log.application.rows("shared"))


@pytest.mark.slow
def test_a_killed_server_loses_and_duplicates_nothing(tmp_path: Path) -> None:
    del tmp_path
    server = Server(5433)
    try:
        url = server.url("postgres")
        migrate(url, "here")
        with CombatLog.open(url) as log, GroupCommit(log) as writer:
            play_printed(log, "fight")
            before = log.timeline("fight").number
            for turn in range(3):
                log.note("fight", f"alone {turn}", command_id=f"alone {turn}")
                server.kill()
                timer = threading.Timer(0.5, server.start)
                timer.start()
                log.note("fight", f"after {turn}", command_id=f"after {turn}")
                timer.join()
                notes = (partial(log.note, "fight", "x", command_id=f"{turn} {n}") for n in range(5))
                futures = [writer.submit(note, "fight") for note in notes]
                assert [future.result().repeated for future in futures] == [False] * 5
            assert log.timeline("fight").number == before + 3 * 7
            verify(log.application.rows("fight"), seed=log.application.seeds.get("fight"))
    finally:
        server.stop()


@pytest.mark.slow
def test_a_service_needs_few_rights(database: Callable[[], str]) -> None:
    url = database()
    parts = urlsplit(url)
    role = parts.path[1:]
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE ROLE {role} LOGIN".encode())
    own_url = urlunsplit(parts._replace(netloc=f"{role}@{parts.netloc.rpartition('@')[2]}"))
    with pytest.raises(StoreUnusable):
        CombatLog.open(own_url)
    migrate(url, "here", role=role)
    with CombatLog.open(own_url) as log:
        play_printed(log, "fight")
        log.undo("fight")
        use_tokens_and_views(log.application)
    with psycopg.connect(own_url, autocommit=True) as connection:
        for forbidden in (
            "DELETE FROM stored_events",
            "UPDATE stored_events SET topic = ''",
            "INSERT INTO stored_events VALUES ('x', 1, 't', '')",
            "DELETE FROM seeds",
            "DROP TABLE tokens",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(forbidden)


def use_tokens_and_views(log: Encounters) -> None:
    """Write and read what a service stores beside the events."""
    log.tokens.keep("a", b"{}")
    assert log.tokens.all() == [b"{}"]
    view = log.projection_recorder("seen")
    snapshots: Any = log.factory.aggregate_recorder("snapshots")
    view.keep([("fight", 1, b"1")], Tracking("Encounters", 1))
    view.keep([("fight", 2, b"2")], Tracking("Encounters", 2))
    snapshots.insert_events([StoredEventRow("fight", 2, "Snapshot.1", b"2")])
    snapshots.insert_events([StoredEventRow("fight", 2, "Snapshot.1", b"3")])
    assert view.rows() == {"fight": (2, b"2")}
    assert view.max_tracking_id("Encounters") == 2
    assert snapshots.select_events("fight") == [StoredEventRow("fight", 2, "Snapshot.1", b"3")]
    log.factory.forget()
    assert (view.rows(), view.max_tracking_id("Encounters"), snapshots.select_events("fight")) == ({}, None, [])


@pytest.mark.slow
def test_a_log_of_the_previous_format_is_migrated(server: Databases, tmp_path: Path) -> None:
    with deterministic_log(tmp_path / "mam.db") as log:
        play_printed(log, "fight")
        rows, seed = log.application.rows("fight"), log.application.seeds.get("fight")
    role = server.empty()
    url = server.url(role)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE ROLE {role} LOGIN".encode())
        connection.execute(OLD.read_bytes().replace(b'"service"', role.encode()))
        sent = ("fight", [row[1] for row in rows], [row[2] for row in rows], seed)
        connection.execute("SELECT mam_append(%s, 1, %b, %b, %b)", sent)
        connection.execute("INSERT INTO projected VALUES ('seen', 'fight', 1, 'old')")
        connection.execute("INSERT INTO tokens (id, said) VALUES ('a', '{}')")
    parts = urlsplit(url)
    own_url = urlunsplit(parts._replace(netloc=f"{role}@{parts.netloc.rpartition('@')[2]}"))
    for each in (url, own_url):
        with pytest.raises(StoreUnusable, match=r"older mam-events\. Migrate it first"):
            Encounters.at(each)
    assert [migrate(url, "here"), migrate(url, "here")] == [1, FORMAT]
    with deterministic_log(own_url) as log:
        application = log.application
        assert application.rows("fight") == rows
        assert application.seeds.get("fight") == seed
        assert application.tokens.all() == [b"{}"]
        assert application.projection_recorder("seen").rows(["fight"]) == {"fight": (1, b"old")}
        log.undo("fight")
        verify(application.rows("fight"), seed=seed)
        use_tokens_and_views(application)


@pytest.mark.slow
def test_rows_and_position_of_a_view_are_one_transaction(database: Callable[[], str]) -> None:
    url = database()
    with Encounters.at(url) as one, Encounters.at(url) as other:
        view, same = one.projection_recorder("seen"), other.projection_recorder("seen")
        view.keep([("b", 1, b"1"), ("a", 1, b"1")], Tracking("Encounters", 5))
        for position in (4, 5):
            with pytest.raises(IntegrityError):
                same.keep([("a", 9, b"9")], Tracking("Encounters", position))
        with pytest.raises(StoreUnusable):
            same.keep([("a", 9, b"9"), ("c", 2**70, b"9")], Tracking("Encounters", 6))
        other.projection_recorder("again").keep([("a", 7, b"7")], Tracking("Encounters", 1))
        assert same.rows() == {"a": (1, b"1"), "b": (1, b"1")}
        assert same.rows(["b", "c"]) == {"b": (1, b"1")}
        assert same.rows([]) == {}
        assert len(same.rows([f"{number:x}" for number in range(70_000)])) == 2
        assert (
            same.max_tracking_id("Encounters"),
            other.projection_recorder("again").max_tracking_id("Encounters"),
        ) == (5, 1)


@pytest.mark.slow
def test_the_library_recorder_continues_from_the_same_positions(database: Callable[[], str]) -> None:
    url = database()
    with Encounters.at(url) as log:
        log.projection_recorder("seen").insert_tracking(Tracking("Encounters", 5))
        stock = PostgresTrackingRecorder(log.factory.datastore)  # type: ignore[attr-defined]  # that of PostgreSQL
        stock.create_table()
        assert stock.max_tracking_id("Encounters/seen") == 5
        stock.insert_tracking(Tracking("Encounters/seen", 6))
        with pytest.raises(IntegrityError):
            stock.insert_tracking(Tracking("Encounters/seen", 6))
        assert log.projection_recorder("seen").max_tracking_id("Encounters") == 6
    with psycopg.connect(url) as connection:
        # The stock recorder has not set our table aside as one of an older version.
        query = "SELECT relname FROM pg_class WHERE relkind = 'r' AND relname LIKE '%tracking'"
        assert connection.execute(query).fetchall() == [("notification_tracking",)]


@pytest.mark.slow
def test_a_snapshot_replaces_those_of_another_program(database: Callable[[], str]) -> None:
    url = database()
    with Encounters.at(url) as log:
        snapshots: Any = log.factory.aggregate_recorder("snapshots")
        old = [StoredEventRow("fight", version, "Snapshot.1", b"old") for version in (1, 2)]
        snapshots.insert_events([*old, StoredEventRow("duel", 1, "Snapshot.1", b"old")])
        assert snapshots.select_events("fight", desc=True, limit=1) == old[1:]
        assert snapshots.select_events("fight", lte=1) == old[:1]
        new = StoredEventRow("fight", 3, "Snapshot.2", b"new")
        snapshots.insert_events([new])
        assert snapshots.select_events("fight") == [new]
        assert len(snapshots.select_events("duel")) == 1
        # A snapshot is a cache: without one nothing is missing.
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("ALTER TABLE stored_snapshots ADD CHECK (originator_version < 4)")
        snapshots.insert_events([StoredEventRow("fight", 4, "Snapshot.2", b"new")])
        assert snapshots.select_events("fight") == [new]


def test_the_error_names_the_extra_if_it_is_not_installed() -> None:
    script = (
        "import sys\n"
        "sys.modules['psycopg'] = None\n"
        "from mam_events.errors import StoreUnusable\n"
        "from mam_events.log.encounters import Encounters\n"
        "try:\n"
        "    Encounters.at('postgresql://mam:geheim@db/fights')\n"
        "except StoreUnusable as error:\n"
        "    print(error)\n"
    )
    process = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "pip install 'mam-events[postgres]'" in process.stdout
    assert "geheim" not in process.stdout


@pytest.mark.slow
def test_a_trigger_on_the_log_is_refused(database: Callable[[], str]) -> None:
    url = database()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "CREATE FUNCTION meddle() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.topic := NULL; RETURN NEW; END'"
        )
        connection.execute(
            "CREATE TRIGGER meddle BEFORE INSERT ON stored_events FOR EACH ROW EXECUTE FUNCTION meddle()"
        )
    with CombatLog.open(url) as log, pytest.raises(StoreUnusable, match="trigger"):
        play_printed(log, "fight")


@pytest.mark.slow
def test_a_store_can_be_copied_to_postgresql_and_back(database: Callable[[], str], tmp_path: Path) -> None:
    url = database()
    with CombatLog.open(tmp_path / "mam.db") as log:
        play_printed(log, "one")
        play_printed(log, "two")
        log.note("one", "last")
        log.application.tokens.keep("0", b'{"id":"0","digest":"","role":"gm","name":"Kim","made_at":""}')
        report = copy_store(log, url)
        assert list(report.encounters) == ["one", "two"]
        contents = [
            log.application.recorder.select_notifications(0, 1000, inclusive_of_start=False),
            log.application.tokens.all(),
            log.application.seeds.get("one"),
            log.application.recorder.latest(),
        ]
    with CombatLog.open(url) as other_log:
        with pytest.raises(BadInput, match="This store already has fights"):
            copy_store(other_log, url)
        copy_store(other_log, str(tmp_path / "back.db"))
        with pytest.raises(BadInput, match="The file already exists"):
            copy_store(other_log, str(tmp_path / "back.db"))
    with CombatLog.open(tmp_path / "back.db") as restored_log:
        restored_contents = [
            restored_log.application.recorder.select_notifications(0, 1000, inclusive_of_start=False),
            restored_log.application.tokens.all(),
            restored_log.application.seeds.get("one"),
            restored_log.application.recorder.latest(),
        ]
    assert restored_contents == contents

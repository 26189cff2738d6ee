"""The log in a real PostgreSQL: the same rows as in a file, whoever writes, whatever dies."""

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
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest

from mam_events.archive import copy_store
from mam_events.errors import BadInput, StoreUnusable, VersionConflict
from mam_events.fights import load_fight, play
from mam_events.log.combat_log import CombatLog
from mam_events.log.group_commit import GroupCommit
from mam_events.store import store_at
from mam_events.store.schema import migrate
from mam_events.verification import verify
from tests.fighters import play_printed
from tests.postgres import Databases, Server, shared

ROOT = Path(__file__).parents[2]
EXAMPLES = [file for file in sorted((ROOT / "examples").glob("*.toml")) if "\nencounter" in file.read_text("utf-8")]
Rows = list[tuple[int, str, bytes]]


@pytest.fixture
def server() -> Databases:
    return shared()


@pytest.fixture
def database(server: Databases) -> Callable[[], str]:
    """The address of an empty, migrated database."""
    return server.database


def alike(url: str | Path) -> CombatLog:
    """A log with a clock and a luck that are always the same."""
    luck = Random(4)
    return CombatLog.open(url, clock=lambda: datetime(2026, 1, 1, tzinfo=UTC), entropy=luck.randbytes)


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_a_fight_is_the_same_bytes_in_a_file_and_in_the_database(
    database: Callable[[], str], file: Path, tmp_path: Path
) -> None:
    found: list[tuple[Rows, bytes | None]] = []
    for url in (tmp_path / "mam.db", database()):
        with alike(url) as log:
            name = play(log, load_fight(file)).encounter
            found.append((log.store.read(name), log.store.seed(name)))
            assert log.store.latest() == name
            assert log.store.versions() == [(name, len(found[-1][0]))]
    assert found[0] == found[1]
    verify(found[1][0], seed=found[1][1])


def test_a_correction_a_dispute_and_a_branch_too(database: Callable[[], str], tmp_path: Path) -> None:
    found: list[object] = []
    for url in (tmp_path / "mam.db", database()):
        with alike(url) as log:
            play_printed(log, "fight")
            log.undo("fight", 17)
            log.redo("fight")
            log.note("fight", "no", kind="dispute", about=8)
            log.branch("fight", "again", 8)
            found.append([(name, log.store.read(name)) for name, _ in log.store.versions(last_played=True)])
    assert found[0] == found[1]


def test_rows_follow_one_another_or_are_refused(database: Callable[[], str]) -> None:
    with store_at(database()) as store:  # type: ignore[attr-defined]  # every store is closed
        assert store.append("fight", [(1, "Probe.1", b"{}"), (2, "Probe.1", b"{}")]) == 2
        with pytest.raises(VersionConflict, match="version 2 is written already"):
            store.append("fight", [(2, "Probe.1", b"{}")])
        with pytest.raises(VersionConflict, match="no version 4 yet"):
            store.append("fight", [(5, "Probe.1", b"{}")])
        assert [row[0] for row in store.read("fight")] == [1, 2]
        assert store.read("fight", 1) == [(2, "Probe.1", b"{}")]


def test_a_group_is_there_whole_or_not_at_all(database: Callable[[], str]) -> None:
    url = database()
    with store_at(url) as store, store_at(url) as other:  # type: ignore[attr-defined]  # as above
        with suppress(RuntimeError), store.grouped():
            store.append("one", [(1, "Probe.1", b"{}")])
            assert store.read("one")
            assert not other.read("one")
            raise RuntimeError
        assert not store.read("one")
        with store.grouped():
            store.append("one", [(1, "Probe.1", b"{}")])
            with suppress(RuntimeError), store.grouped():
                store.append("two", [(1, "Probe.1", b"{}")])
                raise RuntimeError
            with pytest.raises(VersionConflict):
                store.append("one", [(1, "Probe.1", b"{}")])
        assert [name for name, _ in other.versions()] == ["one"]


def test_a_database_without_a_log_says_how_it_gets_one(server: Databases) -> None:
    with pytest.raises(StoreUnusable, match="migrate it first"):
        CombatLog.open(server.url(server.empty()))


def test_no_error_tells_a_password() -> None:
    with pytest.raises(StoreUnusable) as no:
        CombatLog.open("postgresql://mam:geheim@127.0.0.1:9/fights", busy_timeout=0.1)
    assert "geheim" not in str(no.value)


def test_sixty_starts_at_once_all_succeed(server: Databases) -> None:
    url = server.url(server.empty())

    def start(_: int) -> list[str]:
        migrate(url, "fresh")
        with CombatLog.open(url) as log:
            return log.encounters()

    with ThreadPoolExecutor(60) as pool:
        assert list(pool.map(start, range(60))) == [[]] * 60


def test_four_processes_lose_and_double_nothing_and_who_follows_misses_nothing(
    database: Callable[[], str],
) -> None:
    url = database()
    with CombatLog.open(url) as log:
        play_printed(log, "shared")
        before = log.timeline("shared").number
    seen: list[int] = []
    done = threading.Event()

    def follow() -> None:
        with store_at(url) as store:  # type: ignore[attr-defined]  # as above
            last = 0
            while not done.is_set() or store.last_notification() > last:
                for row in store.arrivals(last, 0.3):
                    seen.append(row.id)
                    last = row.id

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
    done.set()
    follower.join()
    with CombatLog.open(url) as log:
        timeline = log.timeline("shared")
        assert timeline.number == before + 60
        assert len({head.id for head in timeline.heads[before:]}) == 60
        assert seen == [row.id for row in log.store.notifications(0, 10_000)]
        verify(log.store.read("shared"))


def test_a_server_that_dies_in_the_middle_neither_loses_nor_doubles(tmp_path: Path) -> None:
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
                again = threading.Timer(0.5, server.start)
                again.start()
                log.note("fight", f"after {turn}", command_id=f"after {turn}")
                again.join()
                notes = (partial(log.note, "fight", "x", command_id=f"{turn} {n}") for n in range(5))
                futures = [writer.submit(note, "fight") for note in notes]
                assert [future.result().repeated for future in futures] == [False] * 5
            assert log.timeline("fight").number == before + 3 * 7
            verify(log.store.read("fight"), seed=log.store.seed("fight"))
    finally:
        server.stop()


def test_a_service_needs_few_rights(database: Callable[[], str]) -> None:
    url = database()
    parts = urlsplit(url)
    role = parts.path[1:]
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE ROLE {role} LOGIN".encode())
    mine = urlunsplit(parts._replace(netloc=f"{role}@{parts.netloc.rpartition('@')[2]}"))
    with pytest.raises(StoreUnusable):
        CombatLog.open(mine)
    migrate(url, "here", role=role)
    with CombatLog.open(mine) as log:
        play_printed(log, "fight")
        log.undo("fight")
        log.store.keep_token("a", b"{}")
        assert log.store.tokens() == [b"{}"]
    with psycopg.connect(mine, autocommit=True) as connection:
        for forbidden in (
            "DELETE FROM stored_events",
            "UPDATE stored_events SET topic = ''",
            "INSERT INTO stored_events VALUES ('x', 1, 't', '')",
            "DELETE FROM seeds",
            "DROP TABLE tokens",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(forbidden)


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


def test_a_store_moves_there_and_back(database: Callable[[], str], tmp_path: Path) -> None:
    url = database()
    with CombatLog.open(tmp_path / "mam.db") as log:
        play_printed(log, "one")
        play_printed(log, "two")
        log.note("one", "last")
        log.store.keep_token("0", b'{"id":"0","digest":"","role":"gm","name":"Kim","made_at":""}')
        found = copy_store(log, url)
        assert list(found.encounters) == ["one", "two"]
        whole = [log.store.notifications(0, 1000), log.store.tokens(), log.store.seed("one"), log.store.latest()]
    with CombatLog.open(url) as there:
        with pytest.raises(BadInput, match="fights in it already"):
            copy_store(there, url)
        copy_store(there, str(tmp_path / "back.db"))
        with pytest.raises(BadInput, match="such a file"):
            copy_store(there, str(tmp_path / "back.db"))
    with CombatLog.open(tmp_path / "back.db") as back:
        again = [back.store.notifications(0, 1000), back.store.tokens(), back.store.seed("one"), back.store.latest()]
    assert again == whole

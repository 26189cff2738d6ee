"""The projection of `docs/python.md`: killed, run twice at once, and beside the tables of the program."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import sleep

import pytest

from mam_events.commands import Adjust, Open
from mam_events.events import Head
from mam_events.log.combat_log import CombatLog
from mam_events.store import decode
from projections.cache.registry import CACHED_PROJECTIONS, rebuild
from projections.cache.table import catch_up
from tests.conftest import in_sqlite
from tests.postgres import shared

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
Runs = Callable[[], subprocess.Popen[str]]


def test_a_snapshot_is_taken_when_an_encounter_passes_another_thousand_events(log: CombatLog) -> None:
    log.execute("fight", Open())
    for number in range(2_020):
        log.execute("fight", Adjust(reason=f"{number}"))
    first, second = (one.originator_version for one in log.application.snapshots_of("fight"))
    assert 1_000 <= first < 1_010
    assert 2_000 <= second < 2_010


def script(address: str) -> str:
    """Return a program that runs the projection of the page once, from its imports to the end of its last function."""
    (block,) = re.findall(
        r"^```python\n(from eventsourcing.projection .*?)\n\n\nprint\(", PAGE, re.MULTILINE | re.DOTALL
    )
    block = block.replace('"fights.db"', repr(address))
    return (
        "from mam_events.log.encounters import Encounters\n"
        f"encounters = Encounters.at({address!r})\n"
        f"{block}\n\nprint('begins', flush=True)\nprint(rulings_counted())\n"
    )


@pytest.fixture(params=["file", pytest.param("postgres", marks=pytest.mark.slow)])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Yield the address of an empty store, in a file and on PostgreSQL."""
    if request.param == "file":
        yield str(tmp_path / "fights.db")
    else:
        url = shared().database()
        yield url
        shared().drop(url)


@pytest.fixture
def fights(address: str) -> Iterator[CombatLog]:
    """Yield a log with two fights, which have 400 rulings together."""
    with CombatLog.open(address, synchronous="NORMAL") as log:
        for name in ("one", "two"):
            log.execute(name, Open())
        for number in range(398):
            log.execute(("one", "two")[number % 3 % 2], Adjust(reason=f"{number}"))
        yield log


@pytest.fixture
def runs(address: str) -> Runs:
    """Return a function that starts the projection in another process."""

    def begin() -> subprocess.Popen[str]:
        process = subprocess.Popen(
            (sys.executable, "-c", script(address)),
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stdout
        assert process.stdout.readline() == "begins\n"
        return process

    return begin


def counted(log: CombatLog) -> dict[str, int]:
    """Return the counts that the projection has kept."""
    return {
        encounter: int(value)
        for encounter, (_, value) in log.application.projection_recorder("ruling-counts").rows().items()
    }


def position(log: CombatLog) -> int:
    return log.application.projection_recorder("ruling-counts").max_tracking_id("Encounters") or 0


def heads(log: CombatLog, until: int) -> dict[str, int]:
    """Count the rulings that begin in the events up to that notification id."""
    counts: dict[str, int] = {}
    for one in log.application.recorder.select_notifications(1, until, stop=until):
        counts[one.originator_id] = counts.get(one.originator_id, 0) + isinstance(decode(one.topic, one.state), Head)
    return counts


@pytest.mark.slow
def test_a_killed_projection_continues_where_it_was(fights: CombatLog, runs: Runs) -> None:
    newest = fights.application.recorder.max_notification_id()
    reached = [0]
    for _ in range(3):
        with runs() as process:
            while position(fights) == reached[-1]:
                assert process.poll() is None
                sleep(0.001)
            process.send_signal(signal.SIGKILL)
        reached.append(position(fights))
        assert counted(fights) == heads(fights, reached[-1])
    assert 0 < reached[1] < reached[2] < reached[3] < newest
    with runs() as process:
        out, err = process.communicate()
    assert (out, err) == (f"{heads(fights, newest)}\n", "")


def test_two_projections_at_once_count_no_ruling_twice(fights: CombatLog, runs: Runs) -> None:
    newest = fights.application.recorder.max_notification_id()
    with runs() as one, runs() as other:
        outputs = [process.communicate() for process in (one, other)]
    # The second process that handles the same event ends with that error.
    assert [err.strip().split("\n")[-1].partition(":")[0] for _, err in outputs if err] in (
        [],
        ["eventsourcing.persistence.IntegrityError"],
    )
    assert position(fights) == newest
    assert counted(fights) == heads(fights, newest)


def test_the_projection_is_rebuilt_with_the_tables_of_the_program(fights: CombatLog, runs: Runs) -> None:
    newest = fights.application.recorder.max_notification_id()

    def run() -> None:
        with runs() as process:
            process.communicate()
        assert counted(fights) == heads(fights, newest)
        assert {table.recorder(fights).max_tracking_id("Encounters") for table in CACHED_PROJECTIONS} == {newest}

    catch_up(fights, CACHED_PROJECTIONS)
    run()
    rebuild(fights)
    assert (counted(fights), position(fights)) == ({}, 0)
    run()
    if fights.application.factory.path:
        with in_sqlite(fights).reading() as cursor:
            tables = {name for (name,) in cursor.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        assert tables == {"stored_events", "seeds", "identity", "projected", "tracking", "stored_snapshots", "tokens"}

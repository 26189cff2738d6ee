"""The tables beside the log are what a view computed from scratch says, whatever happened and whenever it stopped."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from threading import Thread

import pytest

from mam_events.commands import Close, Join, Move, Open
from mam_events.errors import MamError, StoreUnusable
from mam_events.events import Amend
from mam_events.log.combat_log import CombatLog
from projections.pools import PoolRow
from projections.pools import rows_of as pools_of
from projections.tables import EncounterRow, Tables
from tests.fighters import PRINTED_FIGHT
from tests.projections.evenings import evening

SEEDS = range(10)


def expected(log: CombatLog) -> tuple[list[EncounterRow], dict[str, list[PoolRow]]]:
    """The rows as the timelines say, computed from scratch."""
    encounters, pools = [], {}
    for encounter in log.encounters():
        timeline = log.timeline(encounter)
        state, head = timeline.state, timeline.heads[-1]
        preset = state.ruleset.preset if state.ruleset else ""
        encounters.append(
            EncounterRow(encounter, state.title, state.status, preset, timeline.number, state.round, head.at, head.by)
        )
        pools[encounter] = pools_of(state)
    return encounters, pools


def rows_of(tables: Tables) -> tuple[list[EncounterRow], dict[str, list[PoolRow]]]:
    encounters = tables.encounters()
    return encounters, {row.id: tables.pools(row.id) for row in encounters}


@pytest.mark.parametrize("seed", SEEDS)
def test_the_tables_follow_every_evening(log: CombatLog, seed: int) -> None:
    tables = Tables(log.store, batch=13)
    for turn in range(12):
        evening(log, f"evening-{turn % 3}", seed * 100 + turn, moves=12)
        tables.catch_up()
        assert rows_of(tables) == expected(log)
    assert tables.catch_up() == 0


@pytest.mark.parametrize("batch", [1, 7, 50, 1000])
def test_many_fights_are_taken_in_at_once_in_batches_of_any_size(log: CombatLog, batch: int) -> None:
    for number in range(4):
        evening(log, f"evening-{number}", number)
    tables = Tables(log.store, batch=batch)
    assert tables.catch_up() == log.store.last_notification()
    assert rows_of(tables) == expected(log)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_restart_in_the_middle_goes_on_where_the_last_batch_ended(tmp_path: Path, seed: int) -> None:
    rng, path = Random(seed), tmp_path / "mam.db"
    with CombatLog.open(path) as log:
        for number in range(3):
            evening(log, f"evening-{number}", seed + number, moves=60)
        want, rows = expected(log), log.store.last_notification()
    taken, more = 0, True
    while more:
        with CombatLog.open(path, create=False) as log:
            tables = Tables(log.store, batch=9)
            steps = [tables.step() for _ in range(rng.randint(1, 5))]
            taken, more = taken + sum(steps), 0 not in steps
    with CombatLog.open(path, create=False) as log:
        assert rows_of(Tables(log.store)) == want
    assert taken == rows


def test_an_undo_an_amendment_and_an_insert_reach_the_tables(printed: CombatLog) -> None:
    tables = Tables(printed.store)
    tables.catch_up()
    changes: list[Callable[[], object]] = [
        lambda: printed.undo("fight", 6),
        lambda: printed.redo("fight"),
        lambda: printed.correct("fight", [Amend(17, {"attack_die": 1})]),
        lambda: printed.undo("fight", 13, rewind=True),
        lambda: printed.redo("fight"),
        lambda: printed.undo("fight", 3, only=True),
        lambda: printed.redo("fight"),
        lambda: printed.execute("fight", Move("modre", 1), after=5),
        lambda: printed.note("fight", "what a night", by="Kim"),
        lambda: printed.execute("fight", Close(), by="Kim"),
    ]
    for change in changes:
        change()
        assert tables.catch_up() > 0
        assert rows_of(tables) == expected(printed)
    assert tables.encounters()[0].status == "closed"


def test_two_drivers_of_one_store_never_do_a_batch_twice(tmp_path: Path) -> None:
    path = tmp_path / "mam.db"
    with CombatLog.open(path) as log:
        for number in range(3):
            evening(log, f"evening-{number}", number, moves=150)
        want, rows = expected(log), log.store.last_notification()
    taken: list[int] = []

    def drive() -> None:
        with CombatLog.open(path, create=False) as log:
            taken.append(Tables(log.store, batch=10).catch_up())

    drivers = [Thread(target=drive) for _ in range(3)]
    for driver in drivers:
        driver.start()
    for driver in drivers:
        driver.join()
    assert sum(taken) == rows
    with CombatLog.open(path, create=False) as log:
        assert rows_of(Tables(log.store)) == want


def test_drivers_that_take_turns_see_what_the_other_has_done(log: CombatLog) -> None:
    one, two = Tables(log.store, batch=5), Tables(log.store, batch=8)
    for turn in range(8):
        evening(log, "fight", turn, moves=10)
        (one if turn % 2 else two).step()
    while one.step() and two.step():
        pass
    one.catch_up()
    assert rows_of(one) == rows_of(two) == expected(log)


def test_rebuilding_gives_the_same_rows(log: CombatLog) -> None:
    evening(log, "fight", 3)
    tables = Tables(log.store)
    taken = tables.catch_up()
    before = rows_of(tables)
    assert tables.rebuild() == taken
    assert rows_of(tables) == before == expected(log)


def test_facts_of_a_newer_program_stop_the_tables_where_they_are(log: CombatLog) -> None:
    for command in (Open(), *PRINTED_FIGHT):
        log.execute("fight", command)
    tables = Tables(log.store)
    tables.catch_up()
    before = rows_of(tables)
    log.execute("fight", Close())
    rows = log.store.read("fight")
    log.store.append("fight", [(rows[-1][0] + 1, "Sung.7", b"{}")])
    with pytest.raises(StoreUnusable, match="Sung"):
        tables.catch_up()
    assert rows_of(tables) == before
    with pytest.raises(StoreUnusable, match="Sung"):
        tables.catch_up()


def test_a_head_that_cannot_be_read_is_an_error_with_a_sentence(log: CombatLog) -> None:
    log.execute("fight", Open())
    log.store.append("fight", [(3, "Play.1", b'{"ruling": "two"}')])
    with pytest.raises(MamError, match="cannot be read"):
        Tables(log.store).catch_up()


def test_the_table_of_pools_is_read_through_a_view(log: CombatLog) -> None:
    for command in (Open(), Join("ana", hp=6), Join("lurker", hp=6, visibility="side:foes")):
        log.execute("fight", command)
    tables = Tables(log.store)
    tables.catch_up()
    shown = {view: [row.combatant for row in tables.pools("fight", view)] for view in ("gm", "public", "side:foes")}
    assert shown == {"gm": ["ana", "lurker"], "public": ["ana"], "side:foes": ["ana", "lurker"]}
    assert tables.pools("nowhere") == []

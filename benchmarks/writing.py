"""The speed of writing rulings: rows alone, one command, a whole fight."""

from __future__ import annotations

import sqlite3
import statistics
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from time import perf_counter

from benchmarks.fights import begin, fight_on, next_command
from benchmarks.measure import Line, times
from benchmarks.stock import StockFight
from mam_events.history.timeline.rulings import living_plays
from mam_events.history.timeline.timeline import Timeline
from mam_events.log.combat_log import CombatLog
from mam_events.log.encounters import Encounters
from mam_events.store import build_events, decoders

COMMANDS = times(1_000, 60)
WARM_UP = 50
WHOLE_FIGHT = times(1_000, 20)


def raw_store(path: Path) -> sqlite3.Connection:
    """Return a connection to a new file with the same table and PRAGMAs as the log, and nothing else."""
    connection = sqlite3.connect(path, isolation_level=None, cached_statements=128)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute(
        "CREATE TABLE stored_events (originator_id TEXT, originator_version INTEGER, topic TEXT, state BLOB, "
        "PRIMARY KEY (originator_id, originator_version))"
    )
    return connection


def durable(folder: Path) -> Iterator[Line]:
    """Yield the time of one append and of one command, each against raw rows: the median of three runs."""
    runs = [_durable(folder, run) for run in range(3)]
    for work in (0, 1):
        yield sorted((run[work] for run in runs), key=lambda line: line.ratio)[1]


def _durable(folder: Path, run: int) -> tuple[Line, Line]:
    log = CombatLog.open(folder / f"command-{run}.db")
    begin(log, "fight")
    rows_alone = CombatLog.open(folder / f"rows-{run}.db").application
    rows_alone.save(*build_events("fight", log.application.rows("fight")))
    raw = raw_store(folder / f"raw-{run}.db")
    taken = []
    for _ in range(COMMANDS):
        command = next_command(log, "fight")
        version = log.application.recorder.last_version("fight")
        commanded = _seconds(partial(log.execute, "fight", command))
        rows = log.application.rows("fight", version)
        named = [("fight", *row) for row in rows]
        by_hand = _seconds(partial(_by_hand, raw, named))
        taken.append((_seconds(partial(_alone, rows_alone, rows)), commanded, by_hand))
    del taken[:WARM_UP]
    lines = []
    for at, work, bar, aim in ((0, "recorder append", 1.05, 1.02), (1, "one command, durable", 1.40, 1.25)):
        ratio = statistics.median(turn[at] / turn[2] for turn in taken)
        ours, limit = (statistics.median(turn[which] for turn in taken) for which in (at, 2))
        lines.append(Line(work, "the same rows by raw sqlite3", ratio, bar, aim, ours, limit, "command"))
    return lines[0], lines[1]


def _by_hand(raw: sqlite3.Connection, rows: list[tuple[str, int, str, bytes]]) -> None:
    raw.execute("BEGIN IMMEDIATE")
    raw.executemany("INSERT INTO stored_events VALUES (?,?,?,?)", rows)
    raw.execute("COMMIT")


def _alone(log: Encounters, rows: list[tuple[int, str, bytes]]) -> None:
    log.save(*build_events("fight", rows))


def _seconds(work: Callable[[], object]) -> float:
    """Return the seconds of one short call, without collecting garbage first."""
    start = perf_counter()
    work()
    return perf_counter() - start


def whole_fight(folder: Path) -> Line:
    """Return the time to order, judge, write and read a fight, against the library's own aggregate.

    The aggregate is given the same events and judges nothing.
    """
    log = CombatLog.open(folder / "whole.db")
    begin(log, "given")
    fight_on(log, "given", WHOLE_FIGHT)
    ruled = [(ruling.command, ruling.events) for ruling in living_plays(log.timeline("given"))]

    def ours(name: str) -> None:
        for command, _ in ruled:
            if command is not None:
                log.execute(name, command)
        Timeline(decoders(), log.application.rows(name))

    def theirs(name: str) -> None:
        with StockFight(folder / f"{name}.db") as stock:
            for _, events in ruled:
                stock.save(events)
            stock.read()

    turns = [(_seconds(partial(ours, f"ours-{n}")), _seconds(partial(theirs, f"theirs-{n}"))) for n in range(3)]
    return Line(
        f"a whole fight of {WHOLE_FIGHT:,} rulings, written and read",
        "a stock Aggregate that is given the events and judges nothing",
        statistics.median(b / a for a, b in turns),
        None,
        None,
        statistics.median(a for a, _ in turns),
        statistics.median(b for _, b in turns),
        "fight",
        at_least=True,
    )

"""The cases of the table: each gives one line."""

from __future__ import annotations

import itertools
import shutil
import sqlite3
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from benchmarks.fights import begin, fight_on, next_command
from benchmarks.measure import Line, pair, timed
from benchmarks.stock import record
from mam_events.events import Correction, Note, Play, RulingRejudged, fold
from mam_events.log.combat_log import CombatLog
from mam_events.rulings.history import living
from mam_events.rulings.timeline import Timeline
from mam_events.state import UNOPENED
from mam_events.store import decoders
from projections.tables import Tables

EVENTS = 10_000
RULINGS = 10_000


def raw_store(path: Path) -> sqlite3.Connection:
    """A file with the same table and the same PRAGMAs, and nothing else."""
    connection = sqlite3.connect(path, isolation_level=None, cached_statements=128)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute(
        "CREATE TABLE stored_events (originator_id TEXT, originator_version INTEGER, topic TEXT, state BLOB, "
        "PRIMARY KEY (originator_id, originator_version))"
    )
    return connection


def one_command(folder: Path) -> Line:
    """One durable command against the same rows written by hand: the middle one of three runs, for disks have moods."""
    runs = [_one_command(folder, run) for run in range(3)]
    return sorted(runs, key=lambda line: line.ratio)[1]


def _one_command(folder: Path, run: int) -> Line:
    log = CombatLog.open(folder / f"command-{run}.db")
    begin(log, "fight")
    raw = raw_store(folder / f"raw-{run}.db")
    ours, limit = [], []
    for turn in range(1_000):
        command = next_command(log, "fight")
        version = log.store.last_version("fight")
        seconds = timed_quietly(partial(log.execute, "fight", command))
        rows = [("fight", *row) for row in log.store.read("fight", version)]

        def by_hand(rows: list[tuple[str, int, str, bytes]] = rows) -> None:
            raw.execute("BEGIN IMMEDIATE")
            raw.executemany("INSERT INTO stored_events VALUES (?,?,?,?)", rows)
            raw.execute("COMMIT")

        raw_seconds = timed_quietly(by_hand)
        if turn >= 50:
            ours.append(seconds)
            limit.append(raw_seconds)
    ratio = statistics.median(a / b for a, b in zip(ours, limit, strict=True))
    return Line(
        "one command, durable",
        "the same rows by raw sqlite3",
        ratio,
        1.35,
        1.15,
        statistics.median(ours),
        statistics.median(limit),
        "command",
    )


def timed_quietly(work: Callable[[], object]) -> float:
    """Seconds of one short call, without collecting garbage first."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def long_log(folder: Path, name: str, rulings: int) -> Path:
    """A store with one fight of so many rulings."""
    path = folder / f"{name}.db"
    log = CombatLog.open(path)
    begin(log, "fight")
    fight_on(log, "fight", rulings)
    log.close()
    return path


def rebuild(path: Path, folder: Path) -> Iterator[Line]:
    """A fight of 10,000 events from disk, against the least that could be done and against the library's own way."""
    log = CombatLog.open(path)
    rows = len(log.store.read("fight"))
    raw = sqlite3.connect(path)
    decode = decoders()
    skipped = {kind.topic for kind in (Play, Correction, Note, RulingRejudged)}

    def ours() -> None:
        Timeline(decode, log.store.read("fight"))

    def limit() -> None:
        found = raw.execute(
            "SELECT originator_version, topic, state FROM stored_events WHERE originator_id=? "
            "ORDER BY originator_version",
            ("fight",),
        ).fetchall()
        decoded = [(topic, decode[topic](state)) for _, topic, state in found]
        fold(UNOPENED, (event for topic, event in decoded if topic not in skipped))

    against_raw = pair(ours, limit, 15)
    yield Line(
        f"rebuild of {rows:,} events",
        "raw rows + decode + the same fold",
        against_raw.ratio,
        1.6,
        1.3,
        against_raw.first,
        against_raw.second,
        "load",
    )
    facts = [fact for ruling in living(log.timeline("fight")) for fact in ruling.facts]
    application, identity = record(str(folder / "stock.db"), facts)
    with application:
        # Per event on both sides: the stock stream has no heads, so that its events are fewer.
        stock = pair(lambda: application.repository.get(identity), ours, 5)
    yield Line(
        f"rebuild of {rows:,} events",
        f"a stock Aggregate with JSONTranscoder, {len(facts):,} events",
        (stock.first / len(facts)) / (stock.second / rows),
        8,
        12,
        stock.second / rows,
        stock.first / len(facts),
        "event",
        at_least=True,
    )


def undo_last(long: Path, short: Path) -> Line:
    """Undo of the last of 10,000 rulings against that of 100, with the log already open."""
    logs = [CombatLog.open(long), CombatLog.open(short)]
    times: list[list[float]] = [[], []]
    for turn, (log, found) in itertools.product(range(60), zip(logs, times, strict=True)):
        log.at("fight")
        seconds = timed_quietly(partial(log.undo, "fight"))
        log.redo("fight")
        if turn >= 5:
            found.append(seconds)
    ratio = statistics.median(a / b for a, b in zip(*times, strict=True))
    return Line(
        f"undo of the last of {RULINGS:,} rulings",
        "the same of 100",
        ratio,
        1.5,
        1.0,
        statistics.median(times[0]),
        statistics.median(times[1]),
        "undo",
    )


def catch_up(path: Path, folder: Path) -> Line:
    """The projections' tables from nothing, against raw rows and decode."""
    decode = decoders()
    raw = sqlite3.connect(path)
    numbers = itertools.count()

    def ours() -> float:
        copy = folder / f"views-{next(numbers)}.db"
        shutil.copy(path, copy)
        log = CombatLog.open(copy)
        seconds = timed(Tables(log.store).catch_up)
        log.close()
        return seconds

    def limit() -> None:
        for _, topic, state in raw.execute("SELECT rowid, topic, state FROM stored_events ORDER BY rowid"):
            decode[topic](state)

    ours()
    limit()
    turns = [(ours(), timed(limit)) for _ in range(7)]
    return Line(
        "projection catch-up",
        "raw rows + decode",
        statistics.median(a / b for a, b in turns),
        3,
        2,
        statistics.median(a for a, _ in turns),
        statistics.median(b for _, b in turns),
        "catch-up",
    )


def cold(work: str, command: list[str], limit: str, limit_command: list[str], bar: tuple[float, float] | None) -> Line:
    """A fresh process against another."""

    def run(arguments: list[str]) -> None:
        subprocess.run(arguments, check=True, capture_output=True)

    found = pair(lambda: run(command), lambda: run(limit_command), 15)
    return Line(work, limit, found.ratio, bar and bar[0], bar and bar[1], found.first, found.second, "process")


def processes(long: Path, short: Path) -> Iterator[Line]:
    """What a person at the prompt waits for."""
    mam = [str(Path(sys.executable).with_name("mam"))]
    click = [sys.executable, "-c", "import click"]
    yield cold("mam --help", [*mam, "--help"], 'python -c "import click"', click, (2, 1.5))
    for path, rulings in ((short, 100), (long, RULINGS)):
        undo = [*mam, "--store", str(path), "undo", "-e", "fight"]
        yield cold(f"mam undo, cold, {rulings:,} rulings", undo, 'python -c "import click"', click, None)

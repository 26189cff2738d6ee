"""The log in PostgreSQL against the database itself: the same rows by one prepared INSERT."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import psycopg

from benchmarks.fights import begin, next_command
from benchmarks.measure import Line, times
from mam_events.log.combat_log import CombatLog
from mam_events.log.encounters import Encounters
from mam_events.store import build_events
from mam_events.store.sqlite_schema import ruling_of
from tests.postgres import Server

if TYPE_CHECKING:
    Rows = list[tuple[int, str, bytes]]

RULINGS = times(400, 10)
TURNS = times(5)
_INSERT = """
    INSERT INTO stored_events (originator_id, originator_version, topic, state)
    SELECT %s, * FROM unnest(%b::bigint[], %b::text[], %b::bytea[])
"""


def on_postgres(folder: Path) -> Iterator[Line]:
    """Yield the time of one client that appends rulings, with PostgreSQL's default durability."""
    told = _rulings(folder)
    taken: dict[str, list[float]] = {"ours": [], "raw": []}
    server = Server(5435, durable=True)
    try:
        for _ in range(TURNS):
            taken["ours"].append(_ours(server.database(), told))
            taken["raw"].append(_raw(server.database(), told))
    finally:
        server.stop()
    ours, raw = (statistics.median(taken[name]) / len(told) for name in ("ours", "raw"))
    work = "append on PostgreSQL, one client, a ruling each time"
    yield Line(work, "the same rows by a raw prepared INSERT", ours / raw, 2.2, 1.8, ours, raw, "ruling")


def _rulings(folder: Path) -> list[Rows]:
    with CombatLog.open(folder / "for-postgres.db") as log:
        begin(log, "fight")
        while log.execute("fight", next_command(log, "fight")).number < RULINGS:
            pass
        found: list[Rows] = []
        for row in log.application.rows("fight"):
            if ruling_of(row[2]):
                found.append([])
            found[-1].append(row)
    return found


def _ours(url: str, told: list[Rows]) -> float:
    with Encounters.at(url) as store:
        store.save(*build_events("warm", [(1, "Probe.1", b"{}")]))
        start = perf_counter()
        for rows in told:
            store.save(*build_events("fight", rows))
        return perf_counter() - start


def _raw(url: str, told: list[Rows]) -> float:
    with psycopg.connect(url, autocommit=True) as connection, connection.cursor(binary=True) as cursor:
        cursor.execute(_INSERT, ("warm", [1], ["Probe.1"], [b"{}"]), prepare=True)
        start = perf_counter()
        for rows in told:
            cursor.execute(_INSERT, ("fight", *map(list, zip(*rows, strict=True))), prepare=True)
        return perf_counter() - start

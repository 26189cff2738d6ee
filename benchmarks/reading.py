"""The speed of reading a log: a long fight from disk, and the list of fights without its cache."""

from __future__ import annotations

import itertools
import shutil
import sqlite3
import statistics
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import Line, pair, timed
from benchmarks.stock import StockFight
from mam_events.events import Correction, Note, Play, RulingRejudged
from mam_events.history.timeline.rulings import living_plays
from mam_events.history.timeline.timeline import Timeline
from mam_events.log.combat_log import CombatLog
from mam_events.state import EMPTY_ENCOUNTER
from mam_events.store import decoders
from projections.cache.encounters import encounters


def rebuild(path: Path, folder: Path) -> Iterator[Line]:
    """Yield the time to read a fight of 10,000 events, against a minimal loop and the library's own aggregate."""
    log = CombatLog.open(path)
    rows = len(log.application.rows("fight"))
    raw = sqlite3.connect(path)
    decode = decoders()
    skipped = {kind.topic for kind in (Play, Correction, Note, RulingRejudged)}
    query = "SELECT topic, state FROM stored_events WHERE originator_id = ? ORDER BY originator_version"

    def ours() -> Timeline:
        return log.application.repository.get("fight")

    def limit() -> None:
        state = EMPTY_ENCOUNTER
        for topic, body in raw.execute(query, ("fight",)):
            event = decode[topic](body)
            if topic not in skipped:
                state = event.apply(state)

    tight = pair(ours, limit, 15)
    what = f"rebuild of {rows:,} events"
    yield Line(what, "one tight loop: rows, decode, fold", tight.ratio, 1.6, 1.4, tight.first, tight.second, "load")
    with StockFight(folder / "stock.db") as stock:
        events = 0
        for ruling in living_plays(log.timeline("fight")):
            stock.save(ruling.events)
            events += len(ruling.events)
        whole = pair(stock.read, ours, 5)
    limit_name = f"a stock Aggregate with JSONTranscoder, its {events:,} events alone"
    yield Line(
        "a whole fight read again", limit_name, whole.ratio, 5, 8, whole.second, whole.first, "fight", at_least=True
    )


def catch_up(path: Path, folder: Path) -> Line:
    """Return the time of the list of fights without its cache, against reading and decoding the raw rows."""
    decode = decoders()
    raw = sqlite3.connect(path)
    numbers = itertools.count()

    def ours() -> float:
        copy = folder / f"views-{next(numbers)}.db"
        shutil.copy(path, copy)
        log = CombatLog.open(copy)
        seconds = timed(lambda: encounters(log))
        log.close()
        return seconds

    def limit() -> None:
        for _, topic, state in raw.execute("SELECT rowid, topic, state FROM stored_events ORDER BY rowid"):
            decode[topic](state)

    ours()
    limit()
    turns = [(ours(), timed(limit)) for _ in range(7)]
    return Line(
        "the list of fights, nothing kept",
        "raw rows + decode",
        statistics.median(a / b for a, b in turns),
        2,
        1.5,
        statistics.median(a for a, _ in turns),
        statistics.median(b for _, b in turns),
        "catch-up",
    )

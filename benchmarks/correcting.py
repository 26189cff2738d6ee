"""The time that a correction takes in a long fight: it should end where the fight is itself again."""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter

from benchmarks.measure import Line, times
from mam_events.commands import Resolve
from mam_events.events import Amend
from mam_events.log.combat_log import CombatLog

EARLY = 20
"""Rulings from the beginning in which an amended die stands."""
LATE = 100
"""Rulings from the end of which one is looked at."""
TURNS = times(40, 6)
WARM_UP = 5


def corrections(long: Path, short: Path, middle: Path) -> Iterator[Line]:
    """Undo of the last, an early amendment without later effect, a preview near the end, with the log already open."""
    logs = {path: CombatLog.open(path) for path in (long, short, middle)}
    many = logs[long].timeline("fight").number
    few, some = (logs[path].timeline("fight").number for path in (short, middle))
    yield _line(
        f"undo of the last of {many:,} rulings", f"the same of {few}", (1.5, 1.0), *_both(logs, long, short, undo)
    )
    yield _line(
        f"amendment of an early die, {many:,} rulings",
        f"the same of {few}",
        (10, 3),
        *_both(logs, long, short, amend),
    )
    yield _line(
        f"preview {LATE} before the end, {many:,} rulings",
        f"the same of {some}",
        (2, 1.2),
        *_both(logs, long, middle, preview),
    )


Times = tuple[list[float], list[float]]


def _both(logs: dict[Path, CombatLog], one: Path, other: Path, work: Callable[[CombatLog, int], float]) -> Times:
    taken: Times = ([], [])
    for turn, (path, found) in itertools.product(range(TURNS), zip((one, other), taken, strict=True)):
        seconds = work(logs[path], turn)
        if turn >= WARM_UP:
            found.append(seconds)
    return taken


def _line(work: str, limit: str, bars: tuple[float, float], ours: list[float], theirs: list[float]) -> Line:
    ratio = statistics.median(a / b for a, b in zip(ours, theirs, strict=True))
    return Line(work, limit, ratio, *bars, statistics.median(ours), statistics.median(theirs), "correction")


def undo(log: CombatLog, _: int) -> float:
    """Take back the last ruling; it is given again, unmeasured."""
    log.at("fight")
    start = perf_counter()
    log.undo("fight")
    seconds = perf_counter() - start
    log.redo("fight")
    return seconds


def amend(log: CombatLog, turn: int) -> float:
    """Let an early attack, which misses either way, show another face."""
    number = _resolved(log, EARLY)
    log.at("fight")
    start = perf_counter()
    log.correct("fight", [Amend(number, {"attack_die": 2 - turn % 2})])
    return perf_counter() - start


def preview(log: CombatLog, turn: int) -> float:
    """Look at what another face so many rulings before the end would do; nothing is kept of it."""
    number = _resolved(log, -LATE)
    faces = {"attack_die": turn % 2 + 1, "defense_die": 5 + turn // 2 % 2}
    log.at("fight")
    start = perf_counter()
    log.preview("fight", [Amend(number, faces)])
    return perf_counter() - start


def _resolved(log: CombatLog, place: int) -> int:
    """The first ruling from that place on that resolves an exchange."""
    timeline = log.timeline("fight")
    return next(number for number in timeline.order[place:] if isinstance(timeline.command(number), Resolve))

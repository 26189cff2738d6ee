"""The time of a correction in a long fight: judging should stop where the fight is the same as before again."""

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
"""The number of rulings from the beginning to the amended die."""
LATE = 100
"""The number of rulings from the end to the one that the preview changes."""
TURNS = times(40, 6)
WARM_UP = 5


def corrections(long: Path, short: Path, middle: Path) -> Iterator[Line]:
    """Yield the time of an undo, an early amendment without later effect and a late preview in an open log."""
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
    """Return the seconds of an undo of the last ruling; the redo after it is not measured."""
    log.at("fight")
    start = perf_counter()
    log.undo("fight")
    seconds = perf_counter() - start
    log.redo("fight")
    return seconds


def amend(log: CombatLog, turn: int) -> float:
    """Return the seconds of an amendment that shows another face in an early attack, which misses either way."""
    number = _resolved(log, EARLY)
    log.at("fight")
    start = perf_counter()
    log.correct("fight", [Amend(number, {"attack_die": 2 - turn % 2})])
    return perf_counter() - start


def preview(log: CombatLog, turn: int) -> float:
    """Return the seconds of a preview of other faces `LATE` rulings before the end; nothing is written."""
    number = _resolved(log, -LATE)
    faces = {"attack_die": turn % 2 + 1, "defense_die": 5 + turn // 2 % 2}
    log.at("fight")
    start = perf_counter()
    log.preview("fight", [Amend(number, faces)])
    return perf_counter() - start


def _resolved(log: CombatLog, place: int) -> int:
    """Return the first ruling from `place` on that resolves an exchange."""
    timeline = log.timeline("fight")
    return next(number for number in timeline.order[place:] if isinstance(timeline.command(number), Resolve))

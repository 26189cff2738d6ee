"""Fair timing: cases take turns within one run, and a ratio is the median of the ratios of the turns."""

from __future__ import annotations

import gc
import os
import statistics
import time
from collections.abc import Callable
from typing import NamedTuple

from msgspec import Struct

SHORT = os.environ.get("MAM_BENCH") == "short"
"""True where everything is to run once, to see that it runs: what is measured then says nothing."""


def times(usual: int, short: int = 1) -> int:
    """Return so many turns, rulings or seconds as are usual, or as are the least with which a part runs."""
    return short if SHORT else usual


class Line(Struct, frozen=True):
    """One line of the table: what was measured against what, the ratio, its bar and aim, the raw figures in seconds,
    or in instructions or bytes where that is their unit.

    `bar` and `aim` are upper limits, or lower ones where `at_least` is set; None where there is no bar.
    """

    work: str
    limit: str
    ratio: float
    bar: float | None
    aim: float | None
    measured: float
    limit_measured: float
    unit: str
    at_least: bool = False

    @property
    def met(self) -> bool:
        """True if the ratio is within the bar."""
        if self.bar is None:
            return True
        return self.ratio >= self.bar if self.at_least else self.ratio <= self.bar


class Pair(NamedTuple):
    """Medians of two cases in seconds, and the median of their ratios turn by turn."""

    first: float
    second: float
    ratio: float


def timed(work: Callable[[], object]) -> float:
    """Seconds until one call gives what it is for, with the garbage of others collected before."""
    gc.collect()
    start = time.perf_counter()
    _kept = work()
    return time.perf_counter() - start


def pair(first: Callable[[], object], second: Callable[[], object], turns: int) -> Pair:
    """Both cases in turn, after one turn to warm up."""
    first()
    second()
    taken = [(timed(first), timed(second)) for _ in range(times(turns))]
    return Pair(
        statistics.median(a for a, _ in taken),
        statistics.median(b for _, b in taken),
        statistics.median(a / b for a, b in taken),
    )

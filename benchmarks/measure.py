"""Fair timing: two cases take turns within one run, and their ratio is the median of the ratios of all turns."""

from __future__ import annotations

import gc
import os
import statistics
import time
from collections.abc import Callable
from typing import NamedTuple

from msgspec import Struct

SHORT = os.environ.get("MAM_BENCH") == "short"
"""True if everything runs only once, as a smoke test; the measurements then mean nothing."""


def times(usual: int, short: int = 1) -> int:
    """Return the usual number of turns, rulings or seconds, or the smallest possible one in a short run."""
    return short if SHORT else usual


class Line(Struct, frozen=True):
    """One line of the table: the work, the limit it is compared with, their ratio and the raw figures.

    The figures are in seconds, or in instructions, bytes or keys if that is the `unit`. `bar` and `aim` are upper
    limits, or lower ones if `at_least` is set; None means that there is none.
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
    """Return the seconds of one call, after a garbage collection."""
    gc.collect()
    start = time.perf_counter()
    _kept = work()
    return time.perf_counter() - start


def pair(first: Callable[[], object], second: Callable[[], object], turns: int) -> Pair:
    """Time both cases in turn, after one turn to warm up."""
    first()
    second()
    taken = [(timed(first), timed(second)) for _ in range(times(turns))]
    return Pair(
        statistics.median(a for a, _ in taken),
        statistics.median(b for _, b in taken),
        statistics.median(a / b for a, b in taken),
    )

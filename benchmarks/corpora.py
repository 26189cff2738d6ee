"""The memory that judging many fights again takes, and the time that a second process saves."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from benchmarks.fights import long_log
from benchmarks.measure import Line, times
from mam_events.archive import export_ndjson
from mam_events.log.combat_log import CombatLog

FEW, MANY = times(100, 2), times(10_000, 4)
LONG_FIGHTS = times(320, 2)
TURNS = times(3)
_RERUN = (sys.executable, "-c", "from cli.entry import main; main()", "rerun")


class _Cost(NamedTuple):
    """Seconds that a process took, and its peak memory in bytes."""

    seconds: float
    memory: int


def corpora(folder: Path, long: Path) -> Iterator[Line]:
    """Yield the memory of a large corpus against a small one, and the time of one worker against two.

    `long` is a store with a fight of 200 rulings.
    """
    short = long_log(folder, "twenty", 20)
    few, many = (_copies(folder, f"{fights}", short, fights) for fights in (FEW, MANY))
    large, small = _rerun(many).memory, _rerun(few).memory
    yield Line(f"memory of rerun over {MANY:,} fights", f"over {FEW}", large / small, 1.3, 1.0, large, small, "bytes")
    work = _copies(folder, "work", long, LONG_FIGHTS)
    taken = [(_rerun(work).seconds, _rerun(work, "--workers", "2").seconds) for _ in range(TURNS)]
    alone, two = (statistics.median(pair[at] for pair in taken) for at in (0, 1))
    ratio = statistics.median(one / other for one, other in taken)
    yield Line("rerun with one worker", "with two", ratio, 1.7, 1.9, alone, two, "process", at_least=True)


def _copies(folder: Path, name: str, store: Path, fights: int) -> Path:
    """Return a folder with `fights` exports of the same fight, all hard links to one file."""
    made = folder / f"corpus-{name}"
    made.mkdir()
    first = made / "0.ndjson"
    with CombatLog.open(store) as log:
        first.write_bytes(b"".join(export_ndjson(log, "fight")))
    for number in range(1, fights):
        (made / f"{number}.ndjson").hardlink_to(first)
    return made


def _rerun(corpus: Path, *words: str) -> _Cost:
    start = perf_counter()
    command = [*_RERUN, str(corpus), "--set", "half_success=never", *words]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return _Cost(perf_counter() - start, used.ru_maxrss * 1024)

"""Run all benchmarks, print the table and write `build/bench.json`; exit with code 1 if a bar is missed.

With MAM_BENCH=short every benchmark runs once, as a smoke test: nothing is written, and no bar counts.
"""

from __future__ import annotations

import platform
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from benchmarks.answering import answers
from benchmarks.as_played import as_played
from benchmarks.corpora import corpora
from benchmarks.correcting import corrections
from benchmarks.dear import dear_calls
from benchmarks.fights import long_log
from benchmarks.judging import judging
from benchmarks.keys import keys
from benchmarks.measure import SHORT, Line, times
from benchmarks.on_postgres import on_postgres
from benchmarks.paging import paging
from benchmarks.reading import catch_up, rebuild
from benchmarks.serving import serving
from benchmarks.starting import many_fights, processes
from benchmarks.writing import durable, whole_fight

OUT = Path("build/bench.json")
LINES = 48
RULINGS = times(10_000, 300)
ROWS_PER_RULING = 2.8
LONG_RAID = times(2_000, 60)


def measure(folder: Path) -> Iterator[Line]:
    """Yield every line of the table; each benchmark gets a folder of its own."""

    def own(name: str) -> Path:
        found = folder / name
        found.mkdir()
        return found

    yield from durable(own("durable"))
    yield whole_fight(own("whole-fight"))
    logs = own("logs")
    long = long_log(logs, "long", RULINGS)
    middle, short = (long_log(logs, f"{rulings}", rulings) for rulings in (200, 100))
    events = long_log(logs, "events", int(RULINGS / ROWS_PER_RULING))
    yield from rebuild(events, own("rebuild"))
    yield catch_up(events, own("catch-up"))
    yield from processes(short)
    yield from many_fights(own("many-fights"))
    yield from corrections(long, short, middle)
    yield from answers(long, short)
    yield from judging(events)
    yield from as_played(own("as-played"), LONG_RAID)
    yield from corpora(own("corpora"), middle)
    yield from paging(long, own("paging"))
    yield from serving(own("serving"))
    yield dear_calls(long, own("dear"))
    yield from on_postgres(own("postgres"))
    yield from keys()


def table(lines: list[Line]) -> Table:
    """Return the lines as a table for the terminal."""
    found = Table(title="ratios in one run, medians", box=SIMPLE_HEAD, padding=(0, 1, 0, 0), show_edge=False)
    for heading in ("work and limit", "ratio", "bar", "aim", "measured", "limit", "verdict"):
        left = heading.startswith(("work", "verdict"))
        found.add_column(heading, justify="left" if left else "right", no_wrap=not heading.startswith("work"))
    for line in lines:
        sign = "≥" if line.at_least else "≤"
        found.add_row(
            f"{line.work}\n  {line.limit}",
            f"{line.ratio:.2f} ×",
            f"{sign} {line.bar:g}" if line.bar is not None else "",
            f"{line.aim:g}" if line.aim is not None else "",
            figure(line.measured, line.unit),
            figure(line.limit_measured, line.unit),
            ("met" if line.met else "MISSED") if line.bar is not None else "–",
        )
    return found


def figure(amount: float, unit: str) -> str:
    """Return an amount with its unit, as the table shows it; plain amounts are seconds and are shown in ms."""
    if unit == "keys":
        return f"{amount:.0f} keys"
    if unit == "bytes":
        return f"{amount / 1024**2:.4g} MiB"
    return f"{amount / 1e6:.1f} M instr." if unit == "instructions" else f"{amount * 1e3:.4g} ms"


def main() -> int:
    """Run all benchmarks and return the exit code."""
    lines: list[Line] = []
    with (
        tempfile.TemporaryDirectory() as name,
        Progress(transient=True, auto_refresh=False, console=Console(stderr=True)) as progress,
    ):
        task = progress.add_task("measuring", total=LINES)
        for line in measure(Path(name)):
            lines.append(line)
            progress.update(task, advance=1, refresh=True)
    if SHORT:
        Console().print(f"{len(lines)} lines, each measured as briefly as it runs")
        return 0
    OUT.parent.mkdir(exist_ok=True)
    machine = {"python": platform.python_version(), "sqlite": sqlite3.sqlite_version, "system": platform.system()}
    OUT.write_bytes(msgspec.json.format(msgspec.json.encode({"machine": machine, "lines": lines}), indent=1) + b"\n")
    Console().print(table(lines))
    Console().print(f"written to {OUT}", highlight=False)
    return 0 if all(line.met for line in lines) else 1


if __name__ == "__main__":
    sys.exit(main())

"""Measure, print the table, write it as `build/bench.json`; exit code 1 where a bar is missed."""

from __future__ import annotations

import platform
import sqlite3
import sys
import tempfile
from pathlib import Path

import msgspec
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from benchmarks import cases
from benchmarks.measure import Line

OUT = Path("build/bench.json")


def measure() -> list[Line]:
    """Every line of the table."""
    lines: list[Line] = []
    with (
        tempfile.TemporaryDirectory() as name,
        Progress(transient=True, auto_refresh=False, console=Console(stderr=True)) as progress,
    ):
        folder = Path(name)
        task = progress.add_task("measuring", total=8)

        def add(*found: Line) -> None:
            lines.extend(found)
            progress.update(task, advance=1, refresh=True)

        add(cases.one_command(folder))
        long = cases.long_log(folder, "long", cases.RULINGS)
        short = cases.long_log(folder, "short", 100)
        events = cases.long_log(folder, "events", cases.RULINGS * 10 // 28)
        add()
        add(*cases.rebuild(events, folder))
        add(cases.undo_last(long, short))
        add(cases.catch_up(events, folder))
        add(*cases.processes(long, short))
    return lines


def table(lines: list[Line]) -> Table:
    """The lines as people read them."""
    found = Table(title="ratios in one run, medians", box=SIMPLE_HEAD, padding=(0, 1, 0, 0), show_edge=False)
    for heading in ("work and limit", "ratio", "bar", "aim", "ms", "limit ms", "verdict"):
        left = heading.startswith(("work", "verdict"))
        found.add_column(heading, justify="left" if left else "right", no_wrap=not heading.startswith("work"))
    for line in lines:
        sign = "≥" if line.at_least else "≤"
        found.add_row(
            f"{line.work}\n  {line.limit}",
            f"{line.ratio:.2f} ×",
            f"{sign} {line.bar:g}" if line.bar is not None else "",
            f"{line.aim:g}" if line.aim is not None else "",
            f"{line.seconds * 1e3:.4g}",
            f"{line.limit_seconds * 1e3:.4g}",
            ("met" if line.met else "MISSED") if line.bar is not None else "–",
        )
    return found


def main() -> int:
    """Run everything."""
    lines = measure()
    OUT.parent.mkdir(exist_ok=True)
    machine = {"python": platform.python_version(), "sqlite": sqlite3.sqlite_version, "system": platform.system()}
    OUT.write_bytes(msgspec.json.format(msgspec.json.encode({"machine": machine, "lines": lines}), indent=1) + b"\n")
    Console().print(table(lines))
    Console().print(f"written to {OUT}", highlight=False)
    return 0 if all(line.met for line in lines) else 1


sys.exit(main())

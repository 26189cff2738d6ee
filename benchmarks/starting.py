"""The start time of `mam`: whole processes, in instructions where valgrind can count them.

Compiled bytecode exists, as after `make demo`.
"""

from __future__ import annotations

import compileall
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks.fights import begin, fight_on, next_command
from benchmarks.measure import SHORT, Line, pair, times
from mam_events.commands import Attack, Close
from mam_events.log.combat_log import CombatLog
from projections.cache.encounters import encounters

MAM = (sys.executable, "-c", "from cli.entry import main; main()")
LIBRARIES = (sys.executable, "-c", "import click, msgspec, sqlite3")
FIGHTS = times(2_000, 3)
_COUNTED = re.compile(r"I\s+refs:\s+([\d,]+)")


def processes(short: Path) -> Iterator[Line]:
    """Yield the cost of cold commands in a fight of a hundred rulings, against importing the libraries alone."""
    for part in ("mam_events", "projections", "cli"):
        compileall.compile_dir(part, quiet=1)
    attack = _up_to_an_attack(short)
    store = ("--store", str(short), "-e", "fight")
    limit = _Run("import click, msgspec, sqlite3", LIBRARIES, short)
    yield _cold(_Run("mam --help", (*MAM, "--help"), short), limit, (1.5, 1.2))
    for words in ("pools", "log --last 20"):
        yield _cold(_Run(f"mam {words}, cold", (*MAM, *words.split(), *store), short), limit, (2.0, 1.7))
    for words in (attack, "undo"):
        work = f"mam {words.split()[0]}, cold, hints included"
        yield _cold(_Run(work, (*MAM, *words.split(), *store), short), limit, (2.5, 2.0))


def many_fights(folder: Path) -> Iterator[Line]:
    """Yield the cost of two commands in a store of many fights where only the oldest is open.

    `mam encounters` is compared with a store of one fight, `mam pools` with the same command and `-e`. The list of
    fights has been cached before.
    """
    many, one = (_store_of(folder, number) for number in (FIGHTS, 1))
    listed, found = (*MAM, "encounters", "--store"), (*MAM, "pools", "--store")
    yield _cold(
        _Run(f"mam encounters, {FIGHTS:,} fights", (*listed, str(many)), many),
        _Run("the same with one", (*listed, str(one)), one),
        (2.0, 1.3),
    )
    yield _cold(
        _Run(f"mam pools, {FIGHTS:,} fights", (*found, str(many)), many),
        _Run("the same with -e", (*found, str(many), "-e", "fight-0"), many),
        (1.5, 1.1),
    )


def _store_of(folder: Path, fights: int) -> Path:
    store = folder / f"{fights}-fights.db"
    with CombatLog.open(store, synchronous="NORMAL") as log:
        for number in range(fights):
            begin(log, f"fight-{number}")
            fight_on(log, f"fight-{number}", 8)
            if number:
                log.execute(f"fight-{number}", Close())
        encounters(log)
    return store


def _up_to_an_attack(store: Path) -> str:
    """Continue the fight until the next command is an attack, and return that attack as it is typed."""
    with CombatLog.open(store) as log:
        while not isinstance(command := next_command(log, "fight"), Attack):
            log.execute("fight", command)
    return f"attack {command.attacker} {command.target} --modifier 2"


class _Run(NamedTuple):
    """A process to measure, and the store that it may change."""

    work: str
    command: tuple[str, ...]
    store: Path


def _cold(run: _Run, limit: _Run, bars: tuple[float, float]) -> Line:
    if shutil.which("valgrind") and not SHORT:
        ours, theirs = _instructions(run), _instructions(limit)
        return Line(run.work, limit.work, ours / theirs, *bars, ours, theirs, "instructions")
    found = pair(lambda: _done(run), lambda: _done(limit), 15)
    return Line(run.work, limit.work, found.ratio, *bars, found.first, found.second, "process")


def _done(run: _Run, *, under: tuple[str, ...] = ()) -> str:
    """Run the process and return its stderr; the store is restored after it, so that every run starts from the same."""
    kept = run.store.with_suffix(".kept")
    shutil.copy(run.store, kept)
    try:
        env = {**os.environ, "PYTHONHASHSEED": "0"}
        done = subprocess.run((*under, *run.command), check=True, capture_output=True, text=True, env=env)
    finally:
        shutil.move(kept, run.store)
    return done.stderr


def _instructions(run: _Run) -> int:
    """Return the number of instructions that a process takes, as counted by cachegrind."""
    with tempfile.TemporaryDirectory() as folder:
        counter = ("valgrind", "--tool=cachegrind", "--cache-sim=no", f"--cachegrind-out-file={folder}/out")
        told = _COUNTED.search(_done(run, under=counter))
    assert told is not None  # noqa: S101 - cachegrind prints it at the end of every run
    return int(told[1].replace(",", ""))

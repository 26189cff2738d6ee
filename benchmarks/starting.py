"""What a person at the prompt waits for: whole processes, in instructions where valgrind counts them.

Compiled bytecode is there, as after `make demo`.
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

from benchmarks.fights import next_command
from benchmarks.measure import Line, pair
from mam_events.commands import Attack
from mam_events.log.combat_log import CombatLog

MAM = (sys.executable, "-m", "cli.main")
LIBRARIES = (sys.executable, "-c", "import click, msgspec, sqlite3")
_COUNTED = re.compile(r"I\s+refs:\s+([\d,]+)")


def processes(short: Path) -> Iterator[Line]:
    """Looking and ordering, cold, in a fight of a hundred rulings, against the import of what such a program needs."""
    for part in ("mam_events", "projections", "cli"):
        compileall.compile_dir(part, quiet=1)
    attack = _up_to_an_attack(short)
    store = ("--store", str(short), "-e", "fight")
    limit = "import click, msgspec, sqlite3"
    yield _cold("mam --help", (*MAM, "--help"), limit, (1.5, 1.2), short)
    for words in ("pools", "log --last 20"):
        yield _cold(f"mam {words}, cold", (*MAM, *words.split(), *store), limit, (2.0, 1.7), short)
    for words in (attack, "undo"):
        yield _cold(
            f"mam {words.split()[0]}, cold, hints included", (*MAM, *words.split(), *store), limit, (2.5, 2.0), short
        )


def _up_to_an_attack(store: Path) -> str:
    """Let the fight go on until somebody would attack, which is returned as it is typed."""
    with CombatLog.open(store) as log:
        while not isinstance(command := next_command(log, "fight"), Attack):
            log.execute("fight", command)
    return f"attack {command.attacker} {command.target} --modifier 2"


def _cold(work: str, command: tuple[str, ...], limit: str, bars: tuple[float, float], store: Path) -> Line:
    if shutil.which("valgrind"):
        ours, theirs = _instructions(command, store), _instructions(LIBRARIES, store)
        return Line(work, limit, ours / theirs, *bars, ours, theirs, "instructions")
    found = pair(lambda: _run(command, store), lambda: _run(LIBRARIES, store), 15)
    return Line(work, limit, found.ratio, *bars, found.first, found.second, "process")


def _run(command: tuple[str, ...], store: Path, *, under: tuple[str, ...] = ()) -> str:
    """Run a command; every time on the same fight."""
    kept = store.with_suffix(".kept")
    shutil.copy(store, kept)
    try:
        env = {**os.environ, "PYTHONHASHSEED": "0"}
        done = subprocess.run((*under, *command), check=True, capture_output=True, text=True, env=env)
    finally:
        shutil.move(kept, store)
    return done.stderr


def _instructions(command: tuple[str, ...], store: Path) -> int:
    """How many instructions a process takes, counted by cachegrind."""
    with tempfile.TemporaryDirectory() as folder:
        counter = ("valgrind", "--tool=cachegrind", "--cache-sim=no", f"--cachegrind-out-file={folder}/out")
        told = _COUNTED.search(_run(command, store, under=counter))
    assert told is not None  # noqa: S101 - cachegrind tells it at the end of every run
    return int(told[1].replace(",", ""))

"""Stores in a temporary directory, and processes that use one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import pytest

from mam_events.log.encounters import Encounters
from mam_events.store import build_events
from tests.store.sqlite_rows import ROWS

ROOT = Path(__file__).parents[2]


class Worker:
    """One process of `worker.py`."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("worker.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            text=True,
        )

    def tell(self, *work: object) -> None:
        """Send work to the process without waiting."""
        assert self.process.stdin
        self.process.stdin.write(json.dumps(work) + "\n")
        self.process.stdin.flush()

    def hear(self) -> str:
        """Read the next answer, or fail with the process's errors if it has ended."""
        assert self.process.stdout
        assert self.process.stderr
        line = self.process.stdout.readline()
        assert line, self.process.stderr.read()
        return line.strip()

    def ask(self, *work: object) -> str:
        """Send work to the process and return its answer."""
        self.tell(*work)
        return self.hear()

    def kill(self) -> None:
        """Kill the process, so that it closes nothing."""
        self.process.kill()
        self.process.wait()

    def end(self) -> str:
        """Let the process end, and return its standard error."""
        complaints = self.process.communicate()[1]
        assert self.process.returncode == 0, complaints
        return complaints


class Workers(Protocol):
    """Starts processes that are ready for work."""

    def __call__(self, number: int) -> list[Worker]: ...


@pytest.fixture
def workers() -> Iterator[Workers]:
    """Start processes that end with the test."""
    started: list[Worker] = []

    def start(number: int) -> list[Worker]:
        new = [Worker() for _ in range(number)]
        started.extend(new)
        for worker in new:
            assert worker.hear() == "ready"
        return new

    yield start
    for worker in started:
        if worker.process.poll() is None:
            worker.process.kill()
        worker.process.communicate()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path of a file that does not exist yet."""
    return tmp_path / "fights.mam"


@pytest.fixture(params=["file", "memory"])
def store(request: pytest.FixtureRequest, path: Path) -> Iterator[Encounters]:
    """Yield a new store, in a file and in memory."""
    with Encounters.at(path if request.param == "file" else "sqlite://") as opened:
        yield opened


@pytest.fixture
def log(path: Path) -> Path:
    """Return the path of a log file with 200 rows of one encounter and its seed."""
    with Encounters.at(path) as store:
        store.save(*build_events("fight", ROWS), seed=b"s" * 64)
    return path

"""The fights of both worlds, played once per session for tests that compare copies."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from functools import cache
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from cli.app import main
from mam_events.log.combat_log import CombatLog
from tests.cli.worlds import FIGHTS, INSERTS, WORLDS, Fight, Secret

# Two differences between the worlds are left out: a hidden name is redacted in every text, or hides
# its ruling, also in a written guess, and a hidden id cannot be used again (see the joins under such an id).
EVERY = FIGHTS | INSERTS
HASHES = re.compile(r"\b[0-9a-f]{64}\b|(?<=[0-9]:)[0-9a-f]{12}\b|\b[0-9a-f]{32}\b")
"""Seals and fingerprints of the log, which depend on hidden facts and differ with them.
The id of a line is drawn, and goes into the hash of its body.
"""


def clock_that_ticks(seed: int) -> Iterator[datetime]:
    return (datetime(2026, 1, 1, 20, minute // 60, minute % 60, seed, tzinfo=UTC) for minute in count())


def slow_cases(*cases: tuple[Any, ...]) -> list[Any]:
    """Mark the cases of a parametrized test as slow."""
    return [pytest.param(*case, marks=pytest.mark.slow) for case in cases]


@pytest.fixture
def same_luck(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the same clock and the same draws to every log that the command line opens."""
    open_log = CombatLog.open.__func__  # type: ignore[attr-defined]  # of whichever kind of log

    def open_alike(kind: type[CombatLog], /, url: str | Path, *, create: bool = True, **settings: Any) -> Any:
        clock, luck = clock_that_ticks(0), Random(6)
        return open_log(kind, url, create=create, clock=lambda: next(clock), entropy=luck.randbytes, **settings)

    monkeypatch.setattr(CombatLog, "open", classmethod(open_alike))


def run(words: list[str]) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, words)
    return result.exit_code, HASHES.sub("#", result.stdout), HASHES.sub("#", result.stderr)


def line_with_secret(line: str, secret: Secret, fight: Fight) -> list[str]:
    fields = dict(zip(secret._fields, secret, strict=True))
    line = line.replace("PRESET", fight.preset).replace("STATS", fight.stats).replace("POWER", fight.power)
    for field, value in fields.items():
        line = re.sub(rf"(?<![^\W_]){field.upper()}(?![^\W_])", str(value).replace(" ", "_"), line)
    return [word.strip('"').replace("_", " ") if word.startswith('"') else word for word in line.split()]


@pytest.fixture(scope="session")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Mapping[str, tuple[Path, Path]]]:
    """Return a function that gives a fight's stores in both worlds, at each moment of comparison."""

    @cache
    def played(fight: str) -> dict[str, tuple[Path, Path]]:
        directory = tmp_path_factory.mktemp(fight)
        databases: dict[str, list[Path]] = {}
        for number, secret in enumerate(WORLDS):
            store = directory / f"world-{number}.db"
            for line in EVERY[fight].lines.replace("\\\n", "").split("\n"):
                if line.startswith("MOMENT "):
                    copy = directory / f"{line[7:].replace(' ', '-')}-{number}.db"
                    databases.setdefault(line[7:], []).append(copy)
                    shutil.copy(store, copy)
                elif line:
                    words = [*line_with_secret(line, secret, EVERY[fight]), "--store", str(store), "-q"]
                    code, out, err = run(words)
                    assert code == 0, (words, out, err)
        return {moment: (one, other) for moment, (one, other) in databases.items()}

    return played

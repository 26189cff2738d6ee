from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mam_events.commands import Open
from mam_events.log import CombatLog
from tests.fighters import PRINTED_FIGHT

GOLDEN = Path(__file__).parents[1] / "golden"


@pytest.fixture
def log() -> Iterator[CombatLog]:
    with CombatLog.open("sqlite://") as opened:
        yield opened


@pytest.fixture
def printed(log: CombatLog) -> CombatLog:
    """A log with the printed fight in it, under the name "fight"."""
    for command in (Open(title="Modre and the Clone"), *PRINTED_FIGHT):
        log.execute("fight", command, by="Ana")
    return log


@pytest.fixture
def golden() -> Callable[[str], str]:
    """Reads a golden text of the printed fight."""
    return lambda name: (GOLDEN / f"modre-and-the-clone.{name}.txt").read_text(encoding="utf-8")

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mam_events.commands import Open
from mam_events.log import CombatLog
from tests.fighters import PRINTED_FIGHT


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "mam.db"


@pytest.fixture
def log(path: Path) -> Iterator[CombatLog]:
    with CombatLog.open(path) as opened:
        yield opened


@pytest.fixture
def printed(log: CombatLog) -> Callable[[str], CombatLog]:
    """Plays the printed fight under a name; its 21 rulings are those of the design's example."""

    def play(encounter: str = "fight") -> CombatLog:
        for command in (Open(), *PRINTED_FIGHT):
            log.execute(encounter, command, by="Ana")
        return log

    return play

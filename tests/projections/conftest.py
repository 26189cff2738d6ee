from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mam_events.log.combat_log import CombatLog
from tests.fighters import play_printed

GOLDEN = Path(__file__).parents[1] / "golden"


@pytest.fixture
def printed_fight(log: CombatLog) -> CombatLog:
    """Play the printed fight in the log, under the name "fight"."""
    return play_printed(log, title="Modre and the Clone")


@pytest.fixture
def golden() -> Callable[[str], str]:
    """Return a function that reads a golden text of the printed fight."""
    return lambda name: (GOLDEN / f"modre-and-the-clone.{name}.txt").read_text(encoding="utf-8")

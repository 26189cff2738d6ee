from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from mam_events.log.combat_log import CombatLog
from tests.fighters import play_printed


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "mam.db"


@pytest.fixture
def log(path: Path) -> Iterator[CombatLog]:
    """Yield a log in a file, which a test may open a second time."""
    with CombatLog.open(path) as opened_log:
        yield opened_log


@pytest.fixture
def printed(log: CombatLog) -> Callable[[str], CombatLog]:
    """Return a function that plays the printed fight under a name.

    Its 21 rulings are those of the design's example.
    """
    return partial(play_printed, log)

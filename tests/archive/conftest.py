"""A log with the printed fight, its export, and another log."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mam_events.archive import export_ndjson
from mam_events.log.combat_log import CombatLog
from tests.verification.forge import printed_fight


@pytest.fixture
def log(log: CombatLog) -> CombatLog:
    """Play the printed fight in the log."""
    printed_fight(log)
    return log


@pytest.fixture
def other(tmp_path: Path) -> Iterator[CombatLog]:
    """Yield another, empty log."""
    with CombatLog.open(tmp_path / "other.mam") as log:
        yield log


@pytest.fixture
def lines(log: CombatLog) -> list[bytes]:
    """Return the lines of the export."""
    return list(export_ndjson(log, "fight"))

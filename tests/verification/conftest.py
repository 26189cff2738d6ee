"""The rows of the printed fight."""

from __future__ import annotations

import pytest

from mam_events.log.combat_log import CombatLog
from tests.verification.forge import (
    Row,
    printed_fight,
)


@pytest.fixture
def rows(log: CombatLog) -> list[Row]:
    """Play the printed fight in the log, and return its rows."""
    return printed_fight(log)

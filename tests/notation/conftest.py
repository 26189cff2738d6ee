"""Fights that have begun, for tests of lines."""

from __future__ import annotations

import pytest

from tests.notation.tables import CLONE, MODRE, WOLF, Table


@pytest.fixture
def duel() -> Table:
    """Return a fight of Modre, who is next, and the Clone."""
    table = Table(MODRE, CLONE)
    table("initiative")
    return table


@pytest.fixture
def three() -> Table:
    """Return a fight of Modre, who is next, and the Clone with a wolf on its side."""
    table = Table(MODRE, CLONE, WOLF)
    table("initiative first=modre reason=so")
    return table

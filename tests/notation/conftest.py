"""Fights that have begun, for tests of lines."""

from __future__ import annotations

import pytest

from tests.notation.tables import CLONE, MODRE, WOLF, Table


@pytest.fixture
def duel() -> Table:
    """Return a fight of Modre, who is next, and the Clone."""
    return Table(MODRE, CLONE).after("initiative")


@pytest.fixture
def three() -> Table:
    """Return a fight of Modre, who is next, and the Clone with a wolf on its side."""
    return Table(MODRE, CLONE, WOLF).after("initiative first=modre reason=so")

"""How many examples the tests try, as set by environment variables."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import pytest

LONG = os.environ.get("MAM_LONG") == "1"
"""Whether this is a run of CI, which tries the same examples each time and counts a skipped test as an error."""
FUZZ = os.environ.get("MAM_FUZZ") == "1"
"""Whether this is `make fuzz`, which repeats, kills and compares as often as may find something."""
EXAMPLES = int(os.environ.get("MAM_EXAMPLES") or 25)
"""How many examples hypothesis tries for each property."""


def each_preset(presets: Iterable[str]) -> list[Any]:
    """Return the presets as cases; two are slow, whose corrections rest on the rules of the other two."""
    return [pytest.param(one, marks=pytest.mark.slow) if one in ("mam_speed", "mam_d20") else one for one in presets]


def seeds(count: int) -> list[Any]:
    """Return the seeds of random fights as cases; those after the first two are slow."""
    return [pytest.param(seed, marks=pytest.mark.slow) if seed >= 2 else seed for seed in range(count)]

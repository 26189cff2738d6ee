"""One corpus of random fights for the tests that only read recorded fights."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from random import Random

import pytest
from hypothesis import strategies as st

from mam_events.log.combat_log import CombatLog
from tests.effort import EXAMPLES, LONG
from tests.fights.tables import play_random_fight

Corpus = Callable[[int], tuple[CombatLog, str]]
"""A function that returns the log and the id of the random fight with that seed; tests must not write to the log."""

SEEDS = st.sampled_from(Random(0 if LONG else None).sample(range(2**32), EXAMPLES))
"""The seeds of one run. CI uses the same ones each time, so that its result depends on the commit alone."""


@pytest.fixture(scope="session")
def corpus() -> Corpus:
    """Return a function that plays the fight of a seed once. Those with an even seed are closed."""

    @lru_cache(maxsize=256)
    def fight(seed: int) -> tuple[CombatLog, str]:
        return play_random_fight(Random(seed), close=seed % 2 == 0)

    return fight

"""Drawn dice against exact odds: initiative on 3D, under every reading of `rd6_wild_die`.

The seed is fixed, so that these tests judge the dice and not the day.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from math import factorial
from random import Random
from statistics import NormalDist

import pytest
from icepool import Die, d6

from mam_events.commands import Join, Open, RollInitiative, Round
from mam_events.log.combat_log import CombatLog

FIGHTERS = ("ann", "bert", "carl", "dora")
ROUNDS = 1500
RARE = 5
"""The minimum expected count of a value that is tested separately; rarer values are tested together."""
DEEP = 9
"""The maximum number of explosions in the exact odds; more happen once in ten million throws."""
CODE = 3
WILD: Mapping[str, Die[int]] = {"plain": d6, "explode_on_six": d6.explode(depth=DEEP)}


@cache
def exact(reading: str) -> dict[int, Fraction]:
    """Return the probability of each total of 3D with one wild die."""
    distribution = ((CODE - 1) @ d6) + WILD[reading]
    return {total: Fraction(ways, distribution.denominator()) for total, ways in distribution.items()}


@cache
def drawn_totals(reading: str) -> tuple[tuple[int, ...], ...]:
    """Return the totals that four fighters on 3D drew in each round, from one seed."""
    results = []
    with CombatLog.open("sqlite://", entropy=Random(6).randbytes) as log:
        log.execute("fight", Open("ron_d6", {"rd6_wild_die": reading}))
        for name in FIGHTERS:
            log.execute("fight", Join(name, code={"perception": f"{CODE}D"}))
        for _ in range(ROUNDS):
            log.execute("fight", Round())
            initiative = log.execute("fight", RollInitiative(FIGHTERS)).state.initiative
            results.append(tuple(entry.total for entry in initiative.entries))
    return tuple(results)


def chi_square(counted: Mapping[int, int], odds: Mapping[int, Fraction]) -> tuple[float, int]:
    """Return the distance of the counts from the odds and the degrees of freedom; rare values count together."""
    throws = sum(counted.values())
    groups: list[list[int]] = [[]]
    for value in sorted(odds):
        groups[-1].append(value)
        if throws * sum(odds[one] for one in groups[-1]) >= RARE:
            groups.append([])
    groups[-2] += groups.pop()
    statistic = 0.0
    for group in groups:
        expected = float(throws * sum(odds[value] for value in group))
        statistic += (sum(counted.get(value, 0) for value in group) - expected) ** 2 / expected
    return statistic, len(groups) - 1


def chi_square_limit(freedom: int, chance: float) -> float:
    """Return the value that chi-square exceeds with that probability (Wilson and Hilferty)."""
    part = 2 / (9 * freedom)
    return float(freedom * (1 - part + NormalDist().inv_cdf(1 - chance) * part**0.5) ** 3)


@pytest.mark.parametrize("reading", ["plain", "explode_on_six"])
def test_drawn_initiative_on_3d_matches_the_exact_odds(reading: str) -> None:
    counted = Counter(total for totals in drawn_totals(reading) for total in totals)
    statistic, freedom = chi_square(counted, exact(reading))
    assert statistic < chi_square_limit(freedom, 0.001)


def test_the_chi_square_test_tells_the_readings_of_the_wild_die_apart() -> None:
    counted = Counter(total for totals in drawn_totals("explode_on_six") for total in totals if total in exact("plain"))
    statistic, freedom = chi_square(counted, exact("plain"))
    assert statistic > chi_square_limit(freedom, 0.001)


def all_differ(odds: Mapping[int, Fraction], rolls: int) -> Fraction:
    """Return the probability that all of that many rolls differ.

    It sums over all sets of values, and over all orders in which they may fall.
    """
    sums = [Fraction(1)] + [Fraction(0)] * rolls
    for chance in odds.values():
        for chosen in range(rolls, 0, -1):
            sums[chosen] += sums[chosen - 1] * chance
    return sums[rolls] * factorial(rolls)


@pytest.mark.parametrize(("reading", "share"), [("plain", 0.540), ("explode_on_six", 0.604)])
def test_drawn_ties_of_four_fighters_on_3d_match_the_exact_odds(reading: str, share: float) -> None:
    odds = exact(reading)
    assert round(float(all_differ(odds, len(FIGHTERS))), 3) == share
    drawn_share = sum(len(set(totals)) == len(FIGHTERS) for totals in drawn_totals(reading)) / ROUNDS
    spread = (share * (1 - share) / ROUNDS) ** 0.5
    assert abs(drawn_share - share) < 3.3 * spread

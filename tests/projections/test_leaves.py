"""The leaves of a page: the headline of a ruling is what it came to."""

from __future__ import annotations

from pathlib import Path

import pytest

from mam_events.fights import load_fight, play
from mam_events.log.combat_log import CombatLog
from mam_events.rulings.history import rulings
from projections.casebook import Casebook
from projections.leaves import Leaf, leaves

EXAMPLES = Path(__file__).parents[2] / "examples"


def leaves_of(log: CombatLog, fight: str) -> dict[int, Leaf]:
    play(log, load_fight(EXAMPLES / f"{fight}.toml"))
    played = list(rulings(log.timeline(fight)))
    return {leaf.frame.number: leaf for leaf in leaves(played, Casebook(played, "gm"), log.rules)}


@pytest.mark.parametrize(
    ("fight", "number", "lead"),
    [
        ("under-the-tarpaulin", 12, "Brack's attack on Vess misses: 4 against 6."),
        ("first-on-the-stairs", 4, "The order is Clone 14, Modre 11."),
        ("modre-and-the-clone", 17, "Modre's attack on Clone hits with power 4: the attack is higher."),
    ],
)
def test_the_headline_is_the_outcome(log: CombatLog, fight: str, number: int, lead: str) -> None:
    assert leaves_of(log, fight)[number].lead == lead


def test_a_leaf_names_those_it_is_about_whoever_acts_first(log: CombatLog) -> None:
    found = leaves_of(log, "modre-and-the-clone")
    assert {number: found[number].concerned for number in (5, 6, 7, 8, 11, 16, 17, 20)} == {
        5: ("modre",),
        6: ("modre", "clone"),
        7: ("modre", "clone"),
        8: ("modre", "clone"),
        11: ("clone",),
        16: ("modre", "clone"),
        17: ("modre", "clone"),
        20: ("clone",),
    }

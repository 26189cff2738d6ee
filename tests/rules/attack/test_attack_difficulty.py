"""The difficulty of attacks: distance, darkness, and their sum with circumstances (MAM-ATK-08, MAM-ATK-09)."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from msgspec.structs import replace

from mam_events.commands import (
    Attack,
    BeginTurn,
    Command,
    Counterattack,
    Initiative,
    Interfere,
    Join,
    Parry,
    Resolve,
    Tackle,
    actor_of,
)
from mam_events.decider.rule_tables import InTheDark
from mam_events.errors import Refused
from mam_events.events import DefenseRolled, RollMade
from mam_events.rules.attack.difficulty import darkness_difficulty, range_difficulty
from mam_events.state import Weapon
from tests.fighters import CLONE
from tests.rules.fights.archery import LIN, MUSKET, SHOT, WATCH
from tests.spec import GivenFight, given

PRESETS = ("mam_pools", "mam_speed", "mam_d20")
FAR = replace(MUSKET, range=Decimal(140))


def first_turn(preset: str = "mam_pools", *weapons: Weapon, rules: dict[str, str] | None = None) -> GivenFight:
    """Return Lin's first turn, with a gun that reaches 140 m, after rulings 2 to 5."""
    lin = replace(LIN, weapon=(*(weapons or (FAR,)),))
    initiative = WATCH[2] if preset == "mam_pools" else replace(WATCH[2], circumstance="lin")
    return given(lin, CLONE, initiative, WATCH[3], preset=preset, rules=rules)


def difficulty_modifiers(preset: str, rules: dict[str, str] | None = None, **terms: Any) -> dict[str, int]:
    """Return the modifiers that raise the difficulty of an attack under those terms, by rule."""
    fight = first_turn(preset, rules=rules)
    points = int(preset == "mam_pools")
    fight.after(replace(SHOT, modifier=points, **terms))
    result = fight.when(Resolve(fight.ruling, 1, 1 if points else None))
    modifiers = result.one(DefenseRolled).modifiers
    return {
        modifier.rule: modifier.value
        for modifier in modifiers
        if modifier.rule[:7] == "MAM-CIR" or modifier.rule in ATK
    }


ATK = ("MAM-ATK-08", "MAM-ATK-09")


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize(
    ("metres", "value"), [("0", 0), ("6.9", 0), ("7", 1), ("13.999", 1), ("14", 2), ("70", 10), ("76", 10), ("140", 20)]
)
def test_each_twentieth_of_the_range_adds_1_to_the_difficulty(preset: str, metres: str, value: int) -> None:
    """MAM-ATK-08: the printed table for 140 m; at the maximum range it is 20."""
    assert difficulty_modifiers(preset, distance=Decimal(metres)) == ({"MAM-ATK-08": value} if value else {})


def test_range_steps_are_not_rounded() -> None:
    """MAM-ATK-08: twenty steps of 0.2 m, or of 2.5 m, without rounding."""
    ruleset = first_turn().ruleset
    assert range_difficulty(Decimal(4), Decimal("0.6"), ruleset) == 3
    assert range_difficulty(Decimal(50), Decimal(5), ruleset) == 2
    assert range_difficulty(Decimal(3), Decimal("0.149999"), ruleset) == 0


def test_a_shot_beyond_the_maximum_range_is_refused_unless_extrapolated() -> None:
    """MAM-ATK-08, option range_beyond_maximum."""
    shot = replace(SHOT, distance=Decimal(147))
    error = first_turn().when(shot).raises("out_of_range", "MAM-ATK-08")
    assert error.sentence == "The target is 147 m away, which is out of range: this weapon reaches 140 m."
    assert difficulty_modifiers("mam_pools", {"range_beyond_maximum": "extrapolate"}, distance=Decimal(147)) == {
        "MAM-ATK-08": 21
    }


def test_a_distance_needs_a_shot_or_throw_and_a_weapon_with_a_range() -> None:
    """MAM-ATK-08: a distance is in metres, within reasonable limits."""
    first_turn().when(Attack("lin", "clone", "body", power=1, distance=Decimal(1))).raises("idle_distance")
    first_turn("mam_pools", replace(FAR, range=Decimal(0))).when(replace(SHOT, distance=Decimal(1))).raises("no_range")
    for metres in ("-1", "NaN", "1E+9", "0.0000001"):
        first_turn().when(replace(SHOT, distance=Decimal(metres))).raises("impossible_distance")


@pytest.mark.parametrize(("kind", "very_dim", "total"), [("grapple", 1, 3), ("strike", 2, 4), ("distance", 3, 5)])
def test_the_difficulty_of_darkness_depends_on_the_kind_of_attack(kind: InTheDark, very_dim: int, total: int) -> None:
    """MAM-ATK-09: the printed table; it doesn't count for the blind, and light adds nothing."""
    ruleset = first_turn().ruleset
    assert darkness_difficulty(kind, "very_dim", None, ruleset) == very_dim
    assert darkness_difficulty(kind, "total_darkness", None, ruleset) == total
    assert darkness_difficulty(kind, "lit", None, ruleset) == 0
    assert darkness_difficulty(kind, "total_darkness", None, ruleset, blind=True) == 0


@pytest.mark.parametrize("preset", PRESETS)
def test_darkness_raises_the_difficulty_of_shots_and_strikes(preset: str) -> None:
    """MAM-ATK-09: it raises the difficulty in every preset, and adds to the range (MAM-ATK-08)."""
    assert difficulty_modifiers(preset, light="very_dim") == {"MAM-ATK-09": 3}
    assert difficulty_modifiers(preset, light="very_dim", weapon="body") == {"MAM-ATK-09": 2}
    assert difficulty_modifiers(preset, light="total_darkness", weapon="body") == {"MAM-ATK-09": 4}
    assert difficulty_modifiers(preset, light="total_darkness", blind=True) == {}
    assert difficulty_modifiers(preset, light="total_darkness", distance=Decimal(21)) == {
        "MAM-ATK-08": 3,
        "MAM-ATK-09": 5,
    }


def test_the_game_master_can_choose_the_difficulty_of_total_darkness() -> None:
    """MAM-ATK-09, option darkness_values: up to the printed number, and in total darkness alone."""
    rules = {"darkness_values": "gm_up_to"}
    assert difficulty_modifiers("mam_pools", rules, light="total_darkness", darkness=2) == {"MAM-ATK-09": 2}
    assert difficulty_modifiers("mam_pools", rules, light="total_darkness", darkness=0) == {}
    assert difficulty_modifiers("mam_pools", rules, light="total_darkness") == {"MAM-ATK-09": 5}
    fight = first_turn(rules=rules)
    fight.when(replace(SHOT, light="total_darkness", darkness=6)).raises("exceeds_maximum", "MAM-ATK-09")
    in_hand = Attack("lin", "clone", "body", power=1, light="total_darkness", darkness=5)
    assert fight.when(in_hand).raises("exceeds_maximum").sentence == "Total darkness adds at most 4 here, not 5."
    fight.when(replace(SHOT, light="very_dim", darkness=2)).raises("idle_darkness")
    first_turn().when(replace(SHOT, light="total_darkness", darkness=2)).raises("idle_darkness")


@pytest.mark.parametrize(
    ("words", "stacked", "larger"),
    [
        (("unfavourable",), {"MAM-ATK-09": 3, "MAM-CIRC-01": 2}, {"MAM-ATK-09": 3}),
        (("hostile",), {"MAM-ATK-09": 3, "MAM-CIRC-01": 4}, {"MAM-CIRC-01": 4}),
        (("favourable",), {"MAM-ATK-09": 3}, {"MAM-ATK-09": 3}),
    ],
)
def test_an_option_decides_if_darkness_adds_to_circumstances(
    words: tuple[str, ...], stacked: dict[str, int], larger: dict[str, int]
) -> None:
    """MAM-ATK-09, MAM-CIRC-02, option darkness_stacks_with_circumstances; the distance always adds."""
    terms: dict[str, Any] = {"light": "very_dim", "circumstance": words, "distance": Decimal(7)}
    assert difficulty_modifiers("mam_pools", **terms) == {"MAM-ATK-08": 1} | stacked
    assert (
        difficulty_modifiers("mam_pools", {"darkness_stacks_with_circumstances": "no"}, **terms)
        == {"MAM-ATK-08": 1} | larger
    )


@pytest.mark.parametrize(
    ("answer", "dark"),
    [
        (Counterattack("clone", 7, "body", modifier=1), [4, -4]),
        (Parry("clone", 7, "body"), [4]),
        (Tackle("clone", 7, 7, points=1), [4, -3]),
        (Interfere("clone", 7, 7, points=1), [4]),
        (Interfere("sentry", 7, 7, weapon="body", modifier=1), [-4]),
    ],
)
def test_darkness_also_counts_for_a_counterattack_or_interference(answer: Command, dark: list[int]) -> None:
    """MAM-ATK-09, MAM-INTF-03: it "can add to the difficulty of an attack", of one that answers an attack too."""
    opening = (Initiative(first="lin", reason="agreed"), BeginTurn("lin"))
    fight = given(LIN, CLONE, Join("sentry", hp=6), *opening, drawn=(1, 1, 1))
    fight.after(Attack("lin", "clone", "body", modifier=2, light="total_darkness"), answer)
    rolls = [roll for roll in fight.when(Resolve(7)).all(RollMade) if roll.combatant == actor_of(answer)]
    assert [modifier.value for modifier in rolls[0].modifiers if modifier.rule == "MAM-ATK-09"] == dark


def test_range_is_checked_when_the_attack_is_declared() -> None:
    """MAM-ATK-08: the distance is judged when the attack is declared."""
    with pytest.raises(Refused):
        range_difficulty(Decimal(10), Decimal("10.01"), first_turn().ruleset)

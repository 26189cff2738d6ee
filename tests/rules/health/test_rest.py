"""Rest: the damage that heals, the healing roll and its opposition."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from mam_events.commands import Adjust, Heal, Join, PoolMove
from mam_events.events import CombatantRecovered, DamageRecovered, HealingRolled
from mam_events.state import Pools
from tests.fighters import CLONE, DUEL, MODRE, with_pools
from tests.rules.rolls.test_success_rolls import HIT
from tests.spec import CommandResult, given

HURT = with_pools(MODRE, ready=1, damage=9)
TEN = {"rest_roll_difficulty": "ten_plus_opposition"}
ONLY = {"rest_roll_difficulty": "opposition_only"}
D20 = {"combat_die": "d20"}


def rest(heal: Heal, rules: dict[str, str], fighter: Join = HURT) -> CommandResult:
    return given(fighter, rules=rules).when(heal)


def is_healed(heal: Heal, rules: dict[str, str]) -> bool:
    """Return True if the attempt succeeds."""
    return bool(rest(heal, rules).one(HealingRolled).outcome == "full")


def recovered_points(heal: Heal, rules: dict[str, str]) -> int:
    """Return the number of points that come back."""
    return sum(event.points for event in rest(heal, rules).all(DamageRecovered))


def test_a_week_heals_one_point_plus_regeneration() -> None:
    """MAM-REST-01, MAM-REST-05."""
    result = rest(Heal("modre", regeneration=2, die=1), TEN)
    assert result.one(DamageRecovered) == DamageRecovered("modre", 3, Pools(ready=1, other_used=3, damage=6))
    assert result.one(HealingRolled).interval == "week"
    assert recovered_points(Heal("modre", die=1), TEN) == 1


def test_negative_regeneration_never_adds_damage() -> None:
    """MAM-REST-01."""
    assert rest(Heal("modre", regeneration=-3, die=20), TEN).all(DamageRecovered) == []


def test_up_to_seven_days_of_rest_are_added_to_the_roll() -> None:
    """MAM-REST-02."""
    assert not is_healed(Heal("modre", 7, die=3), TEN)
    assert is_healed(Heal("modre", 7, die=4), TEN)
    assert not is_healed(Heal("modre", 6, die=4), TEN)
    assert rest(Heal("modre", 8), TEN).raises("exceeds_maximum", "MAM-REST-02").fields == ("rest_days",)


@pytest.mark.parametrize(("reading", "expected"), [("rest_days_only", False), ("rest_days_plus_healer", True)])
def test_an_option_decides_if_a_healer_counts(reading: str, expected: object) -> None:
    """MAM-REST-02."""
    heal = Heal("modre", 1, healer=5, die=5)
    assert is_healed(heal, {"healing_roll_modifier": reading, **TEN}) is expected


def test_a_success_doubles_the_regeneration() -> None:
    """MAM-REST-03."""
    assert recovered_points(Heal("modre", 7, regeneration=2, die=10), TEN) == 5
    assert recovered_points(Heal("modre", 7, die=10), TEN) == 1


def test_an_option_doubles_the_whole_recovery() -> None:
    """MAM-REST-03."""
    rules = {"regeneration_doubling": "whole_recovery", **TEN}
    assert recovered_points(Heal("modre", 7, regeneration=2, die=10), rules) == 6
    assert recovered_points(Heal("modre", 7, die=10), rules) == 2
    assert recovered_points(Heal("modre", 7, regeneration=2, die=1), rules) == 3


def test_opposing_factors_add_up_and_each_is_at_most_5() -> None:
    """MAM-REST-04."""
    assert not is_healed(Heal("modre", 4, opposition=(5, 3), die=14), TEN)
    assert is_healed(Heal("modre", 4, opposition=(5, 3), die=15), TEN)
    error = rest(Heal("modre", opposition=(5, 6)), TEN).raises("factor_above_five", "MAM-REST-04")
    assert error.fields == ("opposition",)


def test_an_option_makes_the_factors_the_whole_difficulty() -> None:
    """MAM-REST-02, MAM-REST-04."""
    assert not is_healed(Heal("modre", 4, opposition=(5, 3), die=4), ONLY)
    assert is_healed(Heal("modre", 4, opposition=(5, 3), die=5), ONLY)
    assert is_healed(Heal("modre", die=1), ONLY)


def test_the_opposition_rolls_the_same_combat_die() -> None:
    """MAM-REST-02, MAM-REST-04."""
    heal = Heal("modre", 4, opposition=(3,), die=2, opposing_die=2)
    event = rest(heal, {}).one(HealingRolled)
    assert [(roll.what, roll.die.kind, roll.total) for roll in event.rolls] == [
        ("healing", "d6", 6),
        ("opposition", "d6", 5),
    ]
    assert event.outcome == "full"
    assert not is_healed(replace(heal, opposing_die=3), {})  # Half a success heals nothing.
    assert not is_healed(replace(heal, opposing_die=4), {})


@pytest.mark.parametrize(
    ("scope", "expected"),
    [("off", [False, True]), ("attacker_only", [True, True]), ("either_side", [True, False])],
)
def test_an_option_decides_whose_natural_20_counts(scope: str, expected: list[bool]) -> None:
    """MAM-REST-02, MAM-ROLL-02."""
    rules = {"automatic_success_in_opposed_rolls": scope, **D20}
    ours = Heal("modre", opposition=(5,), die=20, opposing_die=19)
    theirs = Heal("modre", 7, die=19, opposing_die=20)
    assert [is_healed(ours, rules), is_healed(theirs, rules)] == expected


def test_substitute_dice_are_converted_on_both_sides() -> None:
    """MAM-REST-02, MAM-DICE-04."""
    rules = {"combat_die": "d20_substitute", "automatic_success_in_opposed_rolls": "attacker_only"}
    heal = Heal("modre", die=10, confirmation_die=6, opposing_die=10, opposing_confirmation_die=1, opposition=(5,))
    event = rest(heal, rules).one(HealingRolled)
    assert [(roll.value, roll.automatic) for roll in event.rolls] == [(20, True), (20, False)]
    assert event.outcome == "full"
    assert not is_healed(replace(heal, confirmation_die=5), rules)


def test_a_fixed_difficulty_can_be_rolled_with_a_substitute() -> None:
    """MAM-REST-02."""
    assert is_healed(Heal("modre", kind="d10", die=6), TEN)
    assert not is_healed(Heal("modre", kind="d10", die=5), TEN)


@pytest.mark.parametrize(
    ("heal", "rules"),
    [
        (Heal("modre", opposing_die=3), TEN),
        (Heal("modre", opposing_confirmation_die=3), ONLY),
        (Heal("modre", kind="d10"), {}),
        (Heal("modre", die=6, confirmation_die=6), {}),
    ],
)
def test_an_idle_die_is_refused(heal: Heal, rules: dict[str, str]) -> None:
    """MAM-REST-02."""
    rest(heal, rules).raises("idle_die")


@pytest.mark.parametrize("heal", [Heal("modre", die=7), Heal("modre", die=1, opposing_die=7)])
def test_an_impossible_face_is_refused_before_the_other_die_is_drawn(heal: Heal) -> None:
    """MAM-REST-02."""
    rest(heal, {}).raises("impossible_face")


def test_healing_is_limited_to_the_damage() -> None:
    """MAM-REST-05."""
    fighter = with_pools(MODRE, ready=5, damage=2)
    result = rest(Heal("modre", regeneration=3, die=1), TEN, fighter)
    assert result["modre"].pools == Pools(ready=5, other_used=2)
    assert rest(Heal("modre", die=1), TEN, MODRE).all(DamageRecovered) == []


def test_a_fallen_combatant_recovers_when_a_point_heals() -> None:
    """MAM-REST-05."""
    down = Adjust("he falls", move=(PoolMove("modre", "ready", "damage", 1),))
    result = given(HURT, down, rules=TEN).when(Heal("modre", die=1))
    assert result.all(CombatantRecovered) == [CombatantRecovered("modre")]
    assert result["modre"].condition == "able"


@pytest.mark.parametrize(
    ("quality", "scaled"),
    [("weekly", "week"), ("perfect", "week"), ("daily", "day"), ("hourly", "hour"), ("sudden", "round")],
)
def test_an_option_shortens_the_rest_with_better_regeneration(quality: Any, scaled: str) -> None:
    """MAM-REST-01."""
    heal = Heal("modre", quality=quality, die=1)
    assert rest(heal, TEN).one(HealingRolled).interval == "week"
    scales = {"regeneration_quality_effect": "scales_interval", **TEN}
    assert rest(heal, scales).one(HealingRolled).interval == scaled


def test_resting_is_refused_in_an_exchange_and_for_the_dead() -> None:
    """MAM-REST-02."""
    given(*DUEL, HIT).when(Heal("modre")).raises("exchange_open")
    given(MODRE, CLONE, Adjust("he bleeds", condition={"clone": "dead"})).when(Heal("clone")).raises("out_of_fight")

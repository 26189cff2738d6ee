"""Stun and damage: the effect of a hit, the pools that lose points, and incapacity."""

from __future__ import annotations

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from mam_events.commands import (
    Act,
    Adjust,
    Attack,
    BeginTurn,
    Counterattack,
    DeclaredOutcome,
    Defend,
    EndTurn,
    Interfere,
    Join,
    Parry,
    PoolMove,
    Ready,
    Resolve,
)
from mam_events.events import (
    AttackResolved,
    CombatantDied,
    CombatantIncapacitated,
    CombatantRecovered,
    PoolsAdjusted,
    WoundInflicted,
)
from mam_events.rules.health.wounds import split_wound
from mam_events.rules.rulebook import rulebook
from mam_events.state import Pools, Weapon
from tests.fighters import CLONE, ICE_BLADE, MODRE, duel_orders, with_pools
from tests.spec import CommandResult, GivenFight, given

AXE = replace(ICE_BLADE, id="axe", name="Axe", sharpness=0, attack=0)


def hit_clone(
    clone: Join = CLONE, weapon: Weapon = AXE, *, die: int = 6, rules: dict[str, str] | None = None
) -> CommandResult:
    """Hit the Clone, who rolls a 1, with one point of power in Modre's blow; a die of 1 ties."""
    fight = given(*duel_orders(replace(MODRE, weapon=(weapon,)), clone), rules=rules)
    return fight.after(Attack("modre", "clone", weapon.id, power=1)).when(Resolve(6, attack_die=die, defense_die=1))


def wound_amounts(result: CommandResult) -> tuple[int, int]:
    """Return stun and damage of the hit."""
    hit = result.one(WoundInflicted)
    return hit.stun, hit.damage


def inflict(pools: Pools, stun: int, damage: int, *, rules: dict[str, str] | None = None) -> CommandResult:
    """Hit a Clone with those pools for that stun and damage."""
    fight = given(
        *duel_orders(MODRE, with_pools(CLONE, **to_builtins(pools))), Attack("modre", "clone", power=1), rules=rules
    )
    return fight.when(Adjust("a hit", outcome=DeclaredOutcome(6, "full", stun=stun, damage=damage)))


def test_sharpness_splits_power_into_stun_and_damage() -> None:
    """MAM-WND-03."""
    split = [wound_amounts(hit_clone(weapon=replace(AXE, sharpness=sharpness))) for sharpness in (-9, -3, -2, 0, 2)]
    assert split == [(4, 0), (3, 1), (2, 2), (0, 4), (0, 4)]


def test_absorption_is_subtracted_before_the_split() -> None:
    """MAM-WND-03."""
    assert wound_amounts(hit_clone(replace(CLONE, absorption=1), replace(AXE, sharpness=-2))) == (2, 1)


def test_an_option_adds_positive_sharpness_to_damage() -> None:
    """MAM-WND-03, option `positive_sharpness`."""
    house = {"positive_sharpness": "add_to_damage"}
    assert [
        wound_amounts(hit_clone(weapon=replace(AXE, sharpness=sharpness), rules=house)) for sharpness in (0, 1, 2)
    ] == [
        (0, 4),
        (0, 5),
        (0, 6),
    ]
    assert wound_amounts(hit_clone(replace(CLONE, absorption=5), replace(AXE, sharpness=3), rules=house)) == (0, 2)
    assert wound_amounts(hit_clone(weapon=replace(AXE, sharpness=-2), rules=house)) == (2, 2)


def test_an_option_counts_stun_and_damage_in_full() -> None:
    """MAM-WND-01, MAM-WND-02, option `stun_damage_split`."""
    house = {"stun_damage_split": "independent_definition"}
    assert wound_amounts(hit_clone(weapon=replace(AXE, sharpness=-2), rules=house)) == (4, 2)
    assert wound_amounts(hit_clone(replace(CLONE, absorption=5), replace(AXE, sharpness=3), rules=house)) == (0, 2)
    assert wound_amounts(hit_clone(weapon=replace(AXE, sharpness=-9), rules=house)) == (4, 0)


@pytest.mark.parametrize(("kind", "amounts"), [("sharp", (0, 5)), ("ordinary", (3, 2)), ("padded", (5, 0))])
def test_the_sharpness_class_decides_how_much_becomes_damage(kind: str, amounts: tuple[int, int]) -> None:
    """MAM-WND-04."""
    weapon = replace(AXE, power=4, sharpness_class=kind)
    assert wound_amounts(hit_clone(weapon=weapon)) == amounts
    assert wound_amounts(hit_clone(weapon=weapon, rules={"stun_damage_split": "sharpness_class"})) == amounts


def test_an_item_without_a_sharpness_class_is_ordinary() -> None:
    """MAM-WND-04, option `stun_damage_split`."""
    house = {"stun_damage_split": "sharpness_class"}
    assert wound_amounts(hit_clone(weapon=replace(AXE, power=4, sharpness=-2), rules=house)) == (3, 2)


@pytest.mark.parametrize(
    ("power", "rules", "amounts"),
    [
        (3, {}, (1, 1)),
        (4, {}, (1, 2)),
        (4, {"half_rounding": "down"}, (1, 1)),
        (4, {"half_order": "half_then_split"}, (2, 1)),
        (4, {"half_order": "half_then_split", "half_rounding": "down"}, (2, 0)),
    ],
)
def test_a_half_success_halves_stun_and_damage(power: int, rules: dict[str, str], amounts: tuple[int, int]) -> None:
    """MAM-WND-01, MAM-WND-02, options `half_order` and `half_rounding`."""
    result = hit_clone(weapon=replace(AXE, power=power, sharpness=-2), die=1, rules=rules)
    assert (result.one(AttackResolved).outcome, wound_amounts(result)) == ("half", amounts)


def test_stun_is_taken_before_damage() -> None:
    """MAM-WND-05, option `wound_order`."""
    assert inflict(Pools(ready=3), 2, 2)["clone"].pools == Pools(stun=1, damage=2)
    assert inflict(Pools(ready=3), 2, 2, rules={"wound_order": "damage_first"})["clone"].pools == Pools(damage=3)


def test_points_are_lost_one_pool_after_the_other() -> None:
    """MAM-WND-06, MAM-POOL-10."""
    wound = inflict(Pools(ready=2, defense=2, other_used=2), 1, 4).one(WoundInflicted)
    assert wound == WoundInflicted("clone", 6, 1, 4, Pools(2, 2, 1), 0, 0, Pools(other_used=1, stun=1, damage=4))


def test_stun_that_overflows_turns_stun_into_damage() -> None:
    """MAM-WND-07, option `stun_overflow`."""
    wound = inflict(Pools(ready=1, defense=1, stun=4), 3, 0).one(WoundInflicted)
    assert (wound.pools, wound.overflow, wound.lost) == (Pools(stun=5, damage=1), 1, 0)


def test_losing_the_last_available_point_does_not_overflow() -> None:
    """MAM-WND-07."""
    wound = inflict(Pools(other_used=1, stun=5), 1, 0).one(WoundInflicted)
    assert (wound.pools, wound.overflow) == (Pools(stun=6), 0)


def test_an_option_limits_overflow_to_combatants_without_points() -> None:
    """MAM-WND-07, option `stun_overflow`."""
    house = {"stun_overflow": "whole_hit_only"}
    partly = inflict(Pools(ready=1, defense=1, stun=4), 3, 0, rules=house).one(WoundInflicted)
    assert (partly.pools, partly.lost) == (Pools(stun=6), 1)
    wholly = inflict(Pools(stun=6), 2, 0, rules=house).one(WoundInflicted)
    assert (wholly.pools, wholly.overflow) == (Pools(stun=4, damage=2), 2)


def test_damage_that_overflows_is_taken_from_stun() -> None:
    """MAM-WND-08, option `damage_when_none_available`."""
    event = inflict(Pools(stun=4, damage=2), 0, 3).one(WoundInflicted)
    assert (event.pools, event.overflow, event.lost) == (Pools(stun=1, damage=5), 3, 0)
    lost = inflict(Pools(stun=4, damage=2), 0, 3, rules={"damage_when_none_available": "lost"}).one(WoundInflicted)
    assert (lost.pools, lost.overflow, lost.lost) == (Pools(stun=4, damage=2), 0, 3)


def test_a_hit_without_any_points_left_is_lost() -> None:
    """MAM-WND-08."""
    wound = inflict(Pools(damage=6), 3, 2).one(WoundInflicted)
    assert (wound.pools, wound.lost) == (Pools(damage=6), 5)


def test_a_combatant_without_points_is_incapacitated() -> None:
    """MAM-WND-08, option `all_hp_lost_state`."""
    down = inflict(Pools(ready=6), 2, 4)
    assert down.one(CombatantIncapacitated) == CombatantIncapacitated("clone")
    fight = given(*duel_orders(MODRE, with_pools(CLONE, stun=2, damage=4)), Attack("modre", "clone", power=1))
    for order in (
        Defend("clone", 6, points=1),
        Parry("clone", 6),
        Counterattack("clone", 6, power=1),
        Interfere("clone", 6, 6, points=1),
    ):
        error = fight.when(order).raises("incapacitated", "MAM-WND-08")
    assert error.sentence == "Clone is incapacitated and cannot act until they recover."


def test_an_incapacitated_combatant_can_still_be_hit() -> None:
    """MAM-WND-08."""
    fight = given(
        *duel_orders(MODRE, with_pools(CLONE, stun=2, damage=4)), Attack("modre", "clone", "ice-blade", power=1)
    )
    result = fight.when(Resolve(6, attack_die=6, defense_die=1))
    assert (result["clone"].pools, result["clone"].condition) == (Pools(damage=6), "incapacitated")


def test_a_stunned_combatant_recovers_in_their_own_turn() -> None:
    """MAM-WND-09, MAM-PHASE-01."""
    fight = given(*duel_orders(MODRE, with_pools(CLONE, stun=2, damage=4)), EndTurn("modre"))
    assert fight.when(BeginTurn("clone")).one(CombatantRecovered) == CombatantRecovered("clone")
    fight.after(BeginTurn("clone"), Ready("clone", other_used=1))
    assert fight.when(Act("clone", "groans"))["clone"].condition == "able"


def test_with_stun_recovery_at_turn_end_the_turn_passes_without_an_action() -> None:
    """MAM-WND-09, option `stun_recovery_timing`."""
    house = {"stun_recovery_timing": "turn_end"}
    fight = given(
        *duel_orders(MODRE, with_pools(CLONE, stun=2, damage=4)), EndTurn("modre"), BeginTurn("clone"), rules=house
    )
    fight.when(Act("clone", "groans", points=0)).raises("incapacitated")
    assert fight.when(EndTurn("clone")).one(CombatantRecovered)


def test_an_option_makes_all_damage_mean_death() -> None:
    """MAM-WND-08, option `all_hp_lost_state`."""
    house = {"all_hp_lost_state": "dead_when_all_damage"}
    assert inflict(Pools(ready=6), 0, 6, rules=house).one(CombatantDied) == CombatantDied("clone")
    assert inflict(Pools(ready=6), 1, 5, rules=house).one(CombatantIncapacitated)
    dead = given(*duel_orders(MODRE, with_pools(CLONE, damage=6)), rules=house)
    assert dead.when(Attack("modre", "clone", power=1)).raises("bad_target", "MAM-ATK-01").sentence == "Clone is dead."
    assert dead.after(EndTurn("modre")).state.next_up == "modre"


def test_an_incapacitated_combatant_can_still_die() -> None:
    """MAM-WND-08, option `all_hp_lost_state`."""
    house = {"all_hp_lost_state": "dead_when_all_damage"}
    assert inflict(Pools(stun=2, damage=4), 0, 2, rules=house).one(CombatantDied)


def test_an_option_gives_no_state_to_combatants_without_points() -> None:
    """MAM-WND-08, option `all_hp_lost_state`."""
    result = inflict(Pools(ready=6), 0, 6, rules={"all_hp_lost_state": "no_state"})
    assert not result.all(CombatantIncapacitated)
    assert result["clone"].condition == "able"


def test_points_moved_back_by_the_game_master_end_incapacity() -> None:
    """MAM-WND-08."""
    fight = given(*duel_orders(MODRE, with_pools(CLONE, damage=6)))
    result = fight.when(Adjust("a potion", move=(PoolMove("clone", "damage", "ready", 2),)))
    result.then(PoolsAdjusted("clone", "damage", "ready", 2, Pools(ready=2, damage=4)), CombatantRecovered("clone"))


@pytest.mark.parametrize("absorption", [4, 9])
def test_armor_that_absorbs_more_than_the_power_does_not_heal(absorption: int) -> None:
    """MAM-WND-10."""
    result = hit_clone(replace(CLONE, absorption=absorption))
    assert (result.one(AttackResolved).outcome, result.one(AttackResolved).absorbed) == ("full", absorption)
    assert (result.all(WoundInflicted), result["clone"].pools) == ([], Pools(ready=6))


def test_a_miss_wounds_nobody() -> None:
    """MAM-WND-03, MAM-ATK-04."""
    fight = given(*duel_orders(), Attack("modre", "clone", power=1))
    result = fight.when(Resolve(6, attack_die=1, defense_die=6))
    assert (result.one(AttackResolved).outcome, result.all(WoundInflicted)) == ("fail", [])


def test_an_adjustment_of_missing_points_is_refused() -> None:
    """MAM-POOL-01."""
    fight: GivenFight = given(*duel_orders())
    error = fight.when(Adjust("no", move=(PoolMove("clone", "stun", "ready", 1),))).raises("not_enough_in_pool")
    assert error.sentence == "Clone has 0 points in stun, not 1."


@pytest.mark.parametrize(
    ("power", "absorbed", "rounding", "wound"),
    [(2, 5, "up", (0, 1)), (5, 2, "up", (2, 6)), (2, 2, "up", (0, 4)), (3, 2, "down", (0, 4)), (3, 2, "up", (1, 5))],
)
def test_only_the_power_that_penetrates_armor_is_halved(
    power: int, absorbed: int, rounding: str, wound: tuple[int, int]
) -> None:
    """MAM-ROLL-05, options `half_order` and `half_rounding`: absorbed power is subtracted before halving."""
    readings = {
        "half_order": "half_then_split",
        "half_rounding": rounding,
        "stun_damage_split": "independent_definition",
    }
    assert split_wound(power, absorbed, 4, "half", rulebook().ruleset("mam_pools", readings)) == wound

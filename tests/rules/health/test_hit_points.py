"""Hit points and the five pools: how they begin and what spends them."""

from __future__ import annotations

from decimal import Decimal

import pytest
from msgspec.structs import replace

from mam_events.commands import Act, Attack, BeginTurn, Counterattack, Defend, EndTurn, Join, Move, Ready, Resolve
from mam_events.events import (
    AttackResolved,
    AttackRolled,
    CombatantJoined,
    CombatantMoved,
    CounterattackRolled,
    DefenseRaised,
    DefenseRolled,
    HitPointsSpent,
)
from mam_events.state import Item, Pools
from tests.fighters import CLONE, DUEL, FIRST_ROUND, MODRE, PRINTED_FIGHT, SENTRY, duel_orders, with_pools
from tests.spec import given


@pytest.mark.parametrize(
    ("modifiers", "hp"),
    [((3, 3), 6), ((3, 1, 4, 2), 7), ((4,), 4), ((5, -2), 3), ((-3, -1), 1), ((0,), 1)],
)
def test_hit_points_are_the_best_two_athletic_modifiers_but_at_least_one(modifiers: tuple[int, ...], hp: int) -> None:
    """MAM-HP-01."""
    joined = given().when(Join("beast", athletic=modifiers)).one(CombatantJoined).combatant
    assert (joined.hp, joined.pools) == (hp, Pools(ready=hp))


def test_joining_without_hit_points_is_refused() -> None:
    """MAM-HP-01: athletic abilities of 0 must be given, and mean 1 hit point."""
    given().when(Join("beast")).raises("hit_points_missing", "MAM-HP-01")
    given().when(Join("beast", side="heroes", size=2)).raises("hit_points_missing", "MAM-HP-01")
    assert given().when(Join("beast", pools={"ready": 2, "damage": 3}))["beast"].hp == 5


def test_an_option_makes_a_single_athletic_ability_one_hit_point() -> None:
    """MAM-HP-01, option `single_athletic_ability`."""
    house = given(rules={"single_athletic_ability": "use_default_one"})
    assert house.when(Join("beast", athletic=(4,)))["beast"].hp == 1
    assert house.when(Join("beast", athletic=(4, 2)))["beast"].hp == 6


def test_hit_points_are_either_given_or_computed() -> None:
    """MAM-HP-01."""
    given().when(Join("beast", hp=4, athletic=(3,))).raises("hit_points_twice", "MAM-HP-01")


@pytest.mark.parametrize(("hp", "per_round"), [(1, 1), (2, 1), (6, 3), (7, 4)])
def test_half_the_hit_points_rounded_up_can_become_ready_in_a_round(hp: int, per_round: int) -> None:
    """MAM-HP-02."""
    assert given().when(Join("beast", hp=hp))["beast"].hp_per_round == per_round


def test_the_total_of_hit_points_never_changes_in_a_fight() -> None:
    """MAM-HP-03, MAM-POOL-01."""
    for length in range(2, len(PRINTED_FIGHT) + 1):
        fight = given(*PRINTED_FIGHT[:length])
        assert {name: fighter.pools.total for name, fighter in fight.state.combatants.items()} == {
            "modre": 6,
            "clone": 6,
        }


def test_a_combatant_may_join_with_points_in_every_pool() -> None:
    """MAM-POOL-01."""
    pools = {"ready": 1, "defense": 2, "other_used": 3, "stun": 4, "damage": 5}
    assert given().when(Join("beast", hp=15, pools=pools))["beast"].pools == Pools(1, 2, 3, 4, 5)


def test_pools_that_do_not_add_up_to_the_hit_points_are_refused() -> None:
    """MAM-POOL-01."""
    error = given().when(Join("beast", hp=6, pools={"ready": 4, "stun": 1})).raises("pools_do_not_sum", "MAM-POOL-01")
    assert error.sentence == "beast's pools add up to 5, but must add up to the 6 hit points."


def test_an_unknown_pool_is_refused() -> None:
    """MAM-POOL-01."""
    error = given().when(Join("beast", hp=6, pools={"reserve": 6})).raises("unknown_pool")
    assert "ready, defense, other_used, stun, damage" in error.sentence


@pytest.mark.parametrize(
    ("reading", "encumbrance", "pools"),
    [
        ("all_ready", 0, Pools(ready=6)),
        ("all_ready", 2, Pools(ready=4, other_used=2)),
        ("hp_per_round_ready", 2, Pools(ready=3, other_used=3)),
        ("hp_per_round_ready", 4, Pools(ready=2, other_used=4)),
        ("all_other_used", 2, Pools(other_used=6)),
        ("all_ready", 8, Pools(other_used=6)),
    ],
)
def test_the_encumbrance_reserve_starts_in_other_used(reading: str, encumbrance: int, pools: Pools) -> None:
    """MAM-POOL-01, MAM-POOL-06, option `initial_pools`."""
    fight = given(rules={"initial_pools": reading})
    pack = (Item("pack", encumbrance=encumbrance),)
    assert fight.when(Join("beast", hp=6, item=pack))["beast"].pools == pools


def test_ready_points_are_kept_and_can_be_spent_in_another_turn() -> None:
    """MAM-POOL-02."""
    fight = given(*DUEL, *FIRST_ROUND, BeginTurn("modre"), Ready("modre", other_used=3))
    assert fight.state.combatants["clone"].pools == Pools(ready=3, defense=3)
    attacked = fight.after(Attack("modre", "clone", power=3))
    assert attacked.when(Counterattack("clone", 15, power=2, modifier=1))["clone"].pools.ready == 0


def test_movement_and_modifiers_go_to_defense_and_the_rest_to_other_used() -> None:
    """MAM-POOL-03, MAM-POOL-05, MAM-PHASE-04."""
    fight = given(*duel_orders(with_pools(MODRE, ready=6)))
    attack = fight.when(Attack("modre", "clone", power=4, modifier=1))
    assert attack.one(HitPointsSpent) == HitPointsSpent("modre", "attack", 1, 4, Pools(1, 1, 4))
    assert fight.when(Move("modre", points=2))["modre"].pools == Pools(ready=4, defense=2)
    assert fight.when(Act("modre", "lifts the gate", points=2))["modre"].pools == Pools(ready=4, other_used=2)


def test_the_whole_defense_pool_counts_against_every_attack() -> None:
    """MAM-POOL-03, MAM-ATK-03."""
    fight = given(*duel_orders(clone=with_pools(CLONE, defense=4, other_used=2)))
    for ruling in (6, 8):
        fight.after(Attack("modre", "clone", power=1))
        defense = fight.when(Resolve(ruling, attack_die=1, defense_die=1)).one(DefenseRolled)
        assert [(modifier.name, modifier.value) for modifier in defense.modifiers] == [("Body", 0), ("defense pool", 4)]
        fight.after(Resolve(ruling, attack_die=1, defense_die=1))
    assert fight.state.combatants["clone"].pools.defense == 4


def test_the_defense_pool_does_not_count_for_attacks() -> None:
    """MAM-POOL-04."""
    fight = given(*duel_orders(with_pools(MODRE, ready=2, defense=4), with_pools(CLONE, ready=2, defense=4)))
    fight.after(Attack("modre", "clone", "ice-blade", modifier=2), Counterattack("clone", 6, modifier=1))
    events = fight.when(Resolve(6, attack_die=3, defense_die=3))
    assert (events.one(AttackRolled).total, events.one(CounterattackRolled).total) == (3 + 1 + 2, 3 + 2 + 1)


def test_stun_and_damage_cannot_be_readied_or_spent() -> None:
    """MAM-POOL-09."""
    fight = given(*duel_orders(with_pools(MODRE, ready=1, stun=3, damage=2)))
    assert fight.state.combatants["modre"].pools == Pools(ready=1, other_used=1, stun=2, damage=2)
    fight.when(Ready("modre", other_used=2)).raises("exceeds_maximum", "MAM-PHASE-02")
    fight.when(Attack("modre", "clone", power=2)).raises("not_enough_ready", "MAM-ATK-01")


def test_a_target_may_move_ready_points_to_defense_repeatedly() -> None:
    """MAM-POOL-11."""
    fight = given(*DUEL, Attack("modre", "clone", power=1))
    fight.when(Defend("clone", 6, points=2)).then(
        DefenseRaised(6, "clone", 2), HitPointsSpent("clone", "defend", 2, 0, Pools(ready=4, defense=2))
    )
    assert fight.after(Defend("clone", 6, points=2)).when(Defend("clone", 6, points=4))["clone"].pools.defense == 6


def test_defending_needs_at_least_one_ready_point() -> None:
    """MAM-POOL-11."""
    fight = given(*DUEL, Attack("modre", "clone", power=1))
    fight.when(Defend("clone", 6, points=0)).raises("below_required_amount", "MAM-POOL-11")
    fight.when(Defend("clone", 6, points=7)).raises("not_enough_ready", "MAM-POOL-11")


def test_only_the_target_of_an_open_attack_can_defend() -> None:
    """MAM-POOL-11."""
    fight = given(*duel_orders(MODRE, CLONE, SENTRY), Attack("modre", "clone", power=1))
    fight.when(Defend("sentry", 7, points=1)).raises("not_the_target", "MAM-POOL-11")
    fight.when(Defend("clone", 6, points=1)).raises("no_such_exchange")
    fight.after(Resolve(7, attack_die=1, defense_die=6)).when(Defend("clone", 7, points=1)).raises("no_such_exchange")
    act = given(*DUEL, Act("modre", "shouts"))
    act.when(Defend("clone", 6, points=1)).raises("not_the_target")


def test_an_option_limits_reactions_to_the_points_of_the_attack() -> None:
    """MAM-POOL-11, option `reaction_hp_cap`."""
    capped = given(
        *DUEL, Attack("modre", "clone", power=2, modifier=1), rules={"reaction_hp_cap": "capped_by_attack_hp"}
    )
    capped.when(Defend("clone", 6, points=4)).raises("exceeds_maximum", "MAM-POOL-11")
    capped.after(Defend("clone", 6, points=2)).when(Defend("clone", 6, points=2)).raises("exceeds_maximum")
    assert capped.when(Defend("clone", 6, points=1))["clone"].pools.defense == 3


@pytest.mark.parametrize(("stride", "metres"), [(Decimal(1), Decimal(3)), (Decimal("1.5"), Decimal("4.5"))])
def test_movement_is_points_times_stride(stride: Decimal, metres: Decimal) -> None:
    """MAM-POOL-12."""
    fight = given(*duel_orders(replace(MODRE, stride=stride)))
    fight.when(Move("modre", points=3)).then(
        CombatantMoved("modre", metres), HitPointsSpent("modre", "move", 3, 0, Pools(ready=3, defense=3))
    )


def test_a_move_may_be_shorter_but_not_longer_than_its_points_allow() -> None:
    """MAM-POOL-12."""
    fight = given(*DUEL)
    assert fight.when(Move("modre", points=2, metres=Decimal("0.5"))).one(CombatantMoved).metres == Decimal("0.5")
    assert fight.when(Move("modre", points=2, metres=Decimal(2))).one(CombatantMoved).metres == 2
    error = fight.when(Move("modre", points=2, metres=Decimal("2.5"))).raises("out_of_range", "MAM-POOL-12")
    assert error.sentence == "Modre moves at most 2 m for 2 points, not 2.5 m."
    strides = (replace(DUEL[0], stride=Decimal("0.5")), *DUEL[1:])
    error = given(*strides).when(Move("modre", points=3, metres=Decimal("2.0"))).raises("out_of_range")
    assert error.sentence == "Modre moves at most 1.5 m for 3 points, not 2 m."
    fight.when(Move("modre", points=2, metres=Decimal(-1))).raises("impossible_distance")
    fight.when(Move("modre", points=2, metres=Decimal("NaN"))).raises("impossible_distance")


def test_a_move_needs_at_least_one_ready_point() -> None:
    """MAM-POOL-12."""
    given(*DUEL).when(Move("modre", points=0)).raises("below_required_amount", "MAM-POOL-12")
    given(*DUEL).when(Move("modre", points=7)).raises("not_enough_ready", "MAM-POOL-12")


def test_lost_points_come_from_ready_then_defense_then_other_used() -> None:
    """MAM-POOL-10, MAM-WND-06."""
    fight = given(
        *duel_orders(clone=with_pools(CLONE, ready=1, defense=2, other_used=3)),
        Attack("modre", "clone", "ice-blade", power=2),
    )
    result = fight.when(Resolve(6, attack_die=6, defense_die=1))
    assert result.one(AttackResolved).power == 5
    assert result["clone"].pools == Pools(other_used=1, stun=2, damage=3)


def test_unspent_points_stay_in_their_pools() -> None:
    """MAM-POOL-02."""
    fight = given(*DUEL)
    assert fight.when(EndTurn("modre"))["modre"].pools == Pools(ready=6)

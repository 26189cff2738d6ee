"""Manipulation: penalties, disarming, throwing (MAM-MNP)."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from msgspec.structs import replace

from mam_events.commands import (
    Act,
    Adjust,
    Attack,
    BeginTurn,
    Command,
    Counterattack,
    Defend,
    DropItem,
    EndTurn,
    Escape,
    Hold,
    Interfere,
    Manipulate,
    Parry,
    PickUpItem,
    Resolve,
)
from mam_events.decider.decide import legal_commands
from mam_events.decider.offers import Template
from mam_events.events import (
    AttackResolved,
    AttackRolled,
    DefenseRolled,
    EffectConsumed,
    EffectExpired,
    ManipulationPenaltyApplied,
    ManipulationResolved,
    Modifier,
    TargetDisarmed,
    WoundInflicted,
)
from mam_events.state import Pools, Statistics, Weapon
from tests.fighters import ICE_BLADE, SENTRY, duel_orders
from tests.rules.grips import HIT, SABRE, TIE, TWELVE, gripped, passing, penalties, stand, take
from tests.spec import admits, given


def test_a_manipulation_lowers_only_the_next_combat_roll() -> None:
    """MAM-MNP-01."""
    fight = stand(take(points=3), modre_is=Statistics(size=4), clone_is=Statistics(size=5))
    result = fight.when(HIT)
    assert result.one(ManipulationResolved) == ManipulationResolved(6, "modre", "clone", 7, 5, 2, "full", True, 2)
    assert not result.all(WoundInflicted)
    fight.after(HIT, Attack("modre", "clone", "ice-blade", power=1, modifier=1))
    first = fight.when(Resolve(8, 1, 1))
    assert penalties(first, DefenseRolled, "MAM-MNP-01") == [-2]
    assert first.one(EffectConsumed) == EffectConsumed("clone", "manipulation", -2, 8)
    fight.after(Resolve(8, 1, 1), Attack("modre", "clone", "ice-blade", power=1))
    assert penalties(fight.when(Resolve(10, 1, 6)), DefenseRolled, "MAM-MNP-01") == []


def test_a_manipulation_spends_its_points_and_can_be_reacted_to() -> None:
    """MAM-MNP-01: points to manipulate go to other used, points on the modifier to defense."""
    fight = stand(take(points=3, modifier=2))
    assert fight.state.combatants["modre"].pools == Pools(ready=7, defense=2, other_used=3)
    assert fight.when(Parry("clone", 6, "sabre")).error is None
    assert fight.when(Defend("clone", 6, 4)).error is None
    fight.when(Counterattack("clone", 6, "sabre", power=6)).raises("exceeds_maximum", "MAM-INTF-05")
    result = fight.after(Counterattack("clone", 6, "sabre", power=3, modifier=2)).when(Resolve(6, 1, 6))
    assert result.one(AttackResolved).outcome == "fail"
    assert not result.all(ManipulationResolved)


def test_interference_stops_a_manipulation() -> None:
    """MAM-MNP-01, MAM-INTF-01."""
    fight = given(*duel_orders(TWELVE, SABRE, SENTRY), take(points=3), Interfere("sentry", 7, 7, points=3, bonus=9))
    result = fight.when(Resolve(7, 6, None, {"8": 6}))
    assert result.one(AttackResolved).outcome == "fail"
    assert not result.all(ManipulationResolved)


@pytest.mark.parametrize(("reading", "effective", "held"), [("no_effect", False, 0), ("still_successful", True, 1)])
def test_a_follow_up_needs_an_advantage_unless_the_option_allows_it(
    reading: str, *, effective: bool, held: int
) -> None:
    """MAM-MNP-01, option `manipulation_no_advantage`."""
    fight = gripped(clone_is=Statistics(size=9), dice=HIT, rules={"manipulation_no_advantage": reading})
    assert len(fight.state.combatants["modre"].grapples) == held
    result = stand(take(points=1), clone_is=Statistics(size=1), rules={"manipulation_no_advantage": reading}).when(HIT)
    assert result.one(ManipulationResolved).effective is effective
    assert not result.all(ManipulationPenaltyApplied)


@pytest.mark.parametrize(("reading", "penalty"), [("half_modifier", [-2]), ("no_effect", [])])
def test_half_a_manipulation_has_half_the_penalty(reading: str, penalty: list[int]) -> None:
    """MAM-MNP-01, MAM-ROLL-05, option `half_manipulation`."""
    result = stand(take(points=3), rules={"half_manipulation": reading}).when(TIE)
    assert [event.effect.value for event in result.all(ManipulationPenaltyApplied)] == penalty


@pytest.mark.parametrize(("reading", "expired_by"), [("global_round", BeginTurn("modre")), ("target_turns", None)])
def test_the_manipulation_penalty_expires_after_the_next_round(reading: str, expired_by: Command | None) -> None:
    """MAM-MNP-01, option `manipulation_expiry`: after a number of rounds, or with the target's second turn."""
    fight = stand(take(points=3), HIT, EndTurn("modre"), rules={"manipulation_expiry": reading})
    fight.after(*passing("clone", "modre", "clone"))
    over = EffectExpired("clone", "manipulation")
    if expired_by:
        assert over in fight.when(expired_by).events
    else:
        second_fight = stand(take(points=3), HIT, EndTurn("modre"), rules={"manipulation_expiry": reading})
        second_fight.after(*passing("clone", "modre"))
        assert over in second_fight.when(BeginTurn("clone")).events


def test_the_manipulation_penalty_does_not_count_for_other_actions() -> None:
    """MAM-MNP-01: another action is no combat roll, even if somebody interferes."""
    fight = stand(take(points=3), HIT, EndTurn("modre"), BeginTurn("clone"), Act("clone", "works the winch", points=2))
    fight.after(Interfere("modre", 10, 10, points=1))
    assert fight.when(Resolve(10, 3, None, {"11": 3})).all(EffectConsumed) == []


def test_a_missile_manipulates_with_its_power_minus_five() -> None:
    """MAM-MNP-03."""
    gun = Weapon("gun", kind="gun", power=6, range=Decimal(20))
    fight = stand(
        take(weapon="gun", power=3, distance=Decimal(1)),
        modre=replace(TWELVE, weapon=(gun,)),
        clone_is=Statistics(size=3),
    )
    event = fight.when(HIT).one(ManipulationResolved)
    assert (event.modifier, event.advantage) == (4, 1)
    weak_fight = stand(take(weapon="gun", power=1), modre=replace(TWELVE, weapon=(replace(gun, power=1),)))
    assert weak_fight.when(HIT).one(ManipulationResolved).modifier == 0


@pytest.mark.parametrize("follow_up", ["hold", "choke", "wrench", "throw"])
@pytest.mark.parametrize("kind", ["bow", "crossbow", "gun", "thrown"])
def test_a_missile_cannot_grip(follow_up: Any, kind: Any) -> None:
    """MAM-MNP-03."""
    fight = stand(modre=replace(TWELVE, weapon=(Weapon("toy", kind=kind),)))
    fight.when(take(weapon="toy", follow_up=follow_up, points=1)).raises("missile_weapon", "MAM-MNP-03")


def test_a_disarmed_weapon_can_be_picked_up() -> None:
    """MAM-MNP-02, MAM-MNP-04."""
    fight = stand(take(points=3, follow_up="disarm", item="sabre"))
    assert fight.when(HIT).one(TargetDisarmed) == TargetDisarmed("clone", "modre", "sabre")
    assert fight.when(HIT).one(ManipulationPenaltyApplied).effect.value == -3
    fight.after(HIT, EndTurn("modre"), BeginTurn("clone"))
    fight.when(Attack("clone", "modre", "sabre", power=1)).raises("weapon_not_in_hand")
    fight.after(PickUpItem("clone", "sabre")).when(Attack("clone", "modre", "sabre", power=1)).all()


def test_an_item_dropped_before_the_roll_cannot_be_disarmed() -> None:
    """MAM-MNP-04."""
    fight = stand(take(points=3, follow_up="disarm", item="sabre"), DropItem("clone", "sabre"))
    assert fight.when(HIT).all(TargetDisarmed) == []


@pytest.mark.parametrize("item", ["claws", "body"])
def test_a_body_part_cannot_be_disarmed(item: str) -> None:
    """MAM-MNP-04."""
    stand().when(take(points=3, follow_up="disarm", item=item)).raises("weapon_attached_to_body", "MAM-MNP-04")


@pytest.mark.parametrize(("reading", "taken"), [("fails", 0), ("succeeds", 1)])
def test_an_option_decides_if_half_a_success_disarms(reading: str, taken: int) -> None:
    """MAM-MNP-04, option `half_disarm`."""
    fight = stand(take(points=3, follow_up="disarm", item="sabre"), rules={"half_disarm": reading})
    assert len(fight.when(TIE).all(TargetDisarmed)) == taken


def test_in_speed_rules_only_size_counts_for_a_manipulation() -> None:
    """MAM-MNP-01, MAM-MNP-05: in speed rules."""
    fight = stand(preset="mam_speed", modre_is=Statistics(size=3))
    fight.when(take(points=1, follow_up="hold")).raises("points_not_spent", "MAM-TURN-07")
    fight.after(take(follow_up="hold"))
    result = fight.when(Resolve(6, attack_die=19))
    (grapple,) = result["modre"].grapples
    assert (grapple.points, grapple.modifier) == (0, 3)
    fight.after(Resolve(6, attack_die=19), EndTurn("modre"), BeginTurn("clone"), Attack("clone", "modre", "sabre"))
    assert penalties(fight.when(Resolve(10, attack_die=9)), AttackRolled, "MAM-MNP-05") == [-3]


@pytest.mark.parametrize(
    ("order", "code"),
    [
        (take(power=1), "idle_power"),
        (take(points=1, follow_up="choke"), "idle_points"),
        (take(points=1, item="sabre"), "idle_item"),
        (take(points=1, follow_up="disarm"), "item_missing"),
        (take(points=1, surface="a wall"), "idle_throw"),
        (take(points=1, distance=Decimal(3)), "idle_distance"),
        (take(points=1, light="total_darkness", darkness=1), "idle_darkness"),
        (take(), "below_required_amount"),
        (take(points=13), "not_enough_ready"),
        (take(points=11, follow_up="throw", move=2), "not_enough_ready"),
        (Manipulate("modre", "modre", points=1), "bad_target"),
    ],
)
def test_a_manipulation_with_idle_values_is_refused(order: Manipulate, code: str) -> None:
    """MAM-MNP-01, MAM-MNP-02."""
    stand().when(order).raises(code)


@pytest.mark.parametrize("preset", ["mam_pools", "mam_speed"])
def test_every_possible_manipulation_matches_a_template(preset: str) -> None:
    """MAM-MNP-01, MAM-MNP-02."""
    knife = Weapon("knife", kind="thrown", power=3)
    modre = replace(TWELVE, weapon=(ICE_BLADE, knife, Weapon("gun", kind="gun", range=Decimal(9))))
    fight = stand(modre=modre, preset=preset, modre_is=Statistics(power=5, hand_reach=Decimal(1), size=9))
    fight.after(Adjust("a net falls", hold=(Hold("clone", "net", 0, 2, "modre"),)))
    templates = [offer for offer in legal_commands(fight.state, fight.ruleset) if isinstance(offer, Template)]
    one = 1 if preset == "mam_pools" else 0
    for order in (
        take(points=one),
        take(points=one, follow_up="hold", weapon="ice-blade"),
        take(power=one, follow_up="wrench"),
        take(points=one, follow_up="disarm", item="sabre"),
        take(points=one, follow_up="throw", surface="a wall", surface_power=2, surface_class="sharp", move=one),
        take(power=one, weapon="gun", distance=Decimal(3)),
        take(power=one, weapon="gun", follow_up="disarm", item="sabre"),
        take(power=one, weapon="knife", thrown="quick", distance=Decimal(1)),
        take(points=one, weapon="knife"),
        Escape("modre", "clone", "net", one),
    ):
        fight.when(order).all()
        assert any(admits(template, order) for template in templates), order


def test_darkness_is_least_difficult_for_a_grapple() -> None:
    """MAM-MNP-01, MAM-ATK-09."""
    fight = stand(take(points=3, light="total_darkness"))
    dark = Modifier("total darkness", 3, "MAM-ATK-09")
    assert dark in fight.when(HIT).one(DefenseRolled).modifiers
    house = {"darkness_values": "gm_up_to"}
    error = stand(rules=house).when(take(points=3, light="total_darkness", darkness=4)).raises("exceeds_maximum")
    assert error.sentence == "Total darkness adds at most 3 to a grapple, not 4."

"""Stances and positions: one at a time, their modifiers, and how long they last."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from msgspec.structs import replace

from mam_events.commands import (
    Adjust,
    Aim,
    Attack,
    BeginTurn,
    Body,
    Command,
    Counterattack,
    Drop,
    DropItem,
    EndTurn,
    Evade,
    Hold,
    InstantStand,
    Manipulate,
    Placement,
    Release,
    Resolve,
    Rest,
    Stand,
    TakePosition,
)
from mam_events.decider.decide import legal_commands
from mam_events.decider.offers import Template
from mam_events.events import (
    AttackRolled,
    CombatantRecovered,
    CounterattackResolved,
    DefenseRolled,
    EffectExpired,
    GrappleBroken,
    HitPointsSpent,
    PositionChanged,
    RestTaken,
    StunRecovered,
)
from mam_events.state import Effect, Pools, Weapon
from mam_events.values import AttackMode
from tests.fighters import CLONE, with_pools
from tests.rules.maneuvering.positions import (
    ARMED,
    FIRST,
    GUN,
    NEXT,
    SHOT,
    STRIKE,
    THREE,
    fight_with_positions,
    position_modifiers,
    resolve,
)
from tests.spec import GivenFight, given

FIVE = {"ground_modifiers": "five_point"}
TABLE = {"position_table_source": "table"}
GRIP = Adjust("a grip", hold=(Hold("modre", "grip", 0, held="clone"),))
LYING = Adjust("they roll", position=(Placement("modre", "on_ground"), Placement("clone", "on_ground")))


def attack_modifier(fight: GivenFight, attack: Attack) -> int:
    return position_modifiers(resolve(fight, attack).one(AttackRolled))


def defense_modifier(fight: GivenFight, attack: Attack) -> int:
    return position_modifiers(resolve(fight, attack).one(DefenseRolled))


@pytest.mark.parametrize(("rules", "strike"), [({}, -2), (FIVE, -5)])
def test_the_ground_lowers_melee_attack_and_defense(rules: dict[str, str], strike: int) -> None:
    """MAM-POS-02, MAM-MNV-03."""
    assert attack_modifier(fight_with_positions(("modre", "on_ground"), rules=rules), STRIKE) == strike
    assert attack_modifier(fight_with_positions(("modre", "on_ground"), rules=rules), SHOT) == 0
    assert defense_modifier(fight_with_positions(("clone", "on_ground"), rules=rules), STRIKE) == strike


@pytest.mark.parametrize(("rules", "bonus"), [({}, 2), (FIVE, 5)])
def test_a_target_on_the_ground_is_harder_to_shoot_except_from_above(rules: dict[str, str], bonus: int) -> None:
    """MAM-POS-02, MAM-POS-03."""
    for position in ("on_ground", "aiming_on_ground"):
        assert defense_modifier(fight_with_positions(("clone", position), rules=rules), SHOT) == bonus
        assert (
            defense_modifier(fight_with_positions(("clone", position), rules=rules), replace(SHOT, from_above=True))
            == 0
        )


@pytest.mark.parametrize(("reading", "left"), [("all_ground_positions", 0), ("printed_only", 5)])
def test_an_option_sets_which_positions_are_exposed_from_above(reading: str, left: int) -> None:
    """MAM-POS-03."""
    fight = fight_with_positions(("clone", "ground_fighting", "sentry"), rules={"from_above_scope": reading})
    assert defense_modifier(fight, replace(SHOT, from_above=True)) == left


@pytest.mark.parametrize(("rules", "missile"), [({}, 5), (TABLE, 0)])
def test_grappling_on_the_ground_modifies_attack_and_defense(rules: dict[str, str], missile: int) -> None:
    """MAM-POS-02."""
    for position in ("ground_fighting", "dominant_on_ground"):
        fight = (("clone", position, "sentry"),)
        assert defense_modifier(fight_with_positions(*fight, rules=rules), SHOT) == missile
        assert defense_modifier(fight_with_positions(*fight, rules=rules), STRIKE) == -5
    assert attack_modifier(fight_with_positions(("modre", "ground_fighting", "sentry"), rules=rules), SHOT) == -5


def test_the_dominant_grappler_has_an_advantage_of_ten() -> None:
    """MAM-POS-05."""
    pair = (("modre", "dominant_standing", "clone"), ("clone", "clinch", "modre"))
    result = resolve(fight_with_positions(*pair), STRIKE)
    assert position_modifiers(result.one(AttackRolled)) - position_modifiers(result.one(DefenseRolled)) == 10
    assert attack_modifier(fight_with_positions(*pair), replace(STRIKE, target="sentry")) == -5


def test_an_attack_may_be_strategic_or_cautious() -> None:
    """MAM-POS-02, MAM-POS-04."""
    assert attack_modifier(fight_with_positions(), replace(STRIKE, mode="strategic")) == 5
    assert attack_modifier(fight_with_positions(), replace(SHOT, mode="strategic")) == 5
    fight = fight_with_positions()
    assert attack_modifier(fight, replace(STRIKE, mode="cautious")) == 0
    fight = fight_with_positions().after(replace(STRIKE, mode="cautious"))
    fight.after(Resolve(fight.ruling, attack_die=3, defense_die=3))
    assert fight.state.combatants["modre"].status.effects == (Effect("cautious", 5, "MAM-POS-04", turn=2),)
    fight.after(*NEXT)
    assert defense_modifier(fight, Attack("clone", "modre", power=1)) == 5


def test_a_strategic_stance_ends_with_the_attack() -> None:
    """MAM-POS-01, MAM-POS-04."""
    fight = fight_with_positions().after(replace(STRIKE, mode="strategic"), Resolve(8, attack_die=3, defense_die=3))
    assert fight.state.combatants["modre"].status.position == "standing"
    assert attack_modifier(fight, STRIKE) == 0


@pytest.mark.parametrize("mode", ["powerful", "strategic", "cautious"])
def test_modes_that_need_standing_are_refused_on_the_ground(mode: Any) -> None:
    """MAM-POS-01, MAM-POS-02."""
    fight_with_positions(("modre", "on_ground")).when(replace(STRIKE, mode=mode)).raises(
        "on_the_ground", "MAM-COMBO-05"
    )


@pytest.mark.parametrize(
    "order", [Rest("modre"), Aim("modre", "gun"), Drop("modre"), Stand("modre"), InstantStand("modre")]
)
def test_maneuvers_are_refused_in_a_clinch(order: Command) -> None:
    """MAM-POS-01."""
    fight_with_positions(("modre", "clinch", "clone")).when(order).raises("wrong_position", "MAM-POS-01")


def test_resting_helps_until_the_end_of_the_next_turn() -> None:
    """MAM-POS-04."""
    effect = Effect("resting", 5, "MAM-POS-04", turn=2)
    given(*THREE).when(Rest("modre")).then(
        RestTaken("modre", effect), HitPointsSpent("modre", "action", 0, 1, Pools(ready=5, other_used=1))
    )
    fight = given(*THREE, Rest("modre"), *NEXT)
    assert defense_modifier(fight, Attack("clone", "modre", power=1)) == 5
    fight.after(Resolve(fight.ruling, attack_die=3, defense_die=3))
    round_over = (EndTurn("clone"), BeginTurn("sentry"), EndTurn("sentry"), BeginTurn("modre"))
    assert fight.after(*round_over).when(EndTurn("modre")).one(EffectExpired) == EffectExpired("modre", "resting")


def test_resting_on_the_ground_adds_to_the_ground_modifier() -> None:
    """MAM-POS-02."""
    fight = fight_with_positions(("modre", "on_ground")).after(Rest("modre"), *NEXT)
    assert defense_modifier(fight, Attack("clone", "modre", power=1)) == 3


def test_an_option_lets_resting_recover_all_stun() -> None:
    """MAM-POS-04."""
    fighter = with_pools(ARMED, ready=2, stun=4)
    rules = {"rest_action_effect": "recover_all_stun", "stun_recovery_timing": "turn_end"}
    result = given(fighter, CLONE, *FIRST, rules=rules).when(Rest("modre"))
    assert result.one(StunRecovered) == StunRecovered("modre", 4, Pools(ready=1, other_used=5))
    assert not result.all(CombatantRecovered)
    assert not given(fighter, CLONE, *FIRST).when(Rest("modre")).all(StunRecovered)


def test_only_the_holder_may_be_dominant() -> None:
    """MAM-POS-05."""
    fight = given(*THREE, GRIP)
    fight.when(TakePosition("modre", "dominant_standing", "clone")).then(
        PositionChanged("modre", "standing", "dominant_standing", "grapple", "clone"),
        PositionChanged("clone", "standing", "clinch", "grapple", "modre"),
    )
    fight.after(LYING, TakePosition("modre", "dominant_on_ground", "clone"))
    statuses = [fight.state.combatants[name].status for name in ("modre", "clone")]
    assert [status.position for status in statuses] == ["dominant_on_ground", "ground_fighting"]
    assert [status.dominant_over for status in statuses] == ["clone", ""]
    fight.after(*NEXT)
    fight.when(TakePosition("clone", "dominant_on_ground", "modre")).raises("not_the_holder", "MAM-POS-05")
    fight.when(TakePosition("clone", "ground_fighting", "modre")).raises("dominated", "MAM-POS-05")
    fight.when(TakePosition("clone", "clinch", "sentry")).raises("not_grappling")


def test_taking_a_position_does_not_change_standing_or_lying() -> None:
    """MAM-POS-05, MAM-MNV-04, MAM-MNP-08: standing up is an action, and lying is the result of a throw or a drop."""
    for fight in (given(*THREE, GRIP), given(*THREE, GRIP, TakePosition("modre", "dominant_standing", "clone"))):
        for position in ("ground_fighting", "dominant_on_ground"):
            error = fight.when(TakePosition("modre", position, "clone")).raises("wrong_level", "MAM-POS-05")
            assert "clinch or dominant_standing" in error.sentence
    one_lies = given(*THREE, Drop("modre"), GRIP)
    everything: tuple[Any, ...] = ("clinch", "dominant_standing", "ground_fighting", "dominant_on_ground")
    for each in everything:
        one_lies.when(TakePosition("modre", each, "clone")).raises("wrong_level", "MAM-POS-05")
    one_lies.after(Stand("modre")).when(TakePosition("modre", "clinch", "clone")).all()
    lying = given(*THREE, GRIP, LYING)
    lying.when(TakePosition("modre", "clinch", "clone")).raises("wrong_level")
    assert lying.after(TakePosition("modre", "ground_fighting", "clone"), Release("modre", "grip")).state.combatants[
        "modre"
    ].status.position == ("on_ground")


def test_only_possible_positions_are_offered() -> None:
    """MAM-POS-05."""
    for more, expected in (
        ((), ("clinch", "dominant_standing")),
        ((LYING,), ("ground_fighting", "dominant_on_ground")),
    ):
        fight = given(*THREE, GRIP, *more)
        offers = [one for one in legal_commands(fight.state, fight.ruleset) if isinstance(one, Template)]
        (offer,) = (one for one in offers if (one.do, one.combatant) == ("take-position", "modre"))
        assert offer.fields[1].choices == expected


def test_a_second_holder_cannot_take_a_position_in_a_grapple() -> None:
    """MAM-POS-01, MAM-POS-05: the first holder still holds, so the held combatant is not free."""
    both = Adjust("from behind", hold=(Hold("sentry", "arm", 0, held="clone"),))
    fight = given(*THREE, GRIP, both, TakePosition("modre", "dominant_standing", "clone"), EndTurn("modre"))
    fight.after(BeginTurn("clone"), EndTurn("clone"), BeginTurn("sentry"))
    for position in ("clinch", "dominant_standing"):
        fight.when(TakePosition("sentry", position, "clone")).raises("wrong_position", "MAM-POS-01")
    fight.after(Release("modre", "grip")).when(TakePosition("sentry", "clinch", "clone")).all()


def test_a_net_is_not_a_grapple() -> None:
    """MAM-POS-05, MAM-MNP-03: a net holds where it lies."""
    net = Weapon("net", kind="thrown", power=9, heft=-3, holds=True)
    fight = given(
        replace(ARMED, hand_reach=Decimal(1), weapon=(net, GUN)),
        CLONE,
        *FIRST,
        Manipulate("modre", "clone", "net", power=1, follow_up="hold", thrown="quick"),
    )
    fight.after(Resolve(fight.ruling, attack_die=6, defense_die=1))
    assert fight.state.combatants["modre"].grapples
    fight.when(TakePosition("modre", "clinch", "clone")).raises("not_grappling")
    fight.when(Aim("modre", "gun")).all()


def test_releasing_a_hold_ends_both_positions() -> None:
    """MAM-POS-05."""
    fight = given(*THREE, GRIP, TakePosition("modre", "dominant_standing", "clone"))
    let_go = fight.when(Release("modre", "grip")).all(PositionChanged)
    assert [(event.combatant, event.position, event.cause) for event in let_go] == [
        ("modre", "standing", "let go"),
        ("clone", "standing", "let go"),
    ]
    fight.after(LYING, TakePosition("modre", "ground_fighting", "clone"))
    assert {event.position for event in fight.when(Release("modre", "grip")).all(PositionChanged)} == {"on_ground"}


def test_a_broken_hold_ends_both_positions() -> None:
    """MAM-POS-05."""
    grip = Adjust("a grip", hold=(Hold("modre", "grip", 2, held="clone"),))
    strong = replace(CLONE, body=Body(power=3, attack=9))
    fight = given(
        with_pools(ARMED, ready=1, other_used=2), strong, *FIRST, grip, TakePosition("modre", "clinch", "clone")
    )
    result = resolve(fight.after(*NEXT), Attack("clone", "modre", power=1))
    result.one(GrappleBroken)
    assert {event.combatant for event in result.all(PositionChanged)} == {"modre", "clone"}


def test_the_game_master_can_place_only_one_dominant_grappler() -> None:
    """MAM-POS-05."""
    word = Adjust("so it is", position=(Placement("modre", "dominant_standing", "clone"),))
    given(*THREE).when(word).then(
        PositionChanged("modre", "standing", "dominant_standing", "game master", "clone"),
        PositionChanged("clone", "standing", "clinch", "game master", "modre"),
    )
    both = replace(word, position=(*word.position, Placement("clone", "dominant_standing", "modre")))
    given(*THREE).when(both).raises("two_dominant", "MAM-POS-05")
    given(*THREE).when(replace(word, position=(Placement("modre", "clinch"),))).raises("partner_missing")
    given(*THREE).when(replace(word, position=(Placement("modre", "standing", "clone"),))).raises("partner_missing")
    given(*THREE).when(replace(word, position=(Placement("modre", "clinch", "nobody"),))).raises("unknown_combatant")


@pytest.mark.parametrize(("mode", "hit"), [("cautious", "fail"), ("quick", "full")])
def test_a_cautious_attack_defends_against_a_simultaneous_attack(mode: AttackMode, hit: str) -> None:
    """MAM-POS-04, MAM-ATK-12."""
    fight = given(*THREE, replace(STRIKE, mode=mode), rules={"pool_counterattack": "simultaneous_exchange"})
    fight.after(Counterattack("clone", fight.ruling, "body", modifier=1))
    assert fight.when(Resolve(fight.ruling - 1, 1, 2)).one(CounterattackResolved).outcome == hit


def test_the_bonus_of_cautious_attacks_does_not_add_up() -> None:
    """MAM-POS-04: "give a defense bonus until the end of the character's next turn"; evading has its own."""
    cautious = replace(STRIKE, mode="cautious", power=1)
    fight = given(*THREE, cautious, Resolve(7, 1, 6), cautious)
    caution = Effect("cautious", 5, "MAM-POS-04", turn=2)
    assert fight.when(Resolve(9, 1, 6))["modre"].status.effects == (caution,)
    assert fight.after(DropItem("modre", "ice-blade")).when(Resolve(9))["modre"].status.effects == (caution,)
    fight.after(Resolve(9))
    assert fight.when(Evade("modre"))["modre"].status.effects == (caution, Effect("evasion", 2, "MAM-MNV-01", turn=2))

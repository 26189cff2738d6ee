"""Rounds and initiative (RD6-RND, RD6-INIT, RD6-TIE)."""

from __future__ import annotations

from typing import Any

import pytest

from mam_events.commands import (
    Adjust,
    Declare,
    EndTurn,
    Incapacitate,
    Initiative,
    Interrupt,
    MoveUp,
    Perform,
    Recover,
    Result,
    RollInitiative,
    Round,
    SkipTurn,
    Spend,
    Wait,
)
from mam_events.events import (
    ActionsLost,
    CombatantIncapacitated,
    InitiativeRolled,
    RoundEnded,
    RoundStarted,
    TurnEnded,
    TurnRegained,
    TurnSkipped,
)
from tests.patrol import BRUTE, ROOK, THUG, fighter, patrol, turn_order
from tests.spec import given


def test_rounds_follow_each_other_until_the_fight_is_closed() -> None:
    """RD6-RND-01: each round has one action without penalty."""
    fight = patrol(ROOK, THUG, actions=1)
    assert fight.state.combatants["rook"].actions.left == 1
    fight.after(Round(), Round())
    assert fight.state.round == 3


def test_actions_of_a_round_happen_one_after_another() -> None:
    """RD6-RND-02: a later combatant waits for the earlier ones and for the results of their rolls."""
    fight = patrol(ROOK, THUG)
    fight.when(Declare("thug")).raises("out_of_turn", "RD6-INIT-04")
    fight.after(Declare("rook"), Perform("rook", "punch", dice=(1, 2, 3, 4)))
    fight.when(Declare("thug")).raises("action_open", "RD6-ACT-04")
    fight.after(Result(7, "failure"), Declare("thug"))


def test_the_next_round_begins_with_a_new_roll() -> None:
    """RD6-RND-03, RD6-INIT-05: combatants who did not act are listed, because the round may end early."""
    fight = patrol(ROOK, THUG, BRUTE, actions=1)
    result = fight.when(Round())
    result.then(RoundEnded(1, {"rook": 1}, ("thug", "brute"), rolled_anew=True), RoundStarted(2))
    fight.after(Round())
    assert not fight.state.order
    fight.when(Declare("rook")).raises("out_of_turn", "RD6-INIT-01")
    fight.after(RollInitiative(("thug",), dice={"thug": (2,)}), RollInitiative(("rook",), dice={"rook": (1,)}))
    assert turn_order(fight) == ["thug", "rook"]


def test_declared_actions_that_were_not_used_are_lost_with_the_round() -> None:
    """RD6-RND-04: they don't count in the next round."""
    fight = patrol(ROOK, THUG, actions=4).after(Perform("rook", "communicate"))
    assert fight.when(Round()).one(RoundEnded).lost == {"rook": 3}
    assert fight.after(Round()).state.combatants["rook"].actions.left == 0


def test_a_combatant_who_wakes_before_their_turn_may_act_under_an_option() -> None:
    """RD6-INIT-07: "lose their action until they wake up or get free, even if they haven't taken it already"."""
    downs = (Incapacitate("thug", "a net"), Declare("rook", 2))
    usual = patrol(ROOK, THUG, BRUTE).after(*downs, Recover("thug"))
    usual.when(Declare("brute")).all()
    house = {"rd6_waking": "in_its_place"}
    for more in ({}, {"rd6_incapacitated_loses": "next_action"}):
        woken_fight = patrol(ROOK, THUG, BRUTE, rules=house | more).after(*downs)
        assert woken_fight.when(Recover("thug")).all(TurnRegained) == [TurnRegained("thug")]
        woken_fight.after(Recover("thug"))
        assert woken_fight.when(Declare("thug", 2))["thug"].actions.left == 2
    passed_fight = patrol(ROOK, THUG, BRUTE, rules=house).after(*downs, Declare("brute"))
    assert not passed_fight.when(Recover("thug")).all(TurnRegained)
    had = patrol(ROOK, THUG, BRUTE, rules=house).after(Declare("rook", 2), Incapacitate("rook"))
    assert not had.when(Recover("rook")).all(TurnRegained)
    moved_up = patrol(ROOK, THUG, BRUTE, rules=house).after(*downs, MoveUp("brute", "gm_allows"))
    moved_up.after(Recover("thug"), Declare("thug"))
    asleep = patrol(ROOK, THUG, rules=house).after(Incapacitate("thug"), Round())
    asleep.after(RollInitiative(("rook",), dice={"rook": (1,)}), Declare("rook"), Recover("thug"))
    asleep.after(RollInitiative(("thug",), dice={"thug": (5,)}), Declare("thug"))


def test_a_combatant_who_wakes_beside_their_group_acts_with_it() -> None:
    """RD6-INIT-07, RD6-INIT-01: the place of a group is not over while one of it can act."""
    goons = (fighter("goon", group="gang"), fighter("lout", group="gang"))
    rules = {"rd6_waking": "in_its_place", "rd6_group_initiative": "as_one_entry"}
    for waking_rules in (rules, {"rd6_waking": "in_its_place"}):
        fight = given(*goons, ROOK, Round(), rules=waking_rules, preset="ron_d6")
        fight.after(RollInitiative(("goon", "rook"), dice={"goon": (4,), "rook": (2,)}), Incapacitate("goon"))
        fight.after(Declare("lout"))
        assert bool(fight.when(Recover("goon")).all(TurnRegained)) is (waking_rules is rules)


def test_a_group_rolls_once_and_acts_in_order_of_joining() -> None:
    """RD6-INIT-01: the first member rolls; `rd6_group_initiative` lets them act in any order."""
    goons = (fighter("goon", group="gang"), fighter("lout", group="gang"))
    rolls = (RollInitiative(("goon", "lout", "rook"), dice={"goon": (4,), "rook": (2,)}),)
    fight = given(*goons, ROOK, Round(), preset="ron_d6")
    group_rolls = fight.when(rolls[0]).all(InitiativeRolled)
    assert [(event.combatant, event.members) for event in group_rolls] == [
        ("goon", ("goon", "lout")),
        ("rook", ("rook",)),
    ]
    fight.after(*rolls)
    assert turn_order(fight) == ["goon", "lout", "rook"]
    fight.when(Declare("lout")).raises("out_of_turn")
    together_fight = given(
        *goons, ROOK, Round(), *rolls, rules={"rd6_group_initiative": "as_one_entry"}, preset="ron_d6"
    )
    together_fight.when(Declare("rook")).raises("out_of_turn")
    together_fight.after(SkipTurn("lout"), Declare("goon"))
    together_fight.when(Declare("lout")).raises("turn_had")


def test_a_player_character_cannot_be_in_a_group() -> None:
    """RD6-INIT-01: a group consists of combatants of the game master."""
    fight = given(preset="ron_d6")
    fight.when(fighter("rook", kind="pc", group="gang")).raises("group_of_others", "RD6-INIT-01")


def test_nobody_rolls_twice_and_a_late_joiner_rolls_into_the_round() -> None:
    """RD6-INIT-01: at the place of the total."""
    fight = patrol(ROOK, THUG)
    fight.when(RollInitiative(("rook",))).raises("already_rolled", "RD6-INIT-01")
    fight.after(Declare("rook"), BRUTE, RollInitiative(("brute",), dice={"brute": (5,)}))
    assert turn_order(fight) == ["rook", "brute", "thug"]
    fight.after(Declare("brute"))


def test_a_second_roll_is_refused_after_everybody_has_acted() -> None:
    """RD6-INIT-05: only the next round ends this one."""
    fight = patrol(ROOK, THUG).after(Declare("rook"), Declare("thug"), EndTurn("thug"))
    fight.when(RollInitiative(("rook", "thug"))).raises("already_rolled", "RD6-INIT-01")


def test_an_incapacitated_combatant_loses_the_rest_of_the_round() -> None:
    """RD6-INIT-07: the actions are back in the round after recovering."""
    fight = patrol(ROOK, THUG, actions=3).after(Perform("rook", "communicate"))
    result = fight.when(Incapacitate("rook", "a brick"))
    assert result.one(ActionsLost) == ActionsLost("rook", 2)
    fight.after(Incapacitate("rook", "a brick"))
    fight.when(Perform("rook", "communicate")).raises("incapacitated")
    fight.after(Recover("rook", "cold water"))
    fight.when(Perform("rook", "communicate")).raises("no_actions_left")
    fight.after(Incapacitate("rook"), Round())
    fight.after(RollInitiative(("rook", "thug"), dice={"rook": (5,), "thug": (1,)}), Recover("rook"))
    fight.when(Declare("rook")).raises("turn_lost", "RD6-INIT-07")
    fight.when(Incapacitate("rook")).then(CombatantIncapacitated("rook"))
    fight.when(Initiative(first="thug", reason="he is awake")).all()
    fight.after(Declare("thug"), Round(), RollInitiative(("rook",), dice={"rook": (5,)}), Declare("rook"))


def test_an_incapacitated_combatant_loses_a_turn_not_yet_taken() -> None:
    """RD6-INIT-07."""
    fight = patrol(ROOK, THUG, BRUTE, actions=1)
    assert fight.when(Incapacitate("thug", "bound")).one(ActionsLost) == ActionsLost("thug", 0, turn=True)
    fight.after(Incapacitate("thug", "bound"), Declare("brute"))
    fight.when(Incapacitate("thug")).raises("incapacitated", "RD6-INIT-07")
    fight.when(Recover("brute")).raises("able", "RD6-INIT-07")


@pytest.mark.parametrize("word", ["incapacitated", "out", "dead"])
def test_incapacity_by_adjustment_also_loses_the_turn(word: Any) -> None:
    """RD6-INIT-07: "even if they haven't taken it already", by any condition; `rd6_incapacitated_loses`."""
    down, able = (Adjust("a brick", condition={"thug": condition}) for condition in (word, "able"))
    fight = patrol(ROOK, THUG, BRUTE, actions=1)
    assert fight.when(down).one(ActionsLost) == ActionsLost("thug", 0, turn=True)
    late_fight = patrol(ROOK, THUG, BRUTE, actions=1).after(down, Declare("brute"), able)
    late_fight.when(Declare("thug")).raises("turn_lost", "RD6-INIT-07")
    fight.after(Declare("thug", 2), Wait("thug"))
    assert fight.when(down).one(ActionsLost) == ActionsLost("thug", 1)
    fight.after(down, Declare("brute"), Perform("brute", "punch", dice=(1,) * 4))
    assert fight.when(down).all(ActionsLost) == []
    fight.after(able).when(Interrupt("thug", "dodge", against=fight.ruling - 1)).raises("no_actions_left")
    sparing = patrol(THUG, ROOK, actions=3, rules={"rd6_incapacitated_loses": "next_action"})
    assert sparing.when(down).one(ActionsLost) == ActionsLost("thug", 1)


def test_incapacity_before_the_roll_loses_the_turn_of_the_round() -> None:
    """RD6-INIT-07: nobody's points wait for them."""
    fight = given(ROOK, THUG, Round(), Incapacitate("thug"), Recover("thug"), preset="ron_d6")
    fight.after(RollInitiative(("rook", "thug"), dice={"rook": (1,), "thug": (5,)}))
    fight.when(Declare("thug")).raises("turn_lost", "RD6-INIT-07")
    fight.after(Spend("rook", "character", "initiative", dice=(1,)), Declare("rook"))


def test_an_option_takes_only_the_next_action() -> None:
    """RD6-INIT-07, `rd6_incapacitated_loses`: the remaining actions are kept."""
    rules = {"rd6_incapacitated_loses": "next_action"}
    fight = patrol(ROOK, THUG, actions=3, rules=rules).after(Incapacitate("rook"), Recover("rook"))
    fight.after(Perform("rook", "communicate"), Perform("rook", "communicate"))
    fight.when(Perform("rook", "communicate")).raises("no_actions_left", "RD6-ACT-02")


def test_a_turn_can_be_skipped() -> None:
    """RD6-INIT-04: the next combatant follows."""
    fight = patrol(ROOK, THUG)
    fight.when(SkipTurn("thug")).raises("out_of_turn")
    fight.when(SkipTurn("rook")).then(TurnSkipped("rook", required=False, skips_owed=0), TurnEnded("rook"))
    fight.after(SkipTurn("rook"))
    fight.when(Wait("rook")).raises("out_of_turn", "RD6-ACT-03")
    fight.after(Declare("thug"))


def test_joining_with_hit_points_is_refused() -> None:
    """RD6-INIT-07: wounds are declared by the game master."""
    fight = given(preset="ron_d6")
    fight.when(fighter("rook", hp=6)).raises("no_hit_points", "RD6-INIT-07")
    fight.when(fighter("rook", pools={"ready": 3})).raises("no_hit_points")

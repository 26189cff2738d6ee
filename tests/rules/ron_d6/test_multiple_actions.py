"""Multiple actions in a turn: their number, waits, lost dice, and limits (RD6-ACT, RD6-MAP, RD6-LIM)."""

from __future__ import annotations

from decimal import Decimal

import pytest

from mam_events.commands import (
    Declare,
    EndTurn,
    Incapacitate,
    Interrupt,
    Move,
    Perform,
    Recover,
    Roll,
    Round,
    Spend,
    Wait,
)
from mam_events.events import (
    ActionPerformed,
    ActionsDeclared,
    CodeRolled,
    CombatantWaited,
    FreeRollMade,
    PointSpent,
)
from tests.patrol import ROOK, THUG, fighter, given_swing, patrol
from tests.spec import given


def test_the_number_of_actions_is_fixed_at_the_beginning_of_a_turn() -> None:
    """RD6-ACT-01, RD6-ACT-02: the number is fixed first, and no action can be added."""
    fight = patrol(ROOK, THUG)
    error = fight.when(Perform("rook", "communicate")).raises("out_of_turn", "RD6-ACT-03")
    assert error.sentence == "rook must first say how many actions they take (declare)."
    error = fight.when(Perform("thug", "communicate")).raises("out_of_turn", "RD6-ACT-03")
    assert error.sentence == "thug cannot act yet: rook is next."
    fight.when(Declare("rook", 2)).then(ActionsDeclared("rook", 2, 4, 1))
    fight.after(Declare("rook", 2))
    fight.when(Declare("rook", 3)).raises("turn_had", "RD6-ACT-02")
    fight.after(Perform("rook", "communicate"), Perform("rook", "ready"))
    error = fight.when(Perform("rook", "ready")).raises("no_actions_left", "RD6-ACT-02")
    assert error.sentence == "rook has used all 2 of their actions this round, and none can be added."
    error = patrol(ROOK, actions=1).after(Perform("rook", "ready")).when(Perform("rook", "ready")).raises(error.code)
    assert error.sentence == "rook has used their one action this round, and none can be added."


def test_a_wait_takes_an_action_and_the_next_combatant_begins() -> None:
    """RD6-ACT-03: act, wait, act, wait; a combatant who waited acts between others' actions."""
    fight = patrol(ROOK, THUG, actions=4).after(Perform("rook", "communicate"))
    fight.when(Wait("rook")).then(CombatantWaited("rook", 2))
    fight.after(Wait("rook"), Declare("thug", 2), Perform("thug", "communicate"))
    fight.after(Perform("rook", "communicate"), Wait("rook"), Perform("thug", "communicate"))
    fight.when(Perform("rook", "communicate")).raises("no_actions_left")


def test_a_turn_that_ends_without_a_wait_is_over() -> None:
    """RD6-ACT-03, RD6-ACT-07: a turn that is over gives no reaction."""
    fight = patrol(ROOK, THUG, actions=3).after(Perform("rook", "communicate"), Declare("thug"))
    error = fight.when(Perform("rook", "communicate")).raises("out_of_turn", "RD6-ACT-03")
    assert "Only those who wait may act later" in error.sentence
    ended_fight = patrol(ROOK, THUG, actions=3).after(EndTurn("rook"))
    ended_fight.when(Wait("rook")).raises("out_of_turn")


def test_a_combatant_who_waited_acts_until_somebody_else_does() -> None:
    """RD6-ACT-03: a combatant may take several actions and wait again."""
    fight = patrol(ROOK, THUG, actions=4).after(Wait("rook"), Declare("thug", 2), Perform("thug", "communicate"))
    fight.after(Perform("rook", "communicate"), Perform("rook", "communicate"), Perform("thug", "communicate"))
    fight.when(Perform("rook", "communicate")).raises("out_of_turn", "RD6-ACT-03")


@pytest.mark.parametrize(("declared_count", "penalty"), [(1, 0), (2, 1), (4, 3)])
def test_each_action_after_the_first_costs_every_roll_one_die(declared_count: int, penalty: int) -> None:
    """RD6-MAP-01, RD6-MAP-04: four actions are -3D each."""
    fight = patrol(ROOK, THUG, actions=declared_count)
    dice = (1,) * (4 - penalty)
    event = fight.when(Perform("rook", "punch", dice=dice)).one(ActionPerformed)
    assert (event.roll.penalty, event.roll.total) == (penalty, len(dice))
    assert fight.when(Roll("rook", "glance", code="4D", dice=dice)).one(FreeRollMade).roll.penalty == penalty


def test_rolls_for_damage_and_resistance_lose_no_dice() -> None:
    """RD6-MAP-02, RD6-FREE-02: these rolls are not actions; feelings are skill rolls."""
    fight = patrol(ROOK, THUG, actions=4)
    assert fight.when(Roll("rook", "damage", code="2D", dice=(1, 2))).one(FreeRollMade).roll.penalty == 0
    assert fight.when(Roll("rook", "resistance", code="2D", dice=(1, 2))).one(FreeRollMade).roll.penalty == 0
    fight.when(Roll("rook", "emotion", "willpower", "2D")).raises("reduced_to_zero", "RD6-MAP-06")
    assert fight.state.combatants["rook"].actions.left == 4
    fight.when(Roll("rook", "emotion", "willpower")).raises("code_missing", "RD6-FREE-02")


def test_actions_within_an_allotment_cost_no_dice() -> None:
    """RD6-MAP-03: beyond it all rolls lose dice, or (`rd6_map_scope`) only the further ones."""
    quick_fighter = fighter("quick", allotment=2)
    every_fight = patrol(quick_fighter, actions=3)
    assert every_fight.when(Perform("quick", "punch", dice=(1, 1, 1))).one(ActionPerformed).roll.penalty == 1
    excess_fight = patrol(quick_fighter, actions=3, rules={"rd6_map_scope": "excess_actions_only"})
    assert excess_fight.when(Perform("quick", "punch", dice=(1, 1, 1, 1))).one(ActionPerformed).roll.penalty == 0
    excess_fight.after(Perform("quick", "communicate"), Perform("quick", "communicate"))
    assert excess_fight.when(Perform("quick", "punch", dice=(1, 1, 1))).one(ActionPerformed).roll.penalty == 1


def test_a_code_without_dice_cannot_be_rolled() -> None:
    """RD6-MAP-06: unless `rd6_zero_dice` keeps its pips."""
    fight = patrol(ROOK, THUG, actions=3)
    fight.when(Perform("rook", "use", "mending", "2D+1")).raises("reduced_to_zero", "RD6-MAP-06")
    pips = patrol(ROOK, THUG, actions=3, rules={"rd6_zero_dice": "pips_only"})
    assert pips.when(Perform("rook", "use", "mending", "2D+1")).one(ActionPerformed).roll.total == 1
    pips.when(Perform("rook", "use", "mending", "2D")).raises("reduced_to_zero")


def test_agility_limits_the_number_of_actions() -> None:
    """RD6-LIM-01: the dice and not the pips, at least one; an ability's allotment counts only under an option."""
    nimble_fighter = fighter("nimble", code={"agility": "2D+2"}, allotment=5)
    patrol(nimble_fighter).when(Declare("nimble", 3)).raises("over_limit", "RD6-LIM-01")
    patrol(nimble_fighter).when(Declare("nimble", 2)).all()
    patrol(nimble_fighter, rules={"rd6_allotment_limit": "at_least_allotment"}).when(Declare("nimble", 5)).all()
    patrol(fighter("slow", code={"agility": "0D+2"})).when(Declare("slow", 1)).all()


def test_a_fate_point_doubles_the_limit() -> None:
    """RD6-LIM-02: spent before the number is fixed, once a round; ranks of quickness count only under an option."""
    lucky = fighter("lucky", code={"agility": "2D"}, quickness_ranks=1, fate_points=2)
    fight = patrol(lucky, THUG)
    fight.when(Declare("lucky", 5)).raises("over_limit")
    fight.when(Spend("lucky", "fate", "limit")).then(PointSpent("lucky", None, "fate", "limit", 1))
    fight.after(Spend("lucky", "fate", "limit"))
    fight.when(Spend("lucky", "fate", "limit")).raises("once_per_round", "RD6-LIM-02")
    fight.when(Declare("lucky", 6)).raises("over_limit")
    fight.after(Declare("lucky", 5))
    fight.when(Spend("lucky", "fate", "limit")).raises("turn_had", "RD6-LIM-02")
    fight.when(Spend("lucky", "fate", "action", 6)).raises("fate_points_not_allowed", "RD6-ACT-04")
    stiff_fight = patrol(fighter("stiff", code={"agility": "0D+2"}, fate_points=1, quickness_ranks=1))
    stiff_fight.when(Spend("stiff", "fate", "limit")).raises("of_no_use", "RD6-LIM-02")
    assert "Fate" not in stiff_fight.when(Declare("stiff", 2)).raises("over_limit").sentence
    able = {"rd6_allotment_limit": "at_least_allotment"}
    many = patrol(fighter("many", allotment=9, fate_points=1), rules=able)
    many.when(Spend("many", "fate", "limit")).raises("of_no_use", "RD6-LIM-02")
    given(lucky, preset="ron_d6").when(Spend("lucky", "fate", "limit")).raises("round_not_begun", "RD6-RND-01")
    down = patrol(lucky, THUG).after(Incapacitate("lucky"), Recover("lucky"))
    down.when(Spend("lucky", "fate", "limit")).raises("turn_lost", "RD6-INIT-07")
    whole_limit = patrol(lucky, rules={"rd6_fate_doubling": "whole_limit"}).after(Spend("lucky", "fate", "limit"))
    whole_limit.when(Declare("lucky", 6)).all()
    assert fight.after(Round()).state.combatants["lucky"].actions.fate is False


def test_quickness_adds_an_action_for_each_rank() -> None:
    """RD6-LIM-03."""
    patrol(fighter("quick", quickness_ranks=2)).when(Declare("quick", 6)).all()
    patrol(fighter("quick", quickness_ranks=2)).when(Declare("quick", 7)).raises("over_limit", "RD6-LIM-01")


def test_waits_count_as_actions_and_free_actions_do_not() -> None:
    """RD6-LIM-04."""
    fight = patrol(ROOK, THUG, actions=1).after(
        Move("rook", metres=Decimal(3)), Roll("rook", "glance", code="2D", dice=(1, 2))
    )
    fight.after(Wait("rook"))
    fight.when(Perform("rook", "communicate")).raises("no_actions_left")


def test_each_die_of_a_roll_has_a_role() -> None:
    """RD6-INIT-06: regular ones, the wild one, and the dice it explodes into; thrown or drawn."""
    fight = patrol(ROOK, actions=1)
    roll = fight.when(Perform("rook", "punch", dice=(6, 2, 3, 6, 6, 1))).one(CodeRolled)
    roles = [(one.role, one.die.face) for one in roll.roll.dice]
    assert roles == [("regular", 6), ("regular", 2), ("regular", 3), ("wild", 6), ("exploded", 6), ("exploded", 1)]
    places = [("", 0), ("", 1), ("", 2), ("-wild", 0), ("-wild-exploded", 0), ("-wild-exploded", 1)]
    assert [one.die.key for one in roll.roll.dice] == [f"6/action{slot}.rook/{index}/d6" for slot, index in places]
    plain_fight = patrol(ROOK, actions=1, rules={"rd6_wild_die": "plain"})
    assert plain_fight.when(Perform("rook", "punch", dice=(6, 2, 3, 6))).one(CodeRolled).roll.total == 17
    fight.when(Perform("rook", "punch", dice=(6, 2, 3))).raises("dice_missing")
    fight.when(Perform("rook", "punch", dice=(6, 2, 3, 6))).raises("dice_missing")
    fight.when(Perform("rook", "punch", dice=(6, 2, 3, 4, 1))).raises("too_many_dice")
    fight.when(Perform("rook", "punch", dice=(7, 2, 3, 4))).raises("impossible_face")
    fight.when(Perform("rook", "communicate", dice=(1,))).raises("dice_idle")


@pytest.mark.parametrize(
    ("reading", "faces", "total", "text"),
    [
        ("counts", (6, 2, 3, 1), 12, ""),
        ("subtracts_highest", (6, 2, 3, 1), 5, "wild die of 1 and the highest other"),
        ("subtracts_highest", (1, 2, 3, 4), 10, ""),
        ("complication", (6, 2, 3, 1), 12, "complication, by a wild die of 1"),
        ("complication", (1, 2, 3, 4), 10, ""),
    ],
)
def test_a_wild_die_of_1_follows_the_house_rule(reading: str, faces: tuple[int, ...], total: int, text: str) -> None:
    """RD6-INIT-06: only for a code, not after an exploding six, and not for a die of a point."""
    fight = patrol(ROOK, actions=1, rules={"rd6_wild_one": reading})
    roll = fight.when(Perform("rook", "punch", dice=faces)).one(CodeRolled).roll
    assert roll.total == total
    assert [one.name for one in roll.modifiers] == ([text] if text else [])
    exploded = fight.when(Perform("rook", "punch", dice=(6, 2, 3, 6, 1))).one(CodeRolled).roll
    assert (exploded.total, exploded.modifiers) == (18, ())


def test_an_incapacitated_combatant_cannot_act() -> None:
    """RD6-INIT-07."""
    fight = given_swing().after(Incapacitate("rook", "knocked out", "thug"))
    fight.when(Interrupt("rook", "dodge", against=10)).raises("incapacitated")
    fight.when(Wait("rook")).raises("incapacitated")

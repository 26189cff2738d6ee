"""The rule book of performing, waiting, interrupting, and of several actions at a price (RD6-ACT, RD6-MAP, RD6-LIM)."""

from __future__ import annotations

from decimal import Decimal
from functools import partial
from typing import Any

import pytest
from hypothesis import given as all_of
from hypothesis import strategies as st
from msgspec.structs import replace

from mam_events.commands import (
    Adjust,
    Declare,
    EndTurn,
    Incapacitate,
    Interrupt,
    Move,
    MoveUp,
    Perform,
    Recover,
    Result,
    Roll,
    RollInitiative,
    RollRelated,
    Round,
    Spend,
    Wait,
)
from mam_events.events import (
    ActionPerformed,
    ActionsDeclared,
    CodeRolled,
    CombatantFreed,
    CombatantHeldDown,
    CombatantWaited,
    EquipmentDropped,
    EquipmentPickedUp,
    FreeRollMade,
    MovedFreely,
    PointSpent,
    RelatedSkillRolled,
    ResultDeclared,
    TurnMovedUp,
    WeaponReadied,
)
from mam_events.rules.ron_d6.free_actions import actions_taken
from mam_events.rules.ron_d6.related_skills import related_modifier
from mam_events.rules.rulebook import rulebook
from mam_events.state import Item, RoundMove, Weapon
from tests.counting import calls
from tests.patrol import BRUTE, ROOK, THUG, fighter, patrol
from tests.spec import Given, given

ACTIONS = rulebook().tables.rd6_actions


def swing(actions: int = 2) -> Given:
    """Let Rook wait with that many actions and Thug swing at her: action 10, whose window is open."""
    return patrol(ROOK, THUG, BRUTE, actions=actions).after(
        Wait("rook"), Declare("thug"), Perform("thug", "punch", target="rook", difficulty=10, dice=(3, 4, 2, 5))
    )


def test_nothing_is_said_before_the_turn_but_the_number() -> None:
    """RD6-ACT-01, RD6-ACT-02: the number is fixed first, and none can be added."""
    fight = patrol(ROOK, THUG)
    no = fight.when(Perform("rook", "communicate")).refused("out_of_turn", "RD6-ACT-03")
    assert no.sentence == "rook must first say how many actions they take (declare)."
    no = fight.when(Perform("thug", "communicate")).refused("out_of_turn", "RD6-ACT-03")
    assert no.sentence == "thug cannot act yet: rook is next."
    fight.when(Declare("rook", 2)).then(ActionsDeclared("rook", 2, 4, 1))
    fight.after(Declare("rook", 2))
    fight.when(Declare("rook", 3)).refused("turn_had", "RD6-ACT-02")
    fight.after(Perform("rook", "communicate"), Perform("rook", "ready"))
    no = fight.when(Perform("rook", "ready")).refused("no_actions_left", "RD6-ACT-02")
    assert no.sentence == "rook has used all 2 of their actions this round, and none can be added."
    no = patrol(ROOK, actions=1).after(Perform("rook", "ready")).when(Perform("rook", "ready")).refused(no.code)
    assert no.sentence == "rook has used their one action in this round, and none can be added."


def test_each_wait_takes_an_action_and_lets_the_next_one_begin() -> None:
    """RD6-ACT-03: act, wait, act, wait; whoever waited acts between others' actions."""
    fight = patrol(ROOK, THUG, actions=4).after(Perform("rook", "communicate"))
    fight.when(Wait("rook")).then(CombatantWaited("rook", 2))
    fight.after(Wait("rook"), Declare("thug", 2), Perform("thug", "communicate"))
    fight.after(Perform("rook", "communicate"), Wait("rook"), Perform("thug", "communicate"))
    fight.when(Perform("rook", "communicate")).refused("no_actions_left")


def test_whoever_lets_its_turn_go_by_without_waiting_does_not_come_back() -> None:
    """RD6-ACT-03, RD6-ACT-07: being over is no reason to react."""
    fight = patrol(ROOK, THUG, actions=3).after(Perform("rook", "communicate"), Declare("thug"))
    told = fight.when(Perform("rook", "communicate")).refused("out_of_turn", "RD6-ACT-03")
    assert "Only those who wait may act later" in told.sentence
    ended = patrol(ROOK, THUG, actions=3).after(EndTurn("rook"))
    ended.when(Wait("rook")).refused("out_of_turn")


def test_who_has_stepped_in_goes_on_until_somebody_else_acts() -> None:
    """RD6-ACT-03: a character may take a few actions and wait again."""
    fight = patrol(ROOK, THUG, actions=4).after(Wait("rook"), Declare("thug", 2), Perform("thug", "communicate"))
    fight.after(Perform("rook", "communicate"), Perform("rook", "communicate"), Perform("thug", "communicate"))
    fight.when(Perform("rook", "communicate")).refused("out_of_turn", "RD6-ACT-03")


def test_only_who_has_waited_interrupts_and_only_while_the_result_is_open() -> None:
    """RD6-ACT-04: the last in is the first out."""
    fight = swing()
    fight.when(Interrupt("brute", "dodge", against=10)).refused("has_not_waited", "RD6-ACT-04")
    fight.when(Interrupt("thug", "dodge", against=10)).refused("bad_target", "RD6-ACT-04")
    fight.when(Interrupt("rook", "dodge", against=9)).refused("window_not_open", "RD6-ACT-04")
    fight.when(Perform("rook", "dodge")).refused("action_open", "RD6-ACT-04")
    fight.after(Interrupt("rook", "dodge", against=10, dice=(4, 4, 5)))
    fight.when(Result(10)).refused("action_open", "RD6-ACT-04")
    fight.when(Result(11)).refused("outcome_missing", "RD6-ACT-04")
    fight.after(Result(11, "success"))
    fight.when(Result(10)).refused("outcome_missing", "RD6-ACT-04")
    fight.after(Result(10, "failure"))
    fight.when(Interrupt("rook", "dodge", against=10)).refused("window_closed", "RD6-ACT-04")
    fight.when(Result(10)).refused("window_closed", "RD6-ACT-04")


def test_the_dice_tell_where_no_interruption_has_come_off() -> None:
    """RD6-ACT-04: "before the gamemaster declares the result", which a dodge that succeeds is there to change."""
    fight = swing().after(Interrupt("rook", "dodge", against=10, difficulty=30, dice=(4, 4, 5)), Result(11))
    fight.when(Result(10)).then(ResultDeclared(10, "thug", "punch", "success", "", 14, 10))


def test_a_related_skill_may_be_rolled_for_an_interruption() -> None:
    """RD6-REL-01, RD6-ACT-04: in the same window, by who has waited."""
    fight = swing(actions=3)
    fight.when(RollRelated("thug", "search", 3, "dodge", "5D")).refused("bad_target", "RD6-ACT-04")
    fight.when(RollRelated("brute", "search", 3, "dodge", "5D")).refused("has_not_waited", "RD6-ACT-04")
    for merged, left in ((False, 0), (True, 1)):
        helped = swing(actions=3).after(RollRelated("rook", "search", 3, "dodge", "5D", merged=merged, dice=(1, 1, 3)))
        dodge = helped.when(Interrupt("rook", "dodge", against=10, related=(11,), dice=(1, 1))).one(ActionPerformed)
        assert (dodge.roll.total, dodge.left) == (3, left)


def test_an_interruption_can_be_interrupted() -> None:
    """RD6-ACT-04: nested, and settled from the inside."""
    fight = patrol(ROOK, BRUTE, THUG, actions=2).after(
        Wait("rook"),
        Declare("brute", 2),
        Wait("brute"),
        Declare("thug"),
        Perform("thug", "punch", dice=(1, 1, 1, 1)),
        Interrupt("rook", "dodge", against=12, dice=(1, 1, 1)),
        Interrupt("brute", "trip", code="4D", against=13, dice=(1, 1, 1)),
    )
    assert [action.id for action in fight.state.window.open] == [12, 13, 14]
    fight.when(Result(13, "success")).refused("action_open")
    fight.after(Result(14, "failure"), Result(13, "success"), Result(12, "failure"))


def test_the_printed_example_waits_and_dodges_at_one_die_less() -> None:
    """RD6-ACT-05: two actions, the wait among them, and the dodge is the second."""
    dodge = swing().when(Interrupt("rook", "dodge", against=10, dice=(4, 4, 5))).one(ActionPerformed)
    assert (dodge.roll.code, dodge.roll.penalty, len(dodge.roll.dice), dodge.left) == ("4D", 1, 3, 0)


def test_a_few_reactions_move_a_turn_up() -> None:
    """RD6-ACT-06: with the combatant's actions, several of them if it likes; a plain defense needs a wait."""
    fight = patrol(ROOK, THUG, BRUTE, actions=1).after(Perform("rook", "throw", code="4D", dice=(1, 2, 3, 4)))
    fight.when(MoveUp("thug", "dodge")).refused("wait_required", "RD6-ACT-06")
    fight.when(MoveUp("thug", "catch", 2)).then(TurnMovedUp("thug", "catch", 2, 4, 1, against=8))
    fight.when(MoveUp("thug", "gm_allows", against=7)).refused("window_not_open")
    fight.when(MoveUp("thug", "gm_allows", against=8)).one(TurnMovedUp)
    fight.after(MoveUp("thug", "catch", 2))
    fight.when(Interrupt("thug", "dodge", against=8)).refused("other_reaction", "RD6-ACT-06")
    fight.after(Interrupt("thug", "catch", code="3D", against=8, dice=(2, 3)))
    fight.when(MoveUp("rook", "gm_allows")).refused("turn_had", "RD6-ACT-02")
    fight.when(MoveUp("thug", "resist_mental_attempt")).refused("turn_had")
    fight.after(Result(10, "success"), Result(8, "failure"), MoveUp("brute", "gm_allows", reason="it rolls at him"))
    eager = patrol(ROOK, THUG, actions=1, rules={"rd6_reactive_defense": "move_up_allowed"})
    eager.after(Perform("rook", "punch", dice=(1, 2, 3, 4)), MoveUp("thug", "parry"))


def test_only_who_acts_later_catches_what_is_thrown() -> None:
    """RD6-LIST-catch: in the order of the round."""
    fight = patrol(ROOK, THUG, actions=2).after(
        Wait("rook"), Declare("thug"), Perform("thug", "throw", code="1D", dice=(3,))
    )
    fight.when(MoveUp("rook", "catch")).refused("must_act_later_than_thrower", "RD6-LIST-catch")
    fight.after(Interrupt("rook", "catch", code="4D", against=9, dice=(1, 2, 3)))
    nothing = patrol(ROOK, THUG)
    nothing.when(MoveUp("thug", "catch")).refused("window_not_open")
    nothing.after(Declare("rook"), Perform("rook", "punch", dice=(1, 2, 3, 4)))
    nothing.when(MoveUp("thug", "catch")).refused("nothing_thrown", "RD6-LIST-catch")


@pytest.mark.parametrize(("declared", "penalty"), [(1, 0), (2, 1), (4, 3)])
def test_each_action_beyond_the_first_takes_a_die_from_every_roll(declared: int, penalty: int) -> None:
    """RD6-MAP-01, RD6-MAP-04: four actions are -3D each."""
    fight = patrol(ROOK, THUG, actions=declared)
    dice = (1,) * (4 - penalty)
    rolled = fight.when(Perform("rook", "punch", dice=dice)).one(ActionPerformed)
    assert (rolled.roll.penalty, rolled.roll.total) == (penalty, len(dice))
    assert fight.when(Roll("rook", "glance", code="4D", dice=dice)).one(FreeRollMade).roll.penalty == penalty


def test_damage_and_resistance_keep_their_dice() -> None:
    """RD6-MAP-02, RD6-FREE-02: rolls that are no deeds; feelings are skill rolls."""
    fight = patrol(ROOK, THUG, actions=4)
    assert fight.when(Roll("rook", "damage", code="2D", dice=(1, 2))).one(FreeRollMade).roll.penalty == 0
    assert fight.when(Roll("rook", "resistance", code="2D", dice=(1, 2))).one(FreeRollMade).roll.penalty == 0
    fight.when(Roll("rook", "emotion", "willpower", "2D")).refused("reduced_to_zero", "RD6-MAP-06")
    assert fight.state.combatants["rook"].actions.left == 4
    fight.when(Roll("rook", "emotion", "willpower")).refused("code_missing", "RD6-FREE-02")


def test_an_allotment_is_free_of_penalty() -> None:
    """RD6-MAP-03: beyond it all rolls have dice less, or (`rd6_map_scope`) those beyond it alone."""
    quick = fighter("quick", allotment=2)
    every = patrol(quick, actions=3)
    assert every.when(Perform("quick", "punch", dice=(1, 1, 1))).one(ActionPerformed).roll.penalty == 1
    excess = patrol(quick, actions=3, rules={"rd6_map_scope": "excess_actions_only"})
    assert excess.when(Perform("quick", "punch", dice=(1, 1, 1, 1))).one(ActionPerformed).roll.penalty == 0
    excess.after(Perform("quick", "communicate"), Perform("quick", "communicate"))
    assert excess.when(Perform("quick", "punch", dice=(1, 1, 1))).one(ActionPerformed).roll.penalty == 1


def test_only_quick_equipment_is_used_again_in_a_round() -> None:
    """RD6-MAP-05: up to what it can do; hands always are."""
    armed = fighter(
        "rook", weapon=(Weapon("bow"), Weapon("knife", quick=True)), item=(Item("gun", quick=True, uses=2),)
    )
    fight = patrol(armed, actions=4)
    for thing, times in (("bow", 1), ("gun", 2), ("knife", 3), ("body", 3)):
        table = patrol(armed, actions=4).after(*(Perform("rook", "communicate", equipment=thing) for _ in range(times)))
        again = table.when(Perform("rook", "communicate", equipment=thing))
        if thing in ("bow", "gun"):
            again.refused("not_quick", "RD6-MAP-05")
            table.after(Round(), RollInitiative(("rook",), dice={"rook": (1,)}), Declare("rook"))
            table.when(Perform("rook", "communicate", equipment=thing)).all()
        else:
            again.all()
    readied = patrol(armed, actions=4).after(*(Perform("rook", how, equipment="bow") for how in ("switch", "ready")))
    readied.after(Perform("rook", "shoot", code="4D", equipment="bow", dice=(1,)), Result(8, "failure"))
    readied.when(Perform("rook", "shoot", code="4D", equipment="bow")).refused("not_quick", "RD6-MAP-05")
    readied.when(Perform("rook", "ready", equipment="bow")).all()
    told = fight.when(Perform("rook", "shoot", equipment="bwo", code="4D")).refused("unknown_item", "RD6-MAP-05")
    assert '"bow"' in told.sentence


def test_what_is_not_in_hand_is_readied_first() -> None:
    """RD6-LIST-ready, RD6-LIST-throw: drawn, or picked up after it was thrown or dropped."""
    weapons = (Weapon("sabre", readied=False), Weapon("darts", quick=True), Weapon("horns", attached=True))
    armed = fighter("rook", weapon=weapons, item=(Item("vase"),))
    fight = patrol(armed, THUG, actions=4)
    slash = Perform("rook", "slash", code="5D", equipment="sabre", dice=(1, 1))
    assert "is not in hand yet" in fight.when(slash).refused("not_in_hand", "RD6-LIST-ready").sentence
    fight.when(Perform("rook", "switch", equipment="sabre")).refused("not_in_hand")
    ready = Perform("rook", "ready", equipment="sabre")
    assert fight.when(ready).one(WeaponReadied) == WeaponReadied("rook", "sabre")
    rolled = Perform("rook", "ready", code="5D", equipment="sabre", dice=(1, 1))
    for came, drawn in (("success", [WeaponReadied("rook", "sabre")]), ("failure", [])):
        stressed = patrol(armed, THUG, actions=4).after(rolled)
        assert stressed.when(Result(7, came)).all(WeaponReadied) == drawn  # type: ignore[arg-type]  # one of two
    fight.after(ready, slash, Result(8, "success"))
    throw = Perform("rook", "throw", code="5D", equipment="vase", dice=(1, 1))
    fight.after(throw, Result(10, "failure"))
    assert "has been let go of" in fight.when(throw).refused("not_in_hand").sentence
    fight.when(Perform("rook", "drop", equipment="vase")).refused("not_in_hand")
    fight.after(Perform("rook", "drop", equipment="sabre"), Result(12, "success"))
    picked = fight.when(Perform("rook", "ready", equipment="vase")).one(EquipmentPickedUp)
    assert picked == EquipmentPickedUp("rook", "vase")
    fight.when(Perform("rook", "drop", equipment="body")).refused("attached")
    fight.when(Perform("rook", "throw", code="5D", equipment="horns")).refused("attached")
    several = patrol(armed, actions=3).after(Perform("rook", "throw", code="5D", equipment="darts", dice=(1, 1, 1)))
    several.after(Result(6, "failure"), Perform("rook", "throw", code="5D", equipment="darts", dice=(1, 1, 1)))


def test_a_disarm_takes_what_it_was_aimed_at() -> None:
    """RD6-LIST-disarm: "remove an object from an opponent's hand"."""
    armed = fighter("rook", weapon=(Weapon("sabre"), Weapon("dirk", readied=False)))
    fight = patrol(THUG, armed, actions=3)
    for part, lost in (("sabre", [EquipmentDropped("rook", "sabre")]), ("dirk", []), ("body", []), ("the hand", [])):
        struck = patrol(THUG, armed, actions=3).after(
            Perform("thug", "disarm", target="rook", part=part, code="5D", dice=(1, 1, 1))
        )
        assert struck.when(Result(7, "success")).all(EquipmentDropped) == lost
        assert not struck.when(Result(7, "failure")).all(EquipmentDropped)
    assert fight.state.combatants["rook"].carries("sabre")


def test_nobody_relies_on_a_code_of_no_dice() -> None:
    """RD6-MAP-06: unless `rd6_zero_dice` leaves its pips."""
    fight = patrol(ROOK, THUG, actions=3)
    fight.when(Perform("rook", "use", "mending", "2D+1")).refused("reduced_to_zero", "RD6-MAP-06")
    pips = patrol(ROOK, THUG, actions=3, rules={"rd6_zero_dice": "pips_only"})
    assert pips.when(Perform("rook", "use", "mending", "2D+1")).one(ActionPerformed).roll.total == 1
    pips.when(Perform("rook", "use", "mending", "2D")).refused("reduced_to_zero")


def test_agility_limits_the_number_of_actions() -> None:
    """RD6-LIM-01: its dice, not its pips, one at least; an ability's allotment only where the house says so."""
    nimble = fighter("nimble", code={"agility": "2D+2"}, allotment=5)
    patrol(nimble).when(Declare("nimble", 3)).refused("over_limit", "RD6-LIM-01")
    patrol(nimble).when(Declare("nimble", 2)).all()
    patrol(nimble, rules={"rd6_allotment_limit": "at_least_allotment"}).when(Declare("nimble", 5)).all()
    patrol(fighter("slow", code={"agility": "0D+2"})).when(Declare("slow", 1)).all()


def test_a_fate_point_doubles_the_limit() -> None:
    """RD6-LIM-02: spent before the number is fixed, once a round; ranks of quickness only where the house says so."""
    lucky = fighter("lucky", code={"agility": "2D"}, quickness_ranks=1, fate_points=2)
    fight = patrol(lucky, THUG)
    fight.when(Declare("lucky", 5)).refused("over_limit")
    fight.when(Spend("lucky", "fate", "limit")).then(PointSpent("lucky", None, "fate", "limit", 1))
    fight.after(Spend("lucky", "fate", "limit"))
    fight.when(Spend("lucky", "fate", "limit")).refused("once_per_round", "RD6-LIM-02")
    fight.when(Declare("lucky", 6)).refused("over_limit")
    fight.after(Declare("lucky", 5))
    fight.when(Spend("lucky", "fate", "limit")).refused("turn_had", "RD6-LIM-02")
    fight.when(Spend("lucky", "fate", "action", 6)).refused("fate_points_not_allowed", "RD6-ACT-04")
    stiff = patrol(fighter("stiff", code={"agility": "0D+2"}, fate_points=1, quickness_ranks=1))
    stiff.when(Spend("stiff", "fate", "limit")).refused("of_no_use", "RD6-LIM-02")
    assert "Fate" not in stiff.when(Declare("stiff", 2)).refused("over_limit").sentence
    able = {"rd6_allotment_limit": "at_least_allotment"}
    many = patrol(fighter("many", allotment=9, fate_points=1), rules=able)
    many.when(Spend("many", "fate", "limit")).refused("of_no_use", "RD6-LIM-02")
    given(lucky, preset="ron_d6").when(Spend("lucky", "fate", "limit")).refused("round_not_begun", "RD6-RND-01")
    down = patrol(lucky, THUG).after(Incapacitate("lucky"), Recover("lucky"))
    down.when(Spend("lucky", "fate", "limit")).refused("turn_lost", "RD6-INIT-07")
    whole = patrol(lucky, rules={"rd6_fate_doubling": "whole_limit"}).after(Spend("lucky", "fate", "limit"))
    whole.when(Declare("lucky", 6)).all()
    assert fight.after(Round()).state.combatants["lucky"].actions.fate is False


def test_quickness_adds_an_action_for_each_rank() -> None:
    """RD6-LIM-03."""
    patrol(fighter("quick", quickness_ranks=2)).when(Declare("quick", 6)).all()
    patrol(fighter("quick", quickness_ranks=2)).when(Declare("quick", 7)).refused("over_limit", "RD6-LIM-01")


def test_waits_count_and_what_is_free_does_not() -> None:
    """RD6-LIM-04."""
    fight = patrol(ROOK, THUG, actions=1).after(
        Move("rook", metres=Decimal(3)), Roll("rook", "glance", code="2D", dice=(1, 2))
    )
    fight.after(Wait("rook"))
    fight.when(Perform("rook", "communicate")).refused("no_actions_left")


def test_a_character_point_adds_to_an_action_before_anybody_comes_in_between() -> None:
    """RD6-ACT-04: the window opens after the points are spent."""
    fight = patrol(THUG, ROOK, actions=2).after(Wait("thug"), Declare("rook"))
    fight.after(Perform("rook", "punch", difficulty=20, dice=(3, 3, 3, 3)))
    fight.when(Spend("thug", "character", "action", 9)).refused("no_points_left")
    fight.after(Spend("rook", "character", "action", 9, dice=(6, 4)))
    assert fight.state.window.open[-1].total == 22
    fight.after(Interrupt("thug", "dodge", against=9, dice=(1, 1, 1)), Result(11, "failure"))
    fight.when(Spend("rook", "character", "action", 9)).refused("too_late", "RD6-ACT-04")
    assert fight.when(Result(9)).one(ResultDeclared).outcome == "success"


@pytest.mark.parametrize("action", ACTIONS)
def test_each_listed_action_is_one_action(action: str) -> None:
    """RD6-LIST-01: each listed action is one action.

    RD6-LIST-bash, -catch, -choke, -communicate, -disarm, -dodge, -entangle, -escape, -grab, -kick, -leap, -lunge,
    -move, -parry, -pin, -punch, -push, -ready, -run_away, -shoot, -slash, -switch, -tackle, -throw, -trip, -use,
    -vehicle, -wait.
    """
    fight = patrol(ROOK, THUG, actions=2)
    if action == "wait":
        fight.when(Perform("rook", "wait")).refused("not_an_action", "RD6-LIST-wait")
        assert fight.when(Wait("rook")).one(CombatantWaited).left == 1
        return
    if action == "catch":
        fight.after(Wait("rook"), Declare("thug"), Perform("thug", "throw", code="1D", dice=(3,)))
        caught = fight.when(Interrupt("rook", "catch", code="3D", against=9, dice=(2, 3))).one(ActionPerformed)
        assert (caught.left, caught.skill) == (0, "athletics")
        return
    rolled = fight.when(Perform("rook", action, target="thug", code="3D", dice=(2, 3))).one(ActionPerformed)
    assert (rolled.left, rolled.skill) == (1 + (action == "drop"), next(iter(ACTIONS[action].skills), ""))
    own = not {"dodge", "brawling"}.isdisjoint(ACTIONS[action].skills)
    if own:
        assert fight.when(Perform("rook", action, dice=(1, 2, 3))).one(ActionPerformed).roll.code == "4D"
        return
    without = fight.when(Perform("rook", action))
    if ACTIONS[action].rolls == "maybe":
        assert without.one(ActionPerformed).roll is None
    else:
        without.refused("code_missing", "RD6-LIST-01")


def test_an_action_that_is_not_listed_is_named_the_nearest() -> None:
    """RD6-LIST-01: or done as `use`."""
    told = patrol(ROOK, actions=1).when(Perform("rook", "doge")).refused("unknown_action", "RD6-LIST-01")
    assert '"dodge"' in told.sentence
    used = patrol(ROOK, actions=1).when(Perform("rook", "use", "climbing", "3D", what="up the wall", dice=(1, 2, 3)))
    assert used.one(ActionPerformed).what == "up the wall"


def test_whoever_is_tackled_only_speaks_or_breaks_free() -> None:
    """RD6-LIST-tackle, RD6-LIST-pin, RD6-LIST-escape: pinned at a part, he goes on."""
    fight = patrol(THUG, ROOK, actions=2).after(Perform("thug", "tackle", target="rook", dice=(5, 5, 5)))
    fight.when(Result(7, "success")).then(
        ResultDeclared(7, "thug", "tackle", "success"), CombatantHeldDown("rook", "thug")
    )
    fight.after(Result(7, "success"), Declare("rook", 2))
    fight.when(Perform("rook", "punch")).refused("held_down", "RD6-LIST-tackle")
    fight.when(Move("rook", metres=Decimal(1))).refused("held_down", "RD6-LIST-tackle")
    fight.after(Perform("rook", "communicate"), Perform("rook", "escape", code="5D", dice=(5, 5, 5, 5)))
    fight.when(Result(11, "success")).then(
        ResultDeclared(11, "rook", "escape", "success"), CombatantFreed("rook", of="thug")
    )
    pinned = patrol(THUG, ROOK, actions=1).after(
        Perform("thug", "pin", target="rook", part="her sleeve", dice=(1,) * 4)
    )
    pinned.after(Result(7, "success"), Declare("rook"), Perform("rook", "communicate"))
    whole = patrol(THUG, ROOK, actions=1).after(
        Perform("thug", "pin", target="rook", dice=(1,) * 4), Result(7, "success")
    )
    assert whole.state.combatants["rook"].status.held_down_by == ("thug",)
    assert whole.when(Recover("rook", "let go")).one(CombatantFreed) == CombatantFreed("rook", "let go")
    for gone in (Incapacitate("thug", "a brick"), Adjust("flees", condition={"thug": "out"})):
        assert whole.when(gone).all(CombatantFreed) == [CombatantFreed("rook", of="thug")]


def tackled(*, actions: int = 3) -> Given:
    """Let Thug tackle Rook with the first of that many actions, before Brute has acted."""
    thrown = (1,) * (5 - actions)
    fight = patrol(THUG, BRUTE, ROOK, actions=actions).after(Perform("thug", "tackle", target="rook", dice=thrown))
    return fight.after(Result(8, "success"))


@pytest.mark.parametrize(
    "leaves",
    [
        Move("thug", metres=Decimal(1)),
        Perform("thug", "run_away"),
        Perform("thug", "move", metres=Decimal(9)),
    ],
)
def test_who_moves_away_holds_nobody_down(leaves: Move | Perform) -> None:
    """RD6-LIST-tackle: it is the attacker's grip."""
    freed = CombatantFreed("rook", "thug moves away", "thug")
    assert tackled().when(leaves).all(CombatantFreed) == [freed]
    assert not tackled().when(Move("thug", metres=Decimal(0))).all(CombatantFreed)
    assert not tackled().when(Perform("thug", "punch", target="rook", dice=(1, 1))).all(CombatantFreed)


@pytest.mark.parametrize("action", ["leap", "run_away"])
@pytest.mark.parametrize(("outcome", "freed"), [("success", 1), ("failure", 0)])
def test_who_tries_to_get_away_lets_go_once_that_succeeds(action: str, outcome: Any, freed: int) -> None:
    """RD6-ACT-04, RD6-LIST-tackle: what comes of a roll is declared after it."""
    fight = tackled()
    assert not fight.when(Perform("thug", action, code="4D", dice=(1, 1))).all(CombatantFreed)
    fight.after(Perform("thug", action, code="4D", dice=(1, 1)))
    assert len(fight.when(Result(fight.ruling, outcome)).all(CombatantFreed)) == freed


@pytest.mark.parametrize("gone", ["out", "dead"])
def test_who_is_out_of_the_fight_is_not_held_down(gone: Any) -> None:
    """RD6-LIST-tackle: though the tackle may still succeed by word."""
    fight = patrol(THUG, ROOK, actions=2).after(Perform("thug", "tackle", target="rook", dice=(5, 5, 5)))
    fight.after(Adjust("carried off", condition={"rook": gone}))
    fight.when(Result(7, "success")).then(ResultDeclared(7, "thug", "tackle", "success"))


def test_who_is_held_down_by_two_is_free_of_both_one_by_one() -> None:
    """RD6-LIST-escape: it breaks a hold, and the other goes on."""
    fight = tackled().after(Declare("brute"), Perform("brute", "pin", target="rook", dice=(1,) * 4))
    fight.after(Result(11, "success"))
    held = fight.when(Incapacitate("brute"))
    assert held["rook"].status.held_down_by == ("thug",)
    fight.after(Declare("rook", 2))
    fight.when(Perform("rook", "escape", code="4D")).refused("target_missing", "RD6-LIST-escape")
    fight.when(Perform("rook", "escape", code="4D", target="rook")).refused("bad_target", "RD6-LIST-escape")
    fight.after(Perform("rook", "escape", code="4D", target="thug", dice=(1, 1, 1)))
    fight.after(Result(14, "success"))
    assert fight.state.combatants["rook"].status.held_down_by == ("brute",)
    fight.after(Perform("rook", "escape", code="4D", dice=(1, 1, 1)), Result(16, "success"))
    assert not fight.state.combatants["rook"].status.held_down_by


def test_who_is_held_down_holds_nobody_down() -> None:
    """RD6-LIST-tackle: "no other physical actions"."""
    fight = tackled().after(Declare("brute"), Perform("brute", "tackle", target="thug", dice=(1,) * 4))
    assert fight.when(Result(11, "success")).all(CombatantFreed) == [CombatantFreed("rook", of="thug")]


def test_what_somebody_can_no_longer_do_succeeds_only_by_word() -> None:
    """RD6-ACT-04, RD6-INIT-07: the dice alone do not bring off what an interruption has stopped."""
    for stops in (Incapacitate("thug"), Adjust("falls", condition={"thug": "dead"})):
        fight = swing().after(stops)
        fight.when(Result(10)).refused("outcome_missing", "RD6-ACT-04")
        assert fight.when(Result(10, "failure")).one(ResultDeclared).outcome == "failure"
    held = swing().after(Interrupt("rook", "tackle", target="thug", against=10, dice=(1, 1, 1)))
    held.after(Result(11, "success"))
    held.when(Result(10)).refused("outcome_missing", "RD6-ACT-04")


def test_a_turn_that_moved_up_to_react_reacts_before_the_result() -> None:
    """RD6-ACT-06: it moved up for that; where it no longer can, nothing waits for it."""
    fight = patrol(ROOK, THUG, BRUTE, actions=1).after(Perform("rook", "drop"), MoveUp("thug", "catch", 2))
    fight.when(Result(8, "success")).refused("reaction_open", "RD6-ACT-06")
    fight.when(Result(8, "success"))
    down = fight.when(Incapacitate("thug"))
    assert not down.no
    fight.after(Incapacitate("thug"), Result(8, "success"))


KNIVES = {"athletics": "3D", "throwing": "4D"}
JUGGLERS = tuple(fighter(name, code=KNIVES, weapon=(Weapon(f"knife-{name}"),)) for name in ("ann", "bea", "cid", "dan"))


def throwing(*more: Any, rules: Any = None) -> Given:
    """Let Ann wait and Bea throw her knife at Cid: action 10, in the air."""
    fight = patrol(*JUGGLERS, actions=2, rules=rules).after(Wait("ann"), Declare("bea", 1))
    throw = Perform("bea", "throw", target="cid", equipment="knife-bea", difficulty=5, code="4D", dice=(1, 2, 3, 4))
    return fight.after(throw, *more)


def test_who_moved_up_reacts_whoever_acts_meanwhile() -> None:
    """RD6-ACT-04, RD6-ACT-06: until it has, or the window is closed; the last in is the first out."""
    number = throwing().ruling
    catch = {who: Interrupt(who, "catch", against=number, dice=(1, 2, 3)) for who in ("cid", "dan")}
    dodged = throwing(MoveUp("cid", "catch", against=number), Interrupt("ann", "dodge", against=number, dice=(1, 2, 3)))
    dodged.when(Result(number, "failure")).refused("action_open", "RD6-ACT-04")
    dodged.after(Result(number + 2, "failure"))
    dodged.when(Result(number, "failure")).refused("reaction_open", "RD6-ACT-06")
    dodged.after(catch["cid"], Result(number + 4, "failure"), Result(number, "success"))
    both = (MoveUp("cid", "catch"), MoveUp("dan", "catch"))
    nested = throwing(*both, catch["cid"], catch["dan"], Result(number + 4, "failure"), Result(number + 3, "success"))
    nested.after(Result(number, "failure"))
    allowed = throwing(MoveUp("cid", "gm_allows"), MoveUp("dan", "gm_allows"))
    allowed.when(Interrupt("cid", "punch", "brawling", against=number, dice=(1,) * 4)).one(ActionPerformed)
    allowed.when(RollRelated("cid", "search", 3, "dodge", merged=True, dice=(1,) * 3)).one(RelatedSkillRolled)
    allowed.after(Interrupt("cid", "dodge", against=number, dice=(1,) * 4), Result(number + 3, "failure"))
    allowed.after(Interrupt("dan", "dodge", against=number, dice=(1,) * 4), Result(number + 5, "failure"))
    allowed.when(Interrupt("cid", "dodge", against=number)).refused("has_not_waited", "RD6-ACT-04")


def test_nothing_waits_for_a_reaction_that_can_never_come() -> None:
    """RD6-ACT-06, RD6-MAP-06: what another has caught is not in the air, and a code of no dice catches nothing."""
    number = throwing().ruling
    caught = throwing(MoveUp("cid", "catch"), MoveUp("dan", "catch"))
    caught.after(Interrupt("dan", "catch", against=number, dice=(1, 2, 3)), Result(number + 3, "success"))
    caught.when(Interrupt("cid", "catch", against=number)).refused("nothing_thrown", "RD6-LIST-catch")
    caught.after(Result(number, "failure"))
    unnamed = patrol(*JUGGLERS, actions=1).after(Perform("ann", "throw", what="a brick", code="4D", dice=(1,) * 4))
    brick = unnamed.ruling
    unnamed.after(MoveUp("cid", "catch"), MoveUp("dan", "catch"))
    unnamed.after(Interrupt("dan", "catch", against=brick, dice=(1, 2, 3)), Result(brick + 3, "success"))
    unnamed.when(Interrupt("cid", "catch", against=brick)).refused("nothing_thrown", "RD6-LIST-catch")
    unnamed.after(Result(brick, "failure"))
    throwing().when(MoveUp("cid", "catch", 4)).refused("reduced_to_zero", "RD6-MAP-06")
    throwing(MoveUp("cid", "catch", 3), Interrupt("cid", "catch", against=number, dice=(1,)))
    spared = throwing(rules={"rd6_map_scope": "excess_actions_only"})
    spared.after(MoveUp("cid", "catch", 4), Interrupt("cid", "catch", against=number, dice=(1, 2, 3)))


@pytest.mark.parametrize("lets_go", ["throw", "drop"])
def test_what_is_in_the_air_is_caught_and_not_made_ready(lets_go: str) -> None:
    """RD6-LIST-catch, RD6-LIST-ready: by whoever it belongs to neither; once it has fallen it lies there."""
    fight = patrol(*JUGGLERS, actions=4).after(Wait("ann"), Declare("bea", 4), Wait("bea"), Declare("cid", 2))
    dice: Any = {"code": "4D", "dice": (1,)} if lets_go == "throw" else {}
    fight.after(Perform("bea", lets_go, equipment="knife-bea", **dice))
    number = fight.ruling
    picks = Interrupt("ann", "ready", equipment="knife-bea", against=number)
    told = fight.when(picks).refused("in_the_air", "RD6-LIST-catch")
    assert f"by action {number}" in told.sentence
    fight.after(Interrupt("ann", "communicate", code="4D", against=number, dice=(1,)))
    own = Interrupt("bea", "ready", equipment="knife-bea", against=number + 1)
    if lets_go == "drop":
        fight.when(own).refused("in_the_air")
    fight.after(Result(number + 1, "success"), Result(number, "success"))
    fight.when(Perform("ann", "ready", equipment="knife-bea")).one(EquipmentPickedUp)


def test_who_has_waited_may_try_again_to_catch_what_is_in_the_air() -> None:
    """RD6-LIST-catch, RD6-ACT-03: it acts later than whoever threw, and goes on until somebody else acts."""
    fight = patrol(ROOK, THUG, actions=3).after(Wait("rook"), Declare("thug"), Perform("thug", "drop"))
    catch = Interrupt("rook", "catch", code="4D", against=9, dice=(1, 1))
    fight.after(catch, Result(10, "failure"))
    fight.when(catch).one(ActionPerformed)


def test_who_acted_early_throws_to_whoever_acts_later() -> None:
    """RD6-LIST-catch: later in the round as it is played, where the thrower's turn has moved up."""
    fight = patrol(ROOK, THUG).after(MoveUp("thug", "gm_allows"), Perform("thug", "drop"))
    fight.after(MoveUp("rook", "catch"), Interrupt("rook", "catch", code="4D", against=7, dice=(1,) * 4))


def test_nothing_is_aimed_at_oneself_or_at_who_is_gone() -> None:
    """RD6-LIST-01: but for a skill."""
    fight = patrol(ROOK, THUG, actions=2)
    fight.when(Perform("rook", "punch", target="rook")).refused("bad_target", "RD6-LIST-01")
    fight.when(Perform("rook", "use", target="rook", what="a bandage")).one(ActionPerformed)
    fight.after(Adjust("falls", condition={"thug": "dead"}))
    fight.when(Perform("rook", "punch", target="thug")).refused("out_of_fight", "RD6-LIST-01")


def test_whoever_is_held_down_may_do_what_is_not_physical() -> None:
    """RD6-LIST-tackle: "no other physical actions other than speak or attempt to break the attacker's grip"."""
    fight = patrol(THUG, ROOK, actions=1).after(
        Perform("thug", "tackle", target="rook", dice=(1,) * 4), Result(7, "success"), Declare("rook", 4)
    )
    fight.when(Perform("rook", "use", "telepathy", "5D", dice=(1, 1))).refused("held_down", "RD6-LIST-tackle")
    fight.when(Perform("rook", "punch", mental=True)).refused("order_idle", "RD6-LIST-tackle")
    for physical in ("drop", "ready", "run_away", "vehicle"):
        fight.when(Perform("rook", physical, code="5D")).refused("held_down", "RD6-LIST-tackle")
    assert fight.when(Perform("rook", "use", "telepathy", "5D", mental=True, dice=(1, 1))).one(ActionPerformed)
    fight.after(RollRelated("rook", "willpower", 2, "brawling", "5D", dice=(1, 1)), Wait("rook"))
    fight.after(Round(), RollInitiative(("thug", "rook"), dice={"thug": (5,), "rook": (1,)}), Declare("thug"))
    fight.after(Perform("thug", "throw", code="1D", dice=(1,)))
    fight.when(MoveUp("rook", "catch")).refused("held_down", "RD6-LIST-tackle")


def test_what_is_dropped_can_be_caught_and_dropping_it_takes_no_action() -> None:
    """RD6-LIST-catch, RD6-FREE-01: "a thrown or dropped object", by whoever acts later; in no other window."""
    fight = patrol(ROOK, THUG, BRUTE, actions=1)
    fight.when(Perform("rook", "catch", code="3D")).refused("nothing_thrown", "RD6-LIST-catch")
    dropped = fight.when(Perform("rook", "drop", what="the lantern")).one(ActionPerformed)
    assert (dropped.roll, dropped.left, dropped.thrown) == (None, 1, True)
    fight.after(Perform("rook", "drop", what="the lantern"))
    assert fight.state.window.open[0].total is None
    fight.when(Result(8)).refused("outcome_missing", "RD6-ACT-04")
    fight.when(Spend("rook", "character", "action", 8)).refused("not_rolled", "RD6-ACT-04")
    fight.after(MoveUp("thug", "catch"), Interrupt("thug", "catch", code="3D", against=8, dice=(2, 3, 4)))
    fight.after(Result(10, "success"), Result(8, "failure"))
    fight.after(Perform("rook", "communicate"), Perform("rook", "drop", what="the rope"), Result(14, "success"))
    fight.when(Perform("rook", "communicate")).refused("no_actions_left")


def test_what_is_dropped_while_one_waits_leaves_one_waiting() -> None:
    """RD6-ACT-03: only an action ends the wait."""
    fight = patrol(ROOK, THUG, actions=2).after(Wait("rook"), Perform("rook", "drop"), Result(8, "success"))
    fight.after(Declare("thug"), Perform("thug", "punch", dice=(1, 1, 1, 1)))
    fight.after(Interrupt("rook", "dodge", against=11, dice=(1, 1, 1)))


@pytest.mark.parametrize(
    ("metres", "terrain", "reading", "takes"),
    [
        ("4", "easy", "free", False),
        ("5", "easy", "free", False),
        ("5", "easy", "action", True),
        ("5.5", "easy", "free", True),
        ("1", "challenging", "free", False),
        ("1.5", "challenging", "free", True),
    ],
)
def test_half_a_move_is_free_on_easy_ground(metres: str, terrain: str, reading: str, takes: bool) -> None:  # noqa: FBT001
    """RD6-FREE-01, RD6-LIST-move: and a metre where the ground is difficult."""
    fight = patrol(ROOK, actions=1, rules={"rd6_half_move": reading})
    moved = fight.when(Move("rook", metres=Decimal(metres), terrain=terrain))  # type: ignore[arg-type]  # one of two
    assert bool(moved.all(ActionPerformed)) is takes
    assert bool(moved.all(MovedFreely)) is not takes


def test_free_steps_add_up_and_the_game_master_may_count_every_one() -> None:
    """RD6-FREE-01: 3 m and 3 m are more than half of 10 m."""
    fight = patrol(ROOK, THUG, actions=1)
    for far in ("-1", "1.2345678", "NaN"):
        fight.when(Move("rook", metres=Decimal(far))).refused("impossible_distance")
    fight.after(Move("rook", metres=Decimal(3)))
    assert fight.when(Move("rook", metres=Decimal(3))).all(ActionPerformed)
    assert fight.when(Move("rook", metres=Decimal(1), counts=True)).all(ActionPerformed)
    fight.when(Move("thug", metres=Decimal(9))).refused("out_of_turn")
    fight.when(Move("thug", metres=Decimal(2))).all(MovedFreely)
    fight.when(Move("rook", points=2, metres=Decimal(2))).refused("points_not_spent", "RD6-FREE-01")
    fight.when(Move("rook")).refused("metres_missing", "RD6-FREE-01")
    patrol(fighter("still", movement=None)).when(Move("still", metres=Decimal(2))).refused(
        "move_missing", "RD6-FREE-01"
    )


SAID = st.lists(
    st.tuples(st.integers(0, 14).map(lambda halves: Decimal(halves) / 2), st.sampled_from(("easy", "challenging"))),
    max_size=5,
)


@all_of(SAID.flatmap(lambda moves: st.tuples(st.just(moves), st.permutations(moves))))
def test_the_order_in_which_metres_are_told_does_not_matter(told: tuple[Any, Any]) -> None:
    """RD6-FREE-01: the longest movements take the actions, the others are free together."""
    left = []
    for moves in told:
        fight = patrol(fighter("rook", code={"agility": "9D"}), actions=9)
        fight.after(*(Move("rook", metres=metres, terrain=terrain) for metres, terrain in moves))
        left.append(fight.state.combatants["rook"].actions.left)
    assert left[0] == left[1]


@pytest.mark.parametrize(
    ("moves", "actions"),
    [
        ("4 4 1", 1),
        ("1 4 4", 1),
        ("4 3 2", 1),
        ("3 4 2", 1),
        ("2 2 2 9", 2),
        ("4 1!", 0),
        ("1! 4", 0),
        ("1! 5", 1),
        ("5 1!", 1),
        ("0.5! 0.5! 4", 0),
        ("1! 1! 4", 1),
    ],
)
def test_free_are_half_the_move_in_all_and_a_metre_of_it_over_challenging_ground(moves: str, actions: int) -> None:
    """RD6-FREE-01: of a Move of 10 m; `!` is challenging ground."""
    fight = patrol(ROOK, actions=4)
    for said in moves.split():
        terrain: Any = "challenging" if "!" in said else "easy"
        fight.after(Move("rook", metres=Decimal(said.strip("!")), terrain=terrain))
    assert fight.state.combatants["rook"].actions.used == actions


def test_twice_as_many_movements_take_twice_the_work_to_weigh() -> None:
    """RD6-FREE-01: which of them are free together is found without trying every few with every many."""
    ruleset = patrol(ROOK).ruleset
    some, twice = (
        [RoundMove(Decimal(n) / 1000, terrain) for n in range(size) for terrain in ("easy", "challenging")]
        for size in (50, 100)
    )
    assert 0 < actions_taken(twice, Decimal(10), ruleset) < len(twice)
    work = (calls(partial(actions_taken, moves, Decimal(10), ruleset)) for moves in (some, twice))
    assert next(work) * 2.6 > next(work)


def test_a_movement_that_takes_an_action_by_itself_pays_for_no_other() -> None:
    """RD6-FREE-01: the game master counts it, or it was done as the action Move."""
    for first in (Move("rook", metres=Decimal(2), counts=True), Perform("rook", "move", metres=Decimal(2))):
        fight = patrol(ROOK, actions=4).after(first, Move("rook", metres=Decimal(5)))
        assert fight.state.combatants["rook"].actions.used == 1
        assert fight.when(Move("rook", metres=Decimal(1)))["rook"].actions.used == 2
    slow = patrol(fighter("slow", movement=Decimal(1)), actions=1)
    slow.when(Move("slow", metres=Decimal(1), terrain="challenging")).one(MovedFreely)


def test_whoever_has_no_move_has_a_metre_over_challenging_ground_free_and_is_offered_it() -> None:
    """RD6-FREE-01: half of no Move is nothing, and that metre asks for none."""
    creeper = patrol(fighter("creeper", movement=None), actions=1)
    creeper.after(Move("creeper", metres=Decimal(1), counts=True))
    creeper.when(Move("creeper", metres=Decimal(1), counts=True)).refused("no_actions_left")
    # What is accepted and in no template fails here.
    creeper.when(Move("creeper", metres=Decimal(1), terrain="challenging")).one(MovedFreely)


def test_a_related_skill_is_rolled_first_and_adds_half_its_result_points() -> None:
    """RD6-REL-01, RD6-REL-02: the primary skill names it, and it counts once."""
    fight = patrol(ROOK, THUG, actions=3)
    searches = RollRelated("rook", "search", 2, "brawling", "5D", dice=(5, 1, 1))
    punches = Perform("rook", "punch", related=(7,), dice=(1, 2))
    rolled = fight.when(searches).one(RelatedSkillRolled)
    assert (rolled.modifier, rolled.left, rolled.roll.penalty) == (3, 2, 2)
    primary = fight.after(searches).when(punches).one(ActionPerformed)
    assert (primary.roll.total, primary.related) == (6, (7,))
    twice = fight.when(replace(punches, related=(7, 7))).one(ActionPerformed)
    assert twice.roll.total == 6
    fight.after(punches, Result(8, "success")).when(punches).refused("no_related_skill", "RD6-REL-01")


def test_a_related_skill_waits_for_the_primary_one_it_was_rolled_for() -> None:
    """RD6-REL-01: whatever comes in between, also into the next round; by the name of the skill or of the action."""
    fight = patrol(ROOK, THUG, actions=4).after(RollRelated("rook", "search", 2, "Melee  combat", "5D", dice=(5, 1)))
    fight.when(RollRelated("rook", "Search", 2, "melee-combat", "5D")).refused("already_rolled", "RD6-REL-01")
    fight.when(Perform("rook", "punch", related=(7,), dice=(1,))).refused("other_primary", "RD6-REL-01")
    fight.after(Perform("rook", "punch", dice=(1,)), Result(8, "success"), Round())
    fight.after(RollInitiative(("rook",), dice={"rook": (1,)}), Declare("rook", 2))
    slash = Perform("rook", "slash", code="4D", related=(7,), dice=(1, 2, 2))
    assert fight.when(slash).one(ActionPerformed).roll.total == 7
    fight.after(RollRelated("rook", "acrobatics", 9, "run_away", "5D", dice=(1, 1, 1, 1)))
    run = Perform("rook", "run_away", "running", "4D", related=(13,), dice=(1, 2, 2))
    assert fight.when(run).one(ActionPerformed).roll.total == 2


def test_a_character_point_adds_to_a_related_skill_that_was_just_rolled() -> None:
    """RD6-REL-02, RD6-ACT-04: what it brings the primary one follows from the new total."""
    searches = RollRelated("rook", "search", 9, "dodge", "3D", dice=(2, 3))
    point = Spend("rook", "character", "related", 7, dice=(6, 5))
    fight = patrol(ROOK, THUG, actions=2).after(searches)
    fight.when(replace(point, exchange=6)).refused("no_related_skill", "RD6-REL-01")
    fight.when(Spend("rook", "fate", "related", 7)).refused("fate_points_not_allowed", "RD6-REL-01")
    spent = fight.when(point).one(PointSpent)
    assert (spent.total, spent.modifier) == (16, 4)
    fight.after(point)
    (waits,) = fight.state.combatants["rook"].actions.related
    assert (waits.total, waits.modifier) == (16, 4)
    late = patrol(ROOK, THUG, actions=2).after(searches, Declare("thug"))
    late.when(point).refused("too_late", "RD6-REL-01")


def test_a_skill_is_offered_by_the_nearest_name_that_there_is() -> None:
    """RD6-LIST-01: skills are free text, and what is known is named."""
    armed = fighter("rook", code={"melee-combat": "4D"})
    told = patrol(armed, actions=1).when(Perform("rook", "slash", "melee")).refused("code_missing", "RD6-LIST-01")
    assert 'Did you mean "melee-combat"?' in told.sentence
    listed = patrol(fighter("rook", code={"melee": "4D"}), actions=1).when(Perform("rook", "slash"))
    assert 'Did you mean "melee"?' in listed.refused("code_missing", "RD6-LIST-01").sentence
    assert (
        'Did you mean "brawling"?'
        in patrol(armed).when(Roll("rook", "glance", "brawlign")).refused("code_missing").sentence
    )


def test_a_failed_related_skill_takes_off() -> None:
    """RD6-REL-02: one at least, either way; several add up, or the best of them counts (`rd6_related_multiple`)."""
    orders = (
        RollRelated("rook", "search", 10, "brawling", "5D", dice=(5, 2, 2)),
        RollRelated("rook", "stealth", 6, "brawling", "5D", dice=(5, 2, 2)),
        Perform("rook", "punch", related=(6, 7), dice=(1, 2)),
    )
    summed = patrol(ROOK, actions=3).after(*orders[:2]).when(orders[2]).one(ActionPerformed)
    assert [modifier.value for modifier in summed.roll.modifiers] == [-1, 2]
    for reading, brings in (("magnitude_up", [-1, -1, -2, -2]), ("toward_zero", [-1, -1, -1, -2])):
        ruleset = patrol(ROOK, rules={"rd6_related_failure_rounding": reading}).ruleset
        assert [related_modifier(10 - short, 10, ruleset) for short in range(1, 5)] == brings
    best = patrol(ROOK, actions=3, rules={"rd6_related_multiple": "best"}).after(*orders[:2]).when(orders[2])
    assert [modifier.value for modifier in best.one(ActionPerformed).roll.modifiers] == [2]


def test_a_related_skill_is_an_action_unless_it_is_merged() -> None:
    """RD6-REL-03."""
    fight = patrol(ROOK, actions=1)
    assert (
        fight.when(RollRelated("rook", "search", 2, "brawling", "1D", merged=True, dice=(3,)))
        .one(RelatedSkillRolled)
        .left
        == 1
    )
    fight.after(RollRelated("rook", "search", 2, "brawling", "1D", dice=(3,)))
    fight.when(RollRelated("rook", "search", 2, "brawling", "1D")).refused("no_actions_left")


def test_every_die_is_told_with_its_role() -> None:
    """RD6-INIT-06: regular ones, the wild one, what it explodes into; thrown or drawn alike."""
    fight = patrol(ROOK, actions=1)
    rolled = fight.when(Perform("rook", "punch", dice=(6, 2, 3, 6, 6, 1))).one(CodeRolled)
    roles = [(one.role, one.die.face) for one in rolled.roll.dice]
    assert roles == [("regular", 6), ("regular", 2), ("regular", 3), ("wild", 6), ("exploded", 6), ("exploded", 1)]
    places = [("", 0), ("", 1), ("", 2), ("-wild", 0), ("-wild-exploded", 0), ("-wild-exploded", 1)]
    assert [one.die.key for one in rolled.roll.dice] == [f"6/action{slot}.rook/{index}/d6" for slot, index in places]
    plain = patrol(ROOK, actions=1, rules={"rd6_wild_die": "plain"})
    assert plain.when(Perform("rook", "punch", dice=(6, 2, 3, 6))).one(CodeRolled).roll.total == 17
    fight.when(Perform("rook", "punch", dice=(6, 2, 3))).refused("dice_missing")
    fight.when(Perform("rook", "punch", dice=(6, 2, 3, 6))).refused("dice_missing")
    fight.when(Perform("rook", "punch", dice=(6, 2, 3, 4, 1))).refused("too_many_dice")
    fight.when(Perform("rook", "punch", dice=(7, 2, 3, 4))).refused("impossible_face")
    fight.when(Perform("rook", "communicate", dice=(1,))).refused("dice_idle")


@pytest.mark.parametrize(
    ("reading", "faces", "total", "told"),
    [
        ("counts", (6, 2, 3, 1), 12, ""),
        ("subtracts_highest", (6, 2, 3, 1), 5, "wild die of 1 and the highest other"),
        ("subtracts_highest", (1, 2, 3, 4), 10, ""),
        ("complication", (6, 2, 3, 1), 12, "complication, by a wild die of 1"),
        ("complication", (1, 2, 3, 4), 10, ""),
    ],
)
def test_a_wild_die_of_one_is_read_as_the_table_likes(
    reading: str, faces: tuple[int, ...], total: int, told: str
) -> None:
    """RD6-INIT-06: of a code alone, and not where a one follows a six, nor on a die that a point buys."""
    fight = patrol(ROOK, actions=1, rules={"rd6_wild_one": reading})
    roll = fight.when(Perform("rook", "punch", dice=faces)).one(CodeRolled).roll
    assert roll.total == total
    assert [one.name for one in roll.modifiers] == ([told] if told else [])
    exploded = fight.when(Perform("rook", "punch", dice=(6, 2, 3, 6, 1))).one(CodeRolled).roll
    assert (exploded.total, exploded.modifiers) == (18, ())


def test_whoever_is_down_does_nothing() -> None:
    """RD6-INIT-07."""
    fight = swing().after(Incapacitate("rook", "knocked out", "thug"))
    fight.when(Interrupt("rook", "dodge", against=10)).refused("incapacitated")
    fight.when(Wait("rook")).refused("incapacitated")

"""Interruptions, turns that move up for a reaction, and catching objects in the air (RD6-ACT-04 to RD6-ACT-06)."""

from __future__ import annotations

from typing import Any

import pytest

from mam_events.commands import (
    Adjust,
    Declare,
    Incapacitate,
    Interrupt,
    MoveUp,
    Perform,
    Result,
    RollRelated,
    Spend,
    Wait,
)
from mam_events.events import (
    ActionPerformed,
    EquipmentPickedUp,
    RelatedSkillRolled,
    ResultDeclared,
    TurnMovedUp,
)
from mam_events.state import Weapon
from tests.patrol import BRUTE, ROOK, THUG, fighter, given_swing, patrol
from tests.spec import GivenFight


def test_only_combatants_who_waited_interrupt_and_only_before_the_result() -> None:
    """RD6-ACT-04: the last interruption is resolved first."""
    fight = given_swing()
    fight.when(Interrupt("brute", "dodge", against=10)).raises("has_not_waited", "RD6-ACT-04")
    fight.when(Interrupt("thug", "dodge", against=10)).raises("bad_target", "RD6-ACT-04")
    fight.when(Interrupt("rook", "dodge", against=9)).raises("window_not_open", "RD6-ACT-04")
    fight.when(Perform("rook", "dodge")).raises("action_open", "RD6-ACT-04")
    fight.after(Interrupt("rook", "dodge", against=10, dice=(4, 4, 5)))
    fight.when(Result(10)).raises("action_open", "RD6-ACT-04")
    fight.when(Result(11)).raises("outcome_missing", "RD6-ACT-04")
    fight.after(Result(11, "success"))
    fight.when(Result(10)).raises("outcome_missing", "RD6-ACT-04")
    fight.after(Result(10, "failure"))
    fight.when(Interrupt("rook", "dodge", against=10)).raises("window_closed", "RD6-ACT-04")
    fight.when(Result(10)).raises("window_closed", "RD6-ACT-04")


def test_the_dice_decide_if_every_interruption_failed() -> None:
    """RD6-ACT-04: "before the gamemaster declares the result", which a successful dodge changes."""
    fight = given_swing().after(Interrupt("rook", "dodge", against=10, difficulty=30, dice=(4, 4, 5)), Result(11))
    fight.when(Result(10)).then(ResultDeclared(10, "thug", "punch", "success", "", 14, 10))


def test_a_related_skill_may_be_rolled_for_an_interruption() -> None:
    """RD6-REL-01, RD6-ACT-04: in the same window, by somebody who waited."""
    fight = given_swing(actions=3)
    fight.when(RollRelated("thug", "search", 3, "dodge", "5D")).raises("bad_target", "RD6-ACT-04")
    fight.when(RollRelated("brute", "search", 3, "dodge", "5D")).raises("has_not_waited", "RD6-ACT-04")
    for merged, left in ((False, 0), (True, 1)):
        helped_fight = given_swing(actions=3).after(
            RollRelated("rook", "search", 3, "dodge", "5D", merged=merged, dice=(1, 1, 3))
        )
        dodge = helped_fight.when(Interrupt("rook", "dodge", against=10, related=(11,), dice=(1, 1))).one(
            ActionPerformed
        )
        assert (dodge.roll.total, dodge.left) == (3, left)


def test_an_interruption_can_be_interrupted() -> None:
    """RD6-ACT-04: nested interruptions are resolved from the inside."""
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
    fight.when(Result(13, "success")).raises("action_open")
    fight.after(Result(14, "failure"), Result(13, "success"), Result(12, "failure"))


def test_the_printed_example_of_a_wait_and_a_dodge() -> None:
    """RD6-ACT-05: two actions: the wait and the dodge."""
    dodge = given_swing().when(Interrupt("rook", "dodge", against=10, dice=(4, 4, 5))).one(ActionPerformed)
    assert (dodge.roll.code, dodge.roll.penalty, len(dodge.roll.dice), dodge.left) == ("4D", 1, 3, 0)


def test_some_reactions_move_a_turn_up() -> None:
    """RD6-ACT-06: with several of the combatant's actions if wanted; a plain defense needs a wait."""
    fight = patrol(ROOK, THUG, BRUTE, actions=1).after(Perform("rook", "throw", code="4D", dice=(1, 2, 3, 4)))
    fight.when(MoveUp("thug", "dodge")).raises("wait_required", "RD6-ACT-06")
    fight.when(MoveUp("thug", "catch", 2)).then(TurnMovedUp("thug", "catch", 2, 4, 1, against=8))
    fight.when(MoveUp("thug", "gm_allows", against=7)).raises("window_not_open")
    fight.when(MoveUp("thug", "gm_allows", against=8)).one(TurnMovedUp)
    fight.after(MoveUp("thug", "catch", 2))
    fight.when(Interrupt("thug", "dodge", against=8)).raises("other_reaction", "RD6-ACT-06")
    fight.after(Interrupt("thug", "catch", code="3D", against=8, dice=(2, 3)))
    fight.when(MoveUp("rook", "gm_allows")).raises("turn_had", "RD6-ACT-02")
    fight.when(MoveUp("thug", "resist_mental_attempt")).raises("turn_had")
    fight.after(Result(10, "success"), Result(8, "failure"), MoveUp("brute", "gm_allows", reason="it rolls at him"))
    eager = patrol(ROOK, THUG, actions=1, rules={"rd6_reactive_defense": "move_up_allowed"})
    eager.after(Perform("rook", "punch", dice=(1, 2, 3, 4)), MoveUp("thug", "parry"))


def test_only_combatants_who_act_later_catch_a_thrown_thing() -> None:
    """RD6-LIST-catch: in the order of the round."""
    fight = patrol(ROOK, THUG, actions=2).after(
        Wait("rook"), Declare("thug"), Perform("thug", "throw", code="1D", dice=(3,))
    )
    fight.when(MoveUp("rook", "catch")).raises("must_act_later_than_thrower", "RD6-LIST-catch")
    fight.after(Interrupt("rook", "catch", code="4D", against=9, dice=(1, 2, 3)))
    nothing = patrol(ROOK, THUG)
    nothing.when(MoveUp("thug", "catch")).raises("window_not_open")
    nothing.after(Declare("rook"), Perform("rook", "punch", dice=(1, 2, 3, 4)))
    nothing.when(MoveUp("thug", "catch")).raises("nothing_thrown", "RD6-LIST-catch")


def test_a_character_point_adds_to_an_action_before_interruptions() -> None:
    """RD6-ACT-04: the window opens after the points are spent."""
    fight = patrol(THUG, ROOK, actions=2).after(Wait("thug"), Declare("rook"))
    fight.after(Perform("rook", "punch", difficulty=20, dice=(3, 3, 3, 3)))
    fight.when(Spend("thug", "character", "action", 9)).raises("no_points_left")
    fight.after(Spend("rook", "character", "action", 9, dice=(6, 4)))
    assert fight.state.window.open[-1].total == 22
    fight.after(Interrupt("thug", "dodge", against=9, dice=(1, 1, 1)), Result(11, "failure"))
    fight.when(Spend("rook", "character", "action", 9)).raises("too_late", "RD6-ACT-04")
    assert fight.when(Result(9)).one(ResultDeclared).outcome == "success"


def test_an_action_that_became_impossible_needs_a_declared_outcome() -> None:
    """RD6-ACT-04, RD6-INIT-07: dice alone do not make an action succeed that an interruption made impossible."""
    for stops in (Incapacitate("thug"), Adjust("falls", condition={"thug": "dead"})):
        fight = given_swing().after(stops)
        fight.when(Result(10)).raises("outcome_missing", "RD6-ACT-04")
        assert fight.when(Result(10, "failure")).one(ResultDeclared).outcome == "failure"
    held_fight = given_swing().after(Interrupt("rook", "tackle", target="thug", against=10, dice=(1, 1, 1)))
    held_fight.after(Result(11, "success"))
    held_fight.when(Result(10)).raises("outcome_missing", "RD6-ACT-04")


def test_the_result_waits_for_a_reaction_that_moved_up() -> None:
    """RD6-ACT-06: the result waits only as long as the reaction is possible."""
    fight = patrol(ROOK, THUG, BRUTE, actions=1).after(Perform("rook", "drop"), MoveUp("thug", "catch", 2))
    fight.when(Result(8, "success")).raises("reaction_open", "RD6-ACT-06")
    fight.when(Result(8, "success"))
    assert not fight.when(Incapacitate("thug")).error
    fight.after(Incapacitate("thug"), Result(8, "success"))


KNIVES = {"athletics": "3D", "throwing": "4D"}


JUGGLERS = tuple(fighter(name, code=KNIVES, weapon=(Weapon(f"knife-{name}"),)) for name in ("ann", "bea", "cid", "dan"))


def throw_knife(*more: Any, rules: Any = None) -> GivenFight:
    """Let Ann wait and Bea throw her knife at Cid: action 10, in the air."""
    fight = patrol(*JUGGLERS, actions=2, rules=rules).after(Wait("ann"), Declare("bea", 1))
    throw = Perform("bea", "throw", target="cid", equipment="knife-bea", difficulty=5, code="4D", dice=(1, 2, 3, 4))
    return fight.after(throw, *more)


def test_a_moved_up_reaction_stays_possible_while_others_act() -> None:
    """RD6-ACT-04, RD6-ACT-06: until the reaction or the end of the window; the last interruption is resolved first."""
    number = throw_knife().ruling
    catch = {combatant: Interrupt(combatant, "catch", against=number, dice=(1, 2, 3)) for combatant in ("cid", "dan")}
    dodged_fight = throw_knife(
        MoveUp("cid", "catch", against=number), Interrupt("ann", "dodge", against=number, dice=(1, 2, 3))
    )
    dodged_fight.when(Result(number, "failure")).raises("action_open", "RD6-ACT-04")
    dodged_fight.after(Result(number + 2, "failure"))
    dodged_fight.when(Result(number, "failure")).raises("reaction_open", "RD6-ACT-06")
    dodged_fight.after(catch["cid"], Result(number + 4, "failure"), Result(number, "success"))
    both = (MoveUp("cid", "catch"), MoveUp("dan", "catch"))
    nested_fight = throw_knife(
        *both, catch["cid"], catch["dan"], Result(number + 4, "failure"), Result(number + 3, "success")
    )
    nested_fight.after(Result(number, "failure"))
    allowed_fight = throw_knife(MoveUp("cid", "gm_allows"), MoveUp("dan", "gm_allows"))
    allowed_fight.when(Interrupt("cid", "punch", "brawling", against=number, dice=(1,) * 4)).one(ActionPerformed)
    allowed_fight.when(RollRelated("cid", "search", 3, "dodge", merged=True, dice=(1,) * 3)).one(RelatedSkillRolled)
    allowed_fight.after(Interrupt("cid", "dodge", against=number, dice=(1,) * 4), Result(number + 3, "failure"))
    allowed_fight.after(Interrupt("dan", "dodge", against=number, dice=(1,) * 4), Result(number + 5, "failure"))
    allowed_fight.when(Interrupt("cid", "dodge", against=number)).raises("has_not_waited", "RD6-ACT-04")


def test_the_result_does_not_wait_for_an_impossible_reaction() -> None:
    """RD6-ACT-06, RD6-MAP-06: an object that another caught is not in the air, and a code without dice can't catch."""
    number = throw_knife().ruling
    fight = throw_knife(MoveUp("cid", "catch"), MoveUp("dan", "catch"))
    fight.after(Interrupt("dan", "catch", against=number, dice=(1, 2, 3)), Result(number + 3, "success"))
    fight.when(Interrupt("cid", "catch", against=number)).raises("nothing_thrown", "RD6-LIST-catch")
    fight.after(Result(number, "failure"))
    unnamed = patrol(*JUGGLERS, actions=1).after(Perform("ann", "throw", what="a brick", code="4D", dice=(1,) * 4))
    brick = unnamed.ruling
    unnamed.after(MoveUp("cid", "catch"), MoveUp("dan", "catch"))
    unnamed.after(Interrupt("dan", "catch", against=brick, dice=(1, 2, 3)), Result(brick + 3, "success"))
    unnamed.when(Interrupt("cid", "catch", against=brick)).raises("nothing_thrown", "RD6-LIST-catch")
    unnamed.after(Result(brick, "failure"))
    throw_knife().when(MoveUp("cid", "catch", 4)).raises("reduced_to_zero", "RD6-MAP-06")
    throw_knife(MoveUp("cid", "catch", 3), Interrupt("cid", "catch", against=number, dice=(1,)))
    spared_fight = throw_knife(rules={"rd6_map_scope": "excess_actions_only"})
    spared_fight.after(MoveUp("cid", "catch", 4), Interrupt("cid", "catch", against=number, dice=(1, 2, 3)))


@pytest.mark.parametrize("lets_go", ["throw", "drop"])
def test_a_thing_in_the_air_can_be_caught_but_not_readied(lets_go: str) -> None:
    """RD6-LIST-catch, RD6-LIST-ready: by anybody; after it has fallen it lies on the ground."""
    fight = patrol(*JUGGLERS, actions=4).after(Wait("ann"), Declare("bea", 4), Wait("bea"), Declare("cid", 2))
    dice: Any = {"code": "4D", "dice": (1,)} if lets_go == "throw" else {}
    fight.after(Perform("bea", lets_go, equipment="knife-bea", **dice))
    number = fight.ruling
    picks = Interrupt("ann", "ready", equipment="knife-bea", against=number)
    error = fight.when(picks).raises("in_the_air", "RD6-LIST-catch")
    assert f"Action {number} threw" in error.sentence
    fight.after(Interrupt("ann", "communicate", code="4D", against=number, dice=(1,)))
    own = Interrupt("bea", "ready", equipment="knife-bea", against=number + 1)
    if lets_go == "drop":
        fight.when(own).raises("in_the_air")
    fight.after(Result(number + 1, "success"), Result(number, "success"))
    fight.when(Perform("ann", "ready", equipment="knife-bea")).one(EquipmentPickedUp)


def test_a_combatant_who_waited_may_try_twice_to_catch() -> None:
    """RD6-LIST-catch, RD6-ACT-03: it acts later than the thrower, and may continue until somebody else acts."""
    fight = patrol(ROOK, THUG, actions=3).after(Wait("rook"), Declare("thug"), Perform("thug", "drop"))
    catch = Interrupt("rook", "catch", code="4D", against=9, dice=(1, 1))
    fight.after(catch, Result(10, "failure"))
    fight.when(catch).one(ActionPerformed)


def test_a_combatant_with_a_later_turn_catches_what_an_early_one_drops() -> None:
    """RD6-LIST-catch: later in the round as played, if the thrower's turn moved up."""
    fight = patrol(ROOK, THUG).after(MoveUp("thug", "gm_allows"), Perform("thug", "drop"))
    fight.after(MoveUp("rook", "catch"), Interrupt("rook", "catch", code="4D", against=7, dice=(1,) * 4))


def test_a_dropped_thing_can_be_caught_and_dropping_takes_no_action() -> None:
    """RD6-LIST-catch, RD6-FREE-01: "a thrown or dropped object", by somebody who acts later; in no other window."""
    fight = patrol(ROOK, THUG, BRUTE, actions=1)
    fight.when(Perform("rook", "catch", code="3D")).raises("nothing_thrown", "RD6-LIST-catch")
    dropped = fight.when(Perform("rook", "drop", what="the lantern")).one(ActionPerformed)
    assert (dropped.roll, dropped.left, dropped.thrown) == (None, 1, True)
    fight.after(Perform("rook", "drop", what="the lantern"))
    assert fight.state.window.open[0].total is None
    fight.when(Result(8)).raises("outcome_missing", "RD6-ACT-04")
    fight.when(Spend("rook", "character", "action", 8)).raises("not_rolled", "RD6-ACT-04")
    fight.after(MoveUp("thug", "catch"), Interrupt("thug", "catch", code="3D", against=8, dice=(2, 3, 4)))
    fight.after(Result(10, "success"), Result(8, "failure"))
    fight.after(Perform("rook", "communicate"), Perform("rook", "drop", what="the rope"), Result(14, "success"))
    fight.when(Perform("rook", "communicate")).raises("no_actions_left")


def test_dropping_a_thing_does_not_end_a_wait() -> None:
    """RD6-ACT-03: only an action ends the wait."""
    fight = patrol(ROOK, THUG, actions=2).after(Wait("rook"), Perform("rook", "drop"), Result(8, "success"))
    fight.after(Declare("thug"), Perform("thug", "punch", dice=(1, 1, 1, 1)))
    fight.after(Interrupt("rook", "dodge", against=11, dice=(1, 1, 1)))

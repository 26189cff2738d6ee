"""The window between an action's roll and its result, and interruptions in it (RD6-ACT-04)."""

from __future__ import annotations

from decimal import Decimal

import pytest

from mam_events.commands import (
    Adjust,
    Command,
    Declare,
    EndTurn,
    Incapacitate,
    Interrupt,
    Move,
    MoveUp,
    Perform,
    Recover,
    Result,
    RollRelated,
    Spend,
    Wait,
)
from mam_events.events import CombatantFreed, CombatantHeldDown, CombatantRecovered, EquipmentPickedUp, ResultDeclared
from mam_events.rules.ron_d6.actions import action_fields
from mam_events.state import Weapon
from tests.patrol import ROOK, THUG, fighter, patrol
from tests.spec import GivenFight

ARMED = fighter("ana", code={"firearms": "4D"}, weapon=(Weapon("gun", name="Gun"),), character_points=2)
DAGGER = fighter("ana", weapon=(Weapon("dagger", name="Dagger"),))
PUNCH = Perform("ana", "punch", target="rook", difficulty=5, dice=(3, 3, 3, 3))
TACKLE = Perform("ana", "tackle", target="rook", difficulty=5, dice=(3, 3, 3, 3))


def given_waiters(*orders: Command) -> GivenFight:
    """Let Rook and Thug wait with an action left, and give orders to Ana (ruling 11)."""
    return patrol(ROOK, THUG, ARMED, actions=2).after(
        Wait("rook"), Declare("thug", 2), Wait("thug"), Declare("ana"), *orders
    )


@pytest.mark.parametrize(("difficulty", "outcome"), [(11, "success"), (12, "success"), (13, "failure")])
def test_an_action_succeeds_if_its_total_reaches_the_difficulty(difficulty: int, outcome: str) -> None:
    """EXT-12: a total that equals the difficulty reaches it."""
    fight = given_waiters(Perform("ana", "punch", target="rook", difficulty=difficulty, dice=(3, 3, 3, 3)))
    result = fight.when(Result(12)).one(ResultDeclared)
    assert (result.total, result.outcome) == (12, outcome)


def test_an_interruption_without_a_roll_requires_a_declared_result() -> None:
    """RD6-ACT-04: "interrupt another character's action", with a roll or without."""
    fight = given_waiters(PUNCH, Interrupt("rook", "run_away", against=12))
    assert "Interruption 13 has" in fight.when(Result(12)).raises("outcome_missing", "RD6-ACT-04").sentence
    fight.when(Result(12, "failure")).one(ResultDeclared)


def test_a_shooter_disarmed_by_an_interruption_needs_a_declared_result() -> None:
    """RD6-ACT-04, RD6-LIST-disarm: nobody interrupted the shot itself, but the gun lies on the ground."""
    shot = Perform("ana", "shoot", target="rook", equipment="gun", difficulty=5, dice=(3, 3, 3, 3))
    dodge = Interrupt("rook", "dodge", against=12, difficulty=30, dice=(1, 1, 2))
    disarm = Interrupt("thug", "disarm", against=13, target="ana", part="gun", code="4D", difficulty=2, dice=(1, 1, 2))
    fight = given_waiters(shot, dodge, disarm, Result(14), Result(13, "failure"))
    assert "lost the Gun" in fight.when(Result(12)).raises("outcome_missing", "RD6-ACT-04").sentence


def test_an_actor_hit_by_an_interruption_needs_a_declared_result() -> None:
    """RD6-ACT-04: a hit on an actor makes the result of their own action open."""
    dodge = Interrupt("rook", "dodge", against=12, difficulty=30, dice=(1, 1, 2))
    kick = Interrupt("thug", "kick", against=13, target="ana", code="4D", difficulty=2, dice=(1, 1, 2))
    fight = given_waiters(PUNCH, dodge, kick, Result(14), Result(13, "failure"))
    assert "Interruption 14" in fight.when(Result(12)).raises("outcome_missing", "RD6-ACT-04").sentence
    other = given_waiters(PUNCH, dodge, Interrupt("thug", "kick", against=13, target="rook", code="4D", dice=(1, 1, 2)))
    other.after(Result(14, "success"), Result(13, "failure")).when(Result(12)).one(ResultDeclared)


def test_an_action_at_a_dead_target_needs_a_declared_result() -> None:
    """RD6-ACT-04: the game master declared it during the action."""
    fight = given_waiters(PUNCH, Adjust("a stone falls", condition={"rook": "dead"}))
    assert "rook is dead" in fight.when(Result(12)).raises("outcome_missing").sentence


@pytest.mark.parametrize("name", ["rook", "brute", "ana"])
def test_nobody_can_move_during_an_action(name: str) -> None:
    """RD6-RND-02, RD6-ACT-04: "not simultaneous", and only combatants who waited interrupt."""
    fight = patrol(ARMED, ROOK, fighter("brute"), actions=1).after(TACKLE)
    fight.when(Move(name, metres=Decimal(5))).raises("action_open", "RD6-ACT-04")
    fight.after(Result(fight.ruling)).when(Move("brute", metres=Decimal(5))).all()


def given_thrown_dagger() -> GivenFight:
    """Let Ana throw her dagger (ruling 7), and move Rook's turn up to catch it."""
    throw = Perform("ana", "throw", code="4D", target="rook", equipment="dagger", dice=(3, 3, 3))
    return patrol(DAGGER, ROOK, THUG, actions=2).after(throw, MoveUp("rook", "catch", 2))


def test_a_caught_thing_is_in_the_catchers_hands() -> None:
    """RD6-LIST-catch: "Stop the movement of a thrown or dropped object"."""
    catch = Interrupt("rook", "catch", code="4D", against=8, difficulty=5, dice=(3, 3, 3))
    fight = given_thrown_dagger().after(catch)
    assert fight.when(Result(10)).one(EquipmentPickedUp) == EquipmentPickedUp("rook", "dagger", "ana")
    fight.after(Result(10))
    fight.when(catch).raises("nothing_thrown", "RD6-LIST-catch")
    fight.after(Result(8, "failure"))
    fight.when(Perform("ana", "ready", equipment="dagger")).raises("unknown_item")
    missed_fight = given_thrown_dagger().after(
        Interrupt("rook", "catch", code="4D", against=8, difficulty=30, dice=(3, 3, 3))
    )
    assert not missed_fight.when(Result(10)).all(EquipmentPickedUp)


def test_readying_a_thing_on_the_ground_picks_it_up() -> None:
    """RD6-LIST-ready: nobody else has picked it up."""
    fight = patrol(DAGGER, THUG, actions=1)
    fight.after(Perform("ana", "throw", code="4D", equipment="dagger", dice=(3, 3, 3, 3)), Result(7, "failure"))
    fight.after(Declare("thug", 2))
    thug = fight.state.combatants["thug"]
    (things,) = (one for one in action_fields(fight.state, fight.ruleset, thug) if one.name == "equipment")
    assert "dagger" in (things.choices or ())
    fight.when(Perform("thug", "lunge", code="4D", equipment="dagger")).raises("unknown_item")
    result = fight.when(Perform("thug", "ready", equipment="dagger"))
    assert result.one(EquipmentPickedUp) == EquipmentPickedUp("thug", "dagger", "ana")
    assert result["thug"].weapon("dagger")
    assert not result["ana"].weapon("dagger")


def test_a_thing_with_a_taken_id_gets_a_new_id_when_it_changes_hands() -> None:
    """RD6-LIST-catch, RD6-LIST-ready: the caught or picked up thing is kept beside one with the same id."""
    knife = fighter("rook", weapon=DAGGER.weapon)
    throw = Perform("ana", "throw", code="4D", target="rook", equipment="dagger", dice=(3, 3, 3))
    catch = Interrupt("rook", "catch", code="4D", against=8, difficulty=5, dice=(3, 3, 3))
    fight = patrol(DAGGER, knife, THUG, actions=2).after(throw, MoveUp("rook", "catch", 2), catch)
    result = fight.when(Result(10))
    assert result.one(EquipmentPickedUp) == EquipmentPickedUp("rook", "dagger", "ana", "dagger-2")
    assert [one.id for one in result["rook"].in_hand] == ["body", "dagger", "dagger-2"]
    assert not result["ana"].weapon("dagger")

    left = patrol(DAGGER, knife, THUG, actions=1)
    left.after(Perform("ana", "drop", equipment="dagger"), Result(8, "success"), Wait("ana"), Declare("rook", 1))
    left.after(Perform("rook", "drop", equipment="dagger"), Result(12, "success"), Wait("rook"), Declare("thug", 1))
    thug = left.state.combatants["thug"]
    (things,) = (one for one in action_fields(left.state, left.ruleset, thug) if one.name == "equipment")
    assert {"dagger", "dagger-2"} <= set(things.choices or ())
    taken_result = left.when(Perform("thug", "ready", equipment="dagger-2"))
    assert taken_result.one(EquipmentPickedUp) == EquipmentPickedUp("thug", "dagger", "rook", "dagger-2")
    assert taken_result["thug"].weapon("dagger-2")


def test_waking_up_does_not_end_being_held_down() -> None:
    """RD6-INIT-07: "until they wake up or get free", one after the other."""
    fight = patrol(ROOK, THUG).after(CombatantHeldDown("thug", "rook"), Incapacitate("thug"))
    result = fight.when(Recover("thug"))
    assert result.all(CombatantRecovered)
    assert not result.all(CombatantFreed)
    fight.after(Recover("thug")).when(Recover("thug")).one(CombatantFreed)


def test_a_combatant_who_is_pushed_away_lets_go() -> None:
    """RD6-LIST-push: "Forcibly move an opponent"."""
    fight = patrol(ROOK, THUG, ARMED, actions=1).after(CombatantHeldDown("thug", "ana"))
    fight.after(Perform("rook", "push", target="ana", difficulty=5, dice=(3, 3, 3, 3)))
    assert fight.when(Result(fight.ruling)).one(CombatantFreed).of == "ana"
    assert not fight.when(Result(fight.ruling, "failure")).all(CombatantFreed)


def test_an_incapacitated_combatant_cannot_spend_points() -> None:
    """RD6-ACT-04, RD6-INIT-07: neither on an open roll nor on a related skill."""
    down = given_waiters(PUNCH, Incapacitate("ana"))
    down.when(Spend("ana", "character", "action", 12, dice=(3,))).raises("incapacitated", "RD6-INIT-07")
    related = patrol(ARMED, THUG, actions=2)
    related.after(RollRelated("ana", "search", 3, "dodge", "3D", dice=(1, 3)), Incapacitate("ana"))
    related.when(Spend("ana", "character", "related", 7, dice=(3,))).raises("incapacitated", "RD6-INIT-07")


def test_two_moved_up_turns_do_not_end_each_other() -> None:
    """RD6-ACT-06: only the end of the round ends a declared turn (RD6-RND-04)."""
    fight = patrol(ROOK, THUG, ARMED).after(MoveUp("ana", "gm_allows", 2), MoveUp("thug", "gm_allows", 2))
    assert fight.state.acting == "thug"
    fight.after(Perform("ana", "communicate"), Perform("thug", "communicate"), Perform("thug", "communicate"))
    assert fight.state.acting == "ana"
    fight.after(Perform("ana", "communicate"))
    assert not any(combatant.actions.left for combatant in fight.state.combatants.values())


def test_a_moved_up_turn_continues_after_another_reaction() -> None:
    """RD6-ACT-06: until the interrupted combatant acts again."""
    between = (Interrupt("thug", "communicate", against=8), Interrupt("ana", "communicate", against=8))
    fight = patrol(ROOK, THUG, ARMED, actions=3).after(
        Perform("rook", "punch", difficulty=30, dice=(1, 1)),
        MoveUp("thug", "gm_allows", 2),
        MoveUp("ana", "gm_allows", 2),
        *between,
        Result(8, "failure"),
    )
    second_order = Perform("thug", "communicate")
    assert fight.when(second_order).error is None
    fight.after(Perform("rook", "communicate")).when(second_order).raises("out_of_turn", "RD6-ACT-03")
    late_fight = patrol(ROOK, THUG, actions=3).after(MoveUp("thug", "gm_allows", 2), Perform("rook", "communicate"))
    assert late_fight.when(second_order).error is None
    assert late_fight.after(Wait("rook")).when(second_order).error is None
    passed_fight = patrol(ROOK, THUG, ARMED, actions=1).after(
        MoveUp("thug", "gm_allows"), EndTurn("rook"), Declare("ana")
    )
    assert passed_fight.when(second_order).error is None

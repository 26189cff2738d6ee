"""Contests: one roll against the opponent's modifier, or two rolls that can tie."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from mam_events.commands import Adjust, Contest
from mam_events.events import ContestResolved
from tests.fighters import CLONE, DUEL, MODRE
from tests.rules.rolls.test_success_rolls import HIT
from tests.spec import given

WRESTLE = Contest("modre", "clone", modifier=2, opponent_modifier=4)
HALF = {"half_success": "one_of_two_rolls"}
RESPONDER = {"contest_roller": "responder"}


def outcomes(contest: Contest, rules: dict[str, str] | None = None) -> tuple[str, str]:
    """Return the outcome for the combatant who began the contest, and for the opponent."""
    event = given(MODRE, CLONE, rules=rules).when(contest).one(ContestResolved)
    return event.outcome, event.opponent_outcome


def two_rolls(kind: Any, die: int, opponent_die: int, rules: dict[str, str] | None = None) -> tuple[str, str, bool]:
    """Return the outcome of both rolls, one of which needs 13 and the other 9, and whether they tied."""
    contest = replace(WRESTLE, tie=kind, die=die, opponent_die=opponent_die)
    event = given(MODRE, CLONE, rules=rules).when(contest).one(ContestResolved)
    return event.outcome, event.opponent_outcome, event.tie


def test_one_roll_against_10_plus_the_opponents_modifier() -> None:
    """MAM-CONT-01."""
    assert outcomes(replace(WRESTLE, die=13)) == ("full", "fail")
    assert outcomes(replace(WRESTLE, die=11)) == ("fail", "full")
    event = given(MODRE, CLONE).when(replace(WRESTLE, die=13)).one(ContestResolved)
    assert [(roll.combatant, roll.total, roll.against) for roll in event.rolls] == [("modre", 15, 14)]


def test_equal_opponents_each_win_half_of_the_time() -> None:
    """MAM-CONT-01: with equal modifiers 10 faces of 20 win, and the others lose."""
    equals = Contest("modre", "clone", modifier=4, opponent_modifier=4)
    won = [outcomes(replace(equals, die=face)) for face in range(1, 21)]
    assert (won.count(("full", "fail")), won.count(("fail", "full"))) == (10, 10)


@pytest.mark.parametrize(("reading", "both"), [("exact_tie", "half"), ("never", None), ("one_of_two_rolls", None)])
def test_an_option_makes_a_single_roll_that_ties_a_draw(reading: str, both: str | None) -> None:
    """MAM-CONT-01, MAM-ROLL-04, option `half_success_scope`."""
    rules = {"half_success": reading, "half_success_scope": "every_roll"}
    assert outcomes(replace(WRESTLE, die=12), rules) == ((both, both) if both else ("fail", "full"))


def test_an_option_makes_the_responder_roll() -> None:
    """MAM-CONT-01."""
    assert outcomes(replace(WRESTLE, opponent_die=9), RESPONDER) == ("fail", "full")
    assert outcomes(replace(WRESTLE, opponent_die=7), RESPONDER) == ("full", "fail")
    given(MODRE, CLONE, rules=RESPONDER).when(replace(WRESTLE, die=9)).raises("idle_die", "MAM-CONT-01")
    given(MODRE, CLONE).when(replace(WRESTLE, opponent_die=9)).raises("idle_die", "MAM-CONT-01")


def test_a_contest_that_allows_a_tie_needs_two_rolls() -> None:
    """MAM-CONT-02."""
    contest = replace(WRESTLE, tie="both_ways", die=13, opponent_die=8)
    event = given(MODRE, CLONE).when(contest).one(ContestResolved)
    assert [(roll.combatant, roll.total, roll.against) for roll in event.rolls] == [
        ("modre", 15, 14),
        ("clone", 12, 12),
    ]
    assert [die.key for die in event.dice] == ["4/contest.modre/0/d20", "4/contest.clone/0/d20"]


@pytest.mark.parametrize("kind", ["both_ways", "cannot_both_succeed", "cannot_both_fail"])
def test_the_only_one_to_succeed_wins(kind: str) -> None:
    """MAM-CONT-03."""
    assert two_rolls(kind, 13, 8) == ("full", "fail", False)
    assert two_rolls(kind, 12, 9) == ("fail", "full", False)


def test_the_kind_of_contest_decides_both_kinds_of_tie() -> None:
    """MAM-CONT-03."""
    assert [two_rolls("both_ways", *dice) for dice in ((13, 9), (12, 8))] == [
        ("full", "full", True),
        ("fail", "fail", True),
    ]
    assert {two_rolls("cannot_both_succeed", *dice) for dice in ((13, 9), (12, 8))} == {("fail", "fail", True)}
    assert {two_rolls("cannot_both_fail", *dice) for dice in ((13, 9), (12, 8))} == {("full", "full", True)}


def test_an_option_makes_two_successes_half_for_both() -> None:
    """MAM-CONT-03, MAM-ROLL-04."""
    assert two_rolls("both_ways", 13, 9, HALF) == ("half", "half", True)
    assert two_rolls("cannot_both_fail", 13, 9, HALF) == ("half", "half", True)
    assert two_rolls("cannot_both_fail", 12, 8, HALF) == ("full", "full", True)
    assert two_rolls("cannot_both_succeed", 13, 9, HALF) == ("fail", "fail", True)
    assert two_rolls("both_ways", 13, 8, HALF) == ("full", "fail", False)


def test_a_natural_20_is_a_success_in_a_contest() -> None:
    """MAM-CONT-04."""
    outclassed = replace(WRESTLE, opponent_modifier=40, tie="both_ways", opponent_die=5)
    assert outcomes(replace(outclassed, die=19)) == ("fail", "full")
    assert outcomes(replace(outclassed, die=20)) == ("full", "full")
    assert outcomes(replace(outclassed, die=20, tie="cannot_both_succeed")) == ("fail", "fail")
    assert outcomes(Contest("modre", "clone", opponent_modifier=40, die=20)) == ("full", "fail")


def test_substitute_dice_can_be_used_in_a_contest() -> None:
    """MAM-CONT-02, MAM-DICE-04."""
    contest = replace(WRESTLE, tie="both_ways", kind="d6", die=6, confirmation_die=4, opponent_die=6)
    event = given(MODRE, CLONE).when(replace(contest, opponent_confirmation_die=5)).one(ContestResolved)
    assert [(roll.value, roll.automatic) for roll in event.rolls] == [(20, False), (20, True)]
    error = given(MODRE, CLONE).when(replace(contest, opponent_die=5, opponent_confirmation_die=5)).raises("idle_die")
    assert error.fields == ("opponent_confirmation_die",)


@pytest.mark.parametrize(
    ("contest", "code"),
    [
        (Contest("modre", "modre"), "bad_target"),
        (Contest("modre", "cloen"), "unknown_combatant"),
        (Contest("modre", "clone", die=21), "impossible_face"),
        (Contest("modre", "clone", tie="both_ways", opponent_die=21), "impossible_face"),
    ],
)
def test_an_impossible_contest_is_refused(contest: Contest, code: str) -> None:
    """MAM-CONT-01."""
    given(MODRE, CLONE).when(contest).raises(code)


def test_a_contest_with_the_dead_is_refused() -> None:
    """MAM-CONT-01."""
    given(MODRE, CLONE, Adjust("he bleeds", condition={"clone": "dead"})).when(WRESTLE).raises("out_of_fight")


def test_a_contest_is_possible_during_an_exchange() -> None:
    """MAM-CONT-01."""
    assert given(*DUEL, HIT).when(replace(WRESTLE, die=13)).state.exchange is not None

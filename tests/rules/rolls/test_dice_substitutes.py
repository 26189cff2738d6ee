"""Substitutes for the d20: the value of a face, the confirmation die, and where they may be used."""

from __future__ import annotations

from fractions import Fraction
from itertools import cycle

import pytest

from mam_events.commands import Check, Resolve
from mam_events.dice import SIDES
from mam_events.events import AttackRolled, SuccessRoll, SuccessRolled
from mam_events.rules.rolls.dice_substitutes import convert, die_of, needs_confirmation
from mam_events.rules.rulebook import rulebook
from mam_events.values import DieKind
from tests.fighters import DUEL, MODRE
from tests.rules.adapters.success import automatic_probability
from tests.rules.rolls.test_success_rolls import HIT
from tests.rules.scene import Case
from tests.spec import given

HIGHEST = {"substitute_zero_face": "highest_counts_as_zero"}
IGNORE = {"substitute_automatic_success": "ignore"}


def values(kind: DieKind, rules: dict[str, str] | None = None) -> list[int]:
    """Return the value of every face of that die."""
    ruleset = rulebook().ruleset("mam_pools", rules)
    return [convert(kind, face, ruleset) for face in range(1, SIDES[kind] + 1)]


def roll_check(check: Check, rules: dict[str, str] | None = None, *faces: int) -> SuccessRoll:
    """Make a check and return its roll."""
    (roll,) = given(MODRE, rules=rules, drawn=faces).when(check).one(SuccessRolled).rolls
    assert isinstance(roll, SuccessRoll)
    return roll


def test_a_d10_is_doubled() -> None:
    """MAM-DICE-01."""
    assert values("d10") == values("d10", HIGHEST) == list(range(2, 21, 2))


def test_other_substitute_dice_start_at_0() -> None:
    """MAM-DICE-02."""
    assert values("d12") == list(range(0, 23, 2))
    assert values("d8") == list(range(0, 22, 3))
    assert values("d6") == list(range(0, 21, 4))
    assert values("d20") == list(range(1, 21))


def test_an_option_makes_the_highest_face_0() -> None:
    """MAM-DICE-03."""
    assert values("d12", HIGHEST) == [*range(2, 23, 2), 0]
    assert values("d6", HIGHEST) == [4, 8, 12, 16, 20, 0]
    roll = roll_check(Check("modre", kind="d8", die=8), HIGHEST)
    assert (roll.value, roll.confirmation, roll.succeeded) == (0, None, False)


def test_a_value_of_20_is_confirmed_by_a_second_die() -> None:
    """MAM-DICE-04."""
    roll = roll_check(Check("modre", 30, kind="d10", die=10, confirmation_die=6))
    assert (roll.value, roll.automatic, roll.succeeded) == (20, True, True)
    assert roll.confirmation is not None
    assert roll.confirmation.key == "3/check.modre/1/d10"
    unsure = roll_check(Check("modre", 30, modifier=2, kind="d12", die=12, confirmation_die=8))
    assert (unsure.total, unsure.automatic, unsure.succeeded) == (24, False, False)
    assert roll_check(Check("modre", 21, kind="d12", die=12, confirmation_die=1)).succeeded


def test_a_missing_confirmation_die_is_drawn() -> None:
    """MAM-DICE-04."""
    assert roll_check(Check("modre", 30, kind="d6"), None, 6, 5).automatic
    assert not roll_check(Check("modre", 30, kind="d6", die=6), None, 4).automatic


def test_an_option_skips_the_confirmation_die() -> None:
    """MAM-DICE-04."""
    roll = roll_check(Check("modre", 30, kind="d10", die=10), IGNORE)
    assert (roll.value, roll.confirmation, roll.succeeded) == (20, None, False)
    assert roll_check(Check("modre", 30, die=20), IGNORE).automatic


@pytest.mark.parametrize(
    ("check", "rules"),
    [
        (Check("modre", kind="d10", die=9, confirmation_die=6), {}),
        (Check("modre", kind="d10", confirmation_die=6), {}),
        (Check("modre", die=20, confirmation_die=6), {}),
        (Check("modre", kind="d10", die=10, confirmation_die=6), IGNORE),
        (Check("modre", kind="d8", die=8, confirmation_die=6), HIGHEST),
    ],
)
def test_an_idle_confirmation_die_is_refused(check: Check, rules: dict[str, str]) -> None:
    """MAM-DICE-04."""
    assert given(MODRE, rules=rules).when(check).raises("idle_die", "MAM-DICE-04").fields == ("confirmation_die",)


def test_an_impossible_confirmation_face_is_refused() -> None:
    """MAM-DICE-04."""
    given(MODRE).when(Check("modre", kind="d6", die=6, confirmation_die=7)).raises("impossible_face")


def test_the_probability_of_an_automatic_success_for_each_die() -> None:
    """MAM-DICE-05."""
    chances: dict[DieKind, Fraction] = {
        "d20": Fraction(1, 20),
        "d10": Fraction(1, 20),
        "d6": Fraction(1, 18),
        "d8": Fraction(3, 64),
        "d12": Fraction(1, 18),
    }
    for rules in ({}, HIGHEST):
        assert {kind: probability(kind, rules) for kind in chances} == chances
    assert probability("d10", IGNORE) == 0


def probability(kind: DieKind, rules: dict[str, str]) -> Fraction:
    probabilities = automatic_probability(Case(rulebook().ruleset("mam_pools", rules), {"die": kind}, {}))
    return Fraction(probabilities["numerator"], probabilities["denominator"])


def test_the_faces_that_need_confirmation() -> None:
    """MAM-DICE-05."""

    def again(rules: dict[str, str]) -> dict[str, list[int]]:
        ruleset = rulebook().ruleset("mam_pools", rules)
        return {
            kind: [face for face in range(1, SIDES[kind] + 1) if needs_confirmation(kind, face, ruleset)]
            for kind in ("d20", "d12", "d10", "d8", "d6")
        }

    assert again({}) == {"d20": [], "d12": [11, 12], "d10": [10], "d8": [8], "d6": [6]}
    assert again(HIGHEST) == {"d20": [], "d12": [10, 11], "d10": [10], "d8": [7], "d6": [5]}


@pytest.mark.parametrize("die", ["d10", "d12", "d8", "d6"])
def test_combat_can_use_a_substitute_for_the_d20(die: DieKind) -> None:
    """MAM-DICE-01, MAM-DICE-02."""
    rules = {"combat_die": "d20_substitute", "substitute_die": die}
    assert die_of(rulebook().ruleset("mam_pools", rules)) == die
    assert given(*DUEL, HIT, rules=rules, drawn=cycle((2, 5))).when(Resolve(6)).one(AttackRolled).die.kind == die


def test_the_substitute_die_is_ignored_if_combat_has_its_own_die() -> None:
    """MAM-DICE-01."""
    assert [
        die_of(rulebook().ruleset("mam_pools", {"combat_die": reading, "substitute_die": "d8"}))
        for reading in ("d6_face", "d20")
    ] == ["d6", "d20"]

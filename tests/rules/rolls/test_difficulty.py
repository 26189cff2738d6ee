"""Difficulties: by word, and against somebody's modifier."""

from __future__ import annotations

import pytest

from mam_events.commands import Check
from mam_events.events import SuccessRolled
from tests.fighters import MODRE
from tests.spec import given


def difficulty(check: Check) -> int:
    """Return the number that a check had to beat."""
    (roll,) = given(MODRE, drawn=[1]).when(check).one(SuccessRolled).rolls
    result: int = roll.against
    return result


@pytest.mark.parametrize(
    ("word", "number"), [("easy", 5), ("moderate", 10), ("hard", 15), ("extreme", 20), ("heroic", 25)]
)
def test_a_difficulty_can_be_given_as_a_word(word: str, number: int) -> None:
    """MAM-DIFF-01."""
    assert difficulty(Check("modre", word)) == difficulty(Check("modre", number)) == number


def test_an_error_for_an_unknown_difficulty_suggests_the_nearest() -> None:
    """MAM-DIFF-01."""
    error = given(MODRE).when(Check("modre", "heroics")).raises("unknown_difficulty", "MAM-DIFF-01")
    assert error.sentence.endswith('Did you mean "heroic"?')


def test_a_difficulty_against_somebody_is_10_plus_their_modifier() -> None:
    """MAM-DIFF-02."""
    assert [difficulty(Check("modre", against=modifier)) for modifier in (4, 0, -3)] == [14, 10, 7]
    assert difficulty(Check("modre")) == 10

"""Circumstances: their effect on a roll and its difficulty."""

from __future__ import annotations

import pytest

from mam_events.commands import Check
from mam_events.events import Modifier, SuccessRolled
from mam_events.rules.rolls.modifiers import larger_amount, named_circumstances
from mam_events.rules.rulebook import rulebook
from mam_events.values import Circumstance
from tests.fighters import MODRE
from tests.spec import given

RULESET = rulebook().ruleset("mam_pools")


def sides(*words: Circumstance) -> tuple[int, int]:
    """Return the sums that circumstances add to the difficulty and to the roll."""
    difficulty, success = named_circumstances(words, RULESET)
    return difficulty.value if difficulty else 0, success.value if success else 0


@pytest.mark.parametrize(
    ("words", "modifier"),
    [
        ((), (0, 0)),
        (("unfavourable",), (2, 0)),
        (("hostile",), (4, 0)),
    ],
)
def test_unfavourable_circumstances_raise_the_difficulty(words: tuple[Circumstance, ...], modifier: object) -> None:
    """MAM-CIRC-01."""
    assert sides(*words) == modifier


def test_only_the_worst_unfavourable_circumstance_counts() -> None:
    """MAM-CIRC-02."""
    assert sides("unfavourable", "unfavourable", "unfavourable") == (2, 0)
    assert sides("unfavourable", "hostile", "hostile") == (4, 0)


def test_compounded_circumstances_count_as_hostile() -> None:
    """MAM-CIRC-03."""
    assert sides("unfavourable", "unfavourable", "compounded") == (4, 0)
    assert sides("hostile", "compounded") == (4, 0)


def test_only_the_best_favourable_circumstance_counts() -> None:
    """MAM-CIRC-04."""
    assert sides("favourable", "favourable") == (0, 2)
    assert sides("favourable", "very_favourable") == (0, 4)
    assert sides("favourable", "combined") == (0, 4)


def test_one_circumstance_of_each_side_counts() -> None:
    """MAM-CIRC-05."""
    words: tuple[Circumstance, ...] = ("very_favourable", "unfavourable", "favourable")
    assert sides(*words) == (2, 4)
    assert named_circumstances(words, RULESET) == (
        Modifier("unfavourable circumstances", 2, "MAM-CIRC-01"),
        Modifier("very favourable circumstances", 4, "MAM-CIRC-04"),
    )
    (roll,) = given(MODRE).when(Check("modre", 10, circumstance=words, die=9)).one(SuccessRolled).rolls
    assert (roll.total, roll.against, roll.succeeded) == (13, 12, True)


def test_only_the_largest_of_alternative_modifiers_counts() -> None:
    """MAM-CIRC-02: beside another modifier too, if an option says that they don't add up."""
    dark, hostile = Modifier("darkness", 5, "MAM-ATK-09"), named_circumstances(("hostile",), RULESET).difficulty
    assert larger_amount((hostile, None, dark)) is dark
    assert larger_amount((None,)) is None

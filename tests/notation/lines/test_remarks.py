"""Sentences that are no order, and the question whether they are notes."""

from __future__ import annotations

import pytest

from mam_events.errors import Unclear
from mam_events.notation.submit import give_line
from tests.notation.lines.idiom_fighters import armed


@pytest.mark.parametrize(
    "line", ["ann lights a torch", "ann opens the door", "the ogre hides behind a cart", "she climbs a wall"]
)
def test_a_sentence_about_a_combatant_could_be_a_remark(line: str) -> None:
    table = armed()
    with pytest.raises(Unclear) as error:
        give_line(table.log, "fight", line)
    assert error.value.usual == f"note {line}"
    assert error.value.whole
    assert error.value.sentence.endswith("a remark, begin with note.")


@pytest.mark.parametrize("line", ["ann atacks ogre", "ann lights", "ann lights 2 torches", "ann lights a torch p1"])
def test_other_lines_are_not_taken_for_a_remark(line: str) -> None:
    assert "A remark" not in armed().error(line)


def test_a_sentence_in_an_exchange_is_not_taken_for_a_remark() -> None:
    table = armed()
    table("ann attacks ogre p1")
    assert "A remark" not in table.error("the ogre wobbles about wildly")


@pytest.mark.parametrize(
    ("line", "long"),
    [
        ("act pull the lever", 'ann: act "pull the lever"'),
        ("ann act 2 pulls the lever", 'ann: act "pulls the lever" 2'),
        ("act climbs the wall 2", 'ann: act "climbs the wall" 2'),
    ],
)
def test_an_improvised_action_can_be_described_in_words(line: str, long: str) -> None:
    assert armed().orders(line)[-1] == long


def test_a_sentence_about_a_condition_suggests_an_adjustment() -> None:
    with pytest.raises(Unclear) as error:
        give_line(armed().log, "fight", "ogre is down")
    assert error.value.allowed == ("gm ogre incapacitated because is down",)
    assert not error.value.usual


@pytest.mark.parametrize("line", ["oops", "no wait, he is 8m away", "that's wrong"])
def test_an_error_for_a_mistake_says_how_to_undo(line: str) -> None:
    assert armed().error(line).startswith("To undo the last line")


def test_a_remark_without_a_name_is_about_the_current_turn() -> None:
    table = armed()
    with pytest.raises(Unclear) as error:
        give_line(table.log, "fight", "climbs over the wall")
    assert error.value.usual == "note climbs over the wall"

"""Sentences that no rule is about, and the question whether they are remarks."""

from __future__ import annotations

import pytest

from mam_events.errors import Unclear
from mam_events.notation.submit import give_line
from tests.notation.lines.test_idioms import armed


@pytest.mark.parametrize(
    "line", ["ann lights a torch", "ann opens the door", "the ogre hides behind a cart", "she climbs a wall"]
)
def test_a_sentence_about_somebody_may_be_a_remark(line: str) -> None:
    table = armed()
    with pytest.raises(Unclear) as asked:
        give_line(table.log, "fight", line)
    assert asked.value.usual == f"note {line}"
    assert asked.value.whole
    assert asked.value.sentence.endswith("a remark, begin with note.")


@pytest.mark.parametrize("line", ["ann atacks ogre", "ann lights", "ann lights 2 torches", "ann lights a torch p1"])
def test_no_other_line_is_taken_for_one(line: str) -> None:
    assert "A remark" not in armed().no(line)


def test_in_an_exchange_a_sentence_may_be_a_reaction() -> None:
    table = armed()
    table("ann attacks ogre p1")
    assert "A remark" not in table.no("the ogre wobbles about wildly")


@pytest.mark.parametrize(
    ("line", "long"),
    [
        ("act pull the lever", 'ann: act "pull the lever"'),
        ("ann act 2 pulls the lever", 'ann: act "pulls the lever" 2'),
        ("act climbs the wall 2", 'ann: act "climbs the wall" 2'),
    ],
)
def test_another_action_is_told_in_words(line: str, long: str) -> None:
    assert armed().said(line)[-1] == long


def test_how_somebody_is_can_be_the_word_of_the_game_master() -> None:
    with pytest.raises(Unclear) as asked:
        give_line(armed().log, "fight", "ogre is down")
    assert asked.value.allowed == ("gm ogre incapacitated because is down",)
    assert not asked.value.usual


@pytest.mark.parametrize("line", ["oops", "no wait, he is 8m away", "that's wrong"])
def test_a_mistake_is_told_how_it_is_taken_back(line: str) -> None:
    assert armed().no(line).startswith("To undo the last line")


def test_a_sentence_without_a_name_is_of_whose_turn_it_is() -> None:
    table = armed()
    with pytest.raises(Unclear) as asked:
        give_line(table.log, "fight", "climbs over the wall")
    assert asked.value.usual == "note climbs over the wall"

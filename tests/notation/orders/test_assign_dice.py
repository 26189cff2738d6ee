"""Faces in lines, and the dice that they belong to."""

from __future__ import annotations

import pytest

from mam_events.commands import (
    Join,
)
from mam_events.errors import BadInput
from mam_events.events import ArmorChecked, SuccessRolled
from tests.notation.tables import MAILED, MODRE, WOLF, Table


def test_initiative_takes_faces_after_names() -> None:
    table = Table(*(Join(name, hp=5) for name in ("ann", "bob")), preset="mam_speed")
    assert "thrower's name, at the end of the line, like `… ann 3" in table.error_with("init", draws=False)
    assert "Whose die is 15? These throw: ann, bob. Put the names before the faces: ann …" in table.error("init 15")
    assert "Only one die is thrown for ann" in table.error("init ann 15 16 bob 9")
    assert "Say what it is: surprise=ann" in table.error("init ann")
    assert table.orders("init ann 15 bob 9") == ["initiative [ann=15 bob=9]"]


def test_a_second_throw_needs_the_faces_of_the_first() -> None:
    # An answer would reveal the first dice, which could then be undone.
    table = Table(
        *(Join(name, code={"perception": "1D"}) for name in ("ash", "elm")),
        preset="ron_d6",
        rules={"rd6_unbroken_tie": "reroll_tied"},
    )
    table("round")
    for face in range(1, 6):
        text = table.error(f"roll-initiative ash,elm [elm={face} again.elm=3]")
        assert "The dice of ash will be drawn, so it is not known yet who ties" in text
    assert table.orders("roll-initiative ash,elm [ash=2 elm=2 again.ash=1 again.elm=3]")


def test_a_face_after_a_long_form_is_not_a_weapon(duel: Table) -> None:
    answer = duel("modre: attack clone power=1 3")
    assert answer.said[-1] == "modre: attack clone ice-blade power=1"
    assert answer.stopped


def test_no_die_is_drawn_for_an_insert_at_a_table_that_throws_its_own(duel: Table) -> None:
    duel("a ice p1; d 1; 2 1.")
    with pytest.raises(BadInput, match="is thrown at the table"):
        duel("after 5 modre check v10 !", draws=False)


def test_faces_belong_to_attack_defense_interference_and_armor_in_that_order() -> None:
    table = Table(MODRE, MAILED, WOLF, rules={"armour_roll_source": "separate_die"})
    table.after("initiative first=modre reason=so", "a clone p1; d 1; wolf i 1")
    dealt = "2 is the attack, 1 is the defense, 4 is the interference #9 and 6 is Clone's armor"
    assert table.error("2 1 4 6 5") == f"dice: {dealt}, so 5 is one die too many. Leave it out."
    assert table.orders("2 1 4 6") == ["resolve [2 1 #9=4 armor.clone=6]"]


def test_armor_takes_the_defense_die_even_if_the_outcome_is_declared() -> None:
    table = Table(MODRE, MAILED, WOLF).after("initiative first=modre reason=so", "a clone p1; wolf i 1")
    assert "No armor takes a die of its own here" in table.error("resolve outcome=half [1 - #8=6 armor.clone=1]")
    (answer,) = table("resolve outcome=half [1 2 #8=6]").answers
    assert [(event.face, event.die) for event in answer.events if isinstance(event, ArmorChecked)] == [(2, None)]


def test_no_die_is_drawn_at_a_table_that_throws_its_own(duel: Table) -> None:
    duel("a ice p4 m2; d 6")
    with pytest.raises(BadInput, match=r"is thrown at the table\. Type its face"):
        duel("r", draws=False)
    assert duel("2 1", draws=False).said == ("resolve [2 1]",)


@pytest.mark.parametrize("line", ['modre check "x" v12 kind=d10 0+7', 'modre: check "x" difficulty=12 kind=d10 [0+7]'])
def test_a_0_of_a_d10_is_10(duel: Table, line: str) -> None:
    (roll,) = duel(line).answers[0].events
    assert isinstance(roll, SuccessRolled)
    assert roll.rolls[0].die.face == 10

"""Points of a manipulation in short lines, and the question if they are missing."""

from __future__ import annotations

import pytest

from mam_events.commands import Join
from tests.notation.tables import Table

IN_VAIN = "Say how many points. Without any, this cannot succeed. As in: {} p2."


@pytest.fixture
def table() -> Table:
    """Return a fight of Goblin 3, who is next, Tilda, and a giant larger than both."""
    people = (
        Join("goblin-3", name="Goblin 3", side="foes", hp=6),
        Join("tilda", name="Tilda", side="heroes", hp=9),
    )
    return Table(*people).after("join giant foes hp=9 size=4", "initiative first=goblin-3 reason=so")


@pytest.mark.parametrize(
    ("line", "text", "unused"),
    [
        ("hold tilda 3 m1", "hold points=3 modifier=1", ""),
        ("hold tilda m1 3", "hold points=3 modifier=1", ""),
        ("hold tilda 3", "hold points=3", ""),
        ("hold tilda p3", "hold points=3", ""),
        ("hold tilda points=3 m1", "hold points=3 modifier=1", ""),
        ("hold tilda p3 m1 4 2", "hold points=3 modifier=1", "4 2"),
        ("hold tilda 3 4 2", "hold points=3", "4 2"),
        ("choke tilda 5", "choke power=5", ""),
        ("choke tilda p5 4 2", "choke power=5", "4 2"),
        ("hold tilda p0 m1", "hold modifier=1", ""),
    ],
)
def test_a_number_in_a_manipulation_is_its_points(table: Table, line: str, text: str, unused: str) -> None:
    answer = table(line)
    assert answer.said[-1] == f"goblin-3: manipulate tilda body {text}"
    assert (answer.stopped.unused if answer.stopped else "") == unused


@pytest.mark.parametrize("line", ["hold tilda", "hold tilda m1", "hold tilda 3 4 m1"])
def test_a_manipulation_without_effect_asks_for_points(table: Table, line: str) -> None:
    assert table.error(line) == IN_VAIN.format("hold")


def test_a_larger_combatant_can_hold_without_points(table: Table) -> None:
    table.after("goblin-3.", "tilda.")
    assert table.orders("hold tilda m1")[-1] == "giant: manipulate tilda body hold modifier=1"


def test_escapes_and_tackles_take_points_like_manipulations(table: Table) -> None:
    table("hold tilda p2")
    assert table.orders("tilda tackle 2") == ["tilda: tackle body none points=2"]
    table.after("u", "6 1.")
    assert table.error("escape 5 3") == IN_VAIN.format("escape")
    answer = table("escape 2 5 3")
    assert answer.said[-1] == "tilda: escape goblin-3 hold-7 points=2"
    assert answer.stopped is not None
    assert answer.stopped.unused == "5 3"
    table("u")
    assert table.orders("escape p2")[-1] == "tilda: escape goblin-3 hold-7 points=2"


@pytest.mark.parametrize(("line", "text"), [("a tilda", "attack p2"), ("m 0", "move 2")])
def test_an_error_for_missing_points_shows_how_to_type_them(table: Table, line: str, text: str) -> None:
    assert table.error(line) == f"This order needs at least one point, and none is given. Say how many. As in: {text}."


def test_another_error_comes_before_the_question_for_points(table: Table) -> None:
    table("hold tilda p2 m1")
    assert "points" not in table.error("goblin-3 hold tilda")

"""Points of a manipulation as hands type them, and the question where it has none."""

from __future__ import annotations

import pytest

from mam_events.commands import Join
from tests.notation.tables import Table

IN_VAIN = "Say how many points. Without any, this cannot succeed. As in: {} p2."


@pytest.fixture
def table() -> Table:
    """Return a fight of Goblin 3, who is next, Tilda and a giant larger than both."""
    people = (
        Join("goblin-3", name="Goblin 3", side="foes", hp=6),
        Join("tilda", name="Tilda", side="heroes", hp=9),
    )
    fight = Table(*people)
    fight("join giant foes hp=9 size=4")
    fight("initiative first=goblin-3 reason=so")
    return fight


@pytest.mark.parametrize(
    ("line", "said", "unused"),
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
def test_one_number_behind_a_manipulation_and_the_first_before_its_dice_are_its_points(
    table: Table, line: str, said: str, unused: str
) -> None:
    given = table(line)
    assert given.said[-1] == f"goblin-3: manipulate tilda body {said}"
    assert (given.stopped.unused if given.stopped else "") == unused


@pytest.mark.parametrize("line", ["hold tilda", "hold tilda m1", "hold tilda 3 4 m1"])
def test_what_could_do_nothing_without_points_asks_for_them(table: Table, line: str) -> None:
    assert table.no(line) == IN_VAIN.format("hold")


def test_whoever_is_larger_may_hold_by_size_alone(table: Table) -> None:
    table("goblin-3.")
    table("tilda.")
    assert table.said("hold tilda m1")[-1] == "giant: manipulate tilda body hold modifier=1"


def test_the_points_of_an_escape_and_of_a_tackle_are_typed_alike(table: Table) -> None:
    table("hold tilda p2")
    assert table.said("tilda tackle 2") == ["tilda: tackle body none points=2"]
    table("u")
    table("6 1.")
    assert table.no("escape 5 3") == IN_VAIN.format("escape")
    given = table("escape 2 5 3")
    assert given.said[-1] == "tilda: escape goblin-3 hold-7 points=2"
    assert given.stopped is not None
    assert given.stopped.unused == "5 3"
    table("u")
    assert table.said("escape p2")[-1] == "tilda: escape goblin-3 hold-7 points=2"


@pytest.mark.parametrize(("line", "typed"), [("a tilda", "attack p2"), ("m 0", "move 2")])
def test_a_refusal_for_points_says_how_they_are_typed(table: Table, line: str, typed: str) -> None:
    assert table.no(line) == f"This needs at least one point. Say how many. As in: {typed}."


def test_what_hinders_an_order_is_told_before_its_points_are_asked_for(table: Table) -> None:
    table("hold tilda p2 m1")
    assert "points" not in table.no("goblin-3 hold tilda")

"""People by the number that they wear, and sides by what a table calls them."""

from __future__ import annotations

import pytest

from mam_events.commands import Join
from tests.notation.tables import Table

HAL = Join("hal", name="Hal", side="a", hp=9)
BRIGANDS = [Join(f"brigand-{n}", name=f"Brigand {n}", side="b", hp=6) for n in (1, 2, 3)]


def fight(*, players: bool = False, begun: bool = True) -> Table:
    """Return a fight of Hal against three brigands, in which Hal is next if it has `begun`."""
    table = Table(Join("hal", name="Hal", side="a", kind="pc", hp=9) if players else HAL, *BRIGANDS)
    if begun:
        table("initiative first=hal reason=x")
    return table


@pytest.mark.parametrize(
    "who", ["b2", "br2", "brig2", "brigand two", "brigand no 2", "brigand #2", "the second brigand", "brigand number 2"]
)
def test_those_of_a_kind_are_meant_by_their_number(who: str) -> None:
    assert fight().said(f"hal hits {who} p1 m1")[-1] == "hal: attack brigand-2 body power=1 modifier=1"


def test_a_letter_with_its_number_is_points_before_it_is_somebody() -> None:
    table = Table(HAL, *(Join(f"pirate-{n}", name=f"Pirate {n}", side="b", hp=6) for n in (1, 2)))
    table("initiative first=hal reason=x")
    assert table.said("hal attacks pirate 1 p2")[-1] == "hal: attack pirate-1 body power=2"


@pytest.mark.parametrize(
    ("line", "surprise"),
    [
        ("foes ambush the party", "brigand-1,brigand-2,brigand-3"),
        ("the enemies surprise us", "brigand-1,brigand-2,brigand-3"),
        ("the party ambushes the brigands", "hal"),
        ("b surprises a", "brigand-1,brigand-2,brigand-3"),
    ],
)
def test_of_two_sides_the_players_are_the_party(line: str, surprise: str) -> None:
    (said,) = fight(players=True, begun=False).said(line)
    assert said.startswith(f"initiative surprise={surprise}")


def test_a_side_is_asked_for_where_nobody_is_a_player() -> None:
    assert fight(begun=False).no("foes ambush the party") == '"foes" could be side a or b. Which one?'


@pytest.mark.parametrize(
    ("line", "long"),
    [
        ("hal goes first because he saw them", 'initiative first=hal reason="he saw them"'),
        ("init hal first because x", "initiative first=hal reason=x"),
        ("hal starts because x", "initiative first=hal reason=x"),
    ],
)
def test_whoever_goes_first_is_said_with_why(line: str, long: str) -> None:
    assert fight(begun=False).said(line) == [long]


@pytest.mark.parametrize(
    "line", ["hal first", "brigands go first", "the party goes first because x", "brigands 3 hal 2"]
)
def test_nobody_begins_without_a_reason_and_no_group_does(line: str) -> None:
    fight(begun=False).no(line)


@pytest.mark.parametrize(
    ("line", "joined"),
    [
        ("Kurt joins the brigands hp=7", 'join kurt "Kurt" b npc hp=7'),
        ("Kurt joins the party hp=7", 'join kurt "Kurt" a npc hp=7'),
        ("Big Ghoul joins b hp=6", 'join big-ghoul "Big Ghoul" b npc hp=6'),
        ("3 goblins hp=4", 'join goblin-1 "Goblin 1" all npc hp=4'),
        ("join one wolf b hp=4", "join wolf - b npc hp=4"),
    ],
)
def test_who_joins_is_of_the_side_that_is_meant(line: str, joined: str) -> None:
    assert fight(players=True).said(line)[0] == joined


def test_a_number_before_a_side_could_be_a_name() -> None:
    assert "could be a number of them or a name" in fight().no("join 7 b hp=3")


def test_each_of_a_group_throws_a_die() -> None:
    assert "brigand-1 3 brigand-2 3 brigand-3 3" in fight(begun=False).no("init hal 4 brigands 3")


def test_an_order_of_a_group_asks_for_one_of_them() -> None:
    assert "One order is for one" in fight().no("brigands retreat")

"""Combatants given by their number, and sides by the words of a table."""

from __future__ import annotations

import pytest

from mam_events.commands import Join
from tests.notation.tables import Table

HAL = Join("hal", name="Hal", side="a", hp=9)
BRIGANDS = [Join(f"brigand-{n}", name=f"Brigand {n}", side="b", hp=6) for n in (1, 2, 3)]


def fight(*, players: bool = False, is_begun: bool = True) -> Table:
    """Return a fight of Hal against three brigands, in which Hal is next if it has `begun`."""
    table = Table(Join("hal", name="Hal", side="a", kind="pc", hp=9) if players else HAL, *BRIGANDS)
    if is_begun:
        table("initiative first=hal reason=x")
    return table


@pytest.mark.parametrize(
    "name",
    ["b2", "br2", "brig2", "brigand two", "brigand no 2", "brigand #2", "the second brigand", "brigand number 2"],
)
def test_combatants_of_a_kind_can_be_given_by_number(name: str) -> None:
    assert fight().orders(f"hal hits {name} p1 m1")[-1] == "hal: attack brigand-2 body power=1 modifier=1"


def test_a_letter_with_a_number_is_points_before_it_is_a_name() -> None:
    table = Table(HAL, *(Join(f"pirate-{n}", name=f"Pirate {n}", side="b", hp=6) for n in (1, 2)))
    table("initiative first=hal reason=x")
    assert table.orders("hal attacks pirate 1 p2")[-1] == "hal: attack pirate-1 body power=2"


@pytest.mark.parametrize(
    ("line", "surprise"),
    [
        ("foes ambush the party", "brigand-1,brigand-2,brigand-3"),
        ("the enemies surprise us", "brigand-1,brigand-2,brigand-3"),
        ("the party ambushes the brigands", "hal"),
        ("b surprises a", "brigand-1,brigand-2,brigand-3"),
    ],
)
def test_the_party_is_the_side_of_the_player_characters(line: str, surprise: str) -> None:
    (orders,) = fight(players=True, is_begun=False).orders(line)
    assert orders.startswith(f"initiative surprise={surprise}")


def test_an_ambiguous_side_is_asked_about() -> None:
    assert fight(is_begun=False).error("foes ambush the party") == '"foes" could be side a or b. Which one?'


@pytest.mark.parametrize(
    ("line", "long"),
    [
        ("hal goes first because he saw them", 'initiative first=hal reason="he saw them"'),
        ("init hal first because x", "initiative first=hal reason=x"),
        ("hal starts because x", "initiative first=hal reason=x"),
    ],
)
def test_initiative_accepts_the_first_combatant_with_a_reason(line: str, long: str) -> None:
    assert fight(is_begun=False).orders(line) == [long]


@pytest.mark.parametrize(
    "line", ["hal first", "brigands go first", "the party goes first because x", "brigands 3 hal 2"]
)
def test_a_first_combatant_without_a_reason_and_a_group_are_refused(line: str) -> None:
    fight(is_begun=False).error(line)


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
def test_join_accepts_a_word_for_a_side(line: str, joined: str) -> None:
    assert fight(players=True).orders(line)[0] == joined


def test_a_number_before_a_side_could_be_a_name() -> None:
    assert "could be a name, or a number and a name" in fight().error("join 7 b hp=3")


def test_a_group_needs_a_die_for_each_member() -> None:
    assert "brigand-1 3 brigand-2 3 brigand-3 3" in fight(is_begun=False).error("init hal 4 brigands 3")


def test_an_order_cannot_be_given_to_a_group() -> None:
    assert "An order is for one" in fight().error("brigands retreat")

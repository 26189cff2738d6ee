"""Words that are joined, split, abbreviated or written with an article."""

from __future__ import annotations

from decimal import Decimal

import pytest

from mam_events.commands import Join
from mam_events.notation.submit import give_line
from mam_events.state import Item, Weapon
from tests.notation.evenings import seated
from tests.notation.tables import Table

BOW = Weapon("bow", name="Bow", power=2, kind="bow", range=Decimal(60))


@pytest.fixture
def table() -> Table:
    """Return a fight in which it is Anka's turn."""
    goblins = [Join(f"goblin-{n}", name=f"Goblin {n}", side="foes", hp=9) for n in (1, 2)]
    anka = Join("anka", name="Anka", side="heroes", hp=9, weapon=(BOW,), item=(Item("rope", name="Rope"),))
    crow = Join("the-crow", name="The Crow", side="foes", hp=9)
    return Table(anka, *goblins, crow).after("initiative first=anka reason=so", "n")


@pytest.mark.parametrize(
    ("line", "long"),
    [
        ("a goblin 1 body p2m2", "anka: attack goblin-1 body power=2 modifier=2"),
        ("a goblin 1 body p 2 m 2", "anka: attack goblin-1 body power=2 modifier=2"),
        ("a the goblin 1 body p2", "anka: attack goblin-1 body power=2"),
        ("a goblin1 body p2", "anka: attack goblin-1 body power=2"),
        ("a gob 2 body p2", "anka: attack goblin-2 body power=2"),
        ("a the crow body p2", "anka: attack the-crow body power=2"),
        ("anka drops the rope", "anka: drop-item rope"),
    ],
)
def test_words_can_be_joined_split_or_have_articles(table: Table, line: str, long: str) -> None:
    assert long in table.orders(line)


@pytest.mark.parametrize(
    ("line", "error"),
    [
        (". goblin 2 a anka", "Put the full stop after an order to end the turn. To end it without an order, type n."),
        ("bo flees", 'Nobody here is called "bo". Known: anka, goblin-1, goblin-2, the-crow, foes, goblins, heroes.'),
    ],
)
def test_an_error_suggests_what_was_meant(table: Table, line: str, error: str) -> None:
    assert error in table.error(line)


def test_the_third_person_of_a_two_word_order_or_synonym_is_accepted(table: Table) -> None:
    table("drop rope")
    assert table.orders("anka picks up the rope") == ["anka: pick-up-item rope"]
    table("a goblin 1 body p1")
    assert table.orders("goblin 1 counters p1") == ["goblin-1: counterattack body power=1"]


def test_the_next_turn_can_be_begun_with_the_name_of_its_combatant(table: Table) -> None:
    assert table.error("n the crow") == "Goblin 1 is next, not The Crow. Type n alone to begin Goblin 1's turn."
    assert table.orders("n goblin 1") == ["anka: end-turn", "goblin-1: begin-turn"]


def test_an_error_does_not_suggest_a_combatant_who_left(table: Table) -> None:
    assert 'Did you mean "goblin-1"?' in table.error("a gobiln 1 body")
    table("goblin 1 flees")
    assert 'Did you mean "goblin-2"?' in table.error("a gobiln 1 body")


def test_surprise_accepts_names_as_they_are_shown() -> None:
    table = Table(
        *(
            Join(i, name=n, side=s, hp=4)
            for i, n, s in (("mr-x", "Mr. X", "a"), ("rat-2", "Rat 2", "a"), ("bo", "Bo", "b"))
        )
    )
    assert table.orders("init surprise=mr x,rat2")[0] == "initiative surprise=mr-x,rat-2"


def test_a_move_in_metres_uses_the_fewest_points() -> None:
    table = Table(Join("anka", side="heroes", hp=6, stride=Decimal(2)), Join("bo", side="foes", hp=6))
    table("initiative first=anka reason=so")
    assert table.orders("m 3m")[-1] == "anka: move points=2 metres=3"
    assert table.error("m 90 metres") == "anka moves at most 8 m for 4 points, not 90 m."


@pytest.mark.parametrize("line", ["draw the bow", "anka draws her bow", "draw bow", "draw the longbow"])
def test_articles_in_a_two_word_order_are_ignored(line: str) -> None:
    bow = Weapon("longbow", name="Longbow", kind="bow", power=3, range=Decimal(60))
    table = Table(Join("anka", side="heroes", hp=6, weapon=(bow,)), Join("bo", side="foes", hp=6))
    table("initiative first=anka reason=so")
    assert table.orders(line)[-1] == "anka: draw-bow longbow"


def test_with_and_at_before_a_choice_are_ignored() -> None:
    log, encounter = seated("dock")
    give_line(log, encounter, "ro lio 3 5 2 v 1 4 g 4 1 c 2 1 5")
    orders = give_line(log, encounter, "punch at the guard with brawling v8").said
    assert orders[-1].startswith("lio: perform punch guard brawling difficulty=8")

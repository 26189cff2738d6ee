"""The articles `a` and `an`, which are also letters: after an order they are neither names nor orders."""

from __future__ import annotations

from decimal import Decimal

import pytest

from mam_events.commands import Join
from mam_events.state import Weapon
from tests.notation.tables import Table

BOW = Weapon("bow", name="Bow", power=2, kind="bow", range=Decimal(80))
SWORD = Weapon("sword", name="Sword", power=2, attack=1)


def field(*more: Join) -> Table:
    """Return a fight of Lia, who is next, and her friend Alf against a boar."""
    lia = Join("lia", name="Lia", side="heroes", hp=7, weapon=(BOW, SWORD))
    table = Table(
        lia,
        Join("alf", name="Alf", side="heroes", hp=7, weapon=(Weapon("axe", name="Axe", power=3),)),
        Join("boar", name="Boar", side="foes", hp=6),
        *more,
    )
    table("initiative first=lia reason=so")
    return table


@pytest.mark.parametrize(
    ("line", "long"),
    [
        ("lia attacks with a sword p1", "lia: attack boar sword power=1"),
        ("lia hits a boar with a sword p1", "lia: attack boar sword power=1"),
        ("lia swings a sword at the boar p1", "lia: attack boar sword power=1"),
        ("lia makes an attack on the boar with a sword p1", "lia: attack boar sword power=1"),
        ("lia shoots an arrow at a boar with a sword p1", "lia: attack boar sword power=1"),
        ("lia throws a punch at a boar p1", "lia: attack boar body power=1"),
        ("lia kicks a boar p1", "lia: attack boar body power=1"),
        ("lia grabs a boar 2", "lia: manipulate boar body hold points=2"),
        ("lia draws a bow", "lia: draw-bow bow"),
        ("damage a boar 2", 'adjust "Damage 2" move=(boar ready damage 2)'),
        ("lia a a body p1", "lia: attack boar body power=1"),
        ("lia a a p1 w=body", "lia: attack alf body power=1"),
        ("lia strikes a w=body p1", "lia: attack alf body power=1"),
        ("lia combo 2 a b", "lia: declare-combo 2 alf,boar"),
    ],
)
def test_an_article_is_not_an_abbreviated_name(line: str, long: str) -> None:
    assert field().orders(line)[-1] == long


def test_a_combatant_named_like_an_article_must_be_named_in_full() -> None:
    table = field(Join("a", name="A", side="foes", hp=6))
    assert table.orders("lia hits a body p1")[-1] == "lia: attack a body power=1"


@pytest.fixture
def quarrel() -> Table:
    """Return a fight in the turn of Cleo, who has an axe, against Ann and Bert."""
    table = Table(Join("ann", side="b", hp=8), Join("bert", side="b", hp=8)).after("join Cleo a hp=8 w=(Axe pow=2)")
    table("initiative first=cleo reason=x")
    return table


@pytest.mark.parametrize(
    ("line", "long"),
    [
        ("cleo attack an body p1", "cleo: attack ann body power=1"),
        ("cleo a an p1", "cleo: attack ann axe power=1"),
        ("cleo attacks bert with an axe p1", "cleo: attack bert axe power=1"),
        ("cleo swings an axe at bert p1", "cleo: attack bert axe power=1"),
        ("cleo makes an attack on bert p1", "cleo: attack bert axe power=1"),
    ],
)
def test_an_abbreviates_ann_if_nobody_else_is_named(quarrel: Table, line: str, long: str) -> None:
    assert quarrel.orders(line)[-1] == long


def test_an_article_after_with_is_not_a_target(quarrel: Table) -> None:
    assert quarrel.error("cleo attacks with an axe p1").startswith("Whom? ")


@pytest.mark.parametrize(
    "line", ["lia draws a sword", "lia draws her sword", "lia draws the sword", "lia grabs a sword"]
)
def test_readying_a_weapon_in_hand_gets_the_same_error_in_any_words(line: str) -> None:
    assert field().error(line) == "Lia already has the Sword in hand."


def test_an_error_for_a_second_weapon_names_the_first() -> None:
    error = field().error("lia hits the boar with the sword with the bow p1")
    assert error == 'attack: "bow" means nothing here. Weapon is already sword.'


@pytest.fixture
def alley() -> Table:
    """Return a fight of Mira, who is next, against two thugs."""
    codes = {"perception": "3D", "agility": "4D", "brawling": "4D", "throwing": "4D"}
    table = Table(
        Join("mira", name="Mira", side="heroes", code=codes),
        *(Join(f"thug-{n}", name=f"Thug {n}", side="foes", code={"perception": "2D"}) for n in (1, 2)),
        preset="ron_d6",
    )
    table("ro mira 3 5 2 thug 1 2 3 thug 2 5 5")
    return table


@pytest.mark.parametrize("deed", ["punches thug 1", "throws a punch at thug 1", "lands a punch on thug 1"])
def test_an_action_can_follow_an_article(alley: Table, deed: str) -> None:
    assert alley.orders(f"mira {deed} v10 4 3 5 2")[-1] == "mira: perform punch thug-1 difficulty=10 [4 3 5 2]"


def test_an_article_is_not_a_skill(alley: Table) -> None:
    assert '"thug" could be thug-1 or thug-2' in alley.error("mira punches a thug v10 4 3 5 2")
    alley.after("mira 2", "mira waits", "n thug 2 punches mira 2d v10 4 4")
    orders = alley.orders("mira interrupts with a punch at thug 2 v9 4 5 5")
    assert orders == ["mira: interrupt punch thug-2 difficulty=9 [4 5 5]"]


@pytest.mark.parametrize("article", ["a", "the"])
def test_an_error_for_a_meaningless_word_suggests_a_note(alley: Table, article: str) -> None:
    text = "Leave it out, or write it in a note: throw thug-2 throwing v10 4 3 5 2; note bottle."
    assert text in alley.error(f"mira throws {article} bottle at thug 2 throwing v10 4 3 5 2")
    assert "difficulty=10" in alley.orders("mira throw thug-2 throwing v10 4 3 5 2; note bottle")[-2]

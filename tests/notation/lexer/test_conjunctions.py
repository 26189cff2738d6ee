"""Two orders joined by a comma, `and` or `then`, and prepositions before a target."""

from __future__ import annotations

from decimal import Decimal

import pytest
from msgspec.structs import replace

from mam_events.commands import Join
from mam_events.state import Weapon
from tests.notation.tables import Table

SPEAR = Weapon("spear", "Spear", power=2, readied=False)
AXE = Weapon("axe", "Axe", power=2, readied=False)
TILDA = Join("tilda", "Tilda", side="us", hp=10, power=5, hand_reach=Decimal(1), weapon=(SPEAR, AXE))
ORC = Join("orc", "Orc", side="them", hp=10)
WOLF = replace(ORC, combatant="wolf", name="Wolf")


def table() -> Table:
    """Return a fight in which Tilda is next."""
    return Table(TILDA, ORC, WOLF).after("initiative first=tilda reason=x")


@pytest.mark.parametrize(
    ("line", "orders"),
    [
        ("draw spear, attack the orc p2", ["tilda: ready-weapon spear", "tilda: attack orc spear power=2"]),
        ("draw spear and attack the orc p1", ["tilda: ready-weapon spear", "tilda: attack orc spear power=1"]),
        ("tilda moves 1 then attacks orc with body p1", ["tilda: move points=1", "tilda: attack orc body power=1"]),
        ("tilda moves 1, and then attacks orc", None),
        ("tilda draws spear and axe, moves 2", [*(f"tilda: ready-weapon {one}" for one in ("spear", "axe")), None]),
        ("draw spear, a orc p1", ["tilda: ready-weapon spear", "tilda: attack orc spear power=1"]),
        ("draw spear, attack orc p1, orc defends 1", [None, None, "orc: defend 1"]),
        ("draw spear, note he laughs, and attacks", [None, 'note "he laughs, and attacks"']),
    ],
)
def test_a_comma_and_or_then_separates_two_orders(line: str, orders: list[str] | None) -> None:
    duel = table()
    if orders is None:
        assert "attacks orc" in duel.error(line)
        return
    later_orders = duel.orders(line)[1:]
    assert [wanted and one for wanted, one in zip(orders, later_orders, strict=True)] == orders


def test_a_refused_second_order_writes_nothing_of_the_line() -> None:
    duel = table()
    assert "Nothing from this line was written." in duel.error("draw spear, attack orc p2 m20")
    assert duel.orders("draw spear, attack orc p2")[-1] == "tilda: attack orc spear power=2"


def test_the_second_order_has_the_actor_of_the_first() -> None:
    duel = table()
    duel("tilda: draw spear; attack orc p1")
    assert "orc" in duel.error("orc defends 2, moves 1").lower()


@pytest.mark.parametrize("line", ["n draw spear, attack orc p1", "1.1 tilda: draw spear, attack orc p1"])
def test_two_orders_can_follow_the_beginning_of_a_turn(line: str) -> None:
    assert table().orders(line)[-2:] == ["tilda: ready-weapon spear", "tilda: attack orc spear power=1"]


def test_a_full_stop_after_the_second_order_ends_the_turn() -> None:
    assert table().orders("draw spear, move 1.")[-2:] == ["tilda: move points=1", "tilda: end-turn"]


def test_two_orders_can_be_inserted_in_one_line() -> None:
    duel = table()
    duel("move 1.")
    orders = duel.orders("after 6 move 1, draw axe!")
    assert [one.split(" ", 2)[-1] for one in orders[-2:]] == ["tilda: move points=1", "tilda: ready-weapon axe"]


def test_a_line_with_limited_visibility_is_not_split() -> None:
    assert "draw" in table().error("move 1, draw spear seen=gm")


@pytest.mark.parametrize("line", ["attack at the orc p1", "attack orc p1", "a against orc p1"])
def test_a_preposition_before_a_target_is_ignored(line: str) -> None:
    duel = table()
    duel("draw spear")
    assert duel.orders(line) == ["tilda: attack orc spear power=1"]


def test_throwing_a_weapon_is_an_attack() -> None:
    duel = table()
    duel("draw spear")
    assert duel.orders("throw spear at the orc p2") == ["tilda: attack orc spear power=2 thrown=quick"]


def test_vs_can_separate_the_dice_of_an_exchange() -> None:
    duel = table()
    duel("attack orc body p1")
    assert duel.orders("6 vs 4")[0] == "resolve [6 4]"


def test_vs_between_other_dice_is_asked_about() -> None:
    duel = Table(TILDA, replace(ORC, weapon=(replace(AXE, readied=True),)), replace(WOLF, side="us"))
    duel.after("initiative first=tilda reason=x", "attack orc body p1", "wolf interfere 1")
    assert "It is unclear whose dice 6 and 4 are. Type the faces in this order:" in duel.error("6 vs 4")


@pytest.mark.parametrize("line", ["4 fish vs 5", "4 hobgoblins arrive"])
def test_an_error_for_a_word_among_dice_does_not_suggest_a_note(line: str) -> None:
    duel = table()
    duel("attack orc body p1")
    text = duel.error(line)
    assert "note" not in text
    assert ("join 4 hobgoblins SIDE hp=6" in text) is line.endswith("arrive")


def test_an_error_does_not_suggest_a_note_that_loses_an_order() -> None:
    assert "move 1; attack orc" in table().error("move 1 furiously attack orc p9")

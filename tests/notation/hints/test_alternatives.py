"""Suggestions in the error for a refused line: what to type instead."""

from __future__ import annotations

from decimal import Decimal

import pytest
from msgspec.structs import replace

from mam_events.commands import Join
from mam_events.state import Weapon
from tests.notation.orders.test_short_form import begin_fight
from tests.notation.tables import CLONE, MODRE, WOLF, Table

BOW = Weapon("longbow", name="Longbow", kind="bow", power=2, range=Decimal(60))
AXE, SHIELD = Weapon("axe", name="Axe", power=3, readied=False), Weapon("shield", parry=1, readied=False)


def test_an_error_says_how_to_end_the_current_turn() -> None:
    table = begin_fight(WOLF, CLONE, MODRE).after("wolf")
    text = "a full stop (.), or n clone attacks modre p1 2 1."
    assert text in table.error("clone attacks modre p1 2 1.")
    assert "full stop" not in table.error("modre attacks clone p1")
    assert table.orders("n clone attacks modre p1 2 1.")[:2] == ["wolf: end-turn", "clone: begin-turn"]


def test_an_error_says_how_to_go_on_to_the_one_who_is_next() -> None:
    table = begin_fight(WOLF, CLONE, MODRE)
    text = "Type n to begin Wolf's turn. If Wolf does nothing, type wolf. (with the full stop)."
    assert text in table.error("modre attacks clone p1")
    assert "To go on to Clone's turn, type n." in table.after("wolf").error("modre attacks clone p1")


def test_an_error_during_an_exchange_does_not_suggest_ending_the_turn() -> None:
    assert "full stop" not in begin_fight(WOLF, CLONE, MODRE).after("wolf attacks modre p1").error(
        "clone attacks modre p1"
    )


@pytest.fixture
def surprised() -> Table:
    """Return a fight in which the wolf attacks Oda, who holds nothing.

    Her friend has already drawn his bow.
    """
    oda = Join("oda", name="Oda", side="heroes", hp=7, weapon=(AXE, SHIELD))
    finn = Join("finn", name="Finn", side="heroes", hp=7, weapon=(BOW, Weapon("knife", name="Knife")))
    return begin_fight(finn, WOLF, oda).after("finn draws his longbow.")


@pytest.mark.parametrize("line", ["oda parries with the shield", "oda strikes back with the axe p1"])
def test_an_error_for_an_unarmed_target_lists_possible_reactions(surprised: Table, line: str) -> None:
    surprised("wolf attacks oda p1")
    text = "What Oda can do now: parry body, counterattack body p1 or defend 1."
    assert text in surprised.error(line)
    for words in ("oda parry body", "oda counterattack body p1", "oda defend 1"):
        assert surprised.orders(words)
        surprised("u")


def test_an_error_in_a_reaction_does_not_suggest_taking_a_weapon_in_hand(surprised: Table) -> None:
    surprised("wolf attacks oda p1")
    assert surprised.error("oda parries") == (
        "Oda has nothing in hand, and a reaction takes nothing in hand. To use the body, type body."
    )


def test_an_error_for_a_drawn_bow_lists_possible_reactions(surprised: Table) -> None:
    surprised("wolf attacks finn p1")
    assert "What Finn can do now: counterattack longbow p1 or defend 1." in surprised.error("finn parries")


def test_an_error_shows_how_to_interfere_with_a_drawn_bow(surprised: Table) -> None:
    surprised("wolf attacks oda p1")
    assert "What Finn can do now: interfere longbow p1." in surprised.error("finn interferes 1")
    assert "give power and modifier (p1 m1)" in surprised.error("finn interferes with the longbow 1")
    assert surprised.orders("finn interfere longbow p1") == ["finn: interfere longbow power=1"]


@pytest.mark.parametrize("line", ["lets down his bow", "lowers the longbow", "lower-bow", "lets down"])
def test_lowering_a_bow_has_several_synonyms(surprised: Table, line: str) -> None:
    surprised.after("wolf.", "oda.")
    assert surprised.orders(f"finn {line}")[-1].startswith("finn: lower-bow")


@pytest.mark.parametrize(
    ("ready", "text"), [(0, "No points are ready."), (1, "counterattack p1"), (6, "counterattack p2")]
)
def test_an_error_suggests_no_more_points_than_are_ready(ready: int, text: str) -> None:
    table = begin_fight(WOLF, replace(MODRE, hp=8)).after("wolf attacks modre p1")
    table(f'gm modre {8 - ready} ready>other_used "tired"')
    assert text in table.error("modre strikes back p0 m0")


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("modre recovers 2 from stun", "stun comes back at the beginning of each of one's turns"),
        ("wolf waits", "type wolf. (the name with a full stop), or n."),
        ("modre is wounded", "damage modre 2"),
    ],
)
def test_an_error_for_an_unknown_order_suggests_what_to_type(line: str, text: str) -> None:
    assert text in begin_fight(WOLF, MODRE).error(line)


def test_a_full_stop_after_leaving_the_fight_is_ignored() -> None:
    table = begin_fight(WOLF, CLONE, MODRE)
    assert table.orders("clone flees.") == ['adjust "Fled" condition=(clone=out)']
    assert "a full stop could end" in table.error(".")
    table("wolf")
    assert table.orders("wolf flees.")[-1] == "wolf: end-turn"

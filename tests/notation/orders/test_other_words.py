"""Synonyms of orders, and the errors for ambiguous ones."""

from __future__ import annotations

from decimal import Decimal

import pytest
from msgspec.structs import replace

from mam_events.commands import COMMANDS, Join
from mam_events.errors import MamError
from mam_events.notation.grammar.vocabulary import LOG_KEYWORDS, OTHER_WORDS, PHRASES, SYNONYMS
from mam_events.notation.hints.advice import ADVICE
from mam_events.rules.rulebook import rulebook
from mam_events.state import Weapon
from tests.notation.orders.test_short_form import at_the_dock, begin_fight
from tests.notation.tables import CLONE, MODRE, WOLF


def test_each_synonym_stands_for_one_order_or_verb() -> None:
    verbs = {"hold", *rulebook().tables.rd6_actions}
    words = {target for targets in OTHER_WORDS.values() for target in targets} | set(PHRASES.values()) - {""}
    assert words <= set(COMMANDS) | LOG_KEYWORDS.keys() | verbs
    assert not OTHER_WORDS.keys() & (SYNONYMS.keys() | COMMANDS.keys())
    assert not OTHER_WORDS.keys() & {word for advice in ADVICE.values() for word in advice}


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("wolf bites modre p1", "wolf: attack modre body power=1"),
        ("stab modre p1", "wolf: attack modre body power=1"),
        ("wolf slings a stone at modre p1", "wolf: attack modre body power=1"),
        ("wolf goes 1m", "wolf: move points=1 metres=1"),
        ("wolf walks 2", "wolf: move points=2"),
        ("fire at the clone p1", "wolf: attack clone body power=1"),
        ("wolf grabs modre points=2", "wolf: manipulate modre body hold points=2"),
    ],
)
def test_a_synonym_is_understood_as_its_order(line: str, order: str) -> None:
    assert begin_fight(WOLF, MODRE, CLONE).orders(line)[-1] == order


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("modre dodges 3", "modre: defend 3"),
        ("strikes back p1", "modre: counterattack ice-blade power=1"),
        ("modre hits back p1", "modre: counterattack ice-blade power=1"),
        ("modre stabs back p1", "modre: counterattack ice-blade power=1"),
        ("modre tries to dodge 2", "modre: defend 2"),
    ],
)
def test_a_synonym_is_understood_as_its_reaction(line: str, order: str) -> None:
    assert begin_fight(WOLF, MODRE, CLONE).after("wolf attacks modre p1").orders(line) == [order]


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("wolf draws his bow 2", "wolf: draw-bow longbow points=2"),
        ("draw longbow 1", "wolf: draw-bow longbow points=1"),
    ],
)
def test_a_number_in_an_order_without_dice_is_its_points(line: str, order: str) -> None:
    archer = replace(WOLF, weapon=(Weapon("longbow", "Longbow", kind="bow", range=Decimal(50)),))
    assert begin_fight(archer, MODRE).orders(line)[-1] == order


@pytest.mark.parametrize("line", ["wolf breaks free of modre points=1", "wolf tries to get free from modre points=1"])
def test_breaking_free_is_an_escape(line: str) -> None:
    assert begin_fight(WOLF, MODRE).error(line) == "Nobody holds Wolf."


def test_in_ron_d6_a_synonym_stands_for_an_action() -> None:
    assert at_the_dock("lio 1", "fires at captain 3D v9 [3 4 2]")[-1].startswith("lio: perform shoot captain")


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("wolf charges modre", "A charge is a move and an attack. Type: move 6; attack NAME."),
        ("wolf runs", "To leave the fight, type wolf flees. To move on the field, type wolf move 3."),
        ("wolf is out cold", "gm wolf incapacitated because"),
        ("wolf is unconscious", "gm wolf incapacitated because"),
    ],
)
def test_an_error_for_an_ambiguous_synonym_shows_what_to_type(line: str, text: str) -> None:
    assert text in begin_fight(WOLF, MODRE).error(line)


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("captain is out cold", "incapacitate captain because"),
        ("hold captain", "grab NAME, pin NAME or tackle NAME"),
    ],
)
def test_an_error_for_an_ambiguous_synonym_in_ron_d6_shows_what_to_type(line: str, text: str) -> None:
    with pytest.raises(MamError, match=text):
        at_the_dock("lio 1", line)


@pytest.mark.parametrize("word", ["slay", "tries", "charm", "stun", "hide"])
def test_an_error_does_not_suggest_an_unrelated_order(word: str) -> None:
    assert "Did you mean" not in begin_fight(WOLF, MODRE).error(f"wolf {word} modre")


@pytest.mark.parametrize(("text", "expected"), [("atack", "attack"), ("mvoe", "move"), ("defned", "defend")])
def test_an_error_for_a_mistyped_order_suggests_the_right_one(text: str, expected: str) -> None:
    assert f'Did you mean "{expected}"?' in begin_fight(WOLF, MODRE).error(f"wolf {text} modre")


def test_a_name_has_priority_over_a_synonym() -> None:
    assert begin_fight(replace(WOLF, combatant="bite", name="Bite"), MODRE).orders("bite") == ["bite: begin-turn"]


def test_a_kick_is_an_attack_with_the_body() -> None:
    assert begin_fight(MODRE, CLONE).orders("modre kicks the clone p1")[-1] == "modre: attack clone body power=1"


def test_grabbing_ones_own_items_readies_them() -> None:
    oda = Join("oda", side="heroes", hp=7, weapon=(Weapon("axe", readied=False), Weapon("shield", readied=False)))
    table = begin_fight(oda, CLONE)
    assert table.orders("oda grabs her axe and shield")[1:] == ["oda: ready-weapon axe", "oda: ready-weapon shield"]
    table("drop shield")
    assert table.orders("oda grabs the shield") == ["oda: pick-up-item shield"]


def test_reloading_a_weapon_is_loading_it() -> None:
    gun = Weapon("gun", kind="gun", reload=1, shots=2)
    assert begin_fight(replace(MODRE, weapon=(gun,)), CLONE).orders("modre reloads")[-1] == "modre: load gun"


def test_points_can_be_readied_from_a_named_pool() -> None:
    table = begin_fight(WOLF, MODRE).after("a modre p2 m1", "6 1.", "modre.")
    assert table.orders("wolf readies 2 from other used")[-1] == "wolf: ready other_used=2"
    table("u")
    assert table.orders("wolf readies 1 point from defense")[-1] == "wolf: ready defense=1"


def test_an_abbreviated_name_means_somebody_who_is_up() -> None:
    one, other = (replace(CLONE, combatant=f"goblin-{n}", name=f"Goblin {n}", side="foes") for n in (1, 2))
    table = begin_fight(replace(WOLF, side="heroes"), one, other).after(f"damage goblin-1 {CLONE.hp}")
    assert table.orders("a gob p1")[-1] == "wolf: attack goblin-2 body power=1"
    table.after("r 1 6", "n")
    assert table.orders("gob moves 1")[-1] == "goblin-2: move points=1"


def test_a_friend_who_is_down_can_only_be_attacked_by_full_name() -> None:
    one, other = (replace(WOLF, combatant=f"rat-{n}", name=f"Rat {n}", side="foes") for n in (1, 2))
    table = begin_fight(one, replace(MODRE, side="heroes"), other).after(f"damage rat-2 {WOLF.hp}")
    assert '"rat" means nothing here' in table.error("a rat p1")
    assert table.orders("a rat-2 p1")[-1] == "rat-1: attack rat-2 body power=1"

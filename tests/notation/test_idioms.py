"""Orders in other words, which the fight makes plain, and what they are asked instead where it does not."""

from __future__ import annotations

from decimal import Decimal

import pytest

from mam_events.commands import Join
from mam_events.state import Weapon
from tests.notation.test_lines import CLONE, MODRE, WOLF, Table
from tests.notation.test_short_form import begun

BOWS = ("Longbow", "bow"), ("Heavy Crossbow", "crossbow"), ("Flintlock Pistol", "gun"), ("Javelin", "thrown")


@pytest.mark.parametrize("line", ["wolf skips", "skip", "wolf passes her turn", "pass", "skips the turn"])
def test_whoever_skips_a_turn_ends_it(line: str) -> None:
    table = begun(WOLF, MODRE, CLONE)
    assert table.said(line) == ["wolf: begin-turn", "wolf: end-turn"]
    assert table.said("modre") == ["modre: begin-turn"]
    assert table.said("skip") == ["modre: end-turn"]


def test_only_whose_turn_it_is_skips_it() -> None:
    assert "which this edition does not have" in begun(WOLF, MODRE).no("modre skips")


def test_a_pass_of_whoever_is_attacked_is_one() -> None:
    table = begun(WOLF, MODRE)
    table("wolf attacks modre p1")
    assert table.said("modre passes") == ["modre: pass"]


@pytest.mark.parametrize("line", ["ambush heroes", "ambush modre and clone", "heroes ambush"])
def test_those_who_are_in_ambush_surprise_the_others(line: str) -> None:
    table = Table(MODRE, Join("clone", side="heroes", hp=6), WOLF)
    (said,) = table.said(line)
    assert said.startswith("initiative surprise=modre,clone")


@pytest.mark.parametrize(
    ("line", "long"),
    [
        ("wolf n", "wolf: begin-turn"),
        ("wolf surrenders", 'adjust "Surrendered" condition=(wolf=out)'),
        ("wolf gives up", 'adjust "Surrendered" condition=(wolf=out)'),
        ("yield wolf", 'adjust "Yielded" condition=(wolf=out)'),
        ("wolf smashing modre p1", "wolf: attack modre body power=1"),
    ],
)
def test_other_words_are_the_order_that_they_can_only_be(line: str, long: str) -> None:
    assert begun(WOLF, MODRE, CLONE).said(line)[-1] == long


@pytest.mark.parametrize("line", ["combo wolf clone", "modre combo 2 actions on wolf and clone"])
def test_a_combo_has_as_many_actions_as_are_named(line: str) -> None:
    quick = Join("modre", side="heroes", hp=6, speed=Decimal(2))
    assert begun(quick, WOLF, CLONE).said(line)[-1] == "modre: declare-combo 2 wolf,clone"


def test_a_verb_may_stand_around_what_it_is_about() -> None:
    table = begun(Join("ann", side="heroes", hp=6, weapon=(Weapon("sword", name="Sword"),)), WOLF)
    assert table.said("ann puts the sword down")[-1] == "ann: drop-item sword"
    assert table.said("ann picks the sword up")[-1] == "ann: pick-up-item sword"
    table("ann holds wolf 2; 6 1")
    assert table.said("ann lets the wolf go")[-1].startswith("ann: release ")


def test_init_alone_rolls_where_initiative_is_rolled() -> None:
    mira = Join("mira", side="a", code={"perception": "2D", "agility": "2D"})
    table = Table(mira, Join("thug", side="b", code=mira.code), preset="ron_d6")
    assert table.said("init")[0] == "round"


def test_so_many_actions_are_declared_by_their_number() -> None:
    mira = Join("mira", side="a", code={"perception": "2D", "agility": "2D"})
    table = Table(mira, Join("thug", side="b", code=mira.code), preset="ron_d6")
    table("ro mira 5 3 thug 2 1")
    assert table.said("mira 2 actions") == ["mira: declare 2"]


def test_words_behind_an_undo_say_why() -> None:
    table = begun(WOLF, MODRE)
    table("wolf attacks modre p1")
    assert table.said("undo that, he was behind a wall")[-1].endswith('"he was behind a wall"')
    table("wolf attacks modre p1")
    assert table.said("u the wall was there")[-1].endswith('"the wall was there"')
    table("wolf attacks modre p1")
    assert 'undo: "wall" means nothing here' in table.no("undo wall")


@pytest.mark.parametrize(("name", "kind"), BOWS)
def test_a_weapon_with_a_range_is_of_the_kind_that_it_is_called(name: str, kind: str) -> None:
    table = Table()
    table(f"join Ann heroes hp=6 w=({name} range=20) w=(Knife pow=1)")
    _, bow, knife = table.log.at("fight").combatants["ann"].weapons
    assert (bow.kind, bow.range, knife.kind) == (kind, Decimal(20), "hand")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("join Ogre foes hp=9 armor=2", "2 could be what armor covers or what it absorbs"),
        ("join Ogre foes hp=9 armor=(Hide 2)", "armor=(Hide cover=4 absorption=2)"),
        ("join Ogre foes hp=9 w=(Axe range=4)", "give it the kind bow, crossbow, gun or thrown"),
        ("join Ogre foes hp=9 w=(Axe damage=4)", "is its power, as in power=2"),
    ],
)
def test_what_a_thing_is_not_said_by_is_told_as_it_is_typed(line: str, told: str) -> None:
    assert told in Table().no(line)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("drink potion", "heal NAME 2 because …"),
        ("wolf drinks a potion", "heal wolf 2 because …"),
        ("trap modre 3", "damage NAME 2 because …"),
        ("combo modre", "combo 2 NAME NAME"),
        ("combo 2 modre p2", "known: m2."),
    ],
)
def test_what_no_order_is_for_is_told_with_what_is(line: str, told: str) -> None:
    assert told in begun(WOLF, MODRE, CLONE).no(line)


@pytest.mark.parametrize(
    ("line", "told"), [("modre parries p1", "what a parry costs is not said"), ("modre defends m1", "defend 1.")]
)
def test_a_number_that_an_order_does_not_take_is_told_with_what_it_does(line: str, told: str) -> None:
    table = begun(WOLF, MODRE)
    table("wolf attacks modre p1")
    assert told in table.no(line)
    assert table.said("modre defends p1") == ["modre: defend 1"]


def test_all_who_are_tied_are_named_where_their_dice_are_thrown() -> None:
    table = Table(*(Join(name, side=name, hp=6) for name in ("ann", "bo", "cy")))
    assert "as in ann 3 bo 3 cy 3" in table.no_with("init", draws=False)

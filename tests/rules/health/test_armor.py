"""Armor: which piece blocks at which die, how much it absorbs, and how layers combine."""

from __future__ import annotations

from decimal import Decimal
from itertools import permutations

import pytest
from msgspec.structs import replace

from mam_events.commands import Attack, Command, Counterattack, DropItem, Interfere, Join, PickUpItem, Resolve
from mam_events.decider.decide import legal_commands
from mam_events.decider.offers import Template
from mam_events.events import (
    ArmorChecked,
    AttackResolved,
    AttackRolled,
    CounterattackResolved,
    EquipmentDropped,
    InterferenceResolved,
    Layer,
    WoundInflicted,
)
from mam_events.rules.health.armor import check_armor, fold_layers
from mam_events.rules.rulebook import rulebook
from mam_events.state import ArmorPiece, Item, Weapon
from tests.fighters import CLONE, ICE_BLADE, MODRE, SENTRY, duel_orders
from tests.rules.fights.armor import BLADE, D20, MAIL, SHELL, strike_orders
from tests.spec import CommandResult, admits, given

LEATHER = ArmorPiece("leather", cover=3, absorption=1)
PLATE = ArmorPiece("plate", cover=2, absorption=4)
COAT = ArmorPiece("coat", cover=10, absorption=1)
RINGS = ArmorPiece("rings", cover=6, absorption=3, under="coat")
BREAST = ArmorPiece("breast", cover=2, absorption=4, under="rings")
SUBSTITUTE = {"combat_die": "d20_substitute"}


def blow(attack_die: int, defense_die: int, *armor: ArmorPiece, rules: dict[str, str] | None = None) -> CommandResult:
    *before, last = strike_orders(attack_die, defense_die, *armor)
    return given(*before, rules=rules).when(last)


def fold(*pieces: ArmorPiece) -> list[tuple[str, int, int]]:
    return [(piece.id, piece.cover, piece.absorption) for piece in fold_layers(pieces)]


def test_armor_needs_cover() -> None:
    """MAM-ARM-01."""
    given().when(Join("knight", hp=5, armor=(ArmorPiece("cloak", absorption=3),))).raises("idle_armor", "MAM-ARM-02")
    assert blow(6, 1, MAIL).one(ArmorChecked).absorption == 2


@pytest.mark.parametrize(
    ("face", "piece", "absorbs"), [(2, "plate", 4), (3, "leather", 1), (5, "leather", 1), (6, "", 0)]
)
def test_pieces_are_checked_by_absorption_until_one_covers_the_face(face: int, piece: str, absorbs: int) -> None:
    """MAM-ARM-02, MAM-ARM-04."""
    layers = (Layer("plate", 2, 4), Layer("leather", 5, 1))
    checked = blow(6, face, LEATHER, PLATE).one(ArmorChecked)
    assert checked == ArmorChecked(6, "clone", face, piece, absorbs, 6, layers[: 1 if piece == "plate" else 2])


def test_armor_and_body_absorption_are_subtracted_from_power() -> None:
    """MAM-ARM-03, MAM-ARM-06: 1 point and a blade of 3 against mail of 2 and a body of 1."""
    before = (*duel_orders(clone=replace(CLONE, armor=(MAIL,), absorption=1)), BLADE)
    hit_result = given(*before).when(Resolve(6, 6, 3))
    assert (hit_result.one(AttackResolved).power, hit_result.one(AttackResolved).absorbed) == (4, 3)
    assert (hit_result.one(WoundInflicted).stun, hit_result.one(WoundInflicted).damage) == (1, 0)
    larger = given(*before, rules={"body_absorption_stacks": "no"}).when(Resolve(6, 6, 3))
    assert larger.one(AttackResolved).absorbed == 2
    past_result = given(*before).when(Resolve(6, 6, 4))
    assert (past_result.one(ArmorChecked).piece, past_result.one(AttackResolved).absorbed) == ("", 1)


def test_the_smaller_layer_gains_absorption_and_the_larger_loses_cover() -> None:
    """MAM-ARM-05: in either order of wearing."""
    gambeson, brigandine = (
        ArmorPiece("gambeson", cover=8, absorption=2),
        ArmorPiece("brigandine", cover=4, absorption=5),
    )
    expected = [("brigandine", 4, 7), ("gambeson", 4, 2)]
    assert fold(gambeson, replace(brigandine, under="gambeson")) == expected
    assert fold(replace(gambeson, under="brigandine"), brigandine) == expected


def test_three_layers_combine_in_any_order_of_wearing() -> None:
    """MAM-ARM-05."""
    expected = [("breast", 2, 8), ("rings", 4, 4), ("coat", 4, 1)]
    for order in permutations((COAT, RINGS, BREAST)):
        assert fold(*order) == expected
    inside_out = (replace(BREAST, under=""), replace(RINGS, under="breast"))
    assert fold(*inside_out, replace(COAT, under="rings")) == expected


def test_two_pieces_under_one_layer_both_reduce_its_cover() -> None:
    """MAM-ARM-05."""
    cap = ArmorPiece("cap", cover=1, absorption=2, under="coat")
    assert fold(COAT, replace(BREAST, under="coat"), cap) == [("breast", 2, 5), ("cap", 1, 3), ("coat", 7, 1)]


def test_the_outer_of_two_equal_layers_is_dropped() -> None:
    """MAM-ARM-05."""
    inner = ArmorPiece("inner", cover=5, absorption=3, under="outer")
    assert fold(inner, ArmorPiece("outer", cover=5, absorption=2)) == [("inner", 5, 5)]


def test_complete_cover_always_blocks_or_counts_as_10() -> None:
    """MAM-ARM-02, MAM-ARM-05."""
    ten = rulebook().ruleset("mam_pools", {"complete_cover": "cover_ten"})
    always = rulebook().ruleset("mam_pools")
    shirt = ArmorPiece("shirt", cover=4, absorption=1, under="shell")
    checks = [check_armor((SHELL, shirt), face, rules) for rules in (always, ten) for face in (4, 10, 11)]
    assert [(it.piece.id if it.piece else "", it.absorption) for it in checks] == [
        ("shirt", 3),
        ("shell", 2),
        ("shell", 2),
        ("shirt", 3),
        ("shell", 2),
        ("", 0),
    ]
    assert blow(19, 11, SHELL, rules=D20).one(ArmorChecked).piece == "shell"


def test_armor_is_only_checked_on_a_hit() -> None:
    """MAM-ARM-07: the defense die also counts for armor."""
    assert blow(1, 6, MAIL).all(ArmorChecked) == []
    assert blow(6, 2, MAIL).one(ArmorChecked).die is None


@pytest.mark.parametrize(
    ("reading", "blocked"), [("cover_ge_roll", (1, 2, 3)), ("cover_gt_roll", (1, 2)), ("inverted", (4, 5))]
)
def test_an_option_decides_at_which_face_armor_blocks(reading: str, blocked: tuple[int, ...]) -> None:
    """MAM-ARM-02, MAM-ARM-04."""
    rules = {"armour_block_comparison": reading}
    assert tuple(face for face in range(1, 6) if blow(6, face, MAIL, rules=rules).one(ArmorChecked).piece) == blocked


def test_armor_can_have_its_own_die() -> None:
    """MAM-ARM-02."""
    before = (*duel_orders(clone=replace(CLONE, armor=(MAIL,))), BLADE)
    rules = {"armour_roll_source": "separate_die"}
    event = given(*before, rules=rules, drawn=[3]).when(Resolve(6, 6, 5)).one(ArmorChecked)
    assert (event.face, event.piece, event.die.key, event.die.source) == (3, "mail", "7/armor.clone/0/d6", "drawn")
    result = given(*before, rules=rules).when(Resolve(6, 6, 5, armor_die={"clone": 4})).one(ArmorChecked)
    assert (result.face, result.piece, result.die.source) == (4, "", "thrown")
    given(*before, rules=rules).when(Resolve(6, 6, 5, armor_die={"modre": 4})).raises("idle_die", "MAM-ARM-02")
    given(*before, rules=rules).when(Resolve(6, 6, 5, armor_die={"clone": 7})).raises("impossible_face")
    for reading in ("defense_die", "attack_die"):
        fight = given(*before, rules={"armour_roll_source": reading})
        fight.when(Resolve(6, 6, 5, armor_die={"clone": 4})).raises("idle_die", "MAM-ARM-02")


def test_armor_has_its_own_die_if_nobody_rolls_defense() -> None:
    """MAM-ARM-02."""
    rules = {"defense_resolution": "fixed_difficulty", **D20}
    before = (*duel_orders(clone=replace(CLONE, armor=(MAIL,))), BLADE)
    checked = given(*before, rules=rules).when(Resolve(6, 19, armor_die={"clone": 3})).one(ArmorChecked)
    assert (checked.face, checked.piece) == (3, "mail")


def test_armor_against_a_counterattack_uses_the_attackers_die() -> None:
    """MAM-ARM-02, MAM-ATK-12."""
    before: tuple[Command, ...] = (
        *duel_orders(replace(MODRE, armor=(MAIL,))),
        Attack("modre", "clone", "ice-blade", power=3),
        Counterattack("clone", 6, power=3),
    )
    result = given(*before).when(Resolve(6, 1, 4))
    assert result.one(ArmorChecked) == ArmorChecked(6, "modre", 1, "mail", 2, 7, (Layer("mail", 3, 2),))
    assert (result.one(CounterattackResolved).absorbed, result.one(WoundInflicted).combatant) == (2, "modre")
    # A lower counterattack fails whatever the armor is.
    assert given(*before).when(Resolve(6, 5, 1)).all(ArmorChecked) == []


def test_armor_can_take_the_whole_effect_of_a_counterattack() -> None:
    """MAM-ARM-03, MAM-ATK-12: the log records why."""
    before = (
        *duel_orders(replace(MODRE, armor=(replace(MAIL, absorption=3),))),
        Attack("modre", "clone", "ice-blade", power=3),
        Counterattack("clone", 6, power=3),
    )
    result = given(*before).when(Resolve(6, 1, 4))
    assert (result.one(CounterattackResolved).outcome, result.one(AttackResolved).outcome) == ("fail", "full")
    assert result.one(ArmorChecked).combatant == "modre"


def test_armor_against_an_interfering_attack_uses_the_targets_die() -> None:
    """MAM-ARM-02, MAM-INTF-04."""
    sentry = replace(SENTRY, weapon=(Weapon("club", power=2),))
    before = (
        *duel_orders(replace(MODRE, armor=(MAIL,)), CLONE, sentry),
        replace(BLADE, power=3, modifier=0),
        Interfere("sentry", 7, 7, weapon="club", power=2, modifier=1),
    )
    result = given(*before).when(Resolve(7, 2, 1, interference_die={"8": 6}))
    assert result.one(ArmorChecked) == ArmorChecked(7, "modre", 2, "mail", 2, 8, (Layer("mail", 3, 2),))
    assert result.one(InterferenceResolved).outcome == "full"
    assert (result.one(WoundInflicted).combatant, result.one(WoundInflicted).damage) == ("modre", 2)


def test_armor_of_a_bystander_hit_by_a_counterattack_has_its_own_die() -> None:
    """MAM-ARM-02, MAM-ATK-12."""
    bystander = replace(SENTRY, armor=(MAIL,))
    before = (
        *duel_orders(MODRE, CLONE, bystander),
        replace(BLADE, power=3, modifier=0),
        Counterattack("clone", 7, power=3, target="sentry"),
    )
    rules = {"counterattack_target": "any_target"}
    result = given(*before, rules=rules).when(Resolve(7, 1, 4, armor_die={"sentry": 2}))
    assert (result.one(ArmorChecked).combatant, result.one(ArmorChecked).face) == ("sentry", 2)


def test_armor_uses_the_value_or_the_face_of_a_substitute_die() -> None:
    """MAM-ARM-02."""
    assert blow(9, 2, MAIL, rules=SUBSTITUTE).one(ArmorChecked).face == 4
    raw = SUBSTITUTE | {"armour_roll_with_substitute": "face"}
    assert blow(9, 2, MAIL, rules=raw).one(ArmorChecked).face == 2


def test_an_armor_die_is_never_confirmed() -> None:
    """MAM-ARM-02: a 10 that counts as 20 is not confirmed, because armor has no automatic success."""
    rules = SUBSTITUTE | {"armour_roll_source": "separate_die"}
    before = (*duel_orders(clone=replace(CLONE, armor=(MAIL,))), BLADE)
    checked = given(*before, rules=rules, drawn=[10]).when(Resolve(6, 9, 2)).one(ArmorChecked)
    assert (checked.face, checked.die.face, checked.piece) == (20, 10, "")


def test_a_substitute_combat_die_is_confirmed_if_drawn_or_thrown() -> None:
    """MAM-DICE-04."""
    before = (*duel_orders(), BLADE)
    rules = SUBSTITUTE | {"automatic_success_in_opposed_rolls": "attacker_only"}
    result = given(*before, rules=rules, drawn=[10, 7, 10, 2]).when(Resolve(6))
    roll = result.one(AttackRolled)
    assert (roll.die.face, roll.confirmation.face, roll.confirmation.key) == (10, 7, "7/attack.modre/1/d10")
    assert result.one(AttackResolved).why == "23 against 20, an automatic success"
    table_result = given(*before, rules=rules).when(Resolve(6, 10, 3, confirmation_die={"attack": 5}))
    assert (table_result.one(AttackRolled).confirmation.source, table_result.one(AttackResolved).why) == (
        "thrown",
        "23 against 6",
    )


@pytest.mark.parametrize("confirmation", [{"attack": 5}, {"defense": 5}, {"9": 5}, {"attack": 11}])
def test_an_idle_confirmation_die_is_refused_whatever_would_be_drawn(confirmation: dict[str, int]) -> None:
    """MAM-DICE-04: the refusal is the same before a drawn 10 as before a drawn 2."""
    errors = set()
    for face in (10, 2):
        fight = given(*duel_orders(), BLADE, rules=SUBSTITUTE, drawn=[face, face, face, face])
        errors.add(fight.when(Resolve(6, confirmation_die=confirmation)).error)
    codes = {(error.code, error.sentence) for error in errors if error}
    assert len(codes) == 1
    assert {code for code, _ in codes} <= {"idle_die", "impossible_face"}


def test_a_confirmation_die_needs_a_thrown_first_die() -> None:
    """MAM-DICE-04."""
    before = (*duel_orders(MODRE, CLONE, SENTRY), replace(BLADE, power=3), Interfere("sentry", 7, 7, points=1))
    fight = given(*before, rules=SUBSTITUTE, drawn=[2] * 9)
    fight.when(Resolve(7, confirmation_die={"8": 5})).raises("idle_die", "MAM-DICE-04")
    fight.when(Resolve(7, interference_die={"8": 10}, confirmation_die={"8": 5})).one(InterferenceResolved)


def test_armor_is_removed_from_the_outside_and_put_on_from_the_inside() -> None:
    """MAM-ARM-05, MAM-POOL-06."""
    hide = ArmorPiece("hide", cover=2, absorption=1, attached=True)
    coat, rings = replace(COAT, encumbrance=2), replace(RINGS, encumbrance=1)
    fight = given(*duel_orders(replace(MODRE, armor=(coat, rings, hide))))
    assert fight.state.combatants["modre"].carried_encumbrance == 3
    fight.when(DropItem("modre", "rings")).raises("under_armor", "MAM-ARM-05")
    fight.when(DropItem("modre", "hide")).raises("unknown_item", "MAM-POOL-06")
    fight.when(DropItem("modre", "coat")).then(EquipmentDropped("modre", "coat"))
    fight.after(DropItem("modre", "coat"), DropItem("modre", "rings"), PickUpItem("modre", "coat"))
    assert fight.state.combatants["modre"].carried_encumbrance == 2
    fight.when(PickUpItem("modre", "rings")).raises("under_armor", "MAM-ARM-05")


def test_removed_armor_does_not_count() -> None:
    """MAM-ARM-01, MAM-ARM-05: the layers above it now lie over those below."""
    clone = replace(CLONE, armor=(COAT, replace(RINGS, under="coat"), BREAST))
    fight = given(*duel_orders(clone=clone), DropItem("clone", "coat"), BLADE)
    assert fight.when(Resolve(7, 6, 3)).one(ArmorChecked).layers == (Layer("breast", 2, 7), Layer("rings", 6, 3))


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"armor": (MAIL, MAIL)}, "duplicate_item"),
        ({"armor": (MAIL,), "item": (Item("mail"),)}, "duplicate_item"),
        ({"armor": (RINGS,)}, "unknown_armor"),
        ({"armor": (replace(MAIL, under="mail"),)}, "circular_layers"),
        ({"armor": (replace(COAT, under="rings"), RINGS)}, "circular_layers"),
        ({"speed": Decimal("0.75")}, "unknown_speed"),
        ({"speed": Decimal("NaN")}, "unknown_speed"),
        ({"movement": Decimal(-1)}, "impossible_distance"),
        ({"hand_reach": Decimal(-1)}, "impossible_distance"),
        ({"length": (Decimal(2), Decimal("Infinity"))}, "impossible_distance"),
        ({"weapon": (Weapon("bow", range=Decimal(-1)),)}, "impossible_distance"),
        ({"weapon": (Weapon("bow", range=Decimal(30)),)}, "idle_field"),
        ({"weapon": (Weapon("bow", kind="bow", shots=2),)}, "idle_field"),
        ({"weapon": (Weapon("bow", kind="bow", reload=2),)}, "idle_field"),
        ({"weapon": (Weapon("gun", kind="gun", lever=True),)}, "idle_field"),
        ({"weapon": (Weapon("2"),)}, "number_as_id"),
        ({"item": (Item("2"),)}, "number_as_id"),
        ({"armor": (ArmorPiece("2"),)}, "number_as_id"),
        ({"armor": (ArmorPiece("leather", absorption=2),)}, "idle_armor"),
        ({"armor": (ArmorPiece("leather", cover=2),)}, "idle_armor"),
    ],
)
def test_impossible_statistics_are_refused(more: dict[str, object], code: str) -> None:
    """MAM-ARM-05."""
    given().when(replace(Join("knight"), **more)).raises(code)


def test_a_combatant_joins_with_all_its_statistics() -> None:
    """MAM-ARM-01."""
    given_ = Join(
        "knight",
        hp=6,
        speed=Decimal("0.50"),
        size=1,
        power=2,
        toughness=3,
        movement=Decimal(6),
        hand_reach=Decimal("0.5"),
        length=(Decimal("1.8"),),
        ability={"riding": 4},
        armor=(replace(MAIL, encumbrance=2),),
        training="trained",
        weapon=(ICE_BLADE,),
    )
    knight = given().when(given_)["knight"]
    statistics = knight.statistics
    assert (str(statistics.speed), statistics.size, statistics.power, statistics.toughness) == ("0.5", 1, 2, 3)
    assert (statistics.movement, statistics.hand_reach, statistics.lengths) == (
        Decimal(6),
        Decimal("0.5"),
        (Decimal("1.8"),),
    )
    assert (statistics.ability("riding"), statistics.training, statistics.armor[0].name) == (4, "trained", "mail")
    assert (knight.pools.ready, knight.pools.other_used) == (4, 2)


def test_armor_and_confirmation_dice_match_the_template_of_resolve() -> None:
    """MAM-ARM-02, MAM-DICE-04."""
    rules = SUBSTITUTE | {"armour_roll_source": "separate_die"}
    fight = given(*duel_orders(clone=replace(CLONE, armor=(MAIL,))), BLADE, rules=rules)
    order = Resolve(6, 10, 3, armor_die={"clone": 2}, confirmation_die={"attack": 7})
    offers = [offer for offer in legal_commands(fight.state, fight.ruleset) if offer.do == "resolve"]
    assert any(isinstance(offer, Template) and admits(offer, order) for offer in offers)
    fight.when(order).one(ArmorChecked)
    # A confirmation die depends on the first face, so the template doesn't promise one.
    free = [field.free for offer in offers for field in getattr(offer, "fields", ()) if "confirm" in field.name]
    assert free == [True]
    fight.when(Resolve(6, confirmation_die={"attack": 1})).raises("idle_die", "MAM-DICE-04")

"""The default weapon of an order that names none: a rule, so it is the same in fight files and for callers."""

from __future__ import annotations

from decimal import Decimal

import pytest
from msgspec.structs import replace

from mam_events.commands import Attack, BeginTurn, Command, Counterattack, Initiative, Join, Open, Parry
from mam_events.events import AttackDeclared, CounterattackDeclared, ParryDeclared, Play
from mam_events.log.combat_log import CombatLog
from mam_events.rules.attack.default_weapon import with_default_weapon
from mam_events.state import Item, Weapon
from tests.spec import GivenFight, given

SWORD, DAGGER = Weapon("sword"), Weapon("dagger")
SHEATHED = Weapon("knife", readied=False)
TEETH, CLAWS = Weapon("teeth", attached=True), Weapon("claws", attached=True)
BOW = Weapon("bow", kind="bow", range=Decimal(9))
BOULDER = Item("boulder", unwieldy=True)


def armed(*weapons: Weapon, **fields: object) -> GivenFight:
    """Return a fight of Ann, whose turn it is, and Bob, both with those weapons."""
    ann = Join("ann", hp=9, weapon=weapons, **fields)  # type: ignore[arg-type]  # equipment
    return given(ann, replace(ann, combatant="bob"), Initiative(first="ann", reason="x"), BeginTurn("ann"))


def test_a_bare_fist_must_be_named_while_all_weapons_are_sheathed() -> None:
    """MAM-ATK-06, MAM-SURP-05: a surprised combatant has weapons, and doesn't want to attack without one."""
    fight = armed(SHEATHED)
    error = fight.when(Attack("ann", "bob", power=1)).raises("weapon_needed", "MAM-ATK-06")
    assert "Take the knife in hand first (ready-weapon), or name the body" in error.sentence
    fight = fight.after(Attack("ann", "bob", "body", power=1))
    fight.when(Parry("bob", 6)).raises("weapon_needed", "MAM-ATK-06")
    assert fight.when(Parry("bob", 6, "body")).one(ParryDeclared).weapon == "body"


@pytest.mark.parametrize(
    ("weapons", "expected"),
    [
        ((), "body"),
        ((SWORD,), "sword"),
        ((SWORD, SHEATHED), "sword"),
        ((TEETH,), "teeth"),
        ((SWORD, TEETH, CLAWS), "sword"),
    ],
)
def test_an_order_without_a_weapon_uses_the_weapon_in_hand(weapons: tuple[Weapon, ...], expected: str) -> None:
    """MAM-ATK-06: the body if nothing is in hand, for attacks and reactions."""
    fight = armed(*weapons)
    attack = Attack("ann", "bob", power=1, modifier=1)
    assert fight.when(attack).one(AttackDeclared).weapon == expected
    fight.after(attack)
    assert fight.when(Parry("bob", 6)).one(ParryDeclared).weapon == expected
    assert fight.when(Counterattack("bob", 6, power=1)).one(CounterattackDeclared).weapon == expected
    assert fight.when(Parry("bob", 6, "body")).one(ParryDeclared).weapon == "body"


def test_an_order_must_name_one_of_several_weapons_in_hand() -> None:
    """The error comes after those that forbid acting at all."""
    fight = armed(SWORD, DAGGER)
    error = fight.when(Attack("ann", "bob", power=1)).raises("weapon_needed", "MAM-ATK-06")
    assert error.sentence.endswith("this with sword or dagger. Name the weapon.")
    fight.when(Attack("bob", "ann", power=1)).raises("out_of_turn")
    fight.after(Attack("ann", "bob", "sword", power=1))
    fight.when(Parry("bob", 6)).raises("weapon_needed")
    armed(TEETH, CLAWS).when(Attack("ann", "bob", power=1)).raises("weapon_needed")


def test_a_bow_in_hand_is_the_default_for_attacks_but_not_for_parries() -> None:
    """MAM-ARC-01."""
    fight = armed(BOW)
    fight.when(Attack("ann", "bob", power=1)).raises("bow_not_drawn")
    assert fight.after(Attack("ann", "bob", "body", power=1)).when(Parry("bob", 6)).one(ParryDeclared).weapon == "body"


def test_only_a_weapon_that_can_leave_the_hand_is_thrown_by_default() -> None:
    """MAM-THR-01, MAM-THR-03."""
    attack = Attack("ann", "bob", power=1, thrown="quick")
    assert with_default_weapon(armed(SWORD, TEETH).state, attack).weapon == "sword"
    armed(TEETH).when(attack).raises("weapon_needed")
    armed().when(attack).raises("weapon_needed")
    heave = replace(attack, thrown="heave")
    assert with_default_weapon(armed(SHEATHED, item=(BOULDER,)).state, heave).weapon == "boulder"
    armed(SWORD, item=(BOULDER,)).when(heave).raises("weapon_needed")


@pytest.mark.parametrize("after", [0, 5])
def test_the_log_records_the_default_weapon(after: int) -> None:
    """An insert uses what was in hand at its place, and a repeated order is recognized."""
    log = CombatLog.open("sqlite://")
    ann = Join("ann", hp=9, weapon=(SWORD,))
    orders: list[Command] = [Open(), ann, Join("bob", hp=9), Initiative(first="ann", reason="x"), BeginTurn("ann")]
    log.execute_all("duel", orders)
    attack = Attack("ann", "bob", power=1)
    answer = log.execute("duel", attack, after=after, command_id="once")
    assert isinstance(answer.head, Play)
    assert answer.head.command == replace(attack, weapon="sword")
    assert log.execute("duel", attack, after=after, command_id="once").repeated


def test_a_shield_is_not_the_default_weapon_beside_one_other() -> None:
    shield = Weapon("shield", parry=2)
    fight = armed(SWORD, shield)
    assert fight.when(Attack("ann", "bob", power=1, modifier=1)).one(AttackDeclared).weapon == "sword"
    fight.after(Attack("ann", "bob", power=1, modifier=1))
    assert fight.when(Counterattack("bob", 6, power=1)).one(CounterattackDeclared).weapon == "sword"
    fight.when(Parry("bob", 6)).raises("weapon_needed")
    armed(SWORD, DAGGER, shield).when(Attack("ann", "bob", power=1)).raises("weapon_needed")
    assert armed(shield).when(Attack("ann", "bob", power=1, modifier=1)).one(AttackDeclared).weapon == "shield"

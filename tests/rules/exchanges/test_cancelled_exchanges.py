"""Declared actions that are not made: they have no effect and use nothing up."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

import pytest
from msgspec.structs import replace

from mam_events.commands import (
    Attack,
    BeginTurn,
    Body,
    Command,
    Counterattack,
    DrawBow,
    DropItem,
    Evade,
    Initiative,
    Interfere,
    Join,
    Move,
    Resolve,
    Tackle,
)
from mam_events.events import (
    AttackDeclared,
    AttackResolved,
    CombatantIncapacitated,
    CounterattackResolved,
    EvasionTaken,
    ShotFired,
    WeaponThrown,
)
from mam_events.state import Weapon
from tests.spec import GivenFight, given

SWORD = Weapon("sword", name="Sword", power=2, reach=Decimal(2))
GUN = Weapon("gun", name="Gun", kind="gun", power=2, range=Decimal(60), shots=3, loaded=3)
DAGGER = Weapon("dagger", name="Dagger", power=1, kind="thrown", range=Decimal(10))
ARMS = (SWORD, GUN, DAGGER)
ANA = Join("ana", name="Ana", hp=10, size=3, power=5, hand_reach=Decimal(2), weapon=ARMS, ability={"throwing": 2})
CAST = (ANA, Join("ben", hp=12), Join("cal", hp=12, size=3), Join("dov", hp=12, size=9, body=Body(power=12)))
BEGUN: tuple[Command, ...] = (*CAST, Initiative(first="ana", reason="agreed"), BeginTurn("ana"))
STRIKE = Attack("ana", "ben", "sword", power=2, modifier=2)


def with_interference(attack: Attack, last: Command) -> GivenFight:
    """Let Ana attack Ben (ruling 8), Cal interfere (9), Ana interfere with Cal (10), and Dov answer that."""
    interference = Interfere("ana", 8, 9, weapon="sword", modifier=1)
    return given(*BEGUN, attack, Interfere("cal", 8, 8, points=1), interference, last)


@pytest.mark.parametrize(
    ("attack", "source"), [(replace(STRIKE, mode="cautious"), "cautious"), (replace(STRIKE, evade=True), "evasion")]
)
@pytest.mark.parametrize("others", [False, True])
def test_an_attack_that_is_not_made_gives_no_defense_bonus(attack: Attack, source: str, others: bool) -> None:  # noqa: FBT001 - a case
    """MAM-POS-04, MAM-MNV-02: a cautious attack that is not made gives no bonus."""
    against = (Interfere("cal", 8, 8, points=1),) if others else ()
    fight = given(*BEGUN, attack, *against, DropItem("ana", "sword"))
    assert not fight.when(Resolve(8, 3, interference_die={"9": 3}) if others else Resolve(8))["ana"].status.effects
    if not others:
        fight.when(Resolve(8, 3)).raises("idle_die", "MAM-WND-08")
    fight.after(Resolve(8, 3, interference_die={"9": 3}) if others else Resolve(8)).when(Evade("ana")).all()
    result = given(*BEGUN, attack, Interfere("cal", 8, 8, points=1)).when(Resolve(8, 1, interference_die={"9": 6}))
    assert result.one(EvasionTaken).effect.source == source


@pytest.mark.parametrize(
    "attack",
    [
        Attack("ana", "ben", "gun", modifier=2, distance=Decimal(2)),
        Attack("ana", "ben", "dagger", modifier=2, thrown="quick", distance=Decimal(2)),
    ],
)
def test_an_archer_felled_before_the_shot_keeps_the_ammunition(attack: Attack) -> None:
    """MAM-INTF-07, MAM-ARC-02, MAM-THR-01: the same for a throw."""
    fight = with_interference(attack, Interfere("dov", 8, 10, weapon="body", modifier=1))
    felled_result = fight.when(Resolve(8, 6, interference_die={"9": 1, "10": 2, "11": 6}))
    assert felled_result.one(CombatantIncapacitated).combatant == "ana"
    assert felled_result.one(AttackResolved).outcome == "fail"
    assert not felled_result.all(ShotFired) + felled_result.all(WeaponThrown)
    missed_result = fight.when(Resolve(8, 6, 1, {"9": 1, "10": 6, "11": 1}))
    assert missed_result.all(ShotFired) + missed_result.all(WeaponThrown)


def test_an_attacker_felled_during_a_cautious_attack_gets_no_bonus() -> None:
    """MAM-WND-08, MAM-INTF-04: the interference that stops the attack also fells the attacker."""
    fight = given(*BEGUN, replace(STRIKE, mode="cautious"), Interfere("dov", 8, 8, weapon="body", modifier=1))
    result = fight.when(Resolve(8, 1, interference_die={"9": 6}))
    assert result.one(CombatantIncapacitated).combatant == "ana"
    assert not result.all(EvasionTaken)


def test_a_counterattack_that_is_not_made_keeps_its_bolt() -> None:
    """MAM-ARC-02, MAM-INTF-03: a bolt is used if the exchange is rolled, even on a miss, but not by the declaration."""
    answer = Counterattack("ana", 8, "gun", modifier=1)
    fight = given(*CAST, Initiative(first="ben", reason="agreed"), BeginTurn("ben"), Attack("ben", "ana", power=2))
    fight.after(answer, Interfere("cal", 8, 9, points=1))
    result = fight.when(Resolve(8, 6, 1, {"10": 6}))
    assert result.one(CounterattackResolved).outcome == "fail"
    assert result.one(ShotFired) == ShotFired("ana", "gun", 2)
    dropped = fight.after(DropItem("ana", "gun")).when(Resolve(8, 6, 1))
    assert not dropped.all(CounterattackResolved) + dropped.all(ShotFired)


def test_a_bolt_is_shot_only_once_in_an_exchange() -> None:
    """MAM-ARC-01, MAM-ARC-02: whoever has a drawn bow does nothing else "until the bow is fired"."""
    bow = Weapon("bow", name="Bow", kind="bow", power=2, range=Decimal(60))
    arms = (replace(GUN, shots=1, loaded=1), bow)
    opening = (Initiative(first="ana", reason="agreed"), BeginTurn("ana"))
    for draws, shot, code, by_hand in (
        ((), "gun", "not_loaded", ""),
        ((DrawBow("ana", "bow"),), "bow", "bow_not_drawn", "bow_drawn"),
    ):
        fight = given(replace(ANA, weapon=arms), *CAST[1:], *opening, *draws, Attack("ana", "ben", shot, modifier=2))
        attack = fight.ruling
        fight.after(Interfere("cal", attack, attack, points=1))
        fight.when(Interfere("ana", attack, attack + 1, weapon=shot, modifier=1)).raises(code)
        result = fight.when(Interfere("ana", attack, attack + 1, weapon="body", modifier=1))
        assert (result.error.code if result.error else "") == by_hand


@pytest.mark.parametrize(
    ("follow_up", "mode", "expected"),
    [
        ("throw", "powerful", "fail"),
        ("throw", "strategic", "fail"),
        ("hold", "strategic", "fail"),
        ("hold", "powerful", "full"),
        ("throw", "quick", "full"),
    ],
)
def test_a_thrown_or_held_attacker_cannot_use_every_mode(
    follow_up: Literal["throw", "hold"], mode: Literal["powerful", "strategic", "quick"], expected: str
) -> None:
    """MAM-POS-01, MAM-COMBO-05: "cannot be done from the ground", nor "while aiming or grappling"."""
    fight = with_interference(replace(STRIKE, mode=mode), Tackle("dov", 8, 10, points=1, follow_up=follow_up))
    assert fight.when(Resolve(8, 6, 1, {"9": 1, "10": 2, "11": 6})).one(AttackResolved).outcome == expected


@pytest.mark.parametrize("others", [False, True])
def test_an_attack_that_is_not_made_does_not_use_up_the_run(others: bool) -> None:  # noqa: FBT001 - a case
    """MAM-ATK-07: the charge belongs to the attack that is made after "more than 5 meters in a straight line"."""
    against = (Interfere("cal", 9, 9, points=1),) if others else ()
    run = (Move("ana", 7, straight=True), replace(STRIKE, modifier=0, power=1), *against)
    dice = Resolve(9, 3, interference_die={"10": 3}) if others else Resolve(9)
    fist = Attack("ana", "ben", "body", modifier=1)
    assert given(*BEGUN, *run, DropItem("ana", "sword"), dice).when(fist).one(AttackDeclared).terms.charge == 7
    fight = given(*BEGUN, *run, replace(dice, attack_die=1, defense_die=6))
    assert fight.when(fist).one(AttackDeclared).terms.charge == 0

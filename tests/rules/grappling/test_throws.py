"""Throwing a combatant: where they land, and whom they hit (MAM-MNP)."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from msgspec.structs import replace

from mam_events.commands import (
    Adjust,
    BeginTurn,
    Body,
    Command,
    Defend,
    EndTurn,
    Evade,
    Initiative,
    Interfere,
    Join,
    Manipulate,
    Move,
    PrepareCounterattack,
    Resolve,
    Tackle,
)
from mam_events.decider.decide import legal_commands
from mam_events.decider.offers import Template
from mam_events.events import (
    ArmorChecked,
    CombatantMoved,
    DefenseRaised,
    DefenseRolled,
    GrappleBroken,
    GrappleEstablished,
    MountedRollOwed,
    TargetThrown,
    ThrownBodyStruck,
    WeaponThrown,
    WoundInflicted,
)
from mam_events.state import ArmorPiece, Grapple, Statistics, Weapon
from tests.fighters import SENTRY
from tests.rules.grips import HIT, SABRE, TIE, TWELVE, gripped, stand, take
from tests.spec import GivenFight, admits, given


def test_a_net_holds_in_hand_and_thrown() -> None:
    """MAM-MNP-03: most missiles can't; a thrown net holds with its power minus five, and can't choke."""
    net = Weapon("net", name="Net", kind="thrown", power=6, heft=-3, holds=True)
    netting = replace(TWELVE, weapon=(net,), body=Body(reach=Decimal(1)))
    cast = take(weapon="net", power=2, follow_up="hold", thrown="quick")
    stand(modre=netting).when(replace(cast, power=0, points=2)).raises("idle_points", "MAM-MNP-03")
    fight = stand(cast, modre=netting, clone_is=Statistics(size=1))
    result = fight.when(HIT)
    grapple = Grapple("hold-6", 2, 2, "clone", weapon="net", lies=True, maintained=1, exchange=6)
    assert result.one(GrappleEstablished).grapple == grapple
    assert result.one(WeaponThrown).weapon == "net"
    assert result["modre"].grapples
    by_hand = stand(take(weapon="net", points=2, follow_up="hold"), modre=netting)
    assert by_hand.when(HIT).one(GrappleEstablished).grapple.weapon == "net"
    bare_fight = stand(modre=netting)
    bare_fight.when(take(weapon="net", power=1, follow_up="choke")).raises("missile_weapon")
    templates = [one for one in legal_commands(bare_fight.state, bare_fight.ruleset) if isinstance(one, Template)]
    assert any(admits(template, cast) for template in templates)


def test_a_thrown_combatant_lies_on_the_ground_and_hits_the_wall() -> None:
    """MAM-MNP-02, MAM-MNP-08: most surfaces are blunt, and half a success halves their power."""
    wall = take(points=3, follow_up="throw", surface="the wall", surface_power=5)
    full_result, half_result = stand(wall).when(HIT), stand(wall).when(TIE)
    assert (full_result.one(TargetThrown).lands, half_result.one(TargetThrown).lands) == ("prone", "semi_prone")
    assert {result["clone"].status.position for result in (full_result, half_result)} == {"on_ground"}
    assert [(w.stun, w.damage) for w in (full_result.one(WoundInflicted), half_result.one(WoundInflicted))] == [
        (3, 2),
        (2, 1),
    ]
    spikes = replace(wall, surface_sharpness=0)
    assert stand(spikes).when(HIT).one(WoundInflicted).damage == 5
    assert stand(take(points=3, follow_up="throw")).when(HIT).all(WoundInflicted) == []


def test_a_holder_who_throws_the_held_combatant_lets_go() -> None:
    """MAM-MNP-08, MAM-MNP-10."""
    fight = gripped()
    fight.after(take(points=3, follow_up="throw"))
    result = fight.when(Resolve(fight.ruling, 6, 1))
    assert result.one(GrappleBroken) == GrappleBroken("modre", "hold-6", "thrown")
    missed_result = fight.when(Resolve(fight.ruling, 1, 6))
    assert len(missed_result["modre"].grapples) == 1


def test_a_thrown_body_hits_another_combatant_as_a_blunt_weapon() -> None:
    """MAM-MNP-09: its size is the power; the target can be anybody but the thrower."""
    large = given(TWELVE, replace(SABRE, size=5), SENTRY, Initiative(first="modre", reason="he is ready"))
    large.after(BeginTurn("modre"))
    throw = take(points=6, follow_up="throw", into="sentry")
    large.when(replace(throw, into="clone")).raises("bad_target", "MAM-MNP-09")
    large.when(replace(throw, into="modre")).raises("bad_target")
    large.when(replace(throw, into="sentri")).raises("unknown_combatant")
    large.when(replace(throw, follow_up="none")).raises("idle_throw", "MAM-MNP-08")
    number = large.after(throw).ruling
    struck_result = large.when(Resolve(number, 6, 1, into_die=1))
    assert struck_result.one(ThrownBodyStruck) == ThrownBodyStruck(
        number, "modre", "clone", "sentry", 5, outcome="full", why="6 against 1"
    )
    wound = struck_result.one(WoundInflicted)
    assert (wound.combatant, wound.stun, wound.damage) == ("sentry", 3, 2)
    large.when(Resolve(number, 6, 1, into_die=1, armor_die={"sentry": 2})).raises("idle_die", "MAM-ARM-02")
    large.when(Resolve(number, 6, 1, into_die=7)).raises("impossible_face")
    for defends, struck_defends in ((3, 2), (1, 3)):
        half_result = large.when(Resolve(number, 3, defends, into_die=struck_defends))
        assert half_result.one(ThrownBodyStruck).outcome == "half"
        assert half_result.one(WoundInflicted).stun + half_result.one(WoundInflicted).damage < 5
    assert not large.when(Resolve(number, 1, 6)).all(ThrownBodyStruck)


@pytest.mark.parametrize(("source", "own"), [("defense_die", None), ("separate_die", 2), ("attack_die", 2)], ids=str)
def test_armor_against_a_thrown_body_uses_the_defense_die_or_its_own(source: str, own: int | None) -> None:
    """MAM-MNP-09, MAM-ARM-02, option `armour_roll_source`: there is no attack roll for the body."""
    coat = ArmorPiece("coat", cover=3, absorption=1)
    fight = given(
        *(TWELVE, replace(SABRE, size=5), replace(SENTRY, armor=(coat,)), Initiative(first="modre", reason="so")),
        rules={"armour_roll_source": source},
    )
    throw = take(points=6, follow_up="throw", into="sentry")
    number = fight.after(BeginTurn("modre"), throw).ruling
    order = Resolve(number, 6, 1, into_die=1, armor_die={"sentry": own} if own else {})
    if own is None:
        fight.when(replace(order, armor_die={"sentry": 2})).raises("idle_die", "MAM-ARM-02")
    checked = fight.when(order).one(ArmorChecked)
    assert (checked.combatant, checked.face, checked.absorption) == ("sentry", own or 1, 1)


def test_a_combatant_defends_against_a_thrown_body_as_against_a_weapon() -> None:
    """MAM-MNP-09, MAM-ATK-03: with a die, the pool, points in reaction and evasion; if it wins, the body misses."""
    fight = given(TWELVE, replace(SABRE, size=5), SENTRY, Initiative(first="sentry", reason="he is ready"))
    fight.after(BeginTurn("sentry"), Evade("sentry"), EndTurn("sentry"), BeginTurn("modre"))
    number = fight.after(take(points=6, follow_up="throw", into="sentry")).ruling
    fight.when(Defend("sentry", number, 1)).one(DefenseRaised)
    result = fight.when(Resolve(number, 6, 1, into_die=5))
    assert result.one(ThrownBodyStruck).outcome == "fail"
    assert not result.all(WoundInflicted)
    fixed_fight = given(
        TWELVE, SENTRY, replace(SABRE, size=1), Initiative(first="modre", reason="agreed"), preset="mam_speed"
    )
    fixed_fight.after(BeginTurn("modre"), Manipulate("modre", "clone", follow_up="throw", into="sentry"))
    fixed_fight.when(Resolve(fixed_fight.ruling, 15, into_die=3)).raises("idle_die", "MAM-MNP-09")


def test_armor_against_a_thrown_body_draws_a_die_if_nobody_defends() -> None:
    """MAM-MNP-09, MAM-ARM-02: the defense die, or one of its own without a defense."""
    mail = ArmorPiece("mail", cover=4, absorption=3)
    party = (TWELVE, replace(SABRE, size=5), replace(SENTRY, armor=(mail,)))
    fight = given(*party, Initiative(first="modre", reason="he is ready"), BeginTurn("modre"))
    number = fight.after(take(points=6, follow_up="throw", into="sentry")).ruling
    kept_result, bare_result = (fight.when(Resolve(number, 6, 1, into_die=face)) for face in (2, 5))
    assert (kept_result.one(ThrownBodyStruck).absorbed, bare_result.one(ThrownBodyStruck).absorbed) == (3, 0)


def into_the_sentry(*before: Command, sentry: Join = SENTRY, **fields: Any) -> GivenFight:
    """Let Modre throw the Clone into the Sentry after those commands."""
    modre = replace(TWELVE, stride=Decimal(10))
    fight = given(modre, replace(SABRE, size=5), sentry, Initiative(first="modre", reason="he is ready"))
    return fight.after(BeginTurn("modre"), *before, take(points=6, follow_up="throw", into="sentry", **fields))


@pytest.mark.parametrize("points", [0, 1])
def test_a_step_during_a_throw_does_not_shorten_the_run_before_it(points: int) -> None:
    """MAM-ATK-07, MAM-MNP-09: 10 m straight "before attacking"."""
    fight = into_the_sentry(Move("modre", 1, straight=True), move=points)
    result = fight.when(Resolve(fight.ruling, 6, 1, into_die=1))
    assert result.one(ThrownBodyStruck).power == 5 + 5
    assert len(result.all(CombatantMoved)) == points


def test_a_thrower_on_the_ground_moves_less_far() -> None:
    """MAM-MNP-09, MAM-MNV-03, MAM-CTR-03: "-2 movement"; a throw beyond that must be changed."""
    rules = {"counterattack_mode": "prepared_turn"}
    modre = replace(TWELVE, stride=Decimal(2))
    for distance in (None, Decimal(6)):
        opening = (modre, SABRE, Initiative(first="clone", reason="he waits"), BeginTurn("clone"))
        fight = given(*opening, PrepareCounterattack("clone"), BeginTurn("modre"), rules=rules)
        fight.after(take(points=3, follow_up="throw", move=3, distance=distance))
        number = fight.ruling
        fight.after(Manipulate("clone", "modre", points=3, follow_up="throw"), Resolve(number + 1, 6, 1))
        fight.after(EndTurn("clone"))
        if distance:
            fight.when(Resolve(number, 6, 1)).raises("must_change", "MAM-CTR-03")
            continue
        result = fight.when(Resolve(number, 6, 1))
        assert (result.one(CombatantMoved).metres, result.one(TargetThrown).reach) == (4, 4)


def test_a_thrown_body_hits_nobody_who_has_left() -> None:
    """MAM-MNP-09: the throw still happens, and nobody defends against the body."""
    fight = into_the_sentry().after(Adjust("he has run off", condition={"sentry": "out"}))
    fight.when(Resolve(fight.ruling - 1, 6, 1, into_die=1)).raises("idle_die", "MAM-MNP-09")
    result = fight.when(Resolve(fight.ruling - 1, 6, 1))
    assert result.one(TargetThrown).combatant == "clone"
    assert not result.all(ThrownBodyStruck)
    assert not result.all(WoundInflicted)


@pytest.mark.parametrize(("face", "expected"), [(1, "full"), (4, "half"), (3, "full")])
def test_interfering_with_a_throw_into_oneself_is_the_only_roll(face: int, expected: str) -> None:
    """MAM-INTF-03: "the interfering roll replaces their defense roll"."""
    fight = into_the_sentry()
    number = fight.ruling
    fight.after(Interfere("sentry", number, number, points=1))
    fight.when(Interfere("sentry", number, number, points=1)).raises("already_answered", "MAM-INTF-03")
    fight.when(Tackle("sentry", number, number, points=1)).raises("already_answered", "MAM-INTF-03")
    fight.when(Resolve(number, 4, 1, {str(number + 1): face}, into_die=1)).raises("idle_die", "MAM-MNP-09")
    result = fight.when(Resolve(number, 4, 1, {str(number + 1): face}))
    assert [roll.combatant for roll in result.all(DefenseRolled)] == ["clone"]
    assert (result.one(ThrownBodyStruck).outcome, result.one(ThrownBodyStruck).why) == (expected, f"4 against {face}")


def test_a_stopped_interference_with_a_throw_leaves_no_defense() -> None:
    """MAM-INTF-03, MAM-INTF-07."""
    fight = into_the_sentry()
    number = fight.ruling
    fight.after(Interfere("sentry", number, number, points=1), Interfere("modre", number, number + 1, points=1))
    event = fight.when(Resolve(number, 4, 1, {str(number + 1): 4, str(number + 2): 6})).one(ThrownBodyStruck)
    assert (event.outcome, event.why) == ("full", "the interference was stopped, and no defense roll is left")


def test_an_animal_hit_by_a_thrown_body_defends_and_may_throw_its_rider() -> None:
    """MAM-MNT-01, MAM-MNT-02: "every time the animal attacks or defends"; only if the body is thrown."""
    horse = Join("sentry", name="Horse", hp=12, training="trained")
    rider = Join("ana", name="Ana", hp=8, mount="sentry")
    fight = into_the_sentry(rider, sentry=horse)
    event = fight.when(Resolve(fight.ruling, 6, 1, into_die=1)).one(MountedRollOwed)
    assert (event.riders, event.attacked, event.defended, event.by) == (("ana",), False, True, ("modre",))
    assert not fight.when(Resolve(fight.ruling, 1, 6)).all(MountedRollOwed)


@pytest.mark.parametrize(("reading", "worth"), [("surface_profile", 5), ("thrown_size", 2)])
def test_a_wall_hits_with_its_own_power_or_the_victims_size(reading: str, worth: int) -> None:
    """MAM-MNP-08, MAM-MNP-09, option `throw_impact_power`: a thrown body is a blunt weapon with its size as power."""
    wall = take(points=3, follow_up="throw", surface="the wall", surface_power=5)
    wound = (
        stand(wall, clone_is=Statistics(size=2), rules={"throw_impact_power": reading}).when(HIT).one(WoundInflicted)
    )
    assert wound.stun + wound.damage == worth


def test_a_throw_reaches_body_length_plus_arm_plus_steps() -> None:
    """MAM-MNP-09."""
    modre = replace(TWELVE, stride=Decimal("1.5"), body=Body(reach=Decimal(1)))
    long = Statistics(lengths=(Decimal(2), Decimal("1.2"), Decimal("1.8")))
    throw = take(points=3, follow_up="throw", move=3, distance=Decimal(7))
    fight = stand(throw, modre=modre, clone_is=long)
    assert fight.state.combatants["modre"].pools.defense == 3
    result = fight.when(HIT)
    assert result.one(TargetThrown).reach == Decimal(7)
    assert result.one(CombatantMoved).metres == Decimal("4.5")
    stand(modre=modre, clone_is=long).when(replace(throw, distance=Decimal("7.1"))).raises("out_of_range", "MAM-MNP-09")

"""Sequences with shots, thrown weapons and aim."""

from __future__ import annotations

from decimal import Decimal

import pytest
from msgspec.structs import replace

from mam_events.commands import (
    Act,
    Aim,
    Attack,
    BeginHeave,
    BeginTurn,
    Command,
    Counterattack,
    DeclareCombo,
    Defend,
    Drop,
    EndTurn,
    Interfere,
    Manipulate,
    Move,
    Parry,
    PickUpItem,
    PrepareCounterattack,
    Resolve,
    Tackle,
)
from mam_events.decider.decide import legal_commands
from mam_events.decider.offers import Template
from mam_events.events import (
    AttackResolved,
    AttackRolled,
    GrappleBroken,
    InterferenceRolled,
    RollMade,
)
from mam_events.state import Weapon
from tests.rules.sequence_fighters import ANA, BEN, CAL, begin, pass_turns
from tests.spec import GivenFight, given, is_offered


def test_only_one_object_can_be_heaved_at_a_time() -> None:
    """MAM-THR-03."""
    rock = Weapon("rock", name="Rock", heft=1, unwieldy=True, throw_reach=Decimal(2))
    strong = replace(ANA, power=4, hand_reach=Decimal(1), weapon=(rock, *ANA.weapon))
    fight = given(strong, BEN, *begin("ana", BeginHeave("ana", "rock")))
    fight.when(Attack("ana", "ben", "sword", thrown="heave", modifier=1)).raises("heaving", "MAM-THR-03")
    fight.when(DeclareCombo("ana", 1)).raises("heaving")
    offers = [offer for offer in legal_commands(fight.state, fight.ruleset) if isinstance(offer, Template)]
    assert not [offer.do for offer in offers if offer.do in ("attack", "declare-combo")]


def test_aiming_helps_only_the_aimed_weapon() -> None:
    """MAM-POS-02."""
    guns = tuple(Weapon(name, name=name, kind="gun", power=1, range=Decimal(60)) for name in ("gun", "pistol"))
    fight = given(replace(ANA, weapon=guns), BEN, *begin("ana", Aim("ana", "gun")))
    for weapon, bonus in (("gun", [5]), ("pistol", [])):
        shot = given(replace(ANA, weapon=guns), BEN, *begin("ana", Aim("ana", "gun")))
        shot.after(Attack("ana", "ben", weapon, modifier=1))
        roll = shot.when(Resolve(shot.ruling, 3, 3)).one(AttackRolled)
        assert [m.value for m in roll.modifiers if m.rule == "MAM-POS-02"] == bonus
    assert fight.state.combatants["ana"].status.aiming == "gun"


def test_a_heaving_combatant_can_only_defend_as_a_reaction() -> None:
    """MAM-THR-03: defending is not an action."""
    rock = Weapon("rock", name="Rock", heft=1, unwieldy=True, throw_reach=Decimal(2))
    strong = replace(ANA, power=4, hand_reach=Decimal(1), weapon=(rock, *ANA.weapon))
    fight = given(strong, BEN, *begin("ana", BeginHeave("ana", "rock"), EndTurn("ana"), BeginTurn("ben")))
    fight.after(Attack("ben", "ana", "body", modifier=3))
    for order in (
        Counterattack("ana", 9, "sword", modifier=3),
        Parry("ana", 9, "sword"),
        Tackle("ana", 9, 9, points=1),
    ):
        fight.when(order).raises("heaving", "MAM-THR-03")
    assert fight.when(Defend("ana", 9, 1)).error is None


NET = Weapon("net", name="Net", kind="thrown", power=6, holds=True)
CAST = {"thrown": "quick", "distance": Decimal(1), "follow_up": "hold", "power": 2}


@pytest.mark.parametrize("taker", ["ana", "cal"])
def test_a_net_on_the_ground_can_be_taken_up_and_then_holds_nobody(taker: str) -> None:
    """MAM-MNP-03, MAM-MNP-10."""
    ana = replace(ANA, power=6, hand_reach=Decimal(2), weapon=(NET,))
    fight = given(ana, BEN, CAL, *begin("ana", Manipulate("ana", "ben", "net", **CAST), Resolve(7, 6, 1)))  # type: ignore[arg-type]
    (grapple,) = fight.state.combatants["ana"].grapples
    assert (grapple.held, grapple.weapon, grapple.lies) == ("ben", "net", True)
    if taker != "ana":
        fight.after(EndTurn("ana"), *pass_turns("ben"), BeginTurn(taker))
    result = fight.when(PickUpItem(taker, "net", owner="ana"))
    assert result.one(GrappleBroken) == GrappleBroken("ana", grapple.id, "taken_up")
    assert not result["ana"].grapples


GUN = Weapon("gun", name="Gun", kind="gun", power=3, range=Decimal(60))
SHOOTER = replace(BEN, weapon=(GUN,))
GUNNED = replace(ANA, item=(), weapon=(*ANA.weapon, GUN))


def shot_at(metres: int) -> GivenFight:
    """Let Ben shoot at Ana from that distance, with three points on the modifier (ruling 7)."""
    shot = Attack("ben", "ana", "gun", modifier=3, distance=Decimal(metres))
    return given(SHOOTER, GUNNED, CAL, *begin("ben", shot))


@pytest.mark.parametrize("answer", [Parry("ana", 7, "sword"), Interfere("ana", 7, 7, points=3)])
def test_distance_modifies_every_roll_that_replaces_the_defense(answer: Command) -> None:
    """MAM-ATK-08, MAM-INTF-03."""
    result = shot_at(50).after(answer).when(Resolve(7, 3, 3))
    assert ("50 m away", 16) in [(m.name, m.value) for m in result.all(RollMade)[1].modifiers]
    assert result.one(AttackResolved).outcome == "fail"


def test_distance_does_not_modify_a_roll_of_a_bystander() -> None:
    """MAM-INTF-01: a bystander's roll stops the shot, and has no distance."""
    result = shot_at(50).after(Interfere("cal", 7, 7, points=3)).when(Resolve(7, 3, 3, {"8": 3}))
    assert [m.name for m in result.one(InterferenceRolled).modifiers] == ["ability"]


@pytest.mark.parametrize(
    "answer",
    [
        Counterattack("ana", 7, "sword", power=3),
        Interfere("ana", 7, 7, weapon="sword", power=3),
        Tackle("ana", 7, 7, "sword", points=3, follow_up="hold"),
        Tackle("ana", 7, 7, "body", points=3, follow_up="throw"),
    ],
)
def test_a_melee_counterattack_beyond_reach_is_refused(answer: Command) -> None:
    """MAM-ATK-08."""
    shot_at(3).when(answer).raises("out_of_range", "MAM-ATK-08")


SHOTS_BACK = [Counterattack("ana", 7, "gun", power=1), Interfere("ana", 7, 7, weapon="gun", power=1)]


@pytest.mark.parametrize("answer", SHOTS_BACK)
def test_a_shot_in_return_has_the_distance_of_the_attack(answer: Counterattack | Interfere) -> None:
    """MAM-ATK-08."""
    fight = shot_at(50)
    roll = fight.after(answer).when(Resolve(7, 3, 1)).all(RollMade)[1]
    assert [m.value for m in roll.modifiers if m.name == "50 m away"] == [16, -16]
    shot_at(50).when(replace(answer, distance=Decimal(70))).raises("out_of_range", "MAM-ATK-08")
    shot_at(50).when(replace(answer, weapon="sword", distance=Decimal(2))).raises("idle_distance", "MAM-ATK-08")


def test_a_target_of_a_distant_shot_may_counterattack_somebody_near() -> None:
    """MAM-ATK-08, MAM-ATK-12, `counterattack_target`: somebody near with any weapon, the shooter only with the gun."""
    shot = Attack("ben", "ana", "gun", modifier=3, distance=Decimal(50))
    fight = given(SHOOTER, GUNNED, CAL, *begin("ben", shot), rules={"counterattack_target": "any_target"})
    for weapon, whom, accepted in (
        ("sword", "cal", True),
        ("sword", "", False),
        ("gun", "cal", True),
        ("gun", "", True),
    ):
        answer = Counterattack("ana", 7, weapon, power=1, target=whom)
        assert (fight.when(answer).error is None) is accepted
        assert is_offered(fight.state, fight.ruleset, answer) is accepted


@pytest.mark.parametrize("lying", [False, True])
def test_aiming_helps_an_interfering_shot_and_ends_with_it(lying: bool) -> None:  # noqa: FBT001 - a case
    """MAM-POS-02: lying adds no penalty to an aimed shot."""
    fight = given(
        GUNNED, BEN, CAL, *begin("ana", *((Drop("ana"),) if lying else ()), Aim("ana", "gun"), EndTurn("ana"))
    )
    fight.after(BeginTurn("ben"), Act("ben", "the machine", points=2))
    number = fight.ruling
    fight.after(Interfere("ana", number, number, weapon="gun", power=1))
    result = fight.when(Resolve(number, 1, interference_die={str(fight.ruling): 1}))
    assert ("MAM-POS-02", 5) in [(m.rule, m.value) for m in result.one(InterferenceRolled).modifiers]
    assert (result["ana"].status.aiming, result["ana"].status.position) == ("", "on_ground" if lying else "standing")


@pytest.mark.parametrize("order", [Attack("ana", "ben", "sword"), Manipulate("ana", "ben", "sword", follow_up="hold")])
def test_a_prepared_counterattack_reaches_as_far_as_its_movement(order: Command) -> None:
    """MAM-CTR-02, MAM-ATK-08: a prepared combatant moves before the counterattack."""
    waiting = (SHOOTER, GUNNED, CAL, *begin("ana", PrepareCounterattack("ana")), *pass_turns("cal"), BeginTurn("ben"))
    fight = given(*waiting, Attack("ben", "ana", "gun", distance=Decimal(7)), preset="mam_speed")
    fight.when(order).raises("out_of_range", "MAM-ATK-08")
    fight.after(Move("ana", metres=Decimal(5))).when(order).all(AttackRolled)

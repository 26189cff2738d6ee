"""Sequences with mounts, vehicles and their riders."""

from __future__ import annotations

from decimal import Decimal

import pytest
from msgspec.structs import replace

from mam_events.commands import (
    Act,
    Adjust,
    Aim,
    Attack,
    BeginTurn,
    Body,
    ChangeAction,
    Command,
    Drop,
    EndTurn,
    Evade,
    Hold,
    Initiative,
    Interfere,
    Join,
    Manipulate,
    Mount,
    Move,
    Placement,
    PrepareCounterattack,
    Ram,
    Resolve,
    Rest,
    RestrainMount,
    StayMounted,
    TakePosition,
)
from mam_events.events import (
    AttackResolved,
    AttackRolled,
    MountedRollOwed,
    RiderDismounted,
)
from mam_events.state import Weapon
from tests.rules.sequence_fighters import ANA, BEN, CAL, begin, pass_turns
from tests.spec import GivenFight, given

HORSE = Join("horse", name="Horse", hp=9, training="trained", body=Body(power=1), speed=Decimal(1))
RIDER = Join("dov", name="Dov", hp=8, mount="horse", ability={"riding": 2})


def mounted(*orders: Command, foe: Join = CAL, preset: str = "mam_pools", horse: Join = HORSE) -> GivenFight:
    return given(horse, RIDER, replace(foe, size=4), *begin("cal", *orders), preset=preset)


def test_manipulating_a_mount_needs_a_riding_roll() -> None:
    """MAM-MNT-01, MAM-MNP-01: a manipulation is an attack."""
    fight = mounted(Manipulate("cal", "horse", "body", points=2))
    event = fight.when(Resolve(fight.ruling, 6, 1)).one(MountedRollOwed)
    assert (event.riders, event.owed, event.by) == (("dov",), "riding", ("cal",))


def test_a_thrown_rider_falls_off_the_mount() -> None:
    """MAM-MNP-08, MAM-MNT-01."""
    fight = mounted(Manipulate("cal", "dov", "body", follow_up="throw", points=2))
    off = fight.when(Resolve(fight.ruling, 6, 1))
    assert off.one(RiderDismounted) == RiderDismounted("dov", "horse", "Dov is on the ground")
    assert off["dov"].status.position == "on_ground"


def test_a_rider_cannot_drop_or_move_on_foot() -> None:
    """MAM-MNT-01."""
    fight = mounted(EndTurn("cal"), BeginTurn("horse"), EndTurn("horse"), BeginTurn("dov"))
    for order in (Drop("dov"), Move("dov", 1)):
        fight.when(order).raises("mounted", "MAM-MNT-01")


def test_a_grappler_cannot_mount() -> None:
    """MAM-MNT-01, MAM-POS-01: neither holder nor held, nor in a clinch placed by the game master."""
    mount = Mount("ana", "horse")
    for word in (
        Adjust("a grip", hold=(Hold("ana", "grip", 0, held="ben"),)),
        Adjust("a grip", hold=(Hold("ben", "grip", 0, held="ana"),)),
        Adjust("they wrestle", position=(Placement("ana", "clinch", "ben"),)),
    ):
        given(HORSE, ANA, BEN, *begin("ana", word)).when(mount).raises("grappling", "MAM-POS-01")
    assert given(HORSE, ANA, BEN, *begin("ana")).when(mount).error is None


def test_an_incapacitated_rider_falls_when_the_animal_is_attacked() -> None:
    """MAM-MNT-01, MAM-MNT-02, MAM-WND-08."""
    out = Adjust("a stone", condition={"dov": "incapacitated"})
    fight = mounted(out)
    assert fight.state.combatants["dov"].status.mount == "horse"
    fight.when(RestrainMount("dov", die=20)).raises("incapacitated")
    fight.after(Attack("cal", "horse", "body", power=1))
    fell = fight.when(Resolve(fight.ruling, 6, 1)).one(RiderDismounted)
    assert (fell.why, fell.position) == ("Dov cannot roll riding", "on_ground")


def test_a_rider_falls_off_a_dead_animal() -> None:
    """MAM-MNT-01."""
    fight = mounted()
    dead = fight.when(Adjust("it dies", condition={"horse": "dead"}))
    assert dead.one(RiderDismounted) == RiderDismounted("dov", "horse", "Horse is dead")
    fight.after(Adjust("it dies", condition={"horse": "dead"})).when(RestrainMount("dov", die=20)).raises("not_mounted")


def test_an_attacked_animal_must_be_restrained_or_the_turn_needs_a_reason() -> None:
    """MAM-MNT-02: in every round in which its attacker is visible."""
    fight = mounted(Attack("cal", "horse", "body", power=1))
    fight.after(Resolve(fight.ruling, 6, 1), StayMounted("dov", die=20), EndTurn("cal"), BeginTurn("horse"))
    fight.when(EndTurn("horse")).raises("roll_owed", "MAM-MNT-02")
    assert fight.when(EndTurn("horse", reason="Cal is behind the wall")).error is None
    held_fight = fight.after(RestrainMount("dov", die=1))
    held_fight.when(EndTurn("horse")).raises("has_its_way", "MAM-MNT-02")
    held_fight.after(Attack("horse", "cal", "body", power=1))
    held_fight.after(Resolve(held_fight.ruling, 1, 6), StayMounted("dov", die=20))
    assert held_fight.when(EndTurn("horse")).error is None
    pillion = replace(RIDER, combatant="eve", name="Eve")
    both_fight = given(
        HORSE, RIDER, pillion, replace(CAL, size=4), *begin("cal", Attack("cal", "horse", "body", power=1))
    )
    both_fight.after(
        Resolve(both_fight.ruling, 6, 1), StayMounted("dov", die=20), StayMounted("eve", die=20), EndTurn("cal")
    )
    assert (
        "unless Dov holds it"
        in both_fight.after(BeginTurn("horse")).when(EndTurn("horse")).raises("roll_owed").sentence
    )


def test_a_vehicle_without_a_driver_can_do_nothing() -> None:
    """MAM-VEH-01."""
    fight = given(Join("car", hp=9, training="vehicle"), BEN, *begin("car"))
    for order in (Move("car", 1), Evade("car"), Rest("car"), Drop("car")):
        fight.when(order).raises("no_driver", "MAM-VEH-01")


CAR = Join("car", name="Car", hp=20, training="vehicle", movement=Decimal(30), ability={"agility": 2})
DAN = Join("dan", name="Dan", hp=3, mount="car", ability={"driving": 5})


def test_a_ram_has_the_penalties_of_its_driver() -> None:
    """MAM-VEH-02, MAM-MNP-05."""
    foe = replace(CAL, hp=22, size=3)
    fight = given(CAR, DAN, foe, Initiative(circumstance="cal"), BeginTurn("cal"), preset="mam_speed")
    fight.after(Manipulate("cal", "dan", "body", follow_up="hold"), Resolve(7, 15), EndTurn("cal"), BeginTurn("car"))
    fight.after(EndTurn("car"), BeginTurn("dan"), Ram("dan", "car", "cal"))
    roll = fight.when(Resolve(fight.ruling, 9)).one(AttackRolled)
    assert (roll.combatant, roll.total) == ("dan", 9 + 2 - 3)


def test_a_driver_felled_by_a_counterattack_does_not_ram() -> None:
    """MAM-CTR-02, MAM-WND-08, MAM-VEH-02."""
    foe = replace(CAL, hp=22, body=Body(power=5, attack=3))
    fight = given(CAR, DAN, foe, Initiative(circumstance="cal"), BeginTurn("cal"), preset="mam_speed")
    fight.after(
        PrepareCounterattack("cal"), BeginTurn("car"), EndTurn("car"), BeginTurn("dan"), Ram("dan", "car", "cal")
    )
    rammed = fight.ruling
    fight.after(Attack("cal", "dan", "body"), Resolve(rammed + 1, 15))
    assert fight.state.combatants["dan"].condition == "incapacitated"
    result = fight.when(EndTurn("cal"))
    assert result.one(AttackResolved).why == "Dan is incapacitated and cannot act until they recover."
    assert result.state.exchange is None
    changed_fight = given(
        CAR, replace(DAN, hp=9), foe, Initiative(circumstance="cal"), BeginTurn("cal"), preset="mam_speed"
    )
    changed_fight.after(PrepareCounterattack("cal"), BeginTurn("car"), EndTurn("car"), BeginTurn("dan"))
    changed_fight.after(Ram("dan", "car", "cal"), EndTurn("cal"))
    assert changed_fight.when(ChangeAction("dan", changed_fight.ruling - 1)).error is None


def test_an_animal_that_interferes_with_an_action_needs_a_riding_roll() -> None:
    """MAM-MNT-01: every time the animal attacks."""
    fight = mounted(Act("cal", "the machine", points=2))
    number = fight.ruling
    fight.after(Interfere("horse", number, number, weapon="body", power=1))
    result = fight.when(Resolve(number, 1, interference_die={str(fight.ruling): 6}))
    assert result.one(MountedRollOwed).riders == ("dov",)


HELD_RIDER = (
    Manipulate("cal", "dov", "body", points=2, follow_up="hold"),
    Resolve(7, 6, 1),
    TakePosition("cal", "dominant_standing", "dov"),
)
FALLS: dict[str, tuple[Command, ...]] = {
    "whose riding roll fails": (
        Attack("cal", "horse", "body", modifier=1),
        Resolve(10, 6, 1),
        StayMounted("dov", die=1),
    ),
    "who is out of its senses": (
        Adjust("a stone", condition={"dov": "incapacitated"}),
        Attack("cal", "horse", "body", modifier=1),
        Resolve(11, 6, 1),
    ),
}


@pytest.mark.parametrize("falls", FALLS)
def test_a_rider_who_falls_leaves_other_positions(falls: str) -> None:
    """MAM-POS-01: the hold continues, but not the position."""
    fight = mounted(*HELD_RIDER)
    assert fight.state.combatants["dov"].status.grappling == "cal"
    fight.after(*FALLS[falls])
    rider, holder = fight.state.combatants["dov"], fight.state.combatants["cal"]
    assert (rider.status.mount, rider.status.position, rider.status.grappling) == ("", "on_ground", "")
    assert (holder.status.position, holder.status.dominant_over) == ("standing", "")
    assert holder.grapples


def test_a_combatant_put_on_a_mount_stops_grappling() -> None:
    """MAM-POS-01."""
    fight = mounted(*HELD_RIDER).after(Adjust("up again", riding={"dov": "horse"}))
    assert (fight.state.combatants["dov"].status.position, fight.state.combatants["dov"].status.grappling) == (
        "standing",
        "",
    )


def test_a_rider_who_falls_stops_aiming() -> None:
    """MAM-POS-02: aiming is a position."""
    bow = Weapon("bow", name="Bow", kind="bow", range=Decimal(60))
    rider = replace(RIDER, weapon=(bow,))
    fight = given(HORSE, rider, replace(CAL, size=4), *begin("dov", Aim("dov", "bow"), EndTurn("dov")))
    fight.after(*pass_turns("cal"), BeginTurn("horse"), Attack("horse", "cal", "body", modifier=1))
    fight.after(Resolve(fight.ruling, 6, 1))
    fallen = fight.when(StayMounted("dov", die=1))["dov"].status
    assert (fallen.position, fallen.aiming) == ("on_ground", "")

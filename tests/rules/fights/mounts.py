"""Fights for the options of charges, mounts and vehicles."""

from __future__ import annotations

from decimal import Decimal

from msgspec.structs import replace

from mam_events.commands import (
    Attack,
    BeginTurn,
    Body,
    Command,
    EndTurn,
    Initiative,
    Join,
    Move,
    Ram,
    Resolve,
    RestrainMount,
    StayMounted,
)
from mam_events.state import Weapon
from tests.rules.fights import Fight

LANCE = Weapon("lance", name="Lance", power=3, attack=2, reach=Decimal(3))
HORSE = Join("horse", name="Horse", side="heroes", seat=0, hp=12, stride=Decimal(4), training="trained")
ANA = Join(
    "ana",
    name="Ana",
    side="heroes",
    hp=8,
    weapon=(LANCE,),
    ability={"riding": 2, "animal_handling": 1},
    mount="horse",
)
GRUM = Join("grum", name="Grum", side="foes", seat=1, hp=10, body=Body(attack=1, power=3, reach=Decimal(1)))
CAR = Join(
    "car",
    name="Car",
    side="heroes",
    seat=0,
    hp=40,
    stride=Decimal(4),
    body=Body(power=5, sharpness=-20),
    ability={"agility": 3},
    training="vehicle",
)
BEN = Join("ben", name="Ben", side="heroes", hp=8, ability={"driving": 5}, mount="car")
TRUCK = replace(CAR, combatant="truck", name="Truck", side="foes", seat=1, hp=60, ability={"agility": 1})
CID = replace(BEN, combatant="cid", name="Cid", side="foes", ability={"driving": 2}, mount="truck")

RIDDEN: tuple[Command, ...] = (HORSE, ANA, GRUM, Initiative(first="grum", reason="an ambush"), BeginTurn("grum"))
"""Rulings 2 to 6: Ana sits on the horse, and it is Grum's turn."""
STRUCK: tuple[Command, ...] = (*RIDDEN, Attack("grum", "horse", power=1), Resolve(7, attack_die=1, defense_die=6))
"""Rulings 2 to 8: he strikes at the horse, and Ana owes a riding roll."""


STAY = StayMounted("ana", die=9)
"""Just enough for a full success."""


def her_turn(*first: Command, horse: Join = HORSE, ana: Join = ANA) -> tuple[Command, ...]:
    """Return the turn of the horse with those commands, and the start of Ana's turn."""
    order = Initiative(first="horse", reason="it comes at a gallop")
    return (horse, ana, GRUM, order, BeginTurn("horse"), *first, EndTurn("horse"), BeginTurn("ana"))


def driving(*, car: int = 0, truck: int = 0) -> tuple[Command, ...]:
    """Drive the truck and then the car straight ahead, that many points of 4 m each, and begin Ben's turn in the car.

    Those are rulings 2 to 15, and one less for each vehicle that does not move.
    """

    def turn(name: str, points: int = 0) -> tuple[Command, ...]:
        moves = (Move(name, points, straight=True),) if points else ()
        return (BeginTurn(name), *moves, EndTurn(name))

    order = Initiative(first="truck", reason="it was there first")
    return (
        *(CAR, BEN, TRUCK, CID),
        order,
        *turn("truck", truck),
        *turn("cid"),
        *turn("car", car),
        BeginTurn("ben"),
    )


def crash(collision: str, *, car: int = 5, truck: int = 3, dice: int = 6) -> tuple[Command, ...]:
    """Ram the truck with the car after both have moved; the exchange is ruling 16.

    It is an earlier ruling if one of them does not move.
    """
    before = driving(car=car, truck=truck)
    ram = Ram("ben", "car", "truck", collision=collision)  # type: ignore[arg-type]  # one of the four
    return (*before, ram, Resolve(len(before) + 2, attack_die=dice, defense_die=1))


CRASH = crash("head_on")
FOLLOWED = crash("rear_end")
RUN: tuple[Command, ...] = (
    replace(GRUM, stride=Decimal("2.5")),
    replace(ANA, mount=""),
    Initiative(first="grum", reason="he saw her first"),
    BeginTurn("grum"),
    Move("grum", 3, straight=True),
)
"""Rulings 2 to 6: Grum runs 7.5 m at Ana, which adds 2 or 2.5 to the power; doubled with the rest, 12 or 13."""
LUNGE = Attack("grum", "ana", power=1)
DOUBLE = {"double_power_scope": "total_power"}
SPEAR = Weapon("spear", kind="thrown", power=2, range=Decimal(10))
SPEARED: tuple[Command, ...] = (
    replace(GRUM, stride=Decimal("2.5"), weapon=(SPEAR,), power=5, hand_reach=Decimal(1), ability={"throwing": 3}),
    *RUN[1:],
)
HURL = Attack("grum", "ana", "spear", power=1, thrown="quick", distance=Decimal(3))
"""Rulings 2 to 7: Grum runs 7.5 m, and throws."""

FIGHTS: dict[tuple[str, str], Fight] = {
    ("dismount_effect", "gm"): Fight((*STRUCK, StayMounted("ana", die=8))),
    ("restraint_failure", "attack_until_success"): Fight(
        (*STRUCK, StayMounted("ana", die=20), RestrainMount("ana", die=1))
    ),
    ("collision_bonus", "combined_distance"): Fight(CRASH),
    ("rear_end_threshold", "difference_of_charges"): Fight(FOLLOWED),
    ("ram_back_critical", "yes"): Fight(CRASH, {"critical_hit": "on"}),
    ("charge_scope", "every_attack"): Fight((*RUN, LUNGE, Resolve(7, 1, 6), LUNGE)),
    ("charge_of_missiles", "hand_to_hand_only"): Fight((*SPEARED, HURL, Resolve(7, 6, 1))),
    ("charge_rounding", "exact"): Fight(
        (*RUN, Attack("grum", "ana", power=1, double_power=True), Resolve(7, attack_die=6, defense_die=1)), DOUBLE
    ),
}

"""Vehicles, ramming and collisions."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from msgspec.structs import replace

from mam_events.commands import (
    Adjust,
    Attack,
    BeginTurn,
    Body,
    ChangeAction,
    Command,
    Counterattack,
    Defend,
    Dismount,
    EndTurn,
    Initiative,
    Manipulate,
    Mount,
    Move,
    PrepareCounterattack,
    Ram,
    Resolve,
    RestrainMount,
)
from mam_events.decider.decide import legal_commands
from mam_events.decider.offers import Template
from mam_events.events import (
    ArmorChecked,
    AttackRolled,
    CollisionComputed,
    CombatantJoined,
    CounterattackTriggered,
    HitPointsSpent,
    Modifier,
    MountedRollOwed,
    RamDeclared,
    RamResolved,
    WoundInflicted,
)
from mam_events.rules.exchanges.collisions import collision_bonus
from mam_events.state import ArmorPiece, Pools
from tests.rules.fights.mounts import ANA, BEN, CAR, CID, CRASH, FOLLOWED, GRUM, HORSE, TRUCK, crash, driving
from tests.spec import CommandResult, GivenFight, admits, given

RAM = Ram("ben", "car", "truck")
NO_CRITICAL = {"critical_hit": "on"}
CRITICAL = {"critical_hit": "on", "ram_back_critical": "yes"}


def judge_last(fight: tuple[Command, ...], rules: dict[str, str] | None = None) -> CommandResult:
    """Return the judgment of the last order of that fight."""
    return given(*fight[:-1], rules=rules).when(fight[-1])


def test_a_vehicle_cannot_attack_and_never_runs() -> None:
    """MAM-VEH-01."""
    fight = given(*driving(car=1)[:-2])
    fight.when(Attack("car", "truck", power=1)).raises("will_not_fight", "MAM-VEH-01")
    fight.when(Manipulate("car", "truck", points=1, follow_up="hold")).raises("will_not_fight", "MAM-VEH-01")
    offers = [offer for offer in legal_commands(fight.state, fight.ruleset) if isinstance(offer, Template)]
    assert not [offer for offer in offers if offer.combatant == "car" and offer.do in ("attack", "manipulate")]
    fight.when(RestrainMount("ben", die=20)).raises("nothing_to_restrain", "MAM-VEH-01")
    attacked = given(*driving(), Attack("ben", "truck", power=2))
    attacked.when(Counterattack("truck", 14, power=1)).raises("will_not_fight")
    assert attacked.when(Resolve(14, attack_die=6, defense_die=1)).all(MountedRollOwed) == []


def test_a_vehicle_needs_a_driver_to_move() -> None:
    """MAM-VEH-01."""
    alone = (CAR, replace(BEN, mount=""), Initiative(first="car", reason="it rolls"), BeginTurn("car"))
    given(*alone).when(Move("car", 1)).raises("no_driver", "MAM-VEH-01")
    down = given(CAR, BEN, *alone[2:], Adjust("he faints", condition={"ben": "incapacitated"}))
    down.when(Move("car", 1)).raises("no_driver")
    assert given(CAR, BEN, *alone[2:]).when(Move("car", 1)).error is None


@pytest.mark.parametrize(("driving_ability", "agility", "modifier"), [(5, 3, 3), (2, 3, 2), (-1, 2, -1)])
def test_a_ram_uses_the_smaller_of_driving_and_agility(driving_ability: int, agility: int, modifier: int) -> None:
    """MAM-VEH-02."""
    car, ben = replace(CAR, ability={"agility": agility}), replace(BEN, ability={"driving": driving_ability})
    result = given(car, ben, *CRASH[2:-1]).when(CRASH[-1])
    assert result.one(RamResolved).modifier == modifier
    roll = result.one(AttackRolled)
    assert roll.modifiers[:2] == (
        Modifier("ramming", modifier, "MAM-VEH-02"),
        Modifier("points on the attack", 1, "MAM-ATK-01"),
    )
    assert roll.total == 6 + modifier + 1


def test_a_ram_is_declared_in_the_drivers_turn_and_costs_points() -> None:
    """MAM-VEH-02, MAM-ATK-01."""
    fight = given(*driving(car=5, truck=3))
    result = fight.when(replace(RAM, modifier=2, collision="broadside", part="prow"))
    event = result.one(RamDeclared)
    assert (event.vehicle, event.target, event.points) == ("car", "truck", 2)
    assert (event.collision.driver, event.collision.part) == ("ben", "prow")
    assert (event.collision.vehicle_distance, event.collision.target_distance) == (20, 12)
    assert result.one(HitPointsSpent).combatant == "ben"
    assert result["ben"].pools == Pools(ready=6, defense=2)
    fight.when(replace(RAM, modifier=9)).raises("not_enough_ready")
    fight.when(replace(RAM, modifier=0)).raises("below_required_amount")


def test_a_ram_needs_a_driver_and_another_target() -> None:
    """MAM-VEH-02."""
    fight = given(*driving(), replace(HORSE, seat=5))
    fight.when(Ram("ben", "truck", "car")).raises("not_the_driver")
    fight.when(Ram("ben", "horse", "car")).raises("not_a_vehicle")
    fight.when(Ram("ben", "car", "car")).raises("bad_target")
    fight.when(Ram("ben", "car", "ben")).raises("bad_target")
    fight.when(Ram("cid", "truck", "car")).raises("out_of_turn")
    fight.when(Ram("ben", "cart", "car")).raises("unknown_combatant")
    given(*driving(), Dismount("ben")).when(RAM).raises("not_the_driver")
    given(*driving(), Adjust("on fire", condition={"car": "incapacitated"})).when(RAM).raises("incapacitated")


def test_only_legal_rams_are_offered() -> None:
    """MAM-VEH-02."""
    fight = given(*driving())
    offers = [o for o in legal_commands(fight.state, fight.ruleset) if isinstance(o, Template) and o.do == "ram"]
    assert any(admits(offer, replace(RAM, modifier=3, collision="sideswipe", part="bumper")) for offer in offers)
    assert not any(admits(offer, Ram("ben", "car", "ben")) for offer in offers)


def test_a_hit_by_a_ram_always_rams_back() -> None:
    """MAM-VEH-03: power 5 and 22 on each side, without a roll to ram back."""
    result = judge_last(CRASH)
    rammed, collision = result.one(RamResolved), result.one(CollisionComputed)
    assert (rammed.outcome, rammed.power, rammed.kind) == ("full", 27, "head_on")
    assert (collision.part, collision.power, collision.bonus_vehicle, collision.bonus_target) == ("front", 27, 22, 22)
    assert collision.modifiers == (Modifier("collision", 22, "MAM-VEH-04"),)
    assert [(wound.combatant, wound.stun + wound.damage) for wound in result.all(WoundInflicted)] == [
        ("truck", 27),
        ("car", 27),
    ]
    assert result.state.exchange is None


def test_a_missed_ram_hurts_nobody() -> None:
    """MAM-VEH-03."""
    before = CRASH[:-1]
    result = given(*before, Defend("truck", 16, points=20)).when(Resolve(16, attack_die=1, defense_die=6))
    assert result.one(RamResolved).outcome == "fail"
    assert result.all(CollisionComputed) == result.all(WoundInflicted) == []


def test_half_a_ram_rams_back_in_full() -> None:
    """MAM-VEH-03, MAM-ROLL-05: the tie halves the ram and not the ram back."""
    fight = given(*CRASH[:-1], Defend("truck", 16, points=1))
    result = fight.when(Resolve(16, attack_die=1, defense_die=1))
    assert result.one(RamResolved).outcome == "half"
    assert [wound.stun + wound.damage for wound in result.all(WoundInflicted)] == [14, 27]


@pytest.mark.parametrize(("rules", "power"), [(None, 27), (NO_CRITICAL, 27), (CRITICAL, 32)])
def test_an_option_decides_if_the_ram_back_is_a_critical_hit(rules: dict[str, str], power: int) -> None:
    """MAM-VEH-03, MAM-ATK-11, option `ram_back_critical`."""
    result = judge_last(CRASH, rules)
    assert (result.one(RamResolved).power, result.one(CollisionComputed).power) == (27, power)


def test_a_combatant_on_foot_rams_back_with_the_body() -> None:
    """MAM-VEH-03."""
    fight = (CAR, BEN, GRUM, Initiative(first="car", reason="it starts"), BeginTurn("car"))
    drives = (Move("car", 3, straight=True), EndTurn("car"), BeginTurn("ben"), Ram("ben", "car", "grum"))
    result = given(*fight, *drives).when(Resolve(10, attack_die=6, defense_die=1))
    assert result.one(RamResolved).power == 5 + 7
    assert result.one(CollisionComputed).power == 3 + 7


@pytest.mark.parametrize(
    ("kind", "distances", "rules", "bonus"),
    [
        ("head_on", (20, 12), {}, 22),
        ("broadside", (20, 0), {}, 15),
        ("head_on", (4, 4), {}, 0),
        ("head_on", (20, 12), {"collision_bonus": "combined_distance"}, 27),
        ("head_on", (4, 4), {"collision_bonus": "combined_distance"}, 3),
        ("broadside", (2, 1), {"collision_bonus": "combined_distance"}, 0),
        ("rear_end", (20, 12), {}, 3),
        ("sideswipe", (12, 20), {}, 3),
        ("rear_end", (15, 12), {}, 0),
        ("rear_end", (20, 12), {"rear_end_threshold": "difference_of_charges"}, 8),
        ("sideswipe", (8, 3), {"rear_end_threshold": "difference_of_charges"}, 3),
        ("head_on", ("7.5", "5.5"), {"charge_rounding": "exact"}, 3),
        ("head_on", ("7.5", "5.5"), {}, 2),
    ],
)
def test_speed_adds_power_to_a_collision(
    kind: str, distances: tuple[object, object], rules: dict[str, str], bonus: int
) -> None:
    """MAM-VEH-04, MAM-VEH-05, options `collision_bonus` and `rear_end_threshold`."""
    vehicle, target = (Decimal(str(metres)) for metres in distances)
    collision = collision_bonus(kind, vehicle, target, given(rules=rules).ruleset)  # type: ignore[arg-type]  # one of four
    assert collision == (Fraction(bonus), Fraction(bonus))


def test_in_the_same_direction_only_the_difference_of_speeds_counts() -> None:
    """MAM-VEH-05: 20 m in pursuit of 12 m."""
    collision = judge_last(FOLLOWED).one(CollisionComputed)
    assert (collision.bonus_vehicle, collision.power, collision.modifiers) == (
        3,
        8,
        (Modifier("collision", 3, "MAM-VEH-05"),),
    )
    assert judge_last(crash("sideswipe")).one(CollisionComputed).power == 8


def test_a_rider_counts_as_fast_as_the_mount() -> None:
    """MAM-VEH-04: a rider who is rammed counts with the distance of the horse."""
    horse = replace(HORSE, seat=1)
    order = Initiative(first="horse", reason="it bolts")
    ride = (BeginTurn("horse"), Move("horse", 2, straight=True), EndTurn("horse"), BeginTurn("ana"), EndTurn("ana"))
    drive = (BeginTurn("car"), EndTurn("car"), BeginTurn("ben"))
    event = given(CAR, BEN, horse, ANA, order, *ride, *drive).when(Ram("ben", "car", "ana")).one(RamDeclared)
    assert event.collision.target_distance == 8
    assert event.collision.vehicle_distance == 0


def test_a_rammed_animal_may_throw_its_rider() -> None:
    """MAM-VEH-03, MAM-MNT-01."""
    horse = replace(HORSE, seat=1)
    fight = (CAR, BEN, horse, ANA, Initiative(first="car", reason="it starts"), BeginTurn("car"), EndTurn("car"))
    result = given(*fight, BeginTurn("ben"), Ram("ben", "car", "horse")).when(Resolve(10, attack_die=6, defense_die=1))
    assert result.one(MountedRollOwed).riders == ("ana",)


PLATE = ArmorPiece("plate", name="Plate", cover=20, absorption=4)


@pytest.mark.parametrize("source", ["defense_die", "attack_die", "separate_die"])
def test_armor_counts_against_the_ram_and_the_ram_back(source: str) -> None:
    """MAM-VEH-03, MAM-ARM-02: the ram back has no die, so the rammer's armor uses the rammer's die or its own."""
    rules = {"armour_roll_source": source}
    fight = given(*CRASH[:-1], rules=rules)
    car = fight.state.combatants["car"]
    plated = replace(car, statistics=replace(car.statistics, armor=(PLATE,)))
    fight.after(CombatantJoined(plated, fight.state.order))
    dice = {"car": 4} if source != "defense_die" else {}
    result = fight.when(Resolve(16, attack_die=6, defense_die=1, armor_die=dice))
    checked = result.one(ArmorChecked)
    assert (checked.combatant, checked.face) == ("car", 4 if dice else 6)
    assert result.one(CollisionComputed).absorbed == 4
    if not dice:
        fight.when(Resolve(16, attack_die=6, defense_die=1, armor_die={"car": 4})).raises("idle_die")


def test_in_speed_rules_a_ram_is_an_action() -> None:
    """MAM-VEH-02, MAM-TURN-07: against a fixed 10."""
    fight = given(*(driving()), preset="mam_speed")
    fight.when(replace(RAM, modifier=1)).raises("points_not_spent")
    result = fight.after(RAM).when(Resolve(14, attack_die=8))
    assert (result.one(RamResolved).outcome, result.one(RamResolved).why) == ("full", "11 against 10")
    fight.when(EndTurn("ben")).raises("exchange_open")


def test_a_target_with_a_prepared_counterattack_acts_before_the_ram() -> None:
    """MAM-VEH-02, MAM-CTR-02."""
    order = Initiative(first="grum", reason="he waits")
    waits = (BeginTurn("grum"), PrepareCounterattack("grum"), BeginTurn("car"), EndTurn("car"), BeginTurn("ben"))
    fight = given(replace(GRUM, seat=0), replace(CAR, seat=1), BEN, order, *waits, preset="mam_speed")
    assert fight.when(Ram("ben", "car", "grum")).one(CounterattackTriggered).combatant == "grum"


def ram_at_prepared(*meanwhile: Command, kind: str = "head_on") -> GivenFight:
    """Drive the car 12 m and at Grum (ruling 10), who is prepared; then give the orders and end Grum's turn."""
    order = Initiative(first="grum", reason="he waits")
    grum = replace(GRUM, seat=0, movement=Decimal(8))
    waits = (BeginTurn("grum"), PrepareCounterattack("grum"), BeginTurn("car"))
    drives = (Move("car", metres=Decimal(12), straight=True), EndTurn("car"), BeginTurn("ben"))
    ram = Ram("ben", "car", "grum", collision=kind)  # type: ignore[arg-type]  # one of the four
    opening = (grum, replace(CAR, seat=1), BEN, order)
    return given(*opening, *waits, *drives, ram, *meanwhile, EndTurn("grum"), preset="mam_speed")


@pytest.mark.parametrize(("kind", "bonus"), [("head_on", 7 + 3), ("rear_end", 0)])
def test_a_ram_uses_the_targets_speed_after_its_counterattack(kind: str, bonus: int) -> None:
    """MAM-VEH-04, MAM-VEH-05, MAM-CTR-03: as if it were declared after the counterattack."""
    fight = ram_at_prepared(Move("grum", metres=Decimal(8), straight=True), kind=kind)
    met = fight.when(Resolve(12, attack_die=20)).one(CollisionComputed)
    assert (met.bonus_vehicle, met.bonus_target) == (bonus, bonus)


def test_a_ram_at_a_target_who_boarded_the_vehicle_must_be_changed() -> None:
    """MAM-VEH-02, MAM-CTR-03."""
    fight = ram_at_prepared(Mount("grum", "car"))
    fight.when(Resolve(12, attack_die=20)).raises("must_change", "MAM-CTR-03")
    fight.when(ChangeAction("ben", 12)).all()


def test_a_ram_fails_if_a_counterattack_felled_the_driver() -> None:
    """MAM-CTR-03, MAM-VEH-02: nobody is left to change it, so it must not stay open."""
    fight = ram_at_prepared().after(Adjust("a stray arrow", condition={"ben": "incapacitated"}))
    fight.when(ChangeAction("ben", 12)).raises("incapacitated")
    result = fight.when(Resolve(12))
    event = result.one(RamResolved)
    assert (event.outcome, event.vehicle, event.driver, event.target) == ("fail", "car", "ben", "grum")
    assert result.state.exchange is None


def test_a_vehicle_rams_with_the_power_and_sharpness_of_its_body() -> None:
    """MAM-VEH-03, MAM-WND-03: a blunt body stuns first."""
    blunt = replace(CAR, body=Body(power=7, sharpness=-4))
    result = given(blunt, *CRASH[1:-1]).when(CRASH[-1])
    wound = result.all(WoundInflicted)[0]
    assert (result.one(RamResolved).power, wound.stun, wound.damage) == (29, 4, 25)


def test_a_driver_joins_in_the_seat_of_the_vehicle() -> None:
    """MAM-VEH-01."""
    state = given(TRUCK, CID).state
    assert (state.combatants["cid"].status.mount, state.combatants["cid"].seat) == ("truck", 1)


@pytest.mark.parametrize(("kind", "again"), [("head_on", 7), ("rear_end", 0)])
def test_the_first_ram_uses_up_the_run(kind: str, again: int) -> None:
    """MAM-VEH-04, MAM-VEH-05, MAM-ATK-07 (`charge_scope`): the rest of the truck's run still counts."""
    fight = given(*crash(kind))  # the car has gone 20 m, the truck 12
    ram = Ram("ben", "car", "truck", collision=kind, modifier=1)  # type: ignore[arg-type]  # one of the four
    fight.after(ram)
    assert fight.when(Resolve(fight.ruling, 6, 1)).one(CollisionComputed).bonus_vehicle == again
    every_fight = given(*crash(kind), ram, rules={"charge_scope": "every_attack"})
    first = given(*crash(kind)[:-1]).when(crash(kind)[-1]).one(CollisionComputed)
    assert (
        every_fight.when(Resolve(every_fight.ruling, 6, 1)).one(CollisionComputed).bonus_vehicle == first.bonus_vehicle
    )


def test_a_ram_without_a_target_does_not_use_up_the_run() -> None:
    """MAM-VEH-04, MAM-ATK-07: nobody was rammed."""
    fight = given(*crash("head_on")[:-1], GRUM)
    missed = (Adjust("carried off", condition={"truck": "out"}), Resolve(fight.ruling - 1))
    ram = replace(crash("head_on")[-2], target="grum")
    assert fight.after(*missed).when(ram).one(RamDeclared).collision.vehicle_distance == 20

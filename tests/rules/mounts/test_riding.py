"""Mounted combat: charges, riding rolls, mounting."""

from __future__ import annotations

from decimal import Decimal

import pytest
from msgspec.structs import replace

from mam_events.commands import (
    Act,
    Adjust,
    Attack,
    BeginTurn,
    Command,
    Counterattack,
    DeclaredOutcome,
    Dismount,
    EndTurn,
    Initiative,
    Interfere,
    Mount,
    Move,
    Ready,
    Resolve,
    RestrainMount,
    SkipTurn,
    StayMounted,
)
from mam_events.decider.decide import legal_commands
from mam_events.decider.offers import Template
from mam_events.events import (
    AttackDeclared,
    AttackResolved,
    ChargeRidden,
    MountedRollOwed,
    RiderDismounted,
    RiderMounted,
    RidingDeclared,
    RidingResolved,
)
from mam_events.state import Item, Pools
from tests.rules.fights.mounts import ANA, CAR, GRUM, HORSE, HURL, LUNGE, RIDDEN, RUN, SPEARED, STAY, STRUCK, her_turn
from tests.spec import GivenFight, admits, given

GALLOP = Move("horse", 3, straight=True)
CHARGE = Attack("ana", "grum", "lance", power=1, modifier=1)


def is_legal(fight: GivenFight, command: Command) -> bool:
    """Return True if the order fits one of the offered templates."""
    offers = legal_commands(fight.state, fight.ruleset)
    return any(isinstance(offer, Template) and admits(offer, command) for offer in offers)


@pytest.mark.parametrize(("metres", "straight", "power"), [(5, True, 4), (6, True, 5), (8, True, 7), (8, False, 4)])
def test_a_straight_run_of_more_than_five_metres_adds_power(metres: int, straight: object, power: int) -> None:
    """MAM-ATK-07."""
    steps = (*RUN[:-1], Move("grum", 3, metres=Decimal(metres), straight=bool(straight)))
    runner = (replace(GRUM, stride=Decimal(3)), *steps[1:], Attack("grum", "ana", power=1))
    assert given(*runner).when(Resolve(7, attack_die=6, defense_die=1)).one(AttackResolved).power == power


def test_an_option_rounds_the_charge_down_or_keeps_it_exact() -> None:
    """MAM-ATK-07: 2.5 m beyond five add 2, or with double power 5 if counted exactly."""
    blow = Attack("grum", "ana", power=1, double_power=True)
    for reading, power in (("floor", 12), ("exact", 13)):
        rules = {"double_power_scope": "total_power", "charge_rounding": reading}
        result = given(*RUN, blow, rules=rules).when(Resolve(7, attack_die=6, defense_die=1))
        assert result.one(AttackResolved).power == power


def test_an_option_gives_the_charge_to_the_first_or_every_attack() -> None:
    """MAM-ATK-07, option `charge_scope`: "before attacking", and the attack; a new run counts for the next one."""
    miss = Resolve(7, attack_die=1, defense_die=6)
    for reading, second, third in (("first_attack", "0", "7.5"), ("every_attack", "7.5", "15")):
        fight = given(*RUN, rules={"charge_scope": reading})
        assert fight.when(LUNGE).one(AttackDeclared).terms.charge == Decimal("7.5")
        fight.after(LUNGE, miss)
        assert fight.when(LUNGE).one(AttackDeclared).terms.charge == Decimal(second)
        fight.after(Move("grum", 3, straight=True))
        assert fight.when(LUNGE).one(AttackDeclared).terms.charge == Decimal(third)


def test_an_option_decides_if_a_throw_after_a_run_is_a_charge() -> None:
    """MAM-ATK-07, option `charge_of_missiles`: "before attacking", and a throw or shot is an attack."""
    for reading, charge, power in (("counts", "7.5", 5), ("hand_to_hand_only", "0", 3)):
        fight = given(*SPEARED, rules={"charge_of_missiles": reading})
        assert fight.when(HURL).one(AttackDeclared).terms.charge == Decimal(charge)
        assert fight.after(HURL).when(Resolve(7, 6, 1)).one(AttackResolved).power == power


def test_a_declared_outcome_uses_up_the_run() -> None:
    """MAM-ATK-07."""
    fight = given(*RUN, LUNGE, Adjust("he stumbles", outcome=DeclaredOutcome(7, "fail")))
    assert fight.when(LUNGE).one(AttackDeclared).terms.charge == 0
    fight.after(Move("grum", 1), Move("grum", 3, straight=True))
    assert fight.when(LUNGE).one(AttackDeclared).terms.charge == Decimal("7.5")


def test_each_rider_charges_once_after_a_run() -> None:
    """MAM-MNT-04, MAM-ATK-07."""
    fight = given(*her_turn(GALLOP), CHARGE, Resolve(10, attack_die=1, defense_die=6))
    assert fight.when(CHARGE).one(AttackDeclared).terms.charge == 0
    grum = (BeginTurn("grum"), EndTurn("grum"))
    fight.after(EndTurn("ana"), *grum, BeginTurn("horse"), Ready("horse", 3), GALLOP, EndTurn("horse"))
    assert fight.after(BeginTurn("ana")).when(CHARGE).one(AttackDeclared).terms.charge == 12


def test_a_run_ends_with_the_next_turn_or_a_change_of_direction() -> None:
    """MAM-ATK-07."""
    bend = given(*RUN[:-1], Move("grum", 2, straight=True), Move("grum", 1), Move("grum", 2, straight=True))
    assert bend.when(Attack("grum", "ana", power=1)).one(AttackDeclared).terms.charge == 5
    fight = given(*RUN, EndTurn("grum"), BeginTurn("ana"), EndTurn("ana"), BeginTurn("grum"))
    assert fight.when(Attack("grum", "ana", power=1)).one(AttackDeclared).terms.charge == 0


def test_a_rider_charges_with_the_run_of_the_animal() -> None:
    """MAM-MNT-04, MAM-ATK-07: a run of 12 m in the horse's own turn before adds 7 power."""
    fight = given(*her_turn(GALLOP), CHARGE)
    result = fight.when(Resolve(10, attack_die=6, defense_die=1))
    assert result.one(AttackResolved).power == 3 + 1 + 7
    assert result.one(ChargeRidden) == ChargeRidden(10, "ana", "horse")


def test_after_a_charge_the_animal_cannot_attack_before_its_next_turn() -> None:
    """MAM-MNT-04."""
    fight = given(*her_turn(GALLOP), CHARGE, Resolve(10, attack_die=1, defense_die=6), EndTurn("ana"))
    fight = fight.after(BeginTurn("grum"), Attack("grum", "horse", power=1))
    fight.when(Counterattack("horse", 14, power=1)).raises("charge_taken", "MAM-MNT-04")
    fight.after(Resolve(14, 1, 6), STAY, EndTurn("grum"), BeginTurn("horse"))
    assert fight.when(Attack("horse", "grum", power=1)).error is None


def test_a_rider_cannot_charge_after_the_animal_attacked() -> None:
    """MAM-MNT-04."""
    bite = Attack("horse", "grum", power=1)
    fight = given(*her_turn(GALLOP, bite, Resolve(8, attack_die=1, defense_die=6), STAY))
    assert fight.when(CHARGE).one(AttackDeclared).terms.charge == 0


def test_a_run_before_mounting_does_not_count_as_a_charge() -> None:
    """MAM-MNT-04."""
    afoot = replace(ANA, mount="", seat=0)
    assert given(*her_turn(GALLOP, ana=afoot), Mount("ana", "horse")).when(CHARGE).one(AttackDeclared).terms.charge == 0


def test_a_ride_that_is_too_short_for_a_charge_is_not_recorded() -> None:
    """MAM-MNT-04."""
    fight = given(*her_turn(Move("horse", 1, straight=True)), CHARGE)
    assert fight.when(Resolve(10, attack_die=6, defense_die=1)).all(ChargeRidden) == []


@pytest.mark.parametrize("preset", ["mam_pools", "mam_speed"])
def test_a_rider_and_the_animal_share_a_seat_and_have_separate_turns(preset: str) -> None:
    """MAM-MNT-01: the turn of a mount is not printed; it has its own beside the rider's."""
    fight = given(HORSE, ANA, GRUM, Initiative(first="horse", reason="so it is"), preset=preset)
    assert fight.state.order == ("horse", "ana", "grum")
    assert fight.state.combatants["ana"].seat == fight.state.combatants["horse"].seat == 0


def test_mounting_and_dismounting_are_actions() -> None:
    """MAM-MNT-01."""
    fight = given(*her_turn(ana=replace(ANA, mount="", seat=0)))
    mounted = fight.when(Mount("ana", "horse"))
    assert mounted.one(RiderMounted) == RiderMounted("ana", "horse", 1)
    assert mounted["ana"].pools == Pools(ready=7, other_used=1)
    assert is_legal(fight, Mount("ana", "horse", 2))
    fight.after(Mount("ana", "horse"))
    fight.when(Mount("ana", "horse")).raises("already_mounted")
    assert is_legal(fight, Dismount("ana"))
    assert fight.when(Dismount("ana")).one(RiderDismounted) == RiderDismounted("ana", "horse")
    assert fight.after(Dismount("ana")).state.combatants["ana"].status.mount == ""
    fight.when(Dismount("ana")).raises("not_mounted")


def test_in_speed_rules_mounting_is_the_action_of_the_turn() -> None:
    """MAM-MNT-01, MAM-TURN-07."""
    on_foot = replace(ANA, mount="", seat=0)
    fight = given(*her_turn(ana=on_foot, horse=replace(HORSE, stride=Decimal(1))), preset="mam_speed")
    fight.when(Mount("ana", "horse", 1)).raises("points_not_spent")
    fight.after(Mount("ana", "horse")).when(Dismount("ana")).raises("one_action")


@pytest.mark.parametrize("name", ["grum", "ana", "nobody"])
def test_only_animals_and_vehicles_can_be_mounted(name: str) -> None:
    """MAM-MNT-01."""
    fight = given(*her_turn(ana=replace(ANA, mount="", seat=0)))
    fight.when(Mount("ana", name)).raises("unknown_combatant" if name == "nobody" else "not_a_mount")
    given(GRUM).when(replace(ANA, mount="grum")).raises("not_a_mount")


def test_the_dead_and_riders_cannot_be_mounted() -> None:
    """MAM-MNT-01."""
    on_foot = replace(ANA, mount="", seat=0)
    dead = given(*her_turn(ana=on_foot), Adjust("a stray arrow", condition={"horse": "dead"}))
    assert "dead" in dead.when(Mount("ana", "horse")).raises("not_a_mount").sentence
    fight = given(CAR, replace(HORSE, mount="car"))
    assert fight.when(replace(ANA, combatant="bo", name="Bo", mount="horse")).raises("not_a_mount")


def test_a_rider_cannot_move_on_foot() -> None:
    """MAM-MNT-01."""
    given(*her_turn()).when(Move("ana", 1)).raises("mounted")


def test_the_rider_of_an_attacked_animal_rolls_riding_against_10() -> None:
    """MAM-MNT-01: riding 2 and a 9 are more than 10; an 8 is not."""
    fight = given(*STRUCK)
    assert fight.state.combatants["ana"].status.saddle.riding == 1
    stays = fight.when(STAY).one(RidingResolved)
    assert (stays.effect, stays.rolls[0].total, stays.rolls[0].against, stays.owed) == ("stays", 11, 10, 0)
    result = fight.when(StayMounted("ana", die=8))
    assert (result.one(RidingResolved).effect, result["ana"].status.mount) == ("falls", "")
    assert result["ana"].status.position == "on_ground"
    assert result["ana"].pools == Pools(ready=8)
    assert result["ana"].status.saddle.riding == 0


def test_a_natural_20_keeps_a_rider_mounted() -> None:
    """MAM-MNT-01, MAM-ROLL-02."""
    clumsy = replace(ANA, ability={"riding": -30})
    fight = given(HORSE, clumsy, *STRUCK[2:])
    assert fight.when(StayMounted("ana", die=20)).one(RidingResolved).effect == "stays"


def test_half_a_success_does_not_keep_a_rider_mounted() -> None:
    """MAM-MNT-01, MAM-ROLL-04."""
    for scope, outcome in (("combat_rolls", "fail"), ("every_roll", "half")):
        fight = given(*STRUCK, rules={"half_success": "exact_tie", "half_success_scope": scope})
        event = fight.when(StayMounted("ana", die=8)).one(RidingResolved)
        assert (event.outcome, event.effect) == (outcome, "falls")


def test_an_option_leaves_a_failed_riding_roll_to_the_game_master() -> None:
    """MAM-MNT-01, option `dismount_effect`."""
    fight = given(*STRUCK, rules={"dismount_effect": "gm"}).after(StayMounted("ana", die=1))
    ana = fight.state.combatants["ana"]
    assert (ana.status.mount, ana.status.position, ana.status.saddle.riding) == ("horse", "standing", 0)
    result = fight.when(Adjust("she hangs on by one stirrup, then drops", riding={"ana": "-"}))
    result.then(RidingDeclared("ana", ""))
    assert result["ana"].status.mount == ""


def test_a_turn_cannot_end_before_the_riding_roll() -> None:
    """MAM-MNT-01."""
    fight = given(*STRUCK)
    fight.when(EndTurn("grum")).raises("roll_owed", "MAM-MNT-01")
    assert is_legal(fight, STAY)
    assert not is_legal(fight, EndTurn("grum"))
    assert fight.after(STAY).when(EndTurn("grum")).error is None


def test_a_rider_must_roll_before_anything_else_in_their_turn() -> None:
    """MAM-MNT-01."""
    bite = Attack("horse", "grum", power=1)
    fight = given(*her_turn()[:5], bite, Resolve(7, attack_die=1, defense_die=6))
    fight.when(bite).raises("roll_owed")
    fight.when(EndTurn("horse")).raises("roll_owed")
    assert fight.after(STAY).when(bite).error is None


def test_the_game_master_can_settle_a_riding_roll() -> None:
    """MAM-MNT-01."""
    fight = given(*STRUCK, Adjust("the horse hardly noticed", riding={"ana": "horse"}))
    assert fight.when(EndTurn("grum")).error is None
    fight.when(STAY).raises("no_roll_owed")
    fight.when(Adjust("x", riding={"ana": "ana"})).raises("bad_target")
    fight.when(Adjust("x", riding={"bob": "-"})).raises("unknown_combatant")


def test_every_attack_and_defense_needs_its_own_riding_roll() -> None:
    """MAM-MNT-01."""
    second_attack = (Attack("grum", "horse", power=1), Resolve(9, attack_die=1, defense_die=6))
    fight = given(*STRUCK, *second_attack)
    assert fight.after(STAY).state.combatants["ana"].status.saddle.riding == 1
    fight.when(EndTurn("grum")).raises("roll_owed")
    assert fight.after(STAY).when(EndTurn("grum")).error is None


def test_an_animal_that_counterattacks_needs_one_riding_roll() -> None:
    """MAM-MNT-01."""
    fight = given(*RIDDEN, Attack("grum", "horse", power=2), Counterattack("horse", 7, power=1))
    event = fight.when(Resolve(7, attack_die=1, defense_die=6)).one(MountedRollOwed)
    assert event == MountedRollOwed(7, "horse", ("ana",), "riding", attacked=True, defended=True, by=("grum",))


def test_an_animal_that_interferes_needs_a_riding_roll() -> None:
    """MAM-MNT-01."""
    fight = given(*RIDDEN, Act("grum", "digs"), Interfere("horse", 7, 7, weapon="body", power=1))
    event = fight.when(Resolve(7, 1, interference_die={"8": 6})).one(MountedRollOwed)
    assert event == MountedRollOwed(7, "horse", ("ana",), "riding", attacked=True, defended=False)


def test_every_rider_of_an_animal_rolls() -> None:
    """MAM-MNT-01."""
    bo = replace(ANA, combatant="bo", name="Bo")
    fight = given(HORSE, ANA, bo, *STRUCK[2:-1], Resolve(8, attack_die=1, defense_die=6))
    fight.after(STAY).when(EndTurn("grum")).raises("roll_owed")
    assert fight.after(StayMounted("bo", die=1)).when(EndTurn("grum")).error is None


def test_an_attack_on_the_rider_needs_no_riding_roll() -> None:
    """MAM-MNT-01."""
    fight = given(*RIDDEN, Attack("grum", "ana", power=1))
    assert fight.when(Resolve(7, attack_die=1, defense_die=6)).all(MountedRollOwed) == []
    fight.when(STAY).raises("no_roll_owed")


def test_impossible_faces_are_refused_before_a_roll() -> None:
    """MAM-MNT-01, MAM-MNT-02."""
    fight = given(*STRUCK)
    fight.when(StayMounted("ana", die=21)).raises("impossible_face")
    fight.when(RestrainMount("ana", kind="d6", die=7)).raises("impossible_face")
    fight.when(StayMounted("grum", die=5)).raises("not_mounted")


def test_circumstances_count_for_riding_rolls() -> None:
    """MAM-MNT-01, MAM-CIRC-01, MAM-CIRC-04."""
    rough = StayMounted("ana", circumstance=("hostile", "favourable"), die=10)
    roll = given(*STRUCK).when(rough).one(RidingResolved).rolls[0]
    assert (roll.total, roll.against) == (14, 14)


def test_in_speed_rules_a_riding_roll_comes_before_a_skipped_turn() -> None:
    """MAM-MNT-01, MAM-TURN-05."""
    fight = given(*RIDDEN, Attack("grum", "horse"), Resolve(7, attack_die=1), preset="mam_speed")
    fight.when(SkipTurn("grum")).raises("already_acted")
    fight.when(EndTurn("grum")).raises("roll_owed")
    assert fight.after(STAY).when(EndTurn("grum")).error is None


def test_the_equipment_of_an_animal_does_not_count_for_the_rider() -> None:
    """MAM-MNT-01, MAM-POOL-06: an animal is not equipment, and carries its own items."""
    fighter = replace(HORSE, item=(Item("bags", encumbrance=2),))
    fight = given(fighter, ANA)
    assert fight.state.combatants["horse"].pools.other_used == 2
    assert fight.state.combatants["ana"].pools == Pools(ready=8)

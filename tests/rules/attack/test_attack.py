"""Attacks: declaration, reactions, rolls, and the effect of a hit."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from mam_events.commands import (
    Act,
    Adjust,
    Attack,
    Body,
    Command,
    Defend,
    EndTurn,
    Ready,
    ReadyWeapon,
    Resolve,
)
from mam_events.events import (
    AttackDeclared,
    AttackResolved,
    AttackRolled,
    DefenseRolled,
    HitPointsSpent,
    Modifier,
    WeaponReadied,
    WoundInflicted,
)
from mam_events.state import Pools, Weapon
from tests.fighters import CLONE, DUEL, ICE_BLADE, MODRE, SENTRY, duel_orders
from tests.spec import given

D20 = {"combat_die": "d20"}
BLADE = Attack("modre", "clone", "ice-blade", power=1, modifier=2)


def test_declaring_an_attack_spends_its_points_before_any_roll() -> None:
    """MAM-ATK-01."""
    given(*DUEL).when(Attack("modre", "clone", "ice-blade", power=4, modifier=2)).then(
        AttackDeclared(6, "modre", "clone", "ice-blade", 4, 2),
        HitPointsSpent("modre", "attack", 2, 4, Pools(defense=2, other_used=4)),
    )


@pytest.mark.parametrize(
    ("attack", "code"),
    [
        (Attack("modre", "modre", power=1), "bad_target"),
        (Attack("modre", "clown", power=1), "unknown_combatant"),
        (Attack("moder", "clone", power=1), "unknown_combatant"),
        (Attack("modre", "clone", "axe", power=1), "unknown_weapon"),
        (Attack("modre", "clone", "dagger", power=1), "weapon_not_in_hand"),
        (Attack("modre", "clone", power=4, modifier=3), "not_enough_ready"),
        (Attack("modre", "clone"), "below_required_amount"),
        (Attack("clone", "modre", power=1), "out_of_turn"),
    ],
)
def test_an_attack_needs_a_turn_a_target_a_weapon_in_hand_and_ready_points(attack: Command, code: str) -> None:
    """MAM-ATK-01."""
    armed = replace(MODRE, weapon=(ICE_BLADE, Weapon("dagger", readied=False)))
    given(*duel_orders(armed)).when(attack).raises(code)


def test_an_error_for_an_unknown_name_suggests_the_nearest_known_name() -> None:
    """MAM-ATK-01."""
    fight = given(*DUEL)
    error = fight.when(Attack("modre", "clown", power=1)).raises("unknown_combatant")
    assert (error.fields, error.sentence) == (
        ("target",),
        'Nobody called "clown" is in this fight. Did you mean "clone"?',
    )
    error = fight.when(Attack("modre", "clone", "ice_blade", power=1)).raises("unknown_weapon")
    assert error.sentence == 'Modre has no weapon "ice_blade". Did you mean "ice-blade"?'
    error = fight.when(Attack("zzz", "clone", power=1)).raises("unknown_combatant")
    assert error.sentence == 'Nobody called "zzz" is in this fight. Known: modre, clone.'


def test_a_second_attack_is_refused_while_an_exchange_is_open() -> None:
    """MAM-ATK-01."""
    fight = given(*DUEL, Attack("modre", "clone", power=1))
    fight.when(Attack("modre", "clone", power=1)).raises("exchange_open", "MAM-ATK-01")
    fight.after(Resolve(6, attack_die=1, defense_die=1)).when(Attack("modre", "clone", power=1)).one(AttackDeclared)


def test_an_attack_roll_adds_the_weapon_and_the_points_on_the_modifier() -> None:
    """MAM-ATK-02, MAM-EX-05."""
    roll = given(*DUEL, BLADE).when(Resolve(6, attack_die=6, defense_die=1)).one(AttackRolled)
    assert (roll.total, roll.modifiers) == (
        9,
        (Modifier("Ice Blade", 1, "MAM-ATK-02"), Modifier("points on the attack", 2, "MAM-ATK-01")),
    )


def test_a_defense_roll_adds_the_body_and_the_whole_defense_pool() -> None:
    """MAM-ATK-03, MAM-EX-03."""
    fight = given(*DUEL, BLADE, Defend("clone", 6, points=6))
    roll = fight.when(Resolve(6, attack_die=2, defense_die=1)).one(DefenseRolled)
    assert (roll.total, roll.modifiers) == (
        7,
        (Modifier("Body", 0, "MAM-ATK-03"), Modifier("defense pool", 6, "MAM-POOL-03")),
    )


def test_the_best_defense_modifier_in_hand_counts() -> None:
    """MAM-ATK-03."""
    shield, sheathed = Weapon("shield", defense=2), Weapon("sword", defense=5, readied=False)
    fight = given(*duel_orders(clone=replace(CLONE, weapon=(shield, sheathed))), BLADE)
    roll = fight.when(Resolve(6, attack_die=2, defense_die=1)).one(DefenseRolled)
    assert roll.modifiers[0] == Modifier("shield", 2, "MAM-ATK-03")


@pytest.mark.parametrize(
    ("reading", "attacks", "defends"),
    [("separate_attack_defense", 2, 0), ("single_zero", 0, 0), ("single_two", 2, 2)],
)
def test_the_body_has_separate_or_equal_attack_and_defense_modifiers(reading: str, attacks: int, defends: int) -> None:
    """MAM-ATK-02, MAM-ATK-03, option `body_modifier`."""
    modre = replace(MODRE, body=Body(attack=2, defense=0))
    fight = given(*duel_orders(modre), Attack("modre", "clone", "body", power=1), rules={"body_modifier": reading})
    events = fight.when(Resolve(6, attack_die=1, defense_die=1))
    assert (events.one(AttackRolled).modifiers[0].value, events.one(DefenseRolled).modifiers[0].value) == (
        attacks,
        defends,
    )


@pytest.mark.parametrize(("attack_die", "outcome"), [(3, "fail"), (4, "half"), (5, "full")])
def test_an_attack_hits_if_higher_and_half_hits_on_a_tie(attack_die: int, outcome: str) -> None:
    """MAM-ATK-04, option `half_success`."""
    fight = given(*DUEL, Attack("modre", "clone", "ice-blade", power=1))
    assert fight.when(Resolve(6, attack_die=attack_die, defense_die=5)).one(AttackResolved).outcome == outcome


@pytest.mark.parametrize("reading", ["never", "one_of_two_rolls"])
def test_a_tie_can_be_a_miss(reading: str) -> None:
    """MAM-ATK-04, option `half_success`."""
    fight = given(*DUEL, Attack("modre", "clone", "ice-blade", power=1), rules={"half_success": reading})
    result = fight.when(Resolve(6, attack_die=4, defense_die=5))
    assert (result.one(AttackResolved).outcome, result.all(WoundInflicted)) == ("fail", [])


def test_an_attack_can_be_rolled_against_a_fixed_number() -> None:
    """MAM-ATK-04, option `defense_resolution`."""
    fight = given(*DUEL, BLADE, Defend("clone", 6, points=3), rules=D20 | {"defense_resolution": "fixed_difficulty"})
    result = fight.when(Resolve(6, attack_die=11))
    defense = result.one(DefenseRolled)
    assert (defense.die, defense.total, result.one(AttackResolved).outcome) == (None, 13, "full")
    fight.when(Resolve(6, attack_die=11, defense_die=4)).raises("idle_die", "MAM-ATK-04")


@pytest.mark.parametrize(
    ("scope", "attack_die", "defense_die", "outcome"),
    [
        ("off", 20, 1, "fail"),
        ("attacker_only", 20, 1, "full"),
        ("attacker_only", 20, 20, "full"),
        ("attacker_only", 19, 20, "fail"),
        ("either_side", 20, 1, "full"),
        ("either_side", 20, 20, "fail"),
    ],
)
def test_a_natural_20_of_the_attacker_always_hits_under_some_readings(
    scope: str, attack_die: int, defense_die: int, outcome: str
) -> None:
    """MAM-ATK-04, option `automatic_success_in_opposed_rolls`."""
    fortress = replace(CLONE, body=Body(defense=40))
    fight = given(*duel_orders(clone=fortress), BLADE, rules=D20 | {"automatic_success_in_opposed_rolls": scope})
    assert fight.when(Resolve(6, attack_die, defense_die)).one(AttackResolved).outcome == outcome


def test_a_natural_20_of_the_defender_stops_the_attack_under_either_side() -> None:
    """MAM-ATK-04, option `automatic_success_in_opposed_rolls`."""
    fighter = replace(MODRE, weapon=(replace(ICE_BLADE, attack=40),))
    for scope, outcome in (("either_side", "fail"), ("attacker_only", "full"), ("off", "full")):
        fight = given(*duel_orders(fighter), BLADE, rules=D20 | {"automatic_success_in_opposed_rolls": scope})
        assert fight.when(Resolve(6, attack_die=19, defense_die=20)).one(AttackResolved).outcome == outcome


def test_a_natural_20_always_beats_a_fixed_number() -> None:
    """MAM-ATK-04, option `automatic_success_in_opposed_rolls`."""
    fortress = replace(CLONE, body=Body(defense=40))
    fight = given(*duel_orders(clone=fortress), BLADE, rules=D20 | {"defense_resolution": "fixed_difficulty"})
    assert fight.when(Resolve(6, attack_die=20)).one(AttackResolved).outcome == "full"
    assert fight.when(Resolve(6, attack_die=19)).one(AttackResolved).outcome == "fail"


def test_a_d6_has_no_automatic_success() -> None:
    """MAM-ATK-04, option `automatic_success_in_opposed_rolls`."""
    fortress = replace(CLONE, body=Body(defense=40))
    fight = given(*duel_orders(clone=fortress), BLADE, rules={"automatic_success_in_opposed_rolls": "attacker_only"})
    assert fight.when(Resolve(6, attack_die=6, defense_die=1)).one(AttackResolved).outcome == "fail"


@pytest.mark.parametrize(("rules", "face"), [({}, 7), ({}, 0), (D20, 21)])
def test_an_impossible_die_face_is_refused(rules: dict[str, str], face: int) -> None:
    """MAM-ATK-02."""
    fight = given(*DUEL, BLADE, rules=rules)
    assert fight.when(Resolve(6, attack_die=face, defense_die=1)).raises("impossible_face").fields == ("attack_die",)
    fight.when(Resolve(6, attack_die=1, defense_die=face)).raises("impossible_face")


def test_only_the_open_exchange_can_be_resolved() -> None:
    """MAM-ATK-04."""
    fight = given(*DUEL, BLADE)
    error = fight.when(Resolve(5, attack_die=1, defense_die=1)).raises("no_such_exchange")
    assert error.sentence == "Action 5 is not open. The open one is 6."
    fight.after(Resolve(6, attack_die=1, defense_die=1))
    error = fight.when(Resolve(6, attack_die=1, defense_die=1)).raises("no_such_exchange")
    assert error.sentence == "Action 6 is not open: nothing has been declared."


def test_attack_power_is_weapon_power_plus_points_on_power() -> None:
    """MAM-ATK-05."""
    fight = given(
        *duel_orders(clone=replace(CLONE, absorption=2)), Attack("modre", "clone", "ice-blade", power=4, modifier=1)
    )
    result = fight.when(Resolve(6, attack_die=6, defense_die=1))
    assert (result.one(AttackResolved).power, result.one(AttackResolved).absorbed) == (7, 2)
    assert result.one(WoundInflicted).stun + result.one(WoundInflicted).damage == 5


def test_a_missed_attack_records_its_power() -> None:
    """MAM-ATK-05."""
    result = given(*DUEL, BLADE, Defend("clone", 6, points=6)).when(Resolve(6, attack_die=2, defense_die=1))
    assert result.one(AttackResolved) == AttackResolved(6, "fail", 4, 0, "5 against 7")


def test_drawing_a_weapon_costs_at_least_a_point_into_other_used() -> None:
    """MAM-ATK-06."""
    fight = given(*duel_orders(replace(MODRE, weapon=(ICE_BLADE, Weapon("dagger", readied=False)))))
    fight.when(ReadyWeapon("modre", "dagger")).then(
        WeaponReadied("modre", "dagger"), HitPointsSpent("modre", "equipment", 0, 1, Pools(ready=5, other_used=1))
    )
    fight.when(ReadyWeapon("modre", "dagger", points=0)).raises("below_required_amount", "MAM-ATK-06")
    fight.when(ReadyWeapon("modre", "dagger", points=7)).raises("not_enough_ready", "MAM-ATK-06")
    fight.after(ReadyWeapon("modre", "dagger")).when(Attack("modre", "clone", "dagger", power=1)).one(AttackDeclared)


def test_only_a_carried_weapon_that_is_not_in_hand_can_be_drawn() -> None:
    """MAM-ATK-06."""
    fight = given(*duel_orders(replace(MODRE, weapon=(ICE_BLADE, Weapon("dagger", readied=False)))))
    fight.when(ReadyWeapon("modre", "ice-blade")).raises("already_in_hand", "MAM-ATK-06")
    error = fight.when(ReadyWeapon("modre", "daggr")).raises("unknown_weapon")
    assert error.sentence == 'Modre carries no weapon "daggr". Did you mean "dagger"?'


def test_an_unanswered_attack_is_rolled_against_the_defense() -> None:
    """MAM-ATK-03, MAM-POOL-11."""
    assert given(*DUEL, BLADE).when(Resolve(6, attack_die=1, defense_die=1)).one(DefenseRolled)


def test_other_actions_are_refused_while_an_attack_is_open() -> None:
    """MAM-ATK-01, MAM-PHASE-04."""
    fight = given(*DUEL, BLADE)
    for order in (Act("modre", "shouts"), Ready("modre"), EndTurn("modre")):
        fight.when(order).raises("exchange_open")


def test_a_combatant_out_of_the_fight_cannot_be_attacked() -> None:
    """MAM-ATK-01."""
    fight = given(*duel_orders(MODRE, CLONE, SENTRY), Adjust("it flees", condition={"clone": "out"}))
    assert fight.when(BLADE).raises("bad_target", "MAM-ATK-01").sentence == "Clone is out."

"""Attacks: declared, reacted to, rolled, and what a hit is worth; striking back."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from mam_events.commands import (
    Act,
    Adjust,
    Attack,
    Body,
    Command,
    Counterattack,
    Defend,
    EndTurn,
    Interfere,
    Parry,
    Ready,
    ReadyWeapon,
    Resolve,
)
from mam_events.events import (
    AttackDeclared,
    AttackResolved,
    AttackRolled,
    CounterattackDeclared,
    CounterattackResolved,
    DefenseRolled,
    HitPointsSpent,
    InterferenceResolved,
    Modifier,
    WeaponReadied,
    WoundInflicted,
)
from mam_events.state import Pools, Weapon
from tests.fighters import CLONE, FACING, ICE_BLADE, MODRE, SENTRY, facing, having
from tests.spec import Given, Judged, given

D20 = {"combat_die": "d20"}
BLADE = Attack("modre", "clone", "ice-blade", power=1, modifier=2)


def test_an_attack_is_declared_and_paid_for_before_any_die() -> None:
    """MAM-ATK-01."""
    given(*FACING).when(Attack("modre", "clone", "ice-blade", power=4, modifier=2)).then(
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
    armed = replace(MODRE, weapons=(ICE_BLADE, Weapon("dagger", readied=False)))
    given(*facing(armed)).when(attack).refused(code)


def test_an_unknown_name_is_refused_with_the_nearest_known_one() -> None:
    """MAM-ATK-01."""
    fight = given(*FACING)
    no = fight.when(Attack("modre", "clown", power=1)).refused("unknown_combatant")
    assert (no.fields, no.sentence) == (("target",), 'Nobody called "clown" is in this fight; did you mean "clone"?')
    no = fight.when(Attack("modre", "clone", "ice_blade", power=1)).refused("unknown_weapon")
    assert no.sentence == 'Modre has no weapon "ice_blade"; did you mean "ice-blade"?'
    no = fight.when(Attack("zzz", "clone", power=1)).refused("unknown_combatant")
    assert no.sentence == 'Nobody called "zzz" is in this fight; known: modre, clone.'


def test_one_exchange_at_a_time() -> None:
    """MAM-ATK-01."""
    fight = given(*FACING, Attack("modre", "clone", power=1))
    fight.when(Attack("modre", "clone", power=1)).refused("exchange_open", "MAM-ATK-01")
    fight.after(Resolve(6, attack_die=1, defense_die=1)).when(Attack("modre", "clone", power=1)).one(AttackDeclared)


def test_the_attack_total_is_die_weapon_and_points_on_the_modifier() -> None:
    """MAM-ATK-02, MAM-EX-05."""
    rolled = given(*FACING, BLADE).when(Resolve(6, attack_die=6, defense_die=1)).one(AttackRolled)
    assert (rolled.total, rolled.modifiers) == (
        9,
        (Modifier("Ice Blade", 1, "MAM-ATK-02"), Modifier("points on the attack", 2, "MAM-ATK-01")),
    )


def test_the_defence_total_is_die_body_and_the_whole_defense_pool() -> None:
    """MAM-ATK-03, MAM-EX-03."""
    fight = given(*FACING, BLADE, Defend("clone", 6, points=6))
    rolled = fight.when(Resolve(6, attack_die=2, defense_die=1)).one(DefenseRolled)
    assert (rolled.total, rolled.modifiers) == (
        7,
        (Modifier("Body", 0, "MAM-ATK-03"), Modifier("defense pool", 6, "MAM-POOL-03")),
    )


def test_one_defends_with_the_best_that_is_in_hand() -> None:
    """MAM-ATK-03."""
    shield, sheathed = Weapon("shield", defense_modifier=2), Weapon("sword", defense_modifier=5, readied=False)
    fight = given(*facing(clone=replace(CLONE, weapons=(shield, sheathed))), BLADE)
    rolled = fight.when(Resolve(6, attack_die=2, defense_die=1)).one(DefenseRolled)
    assert rolled.modifiers[0] == Modifier("shield", 2, "MAM-ATK-03")


@pytest.mark.parametrize(
    ("reading", "attacks", "defends"),
    [("separate_attack_defense", 2, 0), ("single_zero", 0, 0), ("single_two", 2, 2)],
)
def test_the_body_has_two_modifiers_or_a_house_reads_them_as_one(reading: str, attacks: int, defends: int) -> None:
    """MAM-ATK-02, MAM-ATK-03, option `body_modifier`."""
    modre = replace(MODRE, body=Body(attack_modifier=2, defense_modifier=0))
    fight = given(*facing(modre), Attack("modre", "clone", power=1), rules={"body_modifier": reading})
    facts = fight.when(Resolve(6, attack_die=1, defense_die=1))
    assert (facts.one(AttackRolled).modifiers[0].value, facts.one(DefenseRolled).modifiers[0].value) == (attacks, defends)


@pytest.mark.parametrize(("attack_die", "outcome"), [(3, "fail"), (4, "half"), (5, "full")])
def test_an_attack_hits_when_it_is_higher_and_half_hits_on_a_tie(attack_die: int, outcome: str) -> None:
    """MAM-ATK-04, option `half_success`."""
    fight = given(*FACING, Attack("modre", "clone", "ice-blade", power=1))
    assert fight.when(Resolve(6, attack_die=attack_die, defense_die=5)).one(AttackResolved).outcome == outcome


@pytest.mark.parametrize("reading", ["never", "one_of_two_rolls"])
def test_a_tie_may_be_a_plain_miss(reading: str) -> None:
    """MAM-ATK-04, option `half_success`."""
    fight = given(*FACING, Attack("modre", "clone", "ice-blade", power=1), rules={"half_success": reading})
    judged = fight.when(Resolve(6, attack_die=4, defense_die=5))
    assert (judged.one(AttackResolved).outcome, judged.all(WoundInflicted)) == ("fail", [])


def test_a_house_may_set_a_fixed_number_against_the_attack() -> None:
    """MAM-ATK-04, option `defense_resolution`."""
    fight = given(*FACING, BLADE, Defend("clone", 6, points=3), rules=D20 | {"defense_resolution": "fixed_difficulty"})
    judged = fight.when(Resolve(6, attack_die=11))
    defence = judged.one(DefenseRolled)
    assert (defence.die, defence.total, judged.one(AttackResolved).outcome) == (None, 13, "full")
    fight.when(Resolve(6, attack_die=11, defense_die=4)).refused("idle_die", "MAM-ATK-04")


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
def test_a_natural_twenty_hits_whatever_the_total_where_the_house_says_so(
    scope: str, attack_die: int, defense_die: int, outcome: str
) -> None:
    """MAM-ATK-04, option `automatic_success_in_opposed_rolls`."""
    fortress = replace(CLONE, body=Body(defense_modifier=40))
    fight = given(*facing(clone=fortress), BLADE, rules=D20 | {"automatic_success_in_opposed_rolls": scope})
    assert fight.when(Resolve(6, attack_die, defense_die)).one(AttackResolved).outcome == outcome


def test_a_natural_twenty_of_the_defender_stops_whatever_total_where_either_side_may() -> None:
    """MAM-ATK-04, option `automatic_success_in_opposed_rolls`."""
    sure = replace(MODRE, weapons=(replace(ICE_BLADE, attack_modifier=40),))
    for scope, outcome in (("either_side", "fail"), ("attacker_only", "full"), ("off", "full")):
        fight = given(*facing(sure), BLADE, rules=D20 | {"automatic_success_in_opposed_rolls": scope})
        assert fight.when(Resolve(6, attack_die=19, defense_die=20)).one(AttackResolved).outcome == outcome


def test_a_natural_twenty_beats_a_fixed_number_in_every_house() -> None:
    """MAM-ATK-04, option `automatic_success_in_opposed_rolls`."""
    fortress = replace(CLONE, body=Body(defense_modifier=40))
    fight = given(*facing(clone=fortress), BLADE, rules=D20 | {"defense_resolution": "fixed_difficulty"})
    assert fight.when(Resolve(6, attack_die=20)).one(AttackResolved).outcome == "full"
    assert fight.when(Resolve(6, attack_die=19)).one(AttackResolved).outcome == "fail"


def test_no_face_of_a_six_sided_die_succeeds_by_itself() -> None:
    """MAM-ATK-04, option `automatic_success_in_opposed_rolls`."""
    fortress = replace(CLONE, body=Body(defense_modifier=40))
    fight = given(*facing(clone=fortress), BLADE, rules={"automatic_success_in_opposed_rolls": "attacker_only"})
    assert fight.when(Resolve(6, attack_die=6, defense_die=1)).one(AttackResolved).outcome == "fail"


@pytest.mark.parametrize(("rules", "face"), [({}, 7), ({}, 0), (D20, 21)])
def test_a_die_has_no_face_beyond_its_sides(rules: dict[str, str], face: int) -> None:
    """MAM-ATK-02."""
    fight = given(*FACING, BLADE, rules=rules)
    no = fight.when(Resolve(6, attack_die=face, defense_die=1)).refused("impossible_face")
    assert no.fields == ("attack_die",)
    fight.when(Resolve(6, attack_die=1, defense_die=face)).refused("impossible_face")


def test_only_the_open_exchange_can_be_resolved_and_only_once() -> None:
    """MAM-ATK-04."""
    fight = given(*FACING, BLADE)
    no = fight.when(Resolve(5, attack_die=1, defense_die=1)).refused("no_such_exchange")
    assert no.sentence == "Exchange 5 is not open; the open one is 6."
    fight.after(Resolve(6, attack_die=1, defense_die=1))
    no = fight.when(Resolve(6, attack_die=1, defense_die=1)).refused("no_such_exchange")
    assert no.sentence == "There is no open exchange 6: nothing is declared."


def test_power_is_the_weapons_and_the_points_spent_on_it() -> None:
    """MAM-ATK-05."""
    fight = given(*facing(clone=replace(CLONE, absorption=2)), Attack("modre", "clone", "ice-blade", power=4, modifier=1))
    judged = fight.when(Resolve(6, attack_die=6, defense_die=1))
    assert (judged.one(AttackResolved).power, judged.one(AttackResolved).absorbed) == (7, 2)
    assert judged.one(WoundInflicted).stun + judged.one(WoundInflicted).damage == 5


def test_a_missed_attack_still_says_what_it_would_have_been_worth() -> None:
    """MAM-ATK-05."""
    judged = given(*FACING, BLADE, Defend("clone", 6, points=6)).when(Resolve(6, attack_die=2, defense_die=1))
    assert judged.one(AttackResolved) == AttackResolved(6, "fail", 4, 0, "5 against 7")


def test_drawing_a_weapon_costs_at_least_a_point_into_other_used() -> None:
    """MAM-ATK-06."""
    fight = given(*facing(replace(MODRE, weapons=(ICE_BLADE, Weapon("dagger", readied=False)))))
    fight.when(ReadyWeapon("modre", "dagger")).then(
        WeaponReadied("modre", "dagger"), HitPointsSpent("modre", "equipment", 0, 1, Pools(ready=5, other_used=1))
    )
    fight.when(ReadyWeapon("modre", "dagger", points=0)).refused("below_required_amount", "MAM-ATK-06")
    fight.when(ReadyWeapon("modre", "dagger", points=7)).refused("not_enough_ready", "MAM-ATK-06")
    fight.after(ReadyWeapon("modre", "dagger")).when(Attack("modre", "clone", "dagger", power=1)).one(AttackDeclared)


def test_only_a_carried_weapon_that_is_not_in_hand_can_be_drawn() -> None:
    """MAM-ATK-06."""
    fight = given(*facing(replace(MODRE, weapons=(ICE_BLADE, Weapon("dagger", readied=False)))))
    fight.when(ReadyWeapon("modre", "ice-blade")).refused("already_in_hand", "MAM-ATK-06")
    no = fight.when(ReadyWeapon("modre", "daggr")).refused("unknown_weapon")
    assert no.sentence == 'Modre carries no weapon "daggr"; did you mean "dagger"?'


def striking_back(rules: dict[str, str] | None = None, *, power: int = 2, modifier: int = 1) -> Given:
    """Modre attacks with three points; the Clone, with body modifiers 2 and 0, strikes back (ruling 7)."""
    fight = given(*facing(having(MODRE, ready=6), having(CLONE, ready=6)), BLADE, rules=rules)
    return fight.after(Counterattack("clone", 6, power=power, modifier=modifier))


def outcomes(judged: Judged) -> tuple[str, str]:
    """Of the attack and of the counterattack."""
    return judged.one(AttackResolved).outcome, judged.one(CounterattackResolved).outcome


def test_a_counterattack_is_paid_from_ready_on_somebody_elses_turn() -> None:
    """MAM-ATK-12."""
    given(*FACING, BLADE).when(Counterattack("clone", 6, power=2, modifier=1)).then(
        CounterattackDeclared(6, 7, "clone", "modre", "body", 2, 1),
        HitPointsSpent("clone", "counterattack", 1, 2, Pools(ready=3, defense=1, other_used=2)),
    )


def test_a_counterattack_takes_the_place_of_the_defence_roll() -> None:
    """MAM-ATK-12, MAM-INTF-03."""
    judged = striking_back().when(Resolve(6, attack_die=6, defense_die=4))
    assert not judged.all(DefenseRolled)
    assert outcomes(judged) == ("full", "fail")


@pytest.mark.parametrize(
    ("order", "code"),
    [
        (Counterattack("clone", 6), "below_required_amount"),
        (Counterattack("clone", 6, power=3, modifier=1), "exceeds_cap"),
        (Counterattack("clone", 6, "axe", power=1), "unknown_weapon"),
        (Counterattack("modre", 6, power=1), "not_the_target"),
        (Counterattack("sentry", 6, power=1), "not_the_target"),
        (Counterattack("clone", 5, power=1), "no_such_exchange"),
    ],
)
def test_a_counterattack_is_bound_by_the_attack_it_answers(order: Command, code: str) -> None:
    """MAM-ATK-12, MAM-INTF-05."""
    fight = given(MODRE, CLONE, *facing(SENTRY, replace(CLONE, combatant="other"))[-2:], BLADE)
    fight.when(order).refused(code)


def test_one_roll_replaces_the_defence_and_no_second_one() -> None:
    """MAM-ATK-12, MAM-INTF-03."""
    fight = striking_back()
    for order in (
        Counterattack("clone", 6, power=1),
        Parry("clone", 6),
        Interfere("clone", 6, 6, points=1),
    ):
        no = fight.when(order).refused("already_answered", "MAM-INTF-03")
    assert no.sentence == "Clone already answers with a counterattack (ruling 7); one roll replaces the defence."


def test_a_higher_counterattack_that_hurts_stops_the_attack_and_hits_the_attacker() -> None:
    """MAM-ATK-12, MAM-INTF-04, option `pool_counterattack`."""
    judged = striking_back().when(Resolve(6, attack_die=1, defense_die=6))
    assert outcomes(judged) == ("fail", "full")
    assert (judged.one(WoundInflicted).combatant, judged["modre"].pools.damage) == ("modre", 2)


def test_a_higher_counterattack_without_effect_leaves_no_defence() -> None:
    """MAM-ATK-12, MAM-INTF-04, option `ineffective_counter_defends`."""
    judged = striking_back(power=0).when(Resolve(6, attack_die=1, defense_die=6))
    assert outcomes(judged) == ("full", "fail")
    assert judged.one(WoundInflicted).combatant == "clone"


def test_a_higher_counterattack_without_effect_may_still_defend() -> None:
    """MAM-ATK-12, MAM-INTF-04, option `ineffective_counter_defends`."""
    judged = striking_back({"ineffective_counter_defends": "yes"}, power=0).when(Resolve(6, attack_die=1, defense_die=6))
    assert (outcomes(judged), judged.all(WoundInflicted)) == (("fail", "fail"), [])


def test_attack_and_counterattack_that_tie_half_succeed_or_both_fail() -> None:
    """MAM-ATK-12, options `half_success` and `half_rounding`."""
    judged = striking_back().when(Resolve(6, attack_die=4, defense_die=4))
    assert outcomes(judged) == ("half", "half")
    assert [(wound.combatant, wound.stun + wound.damage) for wound in judged.all(WoundInflicted)] == [
        ("clone", 2),
        ("modre", 1),
    ]
    never = striking_back({"half_success": "never"}).when(Resolve(6, attack_die=4, defense_die=4))
    assert (outcomes(never), never.all(WoundInflicted)) == (("fail", "fail"), [])


def test_a_counterattack_may_only_defend_even_when_it_ties() -> None:
    """MAM-ATK-12, option `pool_counterattack`."""
    fight = striking_back({"pool_counterattack": "defense_only"})
    higher = fight.when(Resolve(6, attack_die=1, defense_die=6))
    assert (outcomes(higher), higher.all(WoundInflicted)) == (("fail", "fail"), [])
    tie = fight.when(Resolve(6, attack_die=4, defense_die=4))
    assert (outcomes(tie), [wound.combatant for wound in tie.all(WoundInflicted)]) == (("half", "fail"), ["clone"])


def test_both_may_hit_where_each_attack_meets_the_others_defence() -> None:
    """MAM-ATK-12, option `pool_counterattack`: 6+1+2 against 5+0+1, and 5+2+1 against 6+0+2 or 2+0+2."""
    fight = striking_back({"pool_counterattack": "simultaneous_exchange"})
    assert outcomes(fight.when(Resolve(6, attack_die=6, defense_die=5))) == ("full", "half")
    judged = fight.when(Resolve(6, attack_die=4, defense_die=5))
    assert (outcomes(judged), [w.combatant for w in judged.all(WoundInflicted)]) == (("full", "full"), ["clone", "modre"])


def test_where_defence_is_a_fixed_number_simultaneous_attacks_meet_that() -> None:
    """MAM-ATK-12, options `pool_counterattack` and `defense_resolution`: 8+1+2 and 10+2+1 against 10+1 and 10+2."""
    rules = D20 | {"pool_counterattack": "simultaneous_exchange", "defense_resolution": "fixed_difficulty"}
    judged = striking_back(rules).when(Resolve(6, attack_die=8, defense_die=10))
    assert outcomes(judged) == ("half", "full")


@pytest.mark.parametrize(
    ("scope", "faces", "expected"),
    [
        ("off", (20, 18), ("fail", "full")),
        ("attacker_only", (20, 18), ("full", "fail")),
        ("attacker_only", (1, 20), ("fail", "full")),
        ("either_side", (20, 20), ("fail", "full")),
        ("either_side", (19, 20), ("fail", "full")),
    ],
)
def test_a_natural_twenty_counts_against_a_counterattack_too(
    scope: str, faces: tuple[int, int], expected: tuple[str, str]
) -> None:
    """MAM-ATK-12, option `automatic_success_in_opposed_rolls`."""
    strong = replace(CLONE, body=Body(attack_modifier=30))
    rules = D20 | {"automatic_success_in_opposed_rolls": scope}
    fight = given(*facing(clone=strong), BLADE, Counterattack("clone", 6, power=2, modifier=1), rules=rules)
    assert outcomes(fight.when(Resolve(6, *faces))) == expected


def test_a_counterattack_is_judged_by_its_own_roll_when_somebody_else_stopped_the_attack() -> None:
    """MAM-ATK-12, MAM-INTF-01."""
    fight = given(*facing(MODRE, CLONE, SENTRY), Attack("modre", "clone", "ice-blade", power=3))
    fight.after(Counterattack("clone", 7, power=3), Interfere("sentry", 7, 7, points=3, bonus=9))
    judged = fight.when(Resolve(7, attack_die=1, defense_die=6, interference_dice={"9": 1}))
    assert judged.one(InterferenceResolved).outcome == "full"
    assert outcomes(judged) == ("fail", "full")
    assert "sentry's interference (9)" in judged.one(AttackResolved).why
    assert judged["modre"].pools.damage == 3


def test_an_attack_that_was_never_answered_is_met_by_the_plain_defence() -> None:
    """MAM-ATK-03, MAM-POOL-11."""
    assert given(*FACING, BLADE).when(Resolve(6, attack_die=1, defense_die=1)).one(DefenseRolled)


def test_nothing_that_costs_ready_points_is_done_while_an_attack_waits() -> None:
    """MAM-ATK-01, MAM-PHASE-04."""
    fight = given(*FACING, BLADE)
    for order in (Act("modre", "shouts"), Ready("modre"), EndTurn("modre")):
        fight.when(order).refused("exchange_open")


def test_who_is_out_of_the_fight_is_no_target() -> None:
    """MAM-ATK-01."""
    fight = given(*facing(MODRE, CLONE, SENTRY), Adjust("it flees", conditions={"clone": "out"}))
    assert fight.when(BLADE).refused("bad_target", "MAM-ATK-01").sentence == "Clone is out."

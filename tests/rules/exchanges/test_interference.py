"""Interference and parries: actions that stop other actions, and chains of them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from mam_events.commands import Act, Attack, Body, Command, Counterattack, Defend, EndTurn, Interfere, Parry, Resolve
from mam_events.events import (
    ActionDeclared,
    ActionResolved,
    ActionRolled,
    AttackResolved,
    AttackRolled,
    CounterattackResolved,
    DefenseRolled,
    HitPointsSpent,
    InterferenceDeclared,
    InterferenceResolved,
    InterferenceRolled,
    Modifier,
    ParryDeclared,
    ParryRolled,
    WoundInflicted,
)
from mam_events.state import Pools, Weapon
from tests.fighters import CLONE, DUEL, MODRE, SENTRY, duel_orders, with_pools
from tests.spec import CommandResult, GivenFight, given

CLUB = Weapon("club", power=2)
HERO = replace(CLONE, combatant="hero", name="Hero", weapon=(CLUB,))
GUARD = Weapon("guard", defense=1, parry=1)


def machine(rules: dict[str, str] | None = None, *, points: int = 2) -> GivenFight:
    """Let Modre the scientist work a machine (ruling 7) before the hero and a sentry of the scientist."""
    return given(*duel_orders(MODRE, HERO, SENTRY), Act("modre", "activates the machine", points=points), rules=rules)


def tackled(rules: dict[str, str] | None = None) -> GivenFight:
    """Let the hero tackle the scientist (ruling 8) and the sentry block the hero (ruling 9)."""
    tackle = Interfere("hero", 7, 7, points=2, bonus=1)
    return machine(rules).after(tackle, Interfere("sentry", 7, 8, points=1, bonus=1))


def roll_exchange(fight: GivenFight, root: int, **faces: int) -> CommandResult:
    """Resolve exchange 7 with the face of the action and those of other rulings (n8, n9)."""
    dice = {number.removeprefix("n"): face for number, face in faces.items()}
    return fight.when(Resolve(7, attack_die=root, interference_die=dice))


def interference_outcomes(result: CommandResult) -> tuple[str, list[tuple[int, str]]]:
    """Return the outcome of the action and of each interference, the last declared first."""
    chain = [(event.action, event.outcome) for event in result.all(InterferenceResolved)]
    return result.one(ActionResolved).outcome, chain


def test_an_action_without_interference_needs_no_roll() -> None:
    """MAM-INTF-01."""
    fight = given(*DUEL)
    fight.when(Act("modre", "opens the gate", points=2, bonus=1)).then(
        ActionDeclared(6, "modre", "opens the gate", 2, 1),
        HitPointsSpent("modre", "action", 0, 2, Pools(ready=4, other_used=2)),
    )
    fight.after(Act("modre", "opens the gate", points=2, bonus=1))
    fight.when(Resolve(6)).then(ActionResolved(6, "full", "nobody interfered"))
    fight.when(Resolve(6, attack_die=3)).raises("idle_die", "MAM-INTF-01")


def test_any_combatant_may_interfere_with_ready_points() -> None:
    """MAM-INTF-01, MAM-INTF-02."""
    machine().when(Interfere("hero", 7, 7, points=2, bonus=1)).then(
        InterferenceDeclared(7, 8, "hero", 7, "modre", 2, 1),
        HitPointsSpent("hero", "interference", 0, 2, Pools(ready=4, other_used=2)),
    )


@pytest.mark.parametrize("face", [5, 4, 1])
def test_an_interference_that_is_not_higher_does_not_stop_the_action(face: int) -> None:
    """MAM-INTF-01."""
    fight = machine().after(Interfere("hero", 7, 7, points=1, bonus=-1))
    result = roll_exchange(fight, 4, n8=face)
    assert interference_outcomes(result) == ("full", [(8, "fail")])
    assert result.one(InterferenceRolled).modifiers == (Modifier("ability", -1, "MAM-INTF-01"),)


def test_one_successful_interference_stops_the_action() -> None:
    """MAM-INTF-01."""
    fight = machine().after(Interfere("hero", 7, 7, points=1, bonus=1), Interfere("sentry", 7, 7, points=1))
    result = roll_exchange(fight, 4, n8=4, n9=1)
    assert interference_outcomes(result) == ("fail", [(9, "fail"), (8, "full")])
    assert result.one(ActionResolved).why == "stopped by Hero's interference (8)"


@pytest.mark.parametrize(
    ("reading", "outcome"), [("target_prevails", ("full", "fail")), ("half_each", ("half", "half"))]
)
def test_on_a_tie_the_target_wins_or_both_half_succeed(reading: str, outcome: tuple[str, str]) -> None:
    """MAM-INTF-01, option `interference_tie`."""
    fight = machine({"interference_tie": reading}).after(Interfere("hero", 7, 7, points=1))
    assert interference_outcomes(roll_exchange(fight, 4, n8=4)) == (outcome[0], [(8, outcome[1])])


def test_a_half_successful_interference_halves_its_target() -> None:
    """MAM-INTF-01, MAM-INTF-07, option `interference_tie`."""
    result = roll_exchange(tackled({"interference_tie": "half_each"}), 2, n8=3, n9=3)
    assert interference_outcomes(result) == ("half", [(9, "half"), (8, "half")])


def test_an_option_sets_a_fixed_number_against_interference() -> None:
    """MAM-INTF-01, option `interference_roll`: 10 plus the action's own modifiers."""
    rules = {"combat_die": "d20", "interference_roll": "versus_fixed_difficulty"}
    acting_fight = given(*duel_orders(MODRE, HERO, SENTRY), Act("modre", "activates", points=1, bonus=3), rules=rules)
    fight = acting_fight.after(Interfere("hero", 7, 7, points=1))
    assert interference_outcomes(roll_exchange(fight, 1, n8=13)) == ("full", [(8, "fail")])
    assert interference_outcomes(roll_exchange(fight, 20, n8=14)) == ("fail", [(8, "full")])


@pytest.mark.parametrize(
    ("scope", "faces", "outcome"),
    [("off", (1, 20), "full"), ("attacker_only", (1, 20), "fail"), ("either_side", (20, 20), "full")],
)
def test_a_natural_20_interferes_whatever_the_total(scope: str, faces: tuple[int, int], outcome: str) -> None:
    """MAM-INTF-01, option `automatic_success_in_opposed_rolls`."""
    rules = {"combat_die": "d20", "automatic_success_in_opposed_rolls": scope}
    fight = given(*duel_orders(MODRE, HERO, SENTRY), Act("modre", "activates", points=1, bonus=40), rules=rules)
    result = roll_exchange(fight.after(Interfere("hero", 7, 7, points=1)), faces[0], n8=faces[1])
    assert result.one(ActionResolved).outcome == outcome


def test_the_whole_chain_happens_in_the_turn_of_the_first_action() -> None:
    """MAM-INTF-02."""
    result = roll_exchange(tackled(), 2, n8=3, n9=4)
    assert interference_outcomes(result) == ("full", [(9, "full"), (8, "fail")])
    assert result.state.turn
    assert result.state.turn.combatant == "modre"


def test_the_last_declared_interference_is_resolved_first() -> None:
    """MAM-INTF-07: a tackle that was itself stopped does not stop anything."""
    assert interference_outcomes(roll_exchange(tackled(), 2, n8=3, n9=3)) == ("fail", [(9, "fail"), (8, "full")])
    fight = tackled().after(Interfere("hero", 7, 9, points=1, bonus=5))
    assert interference_outcomes(roll_exchange(fight, 2, n8=3, n9=6, n10=6)) == (
        "fail",
        [(10, "full"), (9, "fail"), (8, "full")],
    )


def test_only_actions_of_the_open_exchange_can_be_interfered_with() -> None:
    """MAM-INTF-01."""
    error = tackled().when(Interfere("sentry", 7, 6, points=1)).raises("unknown_action", "MAM-INTF-01")
    assert (
        error.sentence
        == "Ruling 6 is not part of action 7, so it cannot be stopped now. If 6 means points, type points=6, "
        "else give the number of the action to stop. Known: 7, 8, 9."
    )
    tackled().when(Interfere("hero", 7, 8, points=1)).raises("bad_target", "MAM-INTF-01")
    given(*DUEL).when(Interfere("clone", 6, 6, points=1)).raises("no_such_exchange")


def test_a_die_without_an_interference_is_refused() -> None:
    """MAM-INTF-01."""
    error = tackled().when(Resolve(7, attack_die=1, interference_die={"11": 4})).raises("idle_die", "MAM-INTF-01")
    assert "is not an interference with action 7, so it has no die here. These have one: 8, 9." in error.sentence
    tackled().when(Resolve(7, attack_die=1, defense_die=1)).raises("idle_die", "MAM-ATK-04")
    roll_exchange(tackled(), 1, n8=7, n9=1).raises("impossible_face")


def test_interfering_with_an_attack_on_oneself_replaces_the_defense_roll() -> None:
    """MAM-INTF-03: the defense roll can't be used, and a tie counts as one of attack and defense."""
    fortress = replace(CLONE, body=Body(defense=9))
    fight = given(*duel_orders(clone=fortress), Attack("modre", "clone", "ice-blade", power=1))
    fight.after(Interfere("clone", 6, 6, points=1, bonus=1))
    for die, outcome in ((6, "full"), (5, "half"), (4, "fail")):
        result = fight.when(Resolve(6, attack_die=die, defense_die=5))
        assert (result.one(AttackResolved).outcome, result.all(DefenseRolled)) == (outcome, [])
    fight.when(Defend("clone", 6, points=1)).all()
    fight.when(Parry("clone", 6)).raises("already_answered", "MAM-INTF-03")


def test_an_interfering_attack_of_the_target_counts_as_a_counterattack() -> None:
    """MAM-INTF-03, MAM-INTF-04."""
    fight = given(*duel_orders(clone=replace(CLONE, weapon=(CLUB,))), Attack("modre", "clone", "ice-blade", power=1))
    fight.after(Interfere("clone", 6, 6, weapon="club", power=1))
    result = fight.when(Resolve(6, attack_die=1, defense_die=6))
    assert (result.one(AttackResolved).outcome, result.one(CounterattackResolved).outcome) == ("fail", "full")
    assert result["modre"].pools.damage == 3


def test_an_interfering_attack_that_wounds_stops_the_action() -> None:
    """MAM-INTF-04."""
    fight = machine().after(Interfere("hero", 7, 7, weapon="club", power=1, modifier=1))
    assert fight.state.combatants["hero"].pools == Pools(ready=4, defense=1, other_used=1)
    result = roll_exchange(fight, 3, n8=3)
    assert interference_outcomes(result) == ("fail", [(8, "full")])
    assert (result.one(WoundInflicted).combatant, result["modre"].pools.damage) == ("modre", 3)
    missed_result = roll_exchange(fight, 6, n8=1)
    assert missed_result.one(InterferenceResolved).why == "not higher"
    assert (interference_outcomes(missed_result), missed_result.all(WoundInflicted)) == (("full", [(8, "fail")]), [])


def test_interference_without_an_attack_wounds_nobody() -> None:
    """MAM-INTF-04."""
    bruiser = replace(HERO, body=Body(power=5))
    fight = given(
        *duel_orders(MODRE, bruiser), Act("modre", "activates", points=2), Interfere("hero", 6, 6, points=2, bonus=9)
    )
    result = fight.when(Resolve(6, attack_die=1, interference_die={"7": 1}))
    assert (interference_outcomes(result), result.all(WoundInflicted)) == (("fail", [(7, "full")]), [])


def test_an_interfering_attack_without_effect_does_not_stop_the_action() -> None:
    """MAM-INTF-04."""
    armored = replace(MODRE, absorption=9)
    for absorption, why in ((3, "no effect"), (2, "not higher")):
        fight = given(*duel_orders(replace(MODRE, absorption=absorption), HERO), Act("modre", "activates", points=2))
        fight.after(Interfere("hero", 6, 6, weapon="club", power=1))
        result = fight.when(Resolve(6, attack_die=6, interference_die={"7": 1}))
        assert (interference_outcomes(result), result.one(InterferenceResolved).why) == (("full", [(7, "fail")]), why)
    fight = given(*duel_orders(armored, HERO), Act("modre", "activates", points=2))
    fight.after(Interfere("hero", 6, 6, weapon="club", power=2))
    result = fight.when(Resolve(6, attack_die=1, interference_die={"7": 6}))
    assert interference_outcomes(result) == ("full", [(7, "fail")])
    assert result.one(InterferenceResolved).why == "no effect"
    assert not result.all(WoundInflicted)


def test_a_third_party_can_stop_an_attack_by_striking_the_attacker() -> None:
    """MAM-INTF-01, MAM-INTF-04."""
    fight = given(*duel_orders(MODRE, SENTRY, HERO), Attack("modre", "sentry", "ice-blade", power=2))
    fight.after(Interfere("hero", 7, 7, weapon="club", modifier=2))
    result = fight.when(Resolve(7, attack_die=2, defense_die=1, interference_die={"8": 3}))
    assert result.one(AttackResolved).outcome == "fail"
    assert [wound.combatant for wound in result.all(WoundInflicted)] == ["modre"]


def test_a_parry_that_is_itself_stopped_leaves_no_defense() -> None:
    """MAM-INTF-03, MAM-INTF-07."""
    fight = given(*duel_orders(MODRE, CLONE, SENTRY), Attack("modre", "clone", "ice-blade", power=1), Parry("clone", 7))
    fight.after(Interfere("sentry", 7, 8, points=1, bonus=1))
    result = fight.when(Resolve(7, attack_die=1, defense_die=6, interference_die={"9": 6}))
    assert (result.one(AttackResolved).outcome, result.all(DefenseRolled)) == ("full", [])
    failed = fight.when(Resolve(7, attack_die=1, defense_die=6, interference_die={"9": 5}))
    assert failed.one(AttackResolved).outcome == "fail"


def test_an_attack_half_hits_after_a_tied_interference() -> None:
    """MAM-INTF-01, option `interference_tie`."""
    fight = given(
        *duel_orders(MODRE, CLONE, SENTRY),
        Attack("modre", "clone", "body", power=2),
        rules={"interference_tie": "half_each"},
    )
    fight.after(Interfere("sentry", 7, 7, points=1))
    result = fight.when(Resolve(7, attack_die=4, defense_die=1, interference_die={"8": 4}))
    assert (result.one(AttackResolved).outcome, result["clone"].pools.damage) == ("half", 1)


@pytest.mark.parametrize(
    ("order", "code"),
    [
        (Interfere("hero", 7, 7, points=3), "exceeds_maximum"),
        (Interfere("hero", 7, 7, weapon="club", power=2, modifier=1), "exceeds_maximum"),
        (Interfere("hero", 7, 7), "below_required_amount"),
        (Interfere("hero", 7, 7, points=1, power=1), "mixed_interference"),
        (Interfere("hero", 7, 7, weapon="club", points=1), "mixed_interference"),
        (Interfere("hero", 7, 7, weapon="clubb", power=1), "unknown_weapon"),
        (Interfere("hera", 7, 7, points=1), "unknown_combatant"),
    ],
)
def test_an_interference_uses_at_most_the_points_of_its_target(order: Command, code: str) -> None:
    """MAM-INTF-05."""
    machine().when(order).raises(code)
    machine().when(Interfere("hero", 7, 7, points=2)).one(InterferenceDeclared)


def test_interference_needs_enough_ready_points() -> None:
    """MAM-INTF-05."""
    fight = given(*duel_orders(MODRE, with_pools(CLONE, ready=1, other_used=5)), Act("modre", "activates", points=3))
    fight.when(Interfere("clone", 6, 6, points=2)).raises("not_enough_ready", "MAM-INTF-05")


def test_an_action_without_points_cannot_be_interfered_with() -> None:
    """MAM-INTF-05."""
    error = machine(points=0).when(Interfere("hero", 7, 7, points=1)).raises("exceeds_maximum", "MAM-INTF-05")
    assert error.sentence == "A reaction may use at most as many points as the action it answers: 0, not 1."


@pytest.mark.parametrize(("reading", "code"), [("direct_target", "exceeds_maximum"), ("root_action", None)])
def test_an_option_sets_the_point_limit_in_a_chain(reading: str, code: str | None) -> None:
    """MAM-INTF-05, option `interference_hp_cap_base`."""
    fight = machine({"interference_hp_cap_base": reading}, points=3).after(Interfere("hero", 7, 7, points=1))
    result = fight.when(Interfere("sentry", 7, 8, points=2))
    if code:
        result.raises(code, "MAM-INTF-05")
    else:
        result.one(InterferenceDeclared)


def parried(rules: dict[str, str] | None = None) -> GivenFight:
    """Let the Clone parry Modre's blade (ruling 7), with three points in defense and a guard of 1 and 1."""
    clone = replace(with_pools(CLONE, ready=3, defense=3), weapon=(GUARD,), parry=1)
    fight = given(*duel_orders(clone=clone), Attack("modre", "clone", "ice-blade", power=1, modifier=2), rules=rules)
    return fight.after(Parry("clone", 6, "guard"))


def parry_total(rules: dict[str, str]) -> int:
    """Return the total of that parry with a die of 4."""
    total: int = parried(rules).when(Resolve(6, attack_die=1, defense_die=4)).one(ParryRolled).total
    return total


def test_a_parry_costs_one_point_into_other_used() -> None:
    """MAM-INTF-06, MAM-POOL-05."""
    fight = given(*DUEL, Attack("modre", "clone", power=1))
    fight.when(Parry("clone", 6)).then(
        ParryDeclared(6, 7, "clone", "body"), HitPointsSpent("clone", "parry", 0, 1, Pools(ready=5, other_used=1))
    )


def test_a_parry_adds_weapon_parry_modifiers_and_defense_pool() -> None:
    """MAM-INTF-06."""
    roll = parried().when(Resolve(6, attack_die=1, defense_die=4)).one(ParryRolled)
    assert [(modifier.name, modifier.value) for modifier in roll.modifiers] == [
        ("guard", 1),
        ("parry modifier", 2),
        ("defense pool", 3),
    ]
    assert roll.total == 4 + 1 + 2 + 3


def test_an_option_counts_only_parry_and_passive_modifiers() -> None:
    """MAM-INTF-06, option `parry_modifiers`."""
    assert parry_total({"parry_modifiers": "parry_and_passive_only"}) == 4 + 2 + 3


def test_an_option_moves_the_point_of_a_parry_to_defense() -> None:
    """MAM-INTF-06, MAM-POOL-03, option `parry_point_pool`."""
    assert parried({"parry_point_pool": "defense"}).state.combatants["clone"].pools == Pools(ready=2, defense=4)
    assert parry_total({"parry_point_pool": "defense"}) == 4 + 1 + 2 + 4


def test_a_tie_with_a_parry_half_hits() -> None:
    """MAM-INTF-06, option `half_success`."""
    for rules, outcome in (({}, "half"), ({"half_success": "never"}, "fail")):
        assert parried(rules).when(Resolve(6, attack_die=6, defense_die=3)).one(AttackResolved).outcome == outcome


@pytest.mark.parametrize(
    ("order", "code"),
    [
        (Parry("clone", 7, "club"), "unknown_weapon"),
        (Parry("modre", 7), "bad_target"),
        (Parry("sentry", 7, action=6), "unknown_action"),
        (Parry("clone", 6), "no_such_exchange"),
    ],
)
def test_an_impossible_parry_is_refused(order: Command, code: str) -> None:
    """MAM-INTF-06."""
    given(*duel_orders(MODRE, CLONE, SENTRY), Attack("modre", "clone", power=1)).when(order).raises(code)


def test_a_parry_needs_a_ready_point_and_an_attack() -> None:
    """MAM-INTF-06."""
    fight = given(*duel_orders(clone=with_pools(CLONE, defense=6)), Attack("modre", "clone", power=1))
    fight.when(Parry("clone", 6)).raises("not_enough_ready", "MAM-INTF-06")
    given(*DUEL, Act("modre", "shouts")).when(Parry("clone", 6)).raises("no_attack", "MAM-INTF-06")


def ally_parries(rules: dict[str, str] | None = None, sentry: Body | None = None) -> GivenFight:
    """Let Modre attack the Clone (ruling 7), and the sentry parry for the Clone (ruling 8)."""
    guard = replace(with_pools(SENTRY, ready=2, defense=3), weapon=(GUARD,), parry=2, body=sentry or SENTRY.body)
    fight = given(
        *duel_orders(MODRE, CLONE, guard), Attack("modre", "clone", "ice-blade", power=2, modifier=1), rules=rules
    )
    return fight.after(Parry("sentry", 7, "guard"))


def test_a_parry_for_an_ally_is_an_interference_for_one_point() -> None:
    """MAM-INTF-06, MAM-INTF-01: it has its own die, and the target still rolls defense."""
    fight = ally_parries()
    assert fight.state.combatants["sentry"].pools == Pools(ready=1, defense=3, other_used=1)
    result = fight.when(Resolve(7, attack_die=2, defense_die=1, interference_die={"8": 3}))
    attack, parry = result.one(AttackRolled), result.one(ParryRolled)
    assert parry.modifiers[:3] == (
        Modifier("guard", 1, "MAM-INTF-06"),
        Modifier("parry modifier", 3, "MAM-INTF-06"),
        Modifier("defense pool", 3, "MAM-INTF-06"),
    )
    assert parry.total == 3 + 1 + 3 + 3 > attack.total
    assert (result.one(AttackResolved).outcome, result.one(InterferenceResolved).outcome) == ("fail", "full")
    assert result.one(AttackResolved).why == "stopped by Sentry's parry (8)"
    fight.when(Parry("clone", 7)).one(ParryDeclared)


def test_a_parry_for_an_ally_that_is_not_higher_fails() -> None:
    """MAM-INTF-01, MAM-INTF-06, options `interference_tie` and `parry_modifiers`."""
    faces = Resolve(7, attack_die=6, defense_die=1, interference_die={"8": 1})
    result = ally_parries({"parry_modifiers": "parry_and_passive_only"}).when(faces)
    assert (result.one(AttackRolled).total, result.one(ParryRolled).total) == (8, 7)
    assert (result.one(AttackResolved).outcome, result.one(InterferenceResolved).outcome) == ("full", "fail")


def test_the_target_of_a_counterattack_can_parry_it() -> None:
    """MAM-INTF-02, MAM-INTF-06: an interference may be interfered with."""
    fight = given(*duel_orders(MODRE, CLONE), Attack("modre", "clone", "ice-blade", power=1, modifier=1))
    fight.after(Counterattack("clone", 6, power=1), Parry("modre", 6, "ice-blade", 7))
    result = fight.when(Resolve(6, attack_die=1, defense_die=2, interference_die={"8": 6}))
    assert (result.one(InterferenceResolved).against, result.one(AttackResolved).outcome) == (7, "full")
    fight.when(Parry("modre", 6)).raises("bad_target", "MAM-INTF-01")


def test_a_stopped_action_still_costs_its_points() -> None:
    """MAM-INTF-01."""
    result = roll_exchange(machine().after(Interfere("hero", 7, 7, points=2, bonus=9)), 1, n8=1)
    assert (result.one(ActionResolved).outcome, result["modre"].pools) == ("fail", Pools(ready=4, other_used=2))


def test_the_turn_continues_after_the_exchange() -> None:
    """MAM-INTF-02."""
    fight = tackled().after(Resolve(7, attack_die=1, interference_die={"8": 1, "9": 1}))
    fight.when(Interfere("hero", 7, 7, points=1)).raises("no_such_exchange")
    fight.when(Act("modre", "runs", points=4)).one(ActionDeclared)
    fight.when(EndTurn("modre")).all()


def test_an_action_is_only_rolled_against_interference() -> None:
    """MAM-INTF-01."""
    assert roll_exchange(machine().after(Interfere("hero", 7, 7, points=1)), 5, n8=1).one(ActionRolled).total == 5


@pytest.mark.parametrize(("reading", "hurt"), [("versus_target_total", 4), ("versus_fixed_difficulty", 7)])
def test_an_unopposed_interfering_attack_can_be_an_automatic_success(reading: str, hurt: int) -> None:
    """MAM-ATK-11, MAM-ROLL-02, `interference_roll`: two natural 20s cancel each other if both dice count."""
    club = Weapon("club", name="Club", power=3, attack=9)
    house = {
        "combat_die": "d20",
        "automatic_success_in_opposed_rolls": "either_side",
        "critical_hit": "on",
        "interference_roll": reading,
    }
    fight = given(
        *duel_orders(replace(MODRE, hp=12), CLONE, replace(SENTRY, weapon=(club,))),
        Attack("modre", "clone", "ice-blade", power=1, modifier=1),
        Interfere("sentry", 7, 7, weapon="club", power=1),
        rules=house,
    )
    wound = fight.when(Resolve(7, 20, 1, {"8": 20})).all(WoundInflicted)[0]
    assert (wound.combatant, wound.stun + wound.damage) == ("modre", hurt)

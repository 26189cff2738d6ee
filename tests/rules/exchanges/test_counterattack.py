"""Immediate counterattacks with ready points."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from mam_events.commands import (
    Attack,
    Body,
    Command,
    Counterattack,
    Interfere,
    Parry,
    Pass,
    Resolve,
)
from mam_events.events import (
    AttackResolved,
    CounterattackDeclared,
    CounterattackResolved,
    DefenseRolled,
    HitPointsSpent,
    InterferenceResolved,
    ParryDeclared,
    ReactionPassed,
    WoundInflicted,
)
from mam_events.state import Pools
from tests.fighters import CLONE, DUEL, MODRE, SENTRY, duel_orders, with_pools
from tests.spec import CommandResult, GivenFight, given

D20 = {"combat_die": "d20"}
BLADE = Attack("modre", "clone", "ice-blade", power=1, modifier=2)


def striking_back(rules: dict[str, str] | None = None, *, power: int = 2, modifier: int = 1) -> GivenFight:
    """Let Modre attack with three points, and the Clone, with body modifiers 2 and 0, counterattack (ruling 7)."""
    fight = given(*duel_orders(with_pools(MODRE, ready=6), with_pools(CLONE, ready=6)), BLADE, rules=rules)
    return fight.after(Counterattack("clone", 6, power=power, modifier=modifier))


def outcomes(result: CommandResult) -> tuple[str, str]:
    """Return the outcomes of the attack and of the counterattack."""
    return result.one(AttackResolved).outcome, result.one(CounterattackResolved).outcome


def test_a_counterattack_spends_ready_points_in_another_turn() -> None:
    """MAM-ATK-12."""
    given(*DUEL, BLADE).when(Counterattack("clone", 6, power=2, modifier=1)).then(
        CounterattackDeclared(6, 7, "clone", "modre", "body", 2, 1),
        HitPointsSpent("clone", "counterattack", 1, 2, Pools(ready=3, defense=1, other_used=2)),
    )


def test_a_counterattack_replaces_the_defense_roll() -> None:
    """MAM-ATK-12, MAM-INTF-03."""
    result = striking_back().when(Resolve(6, attack_die=6, defense_die=4))
    assert not result.all(DefenseRolled)
    assert outcomes(result) == ("full", "fail")


@pytest.mark.parametrize(
    ("order", "code"),
    [
        (Counterattack("clone", 7), "below_required_amount"),
        (Counterattack("clone", 7, power=3, modifier=1), "exceeds_maximum"),
        (Counterattack("clone", 7, "axe", power=1), "unknown_weapon"),
        (Counterattack("modre", 7, power=1), "not_the_target"),
        (Counterattack("sentry", 7, power=1), "not_the_target"),
        (Counterattack("clone", 6, power=1), "no_such_exchange"),
    ],
)
def test_an_impossible_counterattack_is_refused(order: Command, code: str) -> None:
    """MAM-ATK-12, MAM-INTF-05."""
    given(*duel_orders(MODRE, CLONE, SENTRY), BLADE).when(order).raises(code)


def test_a_counterattack_needs_enough_ready_points() -> None:
    """MAM-ATK-12."""
    fight = given(*duel_orders(clone=with_pools(CLONE, ready=1, defense=5)), BLADE)
    fight.when(Counterattack("clone", 6, power=2)).raises("not_enough_ready", "MAM-ATK-12")


def test_a_combatant_who_counterattacks_cannot_react_again() -> None:
    """MAM-ATK-12, MAM-INTF-03."""
    fight = striking_back()
    for order in (
        Counterattack("clone", 6, power=1),
        Parry("clone", 6),
        Interfere("clone", 6, 6, points=1),
    ):
        error = fight.when(order).raises("already_answered", "MAM-INTF-03")
    assert error.sentence.startswith("Clone already answers with a counterattack")


def test_the_target_may_pass_once_and_still_react() -> None:
    """Passing costs nothing, and a reaction is still possible (MAM-INTF-03)."""
    fight = given(*duel_orders(with_pools(MODRE, ready=6), with_pools(CLONE, ready=6)), BLADE)
    result = fight.when(Pass("clone", 6))
    result.then(ReactionPassed(6, "clone"))
    fight = fight.after(Pass("clone", 6))
    fight.when(Pass("clone", 6)).raises("already_answered")
    fight.when(Parry("clone", 6)).one(ParryDeclared)
    fight.when(Pass("modre", 6)).raises("not_the_target", "MAM-INTF-03")
    fight.after(Parry("clone", 6)).when(Pass("clone", 6)).raises("already_answered", "MAM-INTF-03")
    fight.when(Resolve(6, attack_die=6, defense_die=1)).one(AttackResolved)


def test_a_higher_counterattack_that_wounds_stops_the_attack() -> None:
    """MAM-ATK-12, MAM-INTF-04, option `pool_counterattack`."""
    result = striking_back().when(Resolve(6, attack_die=1, defense_die=6))
    assert outcomes(result) == ("fail", "full")
    assert (result.one(WoundInflicted).combatant, result["modre"].pools.damage) == ("modre", 2)


def test_a_higher_counterattack_without_effect_does_not_defend() -> None:
    """MAM-ATK-12, MAM-INTF-04, option `ineffective_counter_defends`."""
    result = striking_back(power=0).when(Resolve(6, attack_die=1, defense_die=6))
    assert outcomes(result) == ("full", "fail")
    assert result.one(WoundInflicted).combatant == "clone"


def test_an_option_lets_a_counterattack_without_effect_defend() -> None:
    """MAM-ATK-12, MAM-INTF-04, option `ineffective_counter_defends`."""
    result = striking_back({"ineffective_counter_defends": "yes"}, power=0).when(
        Resolve(6, attack_die=1, defense_die=6)
    )
    assert (outcomes(result), result.all(WoundInflicted)) == (("fail", "fail"), [])


def test_a_tie_half_hits_for_both_or_misses_for_both() -> None:
    """MAM-ATK-12, options `half_success` and `half_rounding`."""
    result = striking_back().when(Resolve(6, attack_die=4, defense_die=4))
    assert outcomes(result) == ("half", "half")
    assert [(wound.combatant, wound.stun + wound.damage) for wound in result.all(WoundInflicted)] == [
        ("clone", 2),
        ("modre", 1),
    ]
    never_result = striking_back({"half_success": "never"}).when(Resolve(6, attack_die=4, defense_die=4))
    assert (outcomes(never_result), never_result.all(WoundInflicted)) == (("fail", "fail"), [])


def test_an_option_makes_a_counterattack_only_defend() -> None:
    """MAM-ATK-12, option `pool_counterattack`."""
    fight = striking_back({"pool_counterattack": "defense_only"})
    result = fight.when(Resolve(6, attack_die=1, defense_die=6))
    assert (outcomes(result), result.all(WoundInflicted)) == (("fail", "fail"), [])
    tie = fight.when(Resolve(6, attack_die=4, defense_die=4))
    assert (outcomes(tie), [wound.combatant for wound in tie.all(WoundInflicted)]) == (("half", "fail"), ["clone"])


def test_both_can_hit_if_each_attack_is_rolled_against_the_others_defense() -> None:
    """MAM-ATK-12, option `pool_counterattack`: 6+1+2 against 5+0+1, and 5+2+1 against 6+0+2 or 2+0+2."""
    fight = striking_back({"pool_counterattack": "simultaneous_exchange"})
    assert outcomes(fight.when(Resolve(6, attack_die=6, defense_die=5))) == ("full", "half")
    result = fight.when(Resolve(6, attack_die=4, defense_die=5))
    assert (outcomes(result), [w.combatant for w in result.all(WoundInflicted)]) == (
        ("full", "full"),
        ["clone", "modre"],
    )


def test_simultaneous_attacks_use_a_fixed_defense_if_the_option_says_so() -> None:
    """MAM-ATK-12, options `pool_counterattack` and `defense_resolution`: 8+1+2 and 10+2+1 against 10+1 and 10+2."""
    rules = D20 | {"pool_counterattack": "simultaneous_exchange", "defense_resolution": "fixed_difficulty"}
    result = striking_back(rules).when(Resolve(6, attack_die=8, defense_die=10))
    assert outcomes(result) == ("half", "full")


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
def test_a_natural_20_counts_against_a_counterattack(
    scope: str, faces: tuple[int, int], expected: tuple[str, str]
) -> None:
    """MAM-ATK-12, option `automatic_success_in_opposed_rolls`."""
    strong = replace(CLONE, body=Body(attack=30))
    rules = D20 | {"automatic_success_in_opposed_rolls": scope}
    fight = given(*duel_orders(clone=strong), BLADE, Counterattack("clone", 6, power=2, modifier=1), rules=rules)
    assert outcomes(fight.when(Resolve(6, *faces))) == expected


def test_a_natural_20_counts_in_a_simultaneous_exchange() -> None:
    """MAM-ATK-12, options `pool_counterattack` and `automatic_success_in_opposed_rolls`."""
    fortress = replace(CLONE, body=Body(attack=2, defense=40))
    rules = D20 | {"pool_counterattack": "simultaneous_exchange", "automatic_success_in_opposed_rolls": "attacker_only"}
    fight = given(*duel_orders(clone=fortress), BLADE, Counterattack("clone", 6, power=2, modifier=1), rules=rules)
    assert outcomes(fight.when(Resolve(6, attack_die=20, defense_die=2))) == ("full", "fail")
    assert outcomes(fight.when(Resolve(6, attack_die=19, defense_die=2))) == ("fail", "fail")


def test_a_counterattack_half_hits_after_a_tied_interference() -> None:
    """MAM-ATK-12, MAM-INTF-01, option `interference_tie`."""
    fight = given(*duel_orders(MODRE, CLONE, SENTRY), BLADE, rules={"interference_tie": "half_each"})
    fight.after(Counterattack("clone", 7, power=2, modifier=1), Interfere("sentry", 7, 8, points=3, bonus=5))
    result = fight.when(Resolve(7, attack_die=1, defense_die=6, interference_die={"9": 4}))
    assert outcomes(result) == ("fail", "half")
    assert result["modre"].pools.damage == 1


def test_a_counterattack_uses_its_own_roll_if_others_stopped_the_attack() -> None:
    """MAM-ATK-12, MAM-INTF-01."""
    fight = given(*duel_orders(MODRE, CLONE, SENTRY), Attack("modre", "clone", "ice-blade", power=3))
    fight.after(Counterattack("clone", 7, power=3), Interfere("sentry", 7, 7, points=3, bonus=9))
    result = fight.when(Resolve(7, attack_die=1, defense_die=6, interference_die={"9": 1}))
    assert result.one(InterferenceResolved).outcome == "full"
    assert outcomes(result) == ("fail", "full")
    assert "Sentry's interference (9)" in result.one(AttackResolved).why
    assert result["modre"].pools.damage == 3

"""The power of attacks: double power, random damage, critical hits, and sharpness classes."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from msgspec.structs import replace

from mam_events.commands import Attack, Counterattack, Move, Resolve
from mam_events.decider.strikes import StrikeRoll
from mam_events.events import AttackResolved, CounterattackResolved, Modifier, WoundInflicted
from mam_events.rules.attack.power import Strength, multiply_power
from mam_events.rules.rulebook import rulebook
from mam_events.state import SharpnessClass
from tests.fighters import CLONE, ICE_BLADE, MODRE, duel_orders
from tests.rules.fights.armor import BLADE, D20, DOUBLE
from tests.spec import given

AUTOMATIC = D20 | {"automatic_success_in_opposed_rolls": "attacker_only"}
CRITICAL = AUTOMATIC | {"critical_hit": "on"}


def resolve(attack: Attack, attack_die: int, rules: dict[str, str] | None = None) -> AttackResolved:
    event: AttackResolved = (
        given(*duel_orders(), attack, rules=rules).when(Resolve(6, attack_die, 1)).one(AttackResolved)
    )
    return event


def test_power_is_the_weapon_plus_points_on_power() -> None:
    """MAM-ATK-05."""
    event = resolve(replace(BLADE, power=4), 6)
    assert (event.power, event.modifiers) == (7, ())


def test_double_power_doubles_the_weapon_or_the_total() -> None:
    """MAM-ATK-10: weapon 3 and 1 point."""
    assert resolve(DOUBLE, 6).modifiers == (Modifier("double power", 3, "MAM-ATK-10"),)
    assert resolve(DOUBLE, 6).power == 7
    assert resolve(DOUBLE, 6, {"double_power_scope": "total_power"}).power == 8


def test_an_option_limits_double_power_to_powerful_attacks() -> None:
    """MAM-ATK-10."""
    powerful = replace(BLADE, mode="powerful")
    only = {"double_power_attacks": "powerful_only"}
    assert resolve(powerful, 6).power == resolve(powerful, 6, only).power == 7
    given(*duel_orders(), rules=only).when(DOUBLE).raises("idle_double_power", "MAM-ATK-10")


def test_random_damage_doubles_power_on_a_natural_13_or_higher() -> None:
    """MAM-ATK-10."""
    rules = D20 | {"random_damage": "on"}
    assert [resolve(DOUBLE, face, rules).power for face in (12, 13)] == [4, 7]
    substitute = rules | {"combat_die": "d20_substitute"}
    assert [resolve(DOUBLE, face, substitute).power for face in (6, 7)] == [4, 7]


def test_a_critical_hit_adds_weapon_power_once_even_with_double_power() -> None:
    """MAM-ATK-11."""
    assert resolve(BLADE, 20, CRITICAL).power == 7
    double = resolve(DOUBLE, 20, CRITICAL | {"random_damage": "on"})
    assert (double.power, [modifier.name for modifier in double.modifiers]) == (10, ["double power", "critical hit"])
    assert resolve(DOUBLE, 20, CRITICAL | {"double_power_scope": "total_power"}).power == 11


def test_only_an_automatic_success_is_a_critical_hit() -> None:
    """MAM-ATK-11, MAM-ROLL-02."""
    assert resolve(BLADE, 19, CRITICAL).power == 4
    assert resolve(BLADE, 20, CRITICAL | {"automatic_success_in_opposed_rolls": "off"}).power == 4
    substitute = CRITICAL | {"combat_die": "d20_substitute"}
    for second, power in ((6, 7), (5, 4)):
        order = Resolve(6, 10, 1, confirmation_die={"attack": second})
        assert given(*duel_orders(), BLADE, rules=substitute).when(order).one(AttackResolved).power == power


def test_a_counterattack_can_be_a_critical_hit_under_either_side() -> None:
    """MAM-ATK-11, MAM-ATK-12."""
    clone = replace(CLONE, weapon=(replace(ICE_BLADE, id="axe", reach=Decimal(1)),))
    before = (*duel_orders(clone=clone), replace(BLADE, power=2), Counterattack("clone", 6, "axe", power=2))
    for scope, power in (("either_side", 8), ("attacker_only", 5)):
        rules = CRITICAL | {"automatic_success_in_opposed_rolls": scope}
        assert given(*before, rules=rules).when(Resolve(6, 3, 20)).one(CounterattackResolved).power == power


def test_total_power_includes_the_charge_and_is_rounded_last() -> None:
    """MAM-ATK-10, MAM-ATK-05."""
    rules = rulebook().ruleset("mam_pools", {"double_power_scope": "total_power", "charge_rounding": "exact"})
    power, modifiers = multiply_power(Strength(3, 1, Fraction(3, 2)), StrikeRoll(6), rules, double=True)
    assert (power, [(modifier.name, modifier.value) for modifier in modifiers]) == (
        11,
        [("charge", 1), ("double power", 6)],
    )
    assert power == 3 + 1 + sum(modifier.value for modifier in modifiers)


def test_the_charge_is_listed_separately_from_double_power() -> None:
    """MAM-ATK-10, MAM-ATK-05."""
    runner = replace(MODRE, stride=Decimal(4))
    run = Move("modre", points=2, metres=Decimal(7), straight=True)
    fight = given(*duel_orders(runner), run, DOUBLE)
    assert fight.when(Resolve(7, 6, 1)).one(AttackResolved).modifiers == (
        Modifier("charge", 2, "MAM-ATK-07"),
        Modifier("double power", 3, "MAM-ATK-10"),
    )


@pytest.mark.parametrize(("kind", "wound"), [("sharp", (0, 5)), ("ordinary", (3, 2)), ("padded", (5, 0))])
def test_the_sharpness_class_splits_power_into_stun_and_damage(kind: SharpnessClass, wound: tuple[int, int]) -> None:
    """MAM-WND-04: power 5."""
    armed = replace(MODRE, weapon=(replace(ICE_BLADE, sharpness_class=kind),))
    hit = given(*duel_orders(armed), replace(BLADE, power=2)).when(Resolve(6, 6, 1)).one(WoundInflicted)
    assert (hit.stun, hit.damage) == wound

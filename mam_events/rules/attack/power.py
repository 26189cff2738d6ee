"""The force with which an attack strikes: weapon, points, charge, doubling, a critical hit (MAM-ATK-05, -07, -10,
-11).
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import floor

from msgspec import Struct
from msgspec.structs import replace

from mam_events.commands import Attack
from mam_events.decider.engine import Ruleset
from mam_events.decider.strikes import StrikeRoll
from mam_events.errors import Refused
from mam_events.events import Modifier
from mam_events.state import Action, Combatant, Encounter, Weapon

RUN_UP = 5
"""Metres in a straight line beyond which a charge adds to the power (MAM-ATK-07)."""
NO_MULTIPLIER = Fraction(0)
RANDOM_DAMAGE = 13
"""The natural face from which on a double-power attack is doubled, where damage is random (MAM-ATK-10)."""


def charge_bonus(metres: Decimal, ruleset: Ruleset) -> Fraction:
    """The power that a straight run of so many metres adds (MAM-ATK-07, `charge_rounding`)."""
    if metres <= RUN_UP:
        return NO_MULTIPLIER
    more = Fraction(metres) - RUN_UP
    return Fraction(floor(more)) if ruleset["charge_rounding"] == "floor" else more


def run_up(state: Encounter, ruleset: Ruleset, attacker: Combatant, *, missile: bool = False) -> Decimal:
    """The distance that it has come in a straight line in this turn, in metres: on its own feet, or its mount's
    (MAM-MNT-04); 0 for a missile where only a blow carries the run (`charge_of_missiles`).

    An attack that was made out of that run has used it up (`charge_scope`).
    """
    if missile and ruleset["charge_of_missiles"] == "hand_to_hand_only":
        return Decimal(0)
    straight = _straight(state, attacker)
    if not straight or ruleset["charge_scope"] == "every_attack":
        return straight
    runner = state.combatants.get(attacker.status.mount, attacker)
    return straight - runner.status.charges.get(attacker.id, Decimal(0))


def with_run_up(state: Encounter, action: Action) -> Action:
    """The action with what is left of the run that it was declared out of: who was thrown, or has fallen, does not
    charge (MAM-ATK-07).
    """
    charge = action.terms.charge
    left = min(charge, _straight(state, state.combatants[action.combatant])) if charge else charge
    return action if left == charge else replace(action, terms=replace(action.terms, charge=left))


def _straight(state: Encounter, attacker: Combatant) -> Decimal:
    mount = state.combatants.get(attacker.status.mount)
    return attacker.status.straight if mount is None else _ridden(attacker, mount)


def _ridden(attacker: Combatant, mount: Combatant) -> Decimal:
    # Whoever rides does not run. The mount goes in a turn of its own, so what it went since that began counts until the
    # next begins; but not a run that its rider was not there for, nor the speed of an animal that has attacked itself.
    carried = mount.status.turns > attacker.status.saddle.since and not mount.status.temper.attacked
    return mount.status.straight if carried else Decimal(0)


def double_flags(ruleset: Ruleset) -> tuple[bool, ...]:
    """The flags of double power that an attack may have (`double_power_attacks`)."""
    return (False, True) if ruleset["double_power_attacks"] == "flag_on_attack" else (False,)


def check_double_power(command: Attack, ruleset: Ruleset) -> None:
    """Refused with `idle_double_power` where only powerful attacks are doubled."""
    if command.double_power and True not in double_flags(ruleset):
        raise Refused("idle_double_power", rule="MAM-ATK-10", fields=("double_power",))


def is_double_power(action: Action) -> bool:
    """True if an attack is one of double power: a powerful one, or flagged so (MAM-COMBO-05)."""
    terms = action.terms
    return terms.double_power or terms.mode == "powerful" or terms.thrown == "powerful"


class Strength(Struct, frozen=True):
    """The parts of a strike's power: the weapon's own, the points put into it, the charge before it."""

    weapon: int
    points: int = 0
    charge: Fraction = Fraction(0)


def multiply_power(
    strength: Strength, struck: StrikeRoll, ruleset: Ruleset, *, double: bool
) -> tuple[int, tuple[Modifier, ...]]:
    """The power of a strike, and what it is made of beside weapon and points (MAM-ATK-10, MAM-ATK-11).

    A double-power attack counts the weapon's power twice (`double_power_scope`: or all of it), with random damage only
    from a natural 13 on; a critical hit counts the weapon's power once more.
    """
    critical = struck.automatic and ruleset["critical_hit"] == "on"
    if not (strength.charge or double or critical):
        return strength.weapon + strength.points, ()
    plain = strength.weapon + strength.points + strength.charge
    parts: list[tuple[str, Fraction, str]] = [("charge", strength.charge, "MAM-ATK-07")]
    weapon = Fraction(strength.weapon)
    random = ruleset["random_damage"] == "on"
    if double and (not random or (struck.face or 0) >= RANDOM_DAMAGE):
        whole = ruleset["double_power_scope"] == "total_power"
        parts.append(("double power", plain if whole else weapon, "MAM-ATK-10"))
    if critical:
        parts.append(("critical hit", weapon, "MAM-ATK-11"))
    exact, power = Fraction(strength.weapon + strength.points), strength.weapon + strength.points
    made = []
    for name, more, rule in parts:
        exact += more
        # Points are whole: what an exactly counted charge leaves over is lost only at the end.
        made.append(Modifier(name, floor(exact) - power, rule))
        power = floor(exact)
    return power, tuple(modifier for modifier in made if modifier.value)


def power_of(action: Action, weapon: Weapon, struck: StrikeRoll, ruleset: Ruleset) -> tuple[int, tuple[Modifier, ...]]:
    """The power of an action that strikes, and what it is made of."""
    strength = Strength(weapon.power, action.power, charge_bonus(action.terms.charge, ruleset))
    return multiply_power(strength, struck, ruleset, double=is_double_power(action))

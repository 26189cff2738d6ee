"""The power of an attack: weapon, points, charge, doubling, critical hits.

MAM-ATK-05, MAM-ATK-07, MAM-ATK-10, MAM-ATK-11.
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
"""The lowest natural face that doubles a double-power attack if damage is random (MAM-ATK-10)."""


def charge_bonus(metres: Decimal, ruleset: Ruleset) -> Fraction:
    """Return the power that a straight run of that many metres adds (MAM-ATK-07, `charge_rounding`)."""
    if metres <= RUN_UP:
        return NO_MULTIPLIER
    more = Fraction(metres) - RUN_UP
    return Fraction(floor(more)) if ruleset["charge_rounding"] == "floor" else more


def run_up(state: Encounter, ruleset: Ruleset, attacker: Combatant, *, missile: bool = False) -> Decimal:
    """Return the metres that the attacker has come in a straight line in this turn.

    A rider counts the mount's run (MAM-MNT-04). A missile counts 0 if only melee attacks carry the run
    (`charge_of_missiles`). An earlier attack out of the same run has used it up (`charge_scope`).
    """
    if missile and ruleset["charge_of_missiles"] == "hand_to_hand_only":
        return Decimal(0)
    straight = _straight(state, attacker)
    if not straight or ruleset["charge_scope"] == "every_attack":
        return straight
    runner = state.combatants.get(attacker.status.mount, attacker)
    return straight - runner.status.charges.get(attacker.id, Decimal(0))


def with_run_up(state: Encounter, action: Action) -> Action:
    """Return the action with what is left of its charge: a thrown or fallen attacker does not charge (MAM-ATK-07)."""
    charge = action.terms.charge
    remaining = min(charge, _straight(state, state.combatants[action.combatant])) if charge else charge
    return action if remaining == charge else replace(action, terms=replace(action.terms, charge=remaining))


def _straight(state: Encounter, attacker: Combatant) -> Decimal:
    mount = state.combatants.get(attacker.status.mount)
    return attacker.status.straight if mount is None else _ridden(attacker, mount)


def _ridden(attacker: Combatant, mount: Combatant) -> Decimal:
    # A rider does not run. The mount moves in a turn of its own, so its run counts until its next turn begins. A run
    # without its rider does not count, and neither does that of an animal that has itself attacked.
    carried = mount.status.turns > attacker.status.saddle.since and not mount.status.temper.attacked
    return mount.status.straight if carried else Decimal(0)


def double_flags(ruleset: Ruleset) -> tuple[bool, ...]:
    """Return the values that an attack's `double_power` may have (`double_power_attacks`)."""
    return (False, True) if ruleset["double_power_attacks"] == "flag_on_attack" else (False,)


def check_double_power(command: Attack, ruleset: Ruleset) -> None:
    """Raise Refused with `idle_double_power` if only powerful attacks are doubled."""
    if command.double_power and True not in double_flags(ruleset):
        raise Refused("idle_double_power", rule="MAM-ATK-10", fields=("double_power",))


def is_double_power(action: Action) -> bool:
    """Return True if an attack has double power: it is powerful, or flagged so (MAM-COMBO-05)."""
    terms = action.terms
    return terms.double_power or terms.mode == "powerful" or terms.thrown == "powerful"


class Strength(Struct, frozen=True):
    """The parts of a strike's power: the weapon's own, the points put into it, the charge before it."""

    weapon: int
    points: int = 0
    charge: Fraction = Fraction(0)


def multiply_power(
    strength: Strength, strike: StrikeRoll, ruleset: Ruleset, *, double: bool
) -> tuple[int, tuple[Modifier, ...]]:
    """Return the power of a strike, and its parts other than weapon and points (MAM-ATK-10, MAM-ATK-11).

    A double-power attack counts the weapon's power twice (`double_power_scope`: or all of it). With random damage it
    does so only from a natural 13 on. A critical hit counts the weapon's power once more.
    """
    critical = strike.automatic and ruleset["critical_hit"] == "on"
    if not (strength.charge or double or critical):
        return strength.weapon + strength.points, ()
    plain = strength.weapon + strength.points + strength.charge
    parts: list[tuple[str, Fraction, str]] = [("charge", strength.charge, "MAM-ATK-07")]
    weapon = Fraction(strength.weapon)
    random = ruleset["random_damage"] == "on"
    if double and (not random or (strike.face or 0) >= RANDOM_DAMAGE):
        is_total = ruleset["double_power_scope"] == "total_power"
        parts.append(("double power", plain if is_total else weapon, "MAM-ATK-10"))
    if critical:
        parts.append(("critical hit", weapon, "MAM-ATK-11"))
    exact, power = Fraction(strength.weapon + strength.points), strength.weapon + strength.points
    modifiers = []
    for name, more, rule in parts:
        exact += more
        # Points are whole: an exactly counted charge loses its fraction only at the end.
        modifiers.append(Modifier(name, floor(exact) - power, rule))
        power = floor(exact)
    return power, tuple(modifier for modifier in modifiers if modifier.value)


def power_of(action: Action, weapon: Weapon, strike: StrikeRoll, ruleset: Ruleset) -> tuple[int, tuple[Modifier, ...]]:
    """Return the power of an action that strikes, and its parts other than weapon and points."""
    strength = Strength(weapon.power, action.power, charge_bonus(action.terms.charge, ruleset))
    return multiply_power(strength, strike, ruleset, double=is_double_power(action))

"""The numbers of manipulation: grips, their results, the range of a thrown body (MAM-MNP)."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from msgspec import Struct

from mam_events.decider.engine import Ruleset
from mam_events.decider.strikes import StrikeRoll
from mam_events.errors import Refused
from mam_events.rules.attack.attacks import weapon_of
from mam_events.rules.attack.power import power_of
from mam_events.rules.health.wounds import halve
from mam_events.rules.missiles.thrown_weapons import hand_reach
from mam_events.rules.rolls.dice_substitutes import RollResult
from mam_events.state import GRIPS, Action, Combatant, Encounter, FollowUp, Manipulation, Surface, Weapon
from mam_events.values import OutcomeField, decimal_of

MISSILE_LOSS = 5
"""The amount by which a missile's manipulation modifier is below its attack power (MAM-MNP-03)."""


class Grip(Struct, frozen=True):
    """The force of a manipulation: the modifier, the target's size to subtract from it, and the power of a hit."""

    modifier: int
    size: int
    power: int = 0


class ManipulationResult(Struct, frozen=True):
    """The result of a manipulation: its advantage over the target, whether it takes effect, the penalty on rolls."""

    advantage: int
    effective: bool
    penalty: int


def by_size(attacker_size: int, points: int, target_size: int) -> Grip:
    """Return the grip of a manipulation by hand: the attacker's size and the points used (MAM-MNP-01)."""
    return Grip(attacker_size + points, target_size)


def by_missile(attack_power: int, target_size: int) -> Grip:
    """Return the grip of a manipulation by a missile: its attack power less 5, at least 0 (MAM-MNP-03)."""
    return Grip(max(0, attack_power - MISSILE_LOSS), target_size)


def by_squeezing(attack_power: int, attacker_size: int, target_size: int, ruleset: Ruleset) -> Grip:
    """Return the grip of a choke or wrench: the larger half of its power manipulates, the smaller hits (MAM-MNP-06).

    `choke_size_difference` says whether sizes count besides the larger half.
    """
    smaller = max(0, attack_power) // 2
    larger = max(0, attack_power) - smaller
    if ruleset["choke_size_difference"] == "excluded":
        return Grip(larger, 0, smaller)
    return Grip(attacker_size + larger, target_size, smaller)


def manipulation_result(
    grip: Grip, outcome: OutcomeField, ruleset: Ruleset, follow_up: FollowUp = "none"
) -> ManipulationResult:
    """Return the result of a manipulation with that grip (MAM-MNP-01, `manipulation_no_advantage`).

    A half success halves the penalty: always for a hold (MAM-MNP-05), else if `half_manipulation` says so. Under its
    other reading a manipulation without a follow-up does nothing.
    """
    advantage = grip.modifier - grip.size
    effective = advantage > 0 or ruleset["manipulation_no_advantage"] == "still_successful"
    penalty = max(0, advantage)
    if outcome == "half":
        if follow_up in GRIPS or ruleset["half_manipulation"] == "half_modifier":
            penalty = halve(penalty, ruleset)
        else:
            effective, penalty = effective and follow_up != "none", 0
    return ManipulationResult(advantage, effective, penalty)


def futile_grip(state: Encounter, ruleset: Ruleset, action: Action) -> Grip | None:
    """Return the grip of a manipulation by hand that does nothing however well it is rolled, else None (MAM-MNP-01).

    It depends on `manipulation_no_advantage`. Return None for one that may do something, or whose power depends on a
    die.
    """
    what = action.manipulation
    if what is None or what.follow_up in ("choke", "wrench") or action.terms.missile:
        return None
    sizes = [state.combatants[name].statistics.size for name in (action.combatant, action.target)]
    grip = by_size(sizes[0], what.points, sizes[1])
    return None if manipulation_result(grip, "full", ruleset, what.follow_up).effective else grip


def thrown_reach(lengths: tuple[Decimal, ...], reach: Fraction, metres: Decimal) -> Fraction:
    """Return the distance that a body is thrown, in metres (MAM-MNP-09).

    It is three quarters of its longest measure, plus the thrower's reach, plus the distance that the thrower moves.
    """
    return Fraction(3, 4) * Fraction(max(lengths, default=Decimal(0))) + reach + Fraction(metres)


def reach_of_throw(thrower: Combatant, target: Combatant, metres: Decimal) -> Fraction:
    """Return the distance that one combatant throws the other, in metres (MAM-MNP-09)."""
    return thrown_reach(target.statistics.lengths, hand_reach(thrower), metres)


def check_flight(thrower: Combatant, target: Combatant, metres: Decimal, advance: Decimal) -> None:
    """Raise Refused with `out_of_range` if the target cannot be thrown that far with that advance (MAM-MNP-09)."""
    reach = reach_of_throw(thrower, target, advance)
    if Fraction(metres) > reach:
        raise Refused(
            "out_of_range/flight",
            thrower=thrower,
            target=target,
            reach=reach,
            metres=metres,
            rule="MAM-MNP-09",
            fields=("distance",),
        )


def advance_of(ruleset: Ruleset, thrower: Combatant, what: Manipulation) -> Decimal:
    """Return the metres that the thrower moves in the throw: as declared, or less if it is now on the ground.

    MAM-MNV-03.
    """
    farthest = ruleset.edition.economy.farthest(ruleset, thrower, what.move) if what.advance else None
    return what.advance if farthest is None else min(what.advance, decimal_of(farthest))


def impact(surface: Surface, projectile: Combatant, ruleset: Ruleset) -> Weapon:
    """Return, as a weapon, the surface that somebody is thrown into (MAM-MNP-08, `throw_impact_power`).

    Most surfaces are blunt.
    """
    blunt = surface.sharpness is None and surface.sharpness_class is None
    return Weapon(
        "surface",
        name=surface.name,
        power=projectile.statistics.size if ruleset["throw_impact_power"] == "thrown_size" else surface.power,
        sharpness=surface.sharpness or 0,
        sharpness_class="ordinary" if blunt else surface.sharpness_class,
    )


def grip_of(state: Encounter, ruleset: Ruleset, action: Action, what: Manipulation, result: RollResult) -> Grip:
    """Return the grip of that action, whose die fell as given (MAM-MNP-01, MAM-MNP-03, MAM-MNP-06)."""
    actor, target = state.combatants[action.combatant], state.combatants[action.target]
    sizes = actor.statistics.size, target.statistics.size
    squeezing = what.follow_up in ("choke", "wrench")
    if not action.terms.missile and not squeezing:
        return by_size(sizes[0], what.points, sizes[1])
    power, _ = power_of(action, weapon_of(actor, action), StrikeRoll(result.value, result.automatic), ruleset)
    if not squeezing:
        return by_missile(power, sizes[1])
    base = action.power if ruleset["choke_power_base"] == "hit_points_only" else power
    return by_squeezing(base, *sizes, ruleset)

"""Stun and damage: how many points a hit takes, and from which pools (MAM-WND)."""

from __future__ import annotations

from msgspec import Struct

from mam_events.decider.engine import Decision, RuleModule, Ruleset
from mam_events.events import CombatantDied, CombatantIncapacitated, CombatantRecovered, WoundInflicted
from mam_events.rules.health.condition import is_incapacitated
from mam_events.rules.health.hit_points import settle_reserves
from mam_events.state import Pools, SharpnessClass, Weapon
from mam_events.values import OutcomeField

DRAIN_ORDER = ("ready", "defense", "other_used")


def halve(amount: int, ruleset: Ruleset) -> int:
    """Return half the amount; `half_rounding` rounds an odd one (MAM-ROLL-05)."""
    return (amount + 1) // 2 if ruleset["half_rounding"] == "up" else amount // 2


def split_wound(
    power: int,
    absorb: int,
    sharpness: int,
    outcome: OutcomeField,
    ruleset: Ruleset,
    sharpness_class: SharpnessClass | None = None,
) -> tuple[int, int]:
    """Return the stun and damage of a hit of that power (MAM-WND-01 to MAM-WND-04, MAM-WND-10).

    A half success halves them (MAM-ROLL-05).
    """
    through = power - absorb
    half = outcome == "half"
    if half and ruleset["half_order"] == "half_then_split":
        through = halve(through, ruleset) if through > 0 else through
        half = False
    if sharpness_class is not None or ruleset["stun_damage_split"] == "sharpness_class":
        # A sharpness class counts under every reading; an item without one is ordinary.
        stun, damage = _by_class(max(0, through), sharpness_class or "ordinary")
    elif ruleset["stun_damage_split"] == "independent_definition":
        stun, damage = max(0, through), max(0, through + sharpness)
    else:
        stun, damage = _penetrating(through, sharpness, ruleset)
    return (halve(stun, ruleset), halve(damage, ruleset)) if half else (stun, damage)


def _by_class(net: int, sharpness_class: SharpnessClass) -> tuple[int, int]:
    damage = {"sharp": net, "ordinary": net // 2, "padded": 0}[sharpness_class]
    return net - damage, damage


def _penetrating(through: int, sharpness: int, ruleset: Ruleset) -> tuple[int, int]:
    net = max(0, through)
    if sharpness > 0 and ruleset["positive_sharpness"] == "add_to_damage":
        return 0, max(0, through + sharpness)
    damage = min(net, max(0, net + sharpness))
    return net - damage, damage


class Wound(Struct, frozen=True):
    """A wound: the pools after it, the points drained from each, the stun turned to damage, the points lost."""

    pools: Pools
    drained: Pools
    overflow: int
    lost: int


def apply_wound(pools: Pools, stun: int, damage: int, ruleset: Ruleset) -> Wound:
    """Take the points of a hit from ready, then defense, then other used (MAM-POOL-10, MAM-WND-05 to MAM-WND-08).

    If nothing is left to take, stun already there turns to damage, as far as `stun_overflow` and
    `damage_when_none_available` allow it; the rest is lost.
    """
    remaining = {name: getattr(pools, name) for name in DRAIN_ORDER}
    drained = dict.fromkeys(DRAIN_ORDER, 0)
    into = {"stun": pools.stun, "damage": pools.damage}
    spills = {
        "stun": ruleset["stun_overflow"] == "per_point" or pools.available == 0,
        "damage": ruleset["damage_when_none_available"] == "draw_from_stun",
    }
    amounts = {"stun": stun, "damage": damage}
    order = ("stun", "damage") if ruleset["wound_order"] == "stun_first" else ("damage", "stun")
    overflow = lost = 0
    for kind in order:
        rest = amounts[kind]
        for name in DRAIN_ORDER:
            amount = min(rest, remaining[name])
            remaining[name] -= amount
            drained[name] += amount
            into[kind] += amount
            rest -= amount
        spilled = min(rest, into["stun"]) if spills[kind] else 0
        into["stun"] -= spilled
        into["damage"] += spilled
        overflow += spilled
        lost += rest - spilled
    return Wound(Pools(**remaining, **into), Pools(**drained), overflow, lost)


def wound(judging: Decision, name: str, exchange: int, stun: int, damage: int) -> None:
    """Record a hit on a combatant and its consequences: a fall, a death, a reserve that is short."""
    if stun <= 0 and damage <= 0:
        return
    inflicted = apply_wound(judging.state.combatants[name].pools, stun, damage, judging.ruleset)
    judging.record(
        WoundInflicted(
            name, exchange, stun, damage, inflicted.drained, inflicted.overflow, inflicted.lost, inflicted.pools
        )
    )
    settle_condition(judging, name)
    settle_reserves(judging, name)
    for follows in judging.ruleset.edition.at_wound:
        follows(judging, name)
    judging.settle()


def settle_condition(judging: Decision, name: str) -> None:
    """Record that a combatant falls, dies or gets up again, by its present pools (`all_hp_lost_state`).

    Only the game master's word brings up a combatant that the game master put down.
    """
    combatant = judging.state.combatants[name]
    reading = judging.ruleset["all_hp_lost_state"]
    pools = combatant.pools
    if combatant.is_gone or reading == "no_state":
        return
    down = is_incapacitated(combatant, judging.ruleset)
    if reading == "dead_when_all_damage" and pools.damage == pools.total:
        judging.record(CombatantDied(name))
    elif down and combatant.condition == "able":
        judging.record(CombatantIncapacitated(name))
    elif not down and combatant.condition == "incapacitated" and not combatant.status.by_word:
        judging.record(CombatantRecovered(name))


def wound_of(weapon: Weapon, power: int, absorb: int, outcome: OutcomeField, ruleset: Ruleset) -> tuple[int, int]:
    """Return the stun and damage that a hit with that weapon does (MAM-WND-03, MAM-WND-04)."""
    return split_wound(power, absorb, weapon.sharpness, outcome, ruleset, weapon.sharpness_class)


SECTION = RuleModule(
    at_join=(settle_condition,),
)

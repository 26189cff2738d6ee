"""The condition of a combatant, by the points left or by toughness and stamina (MAM-COMBO-02); the stun recovered.

By toughness, as in the d20 edition, a combatant is healthy below toughness and incapacitated from stamina on, which is
twice the toughness. `mam_events/rules/turns/boundaries.py` applies the recovery of a turn,
`mam_events/rules/maneuvering/rest_and_aim.py` the one of a rest. `mam_events/rules/health/wounds.py` splits a wound
into stun and damage.
"""

from __future__ import annotations

from mam_events.decider.action_kinds import costs_nothing, deed_name, is_quick, rule_of
from mam_events.decider.engine import RuleModule, Ruleset
from mam_events.decider.rule_tables import DeedKind
from mam_events.errors import Refused
from mam_events.refusals.arguments import Term
from mam_events.rules.health.hit_points import STAMINA, counts_toughness
from mam_events.state import Combatant, Encounter


def wound_points(combatant: Combatant) -> int:
    """Return the sum of its stun and damage."""
    return combatant.pools.stun + combatant.pools.damage


def toughness(combatant: Combatant) -> int:
    """Return the damage that it bears unhurt: half its hit points, rounded up, if no number is given."""
    number = combatant.statistics.toughness
    return combatant.hp_per_round if number is None else number


def is_healthy(combatant: Combatant, ruleset: Ruleset) -> bool:
    """Return True if it is healthy (MAM-COMBO-02, `healthy_definition`)."""
    return {
        "no_stun_or_damage": wound_points(combatant) == 0,
        "below_half_hp": 2 * wound_points(combatant) < combatant.hp,
        "below_toughness": wound_points(combatant) < toughness(combatant),
    }[ruleset["healthy_definition"]]


def is_incapacitated(combatant: Combatant, ruleset: Ruleset) -> bool:
    """Return True if it can no longer act: no point is left, or by `incapacitation` it has reached its stamina."""
    if combatant.pools.available == 0:
        return True
    return counts_toughness(ruleset.pinned) and wound_points(combatant) >= STAMINA * toughness(combatant)


def recovered_stun(combatant: Combatant, ruleset: Ruleset) -> int:
    """Return the stun that it recovers in a turn: one point, or half of it while it is down (MAM-WND-09)."""
    if combatant.condition == "incapacitated" and ruleset.get("incapacitated_recovery") == "half_stun":
        return -(-combatant.pools.stun // 2)
    return 1


def strenuous_limit(state: Encounter, ruleset: Ruleset, combatant: Combatant, deed: DeedKind) -> None:
    """Raise Refused with `not_healthy` for a strenuous action, if the house rules keep those for the healthy."""
    strenuous = ruleset.tables.deeds[deed].strenuous
    if strenuous and ruleset.get("strenuous_actions") == "healthy_only" and not is_healthy(combatant, ruleset):
        strains, rule = Term(deed_name(deed, ruleset)), rule_of(deed, ruleset)
        if ruleset["healthy_definition"] == "below_toughness":
            raise Refused(
                "not_healthy/strenuous_by_toughness",
                combatant=combatant,
                hurt=wound_points(combatant),
                toughness=toughness(combatant),
                deed=strains,
                rule=rule,
                fields=("mode",),
            )
        raise Refused(
            "not_healthy/strenuous",
            combatant=combatant,
            hurt=wound_points(combatant),
            deed=strains,
            rule=rule,
            fields=("mode",),
        )


def quick_limit(state: Encounter, ruleset: Ruleset, combatant: Combatant, deed: DeedKind) -> None:
    """Raise Refused with `not_healthy` for a quick action of an unhealthy combatant.

    This holds if a single quick action counts as a combo (`single_quick_action_when_unhealthy`).
    """
    counts = ruleset.get("single_quick_action_when_unhealthy") == "forbidden"
    if counts and is_quick(deed, ruleset) and not costs_nothing(deed, ruleset) and not is_healthy(combatant, ruleset):
        raise Refused("not_healthy/single_quick", combatant=combatant, rule="MAM-COMBO-02", fields=("combatant",))


SECTION = RuleModule(
    limits=(strenuous_limit, quick_limit),
)

"""Defaults of fields that an order omits: found in the fight, both for lines and for commands."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from mam_events.commands import Ready
from mam_events.decider.checks import is_allowed
from mam_events.errors import Refused

if TYPE_CHECKING:
    from decimal import Decimal

    from mam_events.decider.engine import Ruleset
    from mam_events.decider.offers import Template
    from mam_events.state import Combatant, Encounter


def changeable_declaration(state: Encounter) -> int:
    """Return the ruling whose declaration may be changed; raise Refused with `not_countered` if there is none."""
    if state.exchange:
        return state.exchange.id
    if state.turn and state.turn.combo:
        return state.turn.combo.id
    raise Refused("not_countered", rule="MAM-CTR-03")


def related_skills(ruleset: Ruleset, combatant: Combatant, action: str, skill: str, code: str | None) -> list[int]:
    """Return the rulings of the related skills that wait for that listed action; none if it is not rolled."""
    from mam_events.rules.ron_d6.actions import skill_and_code  # noqa: PLC0415 - reading a log needs no rules
    from mam_events.rules.ron_d6.related_skills import is_helpful  # noqa: PLC0415 - as above

    row = ruleset.tables.rd6_actions.get(action)
    if row is None or (row.rolls != "always" and not (code or skill)):
        return []
    skill_name, _ = skill_and_code(combatant, row, skill, code)
    return [one.id for one in combatant.actions.related if is_helpful(one, action, skill_name)]


def default_point_target(state: Encounter, who: str, point: str, on: str | None = None) -> tuple[str, int]:
    """Return the target of a point with its ruling (0: none): the newest of one's own rolls that it can affect."""
    combatant = state.combatants.get(who)
    own: Mapping[str, int] = dict(
        [
            *(("related", one.id) for one in (combatant.actions.related if combatant else ())),
            *(("action", one.id) for one in state.window.open if one.combatant == who),
        ]
    )
    if on is None:
        if point == "fate":
            on = "limit"
        elif "action" in own or not (state.turn or state.had_turn):
            on = "action" if "action" in own else "initiative"
        else:
            on = "related" if "related" in own else "initiative"
    return on, own.get(on, 0)


def most_ready(template: Template, points: int = 0) -> tuple[int, int, int]:
    """Return how many points become ready, and how many of them come at least and at most from defense.

    With `points` 0 it is as many as possible. If more are asked for than possible, the excess is taken from other used,
    and the order is refused.
    """
    high = {field.name: field.high or 0 for field in template.fields}
    most = template.sums[0].high
    if points > most:
        return points, high["defense"], high["defense"]
    amount = points or most
    return amount, max(0, amount - high["other_used"]), min(amount, high["defense"])


def check_not_idle(state: Encounter, ruleset: Ruleset, who: str) -> None:
    """Raise Refused with `below_required_amount` if the rules would allow making no points ready at all."""
    if is_allowed(ruleset.edition.mechanics[Ready].check, state, ruleset, Ready(who)):
        raise Refused("below_required_amount/none_ready", who=state.combatants[who], rule="MAM-PHASE-02")


def least_points_for(ruleset: Ruleset, who: Combatant, metres: Decimal) -> dict[str, int]:
    """Return the fewest ready points that carry a combatant that far, by field; empty if no points are spent.

    If none are enough it returns all of them, and the order is refused.
    """
    if "ready_refresh_amount" not in ruleset or not who.pools.ready:
        return {}
    ways = range(1, who.pools.ready + 1)
    farthest = ruleset.edition.economy.farthest
    return {"points": next((n for n in ways if (farthest(ruleset, who, n) or 0) >= Fraction(metres)), ways[-1])}

"""Kinds of action and what limits them: the turn, one's state, what one holds (MAM-COMBO-03 to -05).

The table of kinds is data (`tables.deeds`).
"""

from __future__ import annotations

from mam_events.commands import Command
from mam_events.decider.action_price import ActionPrice
from mam_events.decider.checks import require_able, require_combatant, require_no_exchange, require_turn_of
from mam_events.decider.engine import Ruleset
from mam_events.decider.offers import Field, Offer, offer
from mam_events.decider.rule_tables import DeedKind
from mam_events.state import Combatant, Encounter


def deed_name(deed: DeedKind, ruleset: Ruleset) -> str:
    """Return the name of that kind of action: `a quick attack`."""
    return ruleset.tables.deeds[deed].name


def rule_of(deed: DeedKind, ruleset: Ruleset) -> str:
    """Return the id of the rule that defines that kind of action."""
    return ruleset.tables.deeds[deed].rule


def is_quick(deed: DeedKind, ruleset: Ruleset) -> bool:
    """Return True if that kind of action fits into a combo (MAM-COMBO-03, MAM-COMBO-04, `quick_action_list`)."""
    row = ruleset.tables.deeds[deed]
    # If the kind has its own option, that decides, whichever list is in force.
    if row.by_option:
        return ruleset[row.by_option] == "quick_action"
    return row.quick == "always" or (row.quick == "extended" and ruleset["quick_action_list"] == "extended")


def costs_nothing(deed: DeedKind, ruleset: Ruleset) -> bool:
    """Return True if that kind of action takes neither an action nor points, by its row or by its own option."""
    row = ruleset.tables.deeds[deed]
    return ruleset[row.by_option] == "free" if row.by_option else row.free


def least_points(deed: DeedKind, ruleset: Ruleset) -> int:
    """Return the fewest hit points that kind of action costs where actions cost points (MAM-PHASE-04)."""
    return 0 if costs_nothing(deed, ruleset) else ruleset.tables.deeds[deed].cost


def points_for(points: int | None, deed: DeedKind, ruleset: Ruleset) -> int:
    """Return the hit points that an action costs: the given ones, else 1, or 0 where actions cost no points."""
    if points is not None:
        return points
    if costs_nothing(deed, ruleset):
        return 0
    return ruleset.edition.economy.charged(1)


def require_affordable(
    state: Encounter,
    ruleset: Ruleset,
    combatant: Combatant,
    deed: DeedKind,
    points: int | None,
    rule: str = "MAM-PHASE-04",
) -> ActionPrice:
    """Return the price of that action with the given points, or raise Refused if the combatant cannot pay it."""
    price = ActionPrice(0, points_for(points, deed, ruleset), ("points",), rule)
    ruleset.edition.economy.afford(state, ruleset, combatant, deed, price)
    return price


def build_action_offer(
    state: Encounter, ruleset: Ruleset, combatant: Combatant, deed: DeedKind, least: Command, *choices: Field
) -> Offer:
    """Return the offer of such an action with its further choices and the range of points that may go into it."""
    low, high = ruleset.edition.economy.span(state, ruleset, combatant, deed)
    return offer(least, *choices, Field("points", low=low, high=high))


def require_can_act(
    state: Encounter, ruleset: Ruleset, name: str, deed: DeedKind, *, field: str = "combatant", weapon: str = ""
) -> Combatant:
    """Return the combatant if they may do that kind of action now, in their own turn or in a counterattack's.

    Raises Refused with `out_of_turn`, `exchange_open` or `incapacitated`, or when a section of the rules forbids it.
    """
    combatant = require_combatant(state, name, field)
    require_turn_of(state, combatant, field)
    require_no_exchange(state)
    require_able(combatant, field)
    ruleset.edition.economy.may(state, ruleset, combatant, deed, weapon)
    check_limits(state, ruleset, combatant, deed)
    return combatant


def check_limits(state: Encounter, ruleset: Ruleset, combatant: Combatant, deed: DeedKind) -> None:
    """Raise Refused if a section of the rules forbids that kind of action, no matter whose turn it is."""
    for limit in ruleset.edition.limits:
        limit(state, ruleset, combatant, deed)


def require_can_strike(state: Encounter, ruleset: Ruleset, combatant: Combatant) -> None:
    """Raise Refused if something keeps the combatant from striking, in their own turn or in answer to somebody."""
    for limit in ruleset.edition.strike_limits:
        limit(state, ruleset, combatant)

"""Differences between editions that matter for typing: hit points or toughness, turns or counted actions."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mam_events.rules.rulebook import Rulebook
    from mam_events.state import Encounter


def uses_toughness(state: Encounter) -> bool:
    """Return True if the edition counts toughness, so that a newcomer may have it in place of hit points."""
    from mam_events.rules.health.hit_points import counts_toughness

    return state.ruleset is not None and counts_toughness(state.ruleset)


def toughness_options(state: Encounter) -> str:
    """Return the option with which a newcomer gets hit points or toughness, ready to fill in."""
    return "--toughness NUMBER" if uses_toughness(state) else "--hp POINTS"


def counts_actions(rules: Rulebook, state: Encounter) -> bool:
    """Return True if rounds are those of Ron d6, in which actions are declared and counted."""
    return state.ruleset is not None and rules.edition(state.ruleset.preset).counts_actions


def rolls_initiative(rules: Rulebook, state: Encounter) -> bool:
    """Return True if initiative is rolled again in each round."""
    from mam_events.rules.initiative.by_roll import rolls_each_round

    return state.ruleset is not None and rolls_each_round(rules.in_force(state.ruleset))

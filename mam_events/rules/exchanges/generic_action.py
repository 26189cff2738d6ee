"""Generic actions, which others may interfere with (MAM-PHASE-04, MAM-INTF-01)."""

from __future__ import annotations

from collections.abc import Iterator

from mam_events.commands import Act
from mam_events.decider.action_kinds import require_affordable, require_can_act
from mam_events.decider.action_price import ActionPrice
from mam_events.decider.engine import Decision, RollContext, RuleModule, Ruleset
from mam_events.decider.mechanic import Mechanic
from mam_events.decider.offers import Field, Offer, free, offer
from mam_events.events import ActionDeclared, Modifier
from mam_events.rules.rolls.combat_rolls import combat_modifiers
from mam_events.state import Action, Encounter


def ability_modifier(state: Encounter, ruleset: Ruleset, action: Action) -> tuple[Modifier, ...]:
    """Return the modifiers of an action that is no attack, with the ability named for it (MAM-INTF-01)."""
    combatant = state.combatants[action.combatant]
    rolling = RollContext(state, ruleset, action, combatant, state.combatants.get(action.target), "attack")
    return (Modifier("ability", action.bonus, "MAM-INTF-01"), *combat_modifiers(rolling))


def check_act(state: Encounter, ruleset: Ruleset, command: Act) -> ActionPrice:
    """Return the price of the action, if that combatant may do it now; it may cost nothing (MAM-PHASE-04)."""
    combatant = require_can_act(state, ruleset, command.combatant, "act")
    return require_affordable(state, ruleset, combatant, "act", command.points)


def judge_act(judging: Decision, command: Act, price: ActionPrice) -> None:
    """Declare an action that others may interfere with, and pay for it into other used (MAM-POOL-05)."""
    judging.record(ActionDeclared(judging.ruling, command.combatant, command.what, price.points, command.bonus))
    judging.ruleset.edition.economy.pay(judging, command.combatant, "act", "action", price)


def _offer_act(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    for combatant in state.combatants.values():
        _, most = ruleset.edition.economy.span(state, ruleset, combatant, "act")
        least = Act(combatant.id, "something", points=0)
        yield offer(least, *free("what"), Field("points", low=0, high=most), Field("bonus"))


SECTION = RuleModule(mechanics=(Mechanic(Act, check=check_act, judge=judge_act, offers=_offer_act),))

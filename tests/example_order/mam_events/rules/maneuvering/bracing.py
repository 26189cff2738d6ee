"""Setting one's feet: a point for a better defense."""

from __future__ import annotations

from collections.abc import Iterator

from mam_events.commands import Brace
from mam_events.decider.action_kinds import require_can_act, build_action_offer, require_affordable
from mam_events.decider.action_price import ActionPrice
from mam_events.decider.engine import Decision, RuleModule, Ruleset
from mam_events.decider.mechanic import Mechanic
from mam_events.decider.offers import Offer
from mam_events.errors import Refused
from mam_events.events import FeetSet
from mam_events.rules.rolls.effects import end_turn_number
from mam_events.state import Effect, Encounter

BONUS = {"one": 1, "two": 2}
"""The bonus to the defense (`bracing_bonus`)."""


def check_brace(state: Encounter, ruleset: Ruleset, command: Brace) -> ActionPrice:
    """Return the price of bracing, if that combatant may brace now.

    A rider is refused with `in_the_saddle`.
    """
    combatant = require_can_act(state, ruleset, command.combatant, "act")
    if combatant.status.mount:
        raise Refused("in_the_saddle", who=combatant, fields=("combatant",))
    return require_affordable(state, ruleset, combatant, "act", command.points)


def judge_brace(judging: Decision, command: Brace, price: ActionPrice) -> None:
    """Brace the combatant and charge the price."""
    bonus = BONUS[judging.ruleset["bracing_bonus"]]
    effect = Effect(
        "bracing", bonus, "MAM-POS-04", turn=end_turn_number(judging.state.combatants[command.combatant], 1)
    )
    judging.record(FeetSet(command.combatant, effect))
    judging.ruleset.edition.economy.pay(judging, command.combatant, "act", "action", price)


def _offer_brace(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    for combatant in state.combatants.values():
        yield build_action_offer(state, ruleset, combatant, "act", Brace(combatant.id))


SECTION = RuleModule(mechanics=(Mechanic(Brace, check=check_brace, judge=judge_brace, offers=_offer_brace),))

"""Setting one's feet: a point for a better defense."""

from __future__ import annotations

from collections.abc import Iterator

from mam_events.commands import Brace
from mam_events.decider.action_kinds import acting, offered, priced
from mam_events.decider.economy import Price
from mam_events.decider.engine import Section
from mam_events.decider.decision import Judging
from mam_events.decider.mechanic import Mechanic
from mam_events.decider.ruleset_data import Ruleset
from mam_events.decider.offers import Offer
from mam_events.errors import Refused
from mam_events.events import FeetSet
from mam_events.rules.rolls.effects import lasting
from mam_events.state import Effect, Encounter

BONUS = {"one": 1, "two": 2}
"""What it adds to the defense (`bracing_bonus`)."""


def check_brace(state: Encounter, ruleset: Ruleset, command: Brace) -> Price:
    """What setting one's feet costs, if that combatant may do it now; refused with `in_the_saddle` from the saddle."""
    combatant = acting(state, ruleset, command.combatant, "act")
    if combatant.status.mount:
        raise Refused("in_the_saddle", who=combatant, fields=("combatant",))
    return priced(state, ruleset, combatant, "act", command.points)


def judge_brace(judging: Judging, command: Brace, price: Price) -> None:
    """Set one's feet, and pay for it."""
    bonus = BONUS[judging.ruleset["bracing_bonus"]]
    effect = Effect("bracing", bonus, "MAM-POS-04", turn=lasting(judging.state.combatants[command.combatant], 1))
    judging.record(FeetSet(command.combatant, effect))
    judging.ruleset.edition.economy.pay(judging, command.combatant, "act", "action", price)


def _offer_brace(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    for combatant in state.combatants.values():
        yield offered(state, ruleset, combatant, "act", Brace(combatant.id))


SECTION = Section(mechanics=(Mechanic(Brace, check=check_brace, judge=judge_brace, offers=_offer_brace),))

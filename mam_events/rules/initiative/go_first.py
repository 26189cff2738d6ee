"""The game master lets somebody act first, whatever was rolled (RD6-ACT-05)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from mam_events.commands import Initiative
from mam_events.decider.checks import require_combatant, require_open
from mam_events.decider.engine import Decision, Ruleset
from mam_events.decider.offers import Field, Offer, free, offer
from mam_events.errors import CommandHint, Refused
from mam_events.refusals.arguments import Word
from mam_events.rules.initiative.by_roll import settle_initiative
from mam_events.state import Combatant, Encounter


def require_place(state: Encounter, combatant: Combatant, field: str = "combatant") -> None:
    """Raise Refused with `out_of_turn` unless that combatant has a place in the order of this round."""
    if combatant.id not in state.order:
        rolls = CommandHint("roll-initiative", {"combatants": (combatant.id,)})
        raise Refused(
            "out_of_turn/not_rolled" if state.round_open else "out_of_turn/no_round",
            combatant=combatant,
            rule="RD6-INIT-01",
            fields=(field,),
            hints=(rolls if state.round_open else CommandHint("round"),),
        )


def require_no_turn_begun(state: Encounter, field: str) -> None:
    """Raise Refused with `turns_begun` once the first turn of the round has begun: initiative is settled by then."""
    if state.turn or state.had_turn:
        raise Refused("turns_begun", rule="RD6-INIT-04", fields=(field,))


def check_first(state: Encounter, ruleset: Ruleset, command: Initiative) -> None:
    """Raise Refused unless that combatant may be put first.

    Raises `roll_initiative`, `order_idle`, `reason_missing`, `out_of_turn` or `turns_begun`.
    """
    require_open(state)
    if not command.first:
        raise Refused(
            "roll_initiative",
            rule="RD6-INIT-01",
            fields=("first",),
            hints=(CommandHint("roll-initiative" if state.round_open else "round"),),
        )
    require_combatant(state, command.first, "first")
    for field in ("surprise", "circumstance", "tie_die", "same_seat"):
        if getattr(command, field):
            raise Refused("order_idle/rolled", field=Word(field), rule="RD6-INIT-04", fields=(field,))
    require_place(state, state.combatants[command.first], "first")
    require_no_turn_begun(state, "first")
    # Check the reason last: an order that is not allowed needs none.
    if not command.reason.strip():
        raise reason_missing_error("RD6-ACT-05")


def reason_missing_error(rule: str) -> Refused:
    """Return the error `reason_missing` for a game master who puts somebody first without saying why."""
    return Refused("reason_missing", rule=rule, fields=("reason",))


def judge_first(judging: Decision, command: Initiative, _: None) -> None:
    """Put that combatant before all others in this round."""
    settle_initiative(judging, replace(judging.state.initiative, first=command.first, reason=command.reason))


def offer_first(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    """Yield the `initiative` that could be given, legal or not."""
    if state.order:
        least = Initiative(first=state.order[0], reason="got the jump")
        yield offer(least, Field("first", choices=state.order), *free("reason"))

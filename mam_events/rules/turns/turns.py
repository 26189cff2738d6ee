"""Rounds and turns: when each begins, and the events of its beginning and end (MAM-ORDER-01, MAM-TURN-01)."""

from __future__ import annotations

from collections.abc import Iterator

from mam_events.commands import BeginTurn, EndTurn
from mam_events.decider.checks import (
    is_allowed,
    require_combat,
    require_combatant,
    require_no_exchange,
    require_open,
    require_turn_of,
)
from mam_events.decider.engine import Decision, RuleModule, Ruleset
from mam_events.decider.mechanic import Mechanic
from mam_events.decider.offers import Field, Offer, offer
from mam_events.errors import CommandHint, Refused
from mam_events.events import RoundEnded, RoundStarted, TurnStarted, fold
from mam_events.rules.initiative.by_roll import ends_order, is_round_over, rolls_each_round
from mam_events.rules.turns.boundaries import end_turn, recover, start_round
from mam_events.state import Combatant, Encounter


def check_begin(state: Encounter, ruleset: Ruleset, command: BeginTurn) -> None:
    """Raise Refused unless that combatant's turn may begin now (MAM-ORDER-02, MAM-ORDER-05)."""
    require_open(state)
    combatant = require_combatant(state, command.combatant)
    require_no_exchange(state)
    require_combat(state)
    if not state.order:
        raise Refused("out_of_turn/no_initiative", rule="MAM-ORDER-03")
    if state.turn is not None:
        raise Refused(
            "turn_in_progress",
            who=state.combatants[state.turn.combatant],
            rule="MAM-ORDER-01",
            fields=("combatant",),
        )
    if rolls_each_round(ruleset) and is_round_over(state, ruleset):
        raise Refused(
            "out_of_turn/round_over", round=state.round, rule="RD6-INIT-05", hints=(CommandHint("roll-initiative"),)
        )
    if not state.comes_next(combatant.id):
        if not state.next_up:
            raise Refused("out_of_turn/nobody_left", combatant=combatant, rule="MAM-ORDER-05", fields=("combatant",))
        raise Refused(
            "out_of_turn/not_next",
            combatant=combatant,
            due=state.combatants[state.next_up],
            rule="MAM-ORDER-05",
            fields=("combatant",),
        )


def judge_begin(judging: Decision, command: BeginTurn, _: None) -> None:
    """Begin a turn, and the round if this is its first turn, with the events of their beginnings."""
    if judging.state.round_open and judging.state.is_round_done:
        # The last combatants who were due fell or left, so no end of a turn has closed the round.
        judging.record(RoundEnded(judging.state.round, rolled_anew=ends_order(judging.state, judging.ruleset)))
    if not judging.state.round_open:
        start_round(judging)
    judging.record(TurnStarted(command.combatant))
    recover(judging, command.combatant, "turn_start")
    for follows in judging.ruleset.edition.at_turn_start:
        follows(judging, command.combatant)


def with_turn_begun(state: Encounter, name: str) -> Encounter:
    """Return the state in which that combatant's turn has begun, before the events of its beginning."""
    begins_round = not state.round_open or state.is_round_done
    return fold(state, (*((RoundStarted(state.round + 1),) if begins_round else ()), TurnStarted(name)))


def _offer_begin(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    for name in state.order or state.combatants:
        yield offer(BeginTurn(name))


def check_end(state: Encounter, ruleset: Ruleset, command: EndTurn) -> None:
    """Raise Refused unless that combatant's turn, or its counterattack in another's turn, may end.

    MAM-PHASE-05, MAM-CTR-02.
    """
    combatant = require_combatant(state, command.combatant)
    require_turn_of(state, combatant)
    require_no_exchange(state)
    check_done(state, ruleset, combatant, command.reason)


def check_done(state: Encounter, ruleset: Ruleset, combatant: Combatant, reason: str) -> None:
    """Raise Refused unless everything that must come before the end of that turn is done.

    A reason takes the place of the duties of riders.
    """
    ruleset.edition.economy.may_end(state, ruleset, combatant)
    edition = ruleset.edition
    for limit in (*edition.turn_end_limits, *(() if reason else edition.turn_end_duties)):
        limit(state, ruleset, combatant)


def needs_reason(state: Encounter, ruleset: Ruleset, combatant: Combatant) -> bool:
    """Return True if that combatant's turn ends only with a reason."""
    return not all(is_allowed(duty, state, ruleset, combatant) for duty in ruleset.edition.turn_end_duties)


def judge_end(judging: Decision, command: EndTurn, _: None) -> None:
    """End a turn, and the round with its last turn; a counterattack ends without ending a turn (MAM-CTR-05)."""
    if judging.state.turn and judging.state.turn.counter:
        for follows in judging.ruleset.edition.at_counterattack_end:
            follows(judging, command.combatant)
    else:
        end_turn(judging, command.combatant)


def offer_end(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    """Yield every `end-turn` that could be given, legal or not."""
    for name, combatant in state.combatants.items():
        is_owed = needs_reason(state, ruleset, combatant)
        yield offer(EndTurn(name, "it cannot" if is_owed else ""), Field("reason", free=True, needed=is_owed))


SECTION = RuleModule(
    mechanics=(
        Mechanic(BeginTurn, check=check_begin, judge=judge_begin, offers=_offer_begin),
        Mechanic(EndTurn, check=check_end, judge=judge_end, offers=offer_end),
    ),
)

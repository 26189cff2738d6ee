"""Rounds of five seconds (RD6-RND): one begins, the previous one ends, and its unused actions are lost."""

from __future__ import annotations

from collections.abc import Iterator

from mam_events.commands import EndTurn, Initiative, Round, SkipTurn
from mam_events.decider.checks import require_combatant, require_combatants, require_open, require_turn_of
from mam_events.decider.engine import Decision, RuleModule, Ruleset
from mam_events.decider.mechanic import Mechanic
from mam_events.decider.offers import Offer, free, offer
from mam_events.errors import Refused
from mam_events.events import RoundEnded, TurnEnded, TurnSkipped
from mam_events.rules.initiative.go_first import check_first, judge_first, offer_first
from mam_events.rules.ron_d6.multiple_actions import is_next_to_act, turn_to_take
from mam_events.rules.ron_d6.right_to_act import next_to_act, require_nothing_open
from mam_events.rules.turns.boundaries import start_round
from mam_events.rules.turns.turns import offer_end
from mam_events.state import Encounter


def check_round(state: Encounter, ruleset: Ruleset, command: Round) -> None:
    """Raise Refused with `nobody_joined` or `action_open` unless a round may begin.

    Combatants without a turn have passed: a correction of an earlier round must not stop the later ones.
    """
    require_open(state)
    require_combatants(state, "RD6-RND-01")
    require_nothing_open(state)


def judge_round(judging: Decision, command: Round, _: None) -> None:
    """End the round under way with what is lost in it (RD6-RND-03, RD6-RND-04), and begin the next."""
    state = judging.state
    if state.round_open:
        judging.record(RoundEnded(state.round, unused_actions(state), without_turn(state), rolled_anew=True))
    start_round(judging)


def unused_actions(state: Encounter) -> dict[str, int]:
    """Return the actions that were declared and not used, by combatant (RD6-RND-04)."""
    return {name: who.actions.left for name, who in state.combatants.items() if who.actions.left}


def without_turn(state: Encounter) -> tuple[str, ...]:
    """Return those in the order who could have acted and did not."""
    return tuple(name for name in state.due if name != state.turn_in_order)


def _offer_round(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    yield offer(Round(), *free("reason"))


def check_skip(state: Encounter, ruleset: Ruleset, command: SkipTurn) -> None:
    """Raise Refused unless that combatant may let the turn pass: it is its own turn, and has not begun."""
    combatant = require_combatant(state, command.combatant)
    turn_to_take(state, combatant)
    require_nothing_open(state)
    if not is_next_to_act(state, ruleset, combatant.id):
        raise Refused(
            "out_of_turn/skips_early",
            combatant=combatant,
            due=next_to_act(state),
            rule="RD6-INIT-04",
            fields=("combatant",),
        )


def judge_skip(judging: Decision, command: SkipTurn, _: None) -> None:
    """Let the turn pass."""
    if judging.state.turn:
        judging.record(TurnEnded(judging.state.turn.combatant))
    judging.record(TurnSkipped(command.combatant, required=False, skips_owed=0))
    judging.record(TurnEnded(command.combatant))


def _offer_skip(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    for name in state.combatants:
        yield offer(SkipTurn(name), *free("reason"))


def check_end(state: Encounter, ruleset: Ruleset, command: EndTurn) -> None:
    """Raise Refused unless that combatant's turn may end: it is in progress, and nothing is open."""
    require_turn_of(state, require_combatant(state, command.combatant), rule="RD6-ACT-03")
    require_nothing_open(state)


def judge_end(judging: Decision, command: EndTurn, _: None) -> None:
    """End the turn; its unused actions are lost with the round (RD6-RND-04)."""
    judging.record(TurnEnded(command.combatant))


SECTION = RuleModule(
    mechanics=(
        Mechanic(Initiative, check=check_first, judge=judge_first, offers=offer_first),
        Mechanic(Round, check=check_round, judge=judge_round, offers=_offer_round),
        Mechanic(SkipTurn, check=check_skip, judge=judge_skip, offers=_offer_skip),
        Mechanic(EndTurn, check=check_end, judge=judge_end, offers=offer_end),
    ),
)

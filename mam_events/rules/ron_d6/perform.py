"""Actions and their results: perform, wait, the game master's result (RD6-ACT, RD6-LIST)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, get_args

from mam_events.commands import Perform, Result, Wait
from mam_events.decider.checks import is_allowed, require_combatant, require_open
from mam_events.decider.engine import Decision, RuleModule, Ruleset
from mam_events.decider.mechanic import Mechanic
from mam_events.decider.offers import Field, Offer, free, offer
from mam_events.errors import CommandHint, Refused
from mam_events.events import CombatantFreed, CombatantHeldDown, CombatantWaited, ResultDeclared
from mam_events.refusals.arguments import RulingArgument, Term, Word, thing_of
from mam_events.rules.ron_d6.actions import (
    PlannedAction,
    action_fields,
    as_moved_up,
    is_bound_to_reaction,
    least_demanding,
    plan_action,
    record_action,
    record_success,
    row_of,
)
from mam_events.rules.ron_d6.consequences import check_resting, with_interruption
from mam_events.rules.ron_d6.equipment import catch, drop_disarmed, is_in_flight, is_in_hand
from mam_events.rules.ron_d6.free_actions import release_by_moving
from mam_events.rules.ron_d6.incapacity import hold_down_end_reason
from mam_events.rules.ron_d6.right_to_act import (
    action_left,
    can_be_done_held,
    last_open,
    may_act,
    reaction_source,
    require_conscious,
    require_free_for,
)
from mam_events.state import Combatant, Encounter, OpenAction
from mam_events.values import Success

STRIKES = ("punch", "kick", "slash", "lunge", "bash", "shoot")
"""The most common actions in a combatant's own turn."""


def check_perform(state: Encounter, ruleset: Ruleset, command: Perform) -> PlannedAction:
    """Return the plan of the action.

    Raises Refused with `action_open`, `out_of_turn` or `nothing_thrown`, or as `plan_action` does.
    """
    require_open(state)
    combatant = require_combatant(state, command.combatant)
    require_conscious(combatant)
    may_act(state, combatant)
    as_moved_up(state, combatant, command.action)
    if row_of(command.action, ruleset).later_than_thrower:
        raise Refused(
            "nothing_thrown/own_turn",
            rule="RD6-LIST-catch",
            fields=("action",),
            hints=(CommandHint("interrupt"), CommandHint("move-up", {"because": "catch"})),
        )
    return plan_action(state, ruleset, combatant, command)


def judge_perform(judging: Decision, command: Perform, how: PlannedAction) -> None:
    """Perform the action, which uses one of the actions; a roll opens its window (RD6-ACT-04)."""
    record_action(judging, command, how, against=0)


def _offer_perform(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    # Outside an interruption nothing is in the air, so nothing can be caught.
    idle = tuple(name for name, row in ruleset.tables.rd6_actions.items() if row.later_than_thrower)
    for combatant in state.combatants.values():
        fields = action_fields(state, ruleset, combatant, STRIKES, idle)
        yield offer(Perform(combatant.id, *least_demanding(state, ruleset, combatant)), *fields)


def check_wait(state: Encounter, ruleset: Ruleset, command: Wait) -> Combatant:
    """Return the combatant who waits, if it may act now and has an action left (RD6-ACT-03)."""
    require_open(state)
    combatant = require_combatant(state, command.combatant)
    require_conscious(combatant)
    may_act(state, combatant)
    require_free_for(state, ruleset, combatant, "wait")
    action_left(combatant)
    return combatant


def judge_wait(judging: Decision, command: Wait, combatant: Combatant) -> None:
    """Wait: this is an action without a roll, and the turn passes to the next combatant (RD6-LIST-wait)."""
    judging.record(CombatantWaited(combatant.id, combatant.actions.left - 1))


def _offer_wait(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    for name in state.combatants:
        yield offer(Wait(name))


def check_result(state: Encounter, ruleset: Ruleset, command: Result) -> OpenAction:
    """Return the action that the result belongs to (RD6-ACT-04).

    Raises Refused as `last_open` and `check_resting` do, or with `outcome_missing` if there is no difficulty to compare
    with.
    """
    require_open(state)
    action = last_open(state, command.exchange)
    _reactions_done(state, ruleset, action)
    check_resting(command, action)
    if not command.outcome:
        if error := outcome_missing_error(state, ruleset, action):
            raise error
        if action.is_reached is None:
            not_rolled = action.total is None
            raise Refused(
                "outcome_missing/no_roll" if not_rolled else "outcome_missing/no_difficulty",
                action=RulingArgument(action.id),
                rule="RD6-ACT-04",
                fields=("outcome",),
            )
    return action


def judge_result(judging: Decision, command: Result, action: OpenAction) -> None:
    """Declare the result and record what follows a success (RD6-LIST-tackle, RD6-LIST-pin, RD6-LIST-escape)."""
    compared = not command.outcome
    outcome = command.outcome or ("success" if action.is_reached else "failure")
    judging.record(
        ResultDeclared(
            action.id,
            action.combatant,
            action.action,
            outcome,
            command.text,
            action.total if compared else None,
            action.difficulty if compared else None,
        )
    )
    if outcome == "success":
        _follow(judging, action)


def _follow(judging: Decision, action: OpenAction) -> None:
    row = judging.ruleset.tables.rd6_actions[action.action]
    record_success(judging, action.combatant, action.equipment, action.action)
    if row.moves:
        release_by_moving(judging, action.target, "is pushed away")
    drop_disarmed(judging, action)
    catch(judging, action)
    actor = judging.state.combatants[action.combatant]
    holds_whole = row.holds_down or (row.holds_down_whole and not action.part)
    target = judging.state.combatants.get(action.target, actor)
    if holds_whole and action.target and not hold_down_end_reason(judging.state, judging.ruleset, target, actor.id):
        judging.record(CombatantHeldDown(action.target, action.combatant))
    if row.frees and actor.status.held_down_by:
        judging.record(CombatantFreed(action.combatant, of=action.target or actor.status.held_down_by[0]))


def outcome_missing_error(state: Encounter, ruleset: Ruleset, action: OpenAction) -> Refused | None:
    """Return the error `outcome_missing` if the dice alone do not decide an action; None if they do.

    They do not if an interruption has succeeded, or if the combatant can no longer do the action or has nobody left to
    do it to (RD6-ACT-04, RD6-INIT-07).
    """
    who, number = state.combatants[action.combatant], RulingArgument(action.id)
    rule, fields = "RD6-ACT-04", ("outcome",)
    if who.condition != "able":
        return Refused("outcome_missing/gone_down", action=number, who=who, rule=rule, fields=fields)
    if who.status.held_down_by and not can_be_done_held(ruleset, action.action, mental=True):
        return Refused("outcome_missing/held_down", action=number, who=who, rule=rule, fields=fields)
    target = state.combatants.get(action.target, who)
    if target.is_gone:
        condition = Word(target.condition)
        return Refused(
            "outcome_missing/target", action=number, target=target, condition=condition, rule=rule, fields=fields
        )
    thing = next((thing for thing in who.things if thing.id == action.equipment), None)
    row = ruleset.tables.rd6_actions[action.action]
    if thing and not (action.thrown or row.takes_up or is_in_hand(who, thing)):
        lost = thing_of(who, thing)
        return Refused("outcome_missing/lost", action=number, who=who, thing=lost, rule=rule, fields=fields)
    if not action.met:
        return None
    argument = RulingArgument(action.met)
    return Refused("outcome_missing/interrupted", action=number, interruption=argument, rule=rule, fields=fields)


def _reactions_done(state: Encounter, ruleset: Ruleset, action: OpenAction) -> None:
    """Raise Refused with `reaction_open` while a combatant whose turn moved up can still react (RD6-ACT-06)."""
    for who in state.combatants.values():
        reaction = who.actions.reaction
        if not is_bound_to_reaction(state, who) or reaction_source(state, who) is not action or who.condition != "able":
            continue
        # If somebody else has caught it, it is no longer in the air.
        is_over = row_of(reaction, ruleset).later_than_thrower and not is_in_flight(state, action)
        if who.actions.left and not is_over and is_allowed(require_free_for, state, ruleset, who, reaction):
            raise Refused(
                "reaction_open",
                who=who,
                reaction=Term(reaction),
                rule="RD6-ACT-06",
                fields=("exchange",),
                hints=(CommandHint("interrupt", {"combatant": who.id, "action": reaction}),),
            )


def _offer_result(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    for action in state.window.open:
        outcomes: tuple[Literal["", Success], ...] = get_args(Success)
        if outcome_missing_error(state, ruleset, action):
            outcomes = outcomes[::-1]
        elif action.is_reached is not None:
            outcomes = ("", *outcomes)
        least = Result(action.id, outcome=outcomes[0])
        yield offer(least, Field("outcome", choices=outcomes), *free("text", "interruption"), pinned=("exchange",))


SECTION = RuleModule(
    mechanics=(
        Mechanic(Perform, check=check_perform, judge=judge_perform, offers=_offer_perform),
        Mechanic(Wait, check=check_wait, judge=judge_wait, offers=_offer_wait),
        Mechanic(Result, check=check_result, judge=judge_result, offers=_offer_result, completes=with_interruption),
    ),
)

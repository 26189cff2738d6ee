"""Interrupting somebody's action, and moving a turn up to react to it (RD6-ACT-04 to RD6-ACT-06)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from mam_events.commands import Interrupt, MovedUpFor, MoveUp
from mam_events.decider.checks import is_allowed, require_combatant, require_open
from mam_events.decider.engine import Decision, RuleModule, Ruleset
from mam_events.decider.mechanic import Mechanic
from mam_events.decider.offers import Field, Offer, free, offer
from mam_events.errors import CommandHint, Refused
from mam_events.events import TurnMovedUp
from mam_events.refusals.arguments import RulingArgument, Word
from mam_events.rules.initiative.go_first import require_place
from mam_events.rules.rolls.dice_codes import require_reliable
from mam_events.rules.ron_d6.actions import (
    BINDING_ACTIONS,
    PlannedAction,
    action_fields,
    as_moved_up,
    least_demanding,
    plan_action,
    record_action,
    row_of,
    skill_and_code,
)
from mam_events.rules.ron_d6.equipment import is_in_flight
from mam_events.rules.ron_d6.multiple_actions import ActionCount, limit_of, number_of, penalty_of, turn_to_take
from mam_events.rules.ron_d6.right_to_act import (
    action_left,
    may_interrupt,
    open_action,
    require_conscious,
    require_free_for,
)
from mam_events.state import Combatant, Encounter, OpenAction

DEFENSES = ("dodge", "parry")
"""Reactions for which a turn moves up only if the house rules allow it (`rd6_reactive_defense`)."""


def check_interrupt(state: Encounter, ruleset: Ruleset, command: Interrupt) -> PlannedAction:
    """Return the plan of the interrupting action.

    Raises Refused with `window_not_open`, `window_closed`, `has_not_waited` or `no_actions_left` (RD6-ACT-04), with
    `nothing_thrown` for a catch, or as for any action.
    """
    require_open(state)
    combatant = require_combatant(state, command.combatant)
    require_conscious(combatant)
    interrupted = open_action(state, command.against, "against")
    may_interrupt(state, combatant, interrupted)
    as_moved_up(state, combatant, command.action)
    action_left(combatant)
    if row_of(command.action, ruleset).later_than_thrower:
        # A combatant who waited, or moved up for it, acts later than the thrower.
        _in_the_air(state, interrupted)
    return plan_action(state, ruleset, combatant, command)


def _in_the_air(state: Encounter, action: OpenAction) -> None:
    """Raise Refused with `nothing_thrown` for an action by which nothing flies or falls (RD6-LIST-catch)."""
    if not is_in_flight(state, action):
        raise Refused("nothing_thrown", action=RulingArgument(action.id), rule="RD6-LIST-catch", fields=("action",))


def _later_than_thrower(state: Encounter, catcher: Combatant) -> None:
    """Raise Refused with `must_act_later_than_thrower` if the catcher's turn of this round came before that throw."""
    if catcher.id in (*state.had_turn, state.turn_in_order):
        raise Refused(
            "must_act_later_than_thrower",
            catcher=catcher,
            rule="RD6-LIST-catch",
            fields=("combatant",),
            hints=(CommandHint("interrupt"),),
        )


def judge_interrupt(judging: Decision, command: Interrupt, how: PlannedAction) -> None:
    """Do the interrupting action; its result is declared before that of the interrupted one."""
    record_action(judging, command, how, against=command.against)


def _offer_interrupt(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    for combatant in state.combatants.values():
        others = tuple(action.id for action in reversed(state.window.open) if action.combatant != combatant.id)
        # Offer the action that its turn moved up for first: it may not be allowed to interrupt another.
        if (awaited := combatant.actions.reacts_to) in others:
            others = (awaited, *(number for number in others if number != awaited))
        if others:
            order = Interrupt(combatant.id, *least_demanding(state, ruleset, combatant), against=others[0])
            fields = action_fields(state, ruleset, combatant, DEFENSES)
            yield offer(order, Field("against", choices=others), *fields)


def check_move_up(state: Encounter, ruleset: Ruleset, command: MoveUp) -> ActionCount:
    """Return the number of actions that the moved-up turn declares.

    Raises Refused with `wait_required` for a plain defense, with `must_act_later_than_thrower` for a catch, with
    `reduced_to_zero` if that many actions leave nothing of the reaction's code, or as for the combatant's own turn
    (RD6-ACT-06, RD6-MAP-06).
    """
    require_open(state)
    combatant = require_combatant(state, command.combatant)
    require_place(state, combatant)
    if command.because in DEFENSES and ruleset["rd6_reactive_defense"] == "wait_required":
        raise Refused("wait_required", because=Word(command.because), rule="RD6-ACT-06", fields=("because",))
    if command.because == "catch":
        throw = open_action(state, command.against or state.open_exchange, "against")
        _in_the_air(state, throw)
        _later_than_thrower(state, combatant)
    elif command.against:
        open_action(state, command.against, "against")
    turn_to_take(state, combatant)
    number = number_of(combatant, command, ruleset)
    if command.because in BINDING_ACTIONS:
        require_free_for(state, ruleset, combatant, command.because)
        declared = replace(combatant, actions=replace(combatant.actions, declared=number.actions))
        _, code = skill_and_code(combatant, row_of(command.because, ruleset), "", None)
        if code is not None:
            require_reliable(code, penalty_of(declared, ruleset), ruleset, ("actions",))
    return number


def judge_move_up(judging: Decision, command: MoveUp, number: ActionCount) -> None:
    """Move the turn up with that many actions; the reacting combatant acts now."""
    judging.record(
        TurnMovedUp(
            command.combatant,
            command.because,
            number.actions,
            number.limit,
            number.penalty,
            number.allotment,
            command.against or judging.state.open_exchange,
            command.reason,
        )
    )


def _offer_move_up(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    open_ones = tuple(reversed(state.window.open))
    defenses = DEFENSES if ruleset["rd6_reactive_defense"] == "move_up_allowed" else ()
    for combatant in state.combatants.values():
        yield _moving_up(combatant, ruleset, ("gm_allows", "resist_mental_attempt", *defenses), open_ones)
        actions = tuple(one for one in open_ones if is_allowed(_in_the_air, state, one))
        if actions and combatant.id in state.order:
            yield _moving_up(combatant, ruleset, ("catch",), actions)


def _moving_up(
    combatant: Combatant, ruleset: Ruleset, reasons: tuple[MovedUpFor, ...], actions: tuple[OpenAction, ...]
) -> Offer:
    against = tuple(action.id for action in actions)
    return offer(
        MoveUp(combatant.id, reasons[0], against=against[0] if against else 0),
        Field("because", choices=reasons),
        Field("actions", low=1, high=limit_of(combatant, ruleset)),
        Field("against", choices=(*against, 0)),
        *free("reason"),
    )


SECTION = RuleModule(
    mechanics=(
        Mechanic(Interrupt, check=check_interrupt, judge=judge_interrupt, offers=_offer_interrupt),
        Mechanic(MoveUp, check=check_move_up, judge=judge_move_up, offers=_offer_move_up),
    ),
)

"""Consequences of an action: damage, resistance and falls belong to the action that they follow (RD6-ACT-04).

They keep its number and its result, so that a correction that changes the result also reaches them.
"""

from __future__ import annotations

from typing import TypeVar

from msgspec.structs import replace

from mam_events.commands import Incapacitate, Result, Roll
from mam_events.errors import CommandHint, Refused
from mam_events.refusals.arguments import RulingArgument, Word
from mam_events.state import Encounter, OpenAction, SettledAction

C = TypeVar("C", Incapacitate, Roll)


def with_followed_action(state: Encounter, command: C) -> C:
    """Return the command with the action that it follows and its result, if it does not name them."""
    done = state.window.result(command.exchange) if command.exchange else _followed(state, command)
    if done is None or not done.outcome:
        return command
    return replace(command, exchange=done.id, outcome=command.outcome or done.outcome)


def _followed(state: Encounter, command: Incapacitate | Roll) -> SettledAction | None:
    """Return the last settled action of this round that has the command as a consequence."""
    if isinstance(command, Incapacitate):
        about = {"target": command.combatant}
        if command.through:
            about["combatant"] = command.through
    elif command.what in _CONSEQUENCES:
        about = {_CONSEQUENCES[command.what]: command.combatant}
    else:
        return None
    return next(
        (
            done
            for done in reversed(state.window.settled)
            if done.outcome == "success" and all(getattr(done, field) == name for field, name in about.items())
        ),
        None,
    )


_CONSEQUENCES = {"damage": "combatant", "resistance": "target"}
"""The free rolls that follow an action, and whether its actor or its target rolls."""


def check_following(state: Encounter, command: Incapacitate | Roll) -> None:
    """Raise Refused with `came_out_otherwise` if the action that it follows has another result now (RD6-ACT-04)."""
    if not command.exchange:
        return
    done = state.window.result(command.exchange)
    now = done.outcome if done else ""
    if now and now == command.outcome:
        return
    raise Refused(
        "came_out_otherwise",
        action=RulingArgument(command.exchange),
        was=Word(command.outcome or "settled"),
        now=Word(now or "open"),
        rule="RD6-ACT-04",
        fields=("exchange",),
    )


def with_interruption(state: Encounter, command: Result) -> Result:
    """Return the result with the interruption that its stated outcome rests on, if it does not name one."""
    action = state.window.action(command.exchange)
    if not command.outcome or command.interruption or action is None or not action.met:
        return command
    return replace(command, interruption=action.met)


def check_resting(command: Result, action: OpenAction) -> None:
    """Raise Refused with `interruption_failed` if a stated outcome rests on an interruption that did not succeed."""
    if not command.outcome or command.interruption in (0, action.met):
        return
    raise Refused(
        "interruption_failed",
        outcome=Word(command.outcome),
        action=RulingArgument(action.id),
        interruption=command.interruption,
        rule="RD6-ACT-04",
        fields=("interruption",),
        hints=(CommandHint("result", {"exchange": action.id}),),
    )

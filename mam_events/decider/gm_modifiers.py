"""The game master's own modifiers of a roll, beyond the rules: named, on either side, and added up (MAM-ROLL-01).

Every command that leads to a roll may carry them. For the rolls of an exchange they are kept until it is over.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct

from mam_events.commands import (
    ActionOrder,
    Command,
    Resolve,
    Roll,
    RollInitiative,
    RollRelated,
    TakesGmModifiers,
    actor_of,
    exchange_of,
)
from mam_events.decider.checks import require_combatant
from mam_events.decider.engine import Decision, Ruleset
from mam_events.errors import Refused
from mam_events.events import DiceModifier, Modifier, SituationRuled
from mam_events.refusals.arguments import Id, TextArgument, people
from mam_events.state import Encounter, Exchange
from mam_events.values import SITUATION

_FIELDS = ("situation",)
NO_RULE = ""
"""The rule id of such a modifier: empty, because it is the game master's decision."""

ROLL_CODES = (ActionOrder, Roll, RollInitiative, RollRelated)
"""Commands that roll a dice code, to which dice may be added."""

Check = Callable[[Encounter, Ruleset, Any], object]
Judge = Callable[[Decision, Any, Any], None]


class SaidModifier(Struct, frozen=True):
    """One modifier as a command states it: whose roll, the number, and the reason.

    `combatant` is "" for the one who acts. `value` counts points, or with `dice` the dice of a code.
    """

    combatant: str
    value: int
    why: str
    dice: bool = False

    def __str__(self) -> str:
        return f"{self.value:+d}{'D' if self.dice else ''} {self.why}"


def gm_modifiers_of(command: TakesGmModifiers) -> Iterator[SaidModifier]:
    """Yield the modifiers that a command states, parsed."""
    for text in command.situation:
        match = re.match(SITUATION, text)
        assert match is not None  # noqa: S101 - a command with another text can't be decoded
        number, dice, _ = match[2].partition("D")
        yield SaidModifier(match[1] or "", int(number), match[3], bool(dice))


def check_gm_modifiers(command: TakesGmModifiers, name: str) -> tuple[Modifier, ...]:
    """Return the modifiers that a command gives for that combatant's roll, made at once and outside an exchange."""
    return tuple(Modifier(one.why, one.value, NO_RULE) for one in _of_roller(command, name) if not one.dice)


def code_gm_modifiers(command: TakesGmModifiers, name: str) -> tuple[DiceModifier, ...]:
    """Return the dice that a command adds to (or takes off) the code of the roll that it makes for that combatant."""
    return tuple(DiceModifier(one.why, one.value) for one in _of_roller(command, name) if one.dice)


def _of_roller(command: TakesGmModifiers, name: str) -> Iterator[SaidModifier]:
    own = actor_of(command)
    return (one for one in gm_modifiers_of(command) if (one.combatant or own) == name)


def exchange_gm_modifiers(exchange: Exchange | None, name: str, action: int) -> tuple[Modifier, ...]:
    """Return the modifiers given for the roll that a combatant makes in an exchange for that action of theirs.

    `action` 0 stands for no action.
    """
    return tuple(
        Modifier(one.why, one.value, NO_RULE)
        for one in (exchange.situation if exchange else ())
        if one.combatant == name and one.action in (0, action)
    )


def with_gm_modifier_check(check: Check) -> Check:
    """Wrap `check` so that it also refuses modifiers of rolls that nobody makes.

    The wrapped check raises Refused with `unknown_combatant`, `whose_roll`, `not_rolling` or `idle_situation`, and with
    `no_code_rolled` for dice of a code where no code is rolled.
    """

    def check_situated(state: Encounter, ruleset: Ruleset, command: TakesGmModifiers) -> object:
        checked = check(state, ruleset, command)
        for one in gm_modifiers_of(command):
            if not one.value:
                raise Refused("idle_situation", why=TextArgument(one.why), fields=_FIELDS)
            if one.dice and not isinstance(command, ROLL_CODES):
                raise Refused("no_code_rolled", why=TextArgument(one.why), fields=_FIELDS)
            if one.combatant:
                require_combatant(state, one.combatant, "situation")
            _rolls(state, command, one)
        return checked

    return check_situated


def _rolls(state: Encounter, command: TakesGmModifiers, one: SaidModifier) -> None:
    name, rolling = one.combatant or actor_of(command), _rolling(state, command)
    if rolling and not name:
        raise Refused("whose_roll", who=Id(rolling[0]), situation=TextArgument(f"{one}"), fields=_FIELDS)
    if not rolling:
        raise Refused("not_rolling/nobody", why=TextArgument(one.why), fields=_FIELDS)
    if name not in rolling:
        rollers = people(state.combatants, rolling)
        raise Refused("not_rolling", who=state.combatants[name], rollers=rollers, fields=_FIELDS)


def _rolling(state: Encounter, command: TakesGmModifiers) -> list[str]:
    """Return those whose rolls a command may lead to: the actor, the other side, and all in its exchange."""
    people = [actor_of(command)]
    for field in command.opposing:
        value = getattr(command, field)
        people += [value] if isinstance(value, str) else value
    exchange = state.exchange if "exchange" in command.__struct_fields__ else None
    if exchange and (exchange.root.kind == "attack" or len(exchange.actions) > 1 or not isinstance(command, Resolve)):
        into = exchange.root.manipulation.into if exchange.root.manipulation else ""
        people += [*(action.combatant for action in exchange.actions), exchange.root.target, into]
    return list(dict.fromkeys(filter(None, people)))


def with_gm_modifiers(judge: Judge) -> Judge:
    """Wrap `judge` so that it records the modifiers of an exchange's rolls before any die falls."""

    def judge_with_modifiers(judging: Decision, command: TakesGmModifiers, checked: object) -> None:
        rolls_now = isinstance(command, Resolve)
        if rolls_now:
            _record_modifiers(judging, command)
        judge(judging, command, checked)
        if not rolls_now:
            _record_modifiers(judging, command)

    return judge_with_modifiers


def _record_modifiers(judging: Decision, command: TakesGmModifiers) -> None:
    if not command.situation:
        return
    number, state = exchange_of(command, judging.ruling), judging.state
    # A counterattack may already have interrupted what was just declared (MAM-CTR-02).
    exchange = next((one for one in state.declared if one.id == number), None)
    if exchange is None:
        return
    own = exchange.action(judging.ruling)
    for one in gm_modifiers_of(command):
        who = one.combatant or (own.combatant if own else actor_of(command))
        judging.record(SituationRuled(number, who, one.value, one.why, own.id if own and not one.combatant else 0))


def takes_gm_modifiers(command: type[Command]) -> bool:
    """Return True if such commands lead to a roll."""
    return issubclass(command, TakesGmModifiers)

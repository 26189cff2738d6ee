"""The game master's own modifiers of a roll, beyond every rule: named, on either side, that add up (MAM-ROLL-01).

Every command that leads to a roll may say them; for the rolls of an exchange they are kept until it is over.
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
    Situated,
    actor_of,
    exchange_of,
)
from mam_events.decider.checks import named
from mam_events.decider.decision import Judging
from mam_events.decider.ruleset_data import Ruleset
from mam_events.errors import Refused
from mam_events.events import DiceModifier, Modifier, SituationRuled
from mam_events.refusals.arguments import Id, Said, people
from mam_events.state import Encounter, Exchange
from mam_events.values import SITUATION

_FIELDS = ("situation",)
NO_RULE = ""
"""The rule of such a modifier: none but the game master's word."""

ROLL_CODES = (ActionOrder, Roll, RollInitiative, RollRelated)
"""Commands that roll a dice code, to which dice may be added."""

Check = Callable[[Encounter, Ruleset, Any], object]
Judge = Callable[[Judging, Any, Any], None]


class SaidModifier(Struct, frozen=True):
    """One modifier as a command says it: whose roll it is for ("": of whoever acts), the number of points, or of `dice`
    of a code, and the reason.
    """

    combatant: str
    value: int
    why: str
    dice: bool = False

    def __str__(self) -> str:
        return f"{self.value:+d}{'D' if self.dice else ''} {self.why}"


def said(command: Situated) -> Iterator[SaidModifier]:
    """The modifiers that a command says, in its words."""
    for text in command.situation:
        match = re.match(SITUATION, text)
        assert match is not None  # noqa: S101 - no command is read whose words are others
        number, dice, _ = match[2].partition("D")
        yield SaidModifier(match[1] or "", int(number), match[3], bool(dice))


def outside_exchange(command: Situated, name: str) -> tuple[Modifier, ...]:
    """The situation that a command gives for the roll that it makes for that combatant at once, in no exchange."""
    return tuple(Modifier(one.why, one.value, NO_RULE) for one in _of_roller(command, name) if not one.dice)


def dice_outside_exchange(command: Situated, name: str) -> tuple[DiceModifier, ...]:
    """The dice that a command adds to the code, or takes off the code, of the roll that it makes for that combatant."""
    return tuple(DiceModifier(one.why, one.value) for one in _of_roller(command, name) if one.dice)


def _of_roller(command: Situated, name: str) -> Iterator[SaidModifier]:
    own = actor_of(command)
    return (one for one in said(command) if (one.combatant or own) == name)


def in_exchange(exchange: Exchange | None, name: str, action: int) -> tuple[Modifier, ...]:
    """The situation given for the roll that a combatant makes in an exchange for that action of its own (0: for
    none).
    """
    return tuple(
        Modifier(one.why, one.value, NO_RULE)
        for one in (exchange.situation if exchange else ())
        if one.combatant == name and one.action in (0, action)
    )


def checked(check: Check) -> Check:
    """The check of a command, which also refuses what is said of rolls that nobody makes: with `unknown_combatant`,
    `whose_roll`, `not_rolling` or `idle_situation`, and dice of a code where no code is rolled with `no_code_rolled`.
    """

    def check_situated(state: Encounter, ruleset: Ruleset, command: Situated) -> object:
        found = check(state, ruleset, command)
        for one in said(command):
            if not one.value:
                raise Refused("idle_situation", why=Said(one.why), fields=_FIELDS)
            if one.dice and not isinstance(command, ROLL_CODES):
                raise Refused("no_code_rolled", why=Said(one.why), fields=_FIELDS)
            if one.combatant:
                named(state, one.combatant, "situation")
            _rolls(state, command, one)
        return found

    return check_situated


def _rolls(state: Encounter, command: Situated, one: SaidModifier) -> None:
    name, rolling = one.combatant or actor_of(command), _rolling(state, command)
    if rolling and not name:
        raise Refused("whose_roll", who=Id(rolling[0]), situation=Said(f"{one}"), fields=_FIELDS)
    if not rolling:
        raise Refused("not_rolling/nobody", why=Said(one.why), fields=_FIELDS)
    if name not in rolling:
        rollers = people(state.combatants, rolling)
        raise Refused("not_rolling", who=state.combatants[name], rollers=rollers, fields=_FIELDS)


def _rolling(state: Encounter, command: Situated) -> list[str]:
    """Those whose rolls a command may lead to: whoever acts, the other side, all who are in its exchange."""
    people = [actor_of(command)]
    for field in command.opposing:
        value = getattr(command, field)
        people += [value] if isinstance(value, str) else value
    exchange = state.exchange if "exchange" in command.__struct_fields__ else None
    if exchange and (exchange.root.kind == "attack" or len(exchange.actions) > 1 or not isinstance(command, Resolve)):
        into = exchange.root.manipulation.into if exchange.root.manipulation else ""
        people += [*(action.combatant for action in exchange.actions), exchange.root.target, into]
    return list(dict.fromkeys(filter(None, people)))


def judged(judge: Judge) -> Judge:
    """The judging of a command, with what is said of the rolls of its exchange: known before any die falls."""

    def judge_situated(judging: Judging, command: Situated, found: object) -> None:
        rolls_now = isinstance(command, Resolve)
        if rolls_now:
            _tell(judging, command)
        judge(judging, command, found)
        if not rolls_now:
            _tell(judging, command)

    return judge_situated


def _tell(judging: Judging, command: Situated) -> None:
    if not command.situation:
        return
    number, state = exchange_of(command, judging.ruling), judging.state
    # A counterattack may already have come before what was just declared (MAM-CTR-02).
    exchange = next((one for one in state.declared if one.id == number), None)
    if exchange is None:
        return
    own = exchange.action(judging.ruling)
    for one in said(command):
        who = one.combatant or (own.combatant if own else actor_of(command))
        judging.record(SituationRuled(number, who, one.value, one.why, own.id if own and not one.combatant else 0))


def is_situated(command: type[Command]) -> bool:
    """True if a command leads to a roll."""
    return issubclass(command, Situated)

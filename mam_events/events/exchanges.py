"""Facts of an exchange: an attack or other action, the reactions to it, the rolls and what came of them."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from mam_events.dice import Die
from mam_events.events.base import Event

Outcome = Literal["full", "half", "fail"]


class Modifier(Struct, frozen=True, gc=False):
    """One number added to a die, with its name and the rule it comes from."""

    name: str
    value: int
    rule: str


class AttackDeclared(Event, frozen=True):
    """An attack was declared, before any die (MAM-ATK-01); `power` and `modifier` are the points put into it."""

    topic = "AttackDeclared.1"
    exchange: int
    attacker: str
    target: str
    weapon: str
    power: int
    modifier: int


class ActionDeclared(Event, frozen=True):
    """An action other than an attack was declared, that others may interfere with (MAM-INTF-01)."""

    topic = "ActionDeclared.1"
    exchange: int
    combatant: str
    what: str
    points: int
    bonus: int = 0


class DefenseRaised(Event, frozen=True):
    """The target of an attack moved ready points into defense (MAM-POOL-11)."""

    topic = "DefenseRaised.1"
    exchange: int
    combatant: str
    points: int


class ParryDeclared(Event, frozen=True):
    """The target of an attack will parry (MAM-INTF-06)."""

    topic = "ParryDeclared.1"
    exchange: int
    action: int
    combatant: str
    weapon: str
    points: int = 1


class CounterattackDeclared(Event, frozen=True):
    """The target of an attack will strike back with ready points (MAM-ATK-12)."""

    topic = "CounterattackDeclared.1"
    exchange: int
    action: int
    combatant: str
    target: str
    weapon: str
    power: int
    modifier: int


class InterferenceDeclared(Event, frozen=True):
    """An action aimed at stopping another action (MAM-INTF-01); `strikes` tells one that is itself an attack."""

    topic = "InterferenceDeclared.1"
    exchange: int
    action: int
    combatant: str
    against: int
    target: str
    points: int
    bonus: int = 0
    strikes: bool = False
    weapon: str = ""
    power: int = 0
    modifier: int = 0


class RollMade(Event, frozen=True):
    """What every roll tells: whose it is, for which action, the die (None where a fixed number stands for it),
    the modifiers with their names and rules, the total.
    """

    totals = ("modifiers", "total")
    exchange: int
    combatant: str
    die: Die | None
    modifiers: tuple[Modifier, ...]
    total: int


class AttackRolled(RollMade, frozen=True):
    """The roll of an attack (MAM-ATK-02)."""

    topic = "AttackRolled.1"
    action: int = 0


class DefenseRolled(RollMade, frozen=True):
    """The roll, or fixed difficulty, that an attack must beat (MAM-ATK-03, MAM-ATK-04)."""

    topic = "DefenseRolled.1"


class ParryRolled(RollMade, frozen=True):
    """The roll of a parry, which stands in place of the defence roll (MAM-INTF-06)."""

    topic = "ParryRolled.1"
    action: int = 0


class CounterattackRolled(RollMade, frozen=True):
    """The roll of a counterattack, which stands in place of the defence roll (MAM-ATK-12)."""

    topic = "CounterattackRolled.1"
    action: int = 0


class InterferenceRolled(RollMade, frozen=True):
    """The roll of an interfering action (MAM-INTF-01)."""

    topic = "InterferenceRolled.1"
    action: int = 0


class ActionRolled(RollMade, frozen=True):
    """The roll of an action that somebody interferes with (MAM-INTF-01)."""

    topic = "ActionRolled.1"


class InterferenceResolved(Event, frozen=True):
    """Whether an interfering action stopped its target (MAM-INTF-07)."""

    topic = "InterferenceResolved.1"
    exchange: int
    action: int
    against: int
    outcome: Outcome
    why: str


class CounterattackResolved(Event, frozen=True):
    """What came of a counterattack (MAM-ATK-12)."""

    topic = "CounterattackResolved.1"
    exchange: int
    action: int
    outcome: Outcome
    power: int
    absorbed: int
    why: str


class AttackResolved(Event, frozen=True):
    """What came of the attack, and the exchange is over (MAM-ATK-04); `power` less `absorbed` gets through on a hit."""

    topic = "AttackResolved.1"
    exchange: int
    outcome: Outcome
    power: int
    absorbed: int
    why: str


class ActionResolved(Event, frozen=True):
    """What came of an action that was not an attack, and the exchange is over."""

    topic = "ActionResolved.1"
    exchange: int
    outcome: Outcome
    why: str

"""Events of the rolls of an exchange."""

from typing import ClassVar

from mam_events.dice import Die
from mam_events.events.base import InformationalEvent
from mam_events.events.exchanges import Modifier
from mam_events.values import CombatantRef, RulingRef


class RollMade(InformationalEvent, frozen=True):
    """The base of all rolls of an exchange.

    `combatant` rolls for `exchange`. `die` is None if a fixed number stands for it. `modifiers` have names and rules;
    `total` includes them. `what` is the word for the purpose of such a roll.
    """

    topic = ""
    what: ClassVar[str]
    totals = ("modifiers", "total")
    exchange: RulingRef
    combatant: CombatantRef
    die: Die | None
    modifiers: tuple[Modifier, ...]
    total: int
    confirmation: Die | None = None

    @property
    def face(self) -> int | None:
        """The natural face; None if no die was rolled."""
        return self.die.face if self.die else None

    @property
    def base(self) -> int:
        """The number that the modifiers are added to: the natural face, or the fixed number that stands for it."""
        return self.total - sum(modifier.value for modifier in self.modifiers)


class AttackRolled(RollMade, frozen=True):
    """The roll of an attack (MAM-ATK-02)."""

    what = "attack"
    action: RulingRef = 0


class DefenseRolled(RollMade, frozen=True):
    """The roll, or fixed difficulty, that an attack must beat (MAM-ATK-03, MAM-ATK-04)."""

    what = "defense"


class ParryRolled(RollMade, frozen=True):
    """The roll of a parry, which replaces the defense roll (MAM-INTF-06)."""

    what = "parry"
    action: RulingRef = 0


class CounterattackRolled(RollMade, frozen=True):
    """The roll of a counterattack, which replaces the defense roll (MAM-ATK-12)."""

    what = "counterattack"
    action: RulingRef = 0


class InterferenceRolled(RollMade, frozen=True):
    """The roll of an interfering action (MAM-INTF-01)."""

    what = "interference"
    action: RulingRef = 0


class ActionRolled(RollMade, frozen=True):
    """The roll of an action that someone interferes with (MAM-INTF-01)."""

    what = "action"

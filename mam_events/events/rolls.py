"""Events of rolls outside an exchange: success rolls and contests."""

from typing import ClassVar, Literal

from msgspec import Struct

from mam_events.commands import Attempt, TieKind
from mam_events.dice import Die
from mam_events.events.base import Event, InformationalEvent
from mam_events.events.exchanges import Modifier
from mam_events.values import CombatantRef, OutcomeField, SaidTextField

RolledFor = Literal[
    "check", "contest", "healing", "opposition", "stealth", "instant stand", "riding", "animal handling"
]


class SuccessRoll(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """One roll (MAM-ROLL-01).

    It holds the die and the second throw of a substitute, the value they stand for, its modifiers, and the difficulty
    with its modifiers. `difficulty` is None for a roll that is itself what another roll must beat. `automatic` is true
    for a natural 20 or anything that counts as one (MAM-ROLL-02, MAM-DICE-04).
    """

    totals: ClassVar[tuple[str, ...]] = ("value", "modifiers", "total", "difficulty", "difficulty_modifiers")
    combatant: CombatantRef
    what: RolledFor
    die: Die
    value: int
    modifiers: tuple[Modifier, ...]
    total: int
    difficulty: int | None = None
    difficulty_modifiers: tuple[Modifier, ...] = ()
    confirmation: Die | None = None
    automatic: bool = False

    @property
    def against(self) -> int:
        """The number that the total must be greater than: the difficulty and its modifiers."""
        return (self.difficulty or 0) + sum(modifier.value for modifier in self.difficulty_modifiers)

    @property
    def succeeded(self) -> bool:
        """True if the roll by itself is a success; a total equal to the difficulty is a failure."""
        return self.automatic or self.total > self.against


class RollsTold(Event, frozen=True):
    """An event with success rolls, in the order in which they were made."""

    topic = ""
    rolls: tuple[SuccessRoll, ...]

    @property
    def dice(self) -> tuple[Die, ...]:
        """Every die of the rolls."""
        return tuple(die for roll in self.rolls for die in (roll.die, roll.confirmation) if die is not None)


class SuccessRolled(InformationalEvent, RollsTold, frozen=True):
    """The result of an attempt (MAM-ROLL-01); a certain or impossible one has no roll (MAM-ROLL-03)."""

    combatant: CombatantRef
    what: SaidTextField
    attempt: Attempt
    outcome: OutcomeField


class ContestResolved(InformationalEvent, RollsTold, frozen=True):
    """The result of a contest, for the one who began it and for the opponent (MAM-CONT-01, MAM-CONT-03).

    `tie` is true if both rolls of a pair were equal; `tie_kind` then settled it.
    """

    combatant: CombatantRef
    opponent: CombatantRef
    what: SaidTextField
    outcome: OutcomeField
    opponent_outcome: OutcomeField
    tie_kind: TieKind = ""
    tie: bool = False

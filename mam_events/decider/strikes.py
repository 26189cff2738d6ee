"""Combat rolls and strikes as every section of the rules sees them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from mam_events.decider.decision import Decision
from mam_events.decider.ruleset_data import Ruleset
from mam_events.events import Modifier
from mam_events.state import Action, Combatant, Encounter, Exchange

CombatRole = Literal["attack", "defense"]
"""A roll of the one who acts, or of the one who defends."""
ModifierRole = Literal[CombatRole, "passive", "difficulty"]
"""The purpose of a modifier.

It changes the roll of the one who acts, or of the one who defends; protects the defender by itself (evasion and the
like); or makes the action itself harder (range, darkness).
"""


PLAIN_DEFENSE = -1
"""The number of the plain defense roll, which no action makes; other rolls have the number of their ruling."""
RAM_BACK = -3
"""The number of the ram back, which nobody declares (MAM-VEH-03)."""
INTO_DEFENSE = -5
"""The number of the defense roll of the person whom a thrown body strikes (MAM-MNP-09)."""
THROWN_BODY = -4
"""The number of the strike with a thrown body, for which the throw was declared (MAM-MNP-09)."""


class RollContext(Struct, frozen=True):
    """A roll as the sections see it.

    `combatant` is the one who rolls (for a difficulty: who acts), `opponent` the other side (None: nobody). `action` is
    the action the roll is about: the combatant's own, or the one that they defend against.
    """

    state: Encounter
    ruleset: Ruleset
    action: Action
    combatant: Combatant
    opponent: Combatant | None
    role: ModifierRole


class StrikeRoll(Struct, frozen=True):
    """The die that a strike was made with: its natural face (None: no die), and whether it succeeded automatically."""

    face: int | None
    automatic: bool = False


class StrikeEffect(Struct, frozen=True):
    """The effect of a strike on its target: its power with the modifiers, the absorbed part, stun and damage."""

    power: int
    absorbed: int
    stun: int
    damage: int
    modifiers: tuple[Modifier, ...] = ()


class UndeclaredStrike(Struct, frozen=True):
    """A strike that an attack causes without a declaration, and the function that records its effect."""

    action: Action
    record: Callable[[Decision, Exchange, StrikeEffect], None]

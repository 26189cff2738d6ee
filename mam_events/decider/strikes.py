"""Combat rolls and strikes as every section of the rules sees them."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from mam_events.events import Modifier

CombatRole = Literal["attack", "defense"]
"""A roll of the one who acts, or of the one who defends."""
ModifierRole = Literal[CombatRole, "passive", "difficulty"]
"""The purpose of a modifier: the roll of one who acts, the roll of one who defends, what protects the defender by
itself (evasion and the like), what makes the action itself harder (range, darkness)."""


PLAIN_DEFENSE = -1
"""The number of the plain defense roll, which no action makes; those of actions are their rulings'."""
RAM_BACK = -3
"""The number of the ram back, which nobody declares (MAM-VEH-03)."""
INTO_DEFENSE = -5
"""The number of the defense of whoever a thrown body strikes (MAM-MNP-09)."""
THROWN_BODY = -4
"""The number of the strike with somebody who is thrown, for which the throw was declared (MAM-MNP-09)."""


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

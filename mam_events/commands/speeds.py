"""Orders that let a turn pass, or put it off."""

from __future__ import annotations

from typing import Annotated

from mam_events.commands.base import Command
from mam_events.commands.fields import Actor, Reason
from mam_events.values import CombatantId, says


class SkipTurn(Command, frozen=True):
    """Let a turn pass without moving or acting (MAM-TURN-02, MAM-TURN-05); it may be the next one's whole turn."""

    actor = "combatant"
    boundary = True
    combatant: Actor
    reason: Reason = ""


class DelayTurn(Command, frozen=True):
    """Put one's turn off until after somebody else's (MAM-TURN-09)."""

    actor = "combatant"
    combatant: Annotated[CombatantId, says("Whose turn waits.")]
    after: Annotated[CombatantId, says("Insert the action into the past, behind ruling N.")]

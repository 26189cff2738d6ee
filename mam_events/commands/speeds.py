"""Orders that let a turn pass, or put it off."""

from __future__ import annotations

from mam_events.commands.base import Command
from mam_events.values import CombatantId, Text


class SkipTurn(Command, frozen=True):
    """Let a turn pass without moving or acting (MAM-TURN-02, MAM-TURN-05); it may be the next one's whole turn."""

    actor = "combatant"
    boundary = True
    combatant: CombatantId
    reason: Text = ""


class DelayTurn(Command, frozen=True):
    """Put one's turn off until after somebody else's (MAM-TURN-09)."""

    actor = "combatant"
    combatant: CombatantId
    after: CombatantId

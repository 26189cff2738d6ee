"""Fights under speed rules and their current turn."""

from __future__ import annotations

from mam_events.commands import (
    Command,
)
from tests.spec import GivenFight, given


def speed(*history: Command, **rules: str) -> GivenFight:
    """Return a fight with that history under speed rules."""
    return given(*history, rules=rules, preset="mam_speed")


def current_turn(fight: GivenFight) -> tuple[str, int, int]:
    """Return the combatant whose turn it is, the attack that the turn interrupts, and the open exchange."""
    state = fight.state
    assert state.turn
    return state.turn.combatant, state.turn.counter, state.exchange.id if state.exchange else 0

"""Orders before the first turn: stealth, surprise, postures."""

from __future__ import annotations

from typing import Literal

from mam_events.commands.base import Command, Situated
from mam_events.values import Circumstances, CombatantId, Face


class Stalk(Situated, frozen=True):
    """Try to surprise somebody: stealth against detection, one roll (MAM-SURP-01)."""

    opposing = ("target",)
    actor = "combatant"
    combatant: CombatantId
    target: CombatantId
    die: Face | None = None
    confirmation_die: Face | None = None
    circumstance: Circumstances = ()


class EstablishSurprise(Command, frozen=True):
    """Settle what the stalking came to (MAM-SURP-02, MAM-SURP-03): who has the advantage, or that nobody meets."""


class TakePosture(Command, frozen=True):
    """Begin the fight evading, or ready to counter, where nobody was surprised (MAM-SURP-04)."""

    actor = "combatant"
    combatant: CombatantId
    posture: Literal["evading", "ready_to_counter"]

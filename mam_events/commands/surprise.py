"""Orders before the first turn: stealth, surprise, postures."""

from __future__ import annotations

from typing import Annotated, Literal

from mam_events.commands.base import Command, Situated
from mam_events.commands.fields import Helping
from mam_events.values import CombatantId, Face, says


class Stalk(Situated, frozen=True):
    """Try to surprise somebody: stealth against detection, one roll (MAM-SURP-01)."""

    opposing = ("target",)
    actor = "combatant"
    combatant: Annotated[CombatantId, says("Who comes up unseen.")]
    target: Annotated[CombatantId, says("On whom.")]
    die: Annotated[Face | None, says("The face that was thrown; drawn, if left out.")] = None
    confirmation_die: Annotated[Face | None, says("The face of a second throw, where one is due.")] = None
    circumstance: Helping = ()


class EstablishSurprise(Command, frozen=True):
    """Settle what the stalking came to (MAM-SURP-02, MAM-SURP-03): who has the advantage, or that nobody meets."""


class TakePosture(Command, frozen=True):
    """Begin the fight evading, or ready to counter, where nobody was surprised (MAM-SURP-04)."""

    actor = "combatant"
    combatant: Annotated[CombatantId, says("Who begins the fight that way.")]
    posture: Annotated[Literal["evading", "ready_to_counter"], says("How.")]

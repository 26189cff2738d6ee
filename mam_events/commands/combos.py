"""The order of a combo."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from mam_events.commands.base import Command
from mam_events.values import CombatantId, Points


class DeclareCombo(Command, frozen=True):
    """Declare a combo of so many quick actions (MAM-COMBO-01): `target` are those whom it will attack, `modifier` the
    points that help its attacks (MAM-COMBO-06).
    """

    actor = "combatant"
    combatant: CombatantId
    actions: Annotated[int, Meta(ge=1, le=100)]
    modifier: Points = 0
    target: tuple[CombatantId, ...] = ()

"""The order of a combo."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from mam_events.commands.base import Command
from mam_events.commands.fields import Actor
from mam_events.values import CombatantId, Points, says


class DeclareCombo(Command, frozen=True):
    """Declare a combo of so many quick actions (MAM-COMBO-01): `target` are those whom it will attack, `modifier` the
    points that help its attacks (MAM-COMBO-06).
    """

    actor = "combatant"
    combatant: Actor
    actions: Annotated[Annotated[int, Meta(ge=1, le=100)], says("How many quick actions.")]
    modifier: Annotated[Points, says("Ready points that help the attacks (0).")] = 0
    target: Annotated[tuple[CombatantId, ...], says("Whom the combo will attack; as often as needed.")] = ()

"""The command of a combo."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from mam_events.commands.base import Command
from mam_events.commands.fields import Actor
from mam_events.values import CombatantId, Points, of_actor


class DeclareCombo(Command, frozen=True):
    """Declare a combo of several quick actions.

    Declare it before its first action, and name its targets (MAM-COMBO-01). Points on it help its attacks
    (MAM-COMBO-06).
    """

    bare = ("combatant", "actions")
    slots = ("actions", "target")
    examples = ("declare-combo 2 --target clone", "declare-combo modre 3 --target clone --target wolf")

    combatant: Actor
    actions: Annotated[Annotated[int, Meta(ge=1, le=100)], of_actor("How many quick actions.")]
    modifier: Annotated[Points, of_actor("Ready points that help the attacks (0).")] = 0
    target: Annotated[tuple[CombatantId, ...], of_actor("Whom the combo will attack (repeatable).")] = ()

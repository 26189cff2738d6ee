"""The order to ram."""

from __future__ import annotations

from typing import Annotated

from mam_events.commands.base import Situated
from mam_events.values import CollisionKind, CombatantId, Points, Slug, says


class Ram(Situated, frozen=True):
    """Drive a vehicle into somebody or something: an attack that its driver makes (MAM-VEH-02, MAM-VEH-03).

    `collision` is how they meet (MAM-VEH-04, MAM-VEH-05), `part` what it rams with. `modifier` points go to defense as
    those of any attack do (MAM-ATK-01); without them as few as it takes.
    """

    opposing = ("target",)
    actor = "driver"
    begins_exchange = True
    driver: Annotated[CombatantId, says("Who drives; the one whose turn it is.")]
    vehicle: Annotated[CombatantId, says("What is driven; what the driver sits in.")]
    target: Annotated[CombatantId, says("What it is driven into.")]
    collision: Annotated[CollisionKind, says("How they meet (head_on).")] = "head_on"
    part: Annotated[Slug, says("What it rams with, lower case (front).")] = "front"
    modifier: Annotated[Points | None, says("Ready points put on the roll (1).")] = None

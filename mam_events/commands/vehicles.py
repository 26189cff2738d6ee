"""The order to ram."""

from __future__ import annotations

from mam_events.commands.base import Situated
from mam_events.values import CollisionKind, CombatantId, Points, Slug


class Ram(Situated, frozen=True):
    """Drive a vehicle into somebody or something: an attack that its driver makes (MAM-VEH-02, MAM-VEH-03).

    `collision` is how they meet (MAM-VEH-04, MAM-VEH-05), `part` what it rams with. `modifier` points go to defense as
    those of any attack do (MAM-ATK-01); without them as few as it takes.
    """

    opposing = ("target",)
    actor = "driver"
    begins_exchange = True
    driver: CombatantId
    vehicle: CombatantId
    target: CombatantId
    collision: CollisionKind = "head_on"
    part: Slug = "front"
    modifier: Points | None = None

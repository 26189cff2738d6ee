"""The command to ram."""

from __future__ import annotations

from typing import Annotated

from mam_events.commands.base import TakesGmModifiers
from mam_events.values import CollisionKind, CombatantId, Points, Slug, of_actor, of_master


class Ram(TakesGmModifiers, frozen=True):
    """Drive a vehicle into something.

    It is an attack in the driver's turn. If it hits, the target rams back (MAM-VEH-02, MAM-VEH-03).

    The roll adds the smaller of driving and the vehicle's agility. The straight distance that both moved since their
    last turns began adds to the damage of both.
    """

    bare = ("driver", "vehicle", "target")
    slots = ("vehicle", "target", "collision")
    examples = ("ram ben car truck", "ram truck --collision rear_end --part bumper")

    opposing = ("target",)
    actor = "driver"
    begins_exchange = True
    driver: Annotated[CombatantId, of_actor("Who drives (the one whose turn it is, if left out).", unsaid="whose turn")]
    vehicle: Annotated[
        CombatantId,
        of_actor("The vehicle (the one the driver sits in, if left out).", unsaid="what the driver sits in"),
    ]
    target: Annotated[CombatantId, of_actor("What it rams.")]
    collision: Annotated[CollisionKind, of_master("How they meet (head_on).")] = "head_on"
    part: Annotated[Slug, of_actor("What it rams with, lower case (front).")] = "front"
    modifier: Annotated[Points | None, of_actor("Ready points put on the roll (1).")] = None

"""Riders, ridden animals, and vehicles that ram something."""

from decimal import Decimal
from typing import Literal

from msgspec import Struct

from mam_events.values import CollisionKind, CombatantRef


class Saddle(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A rider on a mount: the number of turns that the mount had begun when it was mounted, and the owed rolls.

    `riding` counts rolls to stay mounted (MAM-MNT-01), `handling` rolls to keep an untrained animal from running
    (MAM-MNT-03).
    """

    since: int = 0
    riding: int = 0
    handling: int = 0


Mood = Literal["held", "attacking", "running"]
"""The present behavior of a ridden animal: its rider holds it, or it attacks or runs by itself."""


class Temper(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """The behavior of a ridden animal: its mood, the `round` of that mood, and whether it is lasting.

    `tried` is the round of the last attempt to hold it (0: it may be tried, MAM-MNT-02). `attacked` is true if it has
    attacked since its turn began, `charged` if its rider has used its speed instead (MAM-MNT-04). `against` are its
    attackers.
    """

    mood: Literal["", Mood] = ""
    round: int = 0
    lasting: bool = False
    tried: int = 0
    attacked: bool = False
    charged: bool = False
    against: tuple[CombatantRef, ...] = ()


class Collision(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """The way a vehicle rams something: the driver, the kind of collision, the part that hits and the modifier.

    `modifier` is the smaller of the driver's ability and the vehicle's (MAM-VEH-02). The distances are the metres that
    both went straight since the beginning of their last turns (MAM-VEH-04, MAM-VEH-05).
    """

    kind: CollisionKind
    driver: CombatantRef
    modifier: int
    vehicle_distance: Decimal
    target_distance: Decimal
    part: str = "front"

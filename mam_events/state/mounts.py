"""Riding, to a rider and to the animal, and how a vehicle runs into something."""

from decimal import Decimal
from typing import Literal

from msgspec import Struct

from mam_events.values import CollisionKind, CombatantRef


class Saddle(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A rider on its mount: how many turns the mount had begun when it was mounted, and the rolls that are owed.

    `riding` counts rolls to stay mounted (MAM-MNT-01), `handling` rolls to keep an untrained animal from running
    (MAM-MNT-03).
    """

    since: int = 0
    riding: int = 0
    handling: int = 0


Mood = Literal["held", "attacking", "running"]
"""The doing that a ridden animal was last brought or left to."""


class Temper(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """The way a ridden animal behaves: what it was last brought or left to, in which `round`, and whether
    that lasts.

    `tried` is the round of the last attempt to hold it (0: it may be tried, MAM-MNT-02); `attacked` whether it has
    attacked since its turn began, `charged` whether its rider has used its speed instead (MAM-MNT-04), `against` who
    has attacked it.
    """

    mood: Literal["", Mood] = ""
    round: int = 0
    lasting: bool = False
    tried: int = 0
    attacked: bool = False
    charged: bool = False
    against: tuple[CombatantRef, ...] = ()


class Collision(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """The way a vehicle is to ram something: driven by whom, from which side, with what part and which
    modifier.

    `modifier` is the smaller of the driver's ability and the vehicle's (MAM-VEH-02); the distances are metres that both
    went straight since the beginning of their last turns (MAM-VEH-04, MAM-VEH-05).
    """

    kind: CollisionKind
    driver: CombatantRef
    modifier: int
    vehicle_distance: Decimal
    target_distance: Decimal
    part: str = "front"

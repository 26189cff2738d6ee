"""Commands about riding: getting on and off, staying on, holding an animal back."""

from __future__ import annotations

from typing import Annotated

from mam_events.commands.base import Announceable, TakesGmModifiers
from mam_events.commands.fields import Actor, Helping, Price, SecondFace, Thrown, ThrownFace
from mam_events.values import CombatantId, of_actor


class Mount(Announceable, frozen=True):
    """Get on an animal or into a vehicle.

    It is an action. From then on the mount moves, in a turn of its own.
    """

    bare = ("combatant", "mount")
    examples = ("mount ana horse",)

    combatant: Actor
    mount: Annotated[CombatantId, of_actor("The animal or vehicle.")]
    points: Price = None


class Dismount(Announceable, frozen=True):
    """Get off a mount.

    It is an action.
    """

    bare = ("combatant",)
    examples = ("dismount ana",)

    combatant: Actor
    points: Price = None


class StayMounted(TakesGmModifiers, frozen=True):
    """Roll to stay in the saddle.

    Roll riding against 10 whenever the trained animal attacks or is attacked (MAM-MNT-01). It needs no turn. Until it
    is rolled, the rider can do nothing and no turn can end.
    """

    bare = ("combatant",)
    also_bare = ("die",)
    examples = ("stay-mounted ana --die 14", "stay-mounted 14")

    combatant: Annotated[
        CombatantId,
        of_actor("Who rolls (the rider who owes the roll, if left out).", unsaid="who owes a riding roll"),
    ]
    circumstance: Helping = ()
    kind: Thrown = "d20"
    die: ThrownFace = None
    confirmation_die: SecondFace = None


class RestrainMount(TakesGmModifiers, frozen=True):
    """Roll to hold an animal back.

    Animal handling keeps a trained animal from attacking, and an untrained one from running (MAM-MNT-02, -03). Try it
    once a round, and again each time the animal is attacked. It needs no turn.
    """

    bare = ("combatant",)
    also_bare = ("die",)
    examples = ("restrain-mount ana --die 9", "restrain-mount 9")

    combatant: Annotated[
        CombatantId,
        of_actor("Who rolls (the rider who owes the roll, if left out).", unsaid="who owes a handling roll"),
    ]
    circumstance: Helping = ()
    kind: Thrown = "d20"
    die: ThrownFace = None
    confirmation_die: SecondFace = None

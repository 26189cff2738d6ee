"""Orders about riding: getting on and off, staying on, holding an animal back."""

from __future__ import annotations

from typing import Annotated

from mam_events.commands.base import Command, Situated
from mam_events.commands.fields import Actor, Helping, Price, Rider, SecondFace, Thrown, ThrownFace
from mam_events.values import CombatantId, says


class Mount(Command, frozen=True):
    """Get on an animal or into a vehicle; without `points` for as few as it takes."""

    actor = "combatant"
    combatant: Actor
    mount: Annotated[CombatantId, says("The animal or vehicle.")]
    points: Price = None


class Dismount(Command, frozen=True):
    """Get off what one rides; without `points` for as few as it takes."""

    actor = "combatant"
    combatant: Actor
    points: Price = None


class StayMounted(Situated, frozen=True):
    """The riding roll that a rider owes whose trained animal has attacked or defended itself (MAM-MNT-01).

    `kind` is the die that is thrown, `die` its face and `confirmation_die` that of the second throw (MAM-DICE-04).
    """

    actor = "combatant"
    combatant: Rider
    circumstance: Helping = ()
    kind: Thrown = "d20"
    die: ThrownFace = None
    confirmation_die: SecondFace = None


class RestrainMount(Situated, frozen=True):
    """A rider's roll to hold the animal: a trained one from attacking, another from running (MAM-MNT-02, MAM-MNT-03).

    `kind` is the die that is thrown, `die` its face and `confirmation_die` that of the second throw (MAM-DICE-04).
    """

    actor = "combatant"
    combatant: Rider
    circumstance: Helping = ()
    kind: Thrown = "d20"
    die: ThrownFace = None
    confirmation_die: SecondFace = None

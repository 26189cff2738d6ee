"""Orders about riding: getting on and off, staying on, holding an animal back."""

from __future__ import annotations

from mam_events.commands.base import Command, Situated
from mam_events.values import Circumstances, CombatantId, DieKind, Face, Points


class Mount(Command, frozen=True):
    """Get on an animal or into a vehicle; without `points` for as few as it takes."""

    actor = "combatant"
    combatant: CombatantId
    mount: CombatantId
    points: Points | None = None


class Dismount(Command, frozen=True):
    """Get off what one rides; without `points` for as few as it takes."""

    actor = "combatant"
    combatant: CombatantId
    points: Points | None = None


class StayMounted(Situated, frozen=True):
    """The riding roll that a rider owes whose trained animal has attacked or defended itself (MAM-MNT-01).

    `kind` is the die that is thrown, `die` its face and `confirmation_die` that of the second throw (MAM-DICE-04).
    """

    actor = "combatant"
    combatant: CombatantId
    circumstance: Circumstances = ()
    kind: DieKind = "d20"
    die: Face | None = None
    confirmation_die: Face | None = None


class RestrainMount(Situated, frozen=True):
    """A rider's roll to hold the animal: a trained one from attacking, another from running (MAM-MNT-02, MAM-MNT-03).

    `kind` is the die that is thrown, `die` its face and `confirmation_die` that of the second throw (MAM-DICE-04).
    """

    actor = "combatant"
    combatant: CombatantId
    circumstance: Circumstances = ()
    kind: DieKind = "d20"
    die: Face | None = None
    confirmation_die: Face | None = None

"""Orders about how one stands, lies, evades and rests."""

from __future__ import annotations

from typing import Annotated, Literal

from mam_events.commands.base import Command, Situated
from mam_events.commands.fields import Actor, MaybeThrown, Price, SecondFace, ThrownFace
from mam_events.values import CombatantId, Face, ThingId, says


class Evade(Command, frozen=True):
    """Move defensively (MAM-MNV-01); together with a quick attack it is the `evade` of that attack (MAM-MNV-02)."""

    actor = "combatant"
    combatant: Actor


class Drop(Command, frozen=True):
    """Get down on the ground: crouching, sitting, kneeling or lying (MAM-MNV-03)."""

    actor = "combatant"
    combatant: Actor
    points: Price = None


class Stand(Command, frozen=True):
    """Stand up (MAM-MNV-04)."""

    actor = "combatant"
    combatant: Actor
    points: Price = None


class InstantStand(Situated, frozen=True):
    """Stand up evading, by a roll of agility and acrobatics (MAM-MNV-05).

    `points` pay for the standing alone; `kind` is the die where nobody rolls against it (None: a d20).
    """

    actor = "combatant"
    combatant: Actor
    points: Price = None
    kind: MaybeThrown = None
    die: ThrownFace = None
    opposing_die: Annotated[
        Face | None, says("The face that it must beat, where both are thrown; drawn, if left out.")
    ] = None
    confirmation_die: SecondFace = None
    opposing_confirmation_die: Annotated[Face | None, says("The face of that one's second throw.")] = None


class Rest(Command, frozen=True):
    """Rest in the middle of a fight (MAM-POS-04)."""

    actor = "combatant"
    combatant: Actor
    points: Price = None


class Aim(Command, frozen=True):
    """Aim a weapon that strikes from a distance (MAM-POS-02), or `stop` aiming it, which takes nothing."""

    actor = "combatant"
    combatant: Actor
    weapon: Annotated[ThingId, says("What to aim, in hand, to be shot or thrown; the only one, if left out.")]
    points: Price = None
    stop: Annotated[bool, says("Aim it no longer, which takes nothing.")] = False


class TakePosition(Command, frozen=True):
    """Settle how a grapple is fought: standing or on the ground, and who is dominant (MAM-POS-05).

    The `partner` takes the position that goes with it.
    """

    actor = "combatant"
    combatant: Actor
    position: Annotated[
        Literal["clinch", "ground_fighting", "dominant_standing", "dominant_on_ground"],
        says("How they fight: clinch, ground_fighting, dominant_standing, dominant_on_ground."),
    ]
    partner: Annotated[CombatantId, says("With whom.")]

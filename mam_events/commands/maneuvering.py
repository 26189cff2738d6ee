"""Commands about how one stands, lies, evades and rests."""

from __future__ import annotations

from typing import Annotated, Literal

from mam_events.commands.base import Announceable, Command, TakesGmModifiers
from mam_events.commands.fields import Actor, MaybeThrown, Price, SecondFace, ThrownFace
from mam_events.values import GM_OWNER, CombatantId, Face, ThingId, description, of_actor, of_roller


class Evade(Command, frozen=True):
    """Move defensively.

    It gives a bonus to the defense until the end of the next turn. It is possible once per turn (MAM-MNV-01).
    """

    bare = ("combatant",)
    examples = ("evade modre", "evade")

    combatant: Actor


class Drop(Command, frozen=True):
    """Get down on the ground.

    It stands for crouching, sitting, kneeling and lying (MAM-MNV-03).
    """

    bare = ("combatant",)
    examples = ("drop modre", "drop --points 1")

    combatant: Actor
    points: Price = None


class Stand(Announceable, frozen=True):
    """Stand up.

    It is one quick action (MAM-MNV-04).
    """

    bare = ("combatant",)
    examples = ("stand modre", "stand")

    combatant: Actor
    points: Price = None


class InstantStand(TakesGmModifiers, frozen=True):
    """Stand up while evading, by a roll.

    The roll adds agility and acrobatics. If they come to more than 5, no roll is needed (MAM-MNV-05).
    """

    bare = ("combatant",)
    examples = ("instant-stand modre --die 4 --opposing-die 2", "instant-stand")

    combatant: Actor
    points: Price = None
    kind: MaybeThrown = None
    die: ThrownFace = None
    opposing_die: Annotated[Face | None, of_roller("The face to beat, if both are thrown (drawn, if left out).")] = None
    confirmation_die: SecondFace = None
    opposing_confirmation_die: Annotated[
        Face | None, of_roller("The face of the second throw of the opposing die.")
    ] = None


class Rest(Command, frozen=True):
    """Rest in the middle of a fight.

    It gives a bonus to the defense until the end of the next turn (MAM-POS-04).
    """

    bare = ("combatant",)
    examples = ("rest modre", "rest")

    combatant: Actor
    points: Price = None


class Aim(Command, frozen=True):
    """Aim a weapon before a shot or throw.

    It gives a bonus to the next shot or throw. Moving, being hurt or striking in another way loses it (MAM-POS-02).
    """

    bare = ("combatant", "weapon")
    examples = ("aim modre bow", "aim bow", "aim bow --stop")

    combatant: Actor
    weapon: Annotated[
        ThingId,
        of_actor("The weapon in hand to aim (the only one, if left out).", unsaid="the only weapon"),
    ]
    points: Price = None
    stop: Annotated[bool, of_actor("Stop aiming it, which costs nothing.")] = False


class TakePosition(Command, frozen=True):
    """Settle who is dominant in a grapple.

    It sets the combatant's position, and the partner takes the matching one (MAM-POS-05).
    """

    given_by = GM_OWNER

    bare = ("combatant", "position", "partner")
    examples = ("take-position modre dominant_standing clone", "take-position clinch clone")

    combatant: Actor
    position: Annotated[
        Literal["clinch", "ground_fighting", "dominant_standing", "dominant_on_ground"],
        description("How they fight: clinch, ground_fighting, dominant_standing, dominant_on_ground."),
    ]
    partner: Annotated[CombatantId, description("The other one in the grapple.")]

"""Orders of manipulation and grappling: to take somebody in hand, to keep a hold up, to get out of one."""

from __future__ import annotations

from typing import Annotated, Literal

from mam_events.commands.base import Command, Situated
from mam_events.commands.fields import (
    Actor,
    Helping,
    Interferer,
    Manipulating,
    OnGrip,
    OnModifier,
    OpenExchange,
    StoppedAction,
)
from mam_events.state import SharpnessClass
from mam_events.values import (
    CombatantId,
    GrappleId,
    Light,
    Metres,
    Modifier,
    OptionalCombatantId,
    OptionalGoalId,
    Points,
    Text,
    ThingId,
    says,
)


class Manipulate(Situated, frozen=True):
    """Declare a manipulation (MAM-MNP-01): `points` manipulate, `modifier` points make it hit.

    `follow_up` is what it is to become (MAM-MNP-02). `power` points are for what is measured by attack power: a choke,
    a wrench, or a missile (MAM-MNP-03). `item` is the weapon that is to be taken (MAM-MNP-04). A throw may go into a
    `surface` at a `distance` in metres, with the power and sharpness that it has as a weapon (MAM-MNP-08), and strike
    somebody else, `into` whom it goes; on the way the thrower may `move` for so many points, or so many `metres`
    (MAM-MNP-09). The rest is as in an attack.
    """

    opposing = ("target",)
    actor = "attacker"
    begins_exchange = True
    attacker: Annotated[CombatantId, says("Who manipulates; the one whose turn it is, if left out.")]
    target: Annotated[CombatantId, says("Who is manipulated.")]
    weapon: Annotated[ThingId, says("What to manipulate with; body, if left out.")] = "body"
    points: Manipulating = 0
    power: OnGrip = 0
    modifier: OnModifier = 0
    follow_up: Annotated[
        Literal["none", "disarm", "hold", "choke", "wrench", "throw"], says("What it is to become (none).")
    ] = "none"
    item: Annotated[OptionalGoalId, says("The weapon that is to be taken.")] = ""
    surface: Annotated[Text, says("What the target is thrown into, in words.")] = ""
    surface_power: Annotated[Modifier, says("The power of that surface (0).")] = 0
    surface_sharpness: Annotated[Modifier | None, says("Its sharpness, if it is not blunt.")] = None
    surface_class: Annotated[SharpnessClass | None, says("Its kind of sharpness, in place of a number.")] = None
    into: Annotated[OptionalCombatantId, says("Who is struck with the thrown body.")] = ""
    move: Annotated[Points, says("Ready points on moving while throwing (0).")] = 0
    metres: Annotated[Metres | None, says("How far to move while throwing, in metres.")] = None
    thrown: Annotated[Literal["", "quick", "powerful"], says("How the weapon is thrown.")] = ""
    distance: Annotated[Metres | None, says("How far off the target is, or the surface, in metres.")] = None
    light: Annotated[Light, says("How much the attacker sees (lit).")] = "lit"
    darkness: Annotated[Points | None, says("The game master's number for total darkness.")] = None
    blind: Annotated[bool, says("The attacker is blind: the dark does not matter.")] = False
    from_above: Annotated[bool, says("It comes from above (MAM-POS-03).")] = False
    circumstance: Helping = ()


class Tackle(Situated, frozen=True):
    """Try to stop an action by manipulating, hand to hand, whoever does it (MAM-INTF-02, MAM-INTF-04).

    `action` is the number of the ruling that declared what is to be stopped. The rest is as in a manipulation.
    """

    actor = "combatant"
    interferes = True
    combatant: Interferer
    exchange: OpenExchange
    action: StoppedAction
    weapon: Annotated[ThingId, says("What to tackle with; body, if left out.")] = "body"
    points: Manipulating = 0
    power: OnGrip = 0
    modifier: OnModifier = 0
    follow_up: Annotated[
        Literal["none", "disarm", "hold", "choke", "wrench", "throw"], says("What it is to become (none).")
    ] = "none"
    item: Annotated[OptionalGoalId, says("The weapon that is to be taken.")] = ""


class Escape(Situated, frozen=True):
    """Try to get out of a hold by manipulating whoever holds (`hold_escape`), with `points` and `modifier` points."""

    opposing = ("holder",)
    actor = "combatant"
    begins_exchange = True
    combatant: Actor
    holder: Annotated[CombatantId, says("Who holds it; found by the hold.")]
    grapple: Annotated[GrappleId, says("Which hold to get out of; the only one, if left out.")]
    points: Manipulating = 0
    modifier: OnModifier = 0


class MaintainGrapple(Command, frozen=True):
    """Keep a hold up for a turn, where its points are spent anew each time (`hold_maintenance`)."""

    actor = "combatant"
    combatant: Actor
    grapple: Annotated[GrappleId, says("Which hold; the only one, if left out.")]

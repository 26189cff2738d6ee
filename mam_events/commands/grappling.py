"""Orders of manipulation and grappling: to take somebody in hand, to keep a hold up, to get out of one."""

from __future__ import annotations

from typing import Literal

from mam_events.commands.base import Command, Situated
from mam_events.state import SharpnessClass
from mam_events.values import (
    Circumstance,
    CombatantId,
    GrappleId,
    Light,
    Metres,
    Modifier,
    OptionalCombatantId,
    OptionalGoalId,
    Points,
    RulingNumber,
    Text,
    ThingId,
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
    attacker: CombatantId
    target: CombatantId
    weapon: ThingId = "body"
    points: Points = 0
    power: Points = 0
    modifier: Points = 0
    follow_up: Literal["none", "disarm", "hold", "choke", "wrench", "throw"] = "none"
    item: OptionalGoalId = ""
    surface: Text = ""
    surface_power: Modifier = 0
    surface_sharpness: Modifier | None = None
    surface_class: SharpnessClass | None = None
    into: OptionalCombatantId = ""
    move: Points = 0
    metres: Metres | None = None
    thrown: Literal["", "quick", "powerful"] = ""
    distance: Metres | None = None
    light: Light = "lit"
    darkness: Points | None = None
    blind: bool = False
    from_above: bool = False
    circumstance: tuple[Circumstance, ...] = ()


class Tackle(Situated, frozen=True):
    """Try to stop an action by manipulating, hand to hand, whoever does it (MAM-INTF-02, MAM-INTF-04).

    `action` is the number of the ruling that declared what is to be stopped. The rest is as in a manipulation.
    """

    actor = "combatant"
    interferes = True
    combatant: CombatantId
    exchange: RulingNumber
    action: RulingNumber
    weapon: ThingId = "body"
    points: Points = 0
    power: Points = 0
    modifier: Points = 0
    follow_up: Literal["none", "disarm", "hold", "choke", "wrench", "throw"] = "none"
    item: OptionalGoalId = ""


class Escape(Situated, frozen=True):
    """Try to get out of a hold by manipulating whoever holds (`hold_escape`), with `points` and `modifier` points."""

    opposing = ("holder",)
    actor = "combatant"
    begins_exchange = True
    combatant: CombatantId
    holder: CombatantId
    grapple: GrappleId
    points: Points = 0
    modifier: Points = 0


class MaintainGrapple(Command, frozen=True):
    """Keep a hold up for a turn, where its points are spent anew each time (`hold_maintenance`)."""

    actor = "combatant"
    combatant: CombatantId
    grapple: GrappleId

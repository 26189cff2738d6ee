"""Commands of manipulation and grappling: to take somebody in hand, to keep a hold up, to get out of one."""

from __future__ import annotations

from typing import Annotated, Literal

from mam_events.commands.base import Command, TakesGmModifiers
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
    of_actor,
    of_master,
)

Becoming = Annotated[
    Literal["none", "disarm", "hold", "choke", "wrench", "throw"], of_actor("What follows if it succeeds (none).")
]


class Manipulate(TakesGmModifiers, frozen=True):
    """Grapple somebody: disarm, hold, choke, wrench, throw.

    It lowers the target's next combat roll, and may have a follow-up (MAM-MNP-01, MAM-MNP-02).
    """

    bare = ("attacker", "target")
    slots = ("target", "weapon", "follow_up")
    examples = (
        "manipulate modre clone --points 2 --modifier 1",
        "manipulate clone --follow-up choke --power 5",
        "manipulate modre clone --follow-up disarm --item ice-blade --points 3",
        'manipulate modre clone --follow-up throw --points 2 --surface "the wall" --surface-power 3',
    )

    opposing = ("target",)
    actor = "attacker"
    begins_exchange = True
    attacker: Annotated[
        CombatantId, of_actor("Who manipulates (the one whose turn it is, if left out).", unsaid="whose turn")
    ]
    target: Annotated[CombatantId, of_actor("Who is manipulated.")]
    weapon: Annotated[ThingId, of_actor("What to manipulate with (the body, if left out).")] = "body"
    points: Manipulating = 0
    power: OnGrip = 0
    modifier: OnModifier = 0
    follow_up: Becoming = "none"
    item: Annotated[OptionalGoalId, of_actor("The weapon to take away.")] = ""
    surface: Annotated[Text, of_actor("What the target is thrown into, in words.")] = ""
    surface_power: Annotated[Modifier, of_master("The power of the surface (0).")] = 0
    surface_sharpness: Annotated[Modifier | None, of_master("The sharpness of the surface, if it is not blunt.")] = None
    surface_class: Annotated[
        SharpnessClass | None, of_master("The surface's kind of sharpness, in place of a number.")
    ] = None
    into: Annotated[OptionalCombatantId, of_actor("Who is struck with the thrown body.")] = ""
    move: Annotated[Points, of_actor("Ready points on moving while throwing (0).")] = 0
    metres: Annotated[Metres | None, of_actor("How far to move while throwing, in metres.")] = None
    thrown: Annotated[Literal["", "quick", "powerful"], of_actor("How the weapon is thrown.")] = ""
    distance: Annotated[Metres | None, of_actor("How far off the target is, or the surface, in metres.")] = None
    light: Annotated[Light, of_master("How much the attacker can see (lit).")] = "lit"
    darkness: Annotated[Points | None, of_master("The game master's number for total darkness.")] = None
    blind: Annotated[bool, of_master("The attacker is blind: the dark does not matter.")] = False
    from_above: Annotated[bool, of_master("It comes from above (MAM-POS-03).")] = False
    circumstance: Helping = ()


class Tackle(TakesGmModifiers, frozen=True):
    """Try to stop somebody's action by taking hold of them.

    It stops the action only if its roll beats the actor's. It then has the effect of a manipulation (MAM-MNP-01,
    MAM-INTF-02, MAM-INTF-04).
    """

    bare = ("combatant", "action")
    slots = ("weapon", "follow_up")
    examples = ("tackle rook --points 2", "tackle rook 15 --follow-up hold --points 2 --modifier 1")

    interferes = True
    combatant: Interferer
    exchange: OpenExchange
    action: StoppedAction
    weapon: Annotated[ThingId, of_actor("What to tackle with (the body, if left out).")] = "body"
    points: Manipulating = 0
    power: OnGrip = 0
    modifier: OnModifier = 0
    follow_up: Becoming = "none"
    item: Annotated[OptionalGoalId, of_actor("The weapon to take away.")] = ""


class Escape(TakesGmModifiers, frozen=True):
    """Try to get out of a hold.

    The combatant manipulates the holder (MAM-MNP-10, `hold_escape`).
    """

    bare = ("combatant", "grapple")
    slots = ("holder", "grapple")
    examples = ("escape clone choke-6 --points 3", "escape hold-12 --points 2 --modifier 1", "escape clone --points 3")

    opposing = ("holder",)
    begins_exchange = True
    combatant: Actor
    holder: Annotated[CombatantId, of_actor("Who holds them (known from the hold, if left out).")]
    grapple: Annotated[GrappleId, of_actor("Which hold to get out of (the only one, if left out).")]
    points: Manipulating = 0
    modifier: OnModifier = 0


class MaintainGrapple(Command, frozen=True):
    """Maintain a hold for another turn.

    It is needed only if the house rules make a hold cost points again each turn (MAM-MNP-05, `hold_maintenance`).
    """

    bare = ("combatant", "grapple")
    examples = ("maintain-grapple modre choke-6", "maintain-grapple modre")

    combatant: Actor
    grapple: Annotated[GrappleId, of_actor("Which hold (the only one, if left out).")]

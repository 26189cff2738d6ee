"""Commands of a combatant's own turn."""

from __future__ import annotations

from typing import Annotated

from mam_events.commands.base import Announceable, Command
from mam_events.commands.fields import Actor, Price, Reason
from mam_events.values import (
    CombatantId,
    GrappleId,
    Metres,
    OptionalCombatantId,
    Points,
    Terrain,
    ThingId,
    of_actor,
    of_master,
)


class BeginTurn(Command, frozen=True):
    """Begin the next combatant's turn.

    Its stun phase runs by itself (MAM-PHASE-01).
    """

    bare = ("combatant",)
    examples = ("begin-turn", "begin-turn modre")

    boundary = True
    combatant: Annotated[CombatantId, of_actor("Whose turn begins (the next one, if left out).", unsaid="who begins")]


class Ready(Command, frozen=True):
    """Move points into the ready pool.

    It is the second phase of a turn (MAM-PHASE-02). Without numbers, as many points as possible become ready, if they
    all come from one pool.
    """

    bare = ("combatant",)
    examples = ("ready clone --defense 3", "ready")

    combatant: Actor
    defense: Annotated[Points, of_actor("Points that come from the defense pool.")] = 0
    other_used: Annotated[Points, of_actor("Points that come from the other used pool.")] = 0


class Move(Command, frozen=True):
    """Move some distance.

    Ready points carry points × stride metres (MAM-POOL-12). Without points, give the metres.

    In a round of Ron d6, half of Move is free. More takes an action (RD6-FREE-01).
    """

    bare = ("combatant", "points")
    slots = ()
    examples = (
        "move 3",
        "move clone 3 --metres 2.5",
        "move clone --metres 4",
        "move 4",
        "move rook --metres 2 --terrain challenging",
    )

    combatant: Annotated[
        CombatantId, of_actor("Who moves (the one whose turn it is, if left out).", unsaid="who moves")
    ]
    points: Annotated[Points, of_actor("Ready points to spend, or metres if moving costs no points.")] = 0
    metres: Annotated[Metres | None, of_actor("How far, in metres (all that the points allow, if left out).")] = None
    straight: Annotated[bool, of_actor("In a straight line, as a charge or a ram needs.")] = False
    terrain: Annotated[Terrain, of_master("In Ron d6: the ground (easy).")] = "easy"
    counts: Annotated[bool, of_actor("In Ron d6: the move takes an action, however short it is.")] = False


class ReadyWeapon(Announceable, frozen=True):
    """Take a weapon in hand.

    The weapon must not be in hand yet (MAM-ATK-06).
    """

    bare = ("combatant", "weapon")
    examples = ("ready-weapon modre ice-blade",)

    combatant: Actor
    weapon: Annotated[
        ThingId, of_actor("Which weapon that is not in hand (the only one, if left out).", unsaid="the only weapon")
    ]
    points: Price = None


class DropItem(Command, frozen=True):
    """Drop something carried.

    Its encumbrance no longer counts (MAM-POOL-06).
    """

    bare = ("combatant", "item")
    examples = ("drop-item modre backpack",)

    combatant: Actor
    item: Annotated[ThingId, of_actor("What to drop: a weapon or a piece of equipment.")]


class PickUpItem(Announceable, frozen=True):
    """Pick up something dropped.

    A weapon is then in hand.
    """

    bare = ("combatant", "item")
    examples = ("pick-up-item modre backpack", "pick-up-item clone ice-blade --owner modre")

    combatant: Actor
    item: Annotated[ThingId, of_actor("What to pick up: something that was dropped.")]
    points: Price = None
    owner: Annotated[OptionalCombatantId, of_actor("Whose it was, if not their own.")] = ""


class Release(Command, frozen=True):
    """Let go of a hold.

    Its points in other used become free again (MAM-POOL-07).
    """

    bare = ("combatant", "grapple")
    examples = ("release modre grip", "release modre")

    combatant: Actor
    grapple: Annotated[GrappleId, of_actor("Which hold (the only one, if left out).")]


class EndTurn(Command, frozen=True):
    """End the turn.

    Points still ready stay ready (MAM-PHASE-05, MAM-POOL-02).
    """

    bare = ("combatant",)
    examples = ("end-turn", 'end-turn clone --reason "fled"')

    boundary = True
    combatant: Annotated[
        CombatantId,
        of_actor("Whose turn ends (the one in progress, if left out).", unsaid="whose turn, of either kind"),
    ]
    reason: Reason = ""

"""Orders of a combatant's own turn."""

from __future__ import annotations

from typing import Annotated

from mam_events.commands.base import Command
from mam_events.commands.fields import Actor, Price, Reason
from mam_events.values import CombatantId, GrappleId, Metres, OptionalCombatantId, Points, Terrain, ThingId, says


class BeginTurn(Command, frozen=True):
    """The next combatant's turn begins: the stun phase runs by itself (MAM-PHASE-01)."""

    actor = "combatant"
    boundary = True
    combatant: Annotated[CombatantId, says("Whose turn begins; whoever is next.")]


class Ready(Command, frozen=True):
    """Move points into ready in the second phase (MAM-PHASE-02); the player chooses from where (MAM-PHASE-03)."""

    actor = "combatant"
    combatant: Actor
    defense: Annotated[Points, says("Points that come from the defense pool.")] = 0
    other_used: Annotated[Points, says("Points that come from the other used pool.")] = 0


class Move(Command, frozen=True):
    """Move, in a `straight` line or not: where points are spent, metres = points × stride (MAM-POOL-12) or fewer.

    `terrain` and whether the game master `counts` every movement as an action matter in Ron d6 (RD6-FREE-01).
    """

    actor = "combatant"
    combatant: Annotated[CombatantId, says("Who moves; the one whose turn it is, if left out.")]
    points: Annotated[Points, says("Ready points to spend; metres, where moving costs none.")] = 0
    metres: Annotated[Metres | None, says("How far, in metres, if not all the way (points × stride).")] = None
    straight: Annotated[bool, says("In a straight line, as a charge or a ram needs.")] = False
    terrain: Annotated[Terrain, says("In Ron d6: the ground (easy).")] = "easy"
    counts: Annotated[bool, says("In Ron d6: it takes an action, whatever its length.")] = False


class ReadyWeapon(Command, frozen=True):
    """Take a weapon in hand that is not yet (MAM-ATK-06); without `points` for as few as it takes."""

    actor = "combatant"
    combatant: Actor
    weapon: Annotated[ThingId, says("Which weapon that is not in hand; the only one, if left out.")]
    points: Price = None


class DropItem(Command, frozen=True):
    """Drop something carried, so that its encumbrance no longer counts (MAM-POOL-06)."""

    actor = "combatant"
    combatant: Actor
    item: Annotated[ThingId, says("What to drop: a weapon or a piece of equipment.")]


class PickUpItem(Command, frozen=True):
    """Pick up something dropped, of one's own or of another `owner`, without `points` for as few as it takes; a
    weapon comes to hand.
    """

    actor = "combatant"
    combatant: Actor
    item: Annotated[ThingId, says("What to pick up: something that was dropped.")]
    points: Price = None
    owner: Annotated[OptionalCombatantId, says("Whose it was; one's own, if left out.")] = ""


class Release(Command, frozen=True):
    """Let go of a hold: its points in other used are free again (MAM-POOL-07)."""

    actor = "combatant"
    combatant: Actor
    grapple: Annotated[GrappleId, says("Which hold; the only one, if left out.")]


class EndTurn(Command, frozen=True):
    """The combatant's turn is over (MAM-PHASE-05); points still ready stay ready (MAM-POOL-02)."""

    actor = "combatant"
    boundary = True
    combatant: Actor
    reason: Reason = ""

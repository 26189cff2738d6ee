"""Orders of a combatant's own turn."""

from __future__ import annotations

from mam_events.commands.base import Command
from mam_events.values import CombatantId, GrappleId, Metres, OptionalCombatantId, Points, Terrain, Text, ThingId


class BeginTurn(Command, frozen=True):
    """The next combatant's turn begins: the stun phase runs by itself (MAM-PHASE-01)."""

    actor = "combatant"
    boundary = True
    combatant: CombatantId


class Ready(Command, frozen=True):
    """Move points into ready in the second phase (MAM-PHASE-02); the player chooses from where (MAM-PHASE-03)."""

    actor = "combatant"
    combatant: CombatantId
    defense: Points = 0
    other_used: Points = 0


class Move(Command, frozen=True):
    """Move, in a `straight` line or not: where points are spent, metres = points × stride (MAM-POOL-12) or fewer.

    `terrain` and whether the game master `counts` every movement as an action matter in Ron d6 (RD6-FREE-01).
    """

    actor = "combatant"
    combatant: CombatantId
    points: Points = 0
    metres: Metres | None = None
    straight: bool = False
    terrain: Terrain = "easy"
    counts: bool = False


class ReadyWeapon(Command, frozen=True):
    """Take a weapon in hand that is not yet (MAM-ATK-06); without `points` for as few as it takes."""

    actor = "combatant"
    combatant: CombatantId
    weapon: ThingId
    points: Points | None = None


class DropItem(Command, frozen=True):
    """Drop something carried, so that its encumbrance no longer counts (MAM-POOL-06)."""

    actor = "combatant"
    combatant: CombatantId
    item: ThingId


class PickUpItem(Command, frozen=True):
    """Pick up something dropped, of one's own or of another `owner`, without `points` for as few as it takes; a
    weapon comes to hand.
    """

    actor = "combatant"
    combatant: CombatantId
    item: ThingId
    points: Points | None = None
    owner: OptionalCombatantId = ""


class Release(Command, frozen=True):
    """Let go of a hold: its points in other used are free again (MAM-POOL-07)."""

    actor = "combatant"
    combatant: CombatantId
    grapple: GrappleId


class EndTurn(Command, frozen=True):
    """The combatant's turn is over (MAM-PHASE-05); points still ready stay ready (MAM-POOL-02)."""

    actor = "combatant"
    boundary = True
    combatant: CombatantId
    reason: Text = ""

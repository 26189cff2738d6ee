"""Facts about rounds and turns, and the phases of a turn."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

from mam_events.events.base import Event
from mam_events.state import Pools
from mam_events.values import CombatantRef, ThingRef

Purpose = Literal[
    "attack",
    "defend",
    "parry",
    "counterattack",
    "interference",
    "move",
    "action",
    "equipment",
    "evasion",
    "manipulation",
]
"""What hit points are spent on."""


class RoundStarted(Event, frozen=True):
    """A new round began (MAM-ORDER-01): a second or two, room for one action or a few (MAM-GEN-03)."""

    topic = "RoundStarted.1"
    totals = ("round",)
    round: int


class RoundEnded(Event, frozen=True):
    """The round is over: everybody who has turns has had one, or the game master says so.

    `lost` are actions that were declared and not used (RD6-RND-04), `no_turn` those who never came to act;
    `rolled_anew` tells that the order ends with the round (RD6-INIT-05).
    """

    topic = "RoundEnded.1"
    totals = ("round",)
    round: int
    lost: dict[CombatantRef, int] = {}
    no_turn: tuple[CombatantRef, ...] = ()
    rolled_anew: bool = False


class TurnStarted(Event, frozen=True):
    """A combatant's turn began."""

    topic = "TurnStarted.1"
    combatant: CombatantRef


class TurnEnded(Event, frozen=True):
    """A combatant's turn is over (MAM-PHASE-05)."""

    topic = "TurnEnded.1"
    combatant: CombatantRef


class StunRecovered(Event, frozen=True):
    """Points came back from stun to other used; `turn` tells that the turn itself brought them, as it does once
    (MAM-PHASE-01, MAM-TURN-06).
    """

    topic = "StunRecovered.1"
    totals = ("pools",)
    combatant: CombatantRef
    points: int
    pools: Pools
    turn: bool = False


class ReadyPoolRefreshed(Event, frozen=True):
    """Points moved into ready in the second phase (MAM-PHASE-02); `refilled` of them went to other used instead,
    to fill a reserve that was short (`encumbrance_shortfall = refill_first`).
    """

    topic = "ReadyPoolRefreshed.1"
    totals = ("maximum", "pools")
    combatant: CombatantRef
    from_defense: int
    from_other_used: int
    maximum: int
    pools: Pools
    refilled: int = 0


class HitPointsSpent(Event, frozen=True):
    """Ready points were spent: to defense (movement, modifiers) and to other used (all else) (MAM-POOL-03, -05)."""

    topic = "HitPointsSpent.1"
    totals = ("pools",)
    combatant: CombatantRef
    purpose: Purpose
    to_defense: int
    to_other_used: int
    pools: Pools


class CombatantMoved(Event, frozen=True):
    """A combatant moved so many metres (MAM-POOL-12), in a straight line or not (MAM-ATK-07)."""

    topic = "CombatantMoved.1"
    combatant: CombatantRef
    metres: Decimal
    straight: bool = False


class WeaponReadied(Event, frozen=True):
    """A weapon was taken in hand (MAM-ATK-06)."""

    topic = "WeaponReadied.1"
    combatant: CombatantRef
    weapon: ThingRef


class EquipmentDropped(Event, frozen=True):
    """Something carried was dropped and weighs no more (MAM-POOL-06)."""

    topic = "EquipmentDropped.1"
    combatant: CombatantRef
    item: ThingRef


class EquipmentPickedUp(Event, frozen=True):
    """Something dropped was picked up; what somebody else dropped (`owner`) is the combatant's from then on."""

    topic = "EquipmentPickedUp.1"
    combatant: CombatantRef
    item: ThingRef
    owner: CombatantRef = ""

"""Facts that are the game master's word: they follow from no rule and nothing blocks them."""

from __future__ import annotations

from mam_events.events.base import Event
from mam_events.events.exchanges import Outcome
from mam_events.state import Condition, Grapple, Pool, Pools
from mam_events.values import CombatantRef, RulingRef


class PoolsAdjusted(Event, frozen=True):
    """The game master moved points from one pool to another."""

    topic = "PoolsAdjusted.1"
    totals = ("pools",)
    combatant: CombatantRef
    source: Pool
    target: Pool
    points: int
    pools: Pools


class ConditionDeclared(Event, frozen=True):
    """The game master said how a combatant is: able, incapacitated, dead, out of the fight."""

    topic = "ConditionDeclared.1"
    combatant: CombatantRef
    condition: Condition


class GrappleDeclared(Event, frozen=True):
    """The game master said that a combatant has somebody in a hold, which keeps points in other used."""

    topic = "GrappleDeclared.1"
    combatant: CombatantRef
    grapple: Grapple


class TurnDeclared(Event, frozen=True):
    """The game master said whose turn it is; `combatant` is empty for nobody's."""

    topic = "TurnDeclared.1"
    combatant: CombatantRef = ""


class OutcomeDeclared(Event, frozen=True):
    """The game master said how the open exchange ended; wounds, if any, follow as facts of their own."""

    topic = "OutcomeDeclared.1"
    exchange: RulingRef
    outcome: Outcome

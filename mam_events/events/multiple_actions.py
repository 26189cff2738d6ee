"""Facts of a round of Ron d6 that no die tells of."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

from mam_events.commands.multiple_actions import MovedUpFor
from mam_events.events.base import Event
from mam_events.values import CombatantRef, RulingRef, Said, Terrain


class ActionsDeclared(Event, frozen=True):
    """A combatant's turn began: so many actions in this round (RD6-ACT-02), of `limit` at most (RD6-LIM-01).

    `penalty` dice come off every roll, with so many of the actions in its `allotment` (RD6-MAP-01, RD6-MAP-03).
    """

    topic = "ActionsDeclared.1"
    combatant: CombatantRef
    actions: int
    limit: int
    penalty: int
    allotment: int = 1


class TurnMovedUp(Event, frozen=True):
    """A combatant reacts before its turn, and this is its turn (RD6-ACT-06); `against` is the action reacted to."""

    topic = "TurnMovedUp.1"
    totals = ("reason",)
    combatant: CombatantRef
    because: MovedUpFor
    actions: int
    limit: int
    penalty: int
    allotment: int = 1
    against: RulingRef = 0
    reason: Said = ""


class CombatantWaited(Event, frozen=True):
    """A combatant used an action to wait (RD6-ACT-03), and may act or interrupt later; `left` actions are left."""

    topic = "CombatantWaited.1"
    totals = ("left",)
    combatant: CombatantRef
    left: int


class ResultDeclared(Event, frozen=True):
    """The game master declared what came of an action, and its window is closed (RD6-ACT-04).

    `total` and `difficulty` are those it was judged by, None where they were not compared.
    """

    topic = "ResultDeclared.1"
    totals = ("text", "total", "difficulty")
    exchange: RulingRef
    combatant: CombatantRef
    action: str
    outcome: Literal["success", "failure"]
    text: Said = ""
    total: int | None = None
    difficulty: int | None = None


class CombatantHeldDown(Event, frozen=True):
    """Somebody was tackled or pinned as a whole, and can only speak or try to get free (RD6-LIST-tackle)."""

    topic = "CombatantHeldDown.1"
    combatant: CombatantRef
    by: CombatantRef


class CombatantFreed(Event, frozen=True):
    """Somebody who was held down is free of all who held it (RD6-LIST-escape), or `of` one of them."""

    topic = "CombatantFreed.1"
    totals = ("reason",)
    combatant: CombatantRef
    reason: Said = ""
    of: CombatantRef = ""


class ActionsLost(Event, frozen=True):
    """Somebody unable to act lost so many actions of this round, or (`turn`) its turn in it (RD6-INIT-07)."""

    topic = "ActionsLost.1"
    combatant: CombatantRef
    actions: int
    turn: bool = False


class TurnRegained(Event, frozen=True):
    """Somebody who was unable to act has its turn of this round after all, and nothing of it is lost (RD6-INIT-07)."""

    topic = "TurnRegained.1"
    combatant: CombatantRef


class MovedFreely(Event, frozen=True):
    """A combatant moved, and it took no action (RD6-FREE-01)."""

    topic = "MovedFreely.1"
    combatant: CombatantRef
    metres: Decimal
    terrain: Terrain = "easy"

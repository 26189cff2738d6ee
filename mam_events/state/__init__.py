"""What a fight is at one moment: frozen values, built only by folding facts, never counted up."""

from __future__ import annotations

from mam_events.state.combatants import Combatant, Condition, has_turns
from mam_events.state.encounters import UNOPENED, Combo, Deed, Encounter, Interrupted, Pinned, Stalking, Turn
from mam_events.state.equipment import BODY, ArmorPiece, Item, SharpnessClass, Weapon, WeaponKind
from mam_events.state.exchanges import PLAIN_TERMS, Action, Exchange, Terms
from mam_events.state.mounts import Collision, Saddle, Temper
from mam_events.state.pools import POOLS, Pool, Pools
from mam_events.state.status import Effect, Grapple, Position, Statistics, Status

__all__ = [
    "BODY",
    "PLAIN_TERMS",
    "POOLS",
    "UNOPENED",
    "Action",
    "ArmorPiece",
    "Collision",
    "Combatant",
    "Combo",
    "Condition",
    "Deed",
    "Effect",
    "Encounter",
    "Exchange",
    "Grapple",
    "Interrupted",
    "Item",
    "Pinned",
    "Pool",
    "Pools",
    "Position",
    "Saddle",
    "SharpnessClass",
    "Stalking",
    "Statistics",
    "Status",
    "Temper",
    "Terms",
    "Turn",
    "Weapon",
    "WeaponKind",
    "has_turns",
]

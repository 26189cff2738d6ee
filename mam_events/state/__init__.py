"""What a fight is at one moment: frozen values, built only by folding facts, never counted up."""

from __future__ import annotations

from mam_events.state.combatants import Combatant, Condition, has_turns
from mam_events.state.encounters import (
    UNOPENED,
    Combo,
    Deed,
    Encounter,
    Interrupted,
    Pinned,
    Stalking,
    Turn,
    fingerprint_of,
)
from mam_events.state.equipment import BODY, ArmorPiece, Item, SharpnessClass, Weapon, WeaponKind
from mam_events.state.exchanges import (
    GRIPS,
    PLAIN_TERMS,
    Action,
    Exchange,
    FollowUp,
    Manipulation,
    SituationModifier,
    Surface,
    Terms,
)
from mam_events.state.mounts import Collision, Saddle, Temper
from mam_events.state.pools import POOLS, Pool, Pools
from mam_events.state.rounds import (
    Actions,
    Faculties,
    Handled,
    Moved,
    OpenAction,
    RelatedSkill,
    RolledEntry,
    RolledInitiative,
    Window,
)
from mam_events.state.status import Effect, Grapple, GrappleKind, Position, Statistics, Status

__all__ = [
    "BODY",
    "GRIPS",
    "PLAIN_TERMS",
    "POOLS",
    "UNOPENED",
    "Action",
    "Actions",
    "ArmorPiece",
    "Collision",
    "Combatant",
    "Combo",
    "Condition",
    "Deed",
    "Effect",
    "Encounter",
    "Exchange",
    "Faculties",
    "FollowUp",
    "Grapple",
    "GrappleKind",
    "Handled",
    "Interrupted",
    "Item",
    "Manipulation",
    "Moved",
    "OpenAction",
    "Pinned",
    "Pool",
    "Pools",
    "Position",
    "RelatedSkill",
    "RolledEntry",
    "RolledInitiative",
    "Saddle",
    "SharpnessClass",
    "SituationModifier",
    "Stalking",
    "Statistics",
    "Status",
    "Surface",
    "Temper",
    "Terms",
    "Turn",
    "Weapon",
    "WeaponKind",
    "Window",
    "fingerprint_of",
    "has_turns",
]

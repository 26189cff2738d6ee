"""Every fact that a log can hold, collected by topic."""

from __future__ import annotations

from mam_events.events.adjustments import (
    ConditionDeclared,
    GrappleDeclared,
    OutcomeDeclared,
    PoolsAdjusted,
    TurnDeclared,
)
from mam_events.events.base import TYPES, Event
from mam_events.events.exchanges import (
    ActionDeclared,
    ActionResolved,
    ActionRolled,
    AttackDeclared,
    AttackResolved,
    AttackRolled,
    CounterattackDeclared,
    CounterattackResolved,
    CounterattackRolled,
    DefenseRaised,
    DefenseRolled,
    InterferenceDeclared,
    InterferenceResolved,
    InterferenceRolled,
    Modifier,
    Outcome,
    ParryDeclared,
    ParryRolled,
    RollMade,
)
from mam_events.events.heads import (
    Amend,
    Correction,
    Head,
    Note,
    Play,
    Restore,
    RulingRejudged,
    Step,
    Strike,
    Verdict,
)
from mam_events.events.opening import CombatantJoined, EncounterClosed, EncounterOpened, InitiativeEstablished
from mam_events.events.turns import (
    CombatantMoved,
    EquipmentDropped,
    EquipmentPickedUp,
    HitPointsSpent,
    ReadyPoolRefreshed,
    RoundEnded,
    RoundStarted,
    StunRecovered,
    TurnEnded,
    TurnStarted,
    WeaponReadied,
)
from mam_events.events.wounds import (
    CombatantDied,
    CombatantIncapacitated,
    CombatantRecovered,
    GrappleBroken,
    GrappleReleased,
    GrappleWeakened,
    ReserveShort,
    WoundInflicted,
)

__all__ = [name for name in dir() if name[0].isupper() and name != "TYPE_CHECKING"]

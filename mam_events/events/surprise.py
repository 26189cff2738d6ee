"""Facts before the first turn."""

from __future__ import annotations

from mam_events.events.base import Event
from mam_events.events.exchanges import Outcome
from mam_events.events.rolls import RollsTold
from mam_events.state import Effect
from mam_events.values import CombatantRef


class StealthRolled(RollsTold, frozen=True):
    """Somebody tried to surprise somebody else: stealth against detection (MAM-SURP-01)."""

    topic = "StealthRolled.1"
    combatant: CombatantRef
    target: CombatantRef
    outcome: Outcome


class SurpriseEstablished(Event, frozen=True):
    """What stalking or an ambush came to: who has the advantage (nobody, if all surprised each other), and who was
    surprised and so has no weapon in hand (MAM-SURP-02, MAM-SURP-05).
    """

    topic = "SurpriseEstablished.1"
    totals = ("why",)
    advantaged: tuple[CombatantRef, ...]
    surprised: tuple[CombatantRef, ...]
    why: str


class CombatAvoided(Event, frozen=True):
    """Neither found the other, and no combat takes place (MAM-SURP-02); they may stalk again."""

    topic = "CombatAvoided.1"


class OpeningPostureTaken(Event, frozen=True):
    """A combatant begins the fight evading, with that bonus, or ready to counter (MAM-SURP-04).

    `skips_owed` is 1 where being ready costs the first turn.
    """

    topic = "OpeningPostureTaken.1"
    combatant: CombatantRef
    posture: str
    effect: Effect | None = None
    skips_owed: int = 0

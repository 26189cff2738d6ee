"""Facts about bonuses and penalties that end by themselves."""

from __future__ import annotations

from mam_events.events.base import Event
from mam_events.values import CombatantRef


class EffectExpired(Event, frozen=True):
    """A bonus or penalty of that source is over (MAM-POS-04): of several the one that would have ended with that own
    turn, by its number, or the oldest.
    """

    topic = "EffectExpired.1"
    combatant: CombatantRef
    source: str
    turn: int = 0

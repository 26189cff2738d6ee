"""Facts about bonuses and penalties that end by themselves."""

from __future__ import annotations

from mam_events.events.base import Event
from mam_events.values import CombatantRef


class EffectExpired(Event, frozen=True):
    """A bonus or penalty of that source is over: the oldest of them, if there are several (MAM-POS-04)."""

    topic = "EffectExpired.1"
    combatant: CombatantRef
    source: str

"""Facts about armour."""

from __future__ import annotations

from mam_events.events.base import Event


class ArmorChecked(Event, frozen=True):
    """Armour was compared with a die: the piece that blocked ("" for none) and what it absorbs (MAM-ARM-02)."""

    topic = "ArmorChecked.1"
    exchange: int
    combatant: str
    face: int
    piece: str
    absorption: int

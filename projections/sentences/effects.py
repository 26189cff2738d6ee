"""Sentences about bonuses and penalties that end by themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mam_events import events as e
from projections.wording import signed

if TYPE_CHECKING:
    from projections.casebook import Scene
    from projections.sentences.tables import Parts, Sentences


def _consumed(event: e.EffectConsumed, scene: Scene) -> str:
    does = "hampers" if event.value < 0 else "helps"
    source = event.source.replace("_", " ")
    return f"The {source} no longer {does} {scene.name(event.combatant)}: the {signed(event.value)} has counted."


SENTENCES: Sentences = {e.EffectExpired: "{combatant}'s {source:words} is over.", e.EffectConsumed: _consumed}
PARTS: Parts = {
    # The number that it changed stands in the sum.
    e.EffectConsumed: "",
}

"""Sentences about bonuses and penalties that end by themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mam_events import events as e
from projections.sentences.brief import silent
from projections.wording import pool, signed

if TYPE_CHECKING:
    from projections.casebook import Scene
    from projections.sentences.tables import Parts, Sentences


def _expired(event: e.EffectExpired, scene: Scene) -> str:
    return f"{scene.name(event.combatant)}'s {pool(event.source)} is over."


def _consumed(event: e.EffectConsumed, scene: Scene) -> str:
    does = "hampers" if event.value < 0 else "helps"
    source = event.source.replace("_", " ")
    return f"The {source} no longer {does} {scene.name(event.combatant)}: the {signed(event.value)} has counted."


SENTENCES: Sentences = {e.EffectExpired: _expired, e.EffectConsumed: _consumed}
PARTS: Parts = {
    # The number that it changed stands in the sum.
    e.EffectConsumed: silent,
}

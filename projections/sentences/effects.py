"""Sentences about bonuses and penalties that end by themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mam_events.events import EffectConsumed, EffectExpired
from projections.sentences.brief import silent
from projections.wording import pool, signed

if TYPE_CHECKING:
    from projections.casebook import Scene
    from projections.sentences.tables import Parts, Sentences


def _expired(fact: EffectExpired, scene: Scene) -> str:
    return f"{scene.name(fact.combatant)}'s {pool(fact.source)} is over."


def _consumed(fact: EffectConsumed, scene: Scene) -> str:
    does = "hampers" if fact.value < 0 else "helps"
    source = fact.source.replace("_", " ")
    return f"The {source} no longer {does} {scene.name(fact.combatant)}: the {signed(fact.value)} has counted."


SENTENCES: Sentences = {EffectExpired: _expired, EffectConsumed: _consumed}
PARTS: Parts = {
    # The number that it changed stands in the sum.
    EffectConsumed: silent,
}

"""Sentences about bonuses and penalties that end by themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mam_events.events.effects import EffectExpired
from projections.wording import pool

if TYPE_CHECKING:
    from projections.casebook import Scene
    from projections.sentences.tables import Sentences


def _expired(fact: EffectExpired, scene: Scene) -> str:
    return f"{scene.name(fact.combatant)}'s {pool(fact.source)} is over."


SENTENCES: Sentences = {EffectExpired: _expired}

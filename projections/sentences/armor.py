"""Sentences about armour."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mam_events.events.armor import ArmorChecked, Layer

if TYPE_CHECKING:
    from projections.casebook import Scene
    from projections.sentences.tables import Sentences


def _checked(fact: ArmorChecked, scene: Scene) -> str:
    name = scene.name(fact.combatant)
    if fact.die:
        worth = f", worth {fact.face}" if fact.die.face != fact.face else ""
        start = f"{name} rolls {fact.die.face} ({fact.die.source}) for the armour{worth}"
    else:
        start = f"{name}'s armour: {fact.face}"
    asked = ", ".join(map(_layer, fact.layers))
    came = f"{fact.absorption} absorbed by {fact.piece}" if fact.piece else "nothing blocks"
    return f"{start} against {asked}: {came} (MAM-ARM-02)."


def _layer(layer: Layer) -> str:
    return f"{layer.name} {'complete' if layer.complete else layer.running_cover}"


SENTENCES: Sentences = {ArmorChecked: _checked}

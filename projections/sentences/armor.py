"""Sentences about armour."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mam_events.events.armor import ArmorChecked, Layer

if TYPE_CHECKING:
    from projections.casebook import Scene
    from projections.sentences.tables import Sentences


def _checked(fact: ArmorChecked, scene: Scene) -> str:
    die = f"rolls {fact.die.face} ({fact.die.source}) for the armour" if fact.die else "has armour on"
    worth = f", worth {fact.face}" if fact.die and fact.die.face != fact.face else ""
    asked = "".join(f", {_layer(layer)}" for layer in fact.layers)
    came = f"the {fact.piece} absorbs {fact.absorption}" if fact.piece else "none of it blocks"
    return (
        f"{scene.name(fact.combatant)} {die}{worth}: {fact.face} against{asked[1:] or ' nothing'}: {came} (MAM-ARM-02)."
    )


def _layer(layer: Layer) -> str:
    return f"{layer.name} {'complete' if layer.complete else layer.running_cover}"


SENTENCES: Sentences = {ArmorChecked: _checked}

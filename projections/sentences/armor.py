"""Sentences about armor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mam_events import events as e
from projections.sentences.brief import die_text
from projections.wording import listed

if TYPE_CHECKING:
    from projections.casebook import Scene
    from projections.sentences.tables import Parts, Sentences


def _checked(fact: e.ArmorChecked, scene: Scene) -> str:
    name = scene.name(fact.combatant)
    if fact.die:
        worth = f", worth {fact.face}" if fact.die.face != fact.face else ""
        start = f"{name} rolls {fact.die.face} ({fact.die.source}) for the armor{worth}"
    else:
        start = f"{name}'s armor, {fact.face}"
    asked = ", ".join(map(_layer, fact.layers))
    came = f"{fact.absorption} absorbed by {fact.piece}" if fact.piece else "nothing blocks"
    return f"{start} against {asked}: {came} (MAM-ARM-02)."


def _layer(layer: e.Layer) -> str:
    return f"{layer.name} {'complete' if layer.complete else layer.running_cover}"


def _part(fact: e.ArmorChecked, scene: Scene) -> str:
    root = scene.action(fact.exchange)
    # Armor is told where the strike came through: what a stopped strike would have met is left to the audit.
    if not _struck(fact, scene):
        return ""
    whose = "" if root and root.target == fact.combatant else f"{scene.name(fact.combatant)}'s "
    die = f" {die_text(fact.die)}" if fact.die else ""
    if fact.piece:
        return f"{whose}{fact.piece}{die} absorbs {fact.absorption}"
    return f"{whose}{listed([layer.name for layer in fact.layers])}{die}: no block"


def _struck(fact: e.ArmorChecked, scene: Scene) -> bool:
    """True if the strike that the armor was asked about hit."""
    for other in scene.ruling.facts:
        if isinstance(other, e.AttackResolved) and fact.action == fact.exchange:
            return other.outcome != "fail"
        if isinstance(other, e.CounterattackResolved | e.InterferenceResolved) and other.action == fact.action:
            return other.outcome != "fail"
    return False


SENTENCES: Sentences = {e.ArmorChecked: _checked}
PARTS: Parts = {e.ArmorChecked: _part}

"""Sentences about armor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mam_events import events as e
from projections.phrases import join_words
from projections.sentences.dice_text import die_text

if TYPE_CHECKING:
    from projections.rulings.index import RulingContext
    from projections.sentences.types import Parts, Sentences


def _checked(event: e.ArmorChecked, scene: RulingContext) -> str:
    name = scene.name(event.combatant)
    if event.die:
        worth = f", worth {event.face}" if event.die.face != event.face else ""
        start = f"{name} rolls {event.die.face} ({event.die.source}) for the armor{worth}"
    else:
        start = f"{name}'s armor roll is {event.face}"
    layers = join_words([*map(_layer, event.layers)])
    outcome = f"{event.absorption} absorbed by {event.piece}" if event.piece else "nothing blocks"
    return f"{start} against {layers}: {outcome} (MAM-ARM-02)."


def _layer(layer: e.Layer) -> str:
    return f"{layer.name} ({'complete cover' if layer.complete else f'cover {layer.running_cover}'})"


def _part(event: e.ArmorChecked, scene: RulingContext) -> str:
    root = scene.action(event.exchange)
    # A log line mentions armor only if the strike hit; the audit has the rest.
    if not _has_hit(event, scene):
        return ""
    whose = "" if root and root.target == event.combatant else f"{scene.name(event.combatant)}'s "
    die = f" {die_text(event.die)}" if event.die else ""
    if event.piece:
        return f"{whose}{event.piece}{die} absorbs {event.absorption}"
    return f"{whose}{join_words([layer.name for layer in event.layers])}{die}: no block"


def _has_hit(event: e.ArmorChecked, scene: RulingContext) -> bool:
    """Return True if the strike that the armor was checked for hit."""
    for other in scene.ruling.events:
        if isinstance(other, e.AttackResolved) and event.action == event.exchange:
            return other.outcome != "fail"
        if isinstance(other, e.CounterattackResolved | e.InterferenceResolved) and other.action == event.action:
            return other.outcome != "fail"
    return False


SENTENCES: Sentences = {e.ArmorChecked: _checked}
PARTS: Parts = {e.ArmorChecked: _part}

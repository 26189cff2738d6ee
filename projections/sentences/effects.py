"""Sentences about bonuses and penalties that end by themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mam_events import commands as c
from mam_events import events as e
from projections.phrases import with_sign

if TYPE_CHECKING:
    from mam_events.state import Effect
    from projections.rulings.index import RulingContext
    from projections.sentences.types import Clauses, Parts, Sentences


def _consumed(event: e.EffectConsumed, scene: RulingContext) -> str:
    does = "hampers" if event.value < 0 else "helps"
    source = event.source.replace("_", " ")
    return f"The {source} no longer {does} {scene.name(event.combatant)}: the {with_sign(event.value)} is used up."


_UNTIL: dict[str, str] = {
    "turn": "until their next turn begins",
    "turn_end": "until their next turn ends",
    "round": "until the round ends",
    "roll": "on their next combat roll",
    "ended": "on every combat roll",
}


def _lasts(effect: Effect) -> str:
    if effect.once:
        return _UNTIL["roll"]
    if effect.round:
        return _UNTIL["round"]
    return _UNTIL[("turn" if effect.moment == "start" else "turn_end") if effect.turn else "ended"]


def _given(event: e.ModifierGiven, scene: RulingContext) -> str:
    effect = event.effect
    return f"{scene.name(event.combatant)} has {with_sign(effect.value)} {_lasts(effect)}: {effect.source}"


def _modify_order(command: c.Modify, scene: RulingContext) -> str:
    name = scene.name(command.combatant)
    if not command.modifier:
        return f"{name} loses a modifier: {command.what}"
    return f"{name} gets {with_sign(command.modifier)} {_UNTIL[command.until]}: {command.what}"


SENTENCES: Sentences = {
    e.EffectExpired: "{combatant}'s {source:words} is over.",
    e.EffectConsumed: _consumed,
    e.ModifierGiven: _given,
    e.ModifierEnded: "{combatant}'s modifier is over: {source:s}",
}
CLAUSES: Clauses = {c.Modify: _modify_order}
PARTS: Parts = {
    # The sum of the roll already includes it.
    e.EffectConsumed: "",
}

"""Sentences about decisions of the game master."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mam_events import commands as c
from mam_events import events as e
from projections.sentences.words import ACTION_WORDS, ATTACK_WORDS, exchange_words

if TYPE_CHECKING:
    from projections.rulings.index import RulingContext
    from projections.sentences.types import Clauses, Sentences


def _condition_declared(event: e.ConditionDeclared, scene: RulingContext) -> str:
    state = {"incapacitated": "down", "out": "out of the fight"}.get(event.condition, event.condition)
    return f"The game master says that {scene.name(event.combatant)} is {state}."


def _turn_declared(event: e.TurnDeclared, scene: RulingContext) -> str:
    whose = f"{scene.name(event.combatant)}'s" if event.combatant else "nobody's"
    return f"The game master says that it is {whose} turn."


def _outcome_declared(event: e.OutcomeDeclared, scene: RulingContext) -> str:
    root = scene.action(event.exchange)
    words = ATTACK_WORDS if root is None or root.kind == "attack" else ACTION_WORDS
    return f"The game master says that {exchange_words(event.exchange, scene)} {words[event.outcome]}."


SENTENCES: Sentences = {
    e.PoolsAdjusted: "The game master moves {points:point} from {source:words} to {target:words} for {combatant}.",
    e.ConditionDeclared: _condition_declared,
    e.GrappleDeclared: (
        "The game master gives {combatant} the hold {grapple.id:s}: {grapple.points:point}, {grapple.modifier:+}."
    ),
    e.TurnDeclared: _turn_declared,
    e.OutcomeDeclared: _outcome_declared,
}
CLAUSES: Clauses = {
    c.Adjust: "the game master's word{reason:because}",
}

"""Sentences about the game master's word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mam_events import commands as c
from mam_events import events as e
from projections.sentences.words import ACTION_WORDS, ATTACK_WORDS, exchange_words
from projections.wording import because_of, points, pool, signed

if TYPE_CHECKING:
    from projections.casebook import Scene
    from projections.sentences.tables import Clauses, Sentences


def _adjusted(event: e.PoolsAdjusted, scene: Scene) -> str:
    moved = f"{points(event.points)} from {pool(event.source)} to {pool(event.target)}"
    return f"The game master moves {moved} for {scene.name(event.combatant)}."


def _condition_declared(event: e.ConditionDeclared, scene: Scene) -> str:
    state = {"incapacitated": "down", "out": "out of the fight"}.get(event.condition, event.condition)
    return f"The game master says that {scene.name(event.combatant)} is {state}."


def _hold_declared(event: e.GrappleDeclared, scene: Scene) -> str:
    hold = event.grapple
    with_what = f"{points(hold.points)}, {signed(hold.modifier)}"
    return f"The game master gives {scene.name(event.combatant)} the hold {hold.id}: {with_what}."


def _turn_declared(event: e.TurnDeclared, scene: Scene) -> str:
    whose = f"{scene.name(event.combatant)}'s" if event.combatant else "nobody's"
    return f"The game master says that it is {whose} turn."


def _outcome_declared(event: e.OutcomeDeclared, scene: Scene) -> str:
    root = scene.action(event.exchange)
    words = ATTACK_WORDS if root is None or root.kind == "attack" else ACTION_WORDS
    return f"The game master says that {exchange_words(event.exchange, scene)} {words[event.outcome]}."


def _adjust_order(command: c.Adjust, _: Scene) -> str:
    return f"the game master's word{because_of(command.reason)}"


SENTENCES: Sentences = {
    e.PoolsAdjusted: _adjusted,
    e.ConditionDeclared: _condition_declared,
    e.GrappleDeclared: _hold_declared,
    e.TurnDeclared: _turn_declared,
    e.OutcomeDeclared: _outcome_declared,
}
CLAUSES: Clauses = {
    c.Adjust: _adjust_order,
}

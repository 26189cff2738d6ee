"""Sentences about rounds, turns and the phases of a turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mam_events import commands as c
from mam_events import events as e
from mam_events.values import metres_words
from projections.phrases import count_words, from_pools, join_words, points, to_pools
from projections.sentences.words import freed_points_words

if TYPE_CHECKING:
    from projections.rulings.index import RulingContext
    from projections.sentences.types import Clauses, Sentences


def _round_ended(event: e.RoundEnded, scene: RulingContext) -> str:
    lost = [f"{scene.name(name)} loses {count_words(actions, 'action')}" for name, actions in event.lost.items()]
    passed = [f"{join_words([scene.name(name) for name in event.no_turn])} had no turn"] if event.no_turn else []
    return f"{'; '.join((f'Round {event.round} ends', *lost, *passed))}."


def _recovered_stun(event: e.StunRecovered, scene: RulingContext) -> str:
    return f"{scene.name(event.combatant)} recovers {points(event.points)} from stun{freed_points_words(scene)}."


def _refreshed(event: e.ReadyPoolRefreshed, scene: RulingContext) -> str:
    text = from_pools((("defense", event.from_defense), ("other_used", event.from_other_used))) or points(0)
    filling = f"; {points(event.refilled)} of them fill the reserve in other used" if event.refilled else ""
    return f"{scene.name(event.combatant)} moves {text} to ready{filling}."


def _spent(event: e.HitPointsSpent, scene: RulingContext) -> str:
    text = to_pools((("defense", event.to_defense), ("other_used", event.to_other_used)))
    return f"{scene.name(event.combatant)} {f'puts {text}' if text else 'spends no points'}."


def _picked_up(event: e.EquipmentPickedUp, scene: RulingContext) -> str:
    return f"{_picking_up(event.combatant, event.item, event.owner, scene)}."


def _picking_up(who: str, item: str, owner: str, scene: RulingContext) -> str:
    whose = f"{scene.name(owner)}'s" if owner not in ("", who) else "the"
    return f"{scene.name(who)} picks up {whose} {scene.thing(owner or who, item)}"


def _ready_order(command: c.Ready, scene: RulingContext) -> str:
    asked_for = from_pools((("defense", command.defense), ("other_used", command.other_used))) or points(0)
    return f"{scene.name(command.combatant)} readies {asked_for}"


def _move_order(command: c.Move, scene: RulingContext) -> str:
    if command.metres is not None and not command.points:
        return f"{scene.name(command.combatant)} moves {metres_words(command.metres)}"
    return f"{scene.name(command.combatant)} moves for {points(command.points)}"


def _pick_up_order(command: c.PickUpItem, scene: RulingContext) -> str:
    return _picking_up(command.combatant, command.item, command.owner, scene)


SENTENCES: Sentences = {
    e.RoundStarted: "Round {round} begins.",
    e.OrderKept: "This round keeps the order in which its turns were played, although a correction changed the order.",
    e.RoundEnded: _round_ended,
    e.TurnStarted: "{combatant}'s turn begins.",
    e.TurnEnded: "{combatant}'s turn ends.",
    e.StunRecovered: _recovered_stun,
    e.ReadyPoolRefreshed: _refreshed,
    e.HitPointsSpent: _spent,
    e.CombatantMoved: "{combatant} moves {metres}.",
    e.WeaponReadied: "{combatant} takes the {weapon:thing} in hand.",
    e.EquipmentDropped: "{combatant} drops the {item:thing}.",
    e.EquipmentPickedUp: _picked_up,
}
CLAUSES: Clauses = {
    c.BeginTurn: "{combatant}'s turn begins",
    c.Ready: _ready_order,
    c.Move: _move_order,
    c.ReadyWeapon: "{combatant} takes the {weapon:thing} in hand",
    c.DropItem: "{combatant} drops the {item:thing}",
    c.PickUpItem: _pick_up_order,
    c.EndTurn: "{combatant}'s turn ends",
}

"""Sentences about rounds, turns and the phases of a turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mam_events import commands as c
from mam_events import events as e
from mam_events.values import metres_words
from projections.sentences.words import freed
from projections.wording import counted, from_pools, listed, points, to_pools

if TYPE_CHECKING:
    from projections.casebook import Scene
    from projections.sentences.tables import Clauses, Sentences


def _round_started(event: e.RoundStarted, _: Scene) -> str:
    return f"Round {event.round} begins."


def _round_ended(event: e.RoundEnded, scene: Scene) -> str:
    lost = [f"{scene.name(name)} loses {counted(actions, 'action')}" for name, actions in event.lost.items()]
    passed = [f"{listed([scene.name(name) for name in event.no_turn])} had no turn"] if event.no_turn else []
    return f"{'; '.join((f'Round {event.round} ends', *lost, *passed))}."


def _turn_started(event: e.TurnStarted, scene: Scene) -> str:
    return f"{scene.name(event.combatant)}'s turn begins."


def _turn_ended(event: e.TurnEnded, scene: Scene) -> str:
    return f"{scene.name(event.combatant)}'s turn ends."


def _recovered_stun(event: e.StunRecovered, scene: Scene) -> str:
    return f"{scene.name(event.combatant)} recovers {points(event.points)} from stun{freed(scene)}."


def _refreshed(event: e.ReadyPoolRefreshed, scene: Scene) -> str:
    moved = from_pools((("defense", event.from_defense), ("other_used", event.from_other_used))) or points(0)
    filling = f"; {points(event.refilled)} of them fill the reserve in other used" if event.refilled else ""
    return f"{scene.name(event.combatant)} moves {moved} to ready{filling}."


def _spent(event: e.HitPointsSpent, scene: Scene) -> str:
    spent = to_pools((("defense", event.to_defense), ("other_used", event.to_other_used)))
    return f"{scene.name(event.combatant)} {f'puts {spent}' if spent else 'spends no points'}."


def _moved(event: e.CombatantMoved, scene: Scene) -> str:
    return f"{scene.name(event.combatant)} moves {metres_words(event.metres)}."


def _weapon_readied(event: e.WeaponReadied, scene: Scene) -> str:
    return f"{scene.name(event.combatant)} takes the {scene.thing(event.combatant, event.weapon)} in hand."


def _dropped(event: e.EquipmentDropped, scene: Scene) -> str:
    return f"{scene.name(event.combatant)} drops the {scene.thing(event.combatant, event.item)}."


def _picked_up(event: e.EquipmentPickedUp, scene: Scene) -> str:
    return f"{_picking_up(event.combatant, event.item, event.owner, scene)}."


def _picking_up(who: str, item: str, owner: str, scene: Scene) -> str:
    whose = f"{scene.name(owner)}'s" if owner not in ("", who) else "the"
    return f"{scene.name(who)} picks up {whose} {scene.thing(owner or who, item)}"


def _begin_order(command: c.BeginTurn, scene: Scene) -> str:
    return f"{scene.name(command.combatant)}'s turn begins"


def _ready_order(command: c.Ready, scene: Scene) -> str:
    asked_for = from_pools((("defense", command.defense), ("other_used", command.other_used))) or points(0)
    return f"{scene.name(command.combatant)} readies {asked_for}"


def _move_order(command: c.Move, scene: Scene) -> str:
    if command.metres is not None and not command.points:
        return f"{scene.name(command.combatant)} moves {metres_words(command.metres)}"
    return f"{scene.name(command.combatant)} moves for {points(command.points)}"


def _ready_weapon_order(command: c.ReadyWeapon, scene: Scene) -> str:
    return f"{scene.name(command.combatant)} takes the {scene.thing(command.combatant, command.weapon)} in hand"


def _drop_order(command: c.DropItem, scene: Scene) -> str:
    return f"{scene.name(command.combatant)} drops the {scene.thing(command.combatant, command.item)}"


def _pick_up_order(command: c.PickUpItem, scene: Scene) -> str:
    return _picking_up(command.combatant, command.item, command.owner, scene)


def _end_order(command: c.EndTurn, scene: Scene) -> str:
    return f"{scene.name(command.combatant)}'s turn ends"


SENTENCES: Sentences = {
    e.RoundStarted: _round_started,
    e.RoundEnded: _round_ended,
    e.TurnStarted: _turn_started,
    e.TurnEnded: _turn_ended,
    e.StunRecovered: _recovered_stun,
    e.ReadyPoolRefreshed: _refreshed,
    e.HitPointsSpent: _spent,
    e.CombatantMoved: _moved,
    e.WeaponReadied: _weapon_readied,
    e.EquipmentDropped: _dropped,
    e.EquipmentPickedUp: _picked_up,
}
CLAUSES: Clauses = {
    c.BeginTurn: _begin_order,
    c.Ready: _ready_order,
    c.Move: _move_order,
    c.ReadyWeapon: _ready_weapon_order,
    c.DropItem: _drop_order,
    c.PickUpItem: _pick_up_order,
    c.EndTurn: _end_order,
}

"""Sentences about evasion, positions, resting and aiming."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mam_events import commands as c
from mam_events import events as e
from projections.phrases import with_sign
from projections.sentences.rolls import roll_words

if TYPE_CHECKING:
    from mam_events.state import Effect
    from projections.rulings.index import RulingContext
    from projections.sentences.types import Clauses, Sentences

POSITIONS = {
    "standing": "stands",
    "on_ground": "is on the ground",
    "aiming_standing": "aims",
    "aiming_on_ground": "aims on the ground",
    "clinch": "is in a clinch",
    "ground_fighting": "fights on the ground",
    "dominant_standing": "is dominant in the clinch",
    "dominant_on_ground": "is dominant on the ground",
}
CAUSES = {
    "drop": " gets down and",
    "stand": " gets up and",
    "grapple": "",
    "let go": " is free and",
    "move": " moves, loses aim and",
    "wound": " is hurt, loses aim and",
    "shot": " has shot and",
    "fell": " is down, loses aim and",
    "grappling": " has to grapple, loses aim and",
    "lost": " has lost the weapon that was aimed and",
    "other": " does something else, loses aim and",
    "stopped": " stops aiming and",
    "game master": ", says the game master,",
}
WAYS = {"evasion": "evades", "cautious": "attacks with caution"}
STANDING = {"full": "stands up at once", "half": "stands up, with no bonus", "fail": "stays down"}


def _bonus(effect: Effect) -> str:
    moment = {"end": "the end", "start": "the beginning"}[effect.moment]
    return f"{with_sign(effect.value)} to defense until {moment} of their next turn"


def _evasion_taken(event: e.EvasionTaken, scene: RulingContext) -> str:
    return (
        f"{scene.name(event.combatant)} {WAYS.get(event.effect.source, event.effect.source)}: {_bonus(event.effect)}."
    )


def _position_changed(event: e.PositionChanged, scene: RulingContext) -> str:
    partner = f" with {scene.name(event.partner)}" if event.partner else ""
    return f"{scene.name(event.combatant)}{CAUSES[event.cause]} {POSITIONS[event.position]}{partner}."


def _instant_stand(event: e.InstantStandResolved, scene: RulingContext) -> str:
    rolls = "".join(f"{roll_words(roll, scene)}; " for roll in event.rolls)
    without = "" if event.rolls else " without a roll"
    bonus = f": {_bonus(event.effect)}" if event.effect else ""
    return f"{rolls}{scene.name(event.combatant)} {STANDING[event.outcome]}{without}{bonus}."


def _rest_taken(event: e.RestTaken, scene: RulingContext) -> str:
    return f"{scene.name(event.combatant)} rests: {_bonus(event.effect)}."


def _aim_taken(event: e.AimTaken, scene: RulingContext) -> str:
    lying = " on the ground" if event.position == "aiming_on_ground" else ""
    return f"{scene.name(event.combatant)} aims the {scene.thing(event.combatant, event.weapon)}{lying}."


def _aim_order(command: c.Aim, scene: RulingContext) -> str:
    aims = "stops aiming" if command.stop else "aims"
    return f"{scene.name(command.combatant)} {aims} the {scene.thing(command.combatant, command.weapon)}"


def _take_position_order(command: c.TakePosition, scene: RulingContext) -> str:
    position = POSITIONS[command.position]
    return f"{scene.name(command.combatant)} {position} with {scene.name(command.partner)}"


SENTENCES: Sentences = {
    e.EvasionTaken: _evasion_taken,
    e.PositionChanged: _position_changed,
    e.InstantStandResolved: _instant_stand,
    e.RestTaken: _rest_taken,
    e.AimTaken: _aim_taken,
}
CLAUSES: Clauses = {
    c.Evade: "{combatant} evades",
    c.Drop: "{combatant} gets down",
    c.Stand: "{combatant} stands up",
    c.InstantStand: "{combatant} tries to stand up at once",
    c.Rest: "{combatant} rests a while",
    c.Aim: _aim_order,
    c.TakePosition: _take_position_order,
}

"""Sentences about riding, ramming and collisions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mam_events import commands as c
from mam_events import events as e
from mam_events.values import metres_words
from projections.phrases import join_words, points
from projections.sentences.dice_text import success_text
from projections.sentences.exchanges import attack_part
from projections.sentences.rolls import roll_words
from projections.sentences.words import ATTACK_WORDS, power_words

if TYPE_CHECKING:
    from projections.rulings.index import RulingContext
    from projections.sentences.types import Clauses, Parts, Rolls, Sentences

MEETINGS = {"head_on": "head-on", "broadside": "broadside", "rear_end": "from behind", "sideswipe": "in passing"}
EFFECTS = {"stays": "stays mounted", "falls": "falls to the ground", "gm": "fails"}


def _dismounted(event: e.RiderDismounted, scene: RulingContext) -> str:
    name, mount = scene.name(event.combatant), scene.name(event.mount)
    if not event.why:
        return f"{name} dismounts from {mount}."
    falls = " and falls to the ground" if event.position else ""
    return f"{name} no longer rides {mount}{falls}{scene.because(event.why)}"


def _declared(event: e.RidingDeclared, scene: RulingContext) -> str:
    whom = scene.name(event.mount) if event.mount else "nobody"
    return f"The game master says that {scene.name(event.combatant)} rides {whom}."


def _owed(event: e.MountedRollOwed, scene: RulingContext) -> str:
    did = "has attacked" if event.attacked else "was attacked"
    who = join_words([scene.name(rider) for rider in event.riders])
    return f"{scene.name(event.mount)} {did}: {who} must roll {event.owed}."


def _rode(event: e.RidingResolved, scene: RulingContext) -> str:
    (roll,) = event.rolls
    effect = EFFECTS[event.effect]
    consequence = "; the game master says what comes of it" if event.effect == "gm" else ""
    return f"{roll_words(roll, scene)}, and {effect}{consequence}."


def _restrained(event: e.MountRestraintResolved, scene: RulingContext) -> str:
    (roll,) = event.rolls
    until = "until it is held" if event.lasting else "in this round"
    does = {"held": "is held", "attacking": f"attacks {until}", "running": f"tries to run {until}"}[event.mood]
    return f"{roll_words(roll, scene)}, and {scene.name(event.mount)} {does}."


def _ramming(event: e.RamDeclared, scene: RulingContext) -> str:
    collision = event.collision
    how = f"{MEETINGS[collision.kind]} with the {collision.part}"
    speed = f"{metres_words(collision.vehicle_distance)} against {metres_words(collision.target_distance)}"
    cost = f", {points(event.points)} on the roll" if event.points else ""
    name = scene.name(collision.driver)
    return f"{name} drives {scene.name(event.vehicle)} into {scene.name(event.target)} {how}: {speed}{cost}."


def _rammed(event: e.RamResolved, scene: RulingContext) -> str:
    power = "" if event.outcome == "fail" else f" with {power_words(event)}"
    words = f"{scene.name(event.vehicle)}'s ram into {scene.name(event.target)} {ATTACK_WORDS[event.outcome]}{power}"
    return f"{words}{scene.because(event.why)}"


def _collided(event: e.CollisionComputed, scene: RulingContext) -> str:
    whose = f"the {event.part} of {scene.name(event.vehicle)}"
    back = f"{scene.name(event.target)} rams back into {whose} with {power_words(event)}"
    adds = f"{event.bonus_vehicle.normalize():f}"
    if event.bonus_target != event.bonus_vehicle:
        adds = f"{adds} to this and {event.bonus_target.normalize():f} to the ram"
    return f"{back}; the speed of both adds {adds}."


def _riding_roll(event: e.RidingResolved, scene: RulingContext) -> tuple[str, ...]:
    outcome = {"stays": "stays mounted", "falls": "falls", "gm": "fails"}[event.effect]
    return (scene.name(event.combatant), "riding", *map(success_text, event.rolls), outcome)


def _restraint_roll(event: e.MountRestraintResolved, scene: RulingContext) -> tuple[str, ...]:
    did = {"held": "is held", "attacking": "attacks", "running": "runs"}[event.mood]
    result = f"{scene.name(event.mount)} {did}"
    return (scene.name(event.combatant), "animal handling", *map(success_text, event.rolls), result)


SENTENCES: Sentences = {
    e.RiderMounted: "{combatant} mounts {mount}.",
    e.RiderDismounted: _dismounted,
    e.RidingDeclared: _declared,
    e.MountedRollOwed: _owed,
    e.ChargeRidden: "{combatant} charges on {mount}, which makes no attack of its own.",
    e.RidingResolved: _rode,
    e.MountRestraintResolved: _restrained,
    e.RamDeclared: _ramming,
    e.RamResolved: _rammed,
    e.CollisionComputed: _collided,
}
CLAUSES: Clauses = {
    c.Mount: "{combatant} mounts {mount}",
    c.Dismount: "{combatant} dismounts",
    c.StayMounted: "{combatant} rolls to stay mounted",
    c.RestrainMount: "{combatant} tries to hold their mount",
    c.Ram: "{driver} drives {vehicle} into {target}",
}
PARTS: Parts = {
    e.RamResolved: attack_part,
    e.CollisionComputed: "{target} rams back: power {power}",
    e.MountedRollOwed: "{riders} must roll {owed:s}",
    e.ChargeRidden: "charged on {mount}",
}
ROLLS: Rolls = {
    e.RidingResolved: _riding_roll,
    e.MountRestraintResolved: _restraint_roll,
}

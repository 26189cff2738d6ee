"""Sentences about riding, ramming and collisions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mam_events.commands import Dismount, Mount, Ram, RestrainMount, StayMounted
from mam_events.events import (
    ChargeRidden,
    CollisionComputed,
    MountedRollOwed,
    MountRestraintResolved,
    RamDeclared,
    RamResolved,
    RiderDismounted,
    RiderMounted,
    RidingDeclared,
    RidingResolved,
)
from mam_events.values import metres_words
from projections.sentences.brief import success_text
from projections.sentences.exchanges import attack_part
from projections.sentences.rolls import roll_words
from projections.sentences.words import ATTACK_WORDS, power_words
from projections.wording import because_of, ended, listed, points

if TYPE_CHECKING:
    from projections.casebook import Scene
    from projections.sentences.tables import Clauses, Parts, Rolls, Sentences

MEETINGS = {"head_on": "head-on", "broadside": "broadside", "rear_end": "from behind", "sideswipe": "in passing"}
EFFECTS = {"stays": "stays mounted", "falls": "falls to the ground", "gm": "fails"}


def _mounted(fact: RiderMounted, scene: Scene) -> str:
    return f"{scene.name(fact.combatant)} mounts {scene.name(fact.mount)}."


def _dismounted(fact: RiderDismounted, scene: Scene) -> str:
    name, mount = scene.name(fact.combatant), scene.name(fact.mount)
    if not fact.why:
        return f"{name} dismounts from {mount}."
    falls = " and falls to the ground" if fact.position else ""
    return ended(f"{name} no longer rides {mount}{falls}{because_of(fact.why)}")


def _declared(fact: RidingDeclared, scene: Scene) -> str:
    whom = scene.name(fact.mount) if fact.mount else "nobody"
    return f"The game master says that {scene.name(fact.combatant)} rides {whom}."


def _owed(fact: MountedRollOwed, scene: Scene) -> str:
    did = "has attacked" if fact.attacked else "was attacked"
    who = listed([scene.name(rider) for rider in fact.riders])
    return f"{scene.name(fact.mount)} {did}: {who} must roll {fact.owed}."


def _charged(fact: ChargeRidden, scene: Scene) -> str:
    return f"{scene.name(fact.combatant)} charges on {scene.name(fact.mount)}, which makes no attack of its own."


def _rode(fact: RidingResolved, scene: Scene) -> str:
    (made,) = fact.rolls
    effect = EFFECTS[fact.effect]
    left = "; the game master says what comes of it" if fact.effect == "gm" else ""
    return f"{roll_words(made, scene)}, and {effect}{left}."


def _restrained(fact: MountRestraintResolved, scene: Scene) -> str:
    (made,) = fact.rolls
    until = "until it is held" if fact.lasting else "in this round"
    does = {"held": "is held", "attacking": f"attacks {until}", "running": f"tries to run {until}"}[fact.mood]
    return f"{roll_words(made, scene)}, and {scene.name(fact.mount)} {does}."


def _ramming(fact: RamDeclared, scene: Scene) -> str:
    collision = fact.collision
    how = f"{MEETINGS[collision.kind]} with the {collision.part}"
    speed = f"{metres_words(collision.vehicle_distance)} against {metres_words(collision.target_distance)}"
    cost = f", {points(fact.points)} on the roll" if fact.points else ""
    name = scene.name(collision.driver)
    return f"{name} drives {scene.name(fact.vehicle)} into {scene.name(fact.target)} {how}: {speed}{cost}."


def _rammed(fact: RamResolved, scene: Scene) -> str:
    power = "" if fact.outcome == "fail" else f" with {power_words(fact)}"
    words = f"{scene.name(fact.vehicle)}'s ram into {scene.name(fact.target)} {ATTACK_WORDS[fact.outcome]}{power}"
    return ended(f"{words}{because_of(fact.why)}")


def _collided(fact: CollisionComputed, scene: Scene) -> str:
    whose = f"the {fact.part} of {scene.name(fact.vehicle)}"
    back = f"{scene.name(fact.target)} rams back into {whose} with {power_words(fact)}"
    adds = f"{fact.bonus_vehicle.normalize():f}"
    if fact.bonus_target != fact.bonus_vehicle:
        adds = f"{adds} to that and {fact.bonus_target.normalize():f} to the ram"
    return f"{back}; the speed of both adds {adds}."


def _mount_order(command: Mount, scene: Scene) -> str:
    return f"{scene.name(command.combatant)} mounts {scene.name(command.mount)}"


def _dismount_order(command: Dismount, scene: Scene) -> str:
    return f"{scene.name(command.combatant)} dismounts"


def _stay_order(command: StayMounted, scene: Scene) -> str:
    return f"{scene.name(command.combatant)} rolls to stay mounted"


def _restrain_order(command: RestrainMount, scene: Scene) -> str:
    return f"{scene.name(command.combatant)} tries to hold their mount"


def _ram_order(command: Ram, scene: Scene) -> str:
    return f"{scene.name(command.driver)} drives {scene.name(command.vehicle)} into {scene.name(command.target)}"


def _collision_part(fact: CollisionComputed, scene: Scene) -> str:
    return f"{scene.name(fact.target)} rams back: power {fact.power}"


def _owed_part(fact: MountedRollOwed, scene: Scene) -> str:
    return f"{listed([scene.name(rider) for rider in fact.riders])} must roll {fact.owed}"


def _charge_part(fact: ChargeRidden, scene: Scene) -> str:
    return f"charged on {scene.name(fact.mount)}"


def _riding_roll(fact: RidingResolved, scene: Scene) -> tuple[str, ...]:
    came = {"stays": "stays mounted", "falls": "falls", "gm": "fails"}[fact.effect]
    return (scene.name(fact.combatant), "riding", *map(success_text, fact.rolls), came)


def _restraint_roll(fact: MountRestraintResolved, scene: Scene) -> tuple[str, ...]:
    did = {"held": "is held", "attacking": "attacks", "running": "runs"}[fact.mood]
    came = f"{scene.name(fact.mount)} {did}"
    return (scene.name(fact.combatant), "animal handling", *map(success_text, fact.rolls), came)


SENTENCES: Sentences = {
    RiderMounted: _mounted,
    RiderDismounted: _dismounted,
    RidingDeclared: _declared,
    MountedRollOwed: _owed,
    ChargeRidden: _charged,
    RidingResolved: _rode,
    MountRestraintResolved: _restrained,
    RamDeclared: _ramming,
    RamResolved: _rammed,
    CollisionComputed: _collided,
}
CLAUSES: Clauses = {
    Mount: _mount_order,
    Dismount: _dismount_order,
    StayMounted: _stay_order,
    RestrainMount: _restrain_order,
    Ram: _ram_order,
}
PARTS: Parts = {
    RamResolved: attack_part,
    CollisionComputed: _collision_part,
    MountedRollOwed: _owed_part,
    ChargeRidden: _charge_part,
}
ROLLS: Rolls = {
    RidingResolved: _riding_roll,
    MountRestraintResolved: _restraint_roll,
}

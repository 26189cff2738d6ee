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


def _mounted(event: RiderMounted, scene: Scene) -> str:
    return f"{scene.name(event.combatant)} mounts {scene.name(event.mount)}."


def _dismounted(event: RiderDismounted, scene: Scene) -> str:
    name, mount = scene.name(event.combatant), scene.name(event.mount)
    if not event.why:
        return f"{name} dismounts from {mount}."
    falls = " and falls to the ground" if event.position else ""
    return ended(f"{name} no longer rides {mount}{falls}{because_of(event.why)}")


def _declared(event: RidingDeclared, scene: Scene) -> str:
    whom = scene.name(event.mount) if event.mount else "nobody"
    return f"The game master says that {scene.name(event.combatant)} rides {whom}."


def _owed(event: MountedRollOwed, scene: Scene) -> str:
    did = "has attacked" if event.attacked else "was attacked"
    who = listed([scene.name(rider) for rider in event.riders])
    return f"{scene.name(event.mount)} {did}: {who} must roll {event.owed}."


def _charged(event: ChargeRidden, scene: Scene) -> str:
    return f"{scene.name(event.combatant)} charges on {scene.name(event.mount)}, which makes no attack of its own."


def _rode(event: RidingResolved, scene: Scene) -> str:
    (made,) = event.rolls
    effect = EFFECTS[event.effect]
    left = "; the game master says what comes of it" if event.effect == "gm" else ""
    return f"{roll_words(made, scene)}, and {effect}{left}."


def _restrained(event: MountRestraintResolved, scene: Scene) -> str:
    (made,) = event.rolls
    until = "until it is held" if event.lasting else "in this round"
    does = {"held": "is held", "attacking": f"attacks {until}", "running": f"tries to run {until}"}[event.mood]
    return f"{roll_words(made, scene)}, and {scene.name(event.mount)} {does}."


def _ramming(event: RamDeclared, scene: Scene) -> str:
    collision = event.collision
    how = f"{MEETINGS[collision.kind]} with the {collision.part}"
    speed = f"{metres_words(collision.vehicle_distance)} against {metres_words(collision.target_distance)}"
    cost = f", {points(event.points)} on the roll" if event.points else ""
    name = scene.name(collision.driver)
    return f"{name} drives {scene.name(event.vehicle)} into {scene.name(event.target)} {how}: {speed}{cost}."


def _rammed(event: RamResolved, scene: Scene) -> str:
    power = "" if event.outcome == "fail" else f" with {power_words(event)}"
    words = f"{scene.name(event.vehicle)}'s ram into {scene.name(event.target)} {ATTACK_WORDS[event.outcome]}{power}"
    return ended(f"{words}{because_of(event.why)}")


def _collided(event: CollisionComputed, scene: Scene) -> str:
    whose = f"the {event.part} of {scene.name(event.vehicle)}"
    back = f"{scene.name(event.target)} rams back into {whose} with {power_words(event)}"
    adds = f"{event.bonus_vehicle.normalize():f}"
    if event.bonus_target != event.bonus_vehicle:
        adds = f"{adds} to that and {event.bonus_target.normalize():f} to the ram"
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


def _collision_part(event: CollisionComputed, scene: Scene) -> str:
    return f"{scene.name(event.target)} rams back: power {event.power}"


def _owed_part(event: MountedRollOwed, scene: Scene) -> str:
    return f"{listed([scene.name(rider) for rider in event.riders])} must roll {event.owed}"


def _charge_part(event: ChargeRidden, scene: Scene) -> str:
    return f"charged on {scene.name(event.mount)}"


def _riding_roll(event: RidingResolved, scene: Scene) -> tuple[str, ...]:
    came = {"stays": "stays mounted", "falls": "falls", "gm": "fails"}[event.effect]
    return (scene.name(event.combatant), "riding", *map(success_text, event.rolls), came)


def _restraint_roll(event: MountRestraintResolved, scene: Scene) -> tuple[str, ...]:
    did = {"held": "is held", "attacking": "attacks", "running": "runs"}[event.mood]
    came = f"{scene.name(event.mount)} {did}"
    return (scene.name(event.combatant), "animal handling", *map(success_text, event.rolls), came)


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

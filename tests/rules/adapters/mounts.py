"""The operations of the vectors' vocabulary that are riding, ramming and collisions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from mam_events import commands, events
from tests.rules.scene import Answer, Case, Scene, adapters_of, number

SURE = 1_000


def mounted(case: Case, training: str = "trained") -> Scene:
    """A rider on an animal that has just been attacked."""
    pools = {"ready": 1, "stun": case.get("animal_stun", 0), "damage": case.get("animal_damage", 0)}
    scene = Scene(case).enter("animal", {"pools": pools}, training=training)
    abilities = {name: case[name] for name in ("riding", "animal_handling") if name in case.given}
    scene.do(commands.Join("rider", hp=1, ability=abilities, mount="animal"))
    owed: events.Owed = "riding" if training == "trained" else "animal handling"
    scene.after(events.MountedRollOwed(1, "animal", ("rider",), owed, defended=True))
    return scene


def mount_difficulty(case: Case) -> Answer:
    """What the roll of a rider is made against."""
    scene = mounted(case, "untrained" if case["check"] == "keep_from_running" else "trained")
    order = commands.StayMounted("rider") if case["check"] == "stay_mounted" else commands.RestrainMount("rider")
    (made,) = scene.do(order, die=1).last((events.RidingResolved, events.MountRestraintResolved)).rolls
    return {"difficulty": made.against}


def stay_mounted(case: Case) -> Answer:
    """A riding roll, and where the rider is after it."""
    scene = mounted(case).do(commands.StayMounted("rider"), die=case["face"])
    found = scene.last(events.RidingResolved)
    return {
        "mounted": found.outcome == "full",
        "total": found.rolls[0].total,
        "position": scene["rider"].status.position,
        "effect": found.effect,
    }


def rammed(case: Case, collision: Any = "head_on", *, hits: bool = True) -> Scene:
    """Two vehicles that have gone as far as the vector says, and one rams the other."""
    agility, driving = case.get("vehicle_agility", SURE if hits else -SURE), case.get("driving", SURE)
    scene = Scene(case).enter("vehicle", training="vehicle", ability={"agility": agility})
    scene.enter("target", training="vehicle").enter("driver", mount="vehicle", ability={"driving": driving})
    for name in ("vehicle", "target"):
        scene.after(events.CombatantMoved(name, case.metres(f"{name}_distance_m"), straight=True))
    return scene.turn_of("driver").do(commands.Ram("driver", "vehicle", "target", collision=collision)).resolve(2, 2)


def ram_modifier(case: Case) -> Answer:
    return {"modifier": rammed(case).last(events.RamResolved).modifier}


def ram_back(case: Case) -> Answer:
    """Whether the target rams back by itself, and on what."""
    parts = [event.part for event in rammed(case, hits=case["ram_success"]).all(events.CollisionComputed)]
    return {"automatic": bool(parts), "part": parts[0] if parts else None}


def collision_bonus(case: Case) -> Answer:
    """What speed adds to the power against each of the two."""
    found = rammed(case, case["kind"]).last(events.CollisionComputed)
    return {"vehicle": number(Fraction(found.bonus_vehicle)), "target": number(Fraction(found.bonus_target))}


ADAPTERS = adapters_of(globals())

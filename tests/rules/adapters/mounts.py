"""Operations of the vectors that are riding, ramming and collisions."""

from __future__ import annotations

from fractions import Fraction

from mam_events import commands, events
from tests.rules.scene import Answer, Case, Scene, adapters_of, number

SURE = 1_000


def mounted(case: Case, training: str = "trained") -> Scene:
    """Return a scene of a rider on an animal that has just been attacked."""
    pools = {"ready": 1, "stun": case.get("animal_stun", 0), "damage": case.get("animal_damage", 0)}
    scene = Scene(case).enter("animal", {"pools": pools}, training=training)
    abilities = {name: case[name] for name in ("riding", "animal_handling") if name in case.given}
    scene.do(commands.Join("rider", hp=1, ability=abilities, mount="animal"))
    skill: events.Owed = "riding" if training == "trained" else "animal handling"
    scene.after(events.MountedRollOwed(1, "animal", ("rider",), skill, defended=True))
    return scene


def stay_mounted(case: Case) -> Answer:
    """Make a riding roll and return the rider's place after it."""
    check = case.get("check", "stay_mounted")
    scene = mounted(case, "untrained" if check == "keep_from_running" else "trained")
    order = commands.StayMounted("rider") if check == "stay_mounted" else commands.RestrainMount("rider")
    event = scene.do(order, die=case.get("face", 1)).last((events.RidingResolved, events.MountRestraintResolved))
    (roll,) = event.rolls
    return {
        "difficulty": roll.against,
        "mounted": event.outcome == "full",
        "total": roll.total,
        "position": scene["rider"].status.position,
        "effect": getattr(event, "effect", None),
    }


def ram_back(case: Case) -> Answer:
    """Move two vehicles as far as the vector says, and ram one with the other."""
    agility = case.get("vehicle_agility", SURE if case.get("ram_success", True) else -SURE)
    scene = Scene(case).enter("vehicle", training="vehicle", ability={"agility": agility})
    scene.enter("target", training="vehicle")
    scene.enter("driver", mount="vehicle", ability={"driving": case.get("driving", SURE)})
    for name in ("vehicle", "target"):
        scene.after(events.CombatantMoved(name, case.metres(f"{name}_distance_m"), straight=True))
    scene.turn_of("driver").do(commands.Ram("driver", "vehicle", "target", collision=case.get("kind", "head_on")))
    ram = scene.resolve(2, 2).last(events.RamResolved)
    answer: Answer = {"modifier": ram.modifier, "automatic": False, "part": None}
    for collision in scene.all(events.CollisionComputed):
        bonus = {name: number(Fraction(getattr(collision, f"bonus_{name}"))) for name in ("vehicle", "target")}
        answer |= {"automatic": True, "part": collision.part} | bonus
    return answer


ALSO = {"mount_difficulty": stay_mounted, "ram_modifier": ram_back, "collision_bonus": ram_back}
ADAPTERS = adapters_of(globals()) | ALSO

"""The operations of the vectors' vocabulary that are riding, charging, ramming and collisions."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

from mam_events.commands import Attack, Join, Ram, Resolve, RestrainMount, StayMounted
from mam_events.events import (
    AttackDeclared,
    CollisionComputed,
    CombatantMoved,
    MountedRollOwed,
    MountRestraintResolved,
    Owed,
    RamResolved,
    RidingResolved,
)
from mam_events.rules.attack.power import charge_bonus as bonus_of
from tests.rules.scene import Case, Scene, one

SURE = 1_000


def number(value: Fraction) -> int | str:
    """Whole numbers as numbers, others as the vectors write them."""
    return int(value) if value.denominator == 1 else str(Decimal(value.numerator) / value.denominator)


def charge_bonus(case: Case) -> dict[str, Any]:
    """A run in one's own turn, and the attack at its end."""
    scene = Scene(case.ruleset)
    scene.enter("runner", {})
    scene.enter("target", {})
    scene.turn_of("runner")
    metres = Decimal(str(case.given["distance_m"]))
    scene.happen(CombatantMoved("runner", metres, straight=case.given.get("straight", True)))
    power = case.ruleset.edition.economy.charged(1)
    declared = one(scene.do(Attack("runner", "target", power=power)), AttackDeclared)
    return {"power_bonus": number(bonus_of(declared.terms.charge, case.ruleset))}


def mounted(case: Case, training: str = "trained") -> Scene:
    """A rider on an animal that has just been attacked."""
    scene = Scene(case.ruleset)
    stun, damage = case.given.get("animal_stun", 0), case.given.get("animal_damage", 0)
    scene.enter("animal", {"pools": {"ready": 1, "stun": stun, "damage": damage}}, training=training)
    names = ("riding", "animal_handling")
    abilities = {name: case.given[name] for name in names if name in case.given}
    scene.do(Join("rider", hp=1, ability=abilities, mount="animal"))
    owed: Owed = "riding" if training == "trained" else "animal handling"
    scene.happen(MountedRollOwed(1, "animal", ("rider",), owed, defended=True))
    return scene


def mount_difficulty(case: Case) -> dict[str, Any]:
    """What the roll of a rider is made against."""
    check = case.do["check"]
    scene = mounted(case, "untrained" if check == "keep_from_running" else "trained")
    if check == "stay_mounted":
        made = one(scene.do(StayMounted("rider", die=1)), RidingResolved).rolls[0]
    else:
        made = one(scene.do(RestrainMount("rider", die=1)), MountRestraintResolved).rolls[0]
    return {"difficulty": made.against}


def stay_mounted(case: Case) -> dict[str, Any]:
    """A riding roll, and where the rider is after it."""
    scene = mounted(case)
    found = one(scene.do(StayMounted("rider", die=case.do["face"])), RidingResolved)
    return {
        "mounted": found.outcome == "full",
        "total": found.rolls[0].total,
        "position": scene["rider"].status.position,
        "effect": found.effect,
    }


def rammed(case: Case, collision: Any = "head_on", *, hits: bool = True) -> tuple[Any, ...]:
    """Two vehicles that have gone as far as the vector says, and one rams the other."""
    scene = Scene(case.ruleset)
    agility = case.given.get("vehicle_agility", SURE if hits else -SURE)
    driving = case.given.get("driving", SURE)
    scene.enter("vehicle", {}, training="vehicle", ability={"agility": agility})
    scene.enter("target", {}, training="vehicle")
    scene.enter("driver", {}, mount="vehicle", ability={"driving": driving})
    for name in ("vehicle", "target"):
        metres = Decimal(str(case.given.get(f"{name}_distance_m", 0)))
        scene.happen(CombatantMoved(name, metres, straight=True))
    scene.turn_of("driver")
    scene.do(Ram("driver", "vehicle", "target", collision=collision))
    opposed = case.ruleset["defense_resolution"] == "opposed_roll"
    return scene.do(Resolve(scene.ruling, attack_die=2, defense_die=2 if opposed else None))


def ram_modifier(case: Case) -> dict[str, Any]:
    """What is added to the roll of a ram."""
    return {"modifier": one(rammed(case), RamResolved).modifier}


def ram_back(case: Case) -> dict[str, Any]:
    """Whether the target rams back by itself, and on what."""
    events = rammed(case, hits=case.given["ram_success"])
    back = next((event for event in events if isinstance(event, CollisionComputed)), None)
    return {"automatic": back is not None, "part": back.part if back else None}


def collision_bonus(case: Case) -> dict[str, Any]:
    """What speed adds to the power against each of the two."""
    found = one(rammed(case, case.do["kind"]), CollisionComputed)
    return {"vehicle": number(Fraction(found.bonus_vehicle)), "target": number(Fraction(found.bonus_target))}


ADAPTERS: dict[str, Callable[[Case], dict[str, Any]]] = {
    function.__name__: function
    for function in (charge_bonus, mount_difficulty, stay_mounted, ram_modifier, ram_back, collision_bonus)
}

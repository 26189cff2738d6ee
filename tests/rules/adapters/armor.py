"""The operations of the vectors' vocabulary about armor and the power that it meets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from mam_events.deciding.strikes import Struck
from mam_events.rules.attack.power import Strength, multiplied
from mam_events.rules.health import armor
from mam_events.rules.health.wounds import wound_of
from mam_events.rules.rulebook import rulebook
from mam_events.state import ArmorPiece, Weapon
from tests.rules.scene import Case, Scene, Values


def dressed(case: Case) -> tuple[ArmorPiece, ...]:
    """Somebody joins in the armor of the vector: what he wears."""
    scene = Scene(case.ruleset)
    scene.enter("one", {}, armor=pieces(case.given["armor"]), absorption=case.given.get("body_absorption", 0))
    return armor.worn(scene["one"])


def pieces(given: Sequence[Values]) -> tuple[ArmorPiece, ...]:
    """Armor as it joins: a vector calls its pieces what it likes."""
    ids = {piece["name"]: f"piece-{n}" for n, piece in enumerate(given)}
    return tuple(
        ArmorPiece(
            ids[piece["name"]],
            name=piece["name"],
            cover=0 if piece["cover"] == "complete" else piece["cover"],
            complete=piece["cover"] == "complete",
            absorption=piece["absorption"],
            under=ids.get(piece.get("overlapped_by") or "", ""),
        )
        for piece in given
    )


def armor_absorption(case: Case) -> dict[str, Any]:
    found = armor.check(dressed(case), case.do["face"], case.ruleset)
    return {"blocked": found.piece is not None, "absorption": found.absorption}


def fold_layers(case: Case) -> dict[str, Any]:
    return {
        "armor": [
            {
                "name": piece.name,
                "cover": "complete" if piece.complete else piece.cover,
                "absorption": piece.absorption,
            }
            for piece in armor.fold_layers(dressed(case))
        ]
    }


def power_after_armor(case: Case) -> dict[str, Any]:
    blocked = armor.check(dressed(case), case.do["face"], case.ruleset).absorption
    absorbed = armor.absorption(case.given.get("body_absorption", 0), blocked, case.ruleset)
    return {"power": sum(wound_of(Weapon("weapon"), case.given["attack_power"], absorbed, "full", case.ruleset))}


def power_multiplier(case: Case) -> dict[str, Any]:
    given = case.given
    house = {name: "on" if given[name] else "off" for name in ("random_damage", "critical_hit") if name in given}
    ruleset = rulebook().changed(case.ruleset.pinned, house)
    charge = Fraction(str(given.get("charge_bonus", 0)))
    strength = Strength(given["weapon_power"], given.get("power_points", 0), charge)
    struck = Struck(case.do.get("face"), bool(case.do.get("automatic")))
    power, _ = multiplied(strength, struck, ruleset, double=bool(given.get("double_power")))
    return {"weapon_power_total": power}


ADAPTERS: dict[str, Callable[[Case], dict[str, Any]]] = {
    function.__name__: function for function in (armor_absorption, fold_layers, power_after_armor, power_multiplier)
}

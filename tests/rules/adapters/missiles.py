"""The operations of the vectors' vocabulary about what is shot or thrown: range, darkness, throws, drawn bows."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from msgspec.structs import replace

from mam_events.commands import (
    Attack,
    BeginHeave,
    BeginTurn,
    Command,
    DrawBow,
    EndTurn,
    Initiative,
    LowerBow,
    Move,
    Parry,
    Resolve,
)
from mam_events.events import AttackDeclared, AttackRolled, CombatantJoined, DefenseRolled
from mam_events.rules.attack.difficulty import darkness_difficulty, kind_in_the_dark
from mam_events.rules.missiles.throwing import turns_of
from mam_events.state import Statistics, Terms, Weapon
from mam_events.values import Light
from tests.rules.scene import Case, Scene, Values, one, with_points

LIGHTS: dict[str, Light] = {"total": "total_darkness", "total_darkness": "total_darkness", "very_dim": "very_dim"}
"""How the vectors call what little light there is; any other word is light enough."""


def armed(case: Case, weapon: Weapon, **statistics: Any) -> Scene:
    """Somebody with that weapon, whose turn has begun, and somebody else to aim at."""
    scene = Scene(case.ruleset)
    scene.enter("one", {"pools": {"ready": 9}}, weapon=(weapon,))
    scene.happen(CombatantJoined(replace(scene["one"], statistics=Statistics(**statistics))))
    scene.enter("other", {"pools": {"ready": 9}})
    scene.do(Initiative(first="one", reason="a vector"))
    scene.do(BeginTurn("one"))
    return scene


def next_turn(scene: Scene) -> None:
    """The same combatant's next turn."""
    for order in (EndTurn("one"), BeginTurn("other"), EndTurn("other"), BeginTurn("one")):
        scene.do(order)


def range_difficulty(case: Case) -> dict[str, Any]:
    """A shot over that distance; what the distance adds to the number it must beat."""
    case = with_points(case)
    weapon = Weapon("weapon", kind="gun", range=Decimal(str(case.given["max_range_m"])))
    scene = armed(case, weapon)
    scene.do(Attack("one", "other", "weapon", power=1, distance=Decimal(str(case.given["distance_m"]))))
    opposed = case.ruleset["defense_resolution"] == "opposed_roll"
    events = scene.do(Resolve(scene.ruling, attack_die=1, defense_die=1 if opposed else None))
    found = [added.value for added in one(events, DefenseRolled).modifiers if added.rule == "MAM-ATK-08"]
    return {"difficulty_modifier": sum(found)}


def darkness(case: Case) -> dict[str, Any]:
    """What the dark adds for that kind of attack."""
    kind = kind_in_the_dark(
        Terms(missile=case.given["attack_class"] == "distance", grapple=case.given["attack_class"] == "grapple")
    )
    light = LIGHTS.get(case.given["light"], "lit")
    value = darkness_difficulty(kind, light, None, case.ruleset, blind=case.given.get("blind", False))
    return {"difficulty_modifier": value}


def throw_range(case: Case) -> dict[str, Any]:
    """A throw of that kind; how far the thing would have flown, and what a heave takes off the roll."""
    case, given, kind = with_points(case), case.given, case.do["kind"]
    weapon = Weapon(
        "weapon",
        kind="thrown",
        heft=given["heft"],
        unwieldy=given.get("unwieldy", False),
        throw_reach=metres(given, "weapon_reach_m"),
        launcher_reach=metres(given, "launcher_reach_m"),
    )
    statistics = {"power": given["power"], "abilities": {"throwing": given["throwing"]}}
    scene = armed(case, weapon, hand_reach=metres(given, "hand_reach_m"), **statistics)
    turns = turns_of(weapon, kind)
    if turns > 1 and case.ruleset["heave_resolution_turn"] == "second_turn":
        scene.do(BeginHeave("one", "weapon"))
        next_turn(scene)
    declared = one(scene.do(Attack("one", "other", "weapon", power=1, thrown=kind)), AttackDeclared)
    opposed = case.ruleset["defense_resolution"] == "opposed_roll"
    events = scene.do(Resolve(scene.ruling, attack_die=1, defense_die=1 if opposed else None))
    hit = [added.value for added in one(events, AttackRolled).modifiers if added.rule == "MAM-THR-03"]
    return {"range_m": str(declared.terms.range), "hit_modifier": sum(hit), "turns": turns}


def metres(given: Values, name: str) -> Decimal:
    """A distance of a vector."""
    return Decimal(str(given.get(name, 0)))


def may_act(case: Case) -> dict[str, Any]:
    """Somebody draws such a weapon, if the vector says so, and then wants to do something."""
    case = with_points(case)
    kind = case.given["weapon"]
    weapon = Weapon("weapon", kind=kind, range=Decimal(100), shots=1 if kind != "bow" else 0)
    drawn = case.given.get("bow_drawn", False)
    scene = armed(case, replace(weapon, loaded=1) if drawn and kind == "gun" else weapon)
    if drawn and kind != "gun":
        scene.do(DrawBow("one", "weapon"))
        next_turn(scene)
    if case.do["action"] == "parry":
        for order in (EndTurn("one"), BeginTurn("other"), Attack("other", "one", power=1)):
            scene.do(order)
    orders: dict[str, Command] = {
        "fire": Attack("one", "other", "weapon", power=1),
        "shoot": Attack("one", "other", "weapon", power=1),
        "move": Move("one", points=1),
        "lower": LowerBow("one"),
        "release": LowerBow("one"),
        "lower_bow": LowerBow("one"),
        "parry": Parry("one", scene.ruling),
    }
    scene.do(orders.get(case.do["action"], Attack("one", "other", power=1)))
    return {}


ADAPTERS: dict[str, Callable[[Case], dict[str, Any]]] = {
    function.__name__: function for function in (range_difficulty, darkness, throw_range, may_act)
}

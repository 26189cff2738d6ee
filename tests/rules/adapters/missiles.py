"""Operations of the vectors about missiles: range, darkness, throws, drawn bows."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from msgspec.structs import replace

from mam_events import commands, events
from mam_events.rules.missiles.thrown_weapons import turns_of
from mam_events.state import Weapon
from mam_events.values import Light
from tests.rules.scene import WHY, Answer, Case, Scene, adapters_of, sum_of_modifiers

LIGHTS: dict[str, Light] = {"total": "total_darkness", "total_darkness": "total_darkness", "very_dim": "very_dim"}
"""The words of the vectors for darkness; any other word means enough light."""
NEXT_TURN = ("other", "one")


def armed(case: Case, weapon: Weapon, **one: Any) -> Scene:
    """Begin the turn of somebody with that weapon, and with somebody else as a target."""
    scene = Scene(case, points=True).enter("one", {"pools": {"ready": 9}}, weapon=(weapon,), **one)
    scene.enter("other", {"pools": {"ready": 9}})
    return scene.do(commands.Initiative(first="one", reason=WHY)).begin_turns("one")


def darkness(case: Case) -> Answer:
    """Return the difficulty that distance and darkness add to an attack of that kind."""
    scene = armed(case, Weapon("weapon", kind="gun", range=Decimal(str(case.get("max_range_m", 100)))))
    kind = case.get("attack_class", "distance")
    fields: Any = {"light": LIGHTS.get(case.get("light"), "lit"), "blind": case.get("blind", False)}
    if kind == "distance":
        fields |= {"weapon": "weapon", "distance": case.metres("distance_m")}
    scene.strike("one", "other", **({"weapon": "grapple" if kind == "grapple" else "body"} | fields))
    return {"difficulty_modifier": sum_of_modifiers(scene.last(events.DefenseRolled), "MAM-ATK-08", "MAM-ATK-09")}


def throw_range(case: Case) -> Answer:
    """Throw a weapon in that way; return its range and the penalty of a heave."""
    weapon = Weapon(
        "weapon",
        kind="thrown",
        heft=case["heft"],
        unwieldy=case.get("unwieldy", False),
        throw_reach=case.metres("weapon_reach_m"),
        launcher_reach=case.metres("launcher_reach_m"),
    )
    ability = {"throwing": case["throwing"]}
    scene = armed(case, weapon, hand_reach=case.metres("hand_reach_m"), power=case["power"], ability=ability)
    turns = turns_of(weapon, case["kind"])
    if turns > 1 and scene.ruleset["heave_resolution_turn"] == "second_turn":
        scene.do(commands.BeginHeave("one", "weapon")).begin_turns(*NEXT_TURN)
    scene.strike("one", "other", "weapon", thrown=case["kind"])
    far, hit = (
        scene.last(events.AttackDeclared).terms.range,
        sum_of_modifiers(scene.last(events.AttackRolled), "MAM-THR-03"),
    )
    return {"range_m": str(far), "hit_modifier": hit, "turns": turns}


def may_act(case: Case) -> Answer:
    """Draw the bow if the vector says so, and try the vector's action."""
    kind, is_drawn = case["weapon"], case.get("bow_drawn", False)
    weapon = Weapon("weapon", kind=kind, range=Decimal(100), shots=1 if kind != "bow" else 0)
    scene = armed(case, replace(weapon, loaded=1) if is_drawn and kind == "gun" else weapon)
    if is_drawn and kind != "gun":
        scene.do(commands.DrawBow("one", "weapon")).begin_turns(*NEXT_TURN)
    if case["action"] == "parry":
        scene.begin_turns("other").do(commands.Attack("other", "one", power=1))
    orders: dict[str, commands.Command] = {
        **dict.fromkeys(("fire", "shoot"), commands.Attack("one", "other", "weapon", power=1)),
        **dict.fromkeys(("lower", "release", "lower_bow"), commands.LowerBow("one")),
        "move": commands.Move("one", points=1),
        "parry": commands.Parry("one", scene.ruling),
    }
    scene.do(orders.get(case["action"], commands.Attack("one", "other", power=1)))
    return {}


ADAPTERS = adapters_of(globals()) | {"range_difficulty": darkness}

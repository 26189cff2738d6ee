"""Operations of the vectors about evading, standing, lying, and the modifiers of positions."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal

from mam_events import commands, events
from mam_events.decider.engine import RollContext
from mam_events.rules.rolls.combat_rolls import combat_modifiers as added_to
from mam_events.rules.rolls.combat_rolls import roll_total
from mam_events.state import Action, Weapon
from tests.rules.scene import WHY, Answer, Case, Scene, adapters_of, number, sum_of_modifiers

GUN = Weapon("gun", kind="gun", range=Decimal(100))
PARTNER = {"dominant_standing": "clinch", "dominant_on_ground": "ground_fighting"}
GRAPPLES = ("clinch", "ground_fighting", *PARTNER)
WEAPONS = {"missile": "gun", "grapple": "grapple", "strike": "body"}
STANCES = ("strategic", "cautious")


def scene_of(case: Case, position: str = "standing", **one: Any) -> Scene:
    """Begin the turn of somebody in that position, with a partner for a grapple and somebody else beside them."""
    scene = Scene(case)
    for name, more in (("one", one), ("partner", {}), ("other", {})):
        scene.enter(name, {"pools": {"ready": 20}}, weapon=(GUN,), **more)
    scene.turn_of("one")
    if position == "resting":
        scene.do(commands.Rest("one")).turn_of("one")
    elif position not in ("standing", *STANCES):
        placing: Any = [commands.Placement("one", position, "partner" if position in GRAPPLES else "")]  # type: ignore[arg-type]  # a vector's words
        if position in GRAPPLES:
            placing.append(commands.Placement("partner", PARTNER.get(position, position), "one"))  # type: ignore[arg-type]  # as above
        scene.do(commands.Adjust(WHY, position=tuple(placing)))
    return scene


def missed(scene: Scene, mode: Any) -> Scene:
    """Miss with an attack in that mode."""
    scene.do(commands.Attack("one", "other", power=scene.point, mode=mode))
    return scene.do(commands.Adjust(WHY, outcome=commands.DeclaredOutcome(scene.exchange, "fail")))


def position_modifier(case: Case) -> Answer:
    """Return the modifier for a position, in an attack roll or in the defense against an attack."""
    scene = scene_of(case, case["position"])
    attacks = case["role"] == "attack"
    names = ["one", "partner" if case.get("versus") == "inferior" else "other"]
    attacker, target = names if attacks else names[::-1]
    fields: dict[str, Any] = {"from_above": case.get("from_above", False)}
    if case["position"] in STANCES:
        missed(scene, case["position"])
        fields |= {"mode": case["position"]} if attacks else {}
    scene.turn_of(attacker).strike(attacker, target, WEAPONS[case["kind"]], **fields)
    return {"modifier": sum_of_modifiers(scene.last(events.AttackRolled if attacks else events.DefenseRolled))}


def may_take_stance(case: Case) -> Answer:
    """Take a stance from a position, by an order or by an attack of that mode; it may be refused."""
    scene, action = scene_of(case, case["position"]), case["action"].removesuffix("_attack")
    order: Any = commands.COMMANDS.get({"resting": "rest"}.get(action, action).replace("_", "-"))
    if order is None:
        missed(scene, action)
    else:
        scene.do(order("one", *(("gun",) if order is commands.Aim else ())), die=1, opposing_die=1)
    return {}


def instant_stand(case: Case) -> Answer:
    """Try an instant stand."""
    abilities = {name: case.get(name, 0) for name in ("agility", "acrobatics")}
    scene = scene_of(case, case.get("position", "on_ground"), ability=abilities)
    scene.do(commands.InstantStand("one"), die=case.get("face"), opposing_die=case.get("opposing_face"))
    stood = scene.last(events.InstantStandResolved)
    return {
        "outcome": stood.outcome,
        "rolled": bool(stood.rolls),
        "position": scene["one"].status.position,
        "bonus": stood.effect.value if stood.effect else 0,
    }


def evasion_bonus(case: Case) -> Answer:
    """Return the bonus at a given moment for a combatant who evaded in some turns."""
    scene = Scene(case).enter("one", {"pools": {"ready": 20}}).enter("other", {"pools": {"ready": 20}})
    scene.do(commands.Initiative(first="one", reason=WHY))
    for turn in range(1, case["own_turn"] + 1):
        scene.begin_turns(*(("one",) if turn == 1 else ("other", "one")))
        if turn in case["evasions_taken_on_turns"]:
            scene.do(commands.Evade("one"))
    if case.get("moment") == "after_turn":
        scene.do(commands.EndTurn("one"))
    return {"bonus": protection(scene, case.get("incoming", "attack"))}


def protection(scene: Scene, incoming: Literal["attack", "counterattack"] = "attack") -> int:
    """Return the passive bonus of `one` against an attack or counterattack."""
    action = Action(1, incoming, "other", "one", strikes=True)
    return roll_total(
        0, added_to(RollContext(scene.state, scene.ruleset, action, scene["one"], scene["other"], "passive"))
    )


def timed_defense_bonus(case: Case) -> Answer:
    """Return the defense bonus for resting, caution and the like, besides the position."""
    source = case.get("timed_effect", "evasion")
    position = "on_ground" if source == "instant_stand" else case.get("position", "standing")
    scene = scene_of(case, position, ability={"agility": 9})
    if source == "cautious":
        return {"bonus": protection(missed(scene, "cautious"))}
    orders = {"resting": commands.Rest, "instant_stand": commands.InstantStand, "evasion": commands.Evade}
    for _ in range(case.get("evasions_this_turn", 0)):
        # Without points each of these takes the turn, and a second one would be refused.
        scene.do(commands.Evade("one")).turn_of("one")
    return {"bonus": protection(scene.do(orders[source]("one")))}


def ground_movement(case: Case) -> Answer:
    """Return the distance of a move on the ground, given the distance of a move while standing."""
    metres = case.metres("movement_m")
    scene = scene_of(case, "on_ground", stride=metres, movement=metres)
    scene.do(commands.Move("one", scene.point))
    moved = scene["one"].status.moved
    return {"movement_m": number(Fraction(moved))}


ADAPTERS = adapters_of(globals()) | {"evade": timed_defense_bonus}

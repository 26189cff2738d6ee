"""The operations of the vectors' vocabulary about evading, standing, lying and what each position does to rolls."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal

from mam_events.commands import (
    Adjust,
    Aim,
    Attack,
    Command,
    Declared,
    Drop,
    EndTurn,
    Evade,
    Initiative,
    InstantStand,
    Manipulate,
    Move,
    Placing,
    Rest,
    Stand,
)
from mam_events.deciding.strikes import Rolling
from mam_events.events import AttackRolled, DefenseRolled, InstantStandResolved
from mam_events.rules.rolls.combat_rolls import added as added_to
from mam_events.rules.rolls.combat_rolls import total
from mam_events.state import Action, Weapon
from tests.rules.scene import WHY, Answer, Case, Scene, adapters_of, added, number

GUN = Weapon("gun", kind="gun", range=Decimal(100))
PARTNER = {"dominant_standing": "clinch", "dominant_on_ground": "ground_fighting"}
GRAPPLES = ("clinch", "ground_fighting", *PARTNER)
STANCES = ("strategic", "cautious")


def scene_of(case: Case, position: str = "standing", **one: Any) -> Scene:
    """Somebody in that position on its turn, with a partner where it grapples, and somebody else beside them."""
    scene = Scene(case)
    for name, more in (("one", one), ("partner", {}), ("other", {})):
        scene.enter(name, {"pools": {"ready": 20}}, weapon=(GUN,), **more)
    scene.turn_of("one")
    if position == "resting":
        scene.do(Rest("one")).turn_of("one")
    elif position not in ("standing", *STANCES):
        placing: Any = [Placing("one", position, "partner" if position in GRAPPLES else "")]  # type: ignore[arg-type]  # a vector's words
        if position in GRAPPLES:
            placing.append(Placing("partner", PARTNER.get(position, position), "one"))  # type: ignore[arg-type]  # as above
        scene.do(Adjust(WHY, position=tuple(placing)))
    return scene


def missed(scene: Scene, mode: Any) -> Scene:
    """Attack in that mode, and miss."""
    scene.do(Attack("one", "other", power=scene.ruleset.edition.economy.charged(1), mode=mode))
    return scene.do(Adjust(WHY, outcome=Declared(scene.exchange, "fail")))


def position_modifier(case: Case) -> Answer:
    """What is added to an attack roll, or to the defense against an attack, by where one stands or lies."""
    scene = scene_of(case, case["position"])
    attacks = case["role"] == "attack"
    names = ["one", "partner" if case.get("versus") == "inferior" else "other"]
    attacker, target = names if attacks else names[::-1]
    how: dict[str, Any] = {"from_above": case.get("from_above", False)}
    if attacks and case["position"] in STANCES:
        how["mode"] = case["position"]
    if case["position"] in STANCES:
        missed(scene, case["position"])
    scene.turn_of(attacker)
    if case["kind"] == "grapple":
        scene.do(Manipulate(attacker, target, points=1, from_above=how["from_above"])).resolve()
    else:
        scene.strike(attacker, target, "gun" if case["kind"] == "missile" else "body", **how)
    return {"modifier": added(scene.last(AttackRolled if attacks else DefenseRolled))}


def may_take_stance(case: Case) -> Answer:
    """Whether that may be done from a position; refused if not."""
    scene, action = scene_of(case, case["position"]), case["action"].removesuffix("_attack")
    orders: dict[str, Command] = {
        "rest": Rest("one"),
        "resting": Rest("one"),
        "aim": Aim("one", "gun"),
        "drop": Drop("one"),
        "stand": Stand("one"),
        "instant_stand": InstantStand("one"),
        "evade": Evade("one"),
    }
    if action in orders:
        scene.do(orders[action], die=1, opposing_die=1)
    else:
        missed(scene, action)
    return {}


def instant_stand(case: Case) -> Answer:
    """An attempt to stand up at once."""
    abilities = {name: case.get(name, 0) for name in ("agility", "acrobatics")}
    scene = scene_of(case, case.get("position", "on_ground"), ability=abilities)
    scene.do(InstantStand("one"), die=case.get("face"), opposing_die=case.get("opposing_face"))
    stood = scene.last(InstantStandResolved)
    return {
        "outcome": stood.outcome,
        "rolled": bool(stood.rolls),
        "position": scene["one"].status.position,
        "bonus": stood.effect.value if stood.effect else 0,
    }


def evade(case: Case) -> Answer:
    """Evading, after so many times in the same turn."""
    scene = scene_of(case)
    for _ in range(case.get("evasions_this_turn", 0)):
        # Each costs the turn where there are no points, and would be refused for that.
        scene.do(Evade("one")).turn_of("one")
    return {"bonus": protection(scene.do(Evade("one")))}


def evasion_bonus(case: Case) -> Answer:
    """What protects somebody who evaded in some of its turns, at a moment of one of them."""
    scene = Scene(case).enter("one", {"pools": {"ready": 20}}).enter("other", {"pools": {"ready": 20}})
    scene.do(Initiative(first="one", reason=WHY))
    for turn in range(1, case["own_turn"] + 1):
        scene.begin_turns(*(("one",) if turn == 1 else ("other", "one")))
        if turn in case["evasions_taken_on_turns"]:
            scene.do(Evade("one"))
    if case.get("moment") == "after_turn":
        scene.do(EndTurn("one"))
    return {"bonus": protection(scene, case.get("incoming", "attack"))}


def protection(scene: Scene, incoming: Literal["attack", "counterattack"] = "attack") -> int:
    """What protects the one by itself against somebody's attack or counterattack."""
    action = Action(1, incoming, "other", "one", strikes=True)
    return total(0, added_to(Rolling(scene.state, scene.ruleset, action, scene["one"], scene["other"], "passive")))


def timed_defense_bonus(case: Case) -> Answer:
    """What resting, caution and their like add to the defense, on top of the position."""
    source = case["timed_effect"]
    position = "on_ground" if source == "instant_stand" else case.get("position", "standing")
    scene = scene_of(case, position, ability={"agility": 9})
    if source == "cautious":
        return {"bonus": protection(missed(scene, "cautious"))}
    orders = {"resting": Rest, "instant_stand": InstantStand, "evasion": Evade}
    return {"bonus": protection(scene.do(orders[source]("one")))}


def ground_movement(case: Case) -> Answer:
    """How far somebody on the ground gets who would get so far standing."""
    metres = case.metres("movement_m")
    scene = scene_of(case, "on_ground", stride=metres, movement=metres)
    scene.do(Move("one", scene.ruleset.edition.economy.charged(1)))
    moved = scene["one"].status.moved
    return {"movement_m": number(Fraction(moved))}


ADAPTERS = adapters_of(globals())

"""The operations of the vectors' vocabulary about evading, standing, lying and what each position does to rolls."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any, Literal

from msgspec.structs import replace

from mam_events.commands import (
    Adjust,
    Aim,
    Attack,
    BeginTurn,
    Declared,
    Drop,
    EndTurn,
    Evade,
    InstantStand,
    Move,
    Placing,
    Rest,
    Stand,
)
from mam_events.deciding.strikes import Rolling
from mam_events.events import CombatantJoined, InitiativeEstablished, InstantStandResolved
from mam_events.rules.attack import attacks
from mam_events.rules.maneuvering.instant_stand import certain
from mam_events.rules.rolls.combat_rolls import added, total
from mam_events.state import Action, Statistics, Terms, Weapon
from tests.rules.scene import Case, Scene, one

GUN = Weapon("gun", kind="gun", range=Decimal(100))
PARTNER = {"dominant_standing": "clinch", "dominant_on_ground": "ground_fighting"}
GRAPPLES = ("clinch", "ground_fighting", *PARTNER)


def scene_of(case: Case, position: str = "standing") -> Scene:
    """Somebody in that position on its turn, with a partner where it grapples, and somebody else beside them."""
    scene = Scene(case.ruleset)
    for name in ("one", "partner", "other"):
        scene.enter(name, {"pools": {"ready": 20}}, weapon=(GUN,))
    scene.turn_of("one")
    place(scene, position)
    return scene


def place(scene: Scene, position: str) -> None:
    """Put the one into that position, and its partner into the one that goes with it."""
    if position in GRAPPLES:
        other_side = PARTNER.get(position, position)
        pair = (Placing("one", position, "partner"), Placing("partner", other_side, "one"))  # type: ignore[arg-type]  # a vector's words
        scene.do(Adjust(reason="a vector", position=pair))
    elif position == "resting":
        scene.do(Rest("one"))
        scene.turn_of("one")
    elif position not in ("standing", "strategic", "cautious"):
        scene.do(Adjust(reason="a vector", position=(Placing("one", position),)))  # type: ignore[arg-type]  # a vector's words


def strike(scene: Scene, mode: Any) -> None:
    """Attack in that mode, with a point where points are spent, and miss."""
    scene.do(Attack("one", "other", power=scene.ruleset.edition.economy.charged(1), mode=mode))
    assert scene.state.exchange is not None
    scene.do(Adjust(reason="a vector", outcome=Declared(scene.state.exchange.id, "fail")))


def position_modifier(case: Case) -> dict[str, Any]:
    """What is added to an attack roll, or to the defense against an attack, by where one stands or lies."""
    given, do = case.given, case.do
    scene = scene_of(case, given["position"])
    if given["position"] in ("strategic", "cautious"):
        strike(scene, given["position"])
    foe = "partner" if do.get("versus") == "inferior" else "other"
    stance = given["position"] in ("strategic", "cautious") and do["role"] == "attack"
    mode: Any = given["position"] if stance else "quick"
    terms = Terms(
        mode=mode,
        missile=do["kind"] == "missile",
        grapple=do["kind"] == "grapple",
        from_above=do.get("from_above", False),
    )
    actor, target = ("one", foe) if do["role"] == "attack" else (foe, "one")
    action = Action(1, "attack", actor, target, strikes=True, terms=terms)
    if do["role"] == "attack":
        rolling = Rolling(scene.state, case.ruleset, action, scene["one"], scene[foe], "attack")
        return {"modifier": total(0, added(rolling))}
    return {"modifier": total(0, attacks.against(scene.state, case.ruleset, action, scene["one"], passive=True))}


def may_take_stance(case: Case) -> dict[str, Any]:
    """Whether that may be done from a position; refused if not."""
    scene = scene_of(case, case.given["position"])
    orders = {
        "rest": Rest("one"),
        "resting": Rest("one"),
        "aim": Aim("one", "gun"),
        "drop": Drop("one"),
        "stand": Stand("one"),
        "instant_stand": InstantStand("one", die=1, opposing_die=rolls_against(case)),
        "evade": Evade("one"),
    }
    action = case.do["action"].removesuffix("_attack")
    if action in orders:
        scene.do(orders[action])
    else:
        strike(scene, action)
    return {}


def rolls_against(case: Case) -> int | None:
    """The face that an instant stand is rolled against, where it is rolled against one."""
    return 1 if case.ruleset["instant_stand_difficulty"] == "opposed_zero" else None


def instant_stand(case: Case) -> dict[str, Any]:
    """An attempt to stand up at once; faces that nobody throws are left out."""
    scene = scene_of(case, case.given.get("position", "on_ground"))
    abilities = {name: case.given.get(name, 0) for name in ("agility", "acrobatics")}
    scene.happen(CombatantJoined(replace(scene["one"], statistics=Statistics(abilities=abilities))))
    rolls = not certain(scene["one"], case.ruleset)
    opposed = case.ruleset["instant_stand_difficulty"] == "opposed_zero"
    events = scene.do(
        InstantStand(
            "one",
            die=case.do.get("face") if rolls else None,
            opposing_die=case.do.get("opposing_face") if rolls and opposed else None,
        )
    )
    told = one(events, InstantStandResolved)
    return {
        "outcome": told.outcome,
        "rolled": bool(told.rolls),
        "position": scene["one"].status.position,
        "bonus": told.effect.value if told.effect else 0,
    }


def evade(case: Case) -> dict[str, Any]:
    """Evading, after so many times in the same turn."""
    scene = scene_of(case)
    for _ in range(case.given.get("evasions_this_turn", 0)):
        # Each costs the turn where there are no points, and would be refused for that.
        scene.do(Evade("one"))
        scene.turn_of("one")
    scene.do(Evade("one"))
    return {"bonus": protection(scene)}


def evasion_bonus(case: Case) -> dict[str, Any]:
    """What protects somebody who evaded in some of its turns, at a moment of one of them."""
    scene = Scene(case.ruleset)
    for name in ("one", "other"):
        scene.enter(name, {"pools": {"ready": 20}})
    scene.happen(InitiativeEstablished(("one", "other"), "a vector", ""))
    bonus = 0
    for turn in range(1, case.do["own_turn"] + 1):
        scene.do(BeginTurn("one"))
        if turn in case.given["evasions_taken_on_turns"]:
            scene.do(Evade("one"))
        bonus = protection(scene, case.do.get("incoming", "attack"))
        scene.do(EndTurn("one"))
        if case.do.get("moment") == "after_turn":
            bonus = protection(scene, case.do.get("incoming", "attack"))
        scene.do(BeginTurn("other"))
        scene.do(EndTurn("other"))
    return {"bonus": bonus}


def protection(scene: Scene, incoming: Literal["attack", "counterattack"] = "attack") -> int:
    """What protects the one by itself against somebody's attack or counterattack."""
    action = Action(1, incoming, "other", "one", strikes=True)
    return total(0, added(Rolling(scene.state, scene.ruleset, action, scene["one"], scene["other"], "passive")))


def timed_defense_bonus(case: Case) -> dict[str, Any]:
    """What resting, caution and their like add to the defense, on top of the position."""
    source = case.given["timed_effect"]
    position = "on_ground" if source == "instant_stand" else case.given.get("position", "standing")
    scene = scene_of(case, position)
    nimble = Statistics(abilities={"agility": 9})
    scene.happen(CombatantJoined(replace(scene["one"], statistics=nimble)))
    if source == "cautious":
        strike(scene, "cautious")
    else:
        orders = {"resting": Rest, "instant_stand": InstantStand, "evasion": Evade}
        scene.do(orders[source]("one"))
    return {"bonus": protection(scene)}


def ground_movement(case: Case) -> dict[str, Any]:
    """How far somebody on the ground gets who would get so far standing."""
    metres = Decimal(str(case.given["movement_m"]))
    scene = scene_of(case, "on_ground")
    moving = Statistics(movement=metres)
    scene.happen(CombatantJoined(replace(scene["one"], stride=metres, statistics=moving)))
    scene.do(Move("one", case.ruleset.edition.economy.charged(1)))
    moved = scene["one"].status.moved
    return {"movement_m": int(moved) if moved == int(moved) else str(moved)}


ADAPTERS: dict[str, Callable[[Case], dict[str, Any]]] = {
    function.__name__: function
    for function in (
        position_modifier,
        may_take_stance,
        instant_stand,
        evade,
        evasion_bonus,
        timed_defense_bonus,
        ground_movement,
    )
}

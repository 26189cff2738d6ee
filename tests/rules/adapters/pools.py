"""What the operations about hit points, turns and initiative are in a fight."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from mam_events.commands import Act, BeginTurn, Body, DropItem, EndTurn, Initiative, Interfere, Join
from mam_events.deciding.judging import Judging
from mam_events.deciding.ruleset import Ruleset
from mam_events.deciding.strikes import Struck
from mam_events.errors import Refused
from mam_events.events import CombatantJoined, GrappleBroken, GrappleWeakened, InterferenceDeclared
from mam_events.rules.attack.power import Strength, multiplied
from mam_events.rules.exchanges import interference
from mam_events.rules.health.hit_points import distance, reserve_of, settle_reserves
from mam_events.rules.health.wounds import wound_of
from mam_events.rules.turns.phases import maximum_of
from mam_events.state import Item, Weapon
from tests.rules.scene import AnyFace, Case, Scene, Values, one, with_points


def scene_of(ruleset: Ruleset, given: Values) -> Scene:
    """A fight with the combatant that the vector describes; it is called "one"."""
    scene = Scene(ruleset)
    scene.enter("one", given)
    return scene


def hp_total(case: Case) -> dict[str, Any]:
    # Nobody joins of whom nothing is said: no athletic ability is one of 0 there.
    athletic = tuple(case.given["athletic_modifiers"]) or (0,)
    joined = one(Scene(case.ruleset).do(Join("one", athletic=athletic)), CombatantJoined)
    return {"hp": joined.combatant.hp, "hp_per_round": joined.combatant.hp_per_round}


def initial_pools(case: Case) -> dict[str, Any]:
    scene = Scene(case.ruleset)
    scene.do(Join("one", hp=case.given["hp"], encumbrance=case.given.get("encumbrance", 0)))
    return {"pools": scene.pools("one"), "total": scene["one"].pools.total}


def refresh_ready(case: Case) -> dict[str, Any]:
    case = with_points(case)
    scene = scene_of(
        case.ruleset,
        dict(case.given) | ({"hp_per_round": case.do["hp_per_round"]} if "hp_per_round" in case.do else {}),
    )
    try:
        most = scene.refresh("one", case.do["from_defense"], case.do["from_other_used"])
    except Refused as no:
        return {"accepted": False, "reason": no.code, "max_move": maximum_of(scene["one"], case.ruleset)}
    return {"pools": scene.pools("one"), "max_move": most}


def recover_stun(case: Case) -> dict[str, Any]:
    scene = scene_of(case.ruleset, case.given)
    skipped = bool(case.given.get("turn_skipped") or case.do.get("turn_skipped"))
    scene.recover_stun("one", case.do["moment"], skipped=skipped)
    return {"pools": scene.pools("one")}


def start_turn(case: Case) -> dict[str, Any]:
    scene = scene_of(case.ruleset, case.given)
    scene.recover_stun("one", "turn_start")
    after = scene.pools("one")
    return {"pools": after, "pools_after_stun": after, "max_move": maximum_of(scene["one"], case.ruleset)}


def spend(case: Case) -> dict[str, Any]:
    case = with_points(case)
    scene = scene_of(case.ruleset, case.given)
    scene.spend("one", case.do["to_defense"], case.do["to_other_used"])
    return {"pools": scene.pools("one")}


def move(case: Case) -> dict[str, Any]:
    case = with_points(case)
    scene = Scene(case.ruleset)
    scene.enter("one", case.given, stride=Decimal(str(case.given["stride_m"])))
    metres = scene.move("one", case.do["points"], Decimal(str(case.do["metres"])) if "metres" in case.do else None)
    farthest = distance(case.do["points"], scene["one"].stride)
    return {"pools": scene.pools("one"), "metres": metres, "max_distance_m": farthest}


def apply_wound(case: Case) -> dict[str, Any]:
    scene = scene_of(case.ruleset, case.given)
    event = scene.wound("one", case.do["stun"], case.do["damage"])
    lost, overflow = (event.lost, event.overflow) if event else (0, 0)
    return {"pools": scene.pools("one"), "lost": lost, "overflow": overflow, "state": scene["one"].condition}


def split_wound(case: Case) -> dict[str, Any]:
    weapon = Weapon(
        "weapon", sharpness=case.given.get("sharpness", 0), sharpness_class=case.given.get("sharpness_class")
    )
    stun, damage = wound_of(weapon, case.given["attack_power"], case.given["absorb"], case.do["outcome"], case.ruleset)
    return {"stun": stun, "damage": damage}


def reserve_check(case: Case) -> dict[str, Any]:
    shortfall, consequence = reserve_of(scene_of(case.ruleset, case.given)["one"], case.ruleset)
    return {"shortfall": shortfall, "consequence": consequence or ("ignore" if shortfall else None)}


def grapple_check(case: Case) -> dict[str, Any]:
    scene = scene_of(case.ruleset, case.given)
    (before,) = scene["one"].grapples
    judging = Judging(scene.state, case.ruleset, AnyFace(scene.ruling))
    settle_reserves(judging, "one")
    result: dict[str, Any] = {"shortfall": reserve_of(scene["one"], case.ruleset).shortfall, "hold": "kept"}
    for event in judging.events:
        if isinstance(event, GrappleBroken):
            result |= {"hold": "broken"}
        elif isinstance(event, GrappleWeakened):
            result |= {
                "hold": "weakened",
                "modifier_loss": before.modifier - event.modifier,
                "modifier": event.modifier,
            }
    return result


def drop_to_fit(case: Case) -> dict[str, Any]:
    scene = Scene(case.ruleset)
    scene.enter(
        "one", case.given, item=tuple(Item(i["name"], encumbrance=i["encumbrance"]) for i in case.given["items"])
    )
    for item in case.do["drop"]:
        scene.do(DropItem("one", item))
    return {
        "encumbrance": scene["one"].carried_encumbrance,
        "shortfall": reserve_of(scene["one"], case.ruleset).shortfall,
    }


def sequence(case: Case) -> dict[str, Any]:
    """Several operations on one combatant; a refused one ends them."""
    case = with_points(case)
    per_round = [step for step in case.do["steps"] if "hp_per_round" in step]
    given = dict(case.given) | ({"hp_per_round": per_round[0]["hp_per_round"]} if per_round else {})
    scene = scene_of(case.ruleset, given)
    for step in case.do["steps"]:
        STEPS[step["op"]](scene, "one", step)
    return {"pools": scene.pools("one"), "total": scene["one"].pools.total}


def fight(case: Case) -> dict[str, Any]:
    """Several operations in the printed fight; after each of them, the pools of both (None: not there yet)."""
    case = with_points(case)
    scene = Scene(case.ruleset)
    names = list(dict.fromkeys(step["who"] for step in case.do["steps"]))
    after = []
    for step in case.do["steps"]:
        if step["op"] == "set":
            scene.enter(step["who"], dict(case.given) | {"pools": step["pools"]}, **fighter(step["who"], case.given))
        else:
            STEPS[step["op"]](scene, step["who"], step)
        after.append({name: scene.pools(name) if name in scene.state.combatants else None for name in names})
    return {"after": after}


def fighter(name: str, given: Values) -> dict[str, Any]:
    """What the printed fight says of one of the two: the blade is Modre's, the body's numbers are the Clone's."""
    both = {"stride": Decimal(str(given["stride_m"])), "absorption": given["body_absorption"]}
    if name == "modre":
        blade = given["ice_blade"]
        power, attack, sharpness = (blade[name] for name in ("power", "attack_modifier", "sharpness"))
        return both | {"weapon": (Weapon("ice-blade", power=power, attack=attack, sharpness=sharpness),)}
    attacks, defends = given["body_attack_modifier"], given["body_defense_modifier"]
    return both | {"body": Body(attack=attacks, defense=defends)}


STEPS: dict[str, Callable[[Scene, str, Values], object]] = {
    "spend": lambda scene, who, step: scene.spend(who, step["to_defense"], step["to_other_used"]),
    "recover_stun": lambda scene, who, step: scene.recover_stun(who, step["moment"]),
    "start_turn": lambda scene, who, _: scene.recover_stun(who, "turn_start"),
    "refresh_ready": lambda scene, who, step: scene.refresh(who, step["from_defense"], step["from_other_used"]),
    "apply_wound": lambda scene, who, step: scene.wound(who, step["stun"], step["damage"]),
    "move": lambda scene, who, step: scene.move(who, step["points"]),
}


def initiative(case: Case) -> dict[str, Any]:
    scene = Scene(case.ruleset)
    for seat, entry in enumerate(case.given["combatants"]):
        reach = Decimal(str(entry.get("reach_m", 0)))
        scene.do(Join(entry["id"], hp=1, seat=entry.get("seat", seat), weapon=(Weapon("weapon", reach=reach),)))
    asked = dict(case.given) | dict(case.do)
    named = [entry["id"] for entry in case.given["combatants"] if entry.get("circumstance")]
    first = asked.get("override_first") or asked.get("first") or ""
    scene.do(
        Initiative(
            surprise=tuple(entry["id"] for entry in case.given["combatants"] if entry.get("surprise")),
            circumstance=asked.get("circumstance") or next(iter(named), ""),
            first=first,
            reason=asked.get("reason") or ("the vector says so" if first else ""),
            tie_die=asked.get("tie_dice") or {},
        )
    )
    return {"order": list(scene.state.order)}


def round_counter(case: Case) -> dict[str, Any]:
    """After so many turns: who is next, and the round in which that turn is."""
    scene = Scene(case.ruleset)
    for name in case.given["order"]:
        scene.do(Join(name, hp=1))
    scene.do(Initiative(first=case.given["order"][0], reason="the vector says so"))
    for _ in range(case.do["turns_ended"]):
        assert scene.state.next_up
        scene.do(BeginTurn(scene.state.next_up))
        assert scene.state.turn
        scene.do(EndTurn(scene.state.turn.combatant))
    following = scene.state.next_up
    assert following
    scene.do(BeginTurn(following))
    return {"round": scene.state.round, "next": following}


def attack_power(case: Case) -> dict[str, Any]:
    given = case.given
    charge = Fraction(str(given.get("charge_bonus", 0)))
    strength = Strength(given["weapon_power"], given.get("power_points", 0), charge)
    power, _ = multiplied(strength, Struck(None), case.ruleset, double=False)
    return {"attack_power": power}


def resolve_interference(case: Case) -> dict[str, Any]:
    # A vector calls its actions what it likes; in a fight they have the numbers of rulings.
    numbers = {action["id"]: number for number, action in enumerate(case.given["actions"], 1)}
    names = {number: name for name, number in numbers.items()}
    actions = [
        interference.Rolled(
            numbers[action["id"]],
            action["total"],
            action.get("modifier", 0),
            numbers.get(action.get("interferes_with")),
            attacks=action.get("is_attack", False) and action.get("interferes_with") is not None,
            net_effect=action.get("net_effect", 0),
        )
        for action in case.given["actions"]
    ]
    against = {action.id: action.against for action in actions}
    left = interference.stopped(sorted(actions, key=lambda action: len(chain_of(action.id, against))), case.ruleset)
    return {
        "failed": [names[action.id] for action in actions if left[action.id] == "fail"],
        "half": [names[action.id] for action in actions if left[action.id] == "half"],
    }


def chain_of(action: Any, against: dict[Any, Any]) -> list[Any]:
    """The actions through which that one is aimed at the first: nobody can interfere before there is a target."""
    target = against[action]
    return [] if target is None else [target, *chain_of(target, against)]


def interference_cap(case: Case) -> dict[str, Any]:
    """Somebody acts, in a chain somebody else interferes with that; then the interferer spends its points."""
    case = with_points(case)
    scene = Scene(case.ruleset)
    points: Sequence[int] = [
        case.given["target_points"],
        *([case.given["root_points"]] if "root_points" in case.given else []),
    ]
    root_points = case.given.get("root_points", case.given["target_points"])
    for name in ("root", "middle", "interferer"):
        scene.enter(name, {"pools": {"ready": 1 + max(*points, case.given["interferer_points"])}})
    scene.turn_of("root")
    scene.do(Act("root", "something", points=root_points))
    root = target = scene.ruling
    if "root_points" in case.given:
        scene.ruling += 1
        target = scene.ruling
        scene.happen(InterferenceDeclared(root, target, "middle", root, "root", case.given["target_points"]))
    scene.do(Interfere("interferer", root, target, points=case.given["interferer_points"]))
    return {}


ADAPTERS: dict[str, Callable[[Case], dict[str, Any]]] = {
    function.__name__: function
    for function in (
        hp_total,
        initial_pools,
        refresh_ready,
        recover_stun,
        start_turn,
        spend,
        move,
        apply_wound,
        split_wound,
        reserve_check,
        grapple_check,
        drop_to_fit,
        sequence,
        fight,
        initiative,
        round_counter,
        attack_power,
        resolve_interference,
        interference_cap,
    )
}

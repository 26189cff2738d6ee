"""The operations of the vectors' vocabulary that are an exchange: declared, answered and resolved with thrown dice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from mam_events.commands import Attack, Body, Counterattack, Interfere, Parry, Resolve
from mam_events.events import (
    AttackResolved,
    AttackRolled,
    CombatantJoined,
    CounterattackResolved,
    CounterattackRolled,
    DefenseRolled,
    Event,
    InterferenceRolled,
    ParryRolled,
    RollMade,
)
from mam_events.rules.rolls.combat_rolls import total
from mam_events.state import Effect, Status, Weapon
from tests.rules.scene import Case, Scene, Values, one, with_points

ANSWERS = ("counter", "parry", "defense")
HARMLESS = -1_000


def resolve_attack(case: Case) -> dict[str, Any]:
    """An attack, and in `given` the plain defense, the parry or the counterattack that meets it."""
    case = with_points(case)
    attack = case.given["attack"]
    kind = next((kind for kind in ANSWERS if kind in case.given), "defense")
    answer = case.given.get(kind, {})
    modifier, power = points_of(answer, least=1 if kind == "counter" else 0)
    attack_modifier, attack_power = points_of(attack, least=max(1, modifier + power))
    scene = Scene(case.ruleset)
    scene.enter("attacker", pools_with(attack, attack_modifier, attack_power), **armed(attack, attack_power))
    own = case.given.get("defense", answer)
    scene.enter("target", pools_with(answer, modifier, power + 1), **armed(answer, power, defends=own))
    scene.turn_of("attacker")
    scene.do(Attack("attacker", "target", "weapon", attack_power, attack_modifier))
    exchange = scene.ruling
    if kind == "counter":
        scene.do(Counterattack("target", exchange, "weapon", power, modifier))
    elif kind == "parry":
        scene.do(Parry("target", exchange, "weapon"))
    rolls = kind != "defense" or case.ruleset["defense_resolution"] == "opposed_roll"
    events = scene.do(Resolve(exchange, attack["face"], answer.get("face") if rolls else None))
    result = {
        "attack_total": one(events, AttackRolled).total,
        "defense_total": defended(events).total,
        "outcome": one(events, AttackResolved).outcome,
    }
    return result | ({"counter_outcome": one(events, CounterattackResolved).outcome} if kind == "counter" else {})


def points_of(side: Values, *, least: int) -> tuple[int, int]:
    """Points on the modifier and on power; where the vector is silent on power, as few as make the order legal."""
    modifier = side.get("modifier_points", 0)
    return modifier, side.get("power_points", max(0, least - modifier))


def pools_with(side: Values, to_defense: int, to_other_used: int) -> dict[str, Any]:
    """Pools from which those points can be spent, after which the defense pool is what the vector says."""
    before = max(0, side.get("defense_pool", 0) - to_defense)
    return {"pools": {"ready": to_defense + to_other_used, "defense": before}}


def armed(side: Values, power_points: int, *, defends: Values | None = None) -> dict[str, Any]:
    """A weapon that attacks and parries as the vector says, with a hit worth `net_effect`; and a body to defend."""
    defense = (side if defends is None else defends).get("defense_modifier", 0)
    weapon = Weapon(
        "weapon",
        power=side.get("net_effect", 1 + power_points) - power_points,
        attack=side.get("attack_modifier", 0),
        defense=side.get("weapon_defense_modifier", defense),
        parry=side.get("parry_modifier", 0),
    )
    # Whichever of its numbers `body_modifier` reads, the body defends with the one that the vector gives.
    return {"weapon": (weapon,), "body": Body(attack=defense, defense=defense)}


def defended(events: tuple[Event, ...]) -> RollMade:
    """The roll or number that the attack had to beat."""
    kinds = (DefenseRolled, ParryRolled, CounterattackRolled, InterferenceRolled)
    (event,) = (event for event in events if isinstance(event, kinds))
    return event


def defense_modifier(case: Case) -> dict[str, Any]:
    """So many attacks in a row, none of which can hit; what is added to the defense against each."""
    case = with_points(case)
    scene = Scene(case.ruleset)
    number = case.do["defense_modifier"]
    scene.enter("target", case.given, body=Body(attack=number, defense=number))
    scene.enter("attacker", {"pools": {"ready": case.do["attacks"]}}, weapon=(Weapon("weapon", attack=HARMLESS),))
    scene.turn_of("attacker")
    modifiers = []
    for _ in range(case.do["attacks"]):
        scene.do(Attack("attacker", "target", "weapon", power=1))
        opposed = case.ruleset["defense_resolution"] == "opposed_roll"
        roll = defended(scene.do(Resolve(scene.ruling, attack_die=1, defense_die=1 if opposed else None)))
        modifiers.append(total(0, roll.modifiers))
    return {"modifiers": modifiers}


def parry(case: Case) -> dict[str, Any]:
    """A parry, and the pools once it is declared; what a roll adds up to is asked of the resolution."""
    case = with_points(case)
    scene = Scene(case.ruleset)
    weapon = Weapon("weapon", defense=case.given.get("weapon_defense_modifier", 0))
    scene.enter("target", case.given, weapon=(weapon,), parry=case.given.get("parry_modifier", 0))
    if case.given.get("passive_bonuses"):
        resting = Effect("resting", case.given["passive_bonuses"], "MAM-POS-04", turn=9)
        scene.happen(CombatantJoined(replace(scene["target"], status=Status(effects=(resting,)))))
    scene.enter("attacker", {"pools": {"ready": 1}}, body=Body(attack=HARMLESS))
    scene.turn_of("attacker")
    scene.do(Attack("attacker", "target", power=1))
    exchange = scene.ruling
    scene.do(Parry("target", exchange, "weapon"))
    pools = scene.pools("target")
    events = scene.do(Resolve(exchange, attack_die=1, defense_die=case.do["face"]))
    return {"total": one(events, ParryRolled).total, "pools": pools}


def self_interference(case: Case) -> dict[str, Any]:
    """The target of an attack interferes with it; the defense roll that it would have had is not made."""
    case = with_points(case)
    scene = Scene(case.ruleset)
    better = case.given.get("defense_roll_total", 1) - 1
    scene.enter("target", {}, body=Body(attack=better, defense=better))
    blow = Weapon("weapon", attack=case.given["attack_total"] - 1)
    scene.enter("attacker", {"pools": {"ready": 1}}, weapon=(blow,))
    scene.turn_of("attacker")
    scene.do(Attack("attacker", "target", "weapon", power=1))
    exchange = scene.ruling
    if case.given.get("interfering_total") is not None:
        scene.do(Interfere("target", exchange, exchange, points=1, bonus=case.given["interfering_total"] - 1))
    events = scene.do(Resolve(exchange, attack_die=1, defense_die=1))
    return {"compared_with": defended(events).total, "outcome": one(events, AttackResolved).outcome}


ADAPTERS: dict[str, Callable[[Case], dict[str, Any]]] = {
    function.__name__: function for function in (resolve_attack, defense_modifier, parry, self_interference)
}

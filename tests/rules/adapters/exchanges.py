"""Operations of the vectors that are an exchange: declared, reacted to, and resolved with thrown dice."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from mam_events import commands, events
from mam_events.state import Effect, Status, Weapon
from tests.rules.scene import Answer, Case, Scene, Values, adapters_of, sum_of_modifiers

ANSWERS = ("counter", "parry", "defense")
DEFENDED = (events.DefenseRolled, events.ParryRolled, events.CounterattackRolled, events.InterferenceRolled)
"""The roll or number that an attack has to beat."""
HARMLESS = -1_000


def resolve_attack(case: Case) -> Answer:
    """Resolve an attack and the plain defense, parry or counterattack in `given` that meets it."""
    attack = case["attack"]
    kind = next((kind for kind in ANSWERS if kind in case.given), "defense")
    answer = case.get(kind, {})
    modifier, power = points_of(answer, least=1 if kind == "counter" else 0)
    attack_modifier, attack_power = points_of(attack, least=max(1, modifier + power))
    scene = Scene(case, points=True)
    enter(scene, "attacker", attack, attack_modifier, attack_power, 0)
    enter(scene, "target", answer, modifier, power, case.get("defense", answer).get("defense_modifier", 0))
    scene.turn_of("attacker").do(commands.Attack("attacker", "target", "weapon", attack_power, attack_modifier))
    if kind == "counter":
        scene.do(commands.Counterattack("target", scene.exchange, "weapon", power, modifier))
    elif kind == "parry":
        scene.do(commands.Parry("target", scene.exchange, "weapon"))
    scene.resolve(attack["face"], answer.get("face"))
    return {
        "counter_outcome": next((event.outcome for event in scene.all(events.CounterattackResolved)), None),
        "attack_total": scene.last(events.AttackRolled).total,
        "defense_total": scene.last(DEFENDED).total,
        "outcome": scene.last(events.AttackResolved).outcome,
    }


def points_of(side: Values, *, least: int) -> tuple[int, int]:
    """Return the points on the modifier and on power.

    Without power in the vector, it is the least that makes the order legal.
    """
    modifier = side.get("modifier_points", 0)
    return modifier, side.get("power_points", max(0, least - modifier))


def enter(scene: Scene, name: str, side: Values, modifier: int, power: int, defense: int) -> None:
    """Join a combatant whose weapon attacks and parries as the vector says, with a hit worth `net_effect`.

    Its pools allow those points and one more, and leave the defense pool that the vector has.
    """
    weapon = Weapon(
        "weapon",
        power=side.get("net_effect", 1 + power) - power,
        attack=side.get("attack_modifier", 0),
        defense=side.get("weapon_defense_modifier", defense),
        parry=side.get("parry_modifier", 0),
    )
    pools = {"ready": modifier + power + 1, "defense": max(0, side.get("defense_pool", 0) - modifier)}
    # The body defends with the vector's number under both readings of `body_modifier`.
    scene.enter(name, {"pools": pools}, weapon=(weapon,), body=commands.Body(attack=defense, defense=defense))


def attacked(case: Case, attack: int = HARMLESS, **target: Any) -> Scene:
    """Begin the turn of somebody who can attack often, with the vector's target."""
    scene = Scene(case, points=True).enter("target", case, **target)
    scene.enter("attacker", {"pools": {"ready": 20}}, weapon=(Weapon("weapon", attack=attack),))
    return scene.turn_of("attacker")


def defense_modifier(case: Case) -> Answer:
    """Attack several times in a row without a hit, and return the modifiers of the defense against each attack."""
    number = case["defense_modifier"]
    scene = attacked(case, body=commands.Body(attack=number, defense=number))
    for _ in range(case["attacks"]):
        scene.strike("attacker", "target", "weapon")
    return {"modifiers": [sum_of_modifiers(roll) for roll in scene.all(DEFENDED)]}


def parry(case: Case) -> Answer:
    """Declare a parry and return the pools after it, and the total of its roll."""
    weapon = Weapon("weapon", defense=case.get("weapon_defense_modifier", 0))
    scene = attacked(case, weapon=(weapon,), parry=case.get("parry_modifier", 0))
    if case.get("passive_bonuses"):
        resting = Effect("resting", case["passive_bonuses"], "MAM-POS-04", turn=9)
        scene.after(events.CombatantJoined(replace(scene["target"], status=Status(effects=(resting,)))))
    scene.do(commands.Attack("attacker", "target", "weapon", power=1))
    scene.do(commands.Parry("target", scene.exchange, "weapon"))
    return {"pools": scene.pools("target"), "total": scene.resolve(1, case["face"]).last(events.ParryRolled).total}


def self_interference(case: Case) -> Answer:
    """Let the target of an attack interfere with it instead of defending."""
    better = case.get("defense_roll_total", 1) - 1
    scene = attacked(case, case["attack_total"] - 1, body=commands.Body(attack=better, defense=better))
    scene.do(commands.Attack("attacker", "target", "weapon", power=1))
    if case.get("interfering_total") is not None:
        bonus = case["interfering_total"] - 1
        scene.do(commands.Interfere("target", scene.exchange, scene.exchange, points=1, bonus=bonus))
    scene.resolve()
    return {"compared_with": scene.last(DEFENDED).total, "outcome": scene.last(events.AttackResolved).outcome}


def resolve_interference(case: Case) -> Answer:
    """Play a chain of actions, each against the one before; return the stopped and the halved ones."""
    scene = Scene(case, points=True, combat_die="d20")
    waiting = {action["id"]: action for action in case["actions"]}
    numbers: dict[str | None, int] = {}
    faces = {}
    # No die of a vector shows a 20, which would be an automatic success.
    added_to = {name: max(a.get("modifier", 0), a["total"] - 19) for name, a in waiting.items()}
    for name, action in waiting.items():
        blow = Weapon("weapon", power=action.get("net_effect", 0) - 1, attack=added_to[name])
        scene.enter(name, {"pools": {"ready": 40}}, weapon=(blow,))
    # Nobody can interfere before there is a target.
    while ready := [a for a in waiting.values() if a.get("interferes_with") in (None, *numbers)]:
        for action in ready:
            name, target, bonus = action["id"], action.get("interferes_with"), added_to[action["id"]]
            fields: Values = {"points": 1, "bonus": bonus}
            if target is None:
                scene.turn_of(name).do(commands.Act(name, "something", **fields))
            else:
                fields = {"weapon": "weapon", "power": 1} if action.get("is_attack") else fields
                scene.do(commands.Interfere(name, scene.exchange, numbers[target], **fields))
            numbers[name] = scene.ruling
            faces["attack_die" if target is None else f"interference_die.{scene.ruling}"] = action["total"] - bonus
            del waiting[name]
    scene.do(commands.Resolve(scene.exchange), **faces)
    results = [event for event in scene.all(events.InterferenceResolved) if event.outcome != "fail"]
    ended = {event.against: event.outcome for event in sorted(results, key=lambda event: event.outcome == "full")}
    stopped = {action["id"]: ended.get(numbers[action["id"]]) for action in case["actions"]}
    return {
        "failed": [name for name, outcome in stopped.items() if outcome == "full"],
        "half": [name for name, outcome in stopped.items() if outcome == "half"],
    }


def interference_cap(case: Case) -> Answer:
    """Let each actor interfere with the action before it, and let the last spend its points."""
    scene, points = Scene(case, points=True), [case["target_points"], case["interferer_points"]]
    if case.get("root_points") is not None:
        points.insert(0, case["root_points"])
    for n in range(len(points)):
        scene.enter(f"actor-{n}", {"pools": {"ready": 1 + max(points)}})
    scene.turn_of("actor-0").do(commands.Act("actor-0", "something", points=points[0]))
    for n, spent in enumerate(points[1:], 1):
        scene.do(commands.Interfere(f"actor-{n}", scene.exchange, scene.ruling, points=spent))
    return {}


ADAPTERS = adapters_of(globals())

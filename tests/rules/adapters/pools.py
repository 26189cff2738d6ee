"""Operations of the vectors about hit points, armor, power, turns and initiative."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from mam_events import commands, events
from mam_events.errors import Refused
from mam_events.rules.attack.power import RUN_UP, charge_bonus
from mam_events.rules.health import armor
from mam_events.rules.health.hit_points import distance, reserve_of
from mam_events.rules.rulebook import rulebook
from mam_events.rules.turns.point_economy import maximum_of
from mam_events.state import ArmorPiece, Item, Weapon
from tests.rules.scene import WHY, Answer, Case, Scene, Values, adapters_of, number


def initial_pools(case: Case) -> Answer:
    """Join a combatant, who may drop some items."""
    scene = Scene(case)
    if "athletic_modifiers" in case.given:
        # Joining without hit points is refused; there, no athletic ability means one of 0.
        scene.do(commands.Join("one", athletic=tuple(case["athletic_modifiers"]) or (0,)))
    elif "hp" in case.given:
        scene.do(commands.Join("one", hp=case["hp"], encumbrance=case.get("encumbrance", 0)))
    else:
        carried = case.get("items", ())
        scene.enter("one", case, item=tuple(Item(item["name"], encumbrance=item["encumbrance"]) for item in carried))
    return after(scene.do(*(commands.DropItem("one", item) for item in case.get("drop", ()))))


def after(scene: Scene) -> Answer:
    """Return the hit points of `one` and the values derived from them."""
    one, pools = scene["one"], scene.pools("one")
    most = maximum_of(one, scene.ruleset) if "ready_refresh_cap" in scene.ruleset else 0
    shortfall, consequence = reserve_of(one, scene.ruleset)
    return {
        "hp": one.hp,
        "hp_per_round": one.hp_per_round,
        "pools": pools,
        "pools_after_stun": pools,
        "total": one.pools.total,
        "max_move": next((event.maximum for event in scene.all(events.ReadyPoolRefreshed)), most),
        "encumbrance": one.carried_encumbrance,
        "shortfall": shortfall,
        "consequence": consequence or ("ignore" if shortfall else None),
        "state": one.condition,
    }


def operate(case: Case) -> Answer:
    """Apply one or more operations to a combatant; only the last may be refused."""
    steps = case.get("steps", [case.do])
    spends = case["op"] not in ("recover_stun", "start_turn", "apply_wound")
    values = dict(case.given)
    for step_values in steps:
        values |= {name: value for name, value in step_values.items() if name == "hp_per_round"}
    scene = Scene(case, points=spends).enter("one", values, stride=Decimal(str(values.get("stride_m", 1))))
    try:
        for step_values in steps:
            step(scene, "one", step_values, skipped=bool(case.get("turn_skipped")))
    except Refused as error:
        return after(scene) | {"accepted": False, "reason": error.code, "sentence": error.sentence}
    answer = after(scene)
    for wounded in scene.all(events.WoundInflicted):
        answer |= {"lost": wounded.lost, "overflow": wounded.overflow}
    for moved in scene.all(events.CombatantMoved):
        answer |= {"metres": moved.metres, "max_distance_m": distance(case["points"], scene["one"].stride)}
    return {"lost": 0, "overflow": 0} | answer


def grapple_check(case: Case) -> Answer:
    """Take the last point that a hold needs, by a point of stun."""
    pools = case["pools"]
    scene = Scene(case).enter("one", {**case.given, "pools": pools | {"ready": pools.get("ready", 0) + 1}})
    (before,) = scene["one"].grapples
    short = reserve_of(scene["one"], scene.ruleset).shortfall
    step(scene, "one", {"op": "apply_wound", "stun": 1, "damage": 0})
    answer = {"shortfall": short, "hold": "broken" if scene.all(events.GrappleBroken) else "kept"}
    for event in scene.all(events.GrappleWeakened):
        less = before.modifier - event.modifier
        answer |= {"hold": "weakened", "modifier_loss": less, "modifier": event.modifier}
    return answer


def fight(case: Case) -> Answer:
    """Apply operations in the printed fight and return the pools of both after each (None: not there yet)."""
    scene = Scene(case, points=True)
    names = list(dict.fromkeys(step_values["who"] for step_values in case["steps"]))
    pools = []
    for step_values in case["steps"]:
        combatant = step_values["who"]
        if step_values["op"] == "set":
            scene.enter(combatant, {**case.given, "pools": step_values["pools"]}, stride=case.metres("stride_m"))
        else:
            step(scene, combatant, step_values)
        pools.append({name: scene.pools(name) if name in scene.state.combatants else None for name in names})
    return {"after": pools}


def step(scene: Scene, name: str, values: Values, *, skipped: bool = False) -> None:
    """Apply one operation to a combatant, alone or with others in the fight."""
    op, exchange = values.get("op"), scene.state.exchange
    if op in ("start_turn", "recover_stun") and values.get("moment") != "turn_end":
        scene.begin_turn_of(name)
    elif op == "recover_stun":
        scene.turn_of(name)
        if not skipped:
            scene.after(events.ActionTaken(name, "act"))
        scene.do(commands.EndTurn(name))
    elif op == "refresh_ready":
        scene.turn_of(name).do(commands.Ready(name, values["from_defense"], values["from_other_used"]))
    elif op == "move":
        metres = Decimal(str(values["metres"])) if "metres" in values else None
        scene.turn_of(name).do(commands.Move(name, values["points"], metres))
    elif op == "apply_wound":
        if exchange is None or exchange.root.target != name:
            foe = opponent(scene, name)
            scene.turn_of(foe).do(commands.Attack(foe, name, power=scene.point))
        scene.do(
            commands.Adjust(
                WHY, outcome=commands.DeclaredOutcome(scene.exchange, "full", values["stun"], values["damage"])
            )
        )
    else:
        power, modifier = values["to_other_used"], values["to_defense"]
        if exchange and exchange.root.target == name:
            answer = commands.Counterattack(name, exchange.id, power=power, modifier=modifier) if power else None
            scene.do(answer or commands.Defend(name, exchange.id, modifier))
        elif power + modifier:
            scene.turn_of(name).do(commands.Attack(name, opponent(scene, name), power=power, modifier=modifier))
        else:
            scene.turn_of(name).do(commands.Act(name, "nothing that costs anything", points=0))


def opponent(scene: Scene, name: str) -> str:
    """Return an opponent who can attack and doesn't need to ready points."""
    others = [other for other in scene.state.combatants if other != name]
    if not others:
        scene.enter("somebody-else", {"pools": {"ready": 9}, "hp_per_round": 0})
    return others[0] if others else "somebody-else"


def pieces(case: Case) -> tuple[ArmorPiece, ...]:
    """Return the armor for a join, with ids in place of the vector's names."""
    worn: Sequence[Values] = case.get("armor", ())
    ids = {piece["name"]: f"piece-{n}" for n, piece in enumerate(worn)}
    return tuple(
        ArmorPiece(
            ids[piece["name"]],
            name=piece["name"],
            cover=0 if piece["cover"] == "complete" else piece["cover"],
            complete=piece["cover"] == "complete",
            absorption=piece["absorption"],
            under=ids.get(piece.get("overlapped_by") or "", ""),
        )
        for piece in worn
    )


def attack_power(case: Case) -> Answer:
    """Hit somebody in armor, after a run if the vector has one.

    All dice show the same face, so it doesn't matter which of them armor is compared with.
    """
    flags = [name for name in ("random_damage", "critical_hit") if name in case.given]
    house = {name: "on" if case[name] else "off" for name in flags}
    if flags:
        house["double_power_attacks"] = "flag_on_attack"
    case = replace(case, ruleset=rulebook().changed(case.ruleset.pinned, house))
    scene = Scene(case, points=True, combat_die="d20", automatic_success_in_opposed_rolls="attacker_only")
    sharpness = {name: case[name] for name in ("sharpness", "sharpness_class") if case.get(name) is not None}
    weapon = Weapon("weapon", power=case.get("weapon_power", case.get("attack_power", 0)), **sharpness)
    charge = case.metres("charge_bonus")
    run = charge + RUN_UP if charge else case.metres("distance_m")
    scene.enter("one", {"pools": {"ready": 99}}, weapon=(weapon,), stride=run)
    absorption = case.get("body_absorption", case.get("absorb", 0))
    scene.enter("two", {"pools": {"ready": 999}}, armor=pieces(case), absorption=absorption).turn_of("one")
    if run:
        scene.do(commands.Move("one", points=1, straight=case.get("straight", True)))
    points, double = case.get("power_points", 0), bool(case.get("double_power"))
    scene.do(commands.Attack("one", "two", "weapon", points, modifier=0 if points else 1, double_power=double))
    face = case.get("face", 1)
    if "automatic" in case.do:  # The vector gives the power itself; random damage needs the face.
        face = 20 if case["automatic"] and (face > 12 or not case.get("random_damage")) else min(face, 19)
    scene.resolve(face, face if case.get("armor") else 1, case.get("outcome", "full"))
    power, charged = scene.last(events.AttackResolved).power, scene.last(events.AttackDeclared).terms.charge
    answer: Answer = {"blocked": False, "absorption": 0, "stun": 0, "damage": 0, "attack_power": power}
    for checked in scene.all(events.ArmorChecked):
        answer |= {"blocked": bool(checked.piece), "absorption": checked.absorption}
    for wounded in scene.all(events.WoundInflicted):
        answer |= {"stun": wounded.stun, "damage": wounded.damage}
    answer |= {"weapon_power_total": power, "power": answer["stun"] + answer["damage"]}
    return answer | {"power_bonus": number(charge_bonus(charged, scene.ruleset))}


def fold_layers(case: Case) -> Answer:
    folded = armor.fold_layers(armor.worn_armor(Scene(case).enter("one", armor=pieces(case))["one"]))
    return {
        "armor": [
            {"name": piece.name, "cover": "complete" if piece.complete else piece.cover, "absorption": piece.absorption}
            for piece in folded
        ]
    }


def initiative(case: Case) -> Answer:
    scene = Scene(case)
    everyone = case["combatants"]
    for seat, entry in enumerate(everyone):
        weapon = Weapon("weapon", reach=Decimal(str(entry.get("reach_m", 0))))
        scene.do(commands.Join(entry["id"], hp=1, seat=entry.get("seat", seat), weapon=(weapon,)))
    names = [entry["id"] for entry in everyone if entry.get("circumstance")]
    first = case.get("override_first") or case.get("first") or ""
    scene.do(
        commands.Initiative(
            surprise=tuple(entry["id"] for entry in everyone if entry.get("surprise")),
            circumstance=case.get("circumstance") or next(iter(names), ""),
            first=first,
            reason=case.get("reason") or (WHY if first else ""),
            tie_die=case.get("tie_dice") or {},
        )
    )
    return {"order": list(scene.state.order)}


def round_counter(case: Case) -> Answer:
    """Return the next combatant, and the round of their turn, after that many turns."""
    scene = Scene(case).do(
        *(commands.Join(name, hp=1) for name in case["order"]), commands.Initiative(first=case["order"][0], reason=WHY)
    )
    for _ in range(case["turns_ended"] + 1):
        scene.begin_turns(scene.state.next_up)
    assert scene.state.turn
    return {"round": scene.state.round, "next": scene.state.turn.combatant}


SINGLE = ("refresh_ready", "recover_stun", "start_turn", "spend", "move", "apply_wound", "sequence")
HITS = ("split_wound", "armor_absorption", "power_after_armor", "power_multiplier", "charge_bonus")
ADAPTERS = adapters_of(globals()) | {
    **dict.fromkeys(SINGLE, operate),
    **dict.fromkeys(HITS, attack_power),
    **dict.fromkeys(("hp_total", "reserve_check", "drop_to_fit"), initial_pools),
}

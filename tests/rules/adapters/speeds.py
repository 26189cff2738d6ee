"""Operations of the vectors about speeds, surprise, counterattacks and combos."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

from mam_events import commands, events
from mam_events.errors import Refused
from mam_events.rules.turns.turn_economy import movement_left
from mam_events.state import Weapon
from tests.rules.scene import Answer, Case, Scene, adapters_of, sum_of_modifiers

SUCCEEDS, FAILS = 15, 5
POOLS = {"pools": {"ready": 6}}


def party(case: Case, *names: str, **more: Any) -> Scene:
    """Begin a fight of these combatants in that order of turns."""
    scene = Scene(case)
    for name in names:
        scene.enter(name, POOLS, **more)
    return scene.do(commands.Initiative(circumstance=names[0] if len(names) > 1 else ""))


def speed_of(case: Case) -> Decimal:
    return Decimal(float(Fraction(case.get("speed", "1"))))


def used(scene: Scene, *orders: commands.Command) -> bool:
    """Return True if the next turn can be used in that way; otherwise skip it."""
    name = scene.state.next_up
    assert name
    scene.do(commands.BeginTurn(name))
    try:
        scene.do(*orders)
    except Refused as error:
        if error.code != "must_skip":
            raise
        scene.do(commands.SkipTurn(name))
        return False
    if scene.state.turn:
        scene.do(commands.EndTurn(name) if orders else commands.SkipTurn(name))
    return bool(orders)


def strike(scene: Scene, name: str, target: str | None, kind: str = "attack") -> list[list[str | None]]:
    """Miss with an attack, after all counterattacks that it triggers, and return each attack with its target."""
    assert target
    scene.do(commands.Attack(name, target))
    exchange, turns = scene.ruling, []
    while (turn := scene.state.turn) and turn.combatant != name:
        turns += strike(scene, turn.combatant, turn.against, "counterattack")
        scene.do(commands.EndTurn(turn.combatant))
    scene.do(commands.Resolve(exchange), attack_die=1)
    return [*turns, [name, kind, target]]


def turn_trace(case: Case) -> Answer:
    scene, turns = party(case, *case["order"]), case["turns"]
    preparing = {turn["who"] for turn in turns if turn["does"] == "prepare_counterattack"}
    scene.after(*(events.CounterattackPrepared(name) for name in case.get("prepared", ()) if name not in preparing))
    trace: list[list[str | None]] = []
    for turn in turns:
        actor, does = turn["who"], turn["does"]
        scene.do(commands.BeginTurn(actor))
        if does == "attack":
            trace += strike(scene, actor, turn["target"])
            scene.do(commands.EndTurn(actor))
        else:
            scene.do(
                commands.PrepareCounterattack(actor) if does == "prepare_counterattack" else commands.SkipTurn(actor)
            )
            trace.append([actor, does, None])
    before, following = len(scene.happened), scene.state.next_up
    assert following
    started_events = scene.do(commands.BeginTurn(following)).happened[before:]
    lost_turns = [event.combatant for event in started_events if isinstance(event, events.CounterattackLapsed)]
    return {"resolved": trace, "next_turn": following, "counter_lost": lost_turns}


def delay_turn(case: Case) -> Answer:
    scene = party(case, *case["order"]).do(commands.DelayTurn(case["who"], case["after"]))
    now = list(scene.state.turn_order)
    for _ in now:
        used(scene)
    return {"order": now, "next_round_order": list(scene.state.turn_order)}


def stealth_roll(case: Case) -> Answer:
    scene = Scene(case).enter("one", ability={"stealth": case["stealth"]})
    scene.enter("two", ability={"detection": case["detection"]}).do(commands.Stalk("one", "two"), die=case["face"])
    event = scene.last(events.StealthRolled)
    (roll,) = event.rolls
    return {"success": event.outcome == "full", "total": roll.total, "difficulty": roll.against}


def mutual_surprise(case: Case) -> Answer:
    scene = Scene(case).enter("a").enter("b")
    for name, whom in ("ab", "ba"):
        scene.do(commands.Stalk(name, whom), die=SUCCEEDS if case[f"{name}_surprises_{whom}"] else FAILS)
    scene.do(commands.EstablishSurprise())
    if scene.all(events.CombatAvoided):
        return {"combat": False, "first": None, "advantage": None}
    first = next(iter(scene.last(events.SurpriseEstablished).advantaged), None)
    if first:
        scene.do(commands.Initiative())
    return {"combat": True, "first": scene.state.order[0] if first else None, "advantage": first}


def choose_posture(case: Case) -> Answer:
    duel_scene(case)
    return {}


def duel_scene(case: Case) -> Scene:
    """Take the posture of the vector, after a surprise if there was one."""
    scene = Scene(case).enter("one").enter("two")
    if case["surprise"]:
        scene.do(commands.Stalk("two", "one"), commands.EstablishSurprise(), die=SUCCEEDS)
    return scene.do(commands.TakePosture("one", case["posture"]))


def opening_defense_bonus(case: Case) -> Answer:
    scene, has_begun = duel_scene(case), case["when"] != "before_first_turn"
    scene.do(commands.Initiative(circumstance="one" if has_begun else "two"))
    if has_begun:
        used(scene)
    scene.do(commands.BeginTurn("two"), commands.Attack("two", "one"))
    exchange = scene.ruling
    if scene.state.interrupted:
        scene.do(commands.EndTurn("one"))
    return {
        "bonus": sum_of_modifiers(
            scene.do(commands.Resolve(exchange), attack_die=1).last(events.DefenseRolled), "MAM-SURP-04"
        )
    }


def countered(case: Case, *before: commands.Command, **more: Any) -> tuple[Scene, int]:
    """Begin a counterattack by somebody who waited and was attacked after `before`.

    Return the scene and the attack.
    """
    scene = party(case, "counter", "attacker", **more)
    scene.do(
        commands.BeginTurn("counter"), commands.PrepareCounterattack("counter"), commands.BeginTurn("attacker"), *before
    )
    scene.do(commands.Attack("attacker", "counter"))
    return scene, scene.ruling


def counter_sequence(case: Case) -> Answer:
    scene, exchange = countered(case)
    scene.do(commands.Move("counter", metres=Decimal(1)), commands.Attack("counter", "attacker"))
    scene.do(commands.Resolve(scene.ruling), commands.EndTurn("counter"), commands.Resolve(exchange), attack_die=1)
    # The attacker moves before the attack, and can't move during the counterattack.
    sequence = ["attacker_movement"]
    for event in scene.all((events.CombatantMoved, events.AttackResolved)):
        if isinstance(event, events.CombatantMoved):
            sequence.append(f"{event.combatant}_movement")
        else:
            sequence.append("attacker_action" if event.exchange == exchange else "counter_action")
    return {"sequence": sequence}


def counter_schedule(case: Case) -> Answer:
    scene = Scene(case).enter("one", POOLS, speed=speed_of(case)).enter("two", POOLS)
    scene.do(commands.Initiative(circumstance="one"))
    acts = []
    for turn in case.get("turns", ["act" if wants else "skip" for wants in case.get("wants_to_act", ())]):
        if turn.startswith("prepare"):
            acts.append(used(scene, commands.PrepareCounterattack("one")) and turn == "prepare_triggered")
        else:
            acting = (commands.Act("one", "something"), commands.Resolve(scene.ruling + 2))
            acts.append(used(scene, *acting if turn == "act" else ()))
        scene.do(commands.BeginTurn("two"))
        if turn == "prepare_triggered" and acts[-1]:
            strike(scene, "two", "one")
            scene.do(commands.EndTurn("two"))
        else:
            scene.do(commands.SkipTurn("two"))
    return {"acts": acts}


def movement_after_counter(case: Case) -> Answer:
    moved = commands.Move("attacker", metres=case.metres("moved_before_counter_m"))
    scene, exchange = countered(case, moved, movement=case.metres("movement_m"))
    scene.do(commands.EndTurn("counter"), commands.ChangeAction("attacker", exchange))
    return {"remaining_m": movement_left(scene["attacker"], case.ruleset)}


def may_combo(case: Case) -> Answer:
    combatant(case).do(commands.DeclareCombo("one", 1))
    return {}


def combatant(case: Case) -> Scene:
    """Begin the turn of somebody with the health, speed and weapons of the vector."""
    wounds = {"stun": case.get("stun", 0), "damage": case.get("damage", 0)}
    pools = {"pools": {"ready": case["hp"] - sum(wounds.values()), **wounds}}
    weapons = (Weapon("sword"),) if case.get("multiple_weapons") else ()
    scene = Scene(case).enter("one", pools, speed=speed_of(case), weapon=weapons, toughness=case.get("toughness"))
    return scene.do(commands.Initiative(), commands.BeginTurn("one"))


def combo_size(case: Case) -> Answer:
    """Return the length of the longest combo that may be declared."""
    scene, most = combatant(case), 0
    before = scene.state
    try:
        while True:
            scene.state = before
            scene.do(commands.DeclareCombo("one", most + 1))
            most += 1
    except Refused as error:
        if error.code != "combo_too_long":
            raise
    return {"quick_actions": most}


ADAPTERS = adapters_of(globals()) | {"turn_schedule": counter_schedule}

"""What the operations about speeds, surprise, counterattacks and combos are in a fight."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

from mam_events.commands import (
    Act,
    Attack,
    BeginTurn,
    ChangeAction,
    Command,
    DeclareCombo,
    DelayTurn,
    EndTurn,
    EstablishSurprise,
    Initiative,
    Move,
    PrepareCounterattack,
    Resolve,
    SkipTurn,
    Stalk,
    TakePosture,
)
from mam_events.errors import Refused
from mam_events.events import (
    AttackResolved,
    CombatantMoved,
    CombatAvoided,
    CounterattackLapsed,
    CounterattackPrepared,
    DefenseRolled,
    Event,
    StealthRolled,
    SurpriseEstablished,
)
from mam_events.rules.turns.actions import movement_left
from mam_events.state import Weapon
from tests.rules.scene import Case, Scene, one

SUCCEEDS, FAILS = 15, 5
MISS = 1


def party(case: Case, *names: str, **more: Any) -> Scene:
    """A fight of these, whose turns come in that order."""
    scene = Scene(case.ruleset)
    for name in names:
        scene.enter(name, {"pools": {"ready": 6}}, **more)
    scene.do(Initiative(circumstance=names[0] if len(names) > 1 else ""))
    return scene


def speed_of(text: str) -> Decimal:
    speed = Fraction(text)
    return Decimal(speed.numerator) / speed.denominator


def used(scene: Scene, *orders: Command) -> bool:
    """Whether the next turn can be used so; else it passes."""
    name = scene.state.next_up
    assert name
    scene.do(BeginTurn(name))
    try:
        for order in orders:
            scene.do(order)
    except Refused as no:
        if no.code != "must_skip":
            raise
        scene.do(SkipTurn(name))
        return False
    if scene.state.turn:
        scene.do(EndTurn(name) if orders else SkipTurn(name))
    return bool(orders)


def acting(scene: Scene, name: str) -> tuple[Command, ...]:
    """Something that uses a turn up."""
    return Act(name, "something"), Resolve(scene.ruling + 2)


def turn_schedule(case: Case) -> dict[str, Any]:
    scene = party(case, "one", speed=speed_of(case.given["speed"]))
    return {"acts": [used(scene, *(acting(scene, "one") if wants else ())) for wants in case.given["wants_to_act"]]}


def strike(scene: Scene, who: str, target: str, done: list[list[str | None]], kind: str = "attack") -> None:
    """An attack that misses, and before it whatever counterattacks it brings about, each at its attacker."""
    scene.do(Attack(who, target))
    exchange = scene.ruling
    while (turn := scene.state.turn) and turn.combatant != who:
        strike(scene, turn.combatant, turn.against, done, "counterattack")
        scene.do(EndTurn(turn.combatant))
    scene.do(Resolve(exchange, attack_die=MISS))
    done.append([who, kind, target])


def turn_trace(case: Case) -> dict[str, Any]:
    scene = party(case, *case.given["order"])
    turns = case.do["turns"]
    preparing = {turn["who"] for turn in turns if turn["does"] == "prepare_counterattack"}
    scene.happen(*(CounterattackPrepared(name) for name in case.given.get("prepared", ()) if name not in preparing))
    done: list[list[str | None]] = []
    for turn in turns:
        who, does = turn["who"], turn["does"]
        scene.do(BeginTurn(who))
        if does == "attack":
            strike(scene, who, turn["target"], done)
            scene.do(EndTurn(who))
        else:
            scene.do(PrepareCounterattack(who) if does == "prepare_counterattack" else SkipTurn(who))
            done.append([who, does, None])
    following = scene.state.next_up
    assert following
    begun = scene.do(BeginTurn(following))
    lost = [event.combatant for event in begun if isinstance(event, CounterattackLapsed)]
    return {"resolved": done, "next_turn": following, "counter_lost": lost}


def delay_turn(case: Case) -> dict[str, Any]:
    scene = party(case, *case.given["order"])
    scene.do(DelayTurn(case.do["who"], case.do["after"]))
    now = list(scene.state.turn_order)
    for _ in now:
        used(scene)
    return {"order": now, "next_round_order": list(scene.state.turn_order)}


def stealth_roll(case: Case) -> dict[str, Any]:
    scene = Scene(case.ruleset)
    scene.enter("one", {}, ability={"stealth": case.given["stealth"]})
    scene.enter("two", {}, ability={"detection": case.given["detection"]})
    event = one(scene.do(Stalk("one", "two", case.do["face"])), StealthRolled)
    (made,) = event.rolls
    return {"success": event.outcome == "full", "total": made.total, "difficulty": made.against}


def mutual_surprise(case: Case) -> dict[str, Any]:
    scene = Scene(case.ruleset)
    scene.enter("a", {})
    scene.enter("b", {})
    scene.do(Stalk("a", "b", SUCCEEDS if case.given["a_surprises_b"] else FAILS))
    scene.do(Stalk("b", "a", SUCCEEDS if case.given["b_surprises_a"] else FAILS))
    (event,) = scene.do(EstablishSurprise())
    if isinstance(event, CombatAvoided):
        return {"combat": False, "first": None, "advantage": None}
    assert isinstance(event, SurpriseEstablished)
    advantage = event.advantaged[0] if event.advantaged else None
    if advantage:
        scene.do(Initiative())
    return {"combat": True, "first": scene.state.order[0] if advantage else None, "advantage": advantage}


def facing(case: Case) -> Scene:
    """Somebody takes the posture that the vector says, after the other surprised it or not."""
    scene = Scene(case.ruleset)
    scene.enter("one", {})
    scene.enter("two", {})
    if case.given["surprise"]:
        scene.do(Stalk("two", "one", SUCCEEDS))
        scene.do(EstablishSurprise())
    scene.do(TakePosture("one", case.given["posture"]))
    return scene


def choose_posture(case: Case) -> dict[str, Any]:
    facing(case)
    return {}


def opening_defense_bonus(case: Case) -> dict[str, Any]:
    scene = facing(case)
    begun = case.do["when"] != "before_first_turn"
    scene.do(Initiative(circumstance="one" if begun else "two"))
    if begun:
        used(scene)
    scene.do(BeginTurn("two"))
    scene.do(Attack("two", "one"))
    exchange = scene.ruling
    if scene.state.interrupted:
        scene.do(EndTurn("one"))
    defense = one(scene.do(Resolve(exchange, attack_die=MISS)), DefenseRolled)
    return {"bonus": sum(modifier.value for modifier in defense.modifiers if modifier.rule == "MAM-SURP-04")}


def countered(case: Case, *before: Command, **more: Any) -> Scene:
    """Somebody waits, and is attacked once `before` is done: its counterattack is in progress."""
    scene = party(case, "counter", "attacker", **more)
    scene.do(BeginTurn("counter"))
    scene.do(PrepareCounterattack("counter"))
    scene.do(BeginTurn("attacker"))
    for order in before:
        scene.do(order)
    scene.do(Attack("attacker", "counter"))
    return scene


def counter_sequence(case: Case) -> dict[str, Any]:
    scene = countered(case)
    exchange = scene.ruling
    events: list[Event] = [
        *scene.do(Move("counter", metres=Decimal(1))),
        *scene.do(Attack("counter", "attacker")),
        *scene.do(Resolve(scene.ruling, attack_die=MISS)),
        *scene.do(EndTurn("counter")),
        *scene.do(Resolve(exchange, attack_die=MISS)),
    ]
    # What the attacker moves, it moves before it attacks; while the counterattack goes on it cannot.
    sequence = ["attacker_movement"]
    for event in events:
        if isinstance(event, CombatantMoved):
            sequence.append(f"{event.combatant}_movement")
        elif isinstance(event, AttackResolved):
            sequence.append("attacker_action" if event.exchange == exchange else "counter_action")
    return {"sequence": sequence}


def counter_schedule(case: Case) -> dict[str, Any]:
    scene = Scene(case.ruleset)
    scene.enter("one", {"pools": {"ready": 6}}, speed=speed_of(case.given["speed"]))
    scene.enter("two", {"pools": {"ready": 6}})
    scene.do(Initiative(circumstance="one"))
    acts = []
    for turn in case.given["turns"]:
        if turn.startswith("prepare"):
            prepared = used(scene, PrepareCounterattack("one"))
            acts.append(prepared and turn == "prepare_triggered")
        else:
            acts.append(used(scene, *(acting(scene, "one") if turn == "act" else ())))
        scene.do(BeginTurn("two"))
        if turn == "prepare_triggered" and acts[-1]:
            strike(scene, "two", "one", [])
            scene.do(EndTurn("two"))
        else:
            scene.do(SkipTurn("two"))
    return {"acts": acts}


def movement_after_counter(case: Case) -> dict[str, Any]:
    moved = Decimal(str(case.given["moved_before_counter_m"]))
    movement = Decimal(str(case.given["movement_m"]))
    scene = countered(case, Move("attacker", metres=moved), movement=movement)
    exchange = scene.ruling
    scene.do(EndTurn("counter"))
    scene.do(ChangeAction("attacker", exchange))
    return {"remaining_m": movement_left(scene["attacker"], case.ruleset)}


def combatant(case: Case) -> Scene:
    """The turn of somebody with the health, speed and weapons of the vector."""
    scene = Scene(case.ruleset)
    given = case.given
    hurt = {"stun": given.get("stun", 0), "damage": given.get("damage", 0)}
    pools = {"ready": given["hp"] - sum(hurt.values()), **hurt}
    more: dict[str, Any] = {"toughness": given["toughness"]} if "toughness" in given else {}
    weapons = (Weapon("sword"),) if given.get("multiple_weapons") else ()
    scene.enter("one", {"pools": pools}, speed=speed_of(given.get("speed", "1")), weapon=weapons, **more)
    scene.do(Initiative())
    scene.do(BeginTurn("one"))
    return scene


def combo_size(case: Case) -> dict[str, Any]:
    """The longest combo that may be declared."""
    scene = combatant(case)
    before, most = scene.state, 0
    try:
        while True:
            scene.state = before
            scene.do(DeclareCombo("one", most + 1))
            most += 1
    except Refused as no:
        if no.code != "combo_too_long":
            raise
    return {"quick_actions": most}


def may_combo(case: Case) -> dict[str, Any]:
    combatant(case).do(DeclareCombo("one", 1))
    return {}


ADAPTERS = {
    "turn_schedule": turn_schedule,
    "turn_trace": turn_trace,
    "delay_turn": delay_turn,
    "stealth_roll": stealth_roll,
    "mutual_surprise": mutual_surprise,
    "choose_posture": choose_posture,
    "opening_defense_bonus": opening_defense_bonus,
    "counter_sequence": counter_sequence,
    "counter_schedule": counter_schedule,
    "movement_after_counter": movement_after_counter,
    "combo_size": combo_size,
    "may_combo": may_combo,
}

"""Operations of the vectors that are manipulations and holds."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, get_args

from mam_events import commands, events
from mam_events.decider.engine import Decision
from mam_events.rules.rolls.effects import expire_at_round
from mam_events.state import Weapon, WeaponKind
from tests.rules.scene import WHY, Answer, Case, Scene, adapters_of, sum_of_modifiers

TIE, HIGH, LOW = 3, 6, 1
FACES = {"full": (HIGH, LOW), "half": (TIE, TIE), "fail": (LOW, HIGH)}
READY = {"pools": {"ready": 40}}
SHOOTS = ("bow", "crossbow", "gun")


def scene_of(case: Case, attacker_size: int = 0, target_size: int = 0, **more: Any) -> Scene:
    """Begin a scene of two with many ready points, in the turn of the attacker."""
    target = {name.removeprefix("target_"): more.pop(name) for name in list(more) if name.startswith("target_")}
    scene = Scene(case, points=True).enter("attacker", READY, size=attacker_size, **more)
    return scene.enter("target", READY, size=target_size, **target).turn_of("attacker")


def resolved(scene: Scene, outcome: str = "full", **order: Any) -> Scene:
    """Resolve a manipulation with dice that give that outcome."""
    # An action needs at least one point, so one goes on the modifier.
    modifier = 0 if order.get("points", 0) or order.get("power", 0) else 1
    scene.do(commands.Manipulate("attacker", "target", modifier=modifier, **order))
    attack, defense = FACES[outcome]
    # The point on the modifier must not break a tie.
    return scene.resolve(attack - (modifier if outcome == "half" else 0), defense)


def manipulate(case: Case) -> Answer:
    """Resolve a manipulation and its follow-up; without an outcome in the vector, it is a full success."""
    points, kind = case.get("points", 1), case.get("kind", "choke")
    orders: dict[str, dict[str, Any]] = {
        "manipulate": {"points": points},
        "manipulate_missile": {"weapon": "bow", "power": 1},
        "hold": {"points": points, "follow_up": "hold"},
        "choke": {"power": points, "follow_up": kind},
        "choke_rounds": {"power": points, "follow_up": kind},
        "throw_position": {"points": points, "follow_up": "throw"},
        "thrown_body_reach": {"points": points, "follow_up": "throw", "move": case.get("move_points", 0)},
    }
    order = orders[case["op"]]
    is_throw, holds = order.get("follow_up") == "throw", case["op"] == "hold"
    scene = scene_of(
        case,
        case.get("attacker_size", case.get("advantage", 3 if is_throw else 0)),
        case.get("target_size", points if holds else 0),
        body=commands.Body(power=case.get("weapon_power", 0), reach=case.metres("thrower_reach_m")),
        weapon=(Weapon("bow", kind="gun", power=case.get("attack_power", 0) - 1, range=Decimal(20)),),
        stride=case.metres("thrower_stride_m"),
        target_length=tuple(Decimal(length) for length in case.get("lengths_m", ())),
    )
    resolved(scene, case.get("outcome", "full"), **order)
    modifiers = [held_by(scene)]
    for _ in range(case.get("maintained_rounds", 1) - 1):
        scene.begin_turns("target", "attacker")
        (grapple,) = scene["attacker"].grapples
        if scene.ruleset["hold_maintenance"] == "respend_each_round":
            scene.do(commands.MaintainGrapple("attacker", grapple.id))
        modifiers.append(held_by(scene))
    return manipulated(scene) | {"modifier_each_round": modifiers}


def manipulated(scene: Scene) -> Answer:
    """Return the result of a manipulation, its penalty, and its follow-up."""
    answer: Answer = {
        "penalty": -sum(event.effect.value for event in scene.all(events.ManipulationPenaltyApplied)),
        "hits": [event.power for event in scene.all(events.GrappleEffectApplied)],
    }
    for resolution in scene.all(events.ManipulationResolved):
        answer |= {
            "modifier": resolution.modifier,
            "advantage": resolution.advantage,
            "effective": resolution.effective,
        }
    for hold in (event.grapple for event in scene.all(events.GrappleEstablished)):
        answer |= {"modifier": hold.modifier, "attack_power": hold.power, "reserve": hold.points}
    for throw in scene.all(events.TargetThrown):
        answer |= {"position": throw.lands, "reach_m": throw.reach}
    return answer


def held_by(scene: Scene) -> int:
    """Return the amount by which the hold lowers the target's rolls."""
    return sum(grapple.modifier for grapple in scene["attacker"].grapples)


def manipulation_follow_up(case: Case) -> Answer:
    """Declare a manipulation with a follow-up, which may be refused."""
    weapon_kind, follow_up = case.get("weapon_kind", "hand"), case["follow_up"]
    kind: WeaponKind = weapon_kind if weapon_kind in get_args(WeaponKind) else "thrown"
    weapon = Weapon("weapon", kind=kind, range=Decimal(20 if kind in SHOOTS else 0))
    held = Weapon("held", attached=case.get("weapon_attached", False))
    scene = scene_of(case, weapon=(weapon,), target_weapon=(held,))
    powered = follow_up in ("choke", "wrench") or kind in SHOOTS
    item = "held" if follow_up == "disarm" else ""
    order = {"power" if powered else "points": 1, "item": item, "follow_up": follow_up}
    scene.do(commands.Manipulate("attacker", "target", "weapon", **order))
    return {}


def rolled(scene: Scene, rule: str) -> int:
    """Return the amount by which that rule lowers an attack roll of the target."""
    return sum_of_modifiers(scene.turn_of("target").strike("target", "attacker").last(events.AttackRolled), rule)


def manipulation_penalty(case: Case) -> Answer:
    """Apply a penalty and return its effect on each roll in the following rounds."""
    scene = scene_of(case, case["penalty"] - 1)
    go_to(scene, case["applied_in_round"])
    resolved(scene, points=1)
    modifiers = []
    for event, number in case["events"]:
        go_to(scene, number)
        if event == "turn_start":
            scene.begin_turn_of("target")
        else:
            modifiers.append(rolled(scene, "MAM-MNP-01"))
    return {"modifiers": modifiers}


def go_to(scene: Scene, number: int) -> None:
    """Play rounds until that one."""
    while scene.state.round < number:
        judging = Decision(scene.state, scene.ruleset, scene.dice())
        judging.record(events.RoundStarted(scene.state.round + 1))
        expire_at_round(judging)
        scene.after(*judging.events)


def held_rolls(case: Case) -> Answer:
    """Return the effect of a hold over several rounds, on rolls of each kind."""
    modifiers = []
    for roll in case["rolls"]:
        scene = scene_of(case)
        if roll["round"] <= case["maintained_rounds"]:
            scene.do(commands.Adjust(WHY, hold=(commands.Hold("attacker", "hold", 0, case["modifier"], "target"),)))
        if roll["kind"] == "combat":
            modifiers.append(rolled(scene, "MAM-MNP-05"))
        else:
            (roll_made,) = scene.do(commands.Check("target", 10), die=10).last(events.SuccessRolled).rolls
            modifiers.append(roll_made.total - roll_made.value)
    return {"modifiers": modifiers}


OTHERS = ("manipulate_missile", "hold", "choke", "choke_rounds", "throw_position", "thrown_body_reach")
ADAPTERS = adapters_of(globals()) | dict.fromkeys(OTHERS, manipulate)

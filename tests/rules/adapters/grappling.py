"""The operations of the vectors' vocabulary that are manipulations and holds, as orders of a fight."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any, get_args

from msgspec.structs import replace

from mam_events.commands import Attack, BeginTurn, Body, Check, EndTurn, MaintainGrapple, Manipulate, Resolve
from mam_events.deciding.judging import Judging
from mam_events.events import (
    AttackRolled,
    CombatantJoined,
    Event,
    GrappleDeclared,
    GrappleEffectApplied,
    GrappleEstablished,
    ManipulationPenaltyApplied,
    ManipulationResolved,
    Modifier,
    RoundStarted,
    SuccessRolled,
    TargetThrown,
)
from mam_events.rules.rolls.effects import expire_at_round
from mam_events.state import Grapple, Statistics, Weapon, WeaponKind
from tests.rules.scene import AnyFace, Case, Scene, one, with_points

TIE, HIGH, LOW = 3, 6, 1
FACES = {"full": (HIGH, LOW), "half": (TIE, TIE), "fail": (LOW, HIGH)}


def scene_of(case: Case, attacker_size: int, target_size: int, **attacker: Any) -> Scene:
    """Two who stand before each other, the first with many ready points, and it is the first one's turn."""
    scene = Scene(case.ruleset)
    scene.enter("attacker", {"pools": {"ready": 40}}, **attacker)
    scene.enter("target", {"pools": {"ready": 40}}, weapon=(Weapon("blade"),))
    sized(scene, "attacker", Statistics(size=attacker_size))
    sized(scene, "target", Statistics(size=target_size))
    scene.happen(RoundStarted(1))
    scene.turn_of("attacker")
    return scene


def sized(scene: Scene, name: str, statistics: Statistics) -> None:
    """Give somebody those statistics."""
    scene.happen(CombatantJoined(replace(scene[name], statistics=statistics)))


def resolved(scene: Scene, order: Manipulate, outcome: str) -> tuple[Event, ...]:
    """Declare it, and throw dice that give it that outcome."""
    scene.do(order)
    attack, defense = FACES[outcome]
    # A point on the modifier must not lift a tie.
    return scene.do(Resolve(scene.ruling, attack - (order.modifier if outcome == "half" else 0), defense))


def manipulate(case: Case) -> dict[str, Any]:
    """A plain manipulation; where the vector names no outcome, a full success."""
    given = case.given
    scene = scene_of(with_points(case), given["attacker_size"], given["target_size"])
    # Without points on it, a point on the modifier makes it an action that costs something.
    order = Manipulate("attacker", "target", points=given["points"], modifier=0 if given["points"] else 1)
    return came(resolved(scene, order, case.do.get("outcome", "full")))


def came(events: tuple[Event, ...]) -> dict[str, Any]:
    """What a manipulation came to, and the penalty that stands after it."""
    found = one(events, ManipulationResolved)
    applied = [event.effect.value for event in events if isinstance(event, ManipulationPenaltyApplied)]
    return {
        "modifier": found.modifier,
        "advantage": found.advantage,
        "penalty": -sum(applied),
        "effective": found.effective,
    }


def manipulate_missile(case: Case) -> dict[str, Any]:
    """A manipulation with a shot of that power."""
    case = with_points(case)
    bow = Weapon("bow", kind="gun", power=case.given["attack_power"] - 1, range=Decimal(20))
    scene = scene_of(case, 0, case.given["target_size"], weapon=(bow,))
    order = Manipulate("attacker", "target", "bow", power=1)
    return came(resolved(scene, order, case.do.get("outcome", "full")))


def manipulation_follow_up(case: Case) -> dict[str, Any]:
    """A manipulation that is to become something; whether it may be declared at all."""
    case = with_points(case)
    asked = case.given.get("weapon_kind", "hand")
    kind: WeaponKind = asked if asked in get_args(WeaponKind) else "thrown"
    follow_up = case.do["follow_up"]
    weapon = Weapon("weapon", kind=kind, range=Decimal(20) if kind in ("bow", "crossbow", "gun") else Decimal(0))
    scene = scene_of(case, 0, 0, weapon=(weapon,))
    held = Weapon("held", attached=case.given.get("weapon_attached", False))
    scene.happen(CombatantJoined(replace(scene["target"], weapons=(scene["target"].weapons[0], held))))
    powered = follow_up in ("choke", "wrench") or kind in ("bow", "crossbow", "gun")
    scene.do(
        Manipulate(
            "attacker",
            "target",
            "weapon",
            points=0 if powered else 1,
            power=1 if powered else 0,
            follow_up=follow_up,
            item="held" if follow_up == "disarm" else "",
        )
    )
    return {}


def hold(case: Case) -> dict[str, Any]:
    """A hold taken with that advantage for those points."""
    case = with_points(case)
    points = case.given["points"]
    scene = scene_of(case, case.given["advantage"], points)
    order = Manipulate("attacker", "target", points=points, modifier=0 if points else 1, follow_up="hold")
    return reserved(resolved(scene, order, case.do.get("outcome", "full")))


def reserved(events: tuple[Event, ...]) -> dict[str, Any]:
    """What a hold takes off rolls, what its hits are worth, and what it keeps."""
    grapple = one(events, GrappleEstablished).grapple
    return {"modifier": grapple.modifier, "attack_power": grapple.power, "reserve": grapple.points}


def choke_order(case: Case) -> tuple[Scene, Manipulate]:
    """The scene of a choke, and the order."""
    case = with_points(case)
    given = case.given
    scene = scene_of(case, given["attacker_size"], given["target_size"], body=Body(power=given["weapon_power"]))
    kind = given.get("kind", "choke")
    return scene, Manipulate("attacker", "target", power=given["points"], follow_up=kind)


def choke(case: Case) -> dict[str, Any]:
    """A choke with the bare body, whose power the vector gives."""
    scene, order = choke_order(case)
    return reserved(resolved(scene, order, case.do.get("outcome", "full")))


def choke_rounds(case: Case) -> dict[str, Any]:
    """A choke that is kept up for so many rounds: its hits, and what it takes off the rolls in each."""
    scene, order = choke_order(case)
    events = list(resolved(scene, order, "full"))
    modifiers = [held_by(scene)]
    rounds = case.given["maintained_rounds"]
    for _ in range(rounds - 1):
        events += scene.do(EndTurn("attacker"))
        events += [*scene.do(BeginTurn("target")), *scene.do(EndTurn("target")), *scene.do(BeginTurn("attacker"))]
        (grapple,) = scene["attacker"].grapples
        if scene.ruleset["hold_maintenance"] == "respend_each_round":
            events += scene.do(MaintainGrapple("attacker", grapple.id))
        modifiers.append(held_by(scene))
    hits = [event.power for event in events if isinstance(event, GrappleEffectApplied)]
    return {"hits": hits, "modifier_each_round": modifiers[:rounds]}


def held_by(scene: Scene) -> int:
    """What the hold takes off the target's rolls now."""
    return sum(grapple.modifier for grapple in scene["attacker"].grapples)


def throw_position(case: Case) -> dict[str, Any]:
    """How somebody lands who is thrown."""
    case = with_points(case)
    scene = scene_of(case, 3, 0)
    events = resolved(scene, Manipulate("attacker", "target", points=1, follow_up="throw"), case.do["outcome"])
    return {"position": one(events, TargetThrown).lands}


def thrown_body_reach(case: Case) -> dict[str, Any]:
    """How far somebody of those measures is thrown."""
    case = with_points(case)
    given = case.given
    scene = scene_of(
        case, 3, 0, stride=Decimal(given["thrower_stride_m"]), body=Body(reach=Decimal(given["thrower_reach_m"]))
    )
    sized(scene, "target", Statistics(lengths=tuple(Decimal(length) for length in given["lengths_m"])))
    order = Manipulate("attacker", "target", points=1, follow_up="throw", move=given["move_points"])
    return {"reach_m": one(resolved(scene, order, "full"), TargetThrown).reach}


def rolled(scene: Scene, name: str, rule: str) -> int:
    """What that rule takes off an attack roll of somebody."""
    scene.turn_of(name)
    scene.do(Attack(name, "attacker", power=1))
    events = scene.do(Resolve(scene.ruling, LOW, HIGH))
    modifiers: tuple[Modifier, ...] = one(events, AttackRolled).modifiers
    return sum(modifier.value for modifier in modifiers if modifier.rule == rule)


def manipulation_penalty(case: Case) -> dict[str, Any]:
    """A penalty, and what it takes off each of the rolls that come in the rounds after it."""
    case = with_points(case)
    scene = scene_of(case, case.given["penalty"] - 1, 0)
    while scene.state.round < case.given["applied_in_round"]:
        scene.happen(RoundStarted(scene.state.round + 1))
    resolved(scene, Manipulate("attacker", "target", points=1), "full")
    modifiers = []
    for event, number in case.do["events"]:
        go_to(scene, number)
        if event == "turn_start":
            scene.recover_stun("target", "turn_start")
        else:
            modifiers.append(rolled(scene, "target", "MAM-MNP-01"))
    return {"modifiers": modifiers}


def go_to(scene: Scene, number: int) -> None:
    """Let rounds pass until that one."""
    while scene.state.round < number:
        judging = Judging(scene.state, scene.ruleset, AnyFace(scene.ruling))
        judging.record(RoundStarted(scene.state.round + 1))
        expire_at_round(judging)
        scene.happen(*judging.events)


def held_rolls(case: Case) -> dict[str, Any]:
    """What a hold that is kept up for so many rounds takes off rolls of each kind."""
    case = with_points(case)
    modifiers = []
    for roll in case.do["rolls"]:
        scene = scene_of(case, 0, 0)
        if roll["round"] <= case.given["maintained_rounds"]:
            scene.happen(GrappleDeclared("attacker", Grapple("hold", 0, case.given["modifier"], "target")))
        if roll["kind"] == "combat":
            modifiers.append(rolled(scene, "target", "MAM-MNP-05"))
        else:
            made = one(scene.do(Check("target", 10, die=10)), SuccessRolled).rolls[0]
            modifiers.append(sum(modifier.value for modifier in made.modifiers))
    return {"modifiers": modifiers}


ADAPTERS: dict[str, Callable[[Case], dict[str, Any]]] = {
    function.__name__: function
    for function in (
        manipulate,
        manipulate_missile,
        manipulation_follow_up,
        manipulation_penalty,
        hold,
        held_rolls,
        choke,
        choke_rounds,
        throw_position,
        thrown_body_reach,
    )
}

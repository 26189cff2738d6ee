"""The operations of the vectors' vocabulary that are a round of Ron d6: initiative, ties, actions, interrupting."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from mam_events.commands import (
    Command,
    Declare,
    Incapacitate,
    Interrupt,
    Join,
    Move,
    MoveUp,
    Perform,
    Result,
    Roll,
    RollInitiative,
    RollRelated,
    Round,
    SkipTurn,
    Spend,
    Wait,
)
from mam_events.errors import Refused
from mam_events.events import (
    ActionPerformed,
    ActionsDeclared,
    ActionsLost,
    CodeRolled,
    InitiativeEstablished,
    InitiativeRolled,
    RelatedSkillRolled,
    RoundEnded,
)
from mam_events.reading import read_as
from mam_events.rules.rolls.dice_codes import read_code, without
from mam_events.rules.ron_d6.multiple_actions import limit_of, penalty_of
from mam_events.rules.rulebook import rulebook
from mam_events.state import Item
from tests.rules.scene import Case, Scene, Values, one

MANY = "90D"
"""More dice than any vector takes away."""
REACTIONS = {"dodge": "punch", "parry": "punch", "catch": "throw"}
"""What one reacts with, and to what."""


def face_order(faces: list[int]) -> tuple[int, ...]:
    """Faces of one code as an order tells them, the wild die last: a vector names none, so it is one that stays."""
    stays = next((n for n in reversed(range(len(faces))) if faces[n] != 6), len(faces) - 1)
    return (*(face for n, face in enumerate(faces) if n != stays), *faces[stays : stays + 1])


def fight(case: Case, *joins: Join) -> Scene:
    """A round of Ron d6 with those in it, who have not rolled yet."""
    scene = Scene(case.ruleset)
    for join in joins:
        scene.do(join)
    scene.do(Round())
    return scene


def ordered(case: Case, *joins: Join, actions: int = 0) -> Scene:
    """The same once everybody has rolled, in the order in which they are given; the first declares so many actions."""
    scene = fight(case, *joins)
    dice: dict[str, tuple[int, ...]] = {join.combatant: (max(1, 5 - n),) for n, join in enumerate(joins)}
    scene.do(RollInitiative(tuple(dice), dice=dice))
    if actions:
        scene.do(Declare(joins[0].combatant, actions))
    return scene


def someone(name: str = "a", **more: Any) -> Join:
    """Somebody with 1D of Perception and more actions than any vector takes."""
    codes = {"perception": "1D", "agility": MANY, **more.pop("code", {})}
    return Join(name, code=codes, **more)


def ones(scene: Scene, code: str = MANY) -> tuple[int, ...]:
    """What the first in the order throws with that code in its next action, every die a 1."""
    return (1,) * without(read_code(code), penalty_of(scene["a"], scene.ruleset)).dice


def rd6_initiative(case: Case) -> dict[str, Any]:
    given, do = case.given, case.do
    faces = do["perception_dice"]
    pips = f"+{do['pips']}" if do.get("pips") else ""
    codes = {"perception": f"{len(faces)}D{pips}", "agility": f"{given.get('agility_dice', 0)}D"}
    who = Join(
        "a",
        kind=given.get("kind", "npc"),
        code=codes,
        search_ranks=given.get("search_ranks", 0),
        character_points=len(do.get("wild_dice", ())),
    )
    scene = fight(case, who)
    if set(faces) == {6}:
        # No face is told behind the 6 of a wild die: of this code none was one.
        scene.ruleset = rulebook().changed(case.ruleset.pinned, {"rd6_wild_die": "plain"})
    rolled: InitiativeRolled = one(scene.do(RollInitiative(("a",), dice={"a": face_order(faces)})), InitiativeRolled)
    assert rolled.roll
    scene.ruleset = case.ruleset
    for chain in chains(do.get("wild_dice", ()), case):
        scene.do(Spend("a", "character", "initiative", dice=chain))
    entry = scene.state.initiative.entry("a")
    assert entry
    return {"bonus": sum(modifier.value for modifier in rolled.roll.modifiers), "total": entry.total}


def chains(faces: list[int], case: Case) -> list[tuple[int, ...]]:
    """The faces of wild dice, those of each bought die together with what it explodes into."""
    found: list[tuple[int, ...]] = []
    explodes = case.ruleset["rd6_wild_die"] == "explode_on_six"
    for face in faces:
        if found and found[-1][-1] == 6 and explodes:
            found[-1] = (*found[-1], face)
        else:
            found.append((face,))
    return found


def rd6_spend_on_initiative(case: Case) -> dict[str, Any]:
    given = case.given
    who = someone(character_points=given.get("character_points", 0), fate_points=given.get("fate_points", 0))
    scene = fight(case, who)
    scene.do(RollInitiative(("a",), dice={"a": (2,)}))
    for _ in range(given.get("spent_this_round", 0)):
        scene.do(Spend("a", "character", "initiative", dice=(1,)))
    scene.do(Spend("a", case.do["point"], "initiative", dice=(1,)))
    return {"character_points": scene["a"].rd6_character_points, "fate_points": scene["a"].fate_points}


def rd6_order(case: Case) -> dict[str, Any]:
    given = {row["id"]: row for row in case.given["combatants"]}
    roster = case.given.get("roster", list(given))
    scene = fight(case, *(ranked(given[name], case) for name in roster))
    dice = {name: (1,) * read_code(scene[name].faculties.codes["perception"]).dice for name in roster}
    settled: InitiativeEstablished = one(scene.do(RollInitiative(tuple(roster), dice=dice)), InitiativeEstablished)
    factors = [tie.factor for tie in settled.ties]
    always = [name for name in roster if given[name].get("go_first") and case.ruleset["rd6_go_first_scope"] == "always"]
    decided = factors[0] if factors else "go_first" if settled.order[0] in always else None
    return {"order": list(settled.order), "decided_by": decided}


def ranked(row: Values, case: Case) -> Join:
    """Somebody with what ties are broken by, whose dice all show 1 and whose ranks bring the rest of its total.

    All totals are higher by the same 100, so that no vector's is below what its dice show.
    """
    codes = {factor: row.get(factor, "3D") for factor in ("perception", "search", "agility", "dodge")}
    perception, agility = read_code(codes["perception"]), read_code(codes["agility"])
    bonus = 100 + row["initiative"] - perception.dice - perception.pips
    by_agility = 0 if case.ruleset["rd6_initiative_bonus"] == "best_of" else agility.dice // 4
    return Join(
        row["id"],
        kind="boss_npc",
        code=codes,
        search_ranks=2 * (bonus - by_agility),
        go_first=row.get("go_first", False),
        special=row.get("special", False),
    )


def rd6_penalty(case: Case) -> dict[str, Any]:
    given = case.given
    who = someone(allotment=given.get("allotment", 1))
    events = ordered(case, who).do(Declare("a", given["declared_actions"]))
    declared: ActionsDeclared = one(events, ActionsDeclared)
    return {"penalty_dice": declared.penalty}


def rd6_dice_after_penalty(case: Case) -> dict[str, Any]:
    given = case.given
    kind, code, lost = given["roll_kind"], given["code"], given["penalty_dice"]
    came = {"dice": read_code(code).dice, "pips": read_code(code).pips, "possible": True}
    if kind == "initiative":
        # Rolled again in the next round, whatever was declared in this one.
        scene = fight(case, Join("a", code={"perception": code, "agility": MANY}))
        roll = RollInitiative(("a",), dice={"a": (1,) * read_code(code).dice})
        scene.do(roll)
        scene.do(Declare("a", lost + 1))
        scene.do(Round())
        rolled: InitiativeRolled = one(scene.do(roll), InitiativeRolled)
        assert rolled.roll
        return came | {"dice": len(rolled.roll.dice)}
    scene = ordered(case, someone(), actions=lost + 1)
    if case.ruleset["rd6_map_scope"] == "excess_actions_only":
        # The penalty is on what comes after the allotment alone.
        scene.do(Perform("a", "communicate"))
    left = without(read_code(code), 0 if kind in ("damage", "damage_resistance", "resistance") else lost)
    came |= {"dice": left.dice, "pips": left.pips}
    order: Command = Perform("a", "use", skill="a skill", code=code, dice=(1,) * left.dice)
    if kind in ("damage", "damage_resistance", "resistance"):
        order = Roll("a", "damage" if kind == "damage" else "resistance", code=code, dice=(1,) * left.dice)
    try:
        event: CodeRolled = one(scene.do(order), CodeRolled)
    except Refused as no:
        if no.code != "reduced_to_zero":
            raise
        return came | {"possible": False}
    assert event.roll
    return {"dice": len(event.roll.dice), "pips": event.roll.total - len(event.roll.dice), "possible": True}


def rd6_wait_then_dodge(case: Case) -> dict[str, Any]:
    given = case.given
    scene = ordered(
        case, someone(allotment=given.get("allotment", 1), code={"dodge": given["dodge_code"]}), someone("thug")
    )
    declared: ActionsDeclared = one(scene.do(Declare("a", given["declared_actions"])), ActionsDeclared)
    waited = scene.do(Wait("a"))
    scene.do(Declare("thug", 1))
    punch: ActionPerformed = one(scene.do(Perform("thug", "punch", code="1D", target="a", dice=(3,))), ActionPerformed)
    order = Interrupt("a", "dodge", against=punch.exchange, dice=ones(scene, given["dodge_code"]))
    dodge: ActionPerformed = one(scene.do(order), ActionPerformed)
    assert dodge.roll
    return {
        "penalty_dice": declared.penalty,
        "dodge_dice": len(dodge.roll.dice),
        "wait_rolled": any(getattr(event, "dice", ()) for event in waited),
        "actions_left": dodge.left,
    }


def limited(case: Case) -> Scene:
    """Somebody of that Agility and quickness in the order, the Fate Point spent."""
    given = case.given
    who = Join(
        "a",
        code={"perception": "1D", "agility": given["agility_code"]},
        quickness_ranks=given.get("quickness_ranks", 0),
        allotment=given.get("allotment", 1),
        fate_points=1,
    )
    scene = ordered(case, who)
    if given.get("fate_point"):
        scene.do(Spend("a", "fate", "limit"))
    return scene


def rd6_action_limit(case: Case) -> dict[str, Any]:
    return {"limit": limit_of(limited(case)["a"], case.ruleset)}


def rd6_declare(case: Case) -> dict[str, Any]:
    declared: ActionsDeclared = one(limited(case).do(Declare("a", case.given["declared_actions"])), ActionsDeclared)
    return {"penalty_dice": declared.penalty}


def rd6_interrupt(case: Case) -> dict[str, Any]:
    given = case.given
    left, waits = given.get("actions_left", 1), given.get("waited", False)
    scene = ordered(case, someone(), someone("thug"), actions=left + 1 if waits else max(1, left))
    if waits:
        scene.do(Wait("a"))
    scene.do(Declare("thug", 1))
    target, action = given.get("target_action_state", "rolled"), 0
    settled = "result" in target or "resolved" in target
    if settled or target.startswith(("rolled", "points")):
        action = scene.ruling + 1
        scene.do(Perform("thug", "punch", code="1D", target="a", dice=(3,)))
    if settled:
        scene.do(Result(action, "failure"))
    scene.do(Interrupt("a", "dodge", against=action or 999, code=MANY, dice=ones(scene)))
    return {}


def used_up(case: Case) -> Scene:
    """Somebody who has declared and used so many actions."""
    given = case.given
    scene = ordered(case, someone())
    if given["declared_actions"]:
        scene.do(Declare("a", given["declared_actions"]))
    for _ in range(given["used"]):
        scene.do(Perform("a", "communicate"))
    return scene


def rd6_extra_action(case: Case) -> dict[str, Any]:
    used_up(case).do(Perform("a", "communicate"))
    return {}


def rd6_end_round(case: Case) -> dict[str, Any]:
    ended: RoundEnded = one(used_up(case).do(Round()), RoundEnded)
    return {"lost": ended.lost.get("a", 0)}


def rd6_plan(case: Case) -> dict[str, Any]:
    scene = ordered(case, someone(), actions=case.given["declared_actions"])
    plan: list[str] = case.given["plan"] if "plan" in case.given else case.do["plan"]
    rolls = 0
    for step in plan:
        if step == "wait":
            scene.do(Wait("a"))
            continue
        if step == "free":
            scene.do(Roll("a", "damage", code="1D", dice=(1,)))
            continue
        order = Perform("a", "use", skill="a skill", code=MANY, dice=ones(scene))
        done: ActionPerformed = one(scene.do(order), ActionPerformed)
        rolls += done.roll is not None
        scene.do(Result(done.exchange, "success"))
    return {"left": scene["a"].actions.left, "rolls": rolls}


def rd6_move_up(case: Case) -> dict[str, Any]:
    given, reason = case.given, case.do["reason"]
    reason = "catch" if "catch" in reason else reason
    if given.get("waited"):
        scene = ordered(case, someone(), someone("thug"), actions=2)
        scene.do(Wait("a"))
    elif given.get("turn_taken"):
        scene = ordered(case, someone(), someone("thug"), actions=2)
    else:
        scene = ordered(case, someone("thug"), someone())
    against = scene.ruling + 2
    if given.get("waited") or reason == "catch":
        scene.do(Declare("thug", 1))
        scene.do(Perform("thug", REACTIONS.get(reason, "punch"), code="1D", dice=(2,)))
    if given.get("waited"):
        # Whoever has waited needs no turn of its own for that.
        if reason in REACTIONS:
            scene.do(Interrupt("a", reason, against=against, code=MANY, dice=ones(scene)))
        else:
            scene.do(Interrupt("a", "communicate", against=against))
    else:
        scene.do(read_as(MoveUp, {"combatant": "a", "because": reason}))
    return {}


def rd6_incapacitate(case: Case) -> dict[str, Any]:
    scene, declared = used_up(case), case.given["declared_actions"]
    if case.given.get("turn_taken") and not declared:
        scene.do(SkipTurn("a"))
    events = scene.do(Incapacitate("a", "knocked out"))
    lost = [event for event in events if isinstance(event, ActionsLost)]
    return {
        "lost": sum(event.actions for event in lost),
        "lost_turn": any(event.turn for event in lost) and not declared,
    }


def rd6_related(case: Case) -> dict[str, Any]:
    given = case.given
    scene = ordered(case, someone(), actions=1)
    # One die shows 1 at least; what counts is by how much the total is off.
    raised = max(0, 1 - given["related_total"])
    total, difficulty = given["related_total"] + raised, given["difficulty"] + raised
    dice = tuple([min(5, total - n) for n in range(0, total, 5)])
    event: RelatedSkillRolled = one(
        scene.do(RollRelated("a", "a skill", difficulty, "brawling", f"{len(dice)}D", dice=dice)), RelatedSkillRolled
    )
    return {"modifier": event.modifier}


def rd6_move_cost(case: Case) -> dict[str, Any]:
    given = case.given
    scene = ordered(case, someone(movement=Decimal(str(given["move_m"]))), actions=1)
    every = bool(given.get("all_movement_is_action") or given.get("gm_all_movement"))
    ground = "easy" if given.get("terrain", "easy") == "easy" else "challenging"
    order = {"combatant": "a", "metres": str(given["distance_m"]), "terrain": ground, "counts": every}
    events = scene.do(read_as(Move, order))
    return {"is_action": any(isinstance(event, ActionPerformed) for event in events)}


def rd6_catch(case: Case) -> dict[str, Any]:
    given = case.given
    # Whoever stands at the same place is not later.
    names = sorted(("catcher", "thrower"), key=lambda name: given[f"{name}_order"])
    scene = ordered(case, *(someone(name) for name in names))
    for name in names[: names.index("thrower") + 1]:
        scene.do(Declare(name, 1))
    action = scene.ruling + 1
    scene.do(Perform("thrower", "throw", code="1D", dice=(2,)))
    if given.get("catcher_acted") and "catcher" not in scene.state.had_turn:
        scene.do(MoveUp("catcher", "gm_allows"))
    scene.do(MoveUp("catcher", "catch", against=action))
    return {"moves_up": "catcher" in scene.state.had_turn}


def rd6_next_round(case: Case) -> dict[str, Any]:
    names = list(case.given["initiative"])
    scene = ordered(case, *(someone(name) for name in names)) if names else fight(case, someone())
    for _ in range(case.given["round"] - 1):
        scene.do(Round())
    scene.do(Round())
    state = scene.state
    return {
        "round": state.round,
        "initiative": {name: entry.total for entry in state.initiative.entries for name in entry.combatants},
        "needs_roll": not state.order,
    }


def rd6_equipment_uses(case: Case) -> dict[str, Any]:
    given = case.given
    thing = Item("thing", quick=given["equipment_quick"], uses=given.get("capability", 0))
    scene = ordered(case, someone(item=(thing,)), actions=given["uses"])
    for _ in range(given["uses"]):
        scene.do(Perform("a", "communicate", equipment="thing"))
    return {}


ADAPTERS: dict[str, Callable[[Case], dict[str, Any]]] = {
    adapter.__name__: adapter
    for adapter in (
        rd6_initiative,
        rd6_spend_on_initiative,
        rd6_order,
        rd6_penalty,
        rd6_dice_after_penalty,
        rd6_wait_then_dodge,
        rd6_action_limit,
        rd6_declare,
        rd6_interrupt,
        rd6_extra_action,
        rd6_end_round,
        rd6_plan,
        rd6_move_up,
        rd6_incapacitate,
        rd6_related,
        rd6_move_cost,
        rd6_catch,
        rd6_next_round,
        rd6_equipment_uses,
    )
}

"""The operations of the vectors' vocabulary that are a round of Ron d6: initiative, ties, actions, interrupting."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from mam_events.commands import Command, Join, Move
from mam_events.commands.multiple_actions import Declare, Interrupt, MoveUp, Perform, Result, Roll, RollRelated, Wait
from mam_events.commands.rounds import Incapacitate, RollInitiative, Round, Spend
from mam_events.errors import Refused
from mam_events.events import Event, InitiativeEstablished, RoundEnded
from mam_events.events.code_rolls import ActionPerformed, CodeRolled, InitiativeRolled, RelatedSkillRolled
from mam_events.events.multiple_actions import ActionsDeclared, ActionsLost
from mam_events.rules.ron_d6.codes import read_code, without
from mam_events.rules.ron_d6.multiple_actions import limit_of
from mam_events.state import Item
from tests.rules.scene import Case, Scene, one

MANY = "30D"
"""More dice than any vector takes away."""


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
    codes = {"perception": "1D", "agility": MANY, **more.pop("codes", {})}
    return Join(name, codes=codes, **more)


def rd6_initiative(case: Case) -> dict[str, Any]:
    given, do = case.given, case.do
    faces = do["perception_dice"]
    pips = f"+{do['pips']}" if do.get("pips") else ""
    codes = {"perception": f"{len(faces)}D{pips}", "agility": f"{given.get('agility_dice', 0)}D"}
    who = Join(
        "a",
        kind=given.get("kind", "npc"),
        codes=codes,
        search_ranks=given.get("search_ranks", 0),
        rd6_character_points=len(do.get("wild_dice", ())),
    )
    scene = fight(case, who)
    rolled: InitiativeRolled = one(scene.do(RollInitiative(("a",), dice={"a": face_order(faces)})), InitiativeRolled)
    assert rolled.roll
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
    who = someone(rd6_character_points=given.get("character_points", 0), fate_points=given.get("fate_points", 0))
    scene = fight(case, who)
    scene.do(RollInitiative(("a",), dice={"a": (2,)}))
    for _ in range(given.get("spent_this_round", 0)):
        scene.do(Spend("a", "character", "initiative", dice=(1,)))
    scene.do(Spend("a", case.do["point"], "initiative", dice=(1,)))
    return {"character_points": scene["a"].rd6_character_points, "fate_points": scene["a"].fate_points}


def rd6_order(case: Case) -> dict[str, Any]:
    given = {row["id"]: row for row in case.given["combatants"]}
    roster = case.given.get("roster", list(given))
    least = min(row["initiative"] for row in given.values())
    joins = []
    for name in roster:
        row = given[name]
        codes = {factor: row.get(factor, "3D") for factor in ("perception", "search", "agility", "dodge")}
        joins.append(
            Join(
                name,
                codes=codes,
                go_first=row.get("go_first", False),
                special=row.get("special", False),
                rd6_character_points=100,
            )
        )
    scene = fight(case, *joins)
    facts: tuple[Event, ...] = ()
    for name in roster:
        dice = read_code(dict(joins[roster.index(name)].codes)["perception"]).dice
        scene.do(RollInitiative((name,), dice={name: (1,) * dice}))
    # Totals are what dice make them: points bring each up to what the vector says, and all by the same amount.
    target = 100 - least
    for name in roster:
        entry = scene.state.initiative.entry(name)
        assert entry
        missing = target + given[name]["initiative"] - entry.total
        while missing:
            face = min(5, missing)
            facts = scene.do(Spend(name, "character", "initiative", dice=(face,)))
            missing -= face
    settled: InitiativeEstablished = one(facts, InitiativeEstablished)
    factors = [tie.factor for tie in settled.ties]
    always = [name for name in roster if given[name].get("go_first") and case.ruleset["rd6_go_first_scope"] == "always"]
    decided = factors[0] if factors else "go_first" if settled.order[0] in always else None
    return {"order": list(settled.order), "decided_by": decided}


def rd6_penalty(case: Case) -> dict[str, Any]:
    given = case.given
    who = someone(allotment=given.get("allotment", 1))
    facts = ordered(case, who).do(Declare("a", given["declared_actions"]))
    declared: ActionsDeclared = one(facts, ActionsDeclared)
    return {"penalty_dice": declared.penalty}


def rd6_dice_after_penalty(case: Case) -> dict[str, Any]:
    given = case.given
    kind, code, lost = given["roll_kind"], given["code"], given["penalty_dice"]
    came = {"dice": read_code(code).dice, "pips": read_code(code).pips, "possible": True}
    if kind == "initiative":
        # Rolled again in the next round, whatever was declared in this one.
        scene = fight(case, Join("a", codes={"perception": code, "agility": MANY}))
        roll = RollInitiative(("a",), dice={"a": (1,) * read_code(code).dice})
        scene.do(roll)
        scene.do(Declare("a", lost + 1))
        scene.do(Round())
        rolled: InitiativeRolled = one(scene.do(roll), InitiativeRolled)
        assert rolled.roll
        return came | {"dice": len(rolled.roll.dice)}
    scene = ordered(case, someone(), actions=lost + 1)
    left = without(read_code(code), 0 if kind in ("damage", "damage_resistance", "resistance") else lost)
    came |= {"dice": left.dice, "pips": left.pips}
    order: Command = Perform("a", "use", skill="a skill", code=code, dice=(1,) * left.dice)
    if kind in ("damage", "damage_resistance", "resistance"):
        order = Roll("a", "damage" if kind == "damage" else "resistance", code=code, dice=(1,) * left.dice)
    try:
        fact: CodeRolled = one(scene.do(order), CodeRolled)
    except Refused as no:
        if no.code != "reduced_to_zero":
            raise
        return came | {"possible": False}
    assert fact.roll
    return {"dice": len(fact.roll.dice), "pips": fact.roll.total - len(fact.roll.dice), "possible": True}


def rd6_wait_then_dodge(case: Case) -> dict[str, Any]:
    given = case.given
    code = read_code(given["dodge_code"])
    scene = ordered(
        case, someone(allotment=given.get("allotment", 1), codes={"dodge": given["dodge_code"]}), someone("thug")
    )
    declared: ActionsDeclared = one(scene.do(Declare("a", given["declared_actions"])), ActionsDeclared)
    waited = scene.do(Wait("a"))
    scene.do(Declare("thug", 1))
    punch: ActionPerformed = one(scene.do(Perform("thug", "punch", code="1D", target="a", dice=(3,))), ActionPerformed)
    dice = (1,) * without(code, declared.penalty).dice
    dodge: ActionPerformed = one(scene.do(Interrupt("a", "dodge", against=punch.exchange, dice=dice)), ActionPerformed)
    assert dodge.roll
    return {
        "penalty_dice": declared.penalty,
        "dodge_dice": len(dodge.roll.dice),
        "wait_rolled": any(getattr(fact, "dice", ()) for fact in waited),
        "actions_left": dodge.left,
    }


def limited(case: Case) -> Scene:
    """Somebody of that Agility and quickness in the order, the Fate Point spent."""
    given = case.given
    who = Join(
        "a",
        codes={"perception": "1D", "agility": given["agility_code"]},
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
    waits, left = given["waited"], given["actions_left"]
    scene = ordered(case, someone(), someone("thug"))
    if waits:
        scene.do(Declare("a", left + 1))
        scene.do(Wait("a"))
    else:
        scene.do(Declare("a", max(1, left)))
    scene.do(Declare("thug", 1))
    action = 0
    if given["target_action_state"] in ("rolled", "resolved", "result_declared"):
        action = scene.ruling + 1
        scene.do(Perform("thug", "punch", code="1D", target="a", dice=(3,)))
    if given["target_action_state"] in ("resolved", "result_declared"):
        scene.do(Result(action, "failure"))
    scene.do(Interrupt("a", "dodge", against=action or 999, code="30D", dice=(1,) * (30 - left)))
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
    plan: list[str] = case.given.get("plan") or case.do["plan"]
    rolls = 0
    for step in plan:
        if step == "wait":
            scene.do(Wait("a"))
            continue
        dice = (1,) * (30 - scene["a"].actions.declared + 1)
        done: ActionPerformed = one(
            scene.do(Perform("a", "use", skill="a skill", code=MANY, dice=dice)), ActionPerformed
        )
        rolls += done.roll is not None
        scene.do(Result(done.exchange, "success"))
    return {"left": scene["a"].actions.left, "rolls": rolls}


def rd6_move_up(case: Case) -> dict[str, Any]:
    given = case.given
    if given.get("turn_taken"):
        scene = ordered(case, someone(), someone("thug"), actions=2)
    else:
        scene = ordered(case, someone("thug"), someone(), actions=1)
    scene.do(MoveUp("a", case.do["reason"]))
    return {}


def rd6_incapacitate(case: Case) -> dict[str, Any]:
    facts = used_up(case).do(Incapacitate("a", "knocked out"))
    lost = [fact for fact in facts if isinstance(fact, ActionsLost)]
    declared = case.given["declared_actions"]
    return {
        "lost": sum(fact.actions for fact in lost),
        "lost_turn": any(fact.turn for fact in lost) and not declared,
    }


def rd6_related(case: Case) -> dict[str, Any]:
    given = case.given
    scene = ordered(case, someone(), actions=1)
    total = given["related_total"]
    dice = tuple([min(5, total - n) for n in range(0, total, 5)])
    fact: RelatedSkillRolled = one(
        scene.do(RollRelated("a", "a skill", given["difficulty"], f"{len(dice)}D", dice=dice)), RelatedSkillRolled
    )
    return {"modifier": fact.modifier}


def rd6_move_cost(case: Case) -> dict[str, Any]:
    given = case.given
    scene = ordered(case, someone(movement=Decimal(str(given["move_m"]))), actions=1)
    every = bool(given.get("all_movement_is_action") or given.get("gm_all_movement"))
    facts = scene.do(
        Move("a", metres=Decimal(str(given["distance_m"])), terrain=given.get("terrain", "easy"), counts=every)
    )
    return {"is_action": any(isinstance(fact, ActionPerformed) for fact in facts)}


def rd6_catch(case: Case) -> dict[str, Any]:
    given = case.given
    places = {given["thrower_order"]: "thrower", given["catcher_order"]: "catcher"}
    names = [places[place] for place in sorted(places)]
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
    scene = ordered(case, *(someone(name) for name in names))
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
    scene = ordered(case, someone(equipment=(thing,)), actions=given["uses"])
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

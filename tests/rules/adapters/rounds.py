"""Operations of the vectors that are a round of Ron d6: initiative, ties, actions, interruptions."""

from __future__ import annotations

from typing import Any

from mam_events import commands, events
from mam_events.deserializer import read_as
from mam_events.errors import Refused
from mam_events.rules.rolls.dice_codes import read_code
from mam_events.rules.ron_d6.multiple_actions import limit_of
from mam_events.state import Item
from tests.rules.scene import WHY, Answer, Case, Scene, adapters_of

MANY = "90D"
"""More dice than any vector removes."""
REACTIONS = {"dodge": "punch", "parry": "punch", "catch": "throw"}
"""Reactions, each with an action that allows it."""
CHAT = commands.Perform("a", "communicate")


def fight(case: Case, *joins: commands.Join, **rules: Any) -> Scene:
    """Begin a round of Ron d6 in which nobody has rolled yet."""
    return Scene(case, **rules).do(*joins, commands.Round())


def ordered(case: Case, *joins: commands.Join, actions: int = 0) -> Scene:
    """Begin a round in which everybody has rolled, in the given order.

    With `actions`, the first combatant declares that many.
    """
    dice: dict[str, tuple[int, ...]] = {join.combatant: (max(1, 5 - n),) for n, join in enumerate(joins)}
    scene = fight(case, *joins).do(commands.RollInitiative(tuple(dice), dice=dice))
    return scene.do(commands.Declare(joins[0].combatant, actions)) if actions else scene


def someone(name: str = "a", **more: Any) -> commands.Join:
    """Return a combatant with 1D of Perception and more actions than any vector takes."""
    return commands.Join(name, code={"perception": "1D", "agility": MANY, **more.pop("code", {})}, **more)


def rolls(name: str, action: str = "use", **more: Any) -> commands.Perform:
    """Return an action that needs a roll."""
    return commands.Perform(name, action, **({"code": "1D"} | more))


def rd6_initiative(case: Case) -> Answer:
    faces, wild = case["perception_dice"], list(case.get("wild_dice", ()))
    pips = f"+{case['pips']}" if case.get("pips") else ""
    codes = {"perception": f"{len(faces)}D{pips}", "agility": f"{case.get('agility_dice', 0)}D"}
    ranks, kind = case.get("search_ranks", 0), case.get("kind", "npc")
    fighter = commands.Join("a", kind=kind, code=codes, search_ranks=ranks, character_points=len(wild))
    # Without a wild die in the vector, no die counts as wild.
    plain = {"rd6_wild_die": "plain"} if set(faces) == {6} else {}
    scene = fight(case, fighter, **plain).do(
        commands.RollInitiative(("a",)), dice=sorted(faces, key=lambda face: face != 6)
    )
    roll = scene.last(events.InitiativeRolled).roll
    if plain:
        scene.do(commands.ChangeRules({name: case.ruleset[name] for name in plain}, WHY))
    while wild:
        scene.do(commands.Spend("a", "character", "initiative"), dice=wild)
    entry = scene.state.initiative.entry("a")
    assert entry
    return {"bonus": sum(modifier.value for modifier in roll.modifiers), "total": entry.total}


def rd6_spend_on_initiative(case: Case) -> Answer:
    points = {name: case.get(name, 0) for name in ("character_points", "fate_points")}
    scene = fight(case, someone(**points)).do(commands.RollInitiative(("a",)), dice=2)
    for _ in range(case.get("spent_this_round", 0)):
        scene.do(commands.Spend("a", "character", "initiative"), dice=1)
    scene.do(commands.Spend("a", case["point"], "initiative"), dice=1)
    return {"character_points": scene["a"].rd6_character_points, "fate_points": scene["a"].fate_points}


def rd6_order(case: Case) -> Answer:
    rows = {row["id"]: row for row in case["combatants"]}
    roster = tuple(case.get("roster", rows))
    scene, situation = Scene(case), []
    for name in roster:
        row = rows[name]
        codes = {factor: row.get(factor, "3D") for factor in ("perception", "search", "agility", "dodge")}
        first = {name: row.get(name, False) for name in ("go_first", "special")}
        # Neither a player character nor a boss, so there is no bonus for initiative.
        scene.do(commands.Join(name, kind="npc", code=codes, **first))
        code = read_code(codes["perception"])
        if more := row["initiative"] - code.dice - code.pips:
            situation.append(f"{name} {more:+} {WHY}")
    scene.do(commands.Round()).do(commands.RollInitiative(roster, situation=tuple(situation)), dice=1)
    event = scene.last(events.InitiativeEstablished)
    factors = [tie.factor for tie in event.ties]
    always = [name for name in roster if rows[name].get("go_first") and case.ruleset["rd6_go_first_scope"] == "always"]
    decided = factors[0] if factors else "go_first" if event.order[0] in always else None
    return {"order": list(event.order), "decided_by": decided}


def rd6_dice_after_penalty(case: Case) -> Answer:
    kind, code, lost_dice = case["roll_kind"], case["code"], case["penalty_dice"]
    if kind == "initiative":
        # A roll in the next round, after declaring actions in this one.
        scene = fight(case, commands.Join("a", code={"perception": code, "agility": MANY}))
        order: commands.Command = commands.RollInitiative(("a",))
        scene.do(order, commands.Declare("a", lost_dice + 1), commands.Round(), dice=1)
    else:
        scene = ordered(case, someone(), actions=lost_dice + 1)
        if case.ruleset["rd6_map_scope"] == "excess_actions_only":
            # Only actions after the allotment have a penalty.
            scene.do(CHAT)
        order = rolls("a", skill="a skill", code=code)
        if kind in ("damage", "damage_resistance", "resistance"):
            order = commands.Roll("a", "damage" if kind == "damage" else "resistance", code=code)
    try:
        roll = scene.do(order, dice=1).last(events.CodeRolled).roll
    except Refused as error:
        if error.code != "reduced_to_zero":
            raise
        return {"dice": 0, "pips": read_code(code).pips, "possible": False}
    total = sum(modifier.value for modifier in roll.modifiers)
    return {"dice": len(roll.dice), "pips": roll.total - len(roll.dice) - total, "possible": True}


def rd6_declare(case: Case) -> Answer:
    """Declare actions for a combatant with that Agility, quickness, and a Fate Point if the vector says so."""
    code = {"agility": case.get("agility_code", MANY)}
    quick, allotment = case.get("quickness_ranks", 0), case.get("allotment", 1)
    scene = ordered(case, someone(code=code, quickness_ranks=quick, allotment=allotment, fate_points=1))
    if case.get("fate_point"):
        scene.do(commands.Spend("a", "fate", "limit"))
    limit = {"limit": limit_of(scene["a"], case.ruleset)}
    if "declared_actions" not in case.given:
        return limit
    event = scene.do(commands.Declare("a", case["declared_actions"])).last(events.ActionsDeclared)
    return limit | {"penalty_dice": event.penalty}


def rd6_interrupt(case: Case) -> Answer:
    """Dodge a punch, after a wait if the vector says so."""
    left, waits = case.get("actions_left", 1), case.get("waited", "dodge_code" in case.given)
    fighter = someone(allotment=case.get("allotment", 1), code={"dodge": case.get("dodge_code", MANY)})
    scene = ordered(case, fighter, someone("thug"))
    scene.do(commands.Declare("a", case.get("declared_actions", left + 1 if waits else max(1, left))))
    declared, before = scene.last(events.ActionsDeclared), len(scene.happened)
    waited_events = scene.do(*[commands.Wait("a")] * waits).happened[before:]
    scene.do(commands.Declare("thug", 1))
    target, action = case.get("target_action_state", "rolled"), 999
    is_resolved = "result" in target or "resolved" in target
    if is_resolved or target.startswith(("rolled", "points")):
        action = scene.do(rolls("thug", "punch", target="a"), dice=3).ruling
    if is_resolved:
        scene.do(commands.Result(action, "failure"))
    dodge = scene.do(commands.Interrupt("a", "dodge", against=action), dice=1).last(events.ActionPerformed)
    return {
        "penalty_dice": declared.penalty,
        "dodge_dice": len(dodge.roll.dice),
        "wait_rolled": any(getattr(event, "dice", ()) for event in waited_events),
        "actions_left": dodge.left,
    }


def used_up(case: Case) -> Scene:
    """Begin a round in which a combatant has declared and used that many actions."""
    return ordered(case, someone(), actions=case["declared_actions"]).do(*[CHAT] * case["used"])


def rd6_extra_action(case: Case) -> Answer:
    used_up(case).do(CHAT)
    return {}


def rd6_end_round(case: Case) -> Answer:
    return {"lost": used_up(case).do(commands.Round()).last(events.RoundEnded).lost.get("a", 0)}


def rd6_plan(case: Case) -> Answer:
    scene = ordered(case, someone(), actions=case["declared_actions"])
    for step in case["plan"]:
        if step == "wait":
            scene.do(commands.Wait("a"))
        elif step == "free":
            scene.do(commands.Roll("a", "damage", code="1D"), dice=1)
        else:
            scene.do(rolls("a", skill="a skill", code=MANY), dice=1).do(commands.Result(scene.ruling, "success"))
    roll_count = sum(event.roll is not None for event in scene.all(events.ActionPerformed))
    return {"left": scene["a"].actions.left, "rolls": roll_count}


def rd6_move_up(case: Case) -> Answer:
    waited = case.get("waited")
    reason = "catch" if "catch" in case["reason"] else case["reason"]
    early = waited or case.get("turn_taken")
    joins = (someone(), someone("thug")) if early else (someone("thug"), someone())
    scene = ordered(case, *joins, actions=2 if early else 0)
    if waited:
        scene.do(commands.Wait("a"))
    if waited or reason == "catch":
        scene.do(commands.Declare("thug", 1), rolls("thug", REACTIONS.get(reason, "punch")), dice=2)
    if not waited:
        scene.do(read_as(commands.MoveUp, {"combatant": "a", "because": reason}))
    elif reason in REACTIONS:
        # A combatant who waited needs no turn for that.
        scene.do(commands.Interrupt("a", reason, against=scene.ruling, code=MANY), dice=1)
    else:
        scene.do(commands.Interrupt("a", "communicate", against=scene.ruling))
    return {}


def rd6_incapacitate(case: Case) -> Answer:
    scene, declared_count = used_up(case), case["declared_actions"]
    if case.get("turn_taken") and not declared_count:
        scene.do(commands.SkipTurn("a"))
    lost_events = scene.do(commands.Incapacitate("a", "knocked out")).all(events.ActionsLost)
    turn = any(event.turn for event in lost_events) and not declared_count
    return {"lost": sum(event.actions for event in lost_events), "lost_turn": turn}


def rd6_related(case: Case) -> Answer:
    # A die shows at least 1; only the difference of the totals counts.
    raised = max(0, 1 - case["related_total"])
    total, difficulty = case["related_total"] + raised, case["difficulty"] + raised
    dice = tuple(min(5, total - n) for n in range(0, total, 5))
    order = commands.RollRelated("a", "a skill", difficulty, "brawling", f"{len(dice)}D", dice=dice)
    return {"modifier": ordered(case, someone(), actions=1).do(order).last(events.RelatedSkillRolled).modifier}


def rd6_move_cost(case: Case) -> Answer:
    scene = ordered(case, someone(movement=case.metres("move_m")), actions=1)
    every = bool(case.get("all_movement_is_action") or case.get("gm_all_movement"))
    ground = "easy" if case.get("terrain", "easy") == "easy" else "challenging"
    order = {"combatant": "a", "metres": str(case["distance_m"]), "terrain": ground, "counts": every}
    return {"is_action": bool(scene.do(read_as(commands.Move, order)).all(events.ActionPerformed))}


def rd6_catch(case: Case) -> Answer:
    # A combatant at the same place is not later.
    names = sorted(("catcher", "thrower"), key=lambda name: case[f"{name}_order"])
    scene = ordered(case, *(someone(name) for name in names))
    scene.do(
        *(commands.Declare(name, 1) for name in names[: names.index("thrower") + 1]), rolls("thrower", "throw"), dice=2
    )
    action = scene.ruling
    if case.get("catcher_acted") and "catcher" not in scene.state.had_turn:
        scene.do(commands.MoveUp("catcher", "gm_allows"))
    scene.do(commands.MoveUp("catcher", "catch", against=action))
    return {"moves_up": "catcher" in scene.state.had_turn}


def rd6_next_round(case: Case) -> Answer:
    names = list(case["initiative"])
    scene = ordered(case, *map(someone, names)) if names else fight(case, someone())
    state = scene.do(*[commands.Round()] * max(1, case["round"])).state
    return {
        "round": state.round,
        "initiative": {name: entry.total for entry in state.initiative.entries for name in entry.combatants},
        "needs_roll": not state.order,
    }


def rd6_equipment_uses(case: Case) -> Answer:
    thing = Item("thing", quick=case["equipment_quick"], uses=case.get("capability", 0))
    scene = ordered(case, someone(item=(thing,)), actions=case["uses"])
    scene.do(*[commands.Perform("a", "communicate", equipment="thing")] * case["uses"])
    return {}


ADAPTERS = adapters_of(globals()) | {
    **dict.fromkeys(("rd6_penalty", "rd6_action_limit"), rd6_declare),
    "rd6_wait_then_dodge": rd6_interrupt,
}

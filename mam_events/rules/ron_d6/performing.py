"""What is done with an action and what comes of it: perform, wait, the game master's result (RD6-ACT, RD6-LIST)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from mam_events.commands.multiple_actions import ActionOrder, Perform, Result, Wait
from mam_events.encounter.judging import Judging
from mam_events.encounter.templates import Field, Offer, Template
from mam_events.errors import Refused, nearest
from mam_events.events import Modifier
from mam_events.events.code_rolls import ActionPerformed
from mam_events.events.multiple_actions import CombatantFreed, CombatantHeldDown, CombatantWaited, ResultDeclared
from mam_events.rules.checks import allowed, length, named, under_way
from mam_events.rules.edition import Mechanic
from mam_events.rules.ron_d6.codes import DiceCode, no_code, possible, read_code, reliable, roll, skill_code, without
from mam_events.rules.ron_d6.equipment import catch, disarm, flies, in_hand, is_let_go, lying, take_up, usable
from mam_events.rules.ron_d6.floor import action_left, free_for, last_open, may_act, open_to_the_held, reacted_to, up
from mam_events.rules.ron_d6.free_actions import leave
from mam_events.rules.ron_d6.incapacity import let_up
from mam_events.rules.ron_d6.multiple_actions import penalty_of
from mam_events.rules.ron_d6.related_skills import brought
from mam_events.rules.ruleset import Ruleset
from mam_events.rules.situations import outside_exchange
from mam_events.state import Combatant, Encounter, OpenAction

REVISION = 1

BINDING = ("catch", "dodge", "parry")
"""Reactions that are actions of the list, with which the turn that moves up for them begins (RD6-ACT-06)."""
STRIKES = ("punch", "kick", "slash", "lunge", "bash", "shoot")
"""What most is done for in one's own turn."""
UNROLLED = "communicate"
"""An action that needs no roll, and that also those who are held down may do."""
FREE = "drop"
"""What takes none of the actions (RD6-FREE-01)."""


class Found(NamedTuple):
    """An action as it would be done: the code it is rolled with (None: no roll), the dice it has less, with which
    skill, what related skills add.
    """

    code: DiceCode | None
    penalty: int
    skill: str
    modifiers: tuple[Modifier, ...]
    related: tuple[int, ...]


def check_perform(state: Encounter, ruleset: Ruleset, command: Perform) -> Found:
    """How the action is done; refused with `action_open`, `out_of_turn`, or as `found` says."""
    under_way(state)
    combatant = named(state, command.combatant)
    up(combatant)
    may_act(state, combatant)
    as_moved_up(state, combatant, command.action)
    if row_of(command.action, ruleset).get("later_than_thrower"):
        raise Refused(
            "nothing_thrown",
            "Nothing is in the air that could be caught: once somebody throws or drops something, whoever has "
            "waited may come in (mam interrupt), or a turn may move up (mam move-up).",
            rule="RD6-LIST-catch",
            fields=("action",),
        )
    return found(state, ruleset, combatant, command)


def as_moved_up(state: Encounter, combatant: Combatant, action: str) -> None:
    """Refused with `other_reaction` where a turn that moved up for one reaction begins with another (RD6-ACT-06)."""
    if bound(state, combatant) and action != combatant.actions.reaction:
        raise Refused(
            "other_reaction",
            f"{combatant.name}'s turn moved up to {combatant.actions.reaction}, and begins with that.",
            rule="RD6-ACT-06",
            fields=("action",),
        )


def bound(state: Encounter, combatant: Combatant) -> bool:
    """Whether its next action is the reaction for which its turn moved up, while what it reacts to is open."""
    return combatant.actions.reaction in BINDING and reacted_to(state, combatant) is not None


def row_of(action: str, ruleset: Ruleset) -> Mapping[str, Any]:
    """The action in the list; refused with `unknown_action`, or with `not_an_action` for waiting."""
    table: Mapping[str, Mapping[str, Any]] = ruleset.tables["rd6_actions"]
    if action not in table:
        raise Refused(
            "unknown_action",
            f'"{action}" is not in the list of actions; {nearest(action, table)} Anything else is `use`: --action use, '
            "with what is done in words.",
            rule="RD6-LIST-01",
            fields=("action",),
        )
    if table[action]["rolls"] == "never":
        raise Refused(
            "not_an_action", "Waiting is an order of its own: mam wait.", rule="RD6-LIST-wait", fields=("action",)
        )
    return table[action]


def found(state: Encounter, ruleset: Ruleset, combatant: Combatant, command: ActionOrder) -> Found:
    """How an action is done by somebody who may act; refused with `no_actions_left`, `held_down`, `code_missing`,
    `reduced_to_zero`, `dice_idle`, or for its target, equipment or related skills.
    """
    row = row_of(command.action, ruleset)
    if not row.get("free"):
        action_left(combatant)
    if command.mental and row.get("physical", "always") == "always":
        raise Refused(
            "order_idle",
            f"To {command.action} is always physical: leave --mental out, or say what else it is (--action use).",
            rule="RD6-LIST-tackle",
            fields=("mental",),
        )
    free_for(state, ruleset, combatant, command.action, mental=command.mental)
    _aimed(state, combatant, command, row)
    if command.metres is not None:
        length(command.metres, "metres")
    if command.equipment:
        usable(state, combatant, command.equipment, command.action, ruleset)
    skill, code = _rolled_with(combatant, command, row)
    modifiers, used = brought(combatant, command.related, command.action, skill, ruleset)
    if code is None:
        idle = next((field for field in ("dice", "related", "difficulty", "situation") if getattr(command, field)), "")
        if idle:
            raise Refused(
                "dice_idle",
                f"This {command.action} is not rolled, and has no {idle}: leave that out, or give the code of a roll.",
                rule="RD6-LIST-01",
                fields=(idle,),
            )
        return Found(None, 0, skill, (), ())
    lost = penalty_of(combatant, ruleset)
    reliable(code, lost, ruleset, ("code",))
    return Found(code, lost, skill, (*modifiers, *outside_exchange(command, combatant.id)), used)


def _aimed(state: Encounter, combatant: Combatant, command: ActionOrder, row: Mapping[str, Any]) -> None:
    """Refused with `bad_target` for what is aimed at oneself but for a skill, or whose hold is broken that is none;
    with `out_of_fight` for what is aimed at somebody who is gone; with `target_missing` for one hold of several.
    """
    holders = combatant.status.held_down_by
    if "frees" in row and len(holders) > 1 and not command.target:
        raise Refused(
            "target_missing",
            f"Several hold {combatant.name} down: say whose grip is broken (--target {' or '.join(holders)}).",
            rule="RD6-LIST-escape",
            fields=("target",),
        )
    if not command.target:
        return
    target = named(state, command.target, "target")
    if "frees" in row and holders and target.id not in holders:
        by = " and ".join(state.combatants[holder].name for holder in holders)
        raise Refused(
            "bad_target",
            f"It is not {target.name} who holds {combatant.name} down, but {by}.",
            rule="RD6-LIST-escape",
            fields=("target",),
        )
    if target.gone:
        raise Refused(
            "out_of_fight",
            f"{target.name} is {target.condition}; nothing more can be done to them in this fight.",
            rule="RD6-LIST-01",
            fields=("target",),
        )
    if target.id == combatant.id and row.get("physical", "always") != "maybe":
        raise Refused(
            "bad_target",
            f"{combatant.name} cannot be the target of their own {command.action}; what one does to oneself is a skill "
            "(--action use).",
            rule="RD6-LIST-01",
            fields=("target",),
        )


def done_with(
    combatant: Combatant, row: Mapping[str, Any], skill: str, code: str | None
) -> tuple[str, DiceCode | None]:
    """The skill of an action and its code: those of the order, else the suggested skill that the combatant has; no code
    where it has none of them.
    """
    if code is not None:
        return skill or next(iter(row["skills"]), ""), read_code(code)
    skills: Sequence[str] = (skill,) if skill else row["skills"]
    return skill_code(combatant, *skills) or (skill, None)


def _rolled_with(combatant: Combatant, command: ActionOrder, row: Mapping[str, Any]) -> tuple[str, DiceCode | None]:
    skill, code = done_with(combatant, row, command.skill, command.code)
    if code is None and (row["rolls"] != "maybe" or command.skill):
        raise no_code(combatant, (command.skill,) if command.skill else row["skills"], "RD6-LIST-01")
    return skill, code


def judge_perform(judging: Judging, command: Perform, how: Found) -> None:
    """Do it, with one of the actions; a roll opens its window (RD6-ACT-04)."""
    do(judging, command, how, against=0)


def do(judging: Judging, command: ActionOrder, how: Found, *, against: int) -> None:
    """Record that an action is done, rolled where it is."""
    combatant = judging.state.combatants[command.combatant]
    row = judging.ruleset.tables["rd6_actions"][command.action]
    made = None
    if how.code is not None:
        made = roll(
            judging,
            "action",
            combatant.id,
            how.code,
            command.dice,
            penalty=how.penalty,
            modifiers=how.modifiers,
        )
    judging.record(
        ActionPerformed(
            combatant.id,
            made,
            judging.ruling,
            command.action,
            combatant.actions.left - ("free" not in row),
            how.skill,
            command.target,
            against,
            command.difficulty,
            command.equipment,
            command.part,
            command.metres,
            command.what,
            how.related,
            "thrown" in row,
            let_go=bool(command.equipment) and is_let_go(combatant, command.equipment, command.action, judging.ruleset),
        )
    )
    if made is None:
        _come_off(judging, combatant.id, command.equipment, command.action)


def offer_perform(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    """Every `perform` that could be ordered, legal or not."""
    for combatant in state.combatants.values():
        # Nothing is in the air between the actions of a round.
        idle = tuple(name for name, row in ruleset.tables["rd6_actions"].items() if "later_than_thrower" in row)
        fields = action_fields(state, ruleset, combatant, STRIKES, idle)
        yield Offer(Template("perform", combatant.id, fields), Perform(combatant.id, *least(state, ruleset, combatant)))


def least(state: Encounter, ruleset: Ruleset, combatant: Combatant) -> tuple[str, str, str | None]:
    """The action, skill and code of the order that asks least: without a roll, but for a turn that moved up for one."""
    if bound(state, combatant):
        return combatant.actions.reaction, "", f"{1 + penalty_of(combatant, ruleset)}D"
    return (UNROLLED if combatant.actions.left else FREE), "", None


def action_fields(
    state: Encounter,
    ruleset: Ruleset,
    combatant: Combatant,
    first: Sequence[str] = (),
    idle: Sequence[str] = (),
) -> tuple[Field, ...]:
    """What there is to choose in an action of that combatant, but for those that are `idle`; what it can do without
    being told a code comes before the rest, of that what is named as `first`.
    """
    table = ruleset.tables["rd6_actions"]
    reaction = combatant.actions.reaction if bound(state, combatant) else ""
    mental = bool(combatant.status.held_down_by)

    def can(name: str) -> bool:
        known = skill_code(combatant, *table[name]["skills"])
        return known is not None and possible(without(known[1], penalty_of(combatant, ruleset)), ruleset)

    def likely(name: str) -> tuple[bool, bool, bool]:
        known = can(name)
        return not (known and name in first), not known, table[name]["rolls"] == "always"

    def open_now(name: str) -> bool:
        row = table[name]
        if row["rolls"] == "never" or name in idle or reaction not in ("", name):
            return False
        return bool(combatant.actions.left or "free" in row) and (
            not mental or open_to_the_held(ruleset, name, mental=True)
        )

    def serves(thing: str) -> bool:
        return any(allowed(usable, state, combatant, thing, name, ruleset) for name in actions)

    things = dict.fromkeys((*(thing.id for thing in combatant.things), *lying(state, combatant)))
    actions = tuple(sorted(filter(open_now, table), key=likely))
    return (
        Field("combatant", choices=(combatant.id,)),
        Field("action", choices=actions),
        Field("target", choices=("", *state.combatants)),
        Field("equipment", choices=("", *filter(serves, things))),
        Field("mental", choices=(mental, not mental)),
        Field("code", free=True, needed=bool(reaction) and not can(reaction)),
        *(Field(name, free=True) for name in ("skill", "difficulty", "part", "metres", "what", "dice", "related")),
    )


def check_wait(state: Encounter, ruleset: Ruleset, command: Wait) -> Combatant:
    """Whoever waits, if it may act now and has an action for it (RD6-ACT-03)."""
    under_way(state)
    combatant = named(state, command.combatant)
    up(combatant)
    may_act(state, combatant)
    free_for(state, ruleset, combatant, "wait")
    action_left(combatant)
    return combatant


def judge_wait(judging: Judging, command: Wait, combatant: Combatant) -> None:
    """Wait: an action without a roll, and the turn goes on to the next (RD6-LIST-wait)."""
    judging.record(CombatantWaited(combatant.id, combatant.actions.left - 1))


def offer_wait(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    """Every `wait` that could be ordered, legal or not."""
    for name in state.combatants:
        yield Offer(Template("wait", name, (Field("combatant", choices=(name,)),)), Wait(name))


def check_result(state: Encounter, ruleset: Ruleset, command: Result) -> OpenAction:
    """The action whose result it is; refused as `last_open` says, or with `outcome_missing` where there is no
    difficulty to compare with (RD6-ACT-04).
    """
    under_way(state)
    action = last_open(state, command.exchange)
    _reactions_done(state, ruleset, action)
    changed = what_came_in_between(state, ruleset, action)
    if not command.outcome and changed:
        raise Refused(
            "outcome_missing",
            f"Since action {action.id} was rolled {changed}: say success or failure.",
            rule="RD6-ACT-04",
            fields=("outcome",),
        )
    if not command.outcome and reached(action) is None:
        compared = "no difficulty to compare its total with" if action.total is not None else "no roll to go by"
        raise Refused(
            "outcome_missing",
            f"Action {action.id} has {compared}: say success or failure.",
            rule="RD6-ACT-04",
            fields=("outcome",),
        )
    return action


def judge_result(judging: Judging, command: Result, action: OpenAction) -> None:
    """Declare what came of it, and what follows a success (RD6-LIST-tackle, RD6-LIST-pin, RD6-LIST-escape)."""
    compared = not command.outcome
    outcome = command.outcome or ("success" if reached(action) else "failure")
    judging.record(
        ResultDeclared(
            action.id,
            action.combatant,
            action.action,
            outcome,
            command.text,
            action.total if compared else None,
            action.difficulty if compared else None,
        )
    )
    if outcome == "success":
        _follow(judging, action)


def _come_off(judging: Judging, name: str, equipment: str, action: str) -> None:
    """What an action brings that succeeds, rolled or not: whoever leaves holds nobody down any more."""
    if "leaves" in judging.ruleset.tables["rd6_actions"][action]:
        leave(judging, name)
    take_up(judging, name, equipment, action)


def _follow(judging: Judging, action: OpenAction) -> None:
    row = judging.ruleset.tables["rd6_actions"][action.action]
    _come_off(judging, action.combatant, action.equipment, action.action)
    if "moves" in row:
        leave(judging, action.target, "is pushed away")
    disarm(judging, action)
    catch(judging, action)
    actor = judging.state.combatants[action.combatant]
    whole = row.get("holds_down") or (row.get("holds_down_whole") and not action.part)
    target = judging.state.combatants.get(action.target, actor)
    if whole and action.target and not let_up(judging.state, judging.ruleset, target, actor.id):
        judging.record(CombatantHeldDown(action.target, action.combatant))
    if row.get("frees") and actor.status.held_down_by:
        judging.record(CombatantFreed(action.combatant, of=action.target or actor.status.held_down_by[0]))


def reached(action: OpenAction) -> bool | None:
    """Whether its total reaches its difficulty; None where there is nothing to compare."""
    if action.total is None or action.difficulty is None:
        return None
    return action.total >= action.difficulty


def what_came_in_between(state: Encounter, ruleset: Ruleset, action: OpenAction) -> str:
    """Why the dice alone do not tell what comes of an action: an interruption has come off, or its combatant can no
    longer do it, or has nobody left to do it to (RD6-ACT-04, RD6-INIT-07); "" while they do.
    """
    who = state.combatants[action.combatant]
    if who.condition != "able":
        return f"{who.name} has gone down"
    if who.status.held_down_by and not open_to_the_held(ruleset, action.action, mental=True):
        return f"{who.name} is held down"
    target = state.combatants.get(action.target, who)
    if target.gone:
        return f"{target.name} is {target.condition}"
    thing = next((thing for thing in who.things if thing.id == action.equipment), None)
    row = ruleset.tables["rd6_actions"][action.action]
    if thing and not (action.thrown or "takes_up" in row or in_hand(who, thing)):
        return f"{who.name} has lost the {thing.name or thing.id}"
    return f"interruption {action.met} has come off" if action.met else ""


def _reactions_done(state: Encounter, ruleset: Ruleset, action: OpenAction) -> None:
    """Refused with `reaction_open` while somebody whose turn moved up to react to that action can still do so
    (RD6-ACT-06).
    """
    for who in state.combatants.values():
        reaction = who.actions.reaction
        if not bound(state, who) or reacted_to(state, who) is not action or who.condition != "able":
            continue
        # What somebody else has caught meanwhile is not in the air any more.
        gone = "later_than_thrower" in row_of(reaction, ruleset) and not flies(state, action)
        if who.actions.left and not gone and allowed(free_for, state, ruleset, who, reaction):
            raise Refused(
                "reaction_open",
                f"{who.name}'s turn moved up to {reaction}, and that comes first (mam interrupt {who.id} --action "
                f"{reaction}).",
                rule="RD6-ACT-06",
                fields=("exchange",),
            )


def offer_result(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    """The `result` that could be ordered, legal or not."""
    for action in state.window.open:
        outcomes: tuple[Literal["", "success", "failure"], ...] = ("success", "failure")
        if what_came_in_between(state, ruleset, action):
            outcomes = ("failure", "success")
        elif reached(action) is not None:
            outcomes = ("", *outcomes)
        fields = (
            Field("exchange", choices=(action.id,)),
            Field("outcome", choices=outcomes),
            Field("text", free=True),
        )
        yield Offer(Template("result", "", fields), Result(action.id, outcome=outcomes[0]))


MECHANICS = (
    Mechanic(Perform, check=check_perform, judge=judge_perform, offers=offer_perform),
    Mechanic(Wait, check=check_wait, judge=judge_wait, offers=offer_wait),
    Mechanic(Result, check=check_result, judge=judge_result, offers=offer_result),
)

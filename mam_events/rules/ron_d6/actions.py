"""An action of the list: planning it, its choices, and doing it (RD6-LIST)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from mam_events.commands import ActionOrder
from mam_events.decider.checks import is_allowed, require_combatant, require_metres
from mam_events.decider.engine import Decision, Ruleset
from mam_events.decider.gm_modifiers import check_gm_modifiers, code_gm_modifiers
from mam_events.decider.offers import Field, free
from mam_events.decider.rule_tables import ListedAction
from mam_events.errors import CommandHint, Refused
from mam_events.events import ActionPerformed, DiceModifier, Modifier
from mam_events.refusals.arguments import Term, Word, people, text_argument
from mam_events.rules.rolls.dice_codes import (
    DiceCode,
    is_usable_code,
    no_code,
    read_code,
    reduce_code,
    require_reliable,
    roll_code,
    skill_code,
)
from mam_events.rules.ron_d6.equipment import is_let_go, require_usable, take_up, takeable_items
from mam_events.rules.ron_d6.free_actions import release_by_moving
from mam_events.rules.ron_d6.multiple_actions import penalty_of
from mam_events.rules.ron_d6.related_skills import related_bonus
from mam_events.rules.ron_d6.right_to_act import action_left, can_be_done_held, reaction_source, require_free_for
from mam_events.state import Combatant, Encounter

BINDING_ACTIONS = ("catch", "dodge", "parry")
"""Reactions that are actions of the list; a turn that moves up for one of them begins with it (RD6-ACT-06)."""
UNROLLED = "communicate"
"""An action that needs no roll, and that combatants who are held down may do."""
FREE = "drop"
"""The action that costs no action (RD6-FREE-01)."""


class PlannedAction(Struct, frozen=True):
    """An action as it would be done.

    `code` is rolled (None: no roll), with `penalty` dice less. `modifiers` come from related skills and the situation.
    """

    code: DiceCode | None
    penalty: int
    skill: str
    modifiers: tuple[Modifier, ...]
    related: tuple[int, ...]
    dice_modifiers: tuple[DiceModifier, ...] = ()


def as_moved_up(state: Encounter, combatant: Combatant, action: str) -> None:
    """Raise Refused with `other_reaction` if a turn that moved up for one reaction begins with another (RD6-ACT-06)."""
    if is_bound_to_reaction(state, combatant) and action != combatant.actions.reaction:
        raise Refused(
            "other_reaction",
            combatant=combatant,
            reaction=Term(combatant.actions.reaction),
            rule="RD6-ACT-06",
            fields=("action",),
        )


def is_bound_to_reaction(state: Encounter, combatant: Combatant) -> bool:
    """Return True if its next action must be the reaction for which its turn moved up.

    That holds while the action that it reacts to is open.
    """
    return combatant.actions.reaction in BINDING_ACTIONS and reaction_source(state, combatant) is not None


def row_of(action: str, ruleset: Ruleset) -> ListedAction:
    """Return the row of the action in the list.

    Raises Refused with `unknown_action`, or with `not_an_action` for waiting.
    """
    table = ruleset.tables.rd6_actions
    if action not in table:
        raise Refused(
            "unknown_action/not_listed",
            rule="RD6-LIST-01",
            fields=("action",),
            wrong=action,
            allowed=map(Term, table),
        )
    if table[action].rolls == "never":
        raise Refused("not_an_action", rule="RD6-LIST-wait", fields=("action",), hints=(CommandHint("wait"),))
    return table[action]


def plan_action(state: Encounter, ruleset: Ruleset, combatant: Combatant, command: ActionOrder) -> PlannedAction:
    """Return the plan of an action for a combatant who may act.

    Raises Refused with `no_actions_left`, `order_idle`, `held_down`, `code_missing`, `reduced_to_zero`, `dice_idle`, or
    for its target, equipment or related skills.
    """
    row = row_of(command.action, ruleset)
    if not row.free:
        action_left(combatant)
    if command.mental and row.physical == "always":
        raise Refused(
            "order_idle/physical", action=text_argument(command, "action"), rule="RD6-LIST-tackle", fields=("mental",)
        )
    require_free_for(state, ruleset, combatant, command.action, mental=command.mental)
    _aimed(state, combatant, command, row)
    if command.metres is not None:
        require_metres(command.metres, "metres")
    if command.equipment:
        require_usable(state, combatant, command.equipment, row, ruleset)
    skill, code = _rolled_with(combatant, command, row)
    modifiers, used = related_bonus(combatant, command.related, command.action, skill, ruleset)
    if code is None:
        idle = next((field for field in ("dice", "related", "difficulty", "situation") if getattr(command, field)), "")
        if idle:
            raise Refused(
                "dice_idle/not_rolled",
                action=text_argument(command, "action"),
                field=Term(idle),
                rule="RD6-LIST-01",
                fields=(idle,),
            )
        return PlannedAction(None, 0, skill, (), ())
    lost = penalty_of(combatant, ruleset)
    dice = code_gm_modifiers(command, combatant.id)
    require_reliable(code, lost, ruleset, ("code",), dice)
    return PlannedAction(code, lost, skill, (*modifiers, *check_gm_modifiers(command, combatant.id)), used, dice)


def _aimed(state: Encounter, combatant: Combatant, command: ActionOrder, row: ListedAction) -> None:
    """Raise Refused if the target of an action is not possible.

    Raises `bad_target` if the combatant aims at itself, unless it uses a skill, or breaks the hold of somebody who does
    not hold it. Raises `out_of_fight` if the target is gone, and `target_missing` if one of several holds must be
    named.
    """
    holders = combatant.status.held_down_by
    if row.frees and len(holders) > 1 and not command.target:
        raise Refused(
            "target_missing",
            combatant=combatant,
            rule="RD6-LIST-escape",
            fields=("target",),
            wrong="",
            allowed=[state.combatants[holder] for holder in holders],
        )
    if not command.target:
        return
    target = require_combatant(state, command.target, "target")
    if row.frees and holders and target.id not in holders:
        raise Refused(
            "bad_target/no_holder",
            target=target,
            combatant=combatant,
            holders=people(state.combatants, holders),
            rule="RD6-LIST-escape",
            fields=("target",),
        )
    if target.is_gone:
        raise Refused(
            "out_of_fight/target",
            target=target,
            condition=Word(target.condition),
            rule="RD6-LIST-01",
            fields=("target",),
        )
    if target.id == combatant.id and row.physical != "maybe":
        raise Refused(
            "bad_target/own_action",
            combatant=combatant,
            action=text_argument(command, "action"),
            rule="RD6-LIST-01",
            fields=("target",),
        )


def skill_and_code(
    combatant: Combatant, row: ListedAction, skill: str, code: str | None
) -> tuple[str, DiceCode | None]:
    """Return the skill of an action and its code.

    They are those of the command, else those of the suggested skill that the combatant has. The code is None if it has
    none of the skills.
    """
    if code is not None:
        return skill or next(iter(row.skills), ""), read_code(code)
    skills: Sequence[str] = (skill,) if skill else row.skills
    return skill_code(combatant, *skills) or (skill, None)


def _rolled_with(combatant: Combatant, command: ActionOrder, row: ListedAction) -> tuple[str, DiceCode | None]:
    skill, code = skill_and_code(combatant, row, command.skill, command.code)
    if code is None and (row.rolls != "maybe" or command.skill):
        raise no_code(combatant, (command.skill,) if command.skill else row.skills, "RD6-LIST-01")
    return skill, code


def record_action(judging: Decision, command: ActionOrder, how: PlannedAction, *, against: int) -> None:
    """Record that an action is done, with its roll if it has one."""
    combatant = judging.state.combatants[command.combatant]
    row = judging.ruleset.tables.rd6_actions[command.action]
    action = None
    if how.code is not None:
        action = roll_code(
            judging,
            "action",
            combatant.id,
            how.code,
            command.dice,
            penalty=how.penalty,
            modifiers=how.modifiers,
            dice_modifiers=how.dice_modifiers,
        )
    judging.record(
        ActionPerformed(
            combatant.id,
            action,
            judging.ruling,
            command.action,
            combatant.actions.left - (not row.free),
            how.skill,
            command.target,
            against,
            command.difficulty,
            command.equipment,
            command.part,
            command.metres,
            command.what,
            how.related,
            row.thrown,
            let_go=bool(command.equipment) and is_let_go(combatant, command.equipment, command.action, judging.ruleset),
        )
    )
    if action is None:
        record_success(judging, combatant.id, command.equipment, command.action)


def record_success(judging: Decision, name: str, equipment: str, action: str) -> None:
    """Record the events of an action that succeeds, rolled or not.

    A combatant who leaves holds nobody down any more.
    """
    if judging.ruleset.tables.rd6_actions[action].leaves:
        release_by_moving(judging, name)
    take_up(judging, name, equipment, action)


def least_demanding(state: Encounter, ruleset: Ruleset, combatant: Combatant) -> tuple[str, str, str | None]:
    """Return the action, skill and code of the command that asks least.

    It needs no roll, unless the turn moved up for a reaction that does.
    """
    if is_bound_to_reaction(state, combatant):
        return combatant.actions.reaction, "", f"{1 + penalty_of(combatant, ruleset)}D"
    return (UNROLLED if combatant.actions.left else FREE), "", None


def action_fields(
    state: Encounter,
    ruleset: Ruleset,
    combatant: Combatant,
    first: Sequence[str] = (),
    idle: Sequence[str] = (),
) -> tuple[Field, ...]:
    """Return the choices for an action of that combatant, without the `idle` ones.

    Actions for which it has a code come before the rest, and among them those named as `first`.
    """
    table = ruleset.tables.rd6_actions
    reaction = combatant.actions.reaction if is_bound_to_reaction(state, combatant) else ""
    mental = bool(combatant.status.held_down_by)

    def can_do(name: str) -> bool:
        skill = skill_code(combatant, *table[name].skills)
        return skill is not None and is_usable_code(reduce_code(skill[1], penalty_of(combatant, ruleset)), ruleset)

    def likely(name: str) -> tuple[bool, bool, bool]:
        is_able = can_do(name)
        return not (is_able and name in first), not is_able, table[name].rolls == "always"

    def is_open(name: str) -> bool:
        row = table[name]
        if row.rolls == "never" or name in idle or reaction not in ("", name):
            return False
        return bool(combatant.actions.left or row.free) and (not mental or can_be_done_held(ruleset, name, mental=True))

    def serves(thing: str) -> bool:
        return any(is_allowed(require_usable, state, combatant, thing, table[name], ruleset) for name in actions)

    things = dict.fromkeys((*(thing.id for thing in combatant.things), *takeable_items(state, combatant)))
    actions = tuple(sorted(filter(is_open, table), key=likely))
    return (
        Field("action", choices=actions),
        Field("target", choices=("", *state.combatants)),
        Field("equipment", choices=("", *filter(serves, things))),
        Field("mental", choices=(mental, not mental)),
        Field("code", free=True, needed=bool(reaction) and not can_do(reaction)),
        *free("skill", "difficulty", "part", "metres", "what", "dice", "related"),
    )

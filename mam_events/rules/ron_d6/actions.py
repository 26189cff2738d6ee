"""An action of the list: how somebody would do it, what there is to choose in it, and doing it (RD6-LIST)."""

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
"""Reactions that are actions of the list, with which the turn that moves up for them begins (RD6-ACT-06)."""
UNROLLED = "communicate"
"""An action that needs no roll, and that also those who are held down may do."""
FREE = "drop"
"""Kinds of action that take none of the actions (RD6-FREE-01)."""


class PlannedAction(Struct, frozen=True):
    """An action as it would be done: the code it is rolled with (None: no roll), the dice it has less, with which
    skill, what related skills and the situation add.
    """

    code: DiceCode | None
    penalty: int
    skill: str
    modifiers: tuple[Modifier, ...]
    related: tuple[int, ...]
    dice_modifiers: tuple[DiceModifier, ...] = ()


def as_moved_up(state: Encounter, combatant: Combatant, action: str) -> None:
    """Refused with `other_reaction` where a turn that moved up for one reaction begins with another (RD6-ACT-06)."""
    if is_bound_to_reaction(state, combatant) and action != combatant.actions.reaction:
        raise Refused(
            "other_reaction",
            combatant=combatant,
            reaction=Term(combatant.actions.reaction),
            rule="RD6-ACT-06",
            fields=("action",),
        )


def is_bound_to_reaction(state: Encounter, combatant: Combatant) -> bool:
    """True if its next action is the reaction for which its turn moved up, while what it reacts to is open."""
    return combatant.actions.reaction in BINDING_ACTIONS and reaction_source(state, combatant) is not None


def row_of(action: str, ruleset: Ruleset) -> ListedAction:
    """The action in the list; refused with `unknown_action`, or with `not_an_action` for waiting."""
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
    """The way an action is done by somebody who may act; refused with `no_actions_left`, `held_down`,
    `code_missing`, `reduced_to_zero`, `dice_idle`, or for its target, equipment or related skills.
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
    """Refused with `bad_target` for what is aimed at oneself but for a skill, or whose hold is broken that is none;
    with `out_of_fight` for what is aimed at somebody who is gone; with `target_missing` for one hold of several.
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
    if target.gone:
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
    """The skill of an action and its code: those of the command, else the suggested skill that the combatant has; no
    code where it has none of them.
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
    """Record that an action is done, rolled where it is."""
    combatant = judging.state.combatants[command.combatant]
    row = judging.ruleset.tables.rd6_actions[command.action]
    made = None
    if how.code is not None:
        made = roll_code(
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
            made,
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
    if made is None:
        record_success(judging, combatant.id, command.equipment, command.action)


def record_success(judging: Decision, name: str, equipment: str, action: str) -> None:
    """The events of an action that succeeds, rolled or not: whoever leaves holds nobody down any more."""
    if judging.ruleset.tables.rd6_actions[action].leaves:
        release_by_moving(judging, name)
    take_up(judging, name, equipment, action)


def least_demanding(state: Encounter, ruleset: Ruleset, combatant: Combatant) -> tuple[str, str, str | None]:
    """The action, skill and code of the command that asks least: without a roll, but for a turn that moved up for
    one.
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
    """The choices in an action of that combatant, but for those that are `idle`; what it can do without
    being told a code comes before the rest, of that what is named as `first`.
    """
    table = ruleset.tables.rd6_actions
    reaction = combatant.actions.reaction if is_bound_to_reaction(state, combatant) else ""
    mental = bool(combatant.status.held_down_by)

    def can(name: str) -> bool:
        known = skill_code(combatant, *table[name].skills)
        return known is not None and is_usable_code(reduce_code(known[1], penalty_of(combatant, ruleset)), ruleset)

    def likely(name: str) -> tuple[bool, bool, bool]:
        known = can(name)
        return not (known and name in first), not known, table[name].rolls == "always"

    def open_now(name: str) -> bool:
        row = table[name]
        if row.rolls == "never" or name in idle or reaction not in ("", name):
            return False
        return bool(combatant.actions.left or row.free) and (not mental or can_be_done_held(ruleset, name, mental=True))

    def serves(thing: str) -> bool:
        return any(is_allowed(require_usable, state, combatant, thing, table[name], ruleset) for name in actions)

    things = dict.fromkeys((*(thing.id for thing in combatant.things), *takeable_items(state, combatant)))
    actions = tuple(sorted(filter(open_now, table), key=likely))
    return (
        Field("action", choices=actions),
        Field("target", choices=("", *state.combatants)),
        Field("equipment", choices=("", *filter(serves, things))),
        Field("mental", choices=(mental, not mental)),
        Field("code", free=True, needed=bool(reaction) and not can(reaction)),
        *free("skill", "difficulty", "part", "metres", "what", "dice", "related"),
    )

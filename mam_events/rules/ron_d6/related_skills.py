"""Related skills, rolled first: they add to the primary skill or reduce it (RD6-REL)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mam_events.commands import RollRelated
from mam_events.decider.checks import require_combatant, require_open
from mam_events.decider.engine import Decision, RuleModule, Ruleset
from mam_events.decider.gm_modifiers import check_gm_modifiers, code_gm_modifiers
from mam_events.decider.mechanic import Mechanic
from mam_events.decider.offers import Field, Offer, free, offer
from mam_events.errors import Refused
from mam_events.events import Modifier, RelatedSkillRolled
from mam_events.refusals.arguments import RulingArgument, TextArgument, ThingArgument, list_argument, text_fragment
from mam_events.rules.rolls.dice_codes import (
    DiceCode,
    no_code,
    read_code,
    require_reliable,
    roll_code,
    skill_code,
    slug,
)
from mam_events.rules.ron_d6.multiple_actions import penalty_of
from mam_events.rules.ron_d6.right_to_act import action_left, may_act, may_interrupt, reaction_source, require_conscious
from mam_events.state import Combatant, Encounter, RelatedSkill


def related_modifier(total: int, difficulty: int, ruleset: Ruleset) -> int:
    """Return the bonus of a related skill for the primary one: half its result points, rounded up, at least 1.

    A roll below the difficulty gives a penalty instead (RD6-REL-02, `rd6_related_equal`,
    `rd6_related_failure_rounding`).
    """
    result_points = total - difficulty
    if result_points == 0 and ruleset["rd6_related_equal"] == "zero":
        return 0
    if result_points >= 0:
        return max(1, -(-result_points // 2))
    short = -result_points
    magnitude_up = ruleset["rd6_related_failure_rounding"] == "magnitude_up"
    return -max(1, -(-short // 2) if magnitude_up else short // 2)


def require_related_roll(combatant: Combatant, number: int, field: str = "exchange") -> RelatedSkill:
    """Return the related skill rolled in that ruling.

    Raises Refused with `no_related_skill` if the ruling rolled none that still waits for its primary skill.
    """
    for one in combatant.actions.related:
        if one.id == number:
            return one
    related = combatant.actions.related
    if not related:
        raise Refused("no_related_skill/none", number=number, combatant=combatant, rule="RD6-REL-01", fields=(field,))
    raise Refused(
        "no_related_skill",
        number=number,
        combatant=combatant,
        still=list_argument(
            text_fragment(
                "no_related_skill/one",
                ruling=RulingArgument(one.id),
                skill=skill_reference(combatant, one.skill),
                primary=skill_reference(combatant, one.primary),
            )
            for one in related
        ),
        rule="RD6-REL-01",
        fields=(field,),
    )


def skill_reference(combatant: Combatant, skill: str) -> ThingArgument:
    """Return a reference to a skill of that combatant under the name that people use."""
    return ThingArgument(combatant.id, skill, skill)


def is_helpful(related: RelatedSkill, action: str, skill: str) -> bool:
    """Return True if a related skill was rolled for that action of the list, or for the action's skill (RD6-REL-01)."""
    return slug(related.primary) in (slug(action), slug(skill))


def related_bonus(
    combatant: Combatant, rulings: Sequence[int], action: str, skill: str, ruleset: Ruleset
) -> tuple[tuple[Modifier, ...], tuple[int, ...]]:
    """Return the bonus of the related skills of those rulings for an action with that skill, and the rulings.

    `rd6_related_multiple` says how several count. Raises Refused with `no_related_skill` for a ruling that rolled none
    that still waits, and with `other_primary` for one that was rolled for something else.
    """
    bonuses = []
    for number in dict.fromkeys(rulings):
        related = require_related_roll(combatant, number, "related")
        if not is_helpful(related, action, skill):
            raise Refused(
                "other_primary",
                combatant=combatant,
                skill=skill_reference(combatant, related.skill),
                number=RulingArgument(number),
                primary=skill_reference(combatant, related.primary),
                now=TextArgument(skill or action),
                rule="RD6-REL-01",
                fields=("related",),
            )
        bonuses.append(related)
    if bonuses and ruleset["rd6_related_multiple"] == "best":
        bonuses_counted = [max(bonuses, key=lambda one: one.modifier)]
    else:
        bonuses_counted = bonuses
    modifiers = tuple(Modifier(one.skill, one.modifier, "RD6-REL-02") for one in bonuses_counted)
    return modifiers, tuple(dict.fromkeys(rulings))


def check_related(state: Encounter, ruleset: Ruleset, command: RollRelated) -> tuple[DiceCode, int]:
    """Return the code that is rolled and its penalty in dice.

    Raises as for an action, unless the roll is merged into one.
    """
    require_open(state)
    combatant = require_combatant(state, command.combatant)
    require_conscious(combatant)
    if state.window.open:
        may_interrupt(state, combatant, reaction_source(state, combatant) or state.window.open[-1])
    else:
        may_act(state, combatant)
    # The primary skill decides whether it is physical. A merged roll takes no action of its own, but needs an action
    # to merge into.
    action_left(combatant)
    if not command.skill.strip():
        raise Refused("skill_missing", rule="RD6-REL-01", fields=("skill",))
    if not command.primary.strip():
        raise Refused("skill_missing/primary", rule="RD6-REL-01", fields=("primary",))
    for related in combatant.actions.related:
        if slug(related.skill) == slug(command.skill) and slug(related.primary) == slug(command.primary):
            raise Refused(
                "already_rolled/related",
                combatant=combatant,
                skill=skill_reference(combatant, related.skill),
                primary=skill_reference(combatant, related.primary),
                number=RulingArgument(related.id),
                modifier=related.modifier,
                rule="RD6-REL-01",
                fields=("skill",),
            )
    skill_code_pair = (command.skill, read_code(command.code)) if command.code else skill_code(combatant, command.skill)
    if skill_code_pair is None:
        raise no_code(combatant, (command.skill,), "RD6-REL-01")
    code = skill_code_pair[1]
    penalty = penalty_of(combatant, ruleset)
    require_reliable(code, penalty, ruleset, ("code",), code_gm_modifiers(command, combatant.id))
    return code, penalty


def judge_related(judging: Decision, command: RollRelated, checked: tuple[DiceCode, int]) -> None:
    """Roll the related skill, and keep its modifier for the primary skill."""
    code, penalty = checked
    combatant = judging.state.combatants[command.combatant]
    modifiers = check_gm_modifiers(command, combatant.id)
    roll = roll_code(
        judging,
        "related",
        combatant.id,
        code,
        command.dice,
        penalty=penalty,
        modifiers=modifiers,
        dice_modifiers=code_gm_modifiers(command, combatant.id),
    )
    judging.record(
        RelatedSkillRolled(
            combatant.id,
            roll,
            judging.ruling,
            command.skill,
            command.difficulty,
            command.primary,
            related_modifier(roll.total, command.difficulty, judging.ruleset),
            combatant.actions.left - (not command.merged),
            command.merged,
        )
    )


def _offer_related(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    for combatant in state.combatants.values():
        enough = f"{penalty_of(combatant, ruleset) + 1}D"
        least = RollRelated(combatant.id, "a skill", 1, "another", enough, merged=True)
        merged = Field("merged", choices=(False, True))
        yield offer(least, *free("skill", "difficulty", "primary", "code"), merged, *free("dice"))


SECTION = RuleModule(
    mechanics=(Mechanic(RollRelated, check=check_related, judge=judge_related, offers=_offer_related),),
)

"""Free actions: short movements, and rolls that are not actions (RD6-FREE)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import accumulate
from typing import get_args

from msgspec import Struct
from msgspec.structs import replace

from mam_events.commands import FreeRoll, Move, Roll
from mam_events.decider.checks import require_combatant, require_metres, require_open
from mam_events.decider.engine import Decision, RuleModule, Ruleset
from mam_events.decider.gm_modifiers import check_gm_modifiers, code_gm_modifiers
from mam_events.decider.mechanic import Mechanic
from mam_events.decider.offers import Field, Offer, free, offer
from mam_events.errors import Refused
from mam_events.events import ActionPerformed, CombatantFreed, FreeRollMade, MovedFreely
from mam_events.rules.initiative.by_roll import round_begun
from mam_events.rules.initiative.rd6_statistics import PERCEPTION
from mam_events.rules.rolls.dice_codes import DiceCode, no_code, read_code, require_reliable, roll_code, skill_code
from mam_events.rules.ron_d6.consequences import check_following, with_followed_action
from mam_events.rules.ron_d6.multiple_actions import penalty_of
from mam_events.rules.ron_d6.right_to_act import (
    action_left,
    may_act,
    require_conscious,
    require_free_for,
    require_nothing_open,
)
from mam_events.state import Encounter, RoundMove
from mam_events.values import Terrain

FREE_ON_CHALLENGING = 1
"""The metres that are free even over challenging ground (RD6-FREE-01)."""


def is_free(hard: Fraction, easy: Fraction, move: Decimal | None, ruleset: Ruleset) -> bool:
    """Return True if the movement of one round takes no action (RD6-FREE-01, RD6-LIST-move, `rd6_half_move`).

    `hard` and `easy` are metres over challenging and over easy ground, and `move` is the Move in metres. Half of the
    Move is free, and at most one metre of it over challenging ground. If the Move is not known (None), only that metre
    is free.
    """
    if hard > FREE_ON_CHALLENGING:
        return False
    if not easy:
        return True
    if move is None:
        return False
    limit = 2 * (hard + easy)
    return limit < move if ruleset["rd6_half_move"] == "action" else limit <= move


def actions_taken(moves: Sequence[RoundMove], move: Decimal | None, ruleset: Ruleset) -> int:
    """Return the number of those movements of one round that take an action (RD6-FREE-01).

    The longest take actions and the rest is free, so the order in which they are given does not matter.
    """
    easy, hard = (
        tuple(accumulate(sorted(Fraction(one.metres) for one in moves if one.terrain == ground), initial=Fraction(0)))
        for ground in get_args(Terrain)
    )
    free, many = 0, len(easy) - 1
    for few, metres in enumerate(hard):
        # More free moves over challenging ground leave fewer over easy ground, so `many` only falls.
        while many >= 0 and not is_free(metres, easy[many], move, ruleset):
            many -= 1
        if many < 0:
            break
        free = max(free, few + many)
    return len(moves) - free


class MoveOption(Struct, frozen=True):
    """A movement, whether it takes an action, and whether it counts as one whatever else is moved."""

    moved: RoundMove
    is_action: bool
    counts: bool


def check_move(state: Encounter, ruleset: Ruleset, command: Move) -> MoveOption:
    """Return the movement as it will be made.

    Raises Refused with `metres_missing`, `points_not_spent`, `move_missing` or `held_down`, and with `action_open` in
    the middle of an action: the actions of a round are not simultaneous (RD6-RND-02). If the movement takes an action,
    raises as for any action.
    """
    require_open(state)
    combatant = require_combatant(state, command.combatant)
    require_conscious(combatant)
    require_nothing_open(state)
    if command.points or command.straight:
        raise Refused("points_not_spent", rule="RD6-FREE-01", fields=("points", "straight"))
    if command.metres is None:
        raise Refused("metres_missing", rule="RD6-FREE-01", fields=("metres",))
    require_metres(command.metres, "metres")
    round_begun(state)
    require_free_for(state, ruleset, combatant, "move")
    move = combatant.statistics.movement
    if move is None and command.terrain == "easy" and not command.counts:
        raise Refused("move_missing", combatant=combatant, rule="RD6-FREE-01", fields=("metres",))
    moved, actions = RoundMove(command.metres, command.terrain), combatant.actions
    takes = command.counts or actions_taken((*actions.moves, moved), move, ruleset) > actions.moving
    if takes:
        may_act(state, combatant)
        action_left(combatant)
    return MoveOption(moved, takes, command.counts)


def judge_move(judging: Decision, command: Move, moving: MoveOption) -> None:
    """Move, freely or with one of the actions."""
    metres, terrain = moving.moved.metres, moving.moved.terrain
    if metres:
        release_by_moving(judging, command.combatant)
    if not moving.is_action:
        judging.record(MovedFreely(command.combatant, metres, terrain))
        return
    remaining = judging.state.combatants[command.combatant].actions.left - 1
    weighed = "" if moving.counts else terrain
    judging.record(
        ActionPerformed(command.combatant, None, judging.ruling, "move", remaining, metres=metres, terrain=weighed)
    )


def release_by_moving(judging: Decision, name: str, how: str = "moves away") -> None:
    """Record that a combatant who moves, or is moved, away holds nobody down any more (RD6-LIST-tackle)."""
    for holder in tuple(judging.state.combatants.values()):
        if name in holder.status.held_down_by:
            judging.record(CombatantFreed(holder.id, f"{judging.state.combatants[name].name} {how}", name))


def _offer_move(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    metres, any_ground = free("metres"), Field("terrain", choices=get_args(Terrain))
    for combatant in state.combatants.values():
        least = Move(combatant.id, metres=Decimal(0))
        if combatant.statistics.movement is not None:
            yield offer(least, *metres, any_ground, Field("counts", choices=(False, True)))
            continue
        # Without a known Move, no metre over easy ground is free, but one over challenging ground is.
        yield offer(replace(least, counts=True), *metres, any_ground, Field("counts", choices=(True,)))
        challenging = Field("terrain", choices=("challenging",))
        yield offer(replace(least, terrain="challenging"), *metres, challenging, Field("counts", choices=(False,)))


def check_free_roll(state: Encounter, ruleset: Ruleset, command: Roll) -> tuple[DiceCode, int]:
    """Return the code that is rolled and its penalty in dice.

    Raises Refused with `code_missing` or `reduced_to_zero`, or as `check_following` does.
    """
    require_open(state)
    combatant = require_combatant(state, command.combatant)
    check_following(state, command)
    skill = command.skill or (PERCEPTION if command.what == "glance" else "")
    skill_code_pair = (skill, read_code(command.code)) if command.code else skill_code(combatant, skill)
    if skill_code_pair is None:
        raise no_code(combatant, (skill,) if skill else (), "RD6-FREE-02")
    penalty = penalty_of(combatant, ruleset, command.what)
    require_reliable(skill_code_pair[1], penalty, ruleset, ("code",), code_gm_modifiers(command, combatant.id))
    return skill_code_pair[1], penalty


def judge_free_roll(judging: Decision, command: Roll, checked: tuple[DiceCode, int]) -> None:
    """Roll the code; no action is used."""
    code, penalty = checked
    modifiers = check_gm_modifiers(command, command.combatant)
    roll = roll_code(
        judging,
        "roll",
        command.combatant,
        code,
        command.dice,
        penalty=penalty,
        modifiers=modifiers,
        dice_modifiers=code_gm_modifiers(command, command.combatant),
    )
    success = None if command.difficulty is None else roll.total >= command.difficulty
    judging.record(FreeRollMade(command.combatant, roll, command.what, command.skill, command.difficulty, success))


def _offer_free_roll(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    fields = (
        Field("what", choices=get_args(FreeRoll)),
        *free("skill", "code", "difficulty", "dice", "exchange", "outcome"),
    )
    for combatant in state.combatants.values():
        yield offer(Roll(combatant.id, "resistance", code="1D"), *fields)


SECTION = RuleModule(
    mechanics=(
        Mechanic(Move, check=check_move, judge=judge_move, offers=_offer_move),
        Mechanic(
            Roll, check=check_free_roll, judge=judge_free_roll, offers=_offer_free_roll, completes=with_followed_action
        ),
    ),
)

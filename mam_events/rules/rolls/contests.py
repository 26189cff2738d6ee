"""Contests between two: one roll against the other's modifier, or a pair of rolls (MAM-CONT)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, get_args

from msgspec import Struct

from mam_events.commands import Contest, TieKind
from mam_events.decider.engine import Decision, RuleModule, Ruleset
from mam_events.decider.gm_modifiers import check_gm_modifiers
from mam_events.decider.mechanic import Mechanic
from mam_events.decider.offers import Field, Offer, free, offer
from mam_events.errors import Refused
from mam_events.events import ContestResolved, Modifier, SuccessRoll
from mam_events.refusals.arguments import Term
from mam_events.rules.rolls.dice_substitutes import Throw, check_throw, roll_die
from mam_events.rules.rolls.difficulty import difficulty_from_modifier
from mam_events.rules.rolls.success_rolls import (
    bearing_on,
    outcome_of,
    present_combatants,
    require_present,
    success_roll,
)
from mam_events.state import Encounter
from mam_events.values import DieKind, OutcomeField

REVERSED: dict[OutcomeField, OutcomeField] = {"full": "fail", "half": "half", "fail": "full"}
"""The outcome of a single roll for the side that did not make it; half a success puts neither side ahead."""


class ContestSide(Struct, frozen=True):
    """One side of a contest: the combatant, its own modifier and the other's, the throw."""

    name: str
    modifier: int
    opposing: int
    throw: Throw


class PairResult(NamedTuple):
    """The outcome of two rolls for each side, and whether they tied."""

    outcome: OutcomeField
    opponent_outcome: OutcomeField
    tie: bool


def sides_of(command: Contest) -> tuple[ContestSide, ContestSide]:
    """Return the side that begins the contest, and the opponent's."""
    own_throw = Throw(command.kind, command.die, command.confirmation_die)
    opposing_throw = Throw(command.kind, command.opponent_die, command.opponent_confirmation_die, "opponent_die")
    return (
        ContestSide(command.combatant, command.modifier, command.opponent_modifier, own_throw),
        ContestSide(command.opponent, command.opponent_modifier, command.modifier, opposing_throw),
    )


def rolling_sides(command: Contest, ruleset: Ruleset) -> tuple[ContestSide, ...]:
    """Return the sides that roll: both if the contest can be tied (MAM-CONT-02), else one (`contest_roller`)."""
    initiator, responder = sides_of(command)
    if command.tie:
        return initiator, responder
    return (initiator,) if ruleset["contest_roller"] == "initiator" else (responder,)


def resolve_pair(succeeded: tuple[bool, bool], tie_kind: TieKind, ruleset: Ruleset) -> PairResult:
    """Return the result of two rolls that each succeed or fail (MAM-CONT-03); a natural 20 succeeds (MAM-CONT-04).

    A roll of a pair that just meets its difficulty fails: the rule knows only successes and failures. With
    `half_success = one_of_two_rolls` a tie of two successes is half a success for both, if both can succeed at all.
    """
    first, second = succeeded
    if first != second:
        return PairResult("full", "fail", tie=False) if first else PairResult("fail", "full", tie=False)
    succeed = {"both_ways": first, "cannot_both_succeed": False, "cannot_both_fail": True}[tie_kind]
    if not succeed:
        return PairResult("fail", "fail", tie=True)
    shared: OutcomeField = "half" if first and ruleset["half_success"] == "one_of_two_rolls" else "full"
    return PairResult(shared, shared, tie=True)


def check_contest(state: Encounter, ruleset: Ruleset, command: Contest) -> tuple[ContestSide, ...]:
    """Return the sides that roll; raise Refused with `out_of_fight`, `bad_target`, `impossible_face` or `idle_die`."""
    combatant = require_present(state, command.combatant)
    require_present(state, command.opponent, "opponent")
    if command.opponent == command.combatant:
        raise Refused("bad_target/own_opponent", combatant=combatant, rule="MAM-CONT-01", fields=("opponent",))
    sides = rolling_sides(command, ruleset)
    for side in sides_of(command):
        if side not in sides and (side.throw.face is not None or side.throw.confirmation is not None):
            raise Refused(
                "idle_die/other_rolls",
                field=Term(side.throw.field),
                roller=state.combatants[sides[0].name],
                rule="MAM-CONT-01",
                fields=(side.throw.field,),
            )
        check_throw(side.throw, ruleset)
    return sides


def contest_roll(judging: Decision, command: Contest, side: ContestSide) -> SuccessRoll:
    """Make one side's roll against 10 and the other's modifier (MAM-CONT-01, MAM-CONT-02).

    A single roll stands for both sides: modifiers of every roll of the other side then count in its difficulty.
    """
    other = command.opponent if side.name == command.combatant else command.combatant
    return success_roll(
        side.name,
        "contest",
        roll_die(judging, f"contest.{side.name}", side.throw),
        (Modifier("modifier", side.modifier, "MAM-CONT-01"), *bearing_on(judging, side.name, command)),
        difficulty_from_modifier(side.opposing),
        check_gm_modifiers(command, other) if command.tie else bearing_on(judging, other, command),
    )


def judge_contest(judging: Decision, command: Contest, sides: tuple[ContestSide, ...]) -> None:
    """Roll for one side or both, and record the winner."""
    rolls = tuple(contest_roll(judging, command, side) for side in sides)
    if command.tie:
        first, second = rolls
        result = resolve_pair((first.succeeded, second.succeeded), command.tie, judging.ruleset)
    else:
        outcome = outcome_of(rolls[0], judging.ruleset)
        both = (outcome, REVERSED[outcome])
        result = PairResult(*(both if rolls[0].combatant == command.combatant else both[::-1]), tie=False)
    judging.record(
        ContestResolved(rolls, command.combatant, command.opponent, command.what, *result[:2], command.tie, result.tie)
    )


def _offer_contest(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    names = present_combatants(state)
    fields = (
        *free("what"),
        Field("modifier"),
        Field("opponent_modifier"),
        Field("tie", choices=get_args(TieKind)),
        Field("kind", choices=get_args(DieKind)),
        *free("die", "opponent_die", "confirmation_die", "opponent_confirmation_die"),
    )
    for name in names:
        others = tuple(other for other in names if other != name)
        if others:
            yield offer(Contest(name, others[0]), Field("opponent", choices=others), *fields)


SECTION = RuleModule(
    mechanics=(Mechanic(Contest, check=check_contest, judge=judge_contest, offers=_offer_contest),),
)

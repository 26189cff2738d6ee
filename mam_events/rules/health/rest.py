"""Rest and regeneration: the recovery of damage (MAM-REST)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from mam_events.commands import Heal, Quality
from mam_events.decider.checks import require_no_exchange
from mam_events.decider.engine import Decision, RuleModule, Ruleset
from mam_events.decider.mechanic import Mechanic
from mam_events.decider.offers import Field, Offer, free, offer
from mam_events.errors import Refused
from mam_events.events import DamageRecovered, HealingRolled, Interval, Modifier
from mam_events.rules.health.wounds import settle_condition
from mam_events.rules.rolls.dice_substitutes import Throw
from mam_events.rules.rolls.difficulty import difficulty_from_modifier
from mam_events.rules.rolls.success_rolls import (
    attempt_fields,
    attempt_throws,
    present_combatants,
    require_present,
    roll_attempt,
)
from mam_events.state import Encounter


def recovery(regeneration: int, *, success: bool, damage: int, ruleset: Ruleset) -> int:
    """Return the points that leave damage (MAM-REST-01, MAM-REST-03): from 0 to all the damage (MAM-REST-05).

    `regeneration_doubling` decides what a success counts double.
    """
    base = ruleset.tables.rest.recovery
    if success and ruleset["regeneration_doubling"] == "whole_recovery":
        points = 2 * (base + regeneration)
    else:
        points = base + regeneration * (2 if success else 1)
    return max(0, min(points, damage))


def check_opposition(opposition: tuple[int, ...], ruleset: Ruleset) -> None:
    """Raise Refused with `factor_above_five` if one adverse factor opposes with more than it may (MAM-REST-04)."""
    most = ruleset.tables.rest.most_opposition
    if any(factor > most for factor in opposition):
        raise Refused(
            "factor_above_five", most=most, max_opposition=max(opposition), rule="MAM-REST-04", fields=("opposition",)
        )


def check_heal(state: Encounter, ruleset: Ruleset, command: Heal) -> tuple[Throw, ...]:
    """Return the throws of a healing roll.

    Raises Refused with `out_of_fight`, `exchange_open`, `exceeds_maximum`, `factor_above_five`, `impossible_face` or
    `idle_die`.
    """
    require_present(state, command.combatant)
    require_no_exchange(state)
    check_opposition(command.opposition, ruleset)
    most = ruleset.tables.rest.most_days
    if command.rest_days > most:
        raise Refused(
            "exceeds_maximum/days_of_rest",
            most=most,
            rest_days=command.rest_days,
            rule="MAM-REST-02",
            fields=("rest_days",),
        )
    opposed = ruleset["rest_roll_difficulty"] == "opposed_roll"
    if opposed and command.kind is not None:
        raise Refused("idle_die", rule="MAM-REST-02", fields=("kind",))
    if not opposed and (command.opposing_die, command.opposing_confirmation_die) != (None, None):
        raise Refused("idle_die/difficulty", rule="MAM-REST-04", fields=("opposing_die",))
    return attempt_throws(command, ruleset, opposed=opposed)


def judge_heal(judging: Decision, command: Heal, throws: tuple[Throw, ...]) -> None:
    """Roll for healing and reduce the damage; a combatant who was down may get up (MAM-REST-01 to MAM-REST-05)."""
    name, ruleset = command.combatant, judging.ruleset
    # healing_roll_modifier may ignore the healer, so one command serves both readings.
    healer = command.healer if ruleset["healing_roll_modifier"] == "rest_days_plus_healer" else 0
    modifiers = (
        Modifier("days of rest", command.rest_days, "MAM-REST-02"),
        Modifier("healer", healer, "MAM-REST-02"),
    )
    opposed = Modifier("opposition", sum(command.opposition), "MAM-REST-04")
    base = 0 if ruleset["rest_roll_difficulty"] == "opposition_only" else difficulty_from_modifier(0)
    rolls, outcome = roll_attempt(judging, command, "healing", throws, modifiers, base, (opposed,))
    # Half a success counts as a failure: no page says what it heals.
    success = outcome == "full"
    judging.record(HealingRolled(rolls, name, interval(command.quality, ruleset), "full" if success else "fail"))
    pools = judging.state.combatants[name].pools
    points = recovery(command.regeneration, success=success, damage=pools.damage, ruleset=ruleset)
    if points:
        judging.record(DamageRecovered(name, points, pools.move("damage", "other_used", points)))
        settle_condition(judging, name)


def interval(quality: Quality, ruleset: Ruleset) -> Interval:
    """Return the length of the rest: a week, unless regeneration's quality changes it.

    That depends on `regeneration_quality_effect`.
    """
    scales = ruleset["regeneration_quality_effect"] == "scales_interval"
    return ruleset.tables.rest_intervals[quality if scales else "weekly"]


def _offer_heal(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    names = present_combatants(state)
    if names:
        yield offer(
            Heal(names[0]),
            Field("combatant", choices=names),
            Field("rest_days", low=0, high=ruleset.tables.rest.most_days),
            Field("regeneration"),
            Field("quality", choices=get_args(Quality)),
            *free("opposition"),
            Field("healer"),
            *attempt_fields(opposed=ruleset["rest_roll_difficulty"] == "opposed_roll"),
            by="",
        )


SECTION = RuleModule(
    mechanics=(Mechanic(Heal, check=check_heal, judge=judge_heal, offers=_offer_heal),),
)

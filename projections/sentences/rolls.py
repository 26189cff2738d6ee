"""Sentences about success rolls, contests and rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mam_events import commands as c
from mam_events import events as e
from projections.phrases import points, with_sign
from projections.sentences.dice_text import RESULTS, success_text
from projections.sentences.words import ACTION_WORDS, freed_points_words, modifier_words, roll_sum_words

if TYPE_CHECKING:
    from mam_events.dice import Die
    from projections.rulings.index import RulingContext
    from projections.sentences.types import Clauses, Rolls, Sentences

WITHOUT_ROLL = {"certain": "succeeds without a roll", "impossible": "has no chance, and does not roll"}
TIES = {
    "both_ways": "a tie that stands",
    "cannot_both_succeed": "a tie, and they cannot both succeed",
    "cannot_both_fail": "a tie, and they cannot both fail",
}


def _checked(event: e.SuccessRolled, scene: RulingContext) -> str:
    name = scene.name(event.combatant)
    what = f": {event.what}" if event.what else ""
    if not event.rolls:
        return f"{name} {WITHOUT_ROLL[event.attempt]}{what}"
    (roll,) = event.rolls
    return f"{roll_words(roll, scene)}, and {_ending(event.outcome, roll)}{what}"


def _ending(outcome: str, roll: e.SuccessRoll) -> str:
    return f"{ACTION_WORDS[outcome]}, whatever the total" if roll.automatic else ACTION_WORDS[outcome]


def roll_words(roll: e.SuccessRoll, scene: RulingContext) -> str:
    """Return a roll with all modifiers of the roll and of its difficulty.

    An example is `Modre rolls 12 (drawn), +3 modifier (MAM-ROLL-01): 15 against 14`.
    """
    opposing = roll.what == "opposition"
    start = (
        f"the opposition rolls {_die(roll.die)}" if opposing else f"{scene.name(roll.combatant)} rolls {_die(roll.die)}"
    )
    total = roll_sum_words(start, roll.value, _die(roll.confirmation) if roll.confirmation else "", roll)
    if roll.difficulty is None:
        return total
    against = ", ".join([str(roll.difficulty), *map(modifier_words, roll.difficulty_modifiers)])
    return f"{total} against {against}{f' = {roll.against}' if roll.difficulty_modifiers else ''}"


def _die(die: Die) -> str:
    return f"{die.face} on a {die.kind} ({die.source})"


def _contested(event: e.ContestResolved, scene: RulingContext) -> str:
    name, opponent = scene.name(event.combatant), scene.name(event.opponent)
    rolls = "; ".join(roll_words(roll, scene) for roll in event.rolls)
    outcome = f"{name} {ACTION_WORDS[event.outcome]}, {opponent} {ACTION_WORDS[event.opponent_outcome]}"
    tie = f" ({TIES[event.tie_kind]})" if event.tie else ""
    what = f": {event.what}" if event.what else ""
    return f"{name} contends with {opponent}{what}. {rolls}. {outcome}{tie}"


def _healing(event: e.HealingRolled, scene: RulingContext) -> str:
    rolls = "; ".join(roll_words(roll, scene) for roll in event.rolls)
    outcome = "the attempt to heal succeeds" if event.outcome == "full" else "the attempt to heal fails"
    return f"{scene.name(event.combatant)} rests for a {event.interval}. {rolls}; {outcome}."


def _recovered(event: e.DamageRecovered, scene: RulingContext) -> str:
    return f"{scene.name(event.combatant)} recovers {points(event.points)} from damage{freed_points_words(scene)}."


def _check_order(command: c.Check, scene: RulingContext) -> str:
    if command.against is not None:
        against = f"the modifier {with_sign(command.against)}"
    else:
        against = f"difficulty {'10' if command.difficulty is None else command.difficulty}"
    what = f": {command.what}" if command.what else ""
    return f"{scene.name(command.combatant)} rolls against {against}{what}"


def _contest_order(command: c.Contest, scene: RulingContext) -> str:
    what = f": {command.what}" if command.what else ""
    return f"{scene.name(command.combatant)} contends with {scene.name(command.opponent)}{what}"


def _check_roll(event: e.SuccessRolled, scene: RulingContext) -> tuple[str, ...]:
    roll_texts = map(success_text, event.rolls) if event.rolls else (event.attempt,)
    return (scene.name(event.combatant), event.what, *roll_texts, RESULTS[event.outcome])


def _contest_roll(event: e.ContestResolved, scene: RulingContext) -> tuple[str, ...]:
    name, opponent = scene.name(event.combatant), scene.name(event.opponent)
    rolls = [f"{scene.name(roll.combatant)} {success_text(roll)}" for roll in event.rolls]
    outcome = f"{name}: {RESULTS[event.outcome]}, {opponent}: {RESULTS[event.opponent_outcome]}"
    return (f"{name} ↔ {opponent}", event.what, *rolls, outcome)


def _healing_roll(event: e.HealingRolled, scene: RulingContext) -> tuple[str, ...]:
    # The opposition's roll is the number that the attempt must reach.
    roll_text = " of ".join(success_text(roll) for roll in event.rolls)
    return (f"{scene.name(event.combatant)} rests for a {event.interval}", roll_text, RESULTS[event.outcome])


SENTENCES: Sentences = {
    e.SuccessRolled: _checked,
    e.ContestResolved: _contested,
    e.HealingRolled: _healing,
    e.DamageRecovered: _recovered,
}
CLAUSES: Clauses = {
    c.Check: _check_order,
    c.Contest: _contest_order,
    c.Heal: "{combatant} rests, {rest_days:day} without strain",
}
ROLLS: Rolls = {
    e.SuccessRolled: _check_roll,
    e.ContestResolved: _contest_roll,
    e.HealingRolled: _healing_roll,
}

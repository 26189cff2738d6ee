"""Dice, sums and outcomes in as few characters as possible, for the lines of the log."""

from __future__ import annotations

from collections.abc import Sequence

from mam_events.dice import Die
from mam_events.events import CodeRoll, Modifier, RollMade, SuccessRoll
from projections.phrases import with_sign

FACE_MARKS = {"thrown": "", "drawn": "*", "amended": "!", "hypothetical": "?"}
HIT_WORDS = {"full": "hit", "half": "half hit", "fail": "miss"}
RESULTS = {"full": "success", "half": "half success", "fail": "failure"}


def die_text(die: Die) -> str:
    """Return a die as it fell: `[6]` thrown, `[6*]` drawn, `[6!]` amended, `[6?]` supposed."""
    return f"[{die.face}{FACE_MARKS[die.source]}]"


def roll_text(event: RollMade) -> str:
    """Return a roll as a sum, the largest modifier first: `[6]+2+1 = 9`; modifiers of 0 only show in the audit.

    A fixed number without modifiers stands alone. A die that takes the place of a d20 shows its value and its second
    throw: `[10]→20+3 = 23 (then [7])`.
    """
    return _sum(event, event.base)


def success_text(roll: SuccessRoll) -> str:
    """Return a success roll as a sum, with the number that it is against: `[14]+6 = 20 vs 15`."""
    against = "" if roll.difficulty is None else f" vs {roll.against}"
    return f"{_sum(roll, roll.value)}{against}"


def _sum(roll: RollMade | SuccessRoll, value: int) -> str:
    start = die_text(roll.die) if roll.die else str(value)
    if roll.die and roll.die.face != value:
        start = f"{start}→{value}"
    second = f" (then {die_text(roll.confirmation)})" if roll.confirmation else ""
    if not roll.die and not any(modifier.value for modifier in roll.modifiers):
        return start
    return f"{start}{added_text(roll.modifiers)} = {roll.total}{second}"


def added_text(modifiers: Sequence[Modifier], *more: int) -> str:
    """Return the modifiers of a roll, the largest first: `+3 +2 outreached`.

    Only modifiers by the game master show their name.
    """
    plain = sorted((*more, *(one.value for one in modifiers if one.rule)), reverse=True)
    parts = [f" {with_sign(one.value)} {one.name}" for one in modifiers if not one.rule]
    return "".join([*(with_sign(value) for value in plain if value), *parts])


DICE = {"regular": "", "wild": "wild ", "exploded": "again ", "bought": "bought "}
"""The word before a die of a dice code, by its role in the roll."""


def code_text(roll: CodeRoll) -> str:
    """Return a roll of a dice code as a sum: `3D+1-1D: [4]+wild [6]+again [2]+1 = 13`."""
    code = f"{roll.code}-{roll.penalty}D" if roll.penalty else roll.code
    code += "".join(f" {with_sign(one.dice)}D {one.name}" for one in roll.dice_modifiers)
    return f"{code}: {dice_text(roll)}{added_text(roll.modifiers, pips_of(roll))} = {roll.total}"


def pips_of(roll: CodeRoll) -> int:
    """Return the pips of a dice code: the rest of the total after dice and modifiers."""
    return roll.total - sum(one.die.face for one in roll.dice) - sum(modifier.value for modifier in roll.modifiers)


def dice_text(roll: CodeRoll) -> str:
    """Return the dice of a roll, each with its role: `[4]+wild [6]+again [2]`."""
    return "+".join(f"{DICE[one.role]}{die_text(one.die)}" for one in roll.dice)

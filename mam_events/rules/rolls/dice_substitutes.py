"""Dice in place of a d20: the values of their faces, and automatic success (MAM-DICE)."""

from __future__ import annotations

from typing import Final, get_args

from msgspec import Struct

from mam_events.decider.engine import Decision, Ruleset
from mam_events.decider.rule_tables import Substitute
from mam_events.dice import SIDES, Die, check_face
from mam_events.errors import Refused
from mam_events.refusals.arguments import Term
from mam_events.values import DieKind

NATURAL = 20
"""The value that succeeds whatever the total (MAM-ROLL-02)."""

STANDARD: Final = "d20"

SUBSTITUTES: dict[str, Substitute] = {kind: kind for kind in get_args(Substitute)}
"""The die that each reading of `substitute_die` names."""


def die_of(ruleset: Ruleset) -> DieKind:
    """Return the die that combat rolls use (`combat_die`, `substitute_die`)."""
    if ruleset["combat_die"] == "d20_substitute":
        return SUBSTITUTES[ruleset["substitute_die"]]
    return "d6" if ruleset["combat_die"] == "d6_face" else STANDARD


def convert(kind: DieKind, face: int, ruleset: Ruleset) -> int:
    """Return the value of a face on the scale of a d20 (MAM-DICE-01, MAM-DICE-02, MAM-DICE-03, `substitute_zero_face`).

    A d10's 0 is face 10.
    """
    if kind == STANDARD:
        return face
    row = ruleset.tables.dice_substitutes[kind]
    if row.from_one:
        steps = face
    elif ruleset["substitute_zero_face"] == "highest_counts_as_zero":
        steps = face % SIDES[kind]
    else:
        steps = face - 1
    return row.factor * steps


def needs_confirmation(kind: DieKind, face: int, ruleset: Ruleset) -> bool:
    """Return True if that face needs a second throw of the same die (MAM-DICE-04, `substitute_automatic_success`)."""
    if kind == STANDARD or ruleset["substitute_automatic_success"] == "ignore":
        return False
    return convert(kind, face, ruleset) >= NATURAL


def is_automatic(kind: DieKind, first: int, second: int | None, ruleset: Ruleset) -> bool:
    """Return True if these faces succeed whatever the total (MAM-DICE-04, MAM-DICE-05).

    The second face counts as it is printed.
    """
    if kind == STANDARD:
        return first == NATURAL
    if second is None or not needs_confirmation(kind, first, ruleset):
        return False
    return second > ruleset.tables.dice_substitutes[kind].confirmed_above


class Throw(Struct, frozen=True):
    """One roll as a command gives it: the kind of die, the faces (None: drawn), the field of the first face.

    `converted` is False if the face counts as it falls, and no face succeeds automatically. `confirmed` is False if no
    second throw is made.
    """

    kind: DieKind
    face: int | None
    confirmation: int | None = None
    field: str = "die"
    converted: bool = True
    confirmed: bool = True

    @property
    def confirmation_field(self) -> str:
        """The field of the second face: `confirmation_die`, or `opponent_confirmation_die`."""
        return f"{self.field.removesuffix('die')}confirmation_die"


class RollResult(Struct, frozen=True):
    """A roll as it fell: its one or two dice, the value, whether it succeeds whatever the total."""

    die: Die
    confirmation: Die | None
    value: int
    automatic: bool


def combat_throw(face: int | None, confirmation: int | None, field: str, ruleset: Ruleset) -> Throw:
    """Return a throw of the die that opposed rolls use (`combat_die`)."""
    return Throw(die_of(ruleset), face, confirmation, field, converted=ruleset["combat_die"] != "d6_face")


def check_throw(throw: Throw, ruleset: Ruleset) -> None:
    """Raise Refused with `impossible_face`, or with `idle_die` for a second face that is not needed.

    Call it before any die is rolled: a later error would reveal what was drawn.
    """
    first = None if throw.face is None else check_face(throw.face, throw.kind, throw.field)
    if throw.confirmation is None:
        return
    check_face(throw.confirmation, throw.kind, throw.confirmation_field)
    if first is None or not (throw.converted and needs_confirmation(throw.kind, first, ruleset)):
        raise Refused(
            "idle_die/confirmation",
            field=Term(throw.confirmation_field),
            rule="MAM-DICE-04",
            fields=(throw.confirmation_field,),
        )


def roll_die(judging: Decision, slot: str, throw: Throw) -> RollResult:
    """Roll the die, and roll it again if its face needs that (MAM-DICE-04)."""
    die = judging.dice.roll(slot, throw.kind, field=throw.field, face=throw.face)
    if not throw.converted:
        return RollResult(die, None, die.face, automatic=False)
    second = None
    if throw.confirmed and needs_confirmation(throw.kind, die.face, judging.ruleset):
        second = judging.dice.roll(slot, throw.kind, field=throw.confirmation_field, face=throw.confirmation, index=1)
    value = convert(throw.kind, die.face, judging.ruleset)
    sure = is_automatic(throw.kind, die.face, second.face if second else None, judging.ruleset)
    return RollResult(die, second, value, sure)

"""Dice at the table: faces that were typed too early, and the question whether to draw missing ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from mam_events.errors import BadInput, MamError
from mam_events.notation.grammar.dice import is_face
from mam_events.notation.grammar.names import either_or
from mam_events.notation.grammar.vocabulary import SYNONYMS
from mam_events.notation.lexer.lexer import ParsedOrder, orders_in
from mam_events.refusals.renderer import list_words

ROLLS = ("resolve", *(word for word, orders in SYNONYMS.items() if "resolve" in orders))
"""The words that ask for the dice of an exchange to be rolled."""
NO_FACE = "-"
MOST_NAMED = 3


class StaysKept(BadInput):
    """An error for dice that could replace several kept ones; its text says that Enter uses the kept ones."""


class LineDice(NamedTuple):
    """A line that rolls the dice of an exchange: its faces, and the text after them."""

    faces: tuple[str, ...]
    tail: str


def dice_in(line: str) -> LineDice | None:
    """Return the dice at the beginning of a line; None if it begins with anything else, or says more about them."""
    try:
        first, *others = orders_in(line)
    except MamError:
        return None
    words = first.words[1:] if _rolls(first) else first.words
    if not (_rolls(first) or words) or not all(is_face(token.word) for token in words):
        return None
    tail = "." * first.ends + "".join(f"; {order.text}" for order in others)
    return LineDice(tuple(token.word for token in words), tail)


def _rolls(order: ParsedOrder) -> bool:
    return bool(order.words) and order.words[0].word.lower() in ROLLS


def asks_to_roll(line: str) -> bool:
    """Return True if an order in the line asks for dice that it does not give."""
    try:
        return any(_rolls(order) and not order.words[1:] for order in orders_in(line))
    except MamError:
        return False


def with_kept(kept_line: str, line: str, needed: int) -> str:
    """Return a line with the faces kept for the same roll, if it has none of its own.

    Raises StaysKept if its faces could stand for several dice.
    """
    new_dice, kept_dice = dice_in(line), dice_in(kept_line)
    if line.strip() == "." and kept_dice and len(kept_dice.faces) >= needed:
        # A full stop alone uses the dice that Enter would use.
        return f"{' '.join(kept_dice.faces)}."
    if new_dice is None or kept_dice is None:
        return line
    if len(new_dice.faces) >= needed:
        faces = [
            kept_dice.faces[at] if face == NO_FACE and at < len(kept_dice.faces) else face
            for at, face in enumerate(new_dice.faces)
        ]
        # Only the faces are replaced; the rest of the kept line, such as its full stop, stays.
        return f"{' '.join(faces)}{new_dice.tail or kept_dice.tail}"
    faces = [*kept_dice.faces, *new_dice.faces]
    if new_dice.faces and len(faces) > needed:
        faces_text, those = " ".join(new_dice.faces), len(new_dice.faces)
        ways = [
            [*kept_dice.faces[:at], *new_dice.faces, *kept_dice.faces[at + those :]] for at in range(needed - those + 1)
        ]
        choices = either_or(list(dict.fromkeys(" ".join(way) for way in ways if len(way) == needed)))
        them = "it" if len(kept_dice.faces) == 1 else "them"
        raise StaysKept(
            f"{kept_text(kept_dice.faces)}, and Enter uses {them}. To replace a die with {faces_text}, type "
            f"{choices or 'all'}."
        )
    return f"{' '.join(faces)}{new_dice.tail or kept_dice.tail}"


def kept_text(faces: Sequence[str]) -> str:
    """Return the words about dice that were typed before and stay: `The dice 4 2 are kept`."""
    return f"The {'die' if len(faces) == 1 else 'dice'} {' '.join(faces)} {'is' if len(faces) == 1 else 'are'} kept"


def without_lost(kept_line: str, dice: Sequence[str], current_dice: Sequence[str]) -> str:
    """Return the kept line without the faces of those `dice` that are no longer thrown.

    Nothing changes if it has no more faces than there are `current_dice`. Returns "" if no face is left.
    """
    kept_dice = dice_in(kept_line)
    if kept_dice is None or len(kept_dice.faces) <= len(current_dice):
        return kept_line
    lost = {at for at, die in enumerate(dice) if die not in current_dice}
    faces = [face for at, face in enumerate(kept_dice.faces) if at not in lost]
    return f"{' '.join(faces)}{kept_dice.tail}" if faces else ""


def counted_dice(dice: Sequence[str], rollers: Sequence[str]) -> tuple[str, ...]:
    """Return the rolls of those who throw several dice, each with the number of dice: `Mira's initiative (3 dice)`."""
    rolls = dict.fromkeys(die.removesuffix(" wild") for die in dice)
    counts = Counter(rollers).values()
    if len(rolls) != len(counts):
        return tuple(dice)
    return tuple(
        f"{roll} ({count} {'die' if count == 1 else 'dice'})" for roll, count in zip(rolls, counts, strict=True)
    )


def question_to_draw(dice: Sequence[str], faces: Sequence[str], rollers: Sequence[str] = ()) -> str:
    """Return the question whether to draw those dice, if some `faces` are given.

    `rollers` are the names of those who all make the same roll.
    """
    one = len(dice) == 1 and not dice[0].endswith("dice)")
    names = f"the {'die' if one else 'dice'} for {list_words(dice)}" if dice else "the missing dice"
    if len(dice) > MOST_NAMED and rollers:
        names = f"the dice for {list_words(rollers)}"
    elif len(dice) > MOST_NAMED:
        # Name all of them, because faces may be typed in that order.
        names = f"the dice of {len(dice)} rolls ({', '.join(dice)})"
    stays = f"{kept_text(faces)}. " if faces else ""
    return f"{stays}Draw {names}? Press Enter again{', or type the face' if faces else ''}."

"""What circumstances do to a roll and to its difficulty (MAM-CIRC)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from mam_events.events import Modifier
from mam_events.rules.ruleset import Ruleset
from mam_events.values import Circumstance

REVISION = 1

RULES: dict[Circumstance, str] = {
    "unfavourable": "MAM-CIRC-01",
    "hostile": "MAM-CIRC-01",
    "compounded": "MAM-CIRC-03",
    "favourable": "MAM-CIRC-04",
    "very_favourable": "MAM-CIRC-04",
    "combined": "MAM-CIRC-04",
}
"""The rule that each word is from."""


class Sides(NamedTuple):
    """What circumstances add to a difficulty, and what to the roll; one of each may hold at once (MAM-CIRC-05)."""

    difficulty_modifier: int
    success_modifier: int


class Named(NamedTuple):
    """The same as modifiers with names and rules; None where nothing is added."""

    difficulty: Modifier | None
    success: Modifier | None


def circumstances(words: Iterable[Circumstance], ruleset: Ruleset) -> Sides:
    """What these circumstances come to: on each side only the largest counts (MAM-CIRC-01 to -04).

    Whether several compound or combine is the game master's judgement, and a word of its own (MAM-CIRC-03).
    """
    named = named_circumstances(words, ruleset)
    return Sides(
        named.difficulty.value if named.difficulty else 0,
        named.success.value if named.success else 0,
    )


def named_circumstances(words: Iterable[Circumstance], ruleset: Ruleset) -> Named:
    """The one circumstance that counts on each side, by name (MAM-CIRC-02, MAM-CIRC-05)."""
    words = tuple(words)
    sides: dict[str, dict[Circumstance, int]] = ruleset.tables["circumstances"]
    return Named(_largest(words, sides["difficulty"]), _largest(words, sides["success"]))


def larger(modifiers: Iterable[Modifier | None]) -> Modifier | None:
    """The largest of them, the first among equals: for modifiers that do not add up (MAM-CIRC-02)."""
    return max(filter(None, modifiers), key=lambda modifier: modifier.value, default=None)


def _largest(words: Iterable[Circumstance], side: dict[Circumstance, int]) -> Modifier | None:
    return larger(
        Modifier(f"{word.replace('_', ' ')} circumstances", side[word], RULES[word]) for word in words if word in side
    )

"""The effect of circumstances on a roll and on its difficulty (MAM-CIRC)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from mam_events.decider.engine import Ruleset
from mam_events.events import Modifier
from mam_events.values import Circumstance

RULES: dict[Circumstance, str] = {
    "unfavourable": "MAM-CIRC-01",
    "hostile": "MAM-CIRC-01",
    "compounded": "MAM-CIRC-03",
    "favourable": "MAM-CIRC-04",
    "very_favourable": "MAM-CIRC-04",
    "combined": "MAM-CIRC-04",
}
"""The rule that each circumstance comes from."""


class CircumstanceTotals(NamedTuple):
    """The modifiers from circumstances to a difficulty and to the roll; None if nothing is added (MAM-CIRC-05)."""

    difficulty: Modifier | None
    success: Modifier | None


def named_circumstances(words: Iterable[Circumstance], ruleset: Ruleset) -> CircumstanceTotals:
    """Return the one circumstance that counts on each side, the largest (MAM-CIRC-01 to MAM-CIRC-05).

    The game master decides whether several compound or combine, and names that with a word of its own (MAM-CIRC-03).
    """
    rows = {word: ruleset.tables.circumstances[word] for word in words}
    return CircumstanceTotals(
        _largest({word: row.difficulty for word, row in rows.items()}),
        _largest({word: row.success for word, row in rows.items()}),
    )


def larger_amount(modifiers: Iterable[Modifier | None]) -> Modifier | None:
    """Return the largest modifier, the first among equals: for modifiers that do not add up (MAM-CIRC-02)."""
    return max(filter(None, modifiers), key=lambda modifier: modifier.value, default=None)


def _largest(side: Mapping[Circumstance, int]) -> Modifier | None:
    return larger_amount(
        Modifier(f"{word.replace('_', ' ')} circumstances", value, RULES[word]) for word, value in side.items() if value
    )

"""Difficulty: the ladder of difficulties, and opposition by somebody's modifier (MAM-DIFF)."""

from __future__ import annotations

from msgspec.structs import asdict

from mam_events.decider.engine import Ruleset
from mam_events.errors import Refused
from mam_events.refusals.arguments import Term

BASE = 10
"""The number that stands for a die if nobody rolls against an action (MAM-DIFF-02)."""


def base(ruleset: Ruleset) -> int:
    """Return the base of a fixed defense: 10, unless the printed defense already includes it (`printed_defense`)."""
    return 0 if ruleset.get("printed_defense") == "with_ten" else BASE


def difficulty_from_modifier(modifier: int) -> int:
    """Return the difficulty of acting against that modifier, of the same ability or another (MAM-DIFF-02)."""
    return BASE + modifier


def on_ladder(word: str, ruleset: Ruleset) -> int:
    """Return the difficulty that a word stands for (MAM-DIFF-01); raise Refused with `unknown_difficulty`."""
    ladder: dict[str, int] = asdict(ruleset.tables.difficulties)
    if word not in ladder:
        raise Refused(
            "unknown_difficulty",
            rule="MAM-DIFF-01",
            fields=("difficulty",),
            wrong=word,
            allowed=map(Term, ladder),
        )
    return ladder[word]

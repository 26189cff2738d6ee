"""Sides as players call them: the players' own, and the other one."""

from __future__ import annotations

from collections.abc import Iterable

from mam_events.errors import Unclear
from mam_events.notation.grammar.names import either_or
from mam_events.state import Combatant

OURS = ("party", "group", "us", "players", "heroes", "adventurers", "pcs", "we")
THEIRS = ("foes", "enemies", "foe", "enemy", "monsters", "villains", "opponents", "baddies", "npcs")
BOTH = 2
"""The number of sides in a fight of players against others."""


def resolve_side(people: Iterable[Combatant], word: str) -> str:
    """Return the side that a word means: its name, or `foes` if exactly one of two sides is the players'.

    Returns "" for any other word. Raises Unclear if the side is ambiguous.
    """
    sides: dict[str, bool] = {}
    for one in people:
        sides[one.side] = sides.get(one.side, False) or one.kind == "pc"
    if word in sides or word not in (*OURS, *THEIRS) or len(sides) != BOTH:
        return word if word in sides else ""
    player_sides = [side for side, players in sides.items() if players]
    if len(player_sides) != 1:
        raise Unclear(f'"{word}" could be side {either_or(list(sides))}. Which one?', word=word, allowed=sides)
    return player_sides[0] if word in OURS else next(side for side in sides if side != player_sides[0])

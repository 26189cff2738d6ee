"""One combat roll and everything that the sections of the rules add to it or to the power behind it."""

from __future__ import annotations

from typing import Literal, NamedTuple

from mam_events.events import Modifier
from mam_events.rules.ruleset import Ruleset
from mam_events.state import Action, Combatant, Encounter

Role = Literal["attack", "defense", "passive", "difficulty"]
"""What a modifier is asked for: the roll of one who acts, the roll of one who defends, what protects the defender by
itself (evasion and the like), what makes the action itself harder (range, darkness)."""


PLAIN_DEFENSE = -1
"""The number of the plain defense roll, which no action makes; those of actions are their rulings'."""
RAM_BACK = -3
"""The number of the ram back, which nobody declares (MAM-VEH-03)."""
INTO_DEFENSE = -5
"""The number of the defense of whoever a thrown body strikes (MAM-MNP-09)."""
THROWN_BODY = -4
"""The number of the strike with somebody who is thrown, for which the throw was declared (MAM-MNP-09)."""


class Rolling(NamedTuple):
    """A roll as the sections see it: `combatant` rolls (for a difficulty: acts), `opponent` is on the other side (None:
    nobody), `action` is the action the roll is about: one's own, or the one that is defended against.
    """

    state: Encounter
    ruleset: Ruleset
    action: Action
    combatant: Combatant
    opponent: Combatant | None
    role: Role


def added(rolling: Rolling) -> tuple[Modifier, ...]:
    """Everything that any section adds to that roll, but for what changes nothing."""
    found: list[Modifier] = []
    for adds in rolling.ruleset.edition.roll_modifiers:
        found += adds(rolling)
    return tuple(found)


def total(start: int, modifiers: tuple[Modifier, ...]) -> int:
    """A number, mostly a die's, and everything added to it."""
    for modifier in modifiers:
        start += modifier.value
    return start

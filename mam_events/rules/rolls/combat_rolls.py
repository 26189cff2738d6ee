"""A combat roll: the modifiers that the sections of the rules add to it, and its total."""

from __future__ import annotations

from operator import attrgetter
from typing import get_args

from mam_events.decider.engine import RollContext
from mam_events.decider.strikes import ModifierRole
from mam_events.events import Modifier

_HOOKS = {role: attrgetter(f"{role}_modifiers") for role in get_args(ModifierRole)}


def combat_modifiers(rolling: RollContext) -> tuple[Modifier, ...]:
    """Return every modifier that a section adds to that roll."""
    modifiers: list[Modifier] = []
    for adds in _HOOKS[rolling.role](rolling.ruleset.edition):
        modifiers += adds(rolling)
    return tuple(modifiers)


def roll_total(start: int, modifiers: tuple[Modifier, ...]) -> int:
    """Return a number, mostly a die's, plus the modifiers."""
    for modifier in modifiers:
        start += modifier.value
    return start

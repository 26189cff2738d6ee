"""The slots of an order: the fields that stand without a key after its word in a line."""

from __future__ import annotations

from functools import cache

from mam_events.commands import COMMANDS
from mam_events.notation.grammar.dice import dice_fields
from mam_events.notation.orders.open_references import open_references


@cache
def slots_of(do: str) -> tuple[str, ...]:
    """Return the slots of an order, first to last. Those of version 1 never change (docs/score.md).

    They are the `bare` and `also_bare` fields of its command, unless it defines `slots`. They don't include the actor,
    who stands in front, dice, which have their own places, and references to what is open.
    """
    kind = COMMANDS[do]
    if kind.slots is not None:
        return kind.slots
    excluded = {kind.actor, *dice_fields(kind), *open_references(kind)}
    return tuple(name for name in (*kind.bare, *kind.also_bare) if name not in excluded)

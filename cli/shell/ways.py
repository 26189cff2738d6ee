"""The words by which one gets on at the table after a no."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mam_events.errors import Hint, MamError

ROLL = "the dice (Enter draws them), or a reaction"
"""The way on where something is open."""


def ways_on(error: MamError) -> str:
    """The words to type next after that error; "" where nothing is known."""
    if error.code == "exchange_open":
        return ROLL
    return ", or ".join(dict.fromkeys(_typed(hint) for hint in error.hints))


def _typed(hint: Hint) -> str:
    """An order as it is typed, as far as it is known: who, its shortest word, what stands bare behind it."""
    from mam_events.commands import COMMANDS
    from mam_events.notation.long_form import actor_field
    from mam_events.notation.places import SLOTS, SYNONYMS, VERBS

    do, values = hint.order, hint.values
    verb = values.get(VERBS.get(do, ""))
    letters = [word for word, orders in SYNONYMS.items() if orders[0] == do]
    kind = COMMANDS.get(do)
    who = values.get(actor_field(kind), "") if kind else ""
    bare = [values[slot] for slot in SLOTS.get(do, ()) if slot in values and slot != VERBS.get(do)]
    words = [who, verb or min(letters, key=len, default=do), *bare]
    return " ".join(str(word) for word in words if isinstance(word, str | int) and word != "")

"""The words by which one gets on at the table after a no."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mam_events.errors import Hint, MamError
    from mam_events.rulings.timeline import Timeline

ROLL = "the dice (Enter draws them), or a reaction"
"""The way on where something is open."""


def ways_on(error: MamError, line: str, timeline: Timeline | None) -> str:
    """The words to type next after that error, which answered a line; "" where nothing is known."""
    if error.code == "exchange_open":
        return ROLL
    if error.code == "needs_rewind":
        return f"{line} rewind"
    return ", or ".join(dict.fromkeys(_typed(hint, timeline) for hint in error.hints))


def _typed(hint: Hint, timeline: Timeline | None) -> str:
    """An order as it is typed, as far as it is known: who, its shortest word, what stands bare behind it; of somebody
    who has joined how that is said anew.
    """
    if timeline and (joined := _joined(timeline, hint)):
        return joined
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


def _joined(timeline: Timeline, hint: Hint) -> str:
    """The amendment of a joining by which somebody gets what is missing; "" for any other order."""
    who = hint.values.get("combatant")
    number = next((n for n in timeline.told.joins if getattr(timeline.command(n), "combatant", "") == who), 0)
    if hint.order != "join" or not number:
        return ""
    said = [
        f"{name}.{key}={one}"
        for name, value in hint.values.items()
        if name != "combatant"
        for key, one in value.items()
    ]
    return " ".join([f"amend {number}", *said])

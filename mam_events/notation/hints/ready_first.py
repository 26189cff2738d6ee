"""The hint of an order that lacks ready points: how many may become ready before it."""

from __future__ import annotations

from collections.abc import Sequence

from mam_events.errors import MamError, Refused
from mam_events.notation.context import LineContext, next_combatant
from mam_events.notation.grammar.verbs import own_word
from mam_events.notation.lexer.lexer import ParsedOrder
from mam_events.notation.orders.defaults import most_ready
from mam_events.refusals import arguments

NOT_READY = "not_enough_ready"
"""The error code for missing ready points."""
_NEED_POINTS = ("escape", "manipulate")
"""Orders that have no effect without points of their own."""


def ready_first_text(
    no: MamError, fight: LineContext, fight_before: LineContext | None, orders: Sequence[ParsedOrder], at: int
) -> str:
    """Return how many points may become ready before an order that lacks them, with the line to type, or ""."""
    if no.code != NOT_READY:
        return ""
    who = next_combatant(fight.state)
    lacks = no.message.references if isinstance(no, Refused) else {}
    place, template = at, next(iter(fight.allowed("ready", who)), None) if who else None
    if template is None and fight_before and next_combatant(fight_before.state) == who:
        # Points become ready before anything else in a turn, so go back to the start of the line.
        place, template = 0, next(iter(fight_before.allowed("ready", who)), None)
    if template is None or (
        isinstance(lacks.get("who"), arguments.CombatantArgument)
        and lacks["who"] != arguments.CombatantArgument(who, fight.name_of(who))
    ):
        return ""
    most, low, high = most_ready(template)
    ready = "ready all" if low < high else "ready"
    needs, has = lacks.get("points", 0), lacks.get("ready", 0)
    if not most:
        return ""
    if isinstance(needs, int) and isinstance(has, int) and has + most < needs:
        return f" Only {most} more may become ready first ({ready})."
    text = orders[place].text
    if place == at and isinstance(no, Refused) and no.order in _NEED_POINTS and not any(map(str.isdecimal, text)):
        # The order still lacks its points.
        text = f"{text} p{needs}"
    first, *rest = text.split(" ", 1)
    # In `n a rat`, the points become ready between `n` and the order.
    own = own_word(orders[place])
    lines = [f"{first} {ready}", *rest] if own and own.kind == "next" else [ready, text]
    line = "; ".join([*(one.text for one in orders[:place]), *lines, *(one.text for one in orders[place + 1 :])])
    return f" {most} more may become ready first: {line}{'' if line.endswith('.') else '.'}"

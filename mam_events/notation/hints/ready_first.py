"""The hint of an order that lacks ready points: how many may become ready before it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from math import ceil

from mam_events.errors import MamError, Refused
from mam_events.notation.context import LineContext, next_combatant
from mam_events.notation.grammar.verbs import own_word
from mam_events.notation.hints.alternatives import NO_POINTS
from mam_events.notation.lexer.lexer import ParsedOrder
from mam_events.notation.orders.defaults import most_ready
from mam_events.refusals import arguments

_METRES = re.compile(r"([0-9]+(?:\.[0-9]+)?) m\Z")
NOT_READY = "not_enough_ready"
"""The error code for missing ready points."""
_NEED_POINTS = ("escape", "manipulate")
"""Orders that have no effect without points of their own."""


def ready_first_text(
    no: MamError, fight: LineContext, fight_before: LineContext | None, orders: Sequence[ParsedOrder], at: int
) -> str:
    """Return how many points may become ready before an order that lacks them, with the line to type, or ""."""
    who = next_combatant(fight.state)
    lack = _lack(no, fight, who)
    if lack is None:
        return ""
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
    needs, has = lack
    if not most:
        return ""
    if has + most < needs:
        return f" Only {most} more can become ready first ({ready})."
    text = orders[place].text
    if place == at and isinstance(no, Refused) and no.order in _NEED_POINTS and not any(map(str.isdecimal, text)):
        # The order still lacks its points.
        text = f"{text} p{needs}"
    first, *rest = text.split(" ", 1)
    # In `n a rat`, the points become ready between `n` and the order.
    own = own_word(orders[place])
    lines = [f"{first} {ready}", *rest] if own and own.kind == "next" else [ready, text]
    line = "; ".join([*(one.text for one in orders[:place]), *lines, *(one.text for one in orders[place + 1 :])])
    return f" {most} more can become ready first. Type {line}{'' if line.endswith('.') else '.'}"


def _lack(no: MamError, fight: LineContext, who: str) -> tuple[int, int] | None:
    """Return how many ready points an order needs, and how many there are; None for any other error."""
    me = fight.person(who)
    if not isinstance(no, Refused) or me is None:
        return None
    followed, ready = no.message.references.get("sentence"), me.pools.ready
    message = followed if isinstance(followed, arguments.Message) else no.message
    values = message.references
    if no.code == NOT_READY:
        needs, has = values.get("points", 0), values.get("ready", 0)
        return (needs, has) if isinstance(needs, int) and isinstance(has, int) else (0, 0)
    if message.key in NO_POINTS:
        return (1, 0) if not ready else None
    far, metres = (_METRES.match(getattr(values.get(name), "words", "")) for name in ("farthest", "metres"))
    # Who says no points moves with all that are ready.
    if message.key != "out_of_range/points" or values.get("points") != ready or not far or not metres:
        return None
    return ceil(Fraction(metres[1]) * ready / Fraction(far[1])), ready

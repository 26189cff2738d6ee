"""Two orders joined by a comma, `and` or `then`: `draw club, attack bo` is `draw club; attack bo`."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from mam_events.commands import COMMANDS, actor_of, name_of
from mam_events.errors import MamError, Unclear
from mam_events.notation.context import LineContext, ResolvedOrder, word_forms
from mam_events.notation.grammar.long_form import actor_field
from mam_events.notation.grammar.names import things_by_name
from mam_events.notation.grammar.vocabulary import GROUP_ROLL_FIELDS, LOG_KEYWORDS
from mam_events.notation.lexer.lexer import (
    BECAUSE,
    SAYING,
    DiceToken,
    ParsedOrder,
    TextToken,
    WordToken,
    orders_in,
    quoted_text,
)
from mam_events.notation.lexer.name_spans import LONGEST_ORDER, after_separator, begins_order
from mam_events.notation.lexer.spacing import ARTICLES, INDEFINITE
from mam_events.notation.orders.parser import complete_order, parse_order
from mam_events.notation.orders.resolver import resolve_order

WHOLE = (*GROUP_ROLL_FIELDS, "join", "change-rules", "round")
"""Orders with names or text of their own, in which such a word doesn't separate orders."""
_OF_SOMEBODY = tuple(word for word, own in LOG_KEYWORDS.items() if own.kind == "adjust")
"""Words of the game master that are about somebody."""
_OF_SOMEBODY = tuple(word for word, own in LOG_KEYWORDS.items() if own.kind == "adjust")
"""Words of the game master that are about a combatant."""
LISTED = ("ready-weapon", "drop-item", "pick-up-item")
"""Orders that may list several things: `draw sword and shield`."""


class TwoOrders(Struct, frozen=True):
    """Two orders that were typed as one: the first, and the rest."""

    first: ParsedOrder
    rest: ParsedOrder


def split_orders(fight: LineContext, parsed: ParsedOrder, read: ResolvedOrder) -> TwoOrders | None:
    """Return the first order and the rest of a text that cannot be read as one order.

    Returns None if it isn't two orders that can each be read separately.
    """
    words = parsed.words
    if read.do in WHOLE or len(words) > LONGEST_ORDER:
        return None
    for at in range(1, len(words)):
        if words[at].word.lower() == BECAUSE:
            break
        rest = after_separator(words, at)
        first = ParsedOrder(spell(words[:at]), words[:at])
        if rest and (second := _second(fight, first, rest, read.actor)):
            return TwoOrders(first, ParsedOrder(spell(second), second, parsed.ends))
    return None


def _second(fight: LineContext, first: ParsedOrder, rest: tuple[WordToken, ...], actor: str) -> tuple[WordToken, ...]:
    """Return the rest as a separate order of the same actor; empty if one of the two parts is no order."""
    is_order_name = begins_order(fight, rest)
    try:
        order, faces = complete_order(fight, parse_order(fight, first)[0])
    except Unclear:
        # Reading it as a separate order asks the question.
        return _of_actor(fight, rest, actor) if is_order_name else ()
    except MamError:
        return ()
    if is_order_name:
        return _of_actor(fight, rest, actor)
    do = name_of(order.command)
    if faces:
        return ()
    if do not in LISTED:
        # Read an unknown second verb separately, so that the error names it.
        is_remark = rest[0].word.isalpha() and not fight.people.ranked(rest[0].word)[1]
        return _of_actor(fight, rest, actor) if is_remark and not first.words[-1].comma else ()
    people = fight.state.combatants
    me = people[actor_of(order.command)]
    things = things_by_name(people.values(), dropped=True) if do == "pick-up-item" else things_by_name([me])
    words = [token.word for token in rest]
    while words and words[0].lower() in (*ARTICLES, *INDEFINITE):
        words = words[1:]
    if not words or not (things.run(words)[1] or things.one(words[0])):
        return ()
    return _of_actor(fight, (WordToken("", do), *rest[len(rest) - len(words) :]), actor)


def _of_actor(fight: LineContext, rest: tuple[WordToken, ...], actor: str) -> tuple[WordToken, ...]:
    """Return an order with the first order's actor, if it needs one and names nobody; a note as a note."""
    if rest[0].word.lower() in SAYING:
        return orders_in(spell(rest))[0].words
    if not actor:
        return rest
    if len(rest) == 1 and any(form in _OF_SOMEBODY for form in word_forms(rest[0].word.lower())):
        return (WordToken("", actor), *rest)
    try:
        read = resolve_order(fight, ParsedOrder("", rest))
    except MamError:
        return rest
    has_actor = not isinstance(read, ResolvedOrder) or read.actor or not actor_field(COMMANDS[read.do])
    return rest if has_actor else (WordToken("", f"{actor}:"), *rest)


def spell(words: Sequence[WordToken]) -> str:
    """Return words as they are typed."""
    return " ".join(f"{_spell(token)}{',' * token.comma}" for token in words).removesuffix(",")


def _spell(token: WordToken) -> str:
    if isinstance(token.value, tuple):
        value = f"({spell(token.value)})"
    elif isinstance(token.value, DiceToken):
        value = f"[{token.value}]"
    else:
        value = quoted_text(token.value) if isinstance(token.value, TextToken) else token.value
    return f"{token.key}={value}" if token.key else value

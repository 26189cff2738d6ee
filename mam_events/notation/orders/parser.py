"""One order of a line, read with the fight: a long one as it stands, a short one with its omitted fields filled in."""

from __future__ import annotations

from collections.abc import Collection

from mam_events.commands import COMMANDS, BeginTurn, Declare, Parry, Pass, ThrowDie, name_of
from mam_events.errors import BadInput
from mam_events.field_specs import field_specs
from mam_events.notation.context import LineContext, ResolvedOrder, TurnStart
from mam_events.notation.grammar.long_form import SEEN, LongOrder, actor_field, is_long, read_long
from mam_events.notation.grammar.verbs import own_word
from mam_events.notation.lexer.lexer import ParsedOrder, TextToken, WordToken
from mam_events.notation.lines.gm_line import parse_gm_line
from mam_events.notation.lines.gm_verbs import as_roll, verb_order
from mam_events.notation.orders.open_references import open_references
from mam_events.notation.orders.resolver import resolve_order
from mam_events.notation.orders.short_form import expand_short_form
from mam_events.references import names_in
from mam_events.state import Encounter


def parse_order(fight: LineContext, parsed: ParsedOrder) -> tuple[LongOrder | ResolvedOrder | TurnStart, str]:
    """Return the order that words mean, and the view that may see it, if that is given.

    In the short form only the first words are read.
    """
    if long := _read_as_long(parsed, fight.state):
        return long, ""
    visibility, parsed = _seen(parsed)
    parsed = as_roll(fight, parsed)
    if by_verb := verb_order(fight, parsed.words):
        return by_verb, visibility
    own = own_word(parsed)
    if own and own.kind == "adjust":
        return parse_gm_line(fight, parsed.words[1:]), visibility
    return resolve_order(fight, parsed), visibility


def complete_order(
    fight: LineContext, read: LongOrder | ResolvedOrder | TurnStart
) -> tuple[LongOrder, tuple[str, ...]]:
    """Return the order with all omitted fields filled in, and the faces that are left for its exchange."""
    if isinstance(read, LongOrder):
        return read, ()
    if isinstance(read, ResolvedOrder):
        return expand_short_form(fight, read)
    if fight.ruleset.edition.counts_actions:
        return LongOrder(Declare(read.combatant, 1 if read.actions is None else read.actions)), ()
    if read.actions is not None:
        who = fight.name_of(read.combatant)
        hint = (
            f"Under these rules nobody declares actions first. To begin the turn of {who}, type only the name: "
            f"{read.combatant}"
        )
        raise BadInput(hint, wrong=str(read.actions))
    return LongOrder(BeginTurn(read.combatant)), ()


def _seen(parsed: ParsedOrder) -> tuple[str, ParsedOrder]:
    """Return the view that may see an order ("": the default), and the order without that word."""
    values = [word.value for word in parsed.words if word.key == SEEN]
    if len(values) > 1 or not all(isinstance(one, str) for one in values):
        raise BadInput("Give seen only once: gm, public, or side: and its name.", place=SEEN)
    rest = tuple(word for word in parsed.words if word.key != SEEN)
    if not rest:
        raise BadInput("There is no order in this line.", wrong=parsed.text)
    return str(values[0]) if values else "", parsed._replace(words=rest)


def _read_as_long(parsed: ParsedOrder, state: Encounter) -> LongOrder | None:
    """Return the order, if the line is long and the people it names are in the fight."""
    try:
        order = read_long(parsed)
    except BadInput:
        return None
    if not is_long(order):
        return None
    if name_of(order.command) != "join":
        people = (name.value for name in names_in(order.command) if name.kinds == ("combatant",))
        if any(one not in state.combatants for one in people if isinstance(one, str) and one not in ("", "-")):
            return None
        things = {thing.id for one in state.combatants.values() for thing in one.things}
        if any(name.value not in things for name in names_in(order.command) if name.kinds == ("thing",) and name.value):
            return None
    elif not _names_newcomer(parsed):
        return None
    return order


def _names_newcomer(parsed: ParsedOrder) -> bool:
    """Return True for a join whose name stands in its slot as text or a dash, also for each of its things.

    Any other join is in the short form.
    """
    if any(_has_bare_name(word.value) for word in parsed.words if isinstance(word.value, tuple)):
        return False
    bare = [word for word in parsed.words[1:] if not word.key]
    return len(bare) < 2 or bare[1].is_dash or isinstance(bare[1].value, TextToken)  # noqa: PLR2004 - id and name


def _has_bare_name(part: tuple[WordToken, ...]) -> bool:
    """Return True if two words without quotes begin a part: typed, they are a name of two words."""
    bare = [one.word for one in part[:2] if not one.is_dash]
    return len(bare) > 1 and all(bare)


def reactions_to(fight: LineContext, spoke: str, passing: Collection[str] = ()) -> dict[str, tuple[str, ...]]:
    """Return those who may still react to what is open, except the last actor, each with the possible orders."""
    reactions: dict[str, list[str]] = {}
    attacked = fight.state.exchange.root.target if fight.state.exchange else ""
    for do in sorted(fight.orders - set(passing)):
        kind = COMMANDS[do]
        if kind in (Pass, ThrowDie):
            # These are no reactions that somebody could be asked for.
            continue
        if "exchange" not in open_references(kind) or not actor_field(kind):
            continue
        if field_specs(kind)["exchange"].unsaid != "the open exchange":
            continue
        for offer in fight.allowed(do):
            if kind is Parry and "interfere" in passing and offer.combatant != attacked:
                # Parrying for somebody else is a way to interfere, so it is passed over too.
                continue
            if offer.combatant != spoke and do not in reactions.setdefault(offer.combatant, []):
                reactions[offer.combatant].append(do)
    return {who: tuple(orders) for who, orders in reactions.items()}

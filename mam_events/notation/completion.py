"""Completions of a line that is being typed: the words that are legal now, and those that are not, with the reason."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from mam_events.commands import COMMANDS, Adjust
from mam_events.decider.offers import Field
from mam_events.errors import MamError
from mam_events.field_specs import FieldSpec, field_specs
from mam_events.notation.context import LineContext, ResolvedOrder, TurnStart, next_combatant
from mam_events.notation.grammar.long_form import actor_field
from mam_events.notation.grammar.names import COMBATANT
from mam_events.notation.grammar.verbs import own_word
from mam_events.notation.grammar.vocabulary import LOG_KEYWORDS, ORDER_LETTERS
from mam_events.notation.lexer.lexer import ParsedOrder, WordToken, orders_in, ruling_number
from mam_events.notation.lines.correction_line import STRICT
from mam_events.notation.lines.gm_line import ADJUSTING
from mam_events.notation.orders.actor import resolve_actor
from mam_events.notation.orders.builder import OrderBuilder
from mam_events.notation.orders.resolver import resolve_order
from mam_events.state import POOLS


class Continuation(Struct, frozen=True):
    """One word that may come next in a line: its description, and why it cannot be given now ("": it can)."""

    word: str
    description: str
    why_not: str = ""


def continuations(
    fight: LineContext, text: str, fight_at: Callable[[int], LineContext] | None = None
) -> list[Continuation]:
    """Return the words that may come next in a line: first those that can be given, then the others with the reason.

    The partial word at the end of the line is part of each. `fight_at` returns the fight after a ruling.
    """
    if text.count('"') % 2:
        return []
    orders_before, _, order = text.rpartition(";")
    if orders_before and (own := own_word(orders_in(orders_before)[0])) and own.kind == "insert":
        # The place of the second order is unknown until the first is given.
        return []
    order = order.lstrip()
    before, _, begun = order.rpartition(" ")
    begun = begun.lower()
    try:
        suggestions = list(_next(fight, before.strip(), fight_at))
    except (MamError, LookupError):
        return []
    words: dict[str, Continuation] = {}
    for one in suggestions:
        if one.word.startswith(begun):
            same = words.get(one.word)
            description = (
                one.description
                if same is None or one.description in same.description
                else f"{same.description}; {one.description}"
            )
            words[one.word] = Continuation(one.word, description, one.why_not if same is None else same.why_not)
    return sorted(words.values(), key=lambda one: bool(one.why_not))


def _next(fight: LineContext, before: str, fight_at: Callable[[int], LineContext] | None) -> Iterator[Continuation]:
    if not before:
        yield from _first(fight)
        return
    parsed = orders_in(before)[0]
    if not parsed.words:
        return
    own = own_word(parsed)
    if own and own.kind == "next":
        yield from _after_next(fight, " ".join(before.split()[1:]))
    elif own and own.kind == "insert":
        number, rest = ruling_number(parsed.words[1].word), before.split()[2:]
        if rest[:1] == [STRICT]:
            del rest[0]
        elif number and not rest:
            yield Continuation(STRICT, "judges the turns behind it strictly")
        if fight_at and number:
            after = _next(fight_at(number), " ".join(rest), None)
            yield from (one for one in after if one.word not in LOG_KEYWORDS)
    elif own and own.kind == "adjust":
        yield from (_adjusting if own.word == ADJUSTING else _after_gm_verb)(fight, parsed.words[1:])
    elif not own:
        yield from _after_order(fight, parsed)


def _first(fight: LineContext) -> Iterator[Continuation]:
    """Yield the words that may come first: whoever is next, then what they may do, then the rest."""
    people = list(_people(fight))
    yield from (one for one in people if one.description == "begins")
    state = fight.state
    if state.next_up and not (state.turn or state.exchange or state.window.open):
        # Any order of the next combatant begins their turn.
        yield from _after_next(fight, "")
    yield from _orders(fight, "")
    yield from (one for one in people if one.description != "begins")
    yield from (Continuation(word, own.description) for word, own in LOG_KEYWORDS.items() if word == own.word)


def _after_order(fight: LineContext, parsed: ParsedOrder) -> Iterator[Continuation]:
    order = resolve_order(fight, parsed)
    if isinstance(order, ResolvedOrder) and order.do == "join":
        yield from (
            Continuation(f"{name}=", shape.description) for name, shape in field_specs(COMMANDS["join"]).items()
        )
    elif isinstance(order, TurnStart):
        yield from _orders(fight, order.combatant)
    else:
        yield from _words(fight, order)


def _after_next(fight: LineContext, before: str) -> Iterator[Continuation]:
    """Yield the words that may follow `n`: orders of the next combatant, whose turn has not begun.

    It is not yet known which of them are legal.
    """
    upcoming = fight.state.next_up or ""
    if not before:
        yield from (replace(one, why_not="") for one in _orders(fight, upcoming) if not _is_out_of_turn(one.word))
    elif upcoming:
        order = resolve_order(fight, orders_in(f"{COMBATANT}{upcoming} {before}")[0])
        if isinstance(order, ResolvedOrder):
            yield from (replace(one, why_not="") for one in _words(fight, order))


def _adjusting(fight: LineContext, rest: Sequence[WordToken]) -> Iterator[Continuation]:
    """Yield the words that may follow `gm`: the combatant, then a condition, or points and their pools."""
    who = next((word.word for word in reversed(rest) if word.word and fight.person(word.word.lower())), "")
    if not who:
        yield from _people(fight)
        return
    if rest[-1].word.isdecimal():
        pairs = ((one, other) for one in POOLS for other in POOLS if one != other)
        yield from (Continuation(f"{one}>{other}", f"from {one} to {other}") for one, other in pairs)
        return
    yield from (Continuation(word, "how he is") for word in field_specs(Adjust)["condition"].inner.choices)


def _after_gm_verb(fight: LineContext, _: Sequence[WordToken]) -> Iterator[Continuation]:
    """Yield the words that may follow `damage` and `leave`: a combatant or a side."""
    yield from _people(fight)
    sides = dict.fromkeys(one.side for one in fight.state.combatants.values())
    yield from (Continuation(side, "everybody of that side") for side in sides)


def _is_out_of_turn(do: str) -> bool:
    """Return True for an order that is independent of turns: its actor has to be named, or it has none."""
    field = actor_field(COMMANDS[do]) if do in COMMANDS else ""
    return do in COMMANDS and not (field and field_specs(COMMANDS[do])[field].unsaid)


def _orders(fight: LineContext, actor: str) -> Iterator[Continuation]:
    """Yield every order of the edition with a description, or why nobody may give it; those of turns first."""
    mover = actor or next_combatant(fight.state)
    for do in sorted((do for do in COMMANDS if do in fight.orders), key=_is_out_of_turn):
        description = (COMMANDS[do].__doc__ or "").split("\n")[0]
        offers = fight.offers(do)
        mine = [offer for offer in offers if offer.combatant in (mover, "")] or list(offers)
        if any(offer.status == "allowed" for offer in offers if not actor or offer.combatant in (actor, "")):
            yield Continuation(do, description)
        elif mine:
            yield Continuation(do, description, next((no.sentence for no in mine if no.status == "blocked"), ""))
    for word, (do, _, _) in fight.verbs.items():
        if fight.allowed(do, actor):
            yield Continuation(word.replace("_", "-"), f"{do}: {word.replace('_', ' ')}")


def _people(fight: LineContext) -> Iterator[Continuation]:
    next_up = fight.state.next_up
    for name, one in fight.state.combatants.items():
        description = "begins" if name == next_up and not fight.state.turn else one.name
        yield Continuation(name, description, f"{one.name} is {one.condition}." if one.is_gone else "")


def _words(fight: LineContext, order: ResolvedOrder) -> Iterator[Continuation]:
    """Yield the words that may follow an order: names and choices for fields not given yet, and ranges of numbers."""
    actor = resolve_actor(fight, order.do, order.actor)
    builder = OrderBuilder(fight, order.do, actor, dict(order.preset))
    for word in order.rest:
        builder.take(word)
    offered = {field.name: field for template in fight.allowed(order.do, actor) for field in template.fields}
    own = actor_field(COMMANDS[order.do])
    for name, shape in field_specs(COMMANDS[order.do]).items():
        if name in (own, "visibility", "situation") or (name in builder.fields and not shape.is_list):
            continue
        yield from _of_field(builder, name, shape, offered.get(name))


def _of_field(builder: OrderBuilder, name: str, shape: FieldSpec, offered: Field | None) -> Iterator[Continuation]:
    fight, do, actor = builder.fight, builder.do, builder.actor
    bounded = offered is not None and not offered.free and offered.choices is not None and not shape.is_list
    legal = fight.choices(do, actor, name) if bounded else None
    words = builder.pool(name, shape)
    if shape.is_person and legal is None:
        words = [word for word in words if word != actor]
    for word in sorted(words, key=lambda word: _nearness(fight, actor, word)) if shape.is_person else words:
        if shape.kind is bool:
            yield Continuation(word, shape.description)
            continue
        called = _named(fight, actor, word)
        no = f"{called} cannot be {name.replace('_', ' ')} now." if legal is not None and word not in legal else ""
        yield Continuation(word, f"{name.replace('_', ' ')}: {called}", no)
    letter = next((letter for letter, names in ORDER_LETTERS.items() if name in names), "")
    if letter and offered is not None and offered.high != 0:
        yield Continuation(letter, f"{name.replace('_', ' ')}{_range(offered)}, as {letter}{offered.high or 1}")


def _nearness(fight: LineContext, actor: str, word: str) -> int:
    """Return the sort key of a name: 0 for able foes, 1 for friends, 2 for the actor and those who are down."""
    me, other = fight.person(actor), fight.person(word)
    if me is None or other is None or word == actor or other.condition != "able":
        return 2
    return int(me.side == other.side)


def _named(fight: LineContext, actor: str, word: str) -> str:
    if person := fight.person(word):
        return person.name
    me = fight.person(actor)
    thing = next((thing for thing in me.things if thing.id == word), None) if me else None
    return thing.name or word if thing else word.replace("_", " ")


def _range(field: Field) -> str:
    """Return the range of numbers of a field as text: ` 0 to 4`."""
    if field.low is None and field.high is None:
        return ""
    return f" {field.low or 0} to {field.high}" if field.high is not None else f" {field.low} or more"

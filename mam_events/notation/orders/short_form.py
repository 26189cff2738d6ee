"""The short form of an order: quick to type, read with the fight and filled in, or answered with a question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from mam_events.commands import COMMANDS, Command
from mam_events.field_specs import field_specs
from mam_events.notation.context import LineContext, ResolvedOrder, next_combatant
from mam_events.notation.grammar.long_form import LongOrder, actor_field, make_long_order
from mam_events.notation.grammar.names import things_by_name
from mam_events.notation.grammar.nested_values import field_named
from mam_events.notation.grammar.positional_fields import slots_of
from mam_events.notation.grammar.verbs import MIN_PREFIX
from mam_events.notation.grammar.vocabulary import ITEM_FIELDS
from mam_events.notation.lexer.lexer import WordToken, match_prefix
from mam_events.notation.lexer.spacing import SILENT
from mam_events.notation.lines.initiative_line import with_surprise
from mam_events.notation.lines.join_line import check_codes, parse_join_line
from mam_events.notation.orders.actor import resolve_actor
from mam_events.notation.orders.builder import ABOUT_HOLDS, OrderBuilder
from mam_events.notation.orders.open_references import resolve_open_references


def expand_short_form(fight: LineContext, order: ResolvedOrder) -> tuple[LongOrder, tuple[str, ...]]:
    """Return the order that short words mean, with omitted fields filled in, and the faces left for the exchange.

    Raises BadInput, as a question if several things could be meant.
    """
    if order.do == "join":
        newcomer = parse_join_line(order.rest)
        check_codes(fight, newcomer.command)
        return newcomer, ()
    order = _with_roller(fight, _with_actor(fight, order))
    rest = " ".join(one.word for one in order.rest if one.word and not one.key)
    actor = resolve_actor(fight, order.do, order.actor, rest)
    for way in (_with_thing, _with_grip, _with_lowered, _with_hand, _with_throw, _with_hold):
        order = way(fight, order, actor)
    if order.do == "initiative":
        order = replace(order, rest=with_surprise(fight, order.rest))
    builder = OrderBuilder(fight, order.do, actor, dict(order.preset))
    builder.named = bool(order.actor)
    builder.take_all(order.rest)
    builder.check_dice()
    builder.infer()
    unused = builder.left_over()
    return make_long_order(COMMANDS[order.do], builder.fields), unused


def complete(fight: LineContext, do: str, fields: Mapping[str, Any], words: Sequence[str] = ()) -> Command:
    """Return the order that those plain field values and words make, with omitted fields filled in as in a line.

    Raises BadInput, as a question if several things could be meant.
    """
    actor = actor_field(COMMANDS[do])
    preset = {name: value for name, value in fields.items() if name != actor}
    read, _ = expand_short_form(
        fight, ResolvedOrder(do, fields.get(actor, ""), preset, tuple(WordToken("", word) for word in words))
    )
    return resolve_open_references(read.command, read.left_out, fight.state)


def _with_actor(fight: LineContext, order: ResolvedOrder) -> ResolvedOrder:
    """Return the same order with its actor, if they stand after it, as on the command line: `throw-die rat 3`.

    This applies only if they can be nothing else there.
    """
    kind = COMMANDS[order.do]
    bare = [field_specs(kind)[slot] for slot in slots_of(order.do)]
    who = fight.people.whole(order.rest[0].word) if order.rest and not order.actor else ""
    first = order.rest[0].word.lower() if order.rest else ""
    if order.do in ABOUT_HOLDS:
        could_be_field = who in _at_the_other_end(fight, order.do)
    else:
        could_be_field = not actor_field(kind) or any(one.names or one.words or first in one.choices for one in bare)
    return replace(order, actor=who, rest=order.rest[1:]) if who and not could_be_field else order


def _at_the_other_end(fight: LineContext, do: str) -> set[str]:
    """Return those who hold the combatant who acts, for an escape; otherwise those whom that combatant holds."""
    me = fight.person(next_combatant(fight.state))
    if me is None:
        return set()
    if do != "escape":
        return {grapple.held for grapple in me.grapples}
    people = fight.state.combatants.values()
    return {one.id for one in people if any(grapple.held == me.id for grapple in one.grapples)}


def _with_roller(fight: LineContext, order: ResolvedOrder) -> ResolvedOrder:
    """Return the same order with the missing roller of damage: the acting one, if the last action was theirs."""
    window = fight.state.window
    acting = fight.state.acting
    if order.do != "roll" or order.actor or not acting or window.open:
        return order
    last = window.settled[-1].combatant if window.settled else acting
    damages = any(
        match_prefix(one.word.lower(), field_specs(COMMANDS["roll"])["what"].choices, MIN_PREFIX) == ["damage"]
        for one in order.rest
    )
    return replace(order, actor=acting) if damages and last == acting else order


def _with_thing(fight: LineContext, order: ResolvedOrder, actor: str) -> ResolvedOrder:
    """Return the same order as the one for things, if a thing is named after one for points: `drop rope`."""
    do = ITEM_FIELDS.get(order.do, "")
    if do not in fight.orders or not order.rest or fight.people.whole(order.rest[0].word):
        return order
    builder = OrderBuilder(fight, do, actor, {})
    first = order.rest[0]
    names_thing = builder.names_thing([one.word for one in order.rest]) or builder.names_thing([str(first.value)])
    return replace(order, do=do) if not first.key and isinstance(first.value, str) and names_thing else order


def _with_hand(fight: LineContext, order: ResolvedOrder, actor: str) -> ResolvedOrder:
    """Return drawing a thing that is no bow, or not yet in hand, as taking it in hand: `draw club`."""
    me = fight.person(actor)
    if order.do != "draw-bow" or not me or not order.rest or order.rest[0].key:
        return order
    words = [one.word for one in order.rest]
    things = things_by_name([me])
    weapon = me.weapon(things.run(words)[1] or things.one(words[0]))
    if weapon is None or (weapon.kind == "bow" and weapon in me.in_hand) or "ready-weapon" not in fight.orders:
        return order
    return replace(order, do="ready-weapon")


def _with_grip(fight: LineContext, order: ResolvedOrder, actor: str) -> ResolvedOrder:
    """Return grabbing one's own thing as taking it in hand, or picking it up: `grabs her axe`."""
    me = fight.person(actor)
    if order.preset.get("follow_up") != "hold" or not me or not order.rest or order.rest[0].key:
        return order
    words = [one.word for one in order.rest]
    if not words[0] or fight.people.whole(words[0]):
        return order
    for do, things in (
        ("pick-up-item", things_by_name(fight.state.combatants.values(), dropped=True)),
        ("ready-weapon", things_by_name([me])),
    ):
        if do in fight.orders and (things.run(words)[1] or things.one(words[0])):
            return replace(order, do=do, preset={})
    return order


def _with_lowered(fight: LineContext, order: ResolvedOrder, actor: str) -> ResolvedOrder:
    """Return lowering a bow without its name, because only the drawn one can be meant: `lets down his longbow`."""
    me = fight.person(actor)
    if order.do != "lower-bow" or not me or not order.rest or order.rest[0].key:
        return order
    words = [one.word for one in order.rest]
    while words and words[0].lower() in SILENT:
        words.pop(0)
    run, thing = things_by_name([me]).run(words) if words else (1, "")
    thing = thing or (things_by_name([me]).one(words[0]) if words else "")
    if not thing or thing != (me.status.drawn or thing):
        return order
    return replace(order, rest=order.rest[len(order.rest) - len(words) + run :])


def _with_throw(fight: LineContext, order: ResolvedOrder, actor: str) -> ResolvedOrder:
    """Return throwing one's own thing as an attack with it: `throw spear at goblin`."""
    me = fight.person(actor)
    if order.preset.get("follow_up") != "throw" or not me or not order.rest or order.rest[0].key:
        return order
    words, things = [one.word for one in order.rest], things_by_name([me])
    if not (things.run(words)[1] or things.one(words[0])) or fight.people.whole(words[0]):
        return order
    said_how = any(field_named(COMMANDS["attack"], one.key, "attack") == "thrown" for one in order.rest if one.key)
    return replace(order, do="attack", preset={} if said_how else {"thrown": "quick"})


def _with_hold(fight: LineContext, order: ResolvedOrder, actor: str) -> ResolvedOrder:
    """Return an order about a hold with the hold's number, if the held one is named: `release bandit 2`."""
    me = fight.person(actor)
    if order.do not in ABOUT_HOLDS or order.do == "escape" or not me or not order.rest or order.rest[0].key:
        return order
    holder = fight.people.whole(order.rest[0].word)
    holds = [one.id for one in me.grapples if holder and one.held == holder]
    return replace(order, rest=(WordToken("", holds[0]), *order.rest[1:])) if len(holds) == 1 else order

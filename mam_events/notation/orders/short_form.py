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


def expand_short_form(fight: LineContext, said: ResolvedOrder) -> tuple[LongOrder, tuple[str, ...]]:
    """Return the order that short words mean, with omitted fields filled in, and the faces left for the exchange.

    Raises BadInput, as a question if several things could be meant.
    """
    if said.do == "join":
        newcomer = parse_join_line(said.rest)
        check_codes(fight, newcomer.command)
        return newcomer, ()
    said = _with_roller(fight, _with_actor(fight, said))
    actor = resolve_actor(fight, said.do, said.actor)
    for way in (_with_thing, _with_grip, _with_lowered, _with_hand, _with_throw, _with_hold):
        said = way(fight, said, actor)
    if said.do == "initiative":
        said = replace(said, rest=with_surprise(fight, said.rest))
    builder = OrderBuilder(fight, said.do, actor, dict(said.preset))
    builder.named = bool(said.actor)
    builder.take_all(said.rest)
    builder.check_dice()
    builder.infer()
    left = builder.left_over()
    return make_long_order(COMMANDS[said.do], builder.fields), left


def complete(fight: LineContext, do: str, said: Mapping[str, Any], words: Sequence[str] = ()) -> Command:
    """Return the order that those plain field values and words make, with omitted fields filled in as in a line.

    Raises BadInput, as a question if several things could be meant.
    """
    actor = actor_field(COMMANDS[do])
    preset = {name: value for name, value in said.items() if name != actor}
    read, _ = expand_short_form(
        fight, ResolvedOrder(do, said.get(actor, ""), preset, tuple(WordToken("", word) for word in words))
    )
    return resolve_open_references(read.command, read.left_out, fight.state)


def _with_actor(fight: LineContext, said: ResolvedOrder) -> ResolvedOrder:
    """Return the same order with its actor, if they stand after it, as on the command line: `throw-die rat 3`.

    This applies only if they can be nothing else there.
    """
    kind = COMMANDS[said.do]
    bare = [field_specs(kind)[slot] for slot in slots_of(said.do)]
    who = fight.people.whole(said.rest[0].word) if said.rest and not said.actor else ""
    if said.do in ABOUT_HOLDS:
        taken = who in _at_the_other_end(fight, said.do)
    else:
        taken = not actor_field(kind) or any(one.names or one.words or one.choices for one in bare)
    return replace(said, actor=who, rest=said.rest[1:]) if who and not taken else said


def _at_the_other_end(fight: LineContext, do: str) -> set[str]:
    """Return those who hold the combatant who acts, for an escape; otherwise those whom that combatant holds."""
    me = fight.person(next_combatant(fight.state))
    if me is None:
        return set()
    if do != "escape":
        return {grapple.held for grapple in me.grapples}
    people = fight.state.combatants.values()
    return {one.id for one in people if any(grapple.held == me.id for grapple in one.grapples)}


def _with_roller(fight: LineContext, said: ResolvedOrder) -> ResolvedOrder:
    """Return the same order with the missing roller of damage: the acting one, if the last action was theirs."""
    window = fight.state.window
    acting = fight.state.acting
    if said.do != "roll" or said.actor or not acting or window.open:
        return said
    last = window.settled[-1].combatant if window.settled else acting
    damages = any(
        match_prefix(one.word.lower(), field_specs(COMMANDS["roll"])["what"].choices, MIN_PREFIX) == ["damage"]
        for one in said.rest
    )
    return replace(said, actor=acting) if damages and last == acting else said


def _with_thing(fight: LineContext, said: ResolvedOrder, actor: str) -> ResolvedOrder:
    """Return the same order as the one for things, if a thing is named after one for points: `drop rope`."""
    do = ITEM_FIELDS.get(said.do, "")
    if do not in fight.orders or not said.rest or fight.people.whole(said.rest[0].word):
        return said
    builder = OrderBuilder(fight, do, actor, {})
    first = said.rest[0]
    named = builder.names_thing([one.word for one in said.rest]) or builder.names_thing([str(first.value)])
    return replace(said, do=do) if not first.key and isinstance(first.value, str) and named else said


def _with_hand(fight: LineContext, said: ResolvedOrder, actor: str) -> ResolvedOrder:
    """Return drawing a thing that is no bow, or not yet in hand, as taking it in hand: `draw club`."""
    me = fight.person(actor)
    if said.do != "draw-bow" or not me or not said.rest or said.rest[0].key:
        return said
    words = [one.word for one in said.rest]
    things = things_by_name([me])
    meant = me.weapon(things.run(words)[1] or things.one(words[0]))
    if meant is None or (meant.kind == "bow" and meant in me.in_hand) or "ready-weapon" not in fight.orders:
        return said
    return replace(said, do="ready-weapon")


def _with_grip(fight: LineContext, said: ResolvedOrder, actor: str) -> ResolvedOrder:
    """Return grabbing one's own thing as taking it in hand, or picking it up: `grabs her axe`."""
    me = fight.person(actor)
    if said.preset.get("follow_up") != "hold" or not me or not said.rest or said.rest[0].key:
        return said
    words = [one.word for one in said.rest]
    if not words[0] or fight.people.whole(words[0]):
        return said
    for do, things in (
        ("pick-up-item", things_by_name(fight.state.combatants.values(), dropped=True)),
        ("ready-weapon", things_by_name([me])),
    ):
        if do in fight.orders and (things.run(words)[1] or things.one(words[0])):
            return replace(said, do=do, preset={})
    return said


def _with_lowered(fight: LineContext, said: ResolvedOrder, actor: str) -> ResolvedOrder:
    """Return lowering a bow without its name, because only the drawn one can be meant: `lets down his longbow`."""
    me = fight.person(actor)
    if said.do != "lower-bow" or not me or not said.rest or said.rest[0].key:
        return said
    words = [one.word for one in said.rest]
    while words and words[0].lower() in SILENT:
        words.pop(0)
    run, thing = things_by_name([me]).run(words) if words else (1, "")
    thing = thing or (things_by_name([me]).one(words[0]) if words else "")
    if not thing or thing != (me.status.drawn or thing):
        return said
    return replace(said, rest=said.rest[len(said.rest) - len(words) + run :])


def _with_throw(fight: LineContext, said: ResolvedOrder, actor: str) -> ResolvedOrder:
    """Return throwing one's own thing as an attack with it: `throw spear at goblin`."""
    me = fight.person(actor)
    if said.preset.get("follow_up") != "throw" or not me or not said.rest or said.rest[0].key:
        return said
    words, things = [one.word for one in said.rest], things_by_name([me])
    if not (things.run(words)[1] or things.one(words[0])) or fight.people.whole(words[0]):
        return said
    said_how = any(field_named(COMMANDS["attack"], one.key, "attack") == "thrown" for one in said.rest if one.key)
    return replace(said, do="attack", preset={} if said_how else {"thrown": "quick"})


def _with_hold(fight: LineContext, said: ResolvedOrder, actor: str) -> ResolvedOrder:
    """Return an order about a hold with the hold's number, if the held one is named: `release bandit 2`."""
    me = fight.person(actor)
    if said.do not in ABOUT_HOLDS or said.do == "escape" or not me or not said.rest or said.rest[0].key:
        return said
    held = fight.people.whole(said.rest[0].word)
    holds = [one.id for one in me.grapples if held and one.held == held]
    return replace(said, rest=(WordToken("", holds[0]), *said.rest[1:])) if len(holds) == 1 else said

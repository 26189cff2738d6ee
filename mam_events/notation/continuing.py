"""The ways in which a line that is being typed may go on, from what is legal now; and what is not, and why."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

from mam_events.commands import COMMANDS
from mam_events.errors import MamError
from mam_events.notation.long_form import actor_field
from mam_events.notation.meaning import Begins, Fight, Meant, actor_of, meant, whose_move
from mam_events.notation.places import LETTERS
from mam_events.notation.short_form import Filling
from mam_events.notation.words import orders_in
from mam_events.shapes import Shape, shapes

if TYPE_CHECKING:
    from mam_events.deciding.templates import Field


class Continuation(Struct, frozen=True):
    """One word by which a line may go on: what it is, and why it cannot be given now ("": it can)."""

    word: str
    told: str
    why_not: str = ""


def continuations(fight: Fight, text: str) -> list[Continuation]:
    """The words that may stand next in a line that begins so: those that can be given first, then those that cannot
    and why. What has been begun at its end is part of each.
    """
    if text.count('"') % 2:
        return []
    order = text.rpartition(";")[2].lstrip()
    before, _, begun = order.rpartition(" ")
    begun = begun.lower()
    try:
        found = list(_next(fight, before.strip()))
    except MamError:
        return []
    return sorted((one for one in found if one.word.startswith(begun)), key=lambda one: bool(one.why_not))


def _next(fight: Fight, before: str) -> Iterator[Continuation]:
    if not before:
        yield from _orders(fight, "")
        yield from _people(fight)
        return
    written = orders_in(before)[0]
    if not written.words:
        return
    said = meant(fight, written)
    if isinstance(said, Meant) and said.do == "join":
        yield from (Continuation(f"{name}=", shape.told) for name, shape in shapes(COMMANDS["join"]).items())
        return
    if isinstance(said, Begins):
        yield from _orders(fight, said.combatant)
        return
    yield from _words(fight, said)


def _orders(fight: Fight, actor: str) -> Iterator[Continuation]:
    """Every order of the edition, each with who may give it, or why nobody may."""
    mover = actor or whose_move(fight.state)
    for do, kind in COMMANDS.items():
        if do not in fight.orders:
            continue
        told = (kind.__doc__ or "").split("\n")[0]
        offers = fight.offers(do)
        mine = [offer for offer in offers if offer.combatant in (mover, "")] or list(offers)
        if any(offer.status == "allowed" for offer in offers if not actor or offer.combatant in (actor, "")):
            yield Continuation(do, told)
        elif mine:
            yield Continuation(do, told, next((no.sentence for no in mine if no.status == "blocked"), ""))
    for word, (do, _, _) in fight.verbs.items():
        if fight.allowed(do, actor):
            yield Continuation(word.replace("_", "-"), f"{do}: {word.replace('_', ' ')}")


def _people(fight: Fight) -> Iterator[Continuation]:
    next_up = fight.state.next_up
    for name, one in fight.state.combatants.items():
        told = "begins" if name == next_up and not fight.state.turn else one.name
        yield Continuation(name, told, f"{one.name} is {one.condition}." if one.gone else "")


def _words(fight: Fight, said: Meant) -> Iterator[Continuation]:
    """The words behind an order: names and choices for what is not said yet, numbers with their ranges."""
    actor = actor_of(fight, said.do, said.actor)
    filling = Filling(fight, said.do, actor, dict(said.preset))
    for word in said.rest:
        filling.take(word)
    offered = {field.name: field for template in fight.allowed(said.do, actor) for field in template.fields}
    own = actor_field(COMMANDS[said.do])
    for name, shape in shapes(COMMANDS[said.do]).items():
        if name in (own, "visibility", "situation") or (name in filling.fields and not shape.several):
            continue
        yield from _of_field(filling, name, shape, offered.get(name))


def _of_field(filling: Filling, name: str, shape: Shape, offered: Field | None) -> Iterator[Continuation]:
    fight, do, actor = filling.fight, filling.do, filling.actor
    bounded = offered is not None and not offered.free and offered.choices is not None and not shape.several
    legal = fight.choices(do, actor, name) if bounded else None
    for word in filling.pool(name, shape):
        if shape.kind is bool:
            yield Continuation(word, shape.told)
            continue
        called = _named(fight, actor, word)
        no = f"{called} cannot be {name.replace('_', ' ')} now." if legal is not None and word not in legal else ""
        yield Continuation(word, f"{name.replace('_', ' ')}: {called}", no)
    letter = next((letter for letter, names in LETTERS.items() if name in names), "")
    if letter and offered is not None and offered.high != 0:
        yield Continuation(letter, f"{name.replace('_', ' ')}{_range(offered)}, as {letter}{offered.high or 1}")


def _named(fight: Fight, actor: str, word: str) -> str:
    if person := fight.person(word):
        return person.name
    me = fight.person(actor)
    thing = next((thing for thing in me.things if thing.id == word), None) if me else None
    return thing.name or word if thing else word.replace("_", " ")


def _range(field: Field) -> str:
    """The numbers that a field may be: ` 0 to 4`."""
    if field.low is None and field.high is None:
        return ""
    return f" {field.low or 0} to {field.high}" if field.high is not None else f" {field.low} or more"

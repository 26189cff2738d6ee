"""The doings and burdens of everybody just now, beside the pools: the same words on every screen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from mam_events.state.updates import ON_THE_GROUND
from projections.phrases import called, counted, signed

if TYPE_CHECKING:
    from mam_events.state import Combatant, Encounter
    from projections.visibility.redaction import Screen


class Doing(Struct, frozen=True, gc=False, omit_defaults=True):
    """One thing that somebody does or bears: `what` it is, in `words`, with `whom` (an id, "" for nobody, or for
    somebody the view may not know of), and with which `thing` or hold (an id).
    """

    what: str
    words: str
    whom: str = ""
    thing: str = ""


Doings = Mapping[str, tuple[Doing, ...]]
"""By the id of everybody who does or bears anything, what that is."""

_WITH = {
    "clinch": "in a clinch with",
    "ground_fighting": "fights on the ground with",
    "dominant_standing": "dominant in a clinch with",
    "dominant_on_ground": "dominant on the ground over",
}
_GRIPS = {"hold": ("holds", "held"), "choke": ("chokes", "choked"), "wrench": ("wrenches", "wrenched")}
HOLDING = frozenset(holds for holds, _ in _GRIPS.values())
HELD = frozenset(held for _, held in _GRIPS.values())
"""The doings and burdens at both ends of a hold."""
_EFFECTS = {
    "evasion": "evades",
    "opening_evasion": "evades",
    "cautious": "on guard",
    "resting": "rests",
    "manipulation": "hampered",
}
"""The words for an effect, by its source."""


def doings(state: Encounter, screen: Screen) -> dict[str, tuple[Doing, ...]]:
    """The doings of everybody whom the view may know of; whoever does nothing, or is out of the fight, is left out.

    What hampers somebody is seen, but not by whom that the view may not know of; what is done to somebody unseen, or
    together with one, is not told.
    """
    seen = {who.id: who for who in screen.combatants(state)}
    # One pass over what others do to somebody, not one for everybody.
    borne: dict[str, list[Doing]] = {}
    for other in state.combatants.values():
        for whom, done in _to_others(other, known=other.id in seen):
            borne.setdefault(whom, []).append(done)
    found = {
        name: (*_of_its_own(who, seen, screen), *borne.get(name, ())) for name, who in seen.items() if not who.gone
    }
    return {name: done for name, done in found.items() if done}


def doing_words(done: tuple[Doing, ...]) -> str:
    """All of it in a few words: `on the ground, held by Rat (hold-13)`; "" for nothing."""
    return ", ".join(one.words for one in done)


def difference(before: Encounter, after: Encounter, screen: Screen) -> dict[str, str]:
    """The doings in the one state and not in the other, in words: `no longer` and `then`; without what is alike."""
    was, now = doings(before, screen), doings(after, screen)
    told = {"no longer": _beyond(was, now, before), "then": _beyond(now, was, after)}
    return {when: words for when, words in told.items() if words}


def _beyond(more: Doings, less: Doings, state: Encounter) -> str:
    return "; ".join(
        f"{state.combatants[name].name} {one.words}"
        for name, done in more.items()
        for one in done
        if one not in less.get(name, ())
    )


def _to_others(who: Combatant, *, known: bool) -> Iterator[tuple[str, Doing]]:
    """The doing of somebody to others, as these bear it."""
    if who.status.mount and known:
        yield who.status.mount, Doing("ridden", f"ridden by {who.name}", who.id)
    for grapple in who.grapples:
        _, held = _GRIPS[grapple.kind]
        if grapple.held and known:
            yield grapple.held, Doing(held, f"{held} by {who.name} ({grapple.id})", who.id, grapple.id)
        elif grapple.held:
            yield grapple.held, Doing(held, held)


def _of_its_own(who: Combatant, seen: Mapping[str, Combatant], screen: Screen) -> Iterator[Doing]:
    yield from _position(who, seen)
    yield from _riding(who, seen)
    yield from _with_things(who)
    if who.status.prepared:
        yield Doing("prepared", "waits to strike back")
    for effect in who.status.effects:
        if effect.value:
            source = effect.source if effect.rule else screen.text(effect.source)
            yield Doing(source, f"{_EFFECTS.get(source, source)} ({signed(effect.value)})")
    yield from _held(who, seen)


def _with_things(who: Combatant) -> Iterator[Doing]:
    status = who.status
    if status.aims:
        with_what = f" the {called(who, status.aiming)}" if status.aiming else ""
        yield Doing("aims", f"aims{with_what}", thing=status.aiming)
    if status.drawn:
        yield Doing("bow_drawn", f"holds the {called(who, status.drawn)} drawn", thing=status.drawn)
    if status.heaving:
        yield Doing("heaves", f"has begun to heave the {called(who, status.heaving)}", thing=status.heaving)
    yield from (
        Doing("loads", f"is loading the {weapon.name} ({counted(weapon.winding, 'turn')} to go)", thing=weapon.id)
        for weapon in who.weapons
        if weapon.winding
    )


def _held(who: Combatant, seen: Mapping[str, Combatant]) -> Iterator[Doing]:
    """Those whom somebody holds, and who holds somebody down."""
    for grapple in who.grapples:
        holds, _ = _GRIPS[grapple.kind]
        if grapple.held in seen:
            yield Doing(holds, f"{holds} {seen[grapple.held].name} ({grapple.id})", grapple.held, grapple.id)
        elif not grapple.held:
            yield Doing(holds, f"{holds} on ({grapple.id})", thing=grapple.id)
    if holders := who.status.held_down_by:
        known = [seen[holder] for holder in holders if holder in seen]
        yield from (Doing("held_down", f"held down by {holder.name}", holder.id) for holder in known)
        if not known:
            yield Doing("held_down", "held down")


def _position(who: Combatant, seen: Mapping[str, Combatant]) -> Iterator[Doing]:
    position, partner = who.status.position, seen.get(who.status.grappling)
    if position in _WITH and partner:
        yield Doing(position, f"{_WITH[position]} {partner.name}", partner.id)
    elif position in ON_THE_GROUND:
        yield Doing("on_ground", "on the ground")


def _riding(who: Combatant, seen: Mapping[str, Combatant]) -> Iterator[Doing]:
    mount, saddle = seen.get(who.status.mount), who.status.saddle
    if not mount:
        return
    yield Doing("rides", f"rides {mount.name}", mount.id)
    if saddle.riding:
        yield Doing("owes_riding", "must roll to stay mounted", mount.id)
    if saddle.handling:
        yield Doing("owes_handling", f"must roll to hold {mount.name}", mount.id)

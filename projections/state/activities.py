"""Current activities and conditions of each combatant, in the same words everywhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from mam_events.state.updates import ON_THE_GROUND
from projections.phrases import count_words, weapon_name, with_sign

if TYPE_CHECKING:
    from mam_events.state import Combatant, Encounter
    from projections.visibility.redaction import Redactor


class Activity(Struct, frozen=True, gc=False, omit_defaults=True):
    """An activity or condition of a combatant: `what` it is, in `words`, with `whom` and with which `thing`.

    `whom` is an id ("": nobody, or somebody hidden), `thing` is the id of a thing or a hold.
    """

    what: str
    words: str
    whom: str = ""
    thing: str = ""


Activities = Mapping[str, tuple[Activity, ...]]
"""The activities and conditions of combatants, by id; combatants without any are left out."""

_WITH = {
    "clinch": "in a clinch with",
    "ground_fighting": "fights on the ground with",
    "dominant_standing": "dominant in a clinch with",
    "dominant_on_ground": "dominant on the ground over",
}
_GRIPS = {"hold": ("holds", "held"), "choke": ("chokes", "choked"), "wrench": ("wrenches", "wrenched")}
_EFFECTS = {
    "evasion": "evades",
    "opening_evasion": "evades",
    "cautious": "on guard",
    "resting": "rests",
    "manipulation": "hampered",
}
"""The words for an effect, by its source."""


def activities(state: Encounter, redactor: Redactor) -> dict[str, tuple[Activity, ...]]:
    """Return the activities of all visible combatants, without those who have none or are out of the fight.

    Conditions caused by somebody hidden show without their name. Activities with or against somebody hidden are left
    out.
    """
    visible = {who.id: who for who in redactor.combatants(state)}
    # One pass over everybody, rather than one for each combatant.
    borne: dict[str, list[Activity]] = {}
    for other in state.combatants.values():
        for whom, done in _to_others(other, is_visible=other.id in visible):
            borne.setdefault(whom, []).append(done)
    rows = {
        name: (*_of_its_own(who, visible, redactor), *borne.get(name, ()))
        for name, who in visible.items()
        if not who.is_gone
    }
    return {name: done for name, done in rows.items() if done}


def doing_words(done: tuple[Activity, ...]) -> str:
    """Return activities in a few words: `on the ground, held by Rat (hold-13)`; "" for none."""
    return ", ".join(one.words for one in done)


def activity_difference(before: Encounter, after: Encounter, redactor: Redactor) -> dict[str, str]:
    """Return the activities that differ between two states, in words, as `no longer` and `then`."""
    was, now = activities(before, redactor), activities(after, redactor)
    differences = {"no longer": _beyond(was, now, before), "then": _beyond(now, was, after)}
    return {when: words for when, words in differences.items() if words}


def _beyond(more: Activities, less: Activities, state: Encounter) -> str:
    return "; ".join(
        f"{state.combatants[name].name} {one.words}"
        for name, done in more.items()
        for one in done
        if one not in less.get(name, ())
    )


def _to_others(who: Combatant, *, is_visible: bool) -> Iterator[tuple[str, Activity]]:
    """Yield what a combatant does to others, as a condition of each of them."""
    if who.status.mount and is_visible:
        yield who.status.mount, Activity("ridden", f"ridden by {who.name}", who.id)
    for grapple in who.grapples:
        _, grip = _GRIPS[grapple.kind]
        if grapple.held and is_visible:
            yield grapple.held, Activity(grip, f"{grip} by {who.name} ({grapple.id})", who.id, grapple.id)
        elif grapple.held:
            yield grapple.held, Activity(grip, grip)


def _of_its_own(who: Combatant, visible: Mapping[str, Combatant], redactor: Redactor) -> Iterator[Activity]:
    yield from _position(who, visible)
    yield from _riding(who, visible)
    yield from _with_things(who)
    if who.status.prepared:
        yield Activity("prepared", "waits to strike back")
    for effect in who.status.effects:
        if effect.value:
            source = effect.source if effect.rule else redactor.text(effect.source)
            yield Activity(source, f"{_EFFECTS.get(source, source)} ({with_sign(effect.value)})")
    yield from _held(who, visible)


def _with_things(who: Combatant) -> Iterator[Activity]:
    status = who.status
    if status.aims:
        with_what = f" the {weapon_name(who, status.aiming)}" if status.aiming else ""
        yield Activity("aims", f"aims{with_what}", thing=status.aiming)
    if status.drawn:
        yield Activity("bow_drawn", f"holds the {weapon_name(who, status.drawn)} drawn", thing=status.drawn)
    if status.heaving:
        yield Activity("heaves", f"has begun to heave the {weapon_name(who, status.heaving)}", thing=status.heaving)
    yield from (
        Activity(
            "loads", f"is loading the {weapon.name} ({count_words(weapon.winding, 'turn')} to go)", thing=weapon.id
        )
        for weapon in who.weapons
        if weapon.winding
    )


def _held(who: Combatant, visible: Mapping[str, Combatant]) -> Iterator[Activity]:
    """Yield whom a combatant holds, and who holds them down."""
    for grapple in who.grapples:
        holds, _ = _GRIPS[grapple.kind]
        if grapple.held in visible:
            yield Activity(holds, f"{holds} {visible[grapple.held].name} ({grapple.id})", grapple.held, grapple.id)
        elif not grapple.held:
            yield Activity(holds, f"{holds} on ({grapple.id})", thing=grapple.id)
    if holders := who.status.held_down_by:
        combatants = [visible[holder] for holder in holders if holder in visible]
        yield from (Activity("held_down", f"held down by {holder.name}", holder.id) for holder in combatants)
        if not combatants:
            yield Activity("held_down", "held down")


def _position(who: Combatant, visible: Mapping[str, Combatant]) -> Iterator[Activity]:
    position, partner = who.status.position, visible.get(who.status.grappling)
    if position in _WITH and partner:
        yield Activity(position, f"{_WITH[position]} {partner.name}", partner.id)
    elif position in ON_THE_GROUND:
        yield Activity("on_ground", "on the ground")


def _riding(who: Combatant, visible: Mapping[str, Combatant]) -> Iterator[Activity]:
    mount, saddle = visible.get(who.status.mount), who.status.saddle
    if not mount:
        return
    yield Activity("rides", f"rides {mount.name}", mount.id)
    if saddle.riding:
        yield Activity("owes_riding", "must roll to stay mounted", mount.id)
    if saddle.handling:
        yield Activity("owes_handling", f"must roll to hold {mount.name}", mount.id)

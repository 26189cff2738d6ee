"""Sentences about shooting and throwing, and the words for attacks and their terms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mam_events import commands as c
from mam_events import events as e
from mam_events.values import metres_words
from projections.phrases import capitalize, count_words, join_words
from projections.sentences.words import weapon_words

if TYPE_CHECKING:
    from mam_events.state import Terms
    from projections.rulings.index import RulingContext
    from projections.sentences.types import Clauses, Parts, Sentences

THROWS = {"quick": "throws", "powerful": "hurls", "heave": "heaves"}
LIGHT = {"very_dim": "in very dim light", "total_darkness": "in total darkness"}


def attack_words(
    attack: c.Attack | e.AttackDeclared, terms: c.Attack | Terms, scene: RulingContext, *, shot: bool
) -> str:
    """Return who attacks whom, with what and how: `Lin shoots at Clone with the Longbow`."""
    name, whom = scene.name(attack.attacker), scene.target_name(attack.target)
    thing = scene.thing(attack.attacker, attack.weapon)
    if terms.thrown:
        return f"{name} {THROWS[terms.thrown]} the {thing} at {whom}"
    plain, special = (
        ("shoots at", f"takes a {terms.mode} shot at") if shot else ("attacks", f"makes a {terms.mode} attack on")
    )
    return f"{name} {plain if terms.mode == 'quick' else special} {whom} {weapon_words(thing)}"


def terms_words(terms: c.Attack | Terms) -> list[str]:
    """Return the terms of an attack, each in a few words: `42 m away`, `in total darkness`."""
    words = ["at double power"] if terms.double_power else []
    if terms.distance is not None:
        words.append(f"{metres_words(terms.distance)} away")
    if terms.from_above:
        words.append("from above")
    if terms.light in LIGHT:
        worth = "" if terms.darkness is None else f" ({terms.darkness:+d})"
        words.append(LIGHT[terms.light] + worth)
    if terms.blind:
        words.append("blind")
    if terms.circumstance:
        words.append(f"under {join_words([word.replace('_', ' ') for word in terms.circumstance])} circumstances")
    return words


def _bow_lowered(event: e.BowLowered, scene: RulingContext) -> str:
    name, bow = scene.name(event.combatant), scene.thing(event.combatant, event.weapon)
    return {
        "": f"{name} lets the {bow} down.",
        "fell": f"{name} falls and lets the {bow} go slack.",
        "lost": f"The {bow} has left {name}'s hands and goes slack.",
    }[event.cause]


def _loaded(event: e.WeaponLoaded, scene: RulingContext) -> str:
    name, weapon = scene.name(event.combatant), scene.thing(event.combatant, event.weapon)
    if event.turns_left:
        return f"{name} is loading the {weapon}: {count_words(event.turns_left, 'turn')} to go."
    return f"{name} loads the {weapon}: {count_words(event.loaded, 'shot')} in it."


def _shot_fired(event: e.ShotFired, scene: RulingContext) -> str:
    remaining = count_words(event.loaded, "shot") if event.loaded else "no shot"
    return f"{scene.name(event.combatant)}'s {scene.thing(event.combatant, event.weapon)} has {remaining} left."


def _thrown(event: e.WeaponThrown, scene: RulingContext) -> str:
    name, thing = scene.name(event.combatant), scene.thing(event.combatant, event.weapon)
    lost = f"; that costs {name} the next turn" if event.lost_turn else ""
    return f"{capitalize(f'the {thing}')} has left {name}'s hand{lost}."


SENTENCES: Sentences = {
    e.BowDrawn: "{combatant} draws the {weapon:thing} and holds it drawn.",
    e.BowFired: "{combatant} has shot the {weapon:thing}.",
    e.BowLowered: _bow_lowered,
    e.WeaponLoaded: _loaded,
    e.WeaponUnloaded: "{combatant} unloads the {weapon:thing}.",
    e.ShotFired: _shot_fired,
    e.WeaponThrown: _thrown,
    e.HeaveBegun: "{combatant} begins to heave the {weapon:thing}.",
    e.HeaveInterrupted: "{combatant} does not get to heave the {weapon:thing}: {why:why}",
}
CLAUSES: Clauses = {
    c.DrawBow: "{combatant} draws the {weapon:thing}",
    c.LowerBow: "{combatant} lets the drawn bow down",
    c.Load: "{combatant} loads the {weapon:thing}",
    c.Unload: "{combatant} unloads the {weapon:thing}",
    c.BeginHeave: "{combatant} begins to heave the {thing:thing}",
}
PARTS: Parts = {
    # The attack itself implies these.
    e.BowFired: "",
    e.ShotFired: "",
    e.WeaponThrown: "",
}

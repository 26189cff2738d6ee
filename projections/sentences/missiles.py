"""Sentences about what is shot or thrown, and the words for how an attack is made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mam_events import commands as c
from mam_events import events as e
from mam_events.values import metres_words
from projections.sentences.brief import silent
from projections.sentences.words import weapon_words
from projections.wording import capitalised, counted, ended, listed

if TYPE_CHECKING:
    from mam_events.state import Terms
    from projections.casebook import Scene
    from projections.sentences.tables import Clauses, Parts, Sentences

THROWS = {"quick": "throws", "powerful": "hurls", "heave": "heaves"}
LIGHT = {"very_dim": "in very dim light", "total_darkness": "in total darkness"}


def attack_words(attack: c.Attack | e.AttackDeclared, terms: c.Attack | Terms, scene: Scene, *, shot: bool) -> str:
    """The attack: who attacks whom with what, and how: `Lin shoots at Clone with the Longbow`."""
    name, whom = scene.name(attack.attacker), scene.name(attack.target)
    thing = scene.thing(attack.attacker, attack.weapon)
    if terms.thrown:
        return f"{name} {THROWS[terms.thrown]} the {thing} at {whom}"
    plain, special = (
        ("shoots at", f"takes a {terms.mode} shot at") if shot else ("attacks", f"makes a {terms.mode} attack on")
    )
    return f"{name} {plain if terms.mode == 'quick' else special} {whom} {weapon_words(thing)}"


def terms_words(terms: c.Attack | Terms) -> list[str]:
    """Under what terms an attack is made, a few words for each: `42 m away`, `in total darkness`."""
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
        words.append(f"under {listed([word.replace('_', ' ') for word in terms.circumstance])} circumstances")
    return words


def _bow_drawn(event: e.BowDrawn, scene: Scene) -> str:
    return f"{scene.name(event.combatant)} draws the {scene.thing(event.combatant, event.weapon)} and holds it drawn."


def _bow_fired(event: e.BowFired, scene: Scene) -> str:
    return f"{scene.name(event.combatant)} has shot the {scene.thing(event.combatant, event.weapon)}."


def _bow_lowered(event: e.BowLowered, scene: Scene) -> str:
    name, bow = scene.name(event.combatant), scene.thing(event.combatant, event.weapon)
    return {
        "": f"{name} lets the {bow} down.",
        "fell": f"{name} falls and lets the {bow} go slack.",
        "lost": f"The {bow} has left {name}'s hands and goes slack.",
    }[event.cause]


def _loaded(event: e.WeaponLoaded, scene: Scene) -> str:
    name, weapon = scene.name(event.combatant), scene.thing(event.combatant, event.weapon)
    if event.turns_left:
        return f"{name} is loading the {weapon}: {counted(event.turns_left, 'turn')} to go."
    return f"{name} loads the {weapon}: {counted(event.loaded, 'shot')} in it."


def _unloaded(event: e.WeaponUnloaded, scene: Scene) -> str:
    return f"{scene.name(event.combatant)} unloads the {scene.thing(event.combatant, event.weapon)}."


def _shot_fired(event: e.ShotFired, scene: Scene) -> str:
    left = counted(event.loaded, "shot") if event.loaded else "no shot"
    return f"{scene.name(event.combatant)}'s {scene.thing(event.combatant, event.weapon)} has {left} left."


def _thrown(event: e.WeaponThrown, scene: Scene) -> str:
    name, thing = scene.name(event.combatant), scene.thing(event.combatant, event.weapon)
    lost = f"; that costs {name} the next turn" if event.lost_turn else ""
    return f"{capitalised(f'the {thing}')} has left {name}'s hand{lost}."


def _heave_begun(event: e.HeaveBegun, scene: Scene) -> str:
    return f"{scene.name(event.combatant)} begins to heave the {scene.thing(event.combatant, event.weapon)}."


def _heave_interrupted(event: e.HeaveInterrupted, scene: Scene) -> str:
    name, thing = scene.name(event.combatant), scene.thing(event.combatant, event.weapon)
    return ended(f"{name} does not get to heave the {thing}: {event.why}")


def _draw_order(command: c.DrawBow, scene: Scene) -> str:
    return f"{scene.name(command.combatant)} draws the {scene.thing(command.combatant, command.weapon)}"


def _lower_order(command: c.LowerBow, scene: Scene) -> str:
    return f"{scene.name(command.combatant)} lets the drawn bow down"


def _load_order(command: c.Load, scene: Scene) -> str:
    return f"{scene.name(command.combatant)} loads the {scene.thing(command.combatant, command.weapon)}"


def _unload_order(command: c.Unload, scene: Scene) -> str:
    return f"{scene.name(command.combatant)} unloads the {scene.thing(command.combatant, command.weapon)}"


def _heave_order(command: c.BeginHeave, scene: Scene) -> str:
    return f"{scene.name(command.combatant)} begins to heave the {scene.thing(command.combatant, command.thing)}"


SENTENCES: Sentences = {
    e.BowDrawn: _bow_drawn,
    e.BowFired: _bow_fired,
    e.BowLowered: _bow_lowered,
    e.WeaponLoaded: _loaded,
    e.WeaponUnloaded: _unloaded,
    e.ShotFired: _shot_fired,
    e.WeaponThrown: _thrown,
    e.HeaveBegun: _heave_begun,
    e.HeaveInterrupted: _heave_interrupted,
}
CLAUSES: Clauses = {
    c.DrawBow: _draw_order,
    c.LowerBow: _lower_order,
    c.Load: _load_order,
    c.Unload: _unload_order,
    c.BeginHeave: _heave_order,
}
PARTS: Parts = {
    # That an arrow is gone once it was shot goes without saying.
    e.BowFired: silent,
    e.ShotFired: silent,
    e.WeaponThrown: silent,
}

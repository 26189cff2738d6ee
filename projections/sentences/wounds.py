"""Sentences about injuries, and reserves that are too small."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mam_events import events as e
from projections.phrases import because_of, from_pools, join_words, points
from projections.sentences.words import wound_words
from projections.state.pools import spends_points

if TYPE_CHECKING:
    from projections.rulings.index import RulingContext
    from projections.sentences.types import Parts, Sentences

SHORTFALLS = {
    "player_choice": "something must be dropped or let go",
    "must_drop_equipment": "something must be dropped",
    "refill_first": "the next points go there",
    "hold_breaks": "a hold breaks",
    "hold_weakens": "a hold weakens",
}


def _wounded(event: e.WoundInflicted, scene: RulingContext) -> str:
    drained = from_pools([(name, getattr(event.drained, name)) for name in ("ready", "defense", "other_used")])
    # Without spent points there is only one place that they can come from.
    rest = [f": {drained}" if drained and spends_points(scene.ruling.after) else ""]
    if event.overflow:
        rest.append(f"; {points(event.overflow)} from stun to damage")
    if event.lost:
        rest.append(f"; {points(event.lost)} more than was left")
    amounts = join_words(
        [f"{count} {name}" for name, count in (("stun", event.stun), ("damage", event.damage)) if count]
    )
    return f"{scene.name(event.combatant)} takes {amounts}{''.join(rest)}."


def _incapacitated(event: e.CombatantIncapacitated, scene: RulingContext) -> str:
    name = scene.name(event.combatant)
    if event.through:
        return f"{scene.name(event.through)} leaves {name} unable to act{because_of(event.cause)}"
    return f"{name} is down and cannot act{because_of(event.cause)}"


def _reserve_short(event: e.ReserveShort, scene: RulingContext) -> str:
    short = f"{points(event.shortfall)} short of what is carried and held"
    return f"{scene.name(event.combatant)}'s other used is {short}: {SHORTFALLS[event.consequence]}."


def _wound_part(event: e.WoundInflicted, scene: RulingContext) -> str:
    root = scene.action(event.exchange)
    # The target of the attack needs no name.
    name = "" if root and root.target == event.combatant else f"{scene.name(event.combatant)} "
    amounts = [f"{name}{wound_words(event)}"]
    if event.overflow:
        amounts.append(f"{event.overflow} stun turned to damage")
    if event.lost:
        amounts.append(f"{event.lost} more than was left")
    return ", ".join(amounts)


SENTENCES: Sentences = {
    e.WoundInflicted: _wounded,
    e.CombatantIncapacitated: _incapacitated,
    e.CombatantDied: "{combatant} dies: every point is damage.",
    e.CombatantRecovered: "{combatant} is up again{reason:because}",
    e.ReserveShort: _reserve_short,
    e.GrappleWeakened: "{combatant}'s {grapple:hold} weakens to {points:point}, {modifier:+}.",
    e.GrappleReleased: "{combatant} lets go of {grapple:held}.",
}
PARTS: Parts = {
    e.WoundInflicted: _wound_part,
    e.CombatantIncapacitated: "{combatant} is down",
    e.CombatantDied: "{combatant} dies",
}

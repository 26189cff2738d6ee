"""Sentences about injury, and reserves that no longer fit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mam_events import events as e
from projections.pools import spends_points
from projections.sentences.words import wound_words
from projections.wording import because_of, ended, from_pools, listed, points, signed

if TYPE_CHECKING:
    from projections.casebook import Scene
    from projections.sentences.tables import Parts, Sentences

SHORTFALLS = {
    "player_choice": "something must be dropped or let go",
    "must_drop_equipment": "something must be dropped",
    "refill_first": "the next points fill it up",
    "hold_breaks": "a hold breaks",
    "hold_weakens": "a hold weakens",
}


def _wounded(fact: e.WoundInflicted, scene: Scene) -> str:
    drained = from_pools([(name, getattr(fact.drained, name)) for name in ("ready", "defense", "other_used")])
    # Where no points are spent, all of them lie in one place.
    rest = [f": {drained}" if drained and spends_points(scene.ruling.after) else ""]
    if fact.overflow:
        rest.append(f"; {points(fact.overflow)} from stun to damage")
    if fact.lost:
        rest.append(f"; {points(fact.lost)} beyond what was left")
    amounts = listed([f"{count} {name}" for name, count in (("stun", fact.stun), ("damage", fact.damage)) if count])
    return f"{scene.name(fact.combatant)} takes {amounts}{''.join(rest)}."


def _incapacitated(fact: e.CombatantIncapacitated, scene: Scene) -> str:
    name = scene.name(fact.combatant)
    if fact.through:
        return ended(f"{scene.name(fact.through)} leaves {name} unable to act{because_of(fact.cause)}")
    return ended(f"{name} is down and cannot act{because_of(fact.cause)}")


def _died(fact: e.CombatantDied, scene: Scene) -> str:
    return f"{scene.name(fact.combatant)} dies: every point is damage."


def _recovered(fact: e.CombatantRecovered, scene: Scene) -> str:
    return ended(f"{scene.name(fact.combatant)} is up again{because_of(fact.reason)}")


def _reserve_short(fact: e.ReserveShort, scene: Scene) -> str:
    short = f"{points(fact.shortfall)} short of what is carried and held"
    return f"{scene.name(fact.combatant)}'s other used is {short}: {SHORTFALLS[fact.consequence]}."


def _hold_weakened(fact: e.GrappleWeakened, scene: Scene) -> str:
    left = f"{points(fact.points)}, {signed(fact.modifier)}"
    return f"{scene.name(fact.combatant)}'s hold {fact.grapple} weakens to {left}."


def _hold_released(fact: e.GrappleReleased, scene: Scene) -> str:
    return f"{scene.name(fact.combatant)} lets go of the hold {fact.grapple}."


def _wound_part(fact: e.WoundInflicted, scene: Scene) -> str:
    root = scene.action(fact.exchange)
    # Only a wound that the target of the attack did not take needs a name.
    name = "" if root and root.target == fact.combatant else f"{scene.name(fact.combatant)} "
    amounts = [f"{name}{wound_words(fact)}"]
    if fact.overflow:
        amounts.append(f"{fact.overflow} stun turned to damage")
    if fact.lost:
        amounts.append(f"{fact.lost} beyond what was left")
    return ", ".join(amounts)


def _down_part(fact: e.CombatantIncapacitated, scene: Scene) -> str:
    return f"{scene.name(fact.combatant)} is down"


def _dead_part(fact: e.CombatantDied, scene: Scene) -> str:
    return f"{scene.name(fact.combatant)} dies"


SENTENCES: Sentences = {
    e.WoundInflicted: _wounded,
    e.CombatantIncapacitated: _incapacitated,
    e.CombatantDied: _died,
    e.CombatantRecovered: _recovered,
    e.ReserveShort: _reserve_short,
    e.GrappleWeakened: _hold_weakened,
    e.GrappleReleased: _hold_released,
}
PARTS: Parts = {
    e.WoundInflicted: _wound_part,
    e.CombatantIncapacitated: _down_part,
    e.CombatantDied: _dead_part,
}

"""Sentences about manipulations and holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mam_events import commands as c
from mam_events import events as e
from projections.phrases import because_of, join_words, points, with_sign
from projections.sentences.words import weapon_words

if TYPE_CHECKING:
    from projections.rulings.index import RulingContext
    from projections.sentences.types import Clauses, Parts, Sentences

AIMS = {
    "none": "",
    "disarm": "to disarm",
    "hold": "to hold",
    "choke": "to choke",
    "wrench": "to wrench a limb",
    "throw": "to throw",
}
HOLD_EFFECT_WORDS = {"hold": "held", "choke": "choked", "wrench": "wrenched"}
KINDS = {"hold": "a hold", "choke": "a choke", "wrench": "a wrench"}
ENDS = {
    "points_gone": "breaks",
    "escaped": "is shaken off",
    "interference": "is broken by the interference",
    "holder_down": "ends because its holder is down",
    "held_gone": "has nobody left to hold",
    "weapon_gone": "ends because its weapon is out of hand",
    "taken_anew": "gives way to the new one",
    "taken_up": "ends because what held has been picked up",
    "not_maintained": "ends because it was not kept up",
    "thrown": "ends with the throw",
}
"""The ends of holds in words, by cause."""


def _cost(event: e.ManipulationDeclared | e.TackleDeclared) -> str:
    """Return what the points of a manipulation were spent on; the rest went into moving.

    Returns "" if no points were spent.
    """
    costs = {"manipulating": event.manipulation.points, "power": event.power, "the modifier": event.modifier}
    rest = event.points - sum(costs.values())
    parts = [f"{count} on {what}" for what, count in (costs | {"moving": rest}).items() if count]
    return because_of(join_words(parts))


def _tackle_declared(event: e.TackleDeclared, scene: RulingContext) -> str:
    weapon = weapon_words(scene.thing(event.combatant, event.weapon))
    aim = _aim(event, scene)
    sentence = f"{scene.name(event.combatant)} tackles {scene.name(event.target)} {weapon}{f', {aim}' if aim else ''}"
    return f"{sentence}{_cost(event)}."


def _aim(event: e.ManipulationDeclared | e.TackleDeclared, scene: RulingContext) -> str:
    """Return the goal of a manipulation in words."""
    what = event.manipulation
    if what.follow_up == "disarm":
        return f"to take the {scene.thing(event.target, what.item)}"
    into = join_words([*([what.surface.name] if what.surface else []), *([scene.name(what.into)] if what.into else [])])
    return f"{AIMS[what.follow_up]} into {into}" if into else AIMS[what.follow_up]


def _declared(event: e.ManipulationDeclared, scene: RulingContext) -> str:
    what, cost = event.manipulation, _cost(event)
    if what.follow_up == "escape":
        return f"{scene.name(event.attacker)} tries to get out of {scene.name(event.target)}'s {what.item}{cost}."
    weapon = weapon_words(scene.thing(event.attacker, event.weapon))
    words = " ".join(filter(None, ("manipulates", scene.name(event.target), weapon, _aim(event, scene))))
    return f"{scene.name(event.attacker)} {words}{cost}."


def _resolved(event: e.ManipulationResolved, scene: RulingContext) -> str:
    name, target = scene.name(event.combatant), scene.name(event.target)
    if event.effective:
        return f"{name} gets the better of {target} by {event.advantage} ({event.modifier} against size {event.size})."
    return (
        f"{name} rolled well, but does not move {target}: the manipulation comes to {event.modifier}, which is not "
        f"more than {target}'s size of {event.size}."
    )


def _thrown(event: e.TargetThrown, scene: RulingContext) -> str:
    into = f" into {event.surface}" if event.surface else ""
    how = "lands flat" if event.lands == "prone" else "lands in a crouch"
    return f"{scene.name(event.by)} throws {scene.name(event.combatant)}{into}, who {how}."


def _body_struck(event: e.ThrownBodyStruck, scene: RulingContext) -> str:
    absorbed = f", {event.absorbed} absorbed" if event.absorbed else ""
    body, target = scene.name(event.thrown), scene.name(event.target)
    if event.outcome == "fail":
        return f"{body} is thrown past {target}{scene.because(event.why)}"
    return f"{body} is thrown into {target} with power {event.power}{absorbed}{scene.because(event.why)}"


def _established(event: e.GrappleEstablished, scene: RulingContext) -> str:
    grapple = event.grapple
    rules = scene.ruling.after.ruleset
    respends = rules is not None and rules.readings["hold_maintenance"] == "respend_each_round"
    price = f", {points(grapple.points)} each round" if respends else f", {points(grapple.points)} kept in it"
    cost = price if grapple.points else ""
    worth = f"{with_sign(-grapple.modifier)} on rolls" if grapple.modifier else "no penalty on rolls"
    hits = "" if grapple.kind == "hold" else f", power {grapple.power} each round"
    kind = KINDS[grapple.kind]
    return (
        f"{scene.name(event.combatant)} has {scene.name(grapple.held)} in {kind} ({grapple.id}): {worth}{hits}{cost}."
    )


def _squeezed(event: e.GrappleEffectApplied, scene: RulingContext) -> str:
    off = f", {event.absorbed} absorbed" if event.absorbed else ""
    name, target = scene.name(event.combatant), scene.name(event.target)
    return f"{name}'s {event.grapple} hits {target} with power {event.power}{off}."


def _broken(event: e.GrappleBroken, scene: RulingContext) -> str:
    return f"{scene.name(event.combatant)}'s {scene.hold(event.combatant, event.grapple)} {ENDS[event.cause]}."


def _manipulate_order(command: c.Manipulate, scene: RulingContext) -> str:
    words = (scene.name(command.attacker), "manipulates", scene.name(command.target), AIMS[command.follow_up])
    return " ".join(filter(None, words))


def _tackle_order(command: c.Tackle, scene: RulingContext) -> str:
    target = scene.action(command.action)
    whom = scene.name(target.combatant) if target else f"the one doing action {command.action}"
    return " ".join(filter(None, (scene.name(command.combatant), "tackles", whom, AIMS[command.follow_up])))


def _advantage_part(event: e.ManipulationResolved, scene: RulingContext) -> str:
    if event.effective:
        return f"by {event.advantage}"
    return f"rolled well, but {event.modifier} is not more than {scene.name(event.target)}'s size of {event.size}"


def _gripped_part(event: e.GrappleEstablished, scene: RulingContext) -> str:
    grapple = event.grapple
    worth = f", {with_sign(-grapple.modifier)} on rolls" if grapple.modifier else ""
    hits = "" if grapple.kind == "hold" else f", power {grapple.power}"
    return f"{scene.name(grapple.held)} is {HOLD_EFFECT_WORDS[grapple.kind]} ({grapple.id}){worth}{hits}"


SENTENCES: Sentences = {
    e.ManipulationDeclared: _declared,
    e.TackleDeclared: _tackle_declared,
    e.ManipulationResolved: _resolved,
    e.ManipulationPenaltyApplied: "{combatant}'s next combat roll takes {effect.value:+}.",
    e.TargetDisarmed: "{by} knocks the {weapon:thing} out of {combatant}'s hand.",
    e.TargetThrown: _thrown,
    e.ThrownBodyStruck: _body_struck,
    e.GrappleEstablished: _established,
    e.GrappleMaintained: "{combatant} keeps up the {grapple:hold}.",
    e.GrappleEffectApplied: _squeezed,
    e.GrappleBroken: _broken,
}
CLAUSES: Clauses = {
    c.Manipulate: _manipulate_order,
    c.Tackle: _tackle_order,
    c.Escape: "{combatant} tries to get out of {holder}'s {grapple:s}",
    c.MaintainGrapple: "{combatant} keeps up the {grapple:hold}",
    c.Release: "{combatant} lets go of {grapple:held}",
}
PARTS: Parts = {
    e.ManipulationResolved: _advantage_part,
    e.ManipulationPenaltyApplied: "next combat roll {effect.value:+}",
    e.GrappleEffectApplied: "",
    e.TargetDisarmed: "loses the {weapon:thing}",
    e.GrappleEstablished: _gripped_part,
}

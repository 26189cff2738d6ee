"""Sentences about manipulations and holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mam_events import commands as c
from mam_events import events as e
from projections.sentences.brief import silent
from projections.sentences.words import weapon_words
from projections.wording import because_of, ended, listed, points, signed

if TYPE_CHECKING:
    from projections.casebook import Scene
    from projections.sentences.tables import Clauses, Parts, Sentences

AIMS = {
    "none": "",
    "disarm": "to disarm",
    "hold": "to hold",
    "choke": "to choke",
    "wrench": "to wrench a limb",
    "throw": "to throw",
}
BORNE = {"hold": "held", "choke": "choked", "wrench": "wrenched"}
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
"""The end of a hold in words, by its cause."""


def _cost(fact: e.ManipulationDeclared | e.TackleDeclared) -> str:
    """The uses that the points of a manipulation were put to; what is left over was spent on moving.

    Nothing where none are spent.
    """
    spent = {"manipulating": fact.manipulation.points, "power": fact.power, "the modifier": fact.modifier}
    rest = fact.points - sum(spent.values())
    parts = [f"{count} on {what}" for what, count in (spent | {"moving": rest}).items() if count]
    return because_of(listed(parts))


def _tackle_declared(fact: e.TackleDeclared, scene: Scene) -> str:
    weapon = weapon_words(scene.thing(fact.combatant, fact.weapon))
    aim = _aim(fact, scene)
    said = f"{scene.name(fact.combatant)} tackles {scene.name(fact.target)} {weapon}{f', {aim}' if aim else ''}"
    return f"{said}{_cost(fact)}."


def _aim(fact: e.ManipulationDeclared | e.TackleDeclared, scene: Scene) -> str:
    """The goal of a manipulation, in words."""
    what = fact.manipulation
    if what.follow_up == "disarm":
        return f"to take the {scene.thing(fact.target, what.item)}"
    into = listed([*([what.surface.name] if what.surface else []), *([scene.name(what.into)] if what.into else [])])
    return f"{AIMS[what.follow_up]} into {into}" if into else AIMS[what.follow_up]


def _declared(fact: e.ManipulationDeclared, scene: Scene) -> str:
    what, cost = fact.manipulation, _cost(fact)
    if what.follow_up == "escape":
        return f"{scene.name(fact.attacker)} tries to get out of {scene.name(fact.target)}'s {what.item}{cost}."
    weapon = weapon_words(scene.thing(fact.attacker, fact.weapon))
    words = " ".join(filter(None, ("manipulates", scene.name(fact.target), weapon, _aim(fact, scene))))
    return f"{scene.name(fact.attacker)} {words}{cost}."


def _resolved(fact: e.ManipulationResolved, scene: Scene) -> str:
    name, target = scene.name(fact.combatant), scene.name(fact.target)
    if fact.effective:
        return f"{name} gets the better of {target} by {fact.advantage} ({fact.modifier} against size {fact.size})."
    return (
        f"{name} rolled well, but does not move {target}: the manipulation comes to {fact.modifier}, which is not more "
        f"than {target}'s size of {fact.size}."
    )


def _hampered(fact: e.ManipulationPenaltyApplied, scene: Scene) -> str:
    return f"{scene.name(fact.combatant)}'s next combat roll takes {signed(fact.effect.value)}."


def _disarmed(fact: e.TargetDisarmed, scene: Scene) -> str:
    weapon, whose = scene.thing(fact.combatant, fact.weapon), scene.name(fact.combatant)
    return f"{scene.name(fact.by)} knocks the {weapon} out of {whose}'s hand."


def _thrown(fact: e.TargetThrown, scene: Scene) -> str:
    into = f" into {fact.surface}" if fact.surface else ""
    how = "lands flat" if fact.lands == "prone" else "lands in a crouch"
    return f"{scene.name(fact.by)} throws {scene.name(fact.combatant)}{into}, who {how}."


def _body_struck(fact: e.ThrownBodyStruck, scene: Scene) -> str:
    absorbed = f", {fact.absorbed} absorbed" if fact.absorbed else ""
    thrown, target = scene.name(fact.thrown), scene.name(fact.target)
    if fact.outcome == "fail":
        return ended(f"{thrown} is thrown past {target}{because_of(fact.why)}")
    return ended(f"{thrown} is thrown into {target} with power {fact.power}{absorbed}{because_of(fact.why)}")


def _established(fact: e.GrappleEstablished, scene: Scene) -> str:
    grapple = fact.grapple
    rules = scene.ruling.after.ruleset
    anew = rules is not None and rules.readings["hold_maintenance"] == "respend_each_round"
    price = f", {points(grapple.points)} each round" if anew else f", {points(grapple.points)} kept in it"
    kept = price if grapple.points else ""
    worth = f"{signed(-grapple.modifier)} on rolls" if grapple.modifier else "no penalty on rolls"
    hits = "" if grapple.kind == "hold" else f", power {grapple.power} each round"
    kind = KINDS[grapple.kind]
    return f"{scene.name(fact.combatant)} has {scene.name(grapple.held)} in {kind} ({grapple.id}): {worth}{hits}{kept}."


def _maintained(fact: e.GrappleMaintained, scene: Scene) -> str:
    return f"{scene.name(fact.combatant)} keeps up the hold {fact.grapple}."


def _squeezed(fact: e.GrappleEffectApplied, scene: Scene) -> str:
    off = f", {fact.absorbed} absorbed" if fact.absorbed else ""
    return f"{scene.name(fact.combatant)}'s {fact.grapple} hits {scene.name(fact.target)} with power {fact.power}{off}."


def _broken(fact: e.GrappleBroken, scene: Scene) -> str:
    return f"{scene.name(fact.combatant)}'s hold {fact.grapple} {ENDS[fact.cause]}."


def _manipulate_order(command: c.Manipulate, scene: Scene) -> str:
    words = (scene.name(command.attacker), "manipulates", scene.name(command.target), AIMS[command.follow_up])
    return " ".join(filter(None, words))


def _tackle_order(command: c.Tackle, scene: Scene) -> str:
    target = scene.action(command.action)
    whom = scene.name(target.combatant) if target else f"whoever does action {command.action}"
    return " ".join(filter(None, (scene.name(command.combatant), "tackles", whom, AIMS[command.follow_up])))


def _escape_order(command: c.Escape, scene: Scene) -> str:
    return f"{scene.name(command.combatant)} tries to get out of {scene.name(command.holder)}'s {command.grapple}"


def _maintain_order(command: c.MaintainGrapple, scene: Scene) -> str:
    return f"{scene.name(command.combatant)} keeps up the hold {command.grapple}"


def _release_order(command: c.Release, scene: Scene) -> str:
    return f"{scene.name(command.combatant)} lets go of the hold {command.grapple}"


def _advantage_part(fact: e.ManipulationResolved, scene: Scene) -> str:
    if fact.effective:
        return f"by {fact.advantage}"
    return f"rolled well, but {fact.modifier} is not more than {scene.name(fact.target)}'s size of {fact.size}"


def _hampered_part(fact: e.ManipulationPenaltyApplied, _: Scene) -> str:
    return f"next combat roll {signed(fact.effect.value)}"


def _disarmed_part(fact: e.TargetDisarmed, scene: Scene) -> str:
    return f"loses the {scene.thing(fact.combatant, fact.weapon)}"


def _gripped_part(fact: e.GrappleEstablished, scene: Scene) -> str:
    grapple = fact.grapple
    worth = f", {signed(-grapple.modifier)} on rolls" if grapple.modifier else ""
    hits = "" if grapple.kind == "hold" else f", power {grapple.power}"
    return f"{scene.name(grapple.held)} is {BORNE[grapple.kind]} ({grapple.id}){worth}{hits}"


SENTENCES: Sentences = {
    e.ManipulationDeclared: _declared,
    e.TackleDeclared: _tackle_declared,
    e.ManipulationResolved: _resolved,
    e.ManipulationPenaltyApplied: _hampered,
    e.TargetDisarmed: _disarmed,
    e.TargetThrown: _thrown,
    e.ThrownBodyStruck: _body_struck,
    e.GrappleEstablished: _established,
    e.GrappleMaintained: _maintained,
    e.GrappleEffectApplied: _squeezed,
    e.GrappleBroken: _broken,
}
CLAUSES: Clauses = {
    c.Manipulate: _manipulate_order,
    c.Tackle: _tackle_order,
    c.Escape: _escape_order,
    c.MaintainGrapple: _maintain_order,
    c.Release: _release_order,
}
PARTS: Parts = {
    e.ManipulationResolved: _advantage_part,
    e.ManipulationPenaltyApplied: _hampered_part,
    e.GrappleEffectApplied: silent,
    e.TargetDisarmed: _disarmed_part,
    e.GrappleEstablished: _gripped_part,
}

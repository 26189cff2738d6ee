"""Sentences about exchanges: declarations, rolls and results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mam_events import commands as c
from mam_events import events as e
from projections.phrases import attack_points_split, because_of, join_words, points, with_sign
from projections.sentences.dice_text import HIT_WORDS, RESULTS
from projections.sentences.missiles import attack_words, terms_words
from projections.sentences.types import phrase_for
from projections.sentences.words import (
    ACTION_WORDS,
    ATTACK_WORDS,
    exchange_words,
    power_words,
    roll_sentence,
    weapon_words,
)
from projections.state.pools import spends_points

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mam_events.state import Action, AnnouncedOrder
    from projections.rulings.index import RulingContext
    from projections.sentences.types import Clauses, Parts, Sentences


def _how(event: e.AttackDeclared | e.CounterattackDeclared | e.InterferenceDeclared) -> str:
    """Return the terms of a strike and the split of its points, if it has points."""
    terms = "".join(f", {word}" for word in terms_words(event.terms))
    return f"{terms}: {attack_points_split(event.power, event.modifier)}" if event.power or event.modifier else terms


def _attack_declared(event: e.AttackDeclared, scene: RulingContext) -> str:
    return f"{attack_words(event, event.terms, scene, shot=event.terms.missile)}{_how(event)}."


_ORDERS: Mapping[str, str] = {
    "stand": "stand up",
    "ready-weapon": "take the {weapon} in hand",
    "draw-bow": "draw the {weapon}",
    "load": "load the {weapon}",
    "pick-up-item": "pick up the {item}",
    "mount": "mount {mount}",
    "dismount": "dismount",
}
"""The deeds of announced orders, in words."""


def _order_words(order: AnnouncedOrder, who: str, scene: RulingContext) -> str:
    return _ORDERS[order.do].format(
        weapon=scene.thing(who, order.weapon) if order.weapon else "",
        item=scene.thing(order.owner or who, order.item) if order.item else "",
        mount=scene.name(order.mount) if order.mount else "",
    )


def _action_declared(event: e.ActionDeclared, scene: RulingContext) -> str:
    free = "at no cost" if spends_points(scene.ruling.after) else ""
    cost = f"for {points(event.points)}" if event.points else free
    text = ", ".join(filter(None, (cost, with_sign(event.bonus) if event.bonus else "")))
    if event.order:
        about = _order_words(event.order, event.combatant, scene)
        return f"{scene.name(event.combatant)} is about to {about}{f' ({text})' if text else ''}."
    return f"{scene.name(event.combatant)} acts{f' ({text})' if text else ''}: {event.what}"


def _parry_declared(event: e.ParryDeclared, scene: RulingContext) -> str:
    weapon = weapon_words(scene.thing(event.combatant, event.weapon))
    parried = scene.action(event.against or event.exchange)
    aimed = parried is not None and parried.target == event.combatant
    whose = f" {scene.name(parried.combatant)}'s {_blow_word(parried)}" if parried and not aimed else ""
    return f"{scene.name(event.combatant)} parries{whose} {weapon}."


def _blow_word(action: Action) -> str:
    return {"interference": "tackle" if action.manipulation else "strike"}.get(action.kind, action.kind)


def _counterattack_declared(event: e.CounterattackDeclared, scene: RulingContext) -> str:
    weapon = weapon_words(scene.thing(event.combatant, event.weapon))
    whom = scene.name(event.target)
    return f"{scene.name(event.combatant)} counterattacks {whom} {weapon}{_how(event)}."


def _interference_declared(event: e.InterferenceDeclared, scene: RulingContext) -> str:
    name, whom = scene.name(event.combatant), scene.name(event.target)
    if event.strikes:
        weapon = weapon_words(scene.thing(event.combatant, event.weapon))
        return f"{name} strikes at {whom} {weapon} to interfere{_how(event)}."
    cost = points(event.points) if spends_points(scene.ruling.after) else ""
    text = ", ".join(filter(None, (cost, with_sign(event.bonus) if event.bonus else "")))
    return f"{name} interferes with {whom}{because_of(text)}."


def _interference_resolved(event: e.InterferenceResolved, scene: RulingContext) -> str:
    action, target = scene.action(event.action), scene.action(event.against)
    what = "parry" if action and action.kind == "parry" else "interference"
    what = "tackle" if action and action.manipulation else what
    whose = f"{scene.name(action.combatant)}'s {what}" if action else f"Interference {event.action}"
    whom = f" {'with' if what == 'interference' else 'of'} {scene.name(target.combatant)}" if target else ""
    return f"{whose}{whom} {ACTION_WORDS[event.outcome]}{scene.because(event.why)}"


def _counterattack_resolved(event: e.CounterattackResolved, scene: RulingContext) -> str:
    action = scene.action(event.action)
    if action and action.manipulation:
        return f"{scene.name(action.combatant)}'s tackle {ACTION_WORDS[event.outcome]}{scene.because(event.why)}"
    whose = f"{scene.name(action.combatant)}'s counterattack" if action else f"Counterattack {event.action}"
    power = "" if event.outcome == "fail" else f" with {power_words(event)}"
    return f"{whose} {ATTACK_WORDS[event.outcome]}{power}{scene.because(event.why)}"


def _attack_resolved(event: e.AttackResolved, scene: RulingContext) -> str:
    root = scene.action(event.exchange)
    if root and root.manipulation:
        return f"{exchange_words(event.exchange, scene)} {ACTION_WORDS[event.outcome]}{scene.because(event.why)}"
    power = "" if event.outcome == "fail" else f" with {power_words(event)}"
    return f"{exchange_words(event.exchange, scene)} {ATTACK_WORDS[event.outcome]}{power}{scene.because(event.why)}"


def _action_resolved(event: e.ActionResolved, scene: RulingContext) -> str:
    return f"{exchange_words(event.exchange, scene)} {ACTION_WORDS[event.outcome]}{scene.because(event.why)}"


def _attack_order(command: c.Attack, scene: RulingContext) -> str:
    attacker = scene.combatant(command.attacker)
    weapon = attacker.weapon(command.weapon) if attacker else None
    sentence = attack_words(command, command, scene, shot=weapon is not None and weapon.shoots)
    return "".join((sentence, *(f", {word}" for word in terms_words(command))))


def _interfere_order(command: c.Interfere, scene: RulingContext) -> str:
    target = scene.action(command.action)
    whom = scene.name(target.combatant) if target else f"action {command.action}"
    return f"{scene.name(command.combatant)} interferes with {whom}"


def _resolve_order(command: c.Resolve, scene: RulingContext) -> str:
    return f"{exchange_words(command.exchange, scene)} is resolved"


def _face_given(event: e.FaceGiven, scene: RulingContext) -> str:
    again = f" and then {event.confirmation}" if event.confirmation else ""
    return f"{scene.name(event.combatant)} throws {event.face}{again}{_roll_words(event)}."


def _roll_words(event: e.FaceGiven) -> str:
    """Return what a die is for: `to attack`, `for the armor`."""
    return {
        "interference": " to interfere",
        "attack": " to attack",
        "defense": " in defense",
        "into": " in defense against the thrown body",
        "armor": " for the armor",
    }[event.roll]


def _not_awaited(event: e.NotAwaited, scene: RulingContext) -> str:
    how = "does not wait" if isinstance(scene.ruling.command, c.Resolve) else "answers"
    return f"The game master {how} for {join_words([scene.name(one) for one in event.combatants])}."


def _not_awaited_part(event: e.NotAwaited, scene: RulingContext) -> str:
    if isinstance(scene.ruling.command, c.Resolve):
        return f"without waiting for {join_words([scene.name(one) for one in event.combatants])}"
    return phrase_for(SENTENCES, event, scene)


def _throw_order(command: c.ThrowDie, scene: RulingContext) -> str:
    who = scene.name(command.combatant)
    return f"{who} leaves the dice to be drawn" if command.die is None else f"{who} throws {command.die}"


def attack_part(event: e.AttackResolved, scene: RulingContext) -> str:
    """Return the outcome of an attack: `hit`, `half hit, no harm`."""
    root = scene.action(event.exchange)
    if root and root.manipulation:
        return "" if _is_in_vain(scene) else RESULTS[event.outcome]
    words = HIT_WORDS[event.outcome]
    hurt = any(isinstance(other, e.WoundInflicted) for other in scene.ruling.events)
    return words if event.outcome == "fail" or hurt else f"{words}, no harm"


def _is_in_vain(scene: RulingContext) -> bool:
    """Return True if a manipulation succeeded but cannot shift its target; another part of the line says so."""
    return any(isinstance(other, e.ManipulationResolved) and not other.effective for other in scene.ruling.events)


def _situation_part(event: e.SituationRuled, scene: RulingContext) -> str:
    # If the dice fall in the same ruling, the roll already shows it.
    has_roll = any(isinstance(other, e.RollMade) for other in scene.ruling.events)
    return "" if has_roll else phrase_for(SENTENCES, event, scene)


def _action_part(event: e.ActionResolved, _: RulingContext) -> str:
    return RESULTS[event.outcome]


def _counterattack_part(event: e.CounterattackResolved, scene: RulingContext) -> str:
    action = scene.action(event.action)
    if action and action.manipulation:
        return f"the tackle {ACTION_WORDS[event.outcome]}"
    return f"the counterattack {ATTACK_WORDS[event.outcome]}"


def _interference_part(event: e.InterferenceResolved, scene: RulingContext) -> str:
    action = scene.action(event.action)
    whose = scene.name(action.combatant) if action else f"action {event.action}"
    return f"{whose}: {RESULTS[event.outcome]}"


SENTENCES: Sentences = {
    e.ExchangeLeft: "Exchange {exchange} ends without a result.",
    e.AttackDeclared: _attack_declared,
    e.ActionDeclared: _action_declared,
    e.DefenseRaised: "{combatant} reacts: {points:point} from ready to defense.",
    e.ReactionPassed: "{combatant} lets it come.",
    e.FaceGiven: _face_given,
    e.DrawLeft: "{combatant} leaves the dice to be drawn.",
    e.NotAwaited: _not_awaited,
    e.SituationRuled: "{combatant} rolls with {value:+}: {why:s}.",
    e.ParryDeclared: _parry_declared,
    e.CounterattackDeclared: _counterattack_declared,
    e.InterferenceDeclared: _interference_declared,
    e.AttackRolled: roll_sentence,
    e.DefenseRolled: roll_sentence,
    e.ParryRolled: roll_sentence,
    e.CounterattackRolled: roll_sentence,
    e.InterferenceRolled: roll_sentence,
    e.ActionRolled: roll_sentence,
    e.InterferenceResolved: _interference_resolved,
    e.CounterattackResolved: _counterattack_resolved,
    e.AttackResolved: _attack_resolved,
    e.ActionResolved: _action_resolved,
}
CLAUSES: Clauses = {
    c.Attack: _attack_order,
    c.Act: "{combatant} acts: {what:s}",
    c.Defend: "{combatant} reacts with {points:point}",
    c.Parry: "{combatant} parries with the {weapon:thing}",
    c.Pass: "{combatant} lets it come",
    c.ThrowDie: _throw_order,
    c.Counterattack: "{combatant} counterattacks with the {weapon:thing}",
    c.Interfere: _interfere_order,
    c.Resolve: _resolve_order,
}
PARTS: Parts = {
    e.NotAwaited: _not_awaited_part,
    e.SituationRuled: _situation_part,
    e.AttackResolved: attack_part,
    e.ActionResolved: _action_part,
    e.CounterattackResolved: _counterattack_part,
    e.InterferenceResolved: _interference_part,
}

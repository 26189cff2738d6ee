"""Sentences about exchanges: what was declared, rolled and found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mam_events import commands as c
from mam_events import events as e
from projections.pools import spends_points
from projections.sentences.brief import OUTCOMES, RESULTS
from projections.sentences.missiles import attack_words, terms_words
from projections.sentences.words import ACTION_WORDS, ATTACK_WORDS, exchange_words, power_words, rolled, weapon_words
from projections.wording import because_of, ended, points, signed, split

if TYPE_CHECKING:
    from projections.casebook import Scene
    from projections.sentences.tables import Clauses, Parts, Sentences


def _how(fact: e.AttackDeclared | e.CounterattackDeclared | e.InterferenceDeclared) -> str:
    """Under what terms a strike is made, and how its points were split; nothing of points where none are spent."""
    told = "".join(f", {word}" for word in terms_words(fact.terms))
    return f"{told}: {split(fact.power, fact.modifier)}" if fact.power or fact.modifier else told


def _attack_declared(fact: e.AttackDeclared, scene: Scene) -> str:
    return f"{attack_words(fact, fact.terms, scene, shot=fact.terms.missile)}{_how(fact)}."


def _action_declared(fact: e.ActionDeclared, scene: Scene) -> str:
    free = "at no cost" if spends_points(scene.ruling.after) else ""
    cost = f"for {points(fact.points)}" if fact.points else free
    told = ", ".join(filter(None, (cost, signed(fact.bonus) if fact.bonus else "")))
    return ended(f"{scene.name(fact.combatant)} acts{f' ({told})' if told else ''}: {fact.what}")


def _defense_raised(fact: e.DefenseRaised, scene: Scene) -> str:
    return f"{scene.name(fact.combatant)} reacts: {points(fact.points)} from ready to defense."


def _situation_ruled(fact: e.SituationRuled, scene: Scene) -> str:
    return f"{scene.name(fact.combatant)} rolls with {signed(fact.value)}: {fact.why}."


def _parry_declared(fact: e.ParryDeclared, scene: Scene) -> str:
    return f"{scene.name(fact.combatant)} parries {weapon_words(scene.thing(fact.combatant, fact.weapon))}."


def _counterattack_declared(fact: e.CounterattackDeclared, scene: Scene) -> str:
    weapon = weapon_words(scene.thing(fact.combatant, fact.weapon))
    whom = scene.name(fact.target)
    return f"{scene.name(fact.combatant)} counterattacks {whom} {weapon}{_how(fact)}."


def _interference_declared(fact: e.InterferenceDeclared, scene: Scene) -> str:
    name, whom = scene.name(fact.combatant), scene.name(fact.target)
    if fact.strikes:
        weapon = weapon_words(scene.thing(fact.combatant, fact.weapon))
        return f"{name} strikes at {whom} {weapon} to interfere{_how(fact)}."
    cost = points(fact.points) if spends_points(scene.ruling.after) else ""
    told = ", ".join(filter(None, (cost, signed(fact.bonus) if fact.bonus else "")))
    return f"{name} interferes with {whom}{because_of(told)}."


def _interference_resolved(fact: e.InterferenceResolved, scene: Scene) -> str:
    action, target = scene.action(fact.action), scene.action(fact.against)
    what = "tackle" if action and action.manipulation else "interference"
    whose = f"{scene.name(action.combatant)}'s {what}" if action else f"Interference {fact.action}"
    whom = f" {'of' if what == 'tackle' else 'with'} {scene.name(target.combatant)}" if target else ""
    return ended(f"{whose}{whom} {ACTION_WORDS[fact.outcome]}{because_of(fact.why)}")


def _counterattack_resolved(fact: e.CounterattackResolved, scene: Scene) -> str:
    action = scene.action(fact.action)
    if action and action.manipulation:
        return ended(f"{scene.name(action.combatant)}'s tackle {ACTION_WORDS[fact.outcome]}{because_of(fact.why)}")
    whose = f"{scene.name(action.combatant)}'s counterattack" if action else f"Counterattack {fact.action}"
    power = "" if fact.outcome == "fail" else f" with {power_words(fact)}"
    return ended(f"{whose} {ATTACK_WORDS[fact.outcome]}{power}{because_of(fact.why)}")


def _attack_resolved(fact: e.AttackResolved, scene: Scene) -> str:
    root = scene.action(fact.exchange)
    if root and root.manipulation:
        return ended(f"{exchange_words(fact.exchange, scene)} {ACTION_WORDS[fact.outcome]}{because_of(fact.why)}")
    power = "" if fact.outcome == "fail" else f" with {power_words(fact)}"
    return ended(f"{exchange_words(fact.exchange, scene)} {ATTACK_WORDS[fact.outcome]}{power}{because_of(fact.why)}")


def _action_resolved(fact: e.ActionResolved, scene: Scene) -> str:
    return ended(f"{exchange_words(fact.exchange, scene)} {ACTION_WORDS[fact.outcome]}{because_of(fact.why)}")


def _attack_order(command: c.Attack, scene: Scene) -> str:
    attacker = scene.combatant(command.attacker)
    weapon = attacker.weapon(command.weapon) if attacker else None
    said = attack_words(command, command, scene, shot=weapon is not None and weapon.shoots)
    return "".join((said, *(f", {word}" for word in terms_words(command))))


def _act_order(command: c.Act, scene: Scene) -> str:
    return f"{scene.name(command.combatant)} acts: {command.what}"


def _defend_order(command: c.Defend, scene: Scene) -> str:
    return f"{scene.name(command.combatant)} reacts with {points(command.points)}"


def _parry_order(command: c.Parry, scene: Scene) -> str:
    return f"{scene.name(command.combatant)} parries {weapon_words(scene.thing(command.combatant, command.weapon))}"


def _counterattack_order(command: c.Counterattack, scene: Scene) -> str:
    weapon = weapon_words(scene.thing(command.combatant, command.weapon))
    return f"{scene.name(command.combatant)} counterattacks {weapon}"


def _interfere_order(command: c.Interfere, scene: Scene) -> str:
    target = scene.action(command.action)
    whom = scene.name(target.combatant) if target else f"action {command.action}"
    return f"{scene.name(command.combatant)} interferes with {whom}"


def _resolve_order(command: c.Resolve, scene: Scene) -> str:
    return f"{exchange_words(command.exchange, scene)} is resolved"


def attack_part(fact: e.AttackResolved, scene: Scene) -> str:
    """The outcome of an attack: `hit`, `half hit, no harm`."""
    root = scene.action(fact.exchange)
    if root and root.manipulation:
        return "" if _in_vain(scene) else RESULTS[fact.outcome]
    told = OUTCOMES[fact.outcome]
    hurt = any(isinstance(other, e.WoundInflicted) for other in scene.ruling.facts)
    return told if fact.outcome == "fail" or hurt else f"{told}, no harm"


def _in_vain(scene: Scene) -> bool:
    """True if a manipulation that succeeded cannot shift its target, which is told in place of the success."""
    return any(isinstance(other, e.ManipulationResolved) and not other.effective for other in scene.ruling.facts)


def _situation_part(fact: e.SituationRuled, scene: Scene) -> str:
    # Where the dice fall at once, the roll tells it.
    rolled_now = any(isinstance(other, e.RollMade) for other in scene.ruling.facts)
    return "" if rolled_now else _situation_ruled(fact, scene)


def _action_part(fact: e.ActionResolved, _: Scene) -> str:
    return RESULTS[fact.outcome]


def _counterattack_part(fact: e.CounterattackResolved, scene: Scene) -> str:
    # A counterattack that comes to nothing is told by the two totals.
    if fact.outcome == "fail":
        return ""
    action = scene.action(fact.action)
    return (
        f"tackle: {RESULTS[fact.outcome]}" if action and action.manipulation else f"counter: {OUTCOMES[fact.outcome]}"
    )


def _interference_part(fact: e.InterferenceResolved, scene: Scene) -> str:
    action = scene.action(fact.action)
    whose = scene.name(action.combatant) if action else f"action {fact.action}"
    return f"{whose}: {RESULTS[fact.outcome]}"


SENTENCES: Sentences = {
    e.AttackDeclared: _attack_declared,
    e.ActionDeclared: _action_declared,
    e.DefenseRaised: _defense_raised,
    e.SituationRuled: _situation_ruled,
    e.ParryDeclared: _parry_declared,
    e.CounterattackDeclared: _counterattack_declared,
    e.InterferenceDeclared: _interference_declared,
    e.AttackRolled: rolled,
    e.DefenseRolled: rolled,
    e.ParryRolled: rolled,
    e.CounterattackRolled: rolled,
    e.InterferenceRolled: rolled,
    e.ActionRolled: rolled,
    e.InterferenceResolved: _interference_resolved,
    e.CounterattackResolved: _counterattack_resolved,
    e.AttackResolved: _attack_resolved,
    e.ActionResolved: _action_resolved,
}
CLAUSES: Clauses = {
    c.Attack: _attack_order,
    c.Act: _act_order,
    c.Defend: _defend_order,
    c.Parry: _parry_order,
    c.Counterattack: _counterattack_order,
    c.Interfere: _interfere_order,
    c.Resolve: _resolve_order,
}
PARTS: Parts = {
    e.SituationRuled: _situation_part,
    e.AttackResolved: attack_part,
    e.ActionResolved: _action_part,
    e.CounterattackResolved: _counterattack_part,
    e.InterferenceResolved: _interference_part,
}

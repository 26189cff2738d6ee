"""Sentences about speeds, combos, prepared counterattacks and the moments before the first turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mam_events import commands as c
from mam_events import events as e
from projections.phrases import because_of, count_words, join_words, with_sign
from projections.sentences.dice_text import RESULTS, success_text
from projections.sentences.rolls import roll_words
from projections.sentences.words import exchange_words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from projections.rulings.index import RulingContext
    from projections.sentences.types import Clauses, Rolls, Sentences


def _names(combatants: Iterable[str], scene: RulingContext) -> str:
    return join_words(list(dict.fromkeys(map(scene.name, combatants))))


def _owing(skips: int) -> str:
    return f" and must now skip {count_words(skips, 'turn')}" if skips else ""


def _skipped(event: e.TurnSkipped, scene: RulingContext) -> str:
    skips = f", with {count_words(event.skips_owed, 'turn')} still to skip" if event.skips_owed else ""
    how = "must skip this turn" if event.required else "lets this turn pass"
    return f"{scene.name(event.combatant)} {how}{skips}."


def _delayed(event: e.TurnDelayed, scene: RulingContext) -> str:
    how = "" if event.persistent else ", in this round alone"
    return f"{scene.name(event.combatant)} waits until after {scene.name(event.after)}{how}."


def _combo(event: e.ComboDeclared, scene: RulingContext) -> str:
    against = f" against {_names(event.targets, scene)}" if event.targets else ""
    helping = f", with {with_sign(event.modifier)} on the attacks" if event.modifier else ""
    return f"{scene.name(event.combatant)} begins a combo of {count_words(event.actions, 'action')}{against}{helping}."


def _triggered(event: e.CounterattackTriggered, scene: RulingContext) -> str:
    who, by = scene.name(event.combatant), scene.name(event.by)
    return f"{who} was waiting for that, and acts before {by} does{_owing(event.skips_owed)}."


def _over(event: e.CounterattackEnded, scene: RulingContext) -> str:
    over = f"{scene.name(event.combatant)}'s counterattack is over{', without an action' if event.passed else ''}"
    if not event.exchange:
        return over
    waiting = f"{over}; {exchange_words(event.exchange, scene)} is still to be resolved"
    return (
        f"{waiting}, and must be changed first: {scene.redactor.reason(event.hindered)}" if event.hindered else waiting
    )


def _lapsed(event: e.CounterattackLapsed, scene: RulingContext) -> str:
    return f"{scene.name(event.combatant)} has waited in vain{_owing(event.skips_owed)}."


def _spent(event: e.PreparationSpent, scene: RulingContext) -> str:
    return f"{scene.name(event.combatant)} interferes instead of striking back{_owing(event.skips_owed)}."


def _changed(event: e.DeclaredActionChanged, scene: RulingContext) -> str:
    what = exchange_words(event.exchange, scene) if scene.action(event.exchange) else "the combo"
    return f"{scene.name(event.combatant)} changes plans: {what} does not happen."


def _stealth(event: e.StealthRolled, scene: RulingContext) -> str:
    (roll,) = event.rolls
    whom = scene.name(event.target)
    done = f"comes upon {whom} unseen" if event.outcome == "full" else f"does not surprise {whom}"
    return f"{roll_words(roll, scene)}, and {done}."


def _surprise(event: e.SurpriseEstablished, scene: RulingContext) -> str:
    if not event.advantaged:
        return f"The fight begins, and nobody has the advantage{because_of(event.why)}"
    have = "has" if len(event.advantaged) == 1 else "have"
    what = f"surprised {_names(event.surprised, scene)}" if event.surprised else "the advantage of surprise"
    return f"{_names(event.advantaged, scene)} {have} {what}."


def _posture(event: e.OpeningPostureTaken, scene: RulingContext) -> str:
    name = scene.name(event.combatant)
    if event.effect is not None:
        value = with_sign(event.effect.value)
        return f"{name} begins the fight evading, with {value} to the defense until the first turn."
    return f"{name} begins the fight ready to strike back{_owing(event.skips_owed)}."


def _posture_order(command: c.TakePosture, scene: RulingContext) -> str:
    how = "evading" if command.posture == "evading" else "ready to strike back"
    return f"{scene.name(command.combatant)} begins the fight {how}"


def _stealth_roll(event: e.StealthRolled, scene: RulingContext) -> tuple[str, ...]:
    (roll,) = event.rolls
    return (
        f"{scene.name(event.combatant)} stalks {scene.name(event.target)}",
        success_text(roll),
        RESULTS[event.outcome],
    )


SENTENCES: Sentences = {
    e.TurnSkipped: _skipped,
    e.SkipsOwed: "{combatant} has acted and must skip {skips_owed:turn}.",
    e.TurnDelayed: _delayed,
    e.ActionTaken: "{combatant} has used an action this turn: {kind:words}.",
    e.ComboDeclared: _combo,
    e.ComboBrokenOff: "{combatant} does not finish the combo: {why:why}",
    e.CounterattackPrepared: "{combatant} waits to strike back at the next attacker.",
    e.CounterattackTriggered: _triggered,
    e.CounterattackEnded: _over,
    e.CounterattackLapsed: _lapsed,
    e.PreparationSpent: _spent,
    e.DeclaredActionChanged: _changed,
    e.StealthRolled: _stealth,
    e.SurpriseEstablished: _surprise,
    e.CombatAvoided: "Neither finds the other, and there is no fight.",
    e.OpeningPostureTaken: _posture,
}
CLAUSES: Clauses = {
    c.SkipTurn: "{combatant} skips a turn",
    c.DelayTurn: "{combatant} waits until after {after}",
    c.DeclareCombo: "{combatant} begins a combo of {actions:action}",
    c.PrepareCounterattack: "{combatant} waits to strike back",
    c.ChangeAction: "{combatant} changes what was declared",
    c.Stalk: "{combatant} tries to surprise {target}",
    c.EstablishSurprise: "surprise is settled",
    c.TakePosture: _posture_order,
}
ROLLS: Rolls = {
    e.StealthRolled: _stealth_roll,
}

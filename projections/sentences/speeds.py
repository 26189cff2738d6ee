"""Sentences about speeds, combos, prepared counterattacks and the moments before the first turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mam_events.commands import (
    ChangeAction,
    DeclareCombo,
    DelayTurn,
    EstablishSurprise,
    PrepareCounterattack,
    SkipTurn,
    Stalk,
    TakePosture,
)
from mam_events.events import (
    ActionTaken,
    CombatAvoided,
    ComboBrokenOff,
    ComboDeclared,
    CounterattackEnded,
    CounterattackLapsed,
    CounterattackPrepared,
    CounterattackTriggered,
    DeclaredActionChanged,
    OpeningPostureTaken,
    PreparationSpent,
    SkipsOwed,
    StealthRolled,
    SurpriseEstablished,
    TurnDelayed,
    TurnSkipped,
)
from projections.sentences.brief import RESULTS, success_text
from projections.sentences.rolls import roll_words
from projections.sentences.words import exchange_words
from projections.wording import because_of, counted, ended, listed, signed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from projections.casebook import Scene
    from projections.sentences.tables import Clauses, Rolls, Sentences


def _names(combatants: Iterable[str], scene: Scene) -> str:
    return listed(list(dict.fromkeys(map(scene.name, combatants))))


def _owing(skips: int) -> str:
    return f" and must now skip {counted(skips, 'turn')}" if skips else ""


def _skipped(fact: TurnSkipped, scene: Scene) -> str:
    left = f", with {counted(fact.skips_owed, 'turn')} still to skip" if fact.skips_owed else ""
    how = "must skip this turn" if fact.required else "lets this turn pass"
    return f"{scene.name(fact.combatant)} {how}{left}."


def _owes(fact: SkipsOwed, scene: Scene) -> str:
    return f"{scene.name(fact.combatant)} has acted and must skip {counted(fact.skips_owed, 'turn')}."


def _delayed(fact: TurnDelayed, scene: Scene) -> str:
    how = "" if fact.persistent else ", in this round alone"
    return f"{scene.name(fact.combatant)} waits until after {scene.name(fact.after)}{how}."


def _taken(fact: ActionTaken, scene: Scene) -> str:
    return f"{scene.name(fact.combatant)} has used an action this turn: {fact.kind.replace('_', ' ')}."


def _combo(fact: ComboDeclared, scene: Scene) -> str:
    against = f" against {_names(fact.targets, scene)}" if fact.targets else ""
    helping = f", with {signed(fact.modifier)} on the attacks" if fact.modifier else ""
    return f"{scene.name(fact.combatant)} begins a combo of {counted(fact.actions, 'action')}{against}{helping}."


def _broken_off(fact: ComboBrokenOff, scene: Scene) -> str:
    return ended(f"{scene.name(fact.combatant)} does not finish the combo: {fact.why}")


def _prepared(fact: CounterattackPrepared, scene: Scene) -> str:
    return f"{scene.name(fact.combatant)} waits to strike back at whoever attacks."


def _triggered(fact: CounterattackTriggered, scene: Scene) -> str:
    who, by = scene.name(fact.combatant), scene.name(fact.by)
    return f"{who} was waiting for that, and acts before {by} does{_owing(fact.skips_owed)}."


def _over(fact: CounterattackEnded, scene: Scene) -> str:
    over = f"{scene.name(fact.combatant)}'s counterattack is over{', without an action' if fact.passed else ''}"
    if not fact.exchange:
        return f"{over}."
    waiting = f"{over}; {exchange_words(fact.exchange, scene)} is still to be resolved"
    return f"{waiting}, and must be changed first: {fact.hindered}" if fact.hindered else f"{waiting}."


def _lapsed(fact: CounterattackLapsed, scene: Scene) -> str:
    return f"{scene.name(fact.combatant)} has waited in vain{_owing(fact.skips_owed)}."


def _spent(fact: PreparationSpent, scene: Scene) -> str:
    return f"{scene.name(fact.combatant)} interferes instead of striking back{_owing(fact.skips_owed)}."


def _changed(fact: DeclaredActionChanged, scene: Scene) -> str:
    what = exchange_words(fact.exchange, scene) if scene.action(fact.exchange) else "the combo"
    return f"{scene.name(fact.combatant)} thinks better of it: {what} is off."


def _stealth(fact: StealthRolled, scene: Scene) -> str:
    (made,) = fact.rolls
    whom = scene.name(fact.target)
    done = f"comes upon {whom} unseen" if fact.outcome == "full" else f"does not surprise {whom}"
    return f"{roll_words(made, scene)}, and {done}."


def _surprise(fact: SurpriseEstablished, scene: Scene) -> str:
    if not fact.advantaged:
        return ended(f"The fight begins, and nobody has the advantage{because_of(fact.why)}")
    have = "has" if len(fact.advantaged) == 1 else "have"
    what = f"surprised {_names(fact.surprised, scene)}" if fact.surprised else "the advantage of surprise"
    return f"{_names(fact.advantaged, scene)} {have} {what}."


def _avoided(_: CombatAvoided, __: Scene) -> str:
    return "Neither finds the other, and there is no fight."


def _posture(fact: OpeningPostureTaken, scene: Scene) -> str:
    name = scene.name(fact.combatant)
    if fact.effect is not None:
        return f"{name} begins the fight evading, with {signed(fact.effect.value)} to the defense until the first turn."
    return f"{name} begins the fight ready to strike back{_owing(fact.skips_owed)}."


def _skip_order(command: SkipTurn, scene: Scene) -> str:
    return f"{scene.name(command.combatant)} skips a turn"


def _delay_order(command: DelayTurn, scene: Scene) -> str:
    return f"{scene.name(command.combatant)} waits until after {scene.name(command.after)}"


def _combo_order(command: DeclareCombo, scene: Scene) -> str:
    return f"{scene.name(command.combatant)} begins a combo of {counted(command.actions, 'action')}"


def _prepare_order(command: PrepareCounterattack, scene: Scene) -> str:
    return f"{scene.name(command.combatant)} waits to strike back"


def _change_order(command: ChangeAction, scene: Scene) -> str:
    return f"{scene.name(command.combatant)} changes what was declared"


def _stalk_order(command: Stalk, scene: Scene) -> str:
    return f"{scene.name(command.combatant)} tries to surprise {scene.name(command.target)}"


def _surprise_order(_: EstablishSurprise, __: Scene) -> str:
    return "surprise is settled"


def _posture_order(command: TakePosture, scene: Scene) -> str:
    how = "evading" if command.posture == "evading" else "ready to strike back"
    return f"{scene.name(command.combatant)} begins the fight {how}"


def _stealth_roll(fact: StealthRolled, scene: Scene) -> tuple[str, ...]:
    (made,) = fact.rolls
    return (f"{scene.name(fact.combatant)} stalks {scene.name(fact.target)}", success_text(made), RESULTS[fact.outcome])


SENTENCES: Sentences = {
    TurnSkipped: _skipped,
    SkipsOwed: _owes,
    TurnDelayed: _delayed,
    ActionTaken: _taken,
    ComboDeclared: _combo,
    ComboBrokenOff: _broken_off,
    CounterattackPrepared: _prepared,
    CounterattackTriggered: _triggered,
    CounterattackEnded: _over,
    CounterattackLapsed: _lapsed,
    PreparationSpent: _spent,
    DeclaredActionChanged: _changed,
    StealthRolled: _stealth,
    SurpriseEstablished: _surprise,
    CombatAvoided: _avoided,
    OpeningPostureTaken: _posture,
}
CLAUSES: Clauses = {
    SkipTurn: _skip_order,
    DelayTurn: _delay_order,
    DeclareCombo: _combo_order,
    PrepareCounterattack: _prepare_order,
    ChangeAction: _change_order,
    Stalk: _stalk_order,
    EstablishSurprise: _surprise_order,
    TakePosture: _posture_order,
}
ROLLS: Rolls = {
    StealthRolled: _stealth_roll,
}

"""Sentences about rounds of Ron d6: initiative, declared actions, actions, waiting and results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mam_events import commands as c
from mam_events import events as e
from mam_events.values import metres_words
from projections.phrases import because_of, count_words, join_words, with_sign
from projections.sentences.dice_text import DICE, code_text, dice_text, pips_of
from projections.sentences.words import modifier_words

if TYPE_CHECKING:
    from projections.rulings.index import RulingContext
    from projections.sentences.types import Clauses, Sentences

BECAUSE = {
    "catch": "to catch something",
    "resist_mental_attempt": "to resist a mental attempt",
    "gm_allows": "as the game master allows",
    "dodge": "to dodge",
    "parry": "to parry",
}
ACTIONS = {
    "escape": "break free",
    "ready": "ready a weapon",
    "run_away": "run away",
    "switch": "switch a setting",
    "use": "use a skill",
    "vehicle": "vehicle manoeuvre",
}
"""Actions of the list in words, unless the word is the action's name (RD6-LIST)."""
HANDLED = {
    "drop": "drop the {}",
    "ready": "ready the {}",
    "switch": "switch the setting of the {}",
    "throw": "throw the {}",
}
"""The same for actions whose object is the equipment itself."""
ATTACKS = frozenset(("bash", "kick", "lunge", "punch", "shoot", "slash", "throw"))
"""Actions of the list that attack somebody."""
AIM_PREPOSITIONS = {
    "communicate": " to",
    "escape": " from",
    "run_away": " from",
    **dict.fromkeys(("choke", "disarm", "entangle", "grab", "pin", "push", "tackle", "trip"), ""),
}
"""The preposition before the target of an action of the list, unless it is `at`."""
ROLLED_FOR = {"damage": "damage", "resistance": "resistance", "emotion": "an emotional effect", "glance": "a glance"}
SPENT_ON = {
    "initiative": "on initiative",
    "action": "on their action",
    "related": "on a related skill",
    "limit": "to double their limit of actions",
}


def _initiative(event: e.InitiativeRolled, scene: RulingContext) -> str:
    assert event.roll is not None  # noqa: S101 - initiative is always rolled
    others = [scene.name(name) for name in event.members if name != event.combatant]
    group = f", also for {join_words(others)}," if others else ""
    again = " again to break a tie," if event.again else ""
    return f"{scene.name(event.combatant)}{group} rolls{again} {code_text(event.roll)}."


def code_roll_words(event: e.CodeRolled, scene: RulingContext) -> str:
    """Return a roll of a dice code die by die, with every modifier and its rule; "" if nothing was rolled.

    An example is `Rook's 4D: 3 (thrown), wild 6 (thrown), again 2 (thrown), +1 search (RD6-REL-02): 12.`
    """
    if event.roll is None:
        return ""
    roll, pips = event.roll, pips_of(event.roll)
    less = f" less {roll.penalty}D for several actions (RD6-MAP-01)" if roll.penalty else ""
    less += "".join(f" {with_sign(one.dice)}D {one.name} (the game master)" for one in roll.dice_modifiers)
    parts = [f"{DICE[one.role]}{one.die.face} ({one.die.source})" for one in roll.dice]
    parts += [f"{with_sign(pips)} for its pips"] if pips else []
    parts += map(modifier_words, roll.modifiers)
    return f"{scene.name(event.combatant)}'s {roll.code}{less}: {', '.join(parts)}: {roll.total}."


def _numbered(actions: int, penalty: int) -> str:
    less = f", -{penalty}D on each roll" if penalty else ""
    return f"{count_words(actions, 'action')}{less}"


def _declared(event: e.ActionsDeclared, scene: RulingContext) -> str:
    return f"{scene.name(event.combatant)} takes {_numbered(event.actions, event.penalty)}{_unused(scene)}."


def _unused(scene: RulingContext) -> str:
    """Return the combatant whose turn ends with this one and the actions they had left; "" if they wait."""
    before = scene.ruling.before
    who = before.combatants.get(before.turn.combatant) if before.turn else None
    if who is None or not who.actions.left or who.actions.waiting or who.id in scene.redactor.hidden:
        return ""
    return f"; {scene.name(who.id)}'s turn is over with {count_words(who.actions.left, 'action')} left"


def _moved_up(event: e.TurnMovedUp, scene: RulingContext) -> str:
    why = f"{BECAUSE[event.because]}{because_of(event.reason)}"
    actions = _numbered(event.actions, event.penalty)
    return f"{scene.name(event.combatant)}'s turn moves up with {actions}, {why}"


def _waited(event: e.CombatantWaited, scene: RulingContext) -> str:
    still = _still_waits(event.combatant, (), scene)
    remaining = (
        f" ({count_words(event.left, 'action')} left)"
        if event.left
        else ", but that was their last action: they can't interrupt"
    )
    return f"{scene.name(event.combatant)} waits{remaining}{still}."


def _performed(event: e.ActionPerformed, scene: RulingContext) -> str:
    done = action_words(event.action)
    at = _at(event.action, event.target, scene) if event.target else ""
    part = f" ({event.part})" if event.part else ""
    thing = f" with the {scene.thing(event.combatant, event.equipment)}" if event.equipment else ""
    if event.equipment and event.action in HANDLED:
        done, thing = HANDLED[event.action].format(scene.thing(event.combatant, event.equipment)), ""
    far = f" {metres_words(event.metres)}" if event.metres is not None else ""
    what = f" ({event.what})" if event.what else ""
    interrupts = f" interrupts {event.against}" if event.against else ""
    sentence = f"{scene.name(event.combatant)}{interrupts}: {done}{far}{at}{part}{thing}{what}"
    if event.roll is None and event.action == "move":
        remaining = count_words(event.left, "action")
        return f"{scene.name(event.combatant)} moves{far}, which takes an action ({remaining} left)."
    still = _still_waits(event.combatant, event.related, scene)
    if event.roll is None:
        return f"{sentence} ({count_words(event.left, 'action')} left){still}."
    against = f" against {event.difficulty}" if event.difficulty is not None else ""
    skill = "" if event.skill in ("", done) else f"{event.skill} "
    return f"{sentence}, {skill}{code_text(event.roll)}{against} ({count_words(event.left, 'action')} left){still}."


def _still_waits(name: str, used: tuple[int, ...], scene: RulingContext) -> str:
    """Return the related skills that still wait for their primary skill after another action."""
    was = scene.before(name)
    if was is None or not scene.redactor.everything:
        # The related skills may come from hidden rolls.
        return ""
    related = was.actions.related
    waiting = [f"{one.skill} {with_sign(one.modifier)} for {one.primary}" for one in related if one.id not in used]
    return f"; {join_words(waiting)} {'wait' if len(waiting) > 1 else 'waits'}" if waiting else ""


def action_words(action: str) -> str:
    """Return an action of the list in words: `run away`."""
    return ACTIONS.get(action, action)


def _at(action: str, target: str, scene: RulingContext) -> str:
    """Return the target of an action with its preposition; for an attack also that they are already down."""
    return aimed_at_words(action, scene.target_name(target) if action in ATTACKS else scene.name(target))


def aimed_at_words(action: str, target: str) -> str:
    """Return a target with the action's preposition: ` at Rook`, ` from Rook`, ` Rook`."""
    return f"{AIM_PREPOSITIONS.get(action, ' at')} {target}"


def _settled(event: e.ResultDeclared, scene: RulingContext) -> str:
    outcome = "succeeds" if event.outcome == "success" else "fails"
    compared = (
        f" with {event.total} against {event.difficulty}" if event.total is not None else _overruled(event, scene)
    )
    done = action_words(event.action)
    return f"{scene.name(event.combatant)}'s {done} ({event.exchange}) {outcome}{compared}{because_of(event.text)}"


def _overruled(event: e.ResultDeclared, scene: RulingContext) -> str:
    """Return the result of the dice if the game master declared the opposite; "" otherwise."""
    action = scene.ruling.before.window.action(event.exchange)
    if action is None or action.is_reached in (None, event.outcome == "success"):
        return ""
    return f" ({action.total} against {action.difficulty}; the game master's word)"


def _spent(event: e.PointSpent, scene: RulingContext) -> str:
    kind = f"{event.point.title()} Point"
    helps = f", {with_sign(event.modifier)} for the primary skill" if event.on == "related" else ""
    bought = f": {dice_text(event.roll)}, {event.total} in all{helps}" if event.roll else ""
    return f"{scene.name(event.combatant)} spends a {kind} {SPENT_ON[event.on]}{bought} ({event.remaining} left)."


def _related(event: e.RelatedSkillRolled, scene: RulingContext) -> str:
    assert event.roll is not None  # noqa: S101 - a related skill is always rolled
    merged = " in the same action" if event.merged else ""
    return (
        f"{scene.name(event.combatant)} tries {event.skill} as a related skill{merged}, {code_text(event.roll)} "
        f"against {event.difficulty}: {with_sign(event.modifier)} for {event.primary}."
    )


def _free_roll(event: e.FreeRollMade, scene: RulingContext) -> str:
    assert event.roll is not None  # noqa: S101 - as above
    skill = f" with {event.skill}" if event.skill else ""
    outcome = "success" if event.success else "failure"
    against = f" against {event.difficulty}: {outcome}" if event.difficulty is not None else ""
    return f"{scene.name(event.combatant)} rolls {ROLLED_FOR[event.what]}{skill}, {code_text(event.roll)}{against}."


def _freed(event: e.CombatantFreed, scene: RulingContext) -> str:
    was = scene.before(event.combatant)
    others = was is not None and len(was.status.held_down_by) > 1
    free = f"free of {scene.name(event.of)}" if event.of and others else "free again"
    return f"{scene.name(event.combatant)} is {free}{because_of(event.reason)}"


def _lost(event: e.ActionsLost, scene: RulingContext) -> str:
    lost = [count_words(event.actions, "action")] if event.actions else []
    lost += ["their turn in this round"] if event.turn and not event.actions else []
    return f"{scene.name(event.combatant)} loses {join_words(lost)}."


def _moved_freely(event: e.MovedFreely, scene: RulingContext) -> str:
    ground = " over challenging ground" if event.terrain == "challenging" else ""
    return f"{scene.name(event.combatant)} moves {metres_words(event.metres)}{ground}, which takes no action."


def _roll_order(command: c.RollInitiative, scene: RulingContext) -> str:
    rolls = "rolls" if len(command.combatants) == 1 else "roll"
    return f"{join_words([scene.name(name) for name in command.combatants])} {rolls} initiative"


def _perform_order(command: c.ActionOrder, scene: RulingContext) -> str:
    against = f" interrupts {command.against}" if isinstance(command, c.Interrupt) else ""
    at = _at(command.action, command.target, scene) if command.target else ""
    return f"{scene.name(command.combatant)}{against}: {action_words(command.action)}{at}"


def _move_up_order(command: c.MoveUp, scene: RulingContext) -> str:
    return f"{scene.name(command.combatant)}'s turn moves up {BECAUSE[command.because]}"


def _result_order(command: c.Result, _: RulingContext) -> str:
    return f"the result of {command.exchange} is {command.outcome or 'what the dice say'}{because_of(command.text)}"


def _spend_order(command: c.Spend, scene: RulingContext) -> str:
    return f"{scene.name(command.combatant)} spends a {command.point.title()} Point {SPENT_ON[command.on]}"


def _free_roll_order(command: c.Roll, scene: RulingContext) -> str:
    return f"{scene.name(command.combatant)} rolls {ROLLED_FOR[command.what]}"


SENTENCES: Sentences = {
    e.InitiativeRolled: _initiative,
    e.ActionsDeclared: _declared,
    e.TurnMovedUp: _moved_up,
    e.CombatantWaited: _waited,
    e.ActionPerformed: _performed,
    e.ResultDeclared: _settled,
    e.PointSpent: _spent,
    e.RelatedSkillRolled: _related,
    e.FreeRollMade: _free_roll,
    e.CombatantHeldDown: "{combatant} is held down by {by}, and can only speak or try to get free.",
    e.CombatantFreed: _freed,
    e.ActionsLost: _lost,
    e.TurnRegained: "{combatant} still has a turn in this round.",
    e.MovedFreely: _moved_freely,
}
CLAUSES: Clauses = {
    c.Round: "a new round begins",
    c.RollInitiative: _roll_order,
    c.Declare: "{combatant} takes {actions:action}",
    c.Perform: _perform_order,
    c.Interrupt: _perform_order,
    c.Wait: "{combatant} waits",
    c.MoveUp: _move_up_order,
    c.Result: _result_order,
    c.Spend: _spend_order,
    c.RollRelated: "{combatant} tries {skill:s} as a related skill",
    c.Roll: _free_roll_order,
    c.Incapacitate: "{combatant} goes down{cause:because}",
    c.Recover: "{combatant} is up or free again{reason:because}",
}

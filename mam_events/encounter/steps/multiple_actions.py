"""What facts of a round of Ron d6 leave behind."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from mam_events.encounter.steps.shared import Steps, let_go, unchanged, window_anew, with_combatant, with_status
from mam_events.events import multiple_actions as m
from mam_events.events.code_rolls import (
    ActionPerformed,
    FreeRollMade,
    InitiativeRolled,
    PointSpent,
    RelatedSkillRolled,
)
from mam_events.state import Encounter, Handled, Moved, OpenAction, RelatedSkill, Turn, Window


def _with_actions(state: Encounter, name: str, **changes: Any) -> Encounter:
    """The state with some of what one combatant does in the round anew."""
    return with_combatant(state, name, actions=replace(state.combatants[name].actions, **changes))


def _turn_over(state: Encounter) -> tuple[str, ...]:
    """Those who have had their turn once the one in progress is over."""
    return (*state.had_turn, state.turn.combatant) if state.turn else state.had_turn


def _acted(state: Encounter, name: str) -> Window:
    """The window once that one acts: turns that moved up into its own are over."""
    early = state.window.early
    if name in early:
        return window_anew(state, name, early.index(name) + 1)
    return window_anew(state, name, 0 if state.turn and state.turn.combatant == name else len(early))


def _declared(state: Encounter, event: m.ActionsDeclared) -> Encounter:
    name = event.combatant
    state = _with_actions(state, name, declared=event.actions)
    window = window_anew(state, name)
    if state.turn and state.turn.combatant == name:
        return replace(state, window=window)
    return replace(state, turn=Turn(name), had_turn=_turn_over(state), window=window)


def _moved_up(state: Encounter, event: m.TurnMovedUp) -> Encounter:
    name = event.combatant
    state = _with_actions(state, name, declared=event.actions, reaction=event.because, reacts_to=event.against)
    window = replace(state.window, floor=name, early=(*state.window.early, name))
    return replace(state, had_turn=(*state.had_turn, name), window=window)


def _waited(state: Encounter, event: m.CombatantWaited) -> Encounter:
    name = event.combatant
    window = _acted(state, name)
    state = _with_actions(state, name, used=state.combatants[name].actions.used + 1, waiting=True)
    early = tuple(one for one in window.early if one != name)
    state = replace(state, window=replace(window, floor="", early=early))
    if state.turn and state.turn.combatant == name:
        return replace(state, turn=None, had_turn=_turn_over(state))
    return state


def _performed(state: Encounter, event: ActionPerformed) -> Encounter:
    name = event.combatant
    actions = state.combatants[name].actions
    spent = actions.left - event.left
    handled = (Handled(event.action, event.equipment),) if event.equipment else ()
    moved = (Moved(event.metres, event.terrain),) if event.metres is not None and event.terrain else ()
    state = _with_actions(
        state,
        name,
        used=actions.used + spent,
        waiting=actions.waiting and not spent,
        handled=(*actions.handled, *handled),
        moves=(*actions.moves, *moved),
        moving=actions.moving + len(moved),
        reacts_to=0 if spent else actions.reacts_to,
        related=tuple(one for one in actions.related if one.id not in event.related),
    )
    window = _acted(state, name)
    if event.roll or event.thrown:
        opened = OpenAction(
            event.exchange,
            name,
            event.action,
            event.roll.total if event.roll else None,
            event.target,
            event.against,
            event.difficulty,
            event.part,
            event.thrown,
            event.equipment,
        )
        window = replace(window, open=(*window.open, opened))
    elif event.against:
        window = _met(window, event.exchange, event.against)
    state = replace(state, window=window)
    return let_go(state, name, event.equipment) if event.let_go else state


def _met(window: Window, by: int, against: int, target: str = "") -> Window:
    """The window once an interruption has come off: of what it interrupts, and of what its target is at."""
    touched = (replace(one, met=by) if one.id == against or one.combatant == target else one for one in window.open)
    return replace(window, open=tuple(touched))


def _landed(action: OpenAction, caught: int) -> OpenAction:
    return replace(action, thrown=False) if action.id == caught else action


def _settled(state: Encounter, event: m.ResultDeclared) -> Encounter:
    window = state.window
    settled = window.action(event.exchange)
    still = tuple(action for action in window.open if action.id != event.exchange)
    window = replace(window, open=still, settled=(*window.settled, event.exchange))
    if settled and settled.against and event.outcome == "success":
        window = _met(window, event.exchange, settled.against, settled.target)
        if settled.action == "catch":
            # What has been caught is in the air no more, whether anybody knows it by name or not.
            window = replace(window, open=tuple(_landed(one, settled.against) for one in window.open))
    return replace(state, window=window)


def _spent(state: Encounter, event: PointSpent) -> Encounter:
    name = event.combatant
    if event.point == "fate":
        state = with_combatant(state, name, fate_points=event.remaining)
        return _with_actions(state, name, fate=True)
    state = with_combatant(state, name, rd6_character_points=event.remaining)
    if event.on == "initiative":
        # What it brings is in the order that follows.
        return _with_actions(state, name, points=state.combatants[name].actions.points + 1)
    if event.on == "related":
        return _with_actions(
            state, name, related=tuple(_raised(one, event) for one in state.combatants[name].actions.related)
        )
    window = state.window
    raised = tuple(replace(a, total=event.total) if a.id == event.exchange else a for a in window.open)
    return replace(state, window=replace(window, open=raised))


def _raised(related: RelatedSkill, event: PointSpent) -> RelatedSkill:
    if related.id != event.exchange:
        return related
    return replace(related, total=event.total, modifier=event.modifier)


def _related(state: Encounter, event: RelatedSkillRolled) -> Encounter:
    actions = state.combatants[event.combatant].actions
    assert event.roll is not None  # noqa: S101 - a related skill is always rolled
    rolled = RelatedSkill(event.ruling, event.skill, event.modifier, event.primary, event.roll.total, event.difficulty)
    spent = actions.left - event.left
    state = _with_actions(
        state,
        event.combatant,
        used=actions.used + spent,
        waiting=actions.waiting and not spent,
        related=(*actions.related, rolled),
    )
    return replace(state, window=_acted(state, event.combatant))


def _lost(state: Encounter, event: m.ActionsLost) -> Encounter:
    name = event.combatant
    if event.actions:
        state = _with_actions(state, name, lost=state.combatants[name].actions.lost + event.actions)
    return _with_actions(state, name, turn_lost=True) if event.turn else state


def _regained(state: Encounter, event: m.TurnRegained) -> Encounter:
    return _with_actions(state, event.combatant, lost=0, turn_lost=False)


def _held_down(state: Encounter, event: m.CombatantHeldDown) -> Encounter:
    held = state.combatants[event.combatant].status.held_down_by
    return with_status(state, event.combatant, held_down_by=(*(by for by in held if by != event.by), event.by))


def _freed(state: Encounter, event: m.CombatantFreed) -> Encounter:
    held = state.combatants[event.combatant].status.held_down_by if event.of else ()
    return with_status(state, event.combatant, held_down_by=tuple(by for by in held if by != event.of))


def _moved_freely(state: Encounter, event: m.MovedFreely) -> Encounter:
    moved = Moved(event.metres, event.terrain)
    return _with_actions(state, event.combatant, moves=(*state.combatants[event.combatant].actions.moves, moved))


STEPS: Steps = {
    InitiativeRolled: unchanged,
    FreeRollMade: unchanged,
    ActionPerformed: _performed,
    PointSpent: _spent,
    RelatedSkillRolled: _related,
    m.ActionsDeclared: _declared,
    m.TurnMovedUp: _moved_up,
    m.CombatantWaited: _waited,
    m.ResultDeclared: _settled,
    m.CombatantHeldDown: _held_down,
    m.CombatantFreed: _freed,
    m.ActionsLost: _lost,
    m.TurnRegained: _regained,
    m.MovedFreely: _moved_freely,
}

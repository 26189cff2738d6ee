"""The right to act: the turn, the last to act, those who wait, and open actions (RD6-ACT-03, RD6-ACT-04)."""

from __future__ import annotations

from mam_events.decider.checks import require_able
from mam_events.decider.engine import Ruleset
from mam_events.errors import CommandHint, Refused
from mam_events.refusals.arguments import RulingArgument, Word, people
from mam_events.rules.initiative.go_first import require_place
from mam_events.state import Combatant, Encounter, OpenAction


def require_nothing_open(state: Encounter) -> None:
    """Raise Refused with `action_open` while the result of an action is not declared."""
    if state.window.open:
        last = state.window.open[-1]
        raise Refused(
            "action_open",
            action=RulingArgument(last.id),
            other=state.combatants[last.combatant],
            rule="RD6-ACT-04",
            hints=(CommandHint("result"), CommandHint("interrupt")),
        )


def require_conscious(combatant: Combatant) -> None:
    """Raise Refused with `incapacitated` unless the combatant can act (RD6-INIT-07)."""
    require_able(combatant, rule="RD6-INIT-07")


def require_free_for(
    state: Encounter, ruleset: Ruleset, combatant: Combatant, action: str, *, mental: bool = False
) -> None:
    """Raise Refused with `held_down` for an action that a held combatant cannot do (RD6-LIST-tackle).

    A combatant tackled or pinned as a whole cannot do a physical action unless it frees. `mental` says that nothing of
    this action is physical.
    """
    holders = combatant.status.held_down_by
    if holders and not can_be_done_held(ruleset, action, mental=mental):
        raise Refused(
            "held_down",
            combatant=combatant,
            holders=people(state.combatants, holders),
            rule="RD6-LIST-tackle",
            fields=("combatant",),
            hints=(CommandHint("perform", {"combatant": combatant.id, "action": "escape"}),),
        )


def can_be_done_held(ruleset: Ruleset, action: str, *, mental: bool) -> bool:
    """Return True if a combatant who is held down can do that action of the list (RD6-LIST-tackle)."""
    row = ruleset.tables.rd6_actions[action]
    return row.physical == "never" or (row.physical == "maybe" and mental) or row.frees


def require_turn_kept(combatant: Combatant) -> None:
    """Raise Refused with `turn_lost` for a combatant who could not act and has no turn in this round (RD6-INIT-07)."""
    if combatant.actions.turn_lost:
        raise Refused("turn_lost/unable", combatant=combatant, rule="RD6-INIT-07", fields=("combatant",))


def action_left(combatant: Combatant) -> None:
    """Raise Refused with `no_actions_left` for a combatant who has used all declared actions (RD6-ACT-02)."""
    declared = combatant.actions.declared
    if combatant.actions.left:
        return
    if declared > 1:
        raise Refused(
            "no_actions_left", combatant=combatant, declared=declared, rule="RD6-ACT-02", fields=("combatant",)
        )
    raise Refused("no_actions_left/one", combatant=combatant, rule="RD6-ACT-02", fields=("combatant",))


def next_to_act(state: Encounter) -> Combatant | Word:
    """Return the combatant who comes next, or the word for nobody."""
    return state.combatants[state.next_up] if state.next_up else Word("nobody")


def may_act(state: Encounter, combatant: Combatant) -> None:
    """Raise Refused with `action_open`, or with `out_of_turn` if the combatant may not act now.

    A combatant may act in its turn, in its place or moved up, if it acted last, or if it has waited (RD6-ACT-03,
    RD6-ACT-06).
    """
    require_nothing_open(state)
    require_place(state, combatant)
    holder = state.turn.combatant if state.turn else ""
    if combatant.id in (holder, state.window.floor, *state.window.early) or combatant.actions.waiting:
        return
    raise _out_of_turn(state, combatant, holder)


def _out_of_turn(state: Encounter, combatant: Combatant, holder: str) -> Refused:
    rule, fields, remaining = "RD6-ACT-03", ("combatant",), combatant.actions.left
    if combatant.actions.declared or combatant.id in state.had_turn:
        if remaining:
            return Refused(
                "out_of_turn/over_with_some_left", combatant=combatant, left=remaining, rule=rule, fields=fields
            )
        return Refused("out_of_turn/over", combatant=combatant, rule=rule, fields=fields)
    if state.next_up != combatant.id:
        return Refused("out_of_turn/not_come", combatant=combatant, due=next_to_act(state), rule=rule, fields=fields)
    if holder:
        now = state.combatants[holder]
        return Refused("out_of_turn/undeclared_in_anothers", combatant=combatant, now=now, rule=rule, fields=fields)
    return Refused("out_of_turn/undeclared", combatant=combatant, rule=rule, fields=fields)


def may_interrupt(state: Encounter, combatant: Combatant, interrupted: OpenAction) -> None:
    """Raise Refused unless the combatant may interrupt that action (RD6-ACT-04, RD6-ACT-06).

    Raises `bad_target` for its own action. Raises `has_not_waited` unless it waited, moved up to react to that action,
    or has already interrupted.
    """
    if interrupted.combatant == combatant.id:
        raise Refused("bad_target/own_interruption", rule="RD6-ACT-04", fields=("combatant", "against"))
    if not (
        combatant.actions.waiting
        or state.window.floor == combatant.id
        or reaction_source(state, combatant) is interrupted
    ):
        comes = combatant.id in state.due and state.turn_in_order != combatant.id
        raise Refused(
            "has_not_waited/may_move_up" if comes else "has_not_waited",
            combatant=combatant,
            rule="RD6-ACT-04",
            fields=("combatant",),
            hints=(CommandHint("move-up", {"combatant": combatant.id}),) if comes else (),
        )


def reaction_source(state: Encounter, combatant: Combatant) -> OpenAction | None:
    """Return the open action for which the combatant's turn moved up and to which it has not yet reacted, or None.

    Others may act in between (RD6-ACT-06).
    """
    return state.window.action(combatant.actions.reacts_to)


def open_action(state: Encounter, number: int, field: str = "exchange") -> OpenAction:
    """Return the open action with that number.

    Raises Refused with `window_closed` if its result is declared (RD6-ACT-04), and with `window_not_open` if nothing
    with that number was rolled.
    """
    action = state.window.action(number)
    if action is not None:
        return action
    if state.window.result(number):
        raise Refused("window_closed", number=number, rule="RD6-ACT-04", fields=(field,))
    if not number:
        raise Refused("window_not_open/unsaid", rule="RD6-ACT-04", fields=(field,))
    raise Refused(
        "window_not_open",
        number=number,
        rule="RD6-ACT-04",
        fields=(field,),
        wrong="",
        allowed=[RulingArgument(action.id) for action in state.window.open],
    )


def last_open(state: Encounter, number: int) -> OpenAction:
    """Return the action with that number, if no interruption of it is open: last in, first out (RD6-ACT-04).

    Raises Refused as `open_action` does, or with `action_open`.
    """
    action = open_action(state, number)
    last = state.window.open[-1]
    if last is not action:
        raise Refused(
            "action_open/in_between",
            action=RulingArgument(last.id),
            other=state.combatants[last.combatant],
            rule="RD6-ACT-04",
            fields=("exchange",),
        )
    return action

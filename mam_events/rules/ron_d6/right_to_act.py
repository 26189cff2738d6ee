"""The right to act: whose turn it is, who acted last, who waited; and what is open (RD6-ACT-03, RD6-ACT-04)."""

from __future__ import annotations

from mam_events.decider.checks import require_able
from mam_events.decider.engine import Ruleset
from mam_events.errors import CommandHint, Refused
from mam_events.refusals.arguments import Ruling, Word, people
from mam_events.rules.initiative.go_first import has_place
from mam_events.state import Combatant, Encounter, OpenAction


def require_nothing_open(state: Encounter) -> None:
    """Refused with `action_open` while the result of an action is not declared."""
    if state.window.open:
        last = state.window.open[-1]
        raise Refused(
            "action_open",
            action=Ruling(last.id),
            other=state.combatants[last.combatant],
            rule="RD6-ACT-04",
            hints=(CommandHint("result"), CommandHint("interrupt")),
        )


def require_conscious(combatant: Combatant) -> None:
    """Refused with `incapacitated` unless the combatant can act (RD6-INIT-07)."""
    require_able(combatant, rule="RD6-INIT-07")


def require_free_for(
    state: Encounter, ruleset: Ruleset, combatant: Combatant, action: str, *, mental: bool = False
) -> None:
    """Refused with `held_down` for an action that one who was tackled or pinned as a whole cannot do: for what is
    physical and does not free (RD6-LIST-tackle). `mental` tells that nothing of this one is physical.
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
    """True if also somebody held down can do that action of the list (RD6-LIST-tackle)."""
    row = ruleset.tables.rd6_actions[action]
    return row.physical == "never" or (row.physical == "maybe" and mental) or row.frees


def require_turn_kept(combatant: Combatant) -> None:
    """Refused with `turn_lost` for one who could not act and has no turn in this round (RD6-INIT-07)."""
    if combatant.actions.turn_lost:
        raise Refused("turn_lost/unable", combatant=combatant, rule="RD6-INIT-07", fields=("combatant",))


def action_left(combatant: Combatant) -> None:
    """Refused with `no_actions_left` for one who has used all that it declared (RD6-ACT-02)."""
    declared = combatant.actions.declared
    if combatant.actions.left:
        return
    if declared > 1:
        raise Refused(
            "no_actions_left", combatant=combatant, declared=declared, rule="RD6-ACT-02", fields=("combatant",)
        )
    raise Refused("no_actions_left/one", combatant=combatant, rule="RD6-ACT-02", fields=("combatant",))


def next_to_act(state: Encounter) -> Combatant | Word:
    """The combatant who comes next, or the word for nobody."""
    return state.combatants[state.next_up] if state.next_up else Word("nobody")


def may_act(state: Encounter, combatant: Combatant) -> None:
    """Refused with `action_open`, or with `out_of_turn` unless it is that combatant's turn, in its place or moved up,
    or it acted last, or it has waited (RD6-ACT-03, RD6-ACT-06).
    """
    require_nothing_open(state)
    has_place(state, combatant)
    holder = state.turn.combatant if state.turn else ""
    if combatant.id in (holder, state.window.floor, *state.window.early) or combatant.actions.waiting:
        return
    raise _out_of_turn(state, combatant, holder)


def _out_of_turn(state: Encounter, combatant: Combatant, holder: str) -> Refused:
    rule, fields, left = "RD6-ACT-03", ("combatant",), combatant.actions.left
    if combatant.actions.declared or combatant.id in state.had_turn:
        if left:
            return Refused("out_of_turn/over_with_some_left", combatant=combatant, left=left, rule=rule, fields=fields)
        return Refused("out_of_turn/over", combatant=combatant, rule=rule, fields=fields)
    if state.next_up != combatant.id:
        return Refused("out_of_turn/not_come", combatant=combatant, due=next_to_act(state), rule=rule, fields=fields)
    if holder:
        now = state.combatants[holder]
        return Refused("out_of_turn/undeclared_in_anothers", combatant=combatant, now=now, rule=rule, fields=fields)
    return Refused("out_of_turn/undeclared", combatant=combatant, rule=rule, fields=fields)


def may_interrupt(state: Encounter, combatant: Combatant, interrupted: OpenAction) -> None:
    """Refused with `bad_target`, or with `has_not_waited` unless it waited, or moved up to react to that action, or has
    come in between already (RD6-ACT-04, RD6-ACT-06).
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
    """The open action to which its turn has moved up to react and it has not yet, whoever acts meanwhile (RD6-ACT-06);
    or None.
    """
    return state.window.action(combatant.actions.reacts_to)


def open_action(state: Encounter, number: int, field: str = "exchange") -> OpenAction:
    """The open action of that number; refused with `window_closed` where its result is declared (RD6-ACT-04), with
    `window_not_open` where nothing of that number was rolled.
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
        allowed=[Ruling(action.id) for action in state.window.open],
    )


def last_open(state: Encounter, number: int) -> OpenAction:
    """The action of that number, if nothing that came in between is open: the last in is the first out (RD6-ACT-04).

    Refused as `open_action` says, or with `action_open`.
    """
    action = open_action(state, number)
    last = state.window.open[-1]
    if last is not action:
        raise Refused(
            "action_open/in_between",
            action=Ruling(last.id),
            other=state.combatants[last.combatant],
            rule="RD6-ACT-04",
            fields=("exchange",),
        )
    return action

"""The right to act: whose turn it is, who acted last, who waited; and what is open (RD6-ACT-03, RD6-ACT-04)."""

from __future__ import annotations

from mam_events.deciding.checks import able
from mam_events.deciding.ruleset import Ruleset
from mam_events.errors import Hint, Refused, listing
from mam_events.refusals.references import Ruling
from mam_events.rules.initiative.precedence import has_place
from mam_events.state import Combatant, Encounter, OpenAction


def nothing_open(state: Encounter) -> None:
    """Refused with `action_open` while the result of an action is not declared."""
    if state.window.open:
        last = state.window.open[-1]
        raise Refused(
            "action_open",
            action=Ruling(last.id),
            last_combatant=state.combatants[last.combatant],
            rule="RD6-ACT-04",
            hints=(Hint("result"), Hint("interrupt")),
        )


def up(combatant: Combatant) -> None:
    """Refused with `incapacitated` unless the combatant can act (RD6-INIT-07)."""
    able(combatant, rule="RD6-INIT-07")


def free_for(state: Encounter, ruleset: Ruleset, combatant: Combatant, action: str, *, mental: bool = False) -> None:
    """Refused with `held_down` for an action that one who was tackled or pinned as a whole cannot do: for what is
    physical and does not free (RD6-LIST-tackle). `mental` tells that nothing of this one is physical.
    """
    holders = combatant.status.held_down_by
    if holders and not open_to_the_held(ruleset, action, mental=mental):
        by = " and ".join(state.combatants[holder].name for holder in holders)
        raise Refused(
            "held_down",
            f"{combatant.name} is held down by {by}, and can only speak, try to get free, wait, or do "
            "what is not physical.",
            rule="RD6-LIST-tackle",
            fields=("combatant",),
            hints=(Hint("perform", {"combatant": combatant.id, "action": "escape"}),),
        )


def open_to_the_held(ruleset: Ruleset, action: str, *, mental: bool) -> bool:
    """True if also somebody held down can do that action of the list (RD6-LIST-tackle)."""
    row = ruleset.tables.rd6_actions[action]
    return row.physical == "never" or (row.physical == "maybe" and mental) or row.frees


def turn_kept(combatant: Combatant) -> None:
    """Refused with `turn_lost` for one who could not act and has no turn in this round (RD6-INIT-07)."""
    if combatant.actions.turn_lost:
        raise Refused("turn_lost/2", combatant=combatant, rule="RD6-INIT-07", fields=("combatant",))


def action_left(combatant: Combatant) -> None:
    """Refused with `no_actions_left` for one who has used all that it declared (RD6-ACT-02)."""
    actions = combatant.actions
    if not actions.left:
        declared = f"all {actions.declared} of their actions" if actions.declared > 1 else "their one action"
        raise Refused(
            "no_actions_left",
            f"{combatant.name} has used {declared} in this round, and none can be added.",
            rule="RD6-ACT-02",
            fields=("combatant",),
        )


def may_act(state: Encounter, combatant: Combatant) -> None:
    """Refused with `action_open`, or with `out_of_turn` unless it is that combatant's turn, in its place or moved up,
    or it acted last, or it has waited (RD6-ACT-03, RD6-ACT-06).
    """
    nothing_open(state)
    has_place(state, combatant)
    holder = state.turn.combatant if state.turn else ""
    if combatant.id in (holder, state.window.floor, *state.window.early) or combatant.actions.waiting:
        return
    actions = combatant.actions
    if actions.declared or combatant.id in state.had_turn:
        lost = f"; what is left of their actions ({actions.left}) is lost with the round" if actions.left else ""
        why = f"their turn is over, and only those who wait may act later{lost}"
    elif state.next_up == combatant.id:
        turn = f"it is {state.combatants[holder].name}'s turn, and " if holder else ""
        why = f"{turn}they must first say how many actions they take"
    else:
        due = state.combatants[state.next_up].name if state.next_up else "nobody"
        why = f"their turn has not come, and {due} is next"
    raise Refused("out_of_turn", f"{combatant.name} cannot act now: {why}.", rule="RD6-ACT-03", fields=("combatant",))


def may_interrupt(state: Encounter, combatant: Combatant, interrupted: OpenAction) -> None:
    """Refused with `bad_target`, or with `has_not_waited` unless it waited, or moved up to react to that action, or has
    come in between already (RD6-ACT-04, RD6-ACT-06).
    """
    if interrupted.combatant == combatant.id:
        raise Refused("bad_target/12", rule="RD6-ACT-04", fields=("combatant", "against"))
    if not (
        combatant.actions.waiting or state.window.floor == combatant.id or reacted_to(state, combatant) is interrupted
    ):
        comes = combatant.id in state.due and state.turn_in_order != combatant.id
        up = "; some reactions let a turn move up" if comes else ""
        raise Refused(
            "has_not_waited",
            f"{combatant.name} has not waited, and only those who have may interrupt{up}.",
            rule="RD6-ACT-04",
            fields=("combatant",),
            hints=(Hint("move-up", {"combatant": combatant.id}),) if comes else (),
        )


def reacted_to(state: Encounter, combatant: Combatant) -> OpenAction | None:
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
    waiting = listing("", (str(action.id) for action in state.window.open), "ruling", "none is open now.")
    raise Refused(
        "window_not_open",
        f"No action {number} is open: it was never rolled, or taken back; {waiting}"
        if number
        else "No action is open: nothing was rolled that waits for its result.",
        rule="RD6-ACT-04",
        fields=(field,),
    )


def last_open(state: Encounter, number: int) -> OpenAction:
    """The action of that number, if nothing that came in between is open: the last in is the first out (RD6-ACT-04).

    Refused as `open_action` says, or with `action_open`.
    """
    action = open_action(state, number)
    last = state.window.open[-1]
    if last is not action:
        raise Refused(
            "action_open/2",
            action=Ruling(last.id),
            last_combatant=state.combatants[last.combatant],
            rule="RD6-ACT-04",
            fields=("exchange",),
        )
    return action

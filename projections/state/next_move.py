"""The next move of a fight in a sentence: whose turn it is, or who must react or roll."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mam_events.refusals.renderer import render_message
from projections.phrases import join_words
from projections.sentences.rounds import action_words, aimed_at_words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mam_events.rules.rulebook import Rulebook
    from mam_events.state import Encounter, Exchange, OpenAction
    from projections.visibility.redaction import Redactor


HIDDEN_ACTION = "An action waits for its result."


def upcoming_round(state: Encounter) -> int:
    """Return the round of the current or next turn; between rounds it is the next round."""
    between = not state.round_open and state.turn is None and state.exchange is None and state.next_up is not None
    return max(state.round + between, 1)


def next_move_sentence(state: Encounter, redactor: Redactor, rules: Rulebook) -> str:
    """Return a sentence on whose turn it is, or on what waits for a reaction or a roll."""
    visible_state = redactor.unnamed(state)
    name = {who.id: who.name for who in visible_state.combatants.values()}
    if state.status == "closed":
        return "The encounter is closed."
    if state.exchange is not None:
        return _open_exchange(visible_state, state.exchange, name, redactor, rules)
    if state.window.open:
        return " ".join(_open_action(action, name, redactor) for action in reversed(state.window.open))
    if not state.order and state.round_open:
        return f"Round {state.round}: nobody has rolled initiative yet."
    if not state.order:
        return "Initiative is not settled." if state.combatants else "Nobody has joined yet."
    if state.turn is not None and state.turn.counter:
        return (
            f"Round {max(state.round, 1)}: {name[state.turn.combatant]} counterattacks. What "
            f"{name[state.turn.against]} declared waits until that is over."
        )
    if state.turn is not None:
        return f"Round {state.round}: it is {name[state.turn.combatant]}'s turn."
    if state.next_up is None:
        over = state.initiative.entries and state.in_fight
        return f"Round {state.round}: {'everybody has had a turn' if over else 'nobody is left who can take a turn'}."
    return f"Round {upcoming_round(state)}: {name[state.next_up]} is next."


def _open_exchange(
    state: Encounter, exchange: Exchange, name: Mapping[str, str], redactor: Redactor, rules: Rulebook
) -> str:
    """Return a sentence on the open exchange; if it is hidden, only that there is one."""
    if redactor.veils(exchange.id):
        return HIDDEN_ACTION
    root = exchange.root
    deed = f"attacks {name[root.target]}" if root.kind == "attack" else "acts"
    begun = f"Exchange {exchange.id}: {name[root.combatant]} {deed}"
    if exchange.countered:
        why = _hindered(state, rules)
        hint = f"must be changed first: {why}" if why else "may still be changed, or answered and resolved."
        return f"{begun}. A counterattack came before it, so it {hint}"
    return f"{begun}. {_awaits(state, redactor, rules)}."


def _awaits(state: Encounter, redactor: Redactor, rules: Rulebook) -> str:
    """Return the next step of the open exchange: reactions, then the dice that are still missing."""
    exchange = state.exchange
    begun = exchange and (exchange.has_reacted(exchange.root.target) or exchange.drawing)
    # The sentence must not reveal whether a hidden ruling in it is a reaction.
    if not (state.ruleset and exchange and begun) or redactor.veils_since(exchange.id):
        return "Reactions come before the dice"
    from mam_events.rules.exchanges.throw_die import awaited_parts  # noqa: PLC0415 - as below

    waits = awaited_parts(state, rules.in_force(state.ruleset))
    roll_owners = (who for roll, who in waits.dice.items() if not (roll.isdecimal() and redactor.veils(int(roll))))
    throwing = [who for who in dict.fromkeys(roll_owners) if who not in redactor.hidden]
    names = join_words([state.combatants[who].name for who in throwing])
    if waits.reaction:
        return f"{state.combatants[waits.reaction].name} may still react before the dice"
    return f"The dice of {names} come next" if throwing else "It can be resolved now"


def _hindered(state: Encounter, rules: Rulebook) -> str:
    """Return why the action that began the exchange is no longer possible, if it may be changed; "" otherwise."""
    from mam_events.rules.exchanges.feasibility import find_hindrance, is_changeable  # noqa: PLC0415 - rarely needed, and the rules load slowly

    if not (state.exchange and state.ruleset and is_changeable(state, state.exchange)):
        return ""
    why = find_hindrance(state, rules.in_force(state.ruleset), state.exchange.root)
    return render_message(why) if why else ""


def _open_action(action: OpenAction, name: Mapping[str, str], redactor: Redactor) -> str:
    """Return a sentence on an action that waits for its result; if it is hidden, only that there is one."""
    if action.combatant in redactor.hidden or redactor.veils(action.id):
        return HIDDEN_ACTION
    target = action.target if action.target not in redactor.hidden else ""
    at = aimed_at_words(action.action, name[target]) if target in name else ""
    against = "" if action.difficulty is None else f" against {action.difficulty}"
    total = "" if action.total is None or redactor.veils_total(action.id) else f", came to {action.total}"
    return (
        f"Action {action.id}: {name[action.combatant]}, {action_words(action.action)}{at}{total}"
        f"{against}. Those who have waited may interrupt before the result is declared."
    )

"""The choice after a prepared counterattack: continue the interrupted action, or change it (MAM-CTR-03)."""

from __future__ import annotations

from collections.abc import Iterator

from mam_events.commands import ChangeAction
from mam_events.decider.checks import require_able, require_combatant, require_exchange, require_not_thrown
from mam_events.decider.engine import Decision, RuleModule, Ruleset
from mam_events.decider.mechanic import Mechanic
from mam_events.decider.offers import Offer, offer
from mam_events.errors import Refused
from mam_events.events import CounterattackEnded, DeclaredActionChanged
from mam_events.refusals.arguments import RulingArgument, text_fragment
from mam_events.rules.exchanges.feasibility import cancel_exchange, check_still_possible, find_hindrance
from mam_events.rules.turns.prepared_counterattack import recover_after
from mam_events.state import Combatant, Encounter, Turn


def end_counterattack(judging: Decision, name: str) -> None:
    """End a counterattack; what it interrupted goes on, unless its actor is down now.

    If only the target is down, the attacker strikes all the same, or does something else (MAM-CTR-03).
    """
    if judging.state.combatants[name].status.turns:
        recover_after(judging, name)
    state, ruleset = judging.state, judging.ruleset
    has_passed = state.turn is not None and not state.turn.deeds and not state.turn.acted
    waiting = state.interrupted[-1].exchange if state.interrupted else None
    if waiting is None:
        judging.record(CounterattackEnded(name, has_passed))
        return
    why = find_hindrance(state, ruleset, waiting.root, check_still_possible)
    if state.combatants[waiting.root.actor].condition == "able":
        judging.record(CounterattackEnded(name, has_passed, waiting.id, why))
    else:
        judging.record(CounterattackEnded(name, has_passed))
        cancel_exchange(judging, waiting, why)


def end_counterattacks(judging: Decision) -> None:
    """End every counterattack in progress when the game master assigns the turn.

    Actions declared in a counterattack are cancelled, and what it interrupted is open again.
    """
    while judging.state.turn and judging.state.turn.counter:
        if judging.state.exchange:
            cancel_exchange(judging, judging.state.exchange, text_fragment("came_of_it/counter_ended"))
        end_counterattack(judging, judging.state.turn.combatant)


def check_change(state: Encounter, ruleset: Ruleset, command: ChangeAction) -> None:
    """Raise Refused unless a declared action may still be changed: a counterattack came before it (MAM-CTR-03)."""
    combatant = require_combatant(state, command.combatant)
    turn, exchange = state.turn, state.exchange
    if exchange is None and turn and turn.combo and (turn.combo.id, turn.combatant) == (command.exchange, combatant.id):
        require_able(combatant)
        _still_whole(turn, combatant)
        return
    exchange = require_exchange(state, command.exchange)
    require_able(combatant)
    if exchange.root.actor != combatant.id or not exchange.countered:
        raise Refused(
            "not_countered/another",
            action=RulingArgument(exchange.id),
            exchange_root_actor=state.combatants[exchange.root.actor],
            rule="MAM-CTR-03",
            fields=("exchange",),
        )
    if len(exchange.actions) > 1:
        raise Refused("already_answered", action=RulingArgument(exchange.id), rule="MAM-CTR-03", fields=("exchange",))
    require_not_thrown(state)


def _still_whole(turn: Turn, combatant: Combatant) -> None:
    """Raise Refused unless a counterattack came before a combo that has not begun.

    Raises `not_countered` or `combo_late`.
    """
    assert turn.combo is not None  # noqa: S101 - asked only about a combo
    if not turn.combo.countered:
        raise Refused("not_countered/combo", combatant=combatant, rule="MAM-CTR-03", fields=("exchange",))
    if turn.deeds:
        raise Refused("combo_late", combatant=combatant, rule="MAM-CTR-03", fields=("exchange",))


def judge_change(judging: Decision, command: ChangeAction, _: None) -> None:
    """Undo what was declared; movement already used is gone, and so are points already spent."""
    judging.record(DeclaredActionChanged(command.exchange, command.combatant))


def _offer_change(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    exchange, turn = state.exchange, state.turn
    name, declared = "", 0
    if exchange and exchange.countered:
        name, declared = exchange.root.actor, exchange.id
    elif exchange is None and turn and turn.combo and turn.combo.countered:
        name, declared = turn.combatant, turn.combo.id
    if declared:
        yield offer(ChangeAction(name, declared), pinned=("exchange",))


SECTION = RuleModule(
    at_counterattack_end=(end_counterattack,),
    mechanics=(Mechanic(ChangeAction, check=check_change, judge=judge_change, offers=_offer_change),),
)

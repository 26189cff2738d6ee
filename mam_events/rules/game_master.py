"""The game master's adjustments: declared events that no rule blocks, unless they are impossible (MAM-POOL-01)."""

from __future__ import annotations

from collections.abc import Iterator

from mam_events.commands import Adjust, DeclaredOutcome, Hold
from mam_events.decider.checks import require_combatant, require_exchange
from mam_events.decider.engine import Decision, RuleModule, Ruleset
from mam_events.decider.mechanic import Mechanic
from mam_events.decider.offers import Offer, free, offer
from mam_events.errors import Refused
from mam_events.events import (
    ConditionDeclared,
    GrappleDeclared,
    OutcomeDeclared,
    PoolsAdjusted,
    RidingDeclared,
    RoundStarted,
    TurnDeclared,
    TurnEnded,
)
from mam_events.refusals.arguments import RulingArgument, Term, text_argument
from mam_events.rules.exchanges.change_action import end_counterattacks
from mam_events.rules.exchanges.feasibility import record_aftermath
from mam_events.rules.health.wounds import settle_condition, wound
from mam_events.rules.maneuvering.evade import protect
from mam_events.rules.maneuvering.grapple_positions import check_placings, place_combatants
from mam_events.state import Encounter, Exchange, Grapple, Pools
from mam_events.values import NOBODY_WORD


def check_adjust(state: Encounter, ruleset: Ruleset, command: Adjust) -> None:
    """Raise Refused only for the impossible: an unknown combatant, points that a pool lacks, no such exchange."""
    if state.status == "unopened":
        raise Refused("no_encounter")
    pools: dict[str, Pools] = {}
    for move in command.move:
        before = pools.get(move.combatant) or require_combatant(state, move.combatant, "move").pools
        if getattr(before, move.source) < move.points:
            raise Refused(
                "not_enough_in_pool/to_move",
                combatant=state.combatants[move.combatant],
                held=getattr(before, move.source),
                pool=Term(move.source),
                points=move.points,
                rule="MAM-POOL-01",
                fields=("move",),
            )
        pools[move.combatant] = before.move(move.source, move.target, move.points)
    for name in command.condition:
        require_combatant(state, name, "condition")
    for hold in command.hold:
        _hold(state, hold)
    check_placings(state, ruleset, command.position)
    _check_riding(state, command)
    _check_turn(state, command)
    if command.outcome:
        exchange = _unresolved(state, command.outcome.exchange)
        if (command.outcome.stun or command.outcome.damage) and not exchange.root.target:
            raise Refused("bad_target/no_target", action=RulingArgument(exchange.id), fields=("outcome",))


def _unresolved(state: Encounter, number: int) -> Exchange:
    """Return the exchange with that number, open or waiting for a counterattack.

    Raises Refused with `no_such_exchange`.
    """
    for exchange in state.declared:
        if exchange.id == number:
            return exchange
    return require_exchange(state, number)


def _hold(state: Encounter, hold: Hold) -> None:
    require_combatant(state, hold.combatant, "hold")
    if hold.held:
        require_combatant(state, hold.held, "hold")


def _check_riding(state: Encounter, command: Adjust) -> None:
    for rider, mount in command.riding.items():
        combatant = require_combatant(state, rider, "riding")
        if mount != NOBODY_WORD and require_combatant(state, mount, "riding") is combatant:
            raise Refused("bad_target/own_mount", who=combatant, rule="MAM-MNT-01", fields=("riding",))


def _check_turn(state: Encounter, command: Adjust) -> None:
    if command.turn and command.turn != NOBODY_WORD:
        require_combatant(state, command.turn, "turn")
        if state.order and command.turn not in state.order:
            raise Refused("out_of_turn/not_in_order", turn=text_argument(command, "turn"), fields=("turn",))


def judge_adjust(judging: Decision, command: Adjust, _: None) -> None:
    """Record the game master's adjustments."""
    for move in command.move:
        pools = judging.state.combatants[move.combatant].pools.move(move.source, move.target, move.points)
        judging.record(PoolsAdjusted(move.combatant, move.source, move.target, move.points, pools))
    if command.outcome:
        _declare_outcome(judging, command.outcome)
    for name, condition in command.condition.items():
        before = judging.state.combatants[name].condition
        judging.record(ConditionDeclared(name, condition))
        if before == "able" != condition:
            for follows in judging.ruleset.edition.at_unable:
                follows(judging, name)
    _settle_moves(judging, command)
    for hold in command.hold:
        grapple = Grapple(hold.grapple, hold.points, hold.modifier, hold.held, hold.kind, hold.power)
        judging.record(GrappleDeclared(hold.combatant, grapple))
    place_combatants(judging, command.position)
    _declare_riding(judging, command)
    if command.turn:
        _declare_turn(judging, "" if command.turn == NOBODY_WORD else command.turn)


def _settle_moves(judging: Decision, command: Adjust) -> None:
    """Record the events that follow from moved points.

    A combatant that gains stun or damage is hurt as by any wound (MAM-POS-02).
    """
    for name in dict.fromkeys(move.combatant for move in command.move):
        if name not in command.condition:
            settle_condition(judging, name)
    hurt = (m.combatant for m in command.move if m.target in ("stun", "damage") and m.source != "damage")
    for name in dict.fromkeys(hurt):
        for follows in judging.ruleset.edition.at_wound:
            follows(judging, name)
    judging.settle()


def _declare_turn(judging: Decision, name: str) -> None:
    """Start that combatant's turn, or nobody's ("").

    A combatant that has declared its actions has had its own turn (RD6-ACT-02). A counterattack in progress ends.
    """
    end_counterattacks(judging)
    actor = judging.state.turn.combatant if judging.state.turn else ""
    if actor not in ("", name) and judging.state.combatants[actor].actions.declared:
        judging.record(TurnEnded(actor))
    if name and not judging.state.round_open:
        judging.record(RoundStarted(judging.state.round + 1))
    judging.record(TurnDeclared(name))


def _declare_outcome(judging: Decision, declared: DeclaredOutcome) -> None:
    """End an exchange as the game master says; shots and thrown items are used up as after any other end."""
    exchange = _unresolved(judging.state, declared.exchange)
    protect(judging, exchange.root)
    judging.record(OutcomeDeclared(exchange.id, declared.outcome))
    if exchange.root.target:
        wound(judging, exchange.root.target, exchange.id, declared.stun, declared.damage)
    record_aftermath(judging, exchange, exchange.actions)


def _declare_riding(judging: Decision, command: Adjust) -> None:
    for rider, mount in command.riding.items():
        judging.record(RidingDeclared(rider, "" if mount == NOBODY_WORD else mount))


def _offer_adjust(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    yield offer(Adjust(reason="the game master's word"), *free(*Adjust.__struct_fields__))


SECTION = RuleModule(
    mechanics=(Mechanic(Adjust, check=check_adjust, judge=judge_adjust, offers=_offer_adjust),),
)

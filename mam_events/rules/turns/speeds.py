"""Speeds and skipped turns (MAM-TURN-02 to MAM-TURN-06), and delayed turns (MAM-TURN-09)."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from mam_events.commands import DelayTurn
from mam_events.decider.checks import require_combatant, require_open
from mam_events.decider.engine import Decision, RuleModule, Ruleset
from mam_events.decider.mechanic import Mechanic
from mam_events.decider.offers import Field, Offer, offer
from mam_events.errors import Refused
from mam_events.events import TurnDelayed
from mam_events.state import Combatant, Encounter, has_turns

LADDER = (Decimal("0.25"), Decimal("0.5"), Decimal(1), Decimal(2), Decimal(3))
"""The speeds that the rules know."""
SKIPPED = {Decimal("0.25"): 3, Decimal("0.5"): 1}
"""The number of turns to skip after acting in one (MAM-TURN-02, MAM-TURN-03).

From speed 1 on there is none (MAM-TURN-04).
"""


def owed_after_acting(combatant: Combatant, ruleset: Ruleset) -> int:
    """Return the turns that a combatant must skip after it moves or acts; none if its pattern is fixed."""
    if ruleset.get("speed_skip_basis") != "after_acting":
        return 0
    return SKIPPED.get(combatant.statistics.speed, 0)


def is_turn_usable(combatant: Combatant, ruleset: Ruleset) -> bool:
    """Return True if it may use its present turn (MAM-TURN-05, `speed_skip_basis`)."""
    if combatant.status.skips_owed:
        return False
    if ruleset.get("speed_skip_basis") != "fixed_pattern":
        return True
    return (combatant.status.turns - 1) % (SKIPPED.get(combatant.statistics.speed, 0) + 1) == 0


def is_idle(state: Encounter, name: str) -> bool:
    """Return True if nothing has been done in the turn in progress: no move, no action, no preparation."""
    turn, combatant = state.turn, state.combatants[name]
    return turn is not None and not (turn.deeds or turn.acted or combatant.status.moved or combatant.status.prepared)


def check_delay(state: Encounter, ruleset: Ruleset, command: DelayTurn) -> tuple[str, ...]:
    """Return the order after the delay.

    Both the combatant that delays and the one that it waits for must still have their turn.
    """
    require_open(state)
    combatant, other = require_combatant(state, command.combatant), require_combatant(state, command.after, "after")
    if combatant.id == other.id:
        raise Refused("bad_target/waits_for_self", rule="MAM-TURN-09", fields=("after",))
    order = state.turn_order
    for who, field in ((combatant, "combatant"), (other, "after")):
        busy = who is combatant and state.turn_in_order == who.id
        if who.id not in order or who.id in state.had_turn or busy or not has_turns(who):
            raise Refused(
                "turn_had/this_round" if who.id in order else "out_of_turn/had",
                who=who,
                rule="MAM-TURN-09",
                fields=(field,),
            )
    if order.index(other.id) <= order.index(combatant.id):
        raise Refused(
            "out_of_turn/already_after", combatant=combatant, other=other, rule="MAM-TURN-09", fields=("after",)
        )
    rest = [name for name in order if name != combatant.id]
    at = rest.index(other.id) + 1
    return (*rest[:at], combatant.id, *rest[at:])


def judge_delay(judging: Decision, command: DelayTurn, order: tuple[str, ...]) -> None:
    """Delay a turn, for good or for this round (`delay_persistence`)."""
    keeps = judging.ruleset["delay_persistence"] == "permanent_reorder"
    judging.record(TurnDelayed(command.combatant, command.after, order, keeps))


def _offer_delay(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    order, had = state.turn_order, frozenset(state.had_turn)
    coming = {name for name in order if name not in had and has_turns(state.combatants[name])}
    for at, name in enumerate(order):
        later = tuple(other for other in order[at + 1 :] if other in coming)
        if later:
            yield offer(DelayTurn(name, later[0]), Field("after", choices=later))


SECTION = RuleModule(
    mechanics=(Mechanic(DelayTurn, check=check_delay, judge=judge_delay, offers=_offer_delay),),
)

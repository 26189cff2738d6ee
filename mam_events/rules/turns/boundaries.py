"""The beginning of a round and the end of a turn, with their automatic events.

MAM-ORDER-01, MAM-TURN-06, MAM-WND-09.
"""

from __future__ import annotations

from mam_events.decider.engine import Decision
from mam_events.events import RoundEnded, RoundStarted, StunRecovered, TurnEnded
from mam_events.rules.health.condition import recovered_stun
from mam_events.rules.health.wounds import settle_condition
from mam_events.rules.initiative.by_roll import ends_order
from mam_events.rules.turns.speeds import is_idle


def start_round(judging: Decision) -> None:
    """Begin a round, with the events of its beginning."""
    judging.record(RoundStarted(judging.state.round + 1))
    for follows in judging.ruleset.edition.at_round_start:
        follows(judging)


def recover(judging: Decision, name: str, moment: str, *, is_owed: bool = False) -> None:
    """Record the stun that a combatant recovers at this moment (MAM-PHASE-01, MAM-TURN-06), and that it gets up.

    With `is_owed` the recovery belongs to an earlier turn, so the turn in progress still brings its own.
    """
    combatant, turn = judging.state.combatants[name], judging.state.turn
    if combatant.pools.stun == 0 or judging.ruleset["stun_recovery_timing"] != moment:
        return
    if not is_owed and turn and turn.combatant == name and turn.recovered:
        # After a change of rules in the middle of a turn, it must not recover stun twice.
        return
    points = recovered_stun(combatant, judging.ruleset)
    judging.record(StunRecovered(name, points, combatant.pools.move("stun", "other_used", points), turn=not is_owed))
    settle_condition(judging, name)


def recover_midway(judging: Decision, before: str | None) -> None:
    """Record the recovery of the turn in progress if a rule change moved recovery from a turn's end to its start."""
    state = judging.state
    if before != "turn_end" or judging.ruleset.get("stun_recovery_timing") != "turn_start" or not state.turn:
        return
    turn = state.interrupted[0].turn if state.interrupted else state.turn
    recover(judging, turn.combatant, "turn_start")


def end_turn(judging: Decision, name: str) -> None:
    """End a turn, with the events of its end; start the next round at once if the house rules say so."""
    recovers = _recovers(judging, name)
    for follows in judging.ruleset.edition.at_turn_end:
        follows(judging, name)
    if recovers:
        recover(judging, name, "turn_end")
    judging.record(TurnEnded(name))
    if judging.state.is_round_done:
        begins_order, fighting = ends_order(judging.state, judging.ruleset), bool(judging.state.in_fight)
        judging.record(RoundEnded(judging.state.round, rolled_anew=begins_order))
        if judging.ruleset["round_boundary"] == "turn_end_to_turn_end" and fighting:
            start_round(judging)


def _recovers(judging: Decision, name: str) -> bool:
    """Return True if the end of this turn brings stun recovery.

    The house rules may exclude skipped turns and turns that prepared a counterattack.
    """
    combatant = judging.state.combatants[name]
    if combatant.pools.stun == 0:
        return False
    # A combatant who is down does not skip its turn: otherwise it could never wake up.
    skips = combatant.condition == "able" and is_idle(judging.state, name)
    if skips and judging.ruleset.get("skipped_turn_recovers_stun") == "no":
        return False
    return not (combatant.status.prepared and judging.ruleset.get("stun_recovery_for_counterattack") == "after_counter")

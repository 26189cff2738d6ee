"""Prepared counterattacks: waiting, the trigger, the order of events.

MAM-CTR-01, MAM-CTR-02, MAM-CTR-04 to MAM-CTR-06.
"""

from __future__ import annotations

from collections.abc import Iterator

from mam_events.commands import PrepareCounterattack
from mam_events.decider.action_kinds import require_can_act
from mam_events.decider.checks import is_allowed
from mam_events.decider.engine import Decision, OngoingEffect, RuleModule, Ruleset
from mam_events.decider.mechanic import Mechanic
from mam_events.decider.offers import Offer, offer
from mam_events.errors import Refused
from mam_events.events import (
    CounterattackLapsed,
    CounterattackPrepared,
    CounterattackTriggered,
    PreparationSpent,
)
from mam_events.rules.turns.boundaries import end_turn, recover
from mam_events.rules.turns.speeds import owed_after_acting
from mam_events.state import Combatant, Encounter


def prepares(ruleset: Ruleset) -> bool:
    """Return True if counterattacks are prepared (`counterattack_mode`)."""
    return ruleset["counterattack_mode"] == "prepared_turn"


def check_prepare(state: Encounter, ruleset: Ruleset, command: PrepareCounterattack) -> None:
    """Raise Refused unless the turn may be spent on waiting: nothing has been done in it (MAM-CTR-01, MAM-TURN-07)."""
    if not prepares(ruleset):
        raise Refused("not_in_edition/no_preparing", rule="MAM-ATK-12")
    combatant = require_can_act(state, ruleset, command.combatant, "prepare")
    assert state.turn is not None  # noqa: S101 - the actor has a turn
    if state.turn.counter:
        raise Refused("out_of_turn/counterattacking", combatant=combatant, rule="MAM-CTR-01", fields=("combatant",))
    if state.turn.deeds or state.turn.acted or combatant.status.moved:
        raise Refused("already_acted/prepares", combatant=combatant, rule="MAM-TURN-07", fields=("combatant",))


def judge_prepare(judging: Decision, command: PrepareCounterattack, _: None) -> None:
    """Wait, which ends the turn; the order of turns stays as it is (MAM-CTR-05)."""
    judging.record(CounterattackPrepared(command.combatant))
    end_turn(judging, command.combatant)


def _offer_prepare(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    if prepares(ruleset):
        for name in state.combatants:
            yield offer(PrepareCounterattack(name))


def is_waiting(combatant: Combatant) -> bool:
    """Return True if it would strike before an attack on it: it has prepared a counterattack and is not down."""
    return combatant.status.prepared and combatant.condition == "able"


def lapse_reason(state: Encounter, ruleset: Ruleset, combatant: Combatant, prepared: bool) -> str:  # noqa: FBT001 - the ongoing thing is a bool
    """Return the reason why a prepared counterattack lapses; "" while it waits.

    A combatant that is down cannot strike (MAM-WND-08).
    """
    return "" if combatant.condition == "able" else "down"


def give_up(judging: Decision, name: str, prepared: bool, why: str) -> None:  # noqa: FBT001 - as above
    """Record that a preparation lapsed; the turn that it took is spent."""
    judging.record(CounterattackLapsed(name, judging.state.combatants[name].status.skips_owed))


def may_aim(state: Encounter, ruleset: Ruleset, attacker: str, target: str) -> None:
    """Raise Refused if the attacker may not attack that target now.

    Raises `bad_target` if a counterattack may strike only the attacker (`counterattack_target`). Raises `too_late` if a
    combo has begun and the target's counterattack would have come before all of it (MAM-CTR-02).
    """
    turn = state.turn
    if turn is None or turn.combatant != attacker:
        return
    combatants = state.combatants
    if turn.counter and target != turn.against and ruleset["counterattack_target"] == "attacker_only":
        raise Refused(
            "bad_target/attacker_only", attacker=combatants[turn.against], rule="MAM-CTR-02", fields=("target",)
        )
    if turn.combo and turn.deeds and is_waiting(combatants[target]) and _triggers_counterattacks(state, ruleset):
        raise Refused("too_late/combo_begun", target=combatants[target], rule="MAM-CTR-02", fields=("target",))


def attackable_targets(state: Encounter, ruleset: Ruleset, attacker: str) -> tuple[str, ...]:
    """Return the ids of those whom that combatant may attack now: in its turn, all others who are still there."""
    if not state.is_turn_of(attacker):
        return ()
    return tuple(
        other.id
        for other in state.combatants.values()
        if other.id != attacker and not other.is_gone and is_allowed(may_aim, state, ruleset, attacker, other.id)
    )


def _triggers_counterattacks(state: Encounter, ruleset: Ruleset) -> bool:
    """Return True if actions in the turn in progress trigger prepared counterattacks (`nested_counterattacks`)."""
    nested = state.turn is not None and state.turn.counter > 0
    return not nested or ruleset["nested_counterattacks"] == "allowed"


def trigger(judging: Decision, by: str, *targets: str) -> None:
    """Let targets with a prepared counterattack act first, in the order given (MAM-CTR-02, MAM-CTR-06)."""
    if not _triggers_counterattacks(judging.state, judging.ruleset):
        return
    # The last counterattack recorded acts first, so go through the targets in reverse.
    for target in reversed(dict.fromkeys(targets)):
        combatant = judging.state.combatants[target]
        if is_waiting(combatant):
            owed = combatant.status.skips_owed + owed_after_acting(combatant, judging.ruleset)
            judging.record(CounterattackTriggered(target, by, judging.ruling, owed))


def recover_after(judging: Decision, name: str) -> None:
    """Record the recovery of a turn spent on waiting if it is due only now (`stun_recovery_for_counterattack`)."""
    if judging.ruleset.get("stun_recovery_for_counterattack") == "after_counter":
        recover(judging, name, "turn_end", is_owed=True)


def lapse(judging: Decision, name: str) -> None:
    """Record that an untriggered preparation lapses in the combatant's next turn (MAM-CTR-04)."""
    combatant, ruleset = judging.state.combatants[name], judging.ruleset
    if not combatant.status.prepared:
        return
    # A counterattack prepared from the start took no turn, except with opening_counter_consumes_first_turn.
    turn_spent = combatant.status.turns > 1
    # untriggered_counter_counts_as_skip: waiting in vain counts as a skipped turn, or as a turn with an action.
    acted = ruleset.get("untriggered_counter_counts_as_skip") == "no" and (turn_spent or combatant.status.skips_owed)
    owed = combatant.status.skips_owed + (owed_after_acting(combatant, ruleset) if acted else 0)
    judging.record(CounterattackLapsed(name, owed))
    if turn_spent and (acted or ruleset.get("skipped_turn_recovers_stun") != "no"):
        recover_after(judging, name)


def spend_preparation(judging: Decision, name: str) -> None:
    """Record that an interference uses up the prepared counterattack (`speed_interference`)."""
    combatant = judging.state.combatants[name]
    owed = combatant.status.skips_owed + owed_after_acting(combatant, judging.ruleset)
    judging.record(PreparationSpent(name, owed))
    if combatant.status.turns:
        recover_after(judging, name)


SECTION = RuleModule(
    ongoing=(OngoingEffect("prepared counterattack", "status.prepared", lapse_reason, give_up),),
    at_turn_start=(lapse,),
    mechanics=(Mechanic(PrepareCounterattack, check=check_prepare, judge=judge_prepare, offers=_offer_prepare),),
)

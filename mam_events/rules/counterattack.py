"""Prepared counterattacks: waiting, the trigger, what comes before what (MAM-CTR)."""

from __future__ import annotations

from collections.abc import Iterator

from mam_events.commands.counterattacks import ChangeAction, PrepareCounterattack
from mam_events.encounter.judging import Judging
from mam_events.encounter.templates import Field, Offer, Template
from mam_events.errors import Refused
from mam_events.events import AttackResolved
from mam_events.events.counterattacks import (
    CounterattackEnded,
    CounterattackLapsed,
    CounterattackPrepared,
    CounterattackTriggered,
    DeclaredActionChanged,
    PreparationSpent,
)
from mam_events.rules.checks import able, exchange_of, named
from mam_events.rules.deeds import acting
from mam_events.rules.edition import Mechanic
from mam_events.rules.ruleset import Ruleset
from mam_events.rules.speeds import owed_after_acting
from mam_events.rules.turn_bounds import end_turn, recover
from mam_events.state import Combatant, Encounter

REVISION = 1


def prepares(ruleset: Ruleset) -> bool:
    """Whether counterattacks are prepared (`counterattack_mode`)."""
    return ruleset["counterattack_mode"] == "prepared_turn"


def check_prepare(state: Encounter, ruleset: Ruleset, command: PrepareCounterattack) -> None:
    """Whether the turn may be spent on waiting: nothing has been done in it (MAM-CTR-01, MAM-TURN-07)."""
    if not prepares(ruleset):
        raise Refused(
            "not_in_edition",
            "Counterattacks are not prepared under these rules: answer an attack with `counterattack` when it comes.",
            rule="MAM-ATK-12",
        )
    combatant = acting(state, ruleset, command.combatant, "prepare")
    assert state.turn is not None  # noqa: S101 - whoever acts has a turn
    if state.turn.counter:
        raise Refused(
            "out_of_turn",
            f"{combatant.name} counterattacks just now; waiting takes a turn of its own.",
            rule="MAM-CTR-01",
            fields=("combatant",),
        )
    if state.turn.deeds or state.turn.acted or combatant.status.moved:
        raise Refused(
            "already_acted",
            f"{combatant.name} has moved or acted in this turn; a counterattack is prepared instead of both.",
            rule="MAM-TURN-07",
            fields=("combatant",),
        )


def judge_prepare(judging: Judging, command: PrepareCounterattack, _: None) -> None:
    """Wait, and end the turn with it; the order of turns stays as it is (MAM-CTR-05)."""
    judging.record(CounterattackPrepared(command.combatant))
    end_turn(judging, command.combatant)


def offer_prepare(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    """Every `prepare-counterattack` that could be ordered, legal or not."""
    if prepares(ruleset):
        for name in state.combatants:
            template = Template("prepare-counterattack", name, (Field("combatant", choices=(name,)),))
            yield Offer(template, PrepareCounterattack(name))


def trigger(judging: Judging, by: str, target: str) -> None:
    """Let a prepared target act before the action that is aimed at it (MAM-CTR-02, MAM-CTR-06)."""
    state = judging.state
    combatant = state.combatants.get(target)
    if combatant is None or not combatant.status.prepared or combatant.condition != "able":
        return
    if state.turn and state.turn.counter and judging.ruleset["nested_counterattacks"] == "forbidden":
        return
    judging.record(CounterattackTriggered(target, by, owed_after_acting(combatant)))


def end_counterattack(judging: Judging, name: str) -> None:
    """A counterattack is over; what it interrupted goes on, unless whoever was at it is down now."""
    if judging.ruleset.get("stun_recovery_for_counterattack") == "after_counter":
        recover(judging, name, "turn_end")
    turn = judging.state.turn
    passed = turn is not None and not turn.deeds and not turn.acted
    judging.record(CounterattackEnded(name, passed))
    exchange = judging.state.exchange
    if exchange is None:
        return
    root = exchange.root
    fallen = next(
        (who for who in (root.combatant, root.target) if who and not _stands(judging.state.combatants[who])), ""
    )
    if fallen:
        why = f"{judging.state.combatants[fallen].name} is {judging.state.combatants[fallen].condition}"
        judging.record(AttackResolved(exchange.id, "fail", 0, 0, why))


def _stands(combatant: Combatant) -> bool:
    return combatant.condition == "able"


def lapse(judging: Judging, name: str) -> None:
    """A preparation that nobody triggered is over with one's next turn (MAM-CTR-04)."""
    combatant = judging.state.combatants[name]
    if not combatant.status.prepared:
        return
    # untriggered_counter_counts_as_skip: waiting in vain pays for a skip as skipping does, or costs one as acting does.
    skipped = judging.ruleset.get("untriggered_counter_counts_as_skip") != "no"
    owed = combatant.status.skips_owed if skipped else owed_after_acting(combatant)
    judging.record(CounterattackLapsed(name, owed))
    if judging.ruleset.get("stun_recovery_for_counterattack") == "after_counter":
        recover(judging, name, "turn_end")


def spend_preparation(judging: Judging, name: str) -> None:
    """An interference takes the place of the counterattack that was prepared (`speed_interference`)."""
    judging.record(PreparationSpent(name, owed_after_acting(judging.state.combatants[name])))


def check_change(state: Encounter, ruleset: Ruleset, command: ChangeAction) -> None:
    """Whether a declared action may still be changed: a counterattack has come before it (MAM-CTR-03)."""
    exchange = exchange_of(state, command.exchange)
    combatant = named(state, command.combatant)
    able(combatant)
    if exchange.root.combatant != combatant.id or not exchange.countered:
        raise Refused(
            "not_countered",
            f"Only whoever was interrupted by a counterattack may change a declared action; exchange {exchange.id} of "
            f"{state.combatants[exchange.root.combatant].name} must be resolved.",
            rule="MAM-CTR-03",
            fields=("exchange",),
        )
    if len(exchange.actions) > 1:
        raise Refused(
            "already_answered",
            f"Exchange {exchange.id} has already been answered, so it must be resolved.",
            rule="MAM-CTR-03",
            fields=("exchange",),
        )


def judge_change(judging: Judging, command: ChangeAction, _: None) -> None:
    """Take the declared action back; movement already used is gone, and so are points already spent."""
    judging.record(DeclaredActionChanged(command.exchange, command.combatant))


def offer_change(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    """Every `change-action` that could be ordered, legal or not."""
    exchange = state.exchange
    if exchange and exchange.countered:
        name = exchange.root.combatant
        fields = (Field("combatant", choices=(name,)), Field("exchange", choices=(exchange.id,)))
        yield Offer(Template("change-action", name, fields), ChangeAction(name, exchange.id))


AT_TURN_START = (lapse,)
MECHANICS = (
    Mechanic(PrepareCounterattack, check=check_prepare, judge=judge_prepare, offers=offer_prepare),
    Mechanic(ChangeAction, check=check_change, judge=judge_change, offers=offer_change),
)

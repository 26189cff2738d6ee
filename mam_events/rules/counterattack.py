"""Prepared counterattacks: waiting, the trigger, what comes before what (MAM-CTR)."""

from __future__ import annotations

from collections.abc import Iterator

from mam_events.commands.counterattacks import ChangeAction, PrepareCounterattack
from mam_events.encounter.judging import Judging
from mam_events.encounter.templates import Field, Offer, Template
from mam_events.errors import Refused
from mam_events.events import ActionResolved, AttackResolved
from mam_events.events.counterattacks import (
    CounterattackEnded,
    CounterattackLapsed,
    CounterattackPrepared,
    CounterattackTriggered,
    DeclaredActionChanged,
    PreparationSpent,
)
from mam_events.rules.checks import able, allowed, exchange_of, named
from mam_events.rules.deeds import acting
from mam_events.rules.edition import Mechanic
from mam_events.rules.ruleset import Ruleset
from mam_events.rules.speeds import owed_after_acting
from mam_events.rules.turn_bounds import end_turn, recover
from mam_events.state import Combatant, Encounter, Turn

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


def waits(combatant: Combatant) -> bool:
    """Whether it would strike back before an attack on it: it is prepared, and up."""
    return combatant.status.prepared and combatant.condition == "able"


def may_aim(state: Encounter, ruleset: Ruleset, attacker: str, target: str) -> None:
    """Refused with `bad_target` where a counterattack may strike the attacker alone (`counterattack_target`), and with
    `too_late` where a combo has begun and the target's counterattack would have come before all of it (MAM-CTR-02).
    """
    turn = state.turn
    if turn is None or turn.combatant != attacker:
        return
    combatants = state.combatants
    if turn.counter and target != turn.against and ruleset["counterattack_target"] == "attacker_only":
        raise Refused(
            "bad_target",
            f"A counterattack strikes the attacker, {combatants[turn.against].name}, and nobody else.",
            rule="MAM-CTR-02",
            fields=("target",),
        )
    if turn.combo and turn.deeds and waits(combatants[target]) and _countered(state, ruleset):
        raise Refused(
            "too_late",
            f"{combatants[target].name} waits to strike back before the whole combo, which has begun; whom a combo "
            "attacks is said before its first action.",
            rule="MAM-CTR-02",
            fields=("target",),
        )


def aims(state: Encounter, ruleset: Ruleset, attacker: str) -> tuple[str, ...]:
    """Those whom that combatant may attack now: everybody but itself who is still there."""
    return tuple(
        other.id
        for other in state.combatants.values()
        if other.id != attacker and not other.gone and allowed(may_aim, state, ruleset, attacker, other.id)
    )


def _countered(state: Encounter, ruleset: Ruleset) -> bool:
    """Whether an action in the turn in progress lets those strike back who are prepared (`nested_counterattacks`)."""
    nested = state.turn is not None and state.turn.counter > 0
    return not nested or ruleset["nested_counterattacks"] == "allowed"


def trigger(judging: Judging, by: str, *targets: str) -> None:
    """Let prepared targets act before what is aimed at them, in that order (MAM-CTR-02, MAM-CTR-06)."""
    if not _countered(judging.state, judging.ruleset):
        return
    # Each lies on top of the one before, so the last one that is recorded acts first.
    for target in reversed(dict.fromkeys(targets)):
        combatant = judging.state.combatants[target]
        if waits(combatant):
            owed = combatant.status.skips_owed + owed_after_acting(combatant, judging.ruleset)
            judging.record(CounterattackTriggered(target, by, judging.ruling, owed))


def end_counterattack(judging: Judging, name: str) -> None:
    """A counterattack is over; what it interrupted goes on, unless whoever was at it is down now.

    Where only the target is down, the attacker strikes all the same, or does something else (MAM-CTR-03).
    """
    if judging.state.combatants[name].status.turns:
        _recover_after(judging, name)
    turn = judging.state.turn
    passed = turn is not None and not turn.deeds and not turn.acted
    judging.record(CounterattackEnded(name, passed))
    exchange = judging.state.exchange
    if exchange is None:
        return
    attacker = judging.state.combatants[exchange.root.combatant]
    if attacker.condition != "able":
        why = f"{attacker.name} is {attacker.condition}"
        if exchange.root.kind == "attack":
            judging.record(AttackResolved(exchange.id, "fail", 0, 0, why))
        else:
            judging.record(ActionResolved(exchange.id, "fail", why))


def _recover_after(judging: Judging, name: str) -> None:
    """The stun of a turn spent on waiting, if it comes back only now (`stun_recovery_for_counterattack`)."""
    if judging.ruleset.get("stun_recovery_for_counterattack") == "after_counter":
        recover(judging, name, "turn_end")


def lapse(judging: Judging, name: str) -> None:
    """A preparation that nobody triggered is over with one's next turn (MAM-CTR-04)."""
    combatant, ruleset = judging.state.combatants[name], judging.ruleset
    if not combatant.status.prepared:
        return
    # Whoever was ready from the start has spent no turn on it, but for opening_counter_consumes_first_turn.
    turn_spent = combatant.status.turns > 1
    # untriggered_counter_counts_as_skip: waiting in vain is like skipping a turn, or like acting in it.
    acted = ruleset.get("untriggered_counter_counts_as_skip") == "no" and (turn_spent or combatant.status.skips_owed)
    owed = combatant.status.skips_owed + (owed_after_acting(combatant, ruleset) if acted else 0)
    judging.record(CounterattackLapsed(name, owed))
    if turn_spent and (acted or ruleset.get("skipped_turn_recovers_stun") != "no"):
        _recover_after(judging, name)


def spend_preparation(judging: Judging, name: str) -> None:
    """An interference takes the place of the counterattack that was prepared (`speed_interference`)."""
    combatant = judging.state.combatants[name]
    owed = combatant.status.skips_owed + owed_after_acting(combatant, judging.ruleset)
    judging.record(PreparationSpent(name, owed))
    if combatant.status.turns:
        _recover_after(judging, name)


def check_change(state: Encounter, ruleset: Ruleset, command: ChangeAction) -> None:
    """Whether a declared action may still be changed: a counterattack has come before it (MAM-CTR-03)."""
    combatant = named(state, command.combatant)
    turn, exchange = state.turn, state.exchange
    if exchange is None and turn and turn.combo and (turn.combo.id, turn.combatant) == (command.exchange, combatant.id):
        able(combatant)
        _still_whole(turn, combatant)
        return
    exchange = exchange_of(state, command.exchange)
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


def _still_whole(turn: Turn, combatant: Combatant) -> None:
    """Refused with `not_countered` or `combo_late` unless a counterattack came before a combo that has not begun."""
    assert turn.combo is not None  # noqa: S101 - asked only about a combo
    if not turn.combo.countered:
        raise Refused(
            "not_countered",
            f"No counterattack came before {combatant.name}'s combo, so it stays as it was declared.",
            rule="MAM-CTR-03",
            fields=("exchange",),
        )
    if turn.deeds:
        raise Refused(
            "combo_late",
            f"{combatant.name}'s combo has begun; what is left of it need not be done.",
            rule="MAM-CTR-03",
            fields=("exchange",),
        )


def judge_change(judging: Judging, command: ChangeAction, _: None) -> None:
    """Take back what was declared; movement already used is gone, and so are points already spent."""
    judging.record(DeclaredActionChanged(command.exchange, command.combatant))


def offer_change(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    """Every `change-action` that could be ordered, legal or not."""
    exchange, turn = state.exchange, state.turn
    name, declared = "", 0
    if exchange and exchange.countered:
        name, declared = exchange.root.combatant, exchange.id
    elif exchange is None and turn and turn.combo and turn.combo.countered:
        name, declared = turn.combatant, turn.combo.id
    if declared:
        fields = (Field("combatant", choices=(name,)), Field("exchange", choices=(declared,)))
        yield Offer(Template("change-action", name, fields), ChangeAction(name, declared))


AT_TURN_START = (lapse,)
MECHANICS = (
    Mechanic(PrepareCounterattack, check=check_prepare, judge=judge_prepare, offers=offer_prepare),
    Mechanic(ChangeAction, check=check_change, judge=judge_change, offers=offer_change),
)

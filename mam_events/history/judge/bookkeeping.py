"""The bookkeeping by which a correction keeps a fight as it was played.

The order in which people really acted is a fact. When a correction changes the fight so that a later ruling on record
is refused, the bookkeeping that it lacks is done step by step, until it is accepted or truly impossible. A missed turn
passes, people who acted early keep their places, open actions are left, and an amount is cut to what is there. Nothing
looks ahead, so later play never changes what was done here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from itertools import takewhile
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import replace

from mam_events.commands import (
    BeginTurn,
    Command,
    Declare,
    DelayTurn,
    EndTurn,
    Incapacitate,
    Ready,
    Recover,
    RollInitiative,
    Round,
    SkipTurn,
    actor_of,
    exchange_of,
)
from mam_events.decider.engine import Decision
from mam_events.errors import Refused
from mam_events.events import (
    Bookkeeping,
    Event,
    ExchangeLeft,
    OrderKept,
    RidingDeclared,
    RoundStarted,
    TurnStarted,
)
from mam_events.field_specs import face_fields, without_faces
from mam_events.history.timeline.entries import BookkeepingEntry
from mam_events.refusals.arguments import Word
from mam_events.state import Combatant, Encounter, has_turns
from mam_events.visibility import PUBLIC, narrowest

if TYPE_CHECKING:
    from mam_events.history.judge.ruling_judge import RulingJudge

MAX_STEPS = 500
"""The most steps of bookkeeping before one ruling; far more than any fight needs."""

_POOLS = ("defense", "other_used")
"""The fields of `ready` whose points a correction may cut."""


class RefusedRuling(NamedTuple):
    """A ruling that was refused: the refusal, the judge, the state, the command, and its number.

    `amended` are the fields that amendments changed. With `literal` the command is new, and its amounts are not cut.
    `step` counts the bookkeeping.
    """

    refused: Refused
    judge: RulingJudge
    state: Encounter
    command: Command
    ruling: int
    amended: Collection[str]
    literal: bool = False
    step: int = 0


class BookkeepingStep(NamedTuple):
    """One step of bookkeeping: its entry, and the state and the command after it."""

    entry: BookkeepingEntry
    state: Encounter
    command: Command


def judge_with_bookkeeping(attempt: RefusedRuling) -> tuple[tuple[BookkeepingEntry, ...], Decision]:
    """Judge a refused ruling again after the bookkeeping that it lacks; return the bookkeeping and the decision.

    Raises the last refusal if the ruling is still impossible, and DieNotDrawn as the judge does.
    """
    judge, ruling = attempt.judge, attempt.ruling
    steps: tuple[BookkeepingEntry, ...] = ()
    for at in range(MAX_STEPS):
        if attempt.refused.code == "out_of_turn":
            _check_turns(attempt.state, attempt.command)
        step = _step(attempt)
        if step is None:
            break
        if step.entry not in steps[-1:] or step.entry.events:
            steps = (*steps, step.entry)
        if step.entry.what == "needless":
            empty_decision = judge.begin_bookkeeping(step.state, ruling, at)
            empty_decision.command = step.command
            return steps, empty_decision
        try:
            return steps, judge(step.state, step.command, ruling, attempt.amended)
        except Refused as again:
            attempt = attempt._replace(refused=again, state=step.state, command=step.command, step=at + 1)
    # Raise the last refusal: earlier ones may ask for something that the bookkeeping has done.
    raise attempt.refused


def _check_turns(state: Encounter, command: Command) -> None:
    """Raise Refused if somebody begins a turn who can have none, because then the turn order is not the reason.

    The rule of turns itself does not say this, because strict corrections of older logs are judged in its words.
    """
    who = state.combatants.get(command.combatant) if isinstance(command, BeginTurn | SkipTurn) else None
    if who is not None and not has_turns(who):
        raise Refused(
            "out_of_turn/no_turns", who=who, condition=Word(who.condition), rule="MAM-ORDER-05", fields=("combatant",)
        )


def _step(attempt: RefusedRuling) -> BookkeepingStep | None:
    """Return the next step, or None if no step can resolve that refusal."""
    does = _STEPS.get(attempt.refused.code)
    try:
        return does(attempt) if does else None
    except Refused:
        return None


def _event_step(
    attempt: RefusedRuling,
    what: Bookkeeping,
    combatant: str,
    does: Callable[[Decision], None],
    *,
    exchange: int = 0,
    visibility: str | None = None,
) -> BookkeepingStep:
    """Return the step that `does` performs, with its events.

    `visibility` is its visibility; None means the visibility of `combatant`.
    """
    judging = attempt.judge.begin_bookkeeping(attempt.state, attempt.ruling, attempt.step)
    does(judging)
    judging.settle()
    events = tuple(judging.events)
    if visibility is None:
        visibility = attempt.state.combatants[combatant].visibility if combatant else PUBLIC
    entry = BookkeepingEntry(what, combatant, exchange, _round(attempt.state, events), events, visibility)
    return BookkeepingStep(entry, judging.state, attempt.command)


def _command_step(attempt: RefusedRuling, what: Bookkeeping, combatant: str, command: Command) -> BookkeepingStep:
    """Return a step that changes only the command, not the state."""
    who = attempt.state.combatants.get(combatant)
    visibility = who.visibility if who else PUBLIC
    entry = BookkeepingEntry(what, combatant, round=_round(attempt.state, ()), visibility=visibility)
    return BookkeepingStep(entry, attempt.state, command)


def _round(state: Encounter, events: Iterable[Event]) -> int:
    """Return the round of the first turn in those events, or else of the next turn."""
    started = takewhile(lambda event: not isinstance(event, TurnStarted), events)
    upcoming = state.round + (not state.round_open or (state.turn is None and state.is_round_done))
    return next((event.round for event in started if isinstance(event, RoundStarted)), upcoming)


def _end_turn(judging: Decision, name: str) -> None:
    """End the turn in progress, whatever was owed before its end."""
    judging.ruleset.edition.mechanics[EndTurn].judge(judging, EndTurn(name), None)


def _pass_turn(judging: Decision, name: str) -> None:
    """Begin and end a turn without an order, with all that a turn brings by itself."""
    judging.ruleset.edition.mechanics[BeginTurn].judge(judging, BeginTurn(name), None)
    judging.settle()
    if judging.state.is_turn_of(name):
        _end_turn(judging, name)


def _leave_open_exchange(attempt: RefusedRuling) -> BookkeepingStep | None:
    """Leave what is open if nothing in the log continues it; but not the exchange that the ruling itself belongs to."""
    number = attempt.state.open_exchange
    if not number or exchange_of(attempt.command, attempt.ruling) == number:
        return None
    state = attempt.state
    action = state.window.action(number)
    who = (action.combatant, action.target) if action else [one.combatant for one in state.exchange.actions]  # type: ignore[union-attr]  # one of both is open
    visibility = narrowest(*(state.combatants[name].visibility for name in who if name))
    return _event_step(
        attempt,
        "left",
        "",
        lambda judging: judging.record(ExchangeLeft(number)),
        exchange=number,
        visibility=visibility,
    )


def _end_open_turn(attempt: RefusedRuling) -> BookkeepingStep | None:
    """End the turn in progress before another begins."""
    turn = attempt.state.turn
    if turn is None or not isinstance(attempt.command, BeginTurn | SkipTurn):
        return None
    return _event_step(attempt, "ended", turn.combatant, lambda judging: _end_turn(judging, turn.combatant))


def _end_counterattack(attempt: RefusedRuling) -> BookkeepingStep | None:
    """End a prepared counterattack that nobody played, so that what it interrupts goes on."""
    state, turn = attempt.state, attempt.state.turn
    if turn is None or not turn.counter:
        return None
    waiting = {one.exchange.id for one in state.interrupted if one.exchange}
    goes_on = exchange_of(attempt.command, attempt.ruling) in waiting or actor_of(attempt.command) == turn.against
    if not goes_on:
        return None
    return _event_step(attempt, "ended", turn.combatant, lambda judging: _end_turn(judging, turn.combatant))


def _make_way(attempt: RefusedRuling) -> BookkeepingStep | None:
    """Let somebody begin who is not next: their place is kept, or those who are still due pass first."""
    state, command = attempt.state, attempt.command
    if isinstance(command, DelayTurn):
        return _needless(attempt)
    if ended := _end_counterattack(attempt):
        return ended
    if not isinstance(command, BeginTurn | Declare | SkipTurn):
        return None
    name = command.combatant
    combatant = state.combatants.get(name)
    if combatant is None or not has_turns(combatant):
        return None
    if state.turn and state.turn.combatant != name and not isinstance(command, Declare):
        return _end_open_turn(attempt)
    counts = attempt.judge.in_force(state).edition.counts_actions
    due = [one for one in state.due if one != state.turn_in_order]
    coming = due or ([] if state.initiative.entries else list(state.in_fight))
    if name in coming:
        if state.order_kept or state.next_up == name:
            return None
        # If all who are passed over are hidden, others must not learn that they exist.
        before = [state.combatants[one].visibility for one in coming[: coming.index(name)]]
        visibility = PUBLIC if PUBLIC in before else narrowest(*before)
        return _event_step(attempt, "order", name, lambda judging: judging.record(OrderKept()), visibility=visibility)
    if not due or counts:
        return None
    return _event_step(attempt, "passed", due[0], lambda judging: _pass_turn(judging, due[0]))


def _open_round(attempt: RefusedRuling) -> BookkeepingStep | None:
    """Open the round for which initiative was rolled; where turns order rounds, those who are still due pass."""
    state, command = attempt.state, attempt.command
    if not isinstance(command, RollInitiative):
        return None
    mechanics = attempt.judge.in_force(state).edition.mechanics
    if Round in mechanics:
        rolled = [name for name in command.combatants if state.initiative.entry(name)]
        # If somebody who rolled has already acted, this roll belongs to the next round.
        if state.round_open and len(rolled) < len(command.combatants) and set(rolled) <= set(state.due):
            return _leave_out(attempt, rolled)
        return _event_step(attempt, "round", "", lambda judging: mechanics[Round].judge(judging, Round(), None))
    if state.turn:
        name = state.turn.combatant
        return _event_step(attempt, "ended", name, lambda judging: _end_turn(judging, name))
    due = state.due
    return _event_step(attempt, "passed", due[0], lambda judging: _pass_turn(judging, due[0])) if due else None


def _leave_out_missing(attempt: RefusedRuling) -> BookkeepingStep | None:
    """Roll initiative without those who are no longer in the fight."""
    combatants = attempt.state.combatants
    command = attempt.command
    if not isinstance(command, RollInitiative):
        return None
    names = [name for name in command.combatants if name not in combatants or combatants[name].is_gone]
    return _leave_out(attempt, names)


def _leave_out(attempt: RefusedRuling, names: Collection[str]) -> BookkeepingStep | None:
    command = attempt.command
    assert isinstance(command, RollInitiative)  # noqa: S101 - only this command names several actors
    still = tuple(name for name in command.combatants if name not in names)
    if attempt.literal or not still or not names:
        return None
    less = replace(
        command,
        combatants=still,
        dice={name: dice for name, dice in command.dice.items() if name not in names},
        again={name: dice for name, dice in command.again.items() if name not in names},
        special=tuple(name for name in command.special if name not in names),
    )
    first = next(name for name in command.combatants if name in names)
    return _command_step(attempt, "left_out", first, less)


def _cut(attempt: RefusedRuling) -> BookkeepingStep | None:
    """Make ready one point less from a pool that has too few; never raise an amount or move it to another pool."""
    command = attempt.command
    if attempt.literal or not isinstance(command, Ready):
        return None
    pool_fields = [field for field in attempt.refused.fields if field in _POOLS and getattr(command, field)]
    pools = attempt.state.combatants[command.combatant].pools
    short = [field for field in pool_fields if getattr(command, field) > getattr(pools, field)]
    field = next(iter((*short, *reversed(pool_fields))), "")
    if not field:
        return None
    less = replace(command, **{field: getattr(command, field) - 1})
    return _command_step(attempt, "cut", command.combatant, less)


def _leave_missing(attempt: RefusedRuling) -> BookkeepingStep | None:
    """Roll initiative without those who are no longer in the fight, or leave the dice they threw."""
    return _leave_out_missing(attempt) or _leave_dice(attempt)


def _leave_dice(attempt: RefusedRuling) -> BookkeepingStep | None:
    """Leave unused the dice that nobody rolls any more; those of others count as they fell."""
    refused, command, state = attempt.refused, attempt.command, attempt.state
    if attempt.literal:
        return None
    faces = {field.name for field in face_fields(type(command))}
    unthrown = without_faces(command)
    less: dict[str, Any] = {}
    for name in refused.fields:
        field, _, entry = name.partition(".")
        value = getattr(command, field, None)
        if field not in faces or not value:
            continue
        if not isinstance(value, dict):
            less[field] = getattr(unthrown, field)
        elif (entry or refused.wrong) in value:
            less[field] = {key: face for key, face in value.items() if key != (entry or refused.wrong)}
    if not less:
        return None
    exchange = state.exchange if state.open_exchange else None
    involved = [action.combatant for action in exchange.actions] if exchange else [actor_of(command)]
    visibility = narrowest(*(state.combatants[name].visibility for name in involved if name in state.combatants))
    unused = BookkeepingEntry("unused", "", round=_round(state, ()), visibility=visibility)
    return BookkeepingStep(unused, state, replace(command, **less))


def _needless(attempt: RefusedRuling) -> BookkeepingStep | None:
    """Accept a ruling that changes nothing any more: a turn comes later anyhow, or somebody is already down or up."""
    combatant = attempt.state.combatants.get(getattr(attempt.command, "combatant", ""))
    needless = isinstance(attempt.command, DelayTurn | Incapacitate | Recover)
    if attempt.literal or not needless or combatant is None:
        return None
    if isinstance(attempt.command, DelayTurn) and not has_turns(combatant):
        return None
    return _command_step(attempt, "needless", combatant.id, attempt.command)


def _let_go(judging: Decision, rider: Combatant) -> None:
    """Waive what a rider owes; the rider stays mounted."""
    judging.record(RidingDeclared(rider.id, rider.status.mount))


def _waive(attempt: RefusedRuling) -> BookkeepingStep | None:
    """Waive what riders owe and nobody was asked for: a roll, or what their animal does by itself."""
    # A process that only shows a log loads no rules.
    from mam_events.rules.mounts.riding import owed_roll  # noqa: PLC0415 - as above

    for rider in attempt.state.combatants.values():
        if owed_roll(rider):
            return _event_step(attempt, "waived", rider.id, partial(_let_go, rider=rider))
    command = attempt.command
    if not isinstance(command, EndTurn | SkipTurn) or command.reason:
        return None
    # With a reason, the turn may end without what the animal should have done, which is not on record.
    return _command_step(attempt, "waived", command.combatant, replace(command, reason="not on record"))


_STEPS: Mapping[str, Callable[[RefusedRuling], BookkeepingStep | None]] = MappingProxyType(
    {
        "exchange_open": _leave_open_exchange,
        "action_open": _leave_open_exchange,
        "no_such_exchange": _end_counterattack,
        "turn_in_progress": _end_open_turn,
        "out_of_turn": _make_way,
        "already_rolled": _open_round,
        "round_not_begun": _open_round,
        "unknown_combatant": _leave_missing,
        "out_of_fight": _leave_missing,
        "idle_die": _leave_dice,
        "dice_idle": _leave_dice,
        "exceeds_maximum": _cut,
        "not_enough_in_pool": _cut,
        "turn_had": _needless,
        "incapacitated": _needless,
        "able": _needless,
        "roll_owed": _waive,
        "has_its_way": _waive,
    }
)
"""The step that is tried for a refusal, by its code; with any other code a ruling is truly impossible."""

"""Laws of corrections, on random fights of every edition under random house rules.

They hold for a strike, an amendment, an insert, an adjustment by the game master and a restoring alike.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from itertools import permutations
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mam_events.commands import Close, actor_of, exchange_of
from mam_events.errors import Refused
from mam_events.events import (
    Correction,
    Head,
    Note,
    Play,
    RoundEnded,
    Strike,
    fold,
)
from mam_events.history.corrections.turn_policy import TurnPolicies
from mam_events.history.judge.rejudge import rejudge, with_causes
from mam_events.history.judge.verdicts import differs_only_in_round_end
from mam_events.history.judge.void_causes import cause_of
from mam_events.history.timeline.change import Change
from mam_events.history.timeline.entries import dice_of, rows_until
from mam_events.history.timeline.rulings import rulings
from mam_events.history.timeline.timeline import Timeline
from mam_events.log.combat_log import CombatLog
from mam_events.references import names_in
from mam_events.store import build_events, decoders
from mam_events.verification import judge_again, verify
from projections.rulings.log_lines import line_text, log_lines
from tests.fights.tables import Table
from tests.history.correction_samples import (
    FIGHT,
    KINDS,
    SampleCorrection,
    copied,
    living_plays,
    random_correction,
    standings,
    table_after,
    verdicts,
)

SEEDS = st.integers(0, 2**32)
EACH_KIND = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
# There are many laws, so each is checked on fewer fights.
FEWER = settings(max_examples=settings().max_examples // 5)

Kind = Callable[[Table], SampleCorrection]


def lines(timeline: Timeline) -> list[str]:
    """Return the log line of every living play, without its marks."""
    counts = {number for number, entry in timeline.living() if not entry.outcome.is_void}
    return [line_text(line) for line in log_lines(rulings(timeline)) if line.number in counts]


def faces(timeline: Timeline) -> dict[str, int]:
    """Return every recorded die, except those given by an amendment."""
    return {
        die.key: die.face
        for entry in timeline.entries.values()
        for outcome in (entry.first, *entry.later)
        for event in outcome.events(timeline.decoders)
        for die in dice_of(event)
        if die.source == "drawn"
    }


@EACH_KIND
@FEWER
@given(seed=SEEDS, depth=st.integers(1, 4))
def test_undo_of_a_correction_restores_the_state_before(kind: Kind, seed: int, depth: int) -> None:
    """At any depth, because an undo is a correction itself."""
    table = table_after(Random(seed), 25)
    before = standings(table.log.timeline(FIGHT)), lines(table.log.timeline(FIGHT))
    if not (first_correction := random_correction(table, kind)):
        return
    correction, answer = first_correction
    corrected = standings(table.log.timeline(FIGHT)), lines(table.log.timeline(FIGHT))
    for level in range(depth):
        correction = correction.undo(answer)
        answer = correction.apply(table.log)
        state = standings(table.log.timeline(FIGHT)), lines(table.log.timeline(FIGHT))
        assert state == (before if level % 2 == 0 else corrected)


@EACH_KIND
@FEWER
@given(seed=SEEDS)
def test_the_log_after_a_correction_equals_judging_everything_again(kind: Kind, seed: int) -> None:
    table = table_after(Random(seed), 25)
    dice = faces(table.log.timeline(FIGHT))
    random_correction(table, kind)
    timeline = table.log.timeline(FIGHT)
    rows = table.log.application.rows(FIGHT)
    assert verify(rows).rulings == judge_again(rows, table.log.rules) == timeline.number
    all_rulings = rejudge(timeline, Change(0, 0, timeline.order, {}), table.log._judges.newest(FIGHT).without_drawing())  # noqa: SLF001 - the law is about this judge
    assert [(entry.ruling, entry.verdict) for entry in all_rulings if entry.verdict != "stands"] == []
    assert all_rulings[-1].state == timeline.state
    fresh_timeline = Timeline(decoders(), rows)
    assert standings(fresh_timeline) == standings(timeline)
    assert dice.items() <= faces(timeline).items(), "no drawn die shows another face"


def test_a_correction_changes_only_thrown_dice_that_it_names() -> None:
    """An amendment of a die names its ruling; all other dice stay the same."""
    for seed in range(20):
        table = table_after(Random(seed), 30)
        for kind in KINDS:
            before = dice_of_plays(table.log.timeline(FIGHT))
            if not (correction := random_correction(table, kind)):
                continue
            names = {step.ruling for step in correction[0].steps}
            undone_rulings = {n for n in names if n in table.log.timeline(FIGHT).active}
            names |= {s.ruling for n in undone_rulings for s in table.log.timeline(FIGHT).heads[n - 1].steps}  # type: ignore[attr-defined]  # corrections
            after = dice_of_plays(table.log.timeline(FIGHT))
            moved = {key for key in before.keys() & after.keys() if before[key] != after[key]}
            assert {int(key.partition("/")[0]) for key in moved} <= names


def dice_of_plays(timeline: Timeline) -> dict[str, int]:
    """Return the dice of every living play, thrown or drawn."""
    return {
        die.key: die.face
        for _, entry in timeline.living()
        for event in entry.outcome.events(timeline.decoders)
        for die in dice_of(event)
    }


@FEWER
@given(seed=SEEDS)
def test_reopening_the_log_before_every_command_writes_the_same_bytes(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    """With no, one or all encounters kept in memory."""
    random = Random(seed)
    table = Table(random, secrets=True)
    cold = tmp_path_factory.mktemp("cold") / "mam.db"
    same: dict[str, Any] = {"entropy": bytes, "clock": lambda: datetime(2026, 1, 1, tzinfo=UTC)}
    warm_log = CombatLog.open("sqlite://", **same)
    with CombatLog.open(cold, synchronous="NORMAL", **same) as opened_log:
        for log in (opened_log, warm_log):
            log.application.save(
                *build_events(FIGHT, table.log.application.rows(FIGHT)), seed=table.log.application.seeds.get(FIGHT)
            )
    table.log = warm_log
    for _ in range(25):
        number = warm_log.timeline(FIGHT).number
        if random.random() < 0.6:
            table.step()
        else:
            random_correction(table, random.choice(KINDS), 2)
        for head in list(warm_log.timeline(FIGHT).heads[number:]):
            with CombatLog.open(cold, synchronous="NORMAL", kept=random.choice((0, 1, 100)), **same) as second_log:
                repeat(second_log, head)
    with CombatLog.open(cold, **same) as second_log:
        assert second_log.application.rows(FIGHT) == warm_log.application.rows(FIGHT)
        assert standings(second_log.timeline(FIGHT)) == standings(warm_log.timeline(FIGHT))


def repeat(log: CombatLog, head: Head) -> None:
    """Write the equivalent of that head to another log."""
    if isinstance(head, Play):
        log.execute(FIGHT, head.command, by=head.by, after=head.after, turns=head.turns if head.after else "as_played")
    elif isinstance(head, Correction):
        log.correct(FIGHT, head.steps, by=head.by, reason=head.reason, turns=head.turns)
    elif isinstance(head, Note):
        fields = {name: getattr(head, name) for name in ("kind", "about", "rule", "corrections", "by", "visibility")}
        log.note(FIGHT, head.text, **fields)


@FEWER
@given(seed=SEEDS, depth=st.integers(1, 12), close=st.booleans())
def test_equally_many_undos_and_redos_restore_any_state(seed: int, depth: int, *, close: bool) -> None:
    table = table_after(Random(seed), 30)
    if close:
        table.order(Close())
    before = standings(table.log.timeline(FIGHT)), lines(table.log.timeline(FIGHT))
    undo_count = 0
    with suppress(Refused):
        for _ in range(depth):
            orders = standings(table.log.timeline(FIGHT))
            table.log.undo(FIGHT)
            undo_count += 1
            assert standings(table.log.timeline(FIGHT)) != orders, "an undo is seen"
    for _ in range(undo_count):
        table.log.redo(FIGHT)
    assert (standings(table.log.timeline(FIGHT)), lines(table.log.timeline(FIGHT))) == before


def check_cause(timeline: Timeline, void: int, cause: int) -> None:
    """Check the cause of a void ruling.

    It comes before the void ruling, and is not as it was then. It is the ruling's exchange or about its actor.
    """
    entry = timeline.entries[cause]
    events = entry.outcome.events(timeline.decoders) if timeline.lives(cause) else ()
    first = entry.first.events(timeline.decoders)
    assert timeline.place[cause] < timeline.place[void]
    rejudgement = timeline.entries[void].outcome.rejudged
    # An open exchange blocks all other orders; it may be unchanged while its resolution is gone.
    waits = rejudgement is not None and rejudgement.code == "exchange_open"
    # A ruling that was struck or void and is restored did not count for the plays in between.
    is_changed = events != first or timeline.command(cause) != entry.head.command
    assert waits or is_changed or entry.head.after or entry.struck_by or entry.later
    command = timeline.command(void)
    concerned = {actor_of(command), getattr(command, "combatant", "")}
    names = {name.value for event in (*first, *events) for name in names_in(event)}
    exchanges = {name.value for name in names_in(command) if name.kinds == ("ruling",)}
    assert waits or concerned & names or exchange_of(timeline.command(cause), cause) in exchanges


@EACH_KIND
@FEWER
@given(seed=SEEDS)
def test_the_cause_of_a_void_ruling_is_that_of_judging_everything(kind: Kind, seed: int) -> None:
    """Also in a preview, which judges no more rulings than necessary."""
    table = table_after(Random(seed), 40)
    if not (correction := random_correction(table, kind)):
        return
    timeline = table.log.timeline(FIGHT)
    change = Change(0, 0, timeline.order, {})
    all_rulings = rejudge(timeline, change, table.log._judges.newest(FIGHT).without_drawing())  # noqa: SLF001 - the law is about this judge
    because = {entry.ruling: entry.because for entry in with_causes(timeline, change, all_rulings) if entry.code}
    causes = {n: cause_of(timeline, n) for n, entry in timeline.living() if entry.outcome.is_void}
    assert causes == because
    for void, cause in causes.items():
        if cause:
            check_cause(timeline, void, cause)
    answered = {n: entry.because for n, entry in verdicts(correction[1]).items() if entry.code}
    assert answered.items() <= causes.items()
    restored = correction[0].undo(correction[1])
    preview = table.log.preview(FIGHT, restored.steps)
    if preview.state is not None:
        restored.apply(table.log)
        after = table.log.timeline(FIGHT)
        assert {e.ruling: e.because for e in preview.rejudged if e.code} == {
            e.ruling: cause_of(after, e.ruling) for e in preview.rejudged if e.code
        }


def without_totals(part: object) -> object:
    """Return a part of an event as plain values, without the fields that its type declares as totals."""
    if isinstance(part, msgspec.Struct):
        names = set(part.__struct_fields__) - set(getattr(part, "totals", ()))
        return type(part).__name__, {name: without_totals(getattr(part, name)) for name in names}
    return [without_totals(one) for one in part] if isinstance(part, tuple | list) else part


def changes_of_ruling(timeline: Timeline, number: int) -> dict[str, Any]:
    """Return the change of everybody's points and condition by a ruling, without the bookkeeping before it."""
    before, after = timeline.state_before(timeline.place[number]), timeline.states[timeline.place[number]]
    for step in timeline.entries[number].outcome.bookkeeping(timeline.decoders):
        before = fold(before, step.events)
    return {
        name: (
            {pool: value - getattr(was.pools, pool) for pool, value in msgspec.structs.asdict(combatant.pools).items()},
            combatant.condition if combatant.condition != was.condition else "as before",
        )
        for name, combatant in after.combatants.items()
        if (was := before.combatants.get(name))
    }


@EACH_KIND
@FEWER
@given(seed=SEEDS)
def test_carried_means_the_same_dice_outcome_and_changes(kind: Kind, seed: int) -> None:
    table = table_after(Random(seed), 40)
    previous_timeline = table.log.timeline(FIGHT)
    if not (correction := random_correction(table, kind)):
        return
    current_timeline = table.log.timeline(FIGHT)
    verdict_by_ruling = verdicts(correction[1])
    names = {step.ruling for step in correction[0].steps}
    for number, entry in current_timeline.living():
        if number not in previous_timeline.entries:
            continue
        old, new = (timeline.entries[number].outcome for timeline in (previous_timeline, current_timeline))
        before, after = old.events(previous_timeline.decoders), new.events(current_timeline.decoders)
        verdict = verdict_by_ruling[number].verdict if number in verdict_by_ruling else "stands"
        if new.is_void or old.is_void:
            assert verdict == ("void" if new.is_void and (not old.is_void or number in verdict_by_ruling) else verdict)
            continue
        same = [without_totals(event) for event in before] == [without_totals(event) for event in after]
        # Under a strict correction the end of a round is a change.
        same = same or (TurnPolicies(current_timeline).keeps(number) and differs_only_in_round_end(before, after))
        assert verdict == ("stands" if before == after else "carried" if same else "changed"), (number, entry)
        if verdict == "carried" and number not in names:
            # Another turn may end the round.
            old_events, events = (
                [e for e in some_events if not isinstance(e, RoundEnded)] for some_events in (before, after)
            )
            assert [dice_of(event) for event in old_events] == [dice_of(event) for event in events]
            assert [getattr(e, "outcome", "") for e in old_events] == [getattr(e, "outcome", "") for e in events]
            changes = [changes_of_ruling(one, number) for one in (previous_timeline, current_timeline)]
            for name in changes[0].keys() & changes[1].keys():
                assert changes[0][name] == changes[1][name]


@FEWER
@given(seed=SEEDS, count=st.integers(2, 3))
def test_the_order_of_strikes_does_not_matter(seed: int, count: int) -> None:
    """And it makes no difference if they are one correction."""
    table = table_after(Random(seed), 30)
    plays = living_plays(table.log.timeline(FIGHT))
    if len(plays) < count:
        return
    chosen = table.random.sample(plays, k=count)
    strikes = [Strike(number) for number in chosen]
    results = []
    for groups in [[strikes], *([[step] for step in order] for order in permutations(strikes))]:
        log = copied(table.log)
        for steps in groups:
            log.correct(FIGHT, steps)
        results.append((standings(log.timeline(FIGHT)), lines(log.timeline(FIGHT))))
    assert all(other == results[0] for other in results)


@FEWER
@given(seed=SEEDS)
def test_as_of_a_ruling_equals_the_log_when_it_ended_there(seed: int) -> None:
    """Compare with what the log showed then, and with a log that ends there."""
    random = Random(seed)
    table = Table(random, secrets=True)
    states = {}
    for _ in range(40):
        table.step() if random.random() < 0.7 else random_correction(table, random.choice(KINDS), 2)
        timeline = table.log.timeline(FIGHT)
        states[timeline.number] = (standings(timeline), timeline.order[:], [*log_lines(rulings(timeline))])
    number = random.choice(sorted(states))
    earlier_timeline = table.log.timeline(FIGHT, as_of=number)
    assert (standings(earlier_timeline), earlier_timeline.order, [*log_lines(rulings(earlier_timeline))]) == states[
        number
    ]
    with CombatLog.open("sqlite://") as log:
        log.application.save(*build_events(FIGHT, rows_until(table.log.application.rows(FIGHT), number)))
        other_timeline = log.timeline(FIGHT)
        assert log.history(FIGHT) == table.log.history(FIGHT, as_of=number)
        assert other_timeline.states == earlier_timeline.states
        moment = random.randint(1, number)
        assert log.at(FIGHT, moment) == table.log.at(FIGHT, moment, as_of=number)

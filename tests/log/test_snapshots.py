"""Snapshots are a cache: a timeline from a snapshot equals the rows, and an invalid snapshot is ignored."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mam_events.commands import Adjust
from mam_events.errors import VerificationFailed
from mam_events.history.timeline.projector import TimelineSnapshot
from mam_events.history.timeline.timeline import Timeline
from mam_events.log.combat_log import CombatLog
from mam_events.log.encounters import Encounters
from mam_events.state import Encounter
from mam_events.store import StoredEventRow, decoders
from mam_events.verification import check_snapshots, verify
from tests.conftest import in_sqlite
from tests.fighters import play_printed
from tests.fights.tables import Table
from tests.history.correction_samples import FIGHT, KINDS, random_correction, standings


@pytest.fixture(scope="module", autouse=True)
def frequent_snapshots() -> Iterator[None]:
    """Take a snapshot after every few events."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Encounters, "snapshotting_intervals", {Timeline: 7})
        yield


def is_resumed(timeline: Timeline) -> bool:
    """Return True if the timeline came from a snapshot and has not read its events yet."""
    return not timeline._has_states  # noqa: SLF001 - nothing public shows it


def contents(timeline: Timeline) -> tuple[object, ...]:
    """Return everything that a timeline contains."""
    state, commitments = timeline.state, timeline.commitments
    return (
        state,
        commitments,
        standings(timeline),
        timeline.states,
        timeline.order,
        timeline.heads,
        timeline.ends,
        timeline.ids,
        timeline.salts,
        timeline.unsettled,
        timeline.disputes,
    )


@settings(max_examples=settings().max_examples // 5)
@given(seed=st.integers(0, 2**32))
def test_a_timeline_from_a_snapshot_equals_one_from_all_rows(seed: int) -> None:
    random, table = Random(seed), Table(Random(seed), secrets=True)
    log, application = table.log, table.log.application
    through = 0
    for _ in range(25):
        # The next command is decided on a timeline from a snapshot, as in a new process.
        log._judges.forget(FIGHT)  # noqa: SLF001 - as above
        table.step() if random.random() < 0.6 else random_correction(table, random.choice(KINDS), 2)
        rows, timeline = application.rows(FIGHT), application.repository.get(FIGHT)
        through += is_resumed(timeline)
        assert contents(timeline) == contents(Timeline(decoders(), rows))
        version = timeline.ends[random.randrange(timeline.number)]
        earlier_timeline = application.repository.get(FIGHT, version=version)
        assert contents(earlier_timeline) == contents(Timeline(decoders(), rows[:version]))
    assert through or len(rows) < 20
    check_snapshots(rows, application.snapshots_of(FIGHT))
    assert verify(rows).rulings == timeline.number


def test_a_timeline_at_part_of_a_ruling_is_refused(log: CombatLog) -> None:
    play_printed(log, FIGHT)
    repository, ends = log.application.repository, log.timeline(FIGHT).ends
    for version in range(1, ends[-1] + 1):
        if version in ends:
            assert repository.get(FIGHT, version=version).ends[-1] == version
        else:
            with pytest.raises(ValueError, match="inside a ruling"):
                repository.get(FIGHT, version=version)
    with pytest.raises(ValueError, match="before"):
        repository.get(FIGHT, version=ends[3], since=repository.get(FIGHT))


def test_snapshots_are_taken_while_writing_and_on_request(log: CombatLog) -> None:
    play_printed(log, FIGHT)
    rows = log.application.snapshots_of(FIGHT)
    assert len(rows) >= 4
    assert {one.topic for one in rows} == {TimelineSnapshot.topic}
    assert [one.originator_version for one in rows] == sorted(one.originator_version for one in rows)
    log.application.take_snapshot(FIGHT)
    assert log.application.snapshots_of(FIGHT)[-1].originator_version == log.application.recorder.last_version(FIGHT)
    early = log.timeline(FIGHT).ends[6]
    log.application.take_snapshot(FIGHT, early)
    assert early in {one.originator_version for one in log.application.snapshots_of(FIGHT)}


def another_fight(snapshot: StoredEventRow) -> StoredEventRow:
    """Return the snapshot with more points for a combatant."""
    return snapshot._replace(state=snapshot.state.replace(b'"ready":0', b'"ready":6'))


Change = Callable[[Any], StoredEventRow]
STRANGE: dict[str, Change] = {
    "of another program": lambda one: one._replace(topic="Snapshot.1/0.0.1", state=another_fight(one).state),
    "of another log": lambda one: one._replace(state=another_fight(one).state.replace(b'["', b'["0')),
    "no JSON": lambda one: one._replace(state=b"\xff{"),
    "another shape": lambda one: one._replace(state=b'["", 5]'),
    "of half a row": lambda one: another_fight(one)._replace(originator_version=one.originator_version - 0.5),
    "nested too deep": lambda one: one._replace(
        state=one.state[: one.state.index(b"{")] + b'{"title":' + b"[" * 100_000 + b"]" * 100_000 + b"}]"
    ),
    "a number": lambda one: one._replace(state=5),
    "in the middle of a ruling": lambda one: another_fight(one)._replace(originator_version=one.originator_version - 1),
    "behind the last row": lambda one: another_fight(one)._replace(originator_version=one.originator_version + 50),
}


@pytest.mark.parametrize("change", STRANGE.values(), ids=STRANGE)
def test_an_invalid_snapshot_is_ignored(log: CombatLog, change: Callable[[StoredEventRow], StoredEventRow]) -> None:
    play_printed(log, FIGHT)
    right = contents(Timeline(decoders(), log.application.rows(FIGHT)))
    newest = log.application.snapshots_of(FIGHT)[-1]
    row = change(newest)
    assert row != newest
    with in_sqlite(log).writing() as cursor:
        cursor.execute("DELETE FROM stored_snapshots")
        cursor.execute("INSERT INTO stored_snapshots VALUES (?, ?, ?, ?)", row)
    timeline = log.application.repository.get(FIGHT)
    assert not is_resumed(timeline)
    assert contents(timeline) == right


class Folding(list[object]):
    """A list that is copied while another thread computes the states of its timeline."""

    def __init__(self, timeline: Timeline, states: list[Encounter]) -> None:
        super().__init__(states)
        self.timeline = timeline

    def copy(self) -> list[object]:
        fields = super().copy()
        assert self.timeline.states
        return fields


def test_a_copy_made_while_states_are_computed_is_equal(log: CombatLog) -> None:
    play_printed(log, FIGHT)
    timeline = log.application.repository.get(FIGHT)
    assert is_resumed(timeline)
    timeline._states = Folding(timeline, timeline._states)  # type: ignore[assignment]  # noqa: SLF001 - simulates a concurrent reader
    other_timeline = timeline.copy()
    assert not is_resumed(timeline)
    assert contents(other_timeline) == contents(Timeline(decoders(), log.application.rows(FIGHT)))


@pytest.mark.parametrize(
    "statement",
    [
        "ALTER TABLE stored_snapshots ADD COLUMN more",
        "UPDATE stored_snapshots SET state = CAST(x'ff41' AS TEXT)",
        "UPDATE stored_snapshots SET topic = CAST(x'ff' AS TEXT)",
        "UPDATE stored_snapshots SET originator_version = originator_version + 0.5",
    ],
)
def test_the_log_is_read_and_verified_whatever_happened_to_the_snapshots(log: CombatLog, statement: str) -> None:
    play_printed(log, FIGHT)
    right = contents(Timeline(decoders(), log.application.rows(FIGHT)))
    with in_sqlite(log).writing() as cursor:
        cursor.execute(statement)
    assert contents(log.application.repository.get(FIGHT)) == right
    check_snapshots(log.application.rows(FIGHT), log.application.snapshots_of(FIGHT))


def test_an_altered_snapshot_does_not_affect_the_log_and_is_reported_by_verify(log: CombatLog) -> None:
    play_printed(log, FIGHT)
    newest = log.application.snapshots_of(FIGHT)[-1]
    log.application.snapshots.recorder.insert_events([another_fight(newest)])  # type: ignore[union-attr, list-item]  # rows
    rows = log.application.rows(FIGHT)
    verify(rows)
    assert log.application.repository.get(FIGHT).state != Timeline(decoders(), rows).state
    with pytest.raises(VerificationFailed, match="log itself is intact"):
        check_snapshots(rows, log.application.snapshots_of(FIGHT))


def test_snapshots_of_another_version_are_replaced(log: CombatLog) -> None:
    play_printed(log, FIGHT)
    with in_sqlite(log).writing() as cursor:
        cursor.execute("UPDATE stored_snapshots SET topic = 'Snapshot.1/0.0.1'")
    for number in range(8):
        log.execute(FIGHT, Adjust(reason=f"{number}"))
    assert {one.topic for one in log.application.snapshots_of(FIGHT)} == {TimelineSnapshot.topic}


def test_the_log_works_if_snapshots_cannot_be_stored(tmp_path: Path) -> None:
    with CombatLog.open(tmp_path / "mam.db") as log:
        with in_sqlite(log).writing() as cursor:
            cursor.execute("CREATE VIEW stored_snapshots AS SELECT 1")
        play_printed(log, FIGHT)
        assert log.application.snapshots_of(FIGHT) == []
        assert log.application.repository.get(FIGHT).number == 21


def test_a_snapshot_contains_the_state_of_the_fight(log: CombatLog) -> None:
    play_printed(log, FIGHT)
    timeline = log.timeline(FIGHT)
    seal, fight = msgspec.json.decode(TimelineSnapshot.take(timeline).state, type=tuple[str, Encounter])
    assert (seal, fight) == (timeline.seal, timeline.state)


def test_a_snapshot_with_explicit_defaults_gives_the_same_fight(log: CombatLog) -> None:
    play_printed(log, FIGHT)
    timeline = log.timeline(FIGHT)
    taken_row = TimelineSnapshot.take(timeline)
    seal, fight = msgspec.json.decode(taken_row.state)
    for one in fight["combatants"].values():
        one["actions"] = one.get("actions", {})
    spelled_row = taken_row._replace(state=msgspec.json.encode([seal, fight]))
    rows = log.application.rows(FIGHT)
    assert spelled_row != taken_row
    check_snapshots(rows, [taken_row, spelled_row])
    fight["round"] += 1
    with pytest.raises(VerificationFailed, match="does not match it"):
        check_snapshots(rows, [taken_row._replace(state=msgspec.json.encode([seal, fight]))])

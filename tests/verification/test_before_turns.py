"""A log from before corrections had a mode for turns is read, verified and judged as strict.

`before_turns.ndjson` is frozen: 27 undoes the hit that felled the Wolf, which makes later rulings void; the Wolf and
the Fox play on (28 to 31); 32 undoes that correction, and Ana goes on (33).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mam_events.archive import import_ndjson
from mam_events.events import Amend, Correction, Play
from mam_events.history.judge.rejudge import rejudge
from mam_events.history.judge.verdicts import verdict_words
from mam_events.history.timeline.change import Change
from mam_events.history.timeline.timeline import Timeline
from mam_events.log.combat_log import CombatLog
from mam_events.store import decoders
from mam_events.verification import judge_again, verify, verify_export

FROZEN = Path(__file__).with_name("before_turns.ndjson")
VOID = [13, *range(14, 27)]
"""The rulings that correction 27 made void, as it stood then."""


@pytest.fixture
def old() -> Iterator[CombatLog]:
    """Yield a log in memory with the frozen fight."""
    with CombatLog.open("sqlite://") as log:
        import_ndjson(log, FROZEN.read_bytes().splitlines(keepends=True))
        yield log


def test_a_log_without_a_mode_for_turns_is_read_as_strict(old: CombatLog) -> None:
    assert b'"turns"' not in FROZEN.read_bytes()
    heads = old.timeline("raid").heads
    assert {head.turns for head in heads if isinstance(head, Play | Correction)} == {"strict"}
    assert not any(entry.outcome.has_bookkeeping for _, entry in old.timeline("raid").living())


def test_it_is_verified_and_judged_as_before(old: CombatLog) -> None:
    rows = old.application.rows("raid")
    assert verify_export(FROZEN.read_bytes().splitlines(keepends=True)).rulings == 33
    assert verify(rows).rulings == judge_again(rows, old.rules) == 33


def test_rulings_void_in_the_old_log_count_if_judged_today(old: CombatLog) -> None:
    earlier_timeline = old.timeline("raid", as_of=27)
    assert [number for number, entry in earlier_timeline.living() if entry.outcome.is_void] == VOID
    current_timeline = old.timeline("raid")
    assert [number for number, entry in current_timeline.living() if entry.outcome.is_void] == [28, 29, 30, 31]
    judge = old._judges.newest("raid").without_drawing()  # noqa: SLF001 - the law is about this judge
    rulings = rejudge(current_timeline, Change(0, 0, current_timeline.order), judge)
    # Only the opening differs: it pins options that are newer than the log.
    assert [entry.ruling for entry in rulings if entry.differs] == [1]


def test_redo_of_an_old_correction_restores_earlier_outcomes(old: CombatLog) -> None:
    """A redo restores what the correction changed and keeps what was played since."""
    before = living_outcomes(old.timeline("raid", as_of=31))
    answer = old.redo("raid", turns="as_played")
    outcomes = living_outcomes(old.timeline("raid"))
    assert {n: outcomes[n] for n in before} == before
    assert (
        verify(old.application.rows("raid")).rulings
        == judge_again(old.application.rows("raid"), old.rules)
        == answer.number
    )
    assert living_outcomes(Timeline(decoders(), old.application.rows("raid"))) == outcomes


def living_outcomes(timeline: Timeline) -> dict[int, tuple[object, ...]]:
    """Return the outcome of each living ruling, and whether it counts."""
    return {
        number: (entry.outcome.is_void, [*map(verdict_words, entry.outcome.events(timeline.decoders))])
        for number, entry in timeline.living()
    }


def test_a_new_correction_of_it_keeps_the_played_turns(old: CombatLog) -> None:
    old.undo("raid", 33)
    command = old.timeline("raid").command(9)
    patch = {"attack_die": 1, "defense_die": 6}
    assert command.attack_die == 6  # type: ignore[attr-defined]  # the resolution of an exchange
    answer = old.correct("raid", [Amend(9, patch)])
    assert not [entry.ruling for entry in answer.rejudged if entry.verdict == "void"]

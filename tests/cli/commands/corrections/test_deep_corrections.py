"""Corrections that undo each other many times."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from inspect import stack

import pytest

from mam_events.commands import Join, Open
from mam_events.events import Restore, Strike
from mam_events.history.timeline.rulings import rulings
from mam_events.log.combat_log import CombatLog
from projections.rulings.command_text import correction_sentence
from projections.rulings.index import RulingIndex
from projections.rulings.related_rulings import with_rulings_mentioned

ROOM = 80
"""The stack limit in frames: too low for code that calls itself for each correction."""


@contextmanager
def shallow() -> Iterator[None]:
    """Limit the stack so that no call nests as deep as the corrections do."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(len(stack(0)) + ROOM)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


@pytest.fixture
def struck_ruling(log: CombatLog) -> int:
    """Return the number of a correction that undoes ruling 2."""
    log.execute_all("yard", [Open(), Join("rook", hp=6)])
    return log.correct("yard", [Strike(2)]).number


def test_a_deep_chain_of_redos_is_described_by_its_result(log: CombatLog, struck_ruling: int) -> None:
    last = struck_ruling
    for _ in range(2 * ROOM):
        last = log.correct("yard", [Restore(last)]).number
    timeline = log.timeline("yard")
    index = RulingIndex(rulings(timeline), "gm")
    # Do the lazy imports first, because `shallow` leaves them no room.
    assert [ruling.number for ruling in with_rulings_mentioned(timeline, (struck_ruling,))] == [2, struck_ruling]
    with shallow():
        sentence = correction_sentence(index.rulings[-1], index)
        numbers = [ruling.number for ruling in with_rulings_mentioned(timeline, (last,))]
    assert sentence == "The game master again undoes 2 (rook joins)."
    assert numbers == list(range(2, last + 1))


def test_a_ruling_undone_in_many_ways_is_described_once(log: CombatLog, struck_ruling: int) -> None:
    ruling = struck_ruling
    for _ in range(12):
        one = log.correct("yard", [Restore(ruling)]).number
        restoration = log.correct("yard", [Restore(one)]).number
        other = log.correct("yard", [Restore(ruling)]).number
        log.correct("yard", [Restore(restoration)])
        ruling = log.correct("yard", [Restore(one), Restore(other)]).number
    index = RulingIndex(rulings(log.timeline("yard")), "gm")
    assert correction_sentence(index.rulings[-1], index) == "The game master again undoes 2 (rook joins)."

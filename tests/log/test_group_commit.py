"""One writer for many who order: nobody waits long for what somebody else sends at once."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event

import pytest

from mam_events.log.combat_log import CombatLog
from mam_events.log.group_commit import OF_ONE, SHARE, TOGETHER, Busy, GroupCommit


@pytest.fixture
def log() -> CombatLog:
    return CombatLog.open("sqlite://")


def held(writer: GroupCommit) -> Event:
    """The writer is busy until that is set."""
    going, until = Event(), Event()

    def wait() -> None:
        going.set()
        until.wait(10)

    writer.submit(wait)
    assert going.wait(10)
    return until


def test_payers_take_turns_and_of_each_what_came_first_is_first(log: CombatLog) -> None:
    done: list[str] = []

    def work(name: str) -> Callable[[], None]:
        return lambda: done.append(name)

    with GroupCommit(log) as writer:
        until = held(writer)
        sent = [f"ana {n}" for n in range(3 * SHARE)]
        answers = [writer.submit(work(name), payer="ana") for name in sent]
        answers += [writer.submit(work("bo"), payer="bo"), writer.submit(work("master"))]
        until.set()
        for answer in answers:
            answer.result(10)
    assert [name for name in done if name.startswith("ana")] == sent
    assert max(done.index("bo"), done.index("master")) <= 2 + 1


def test_of_one_who_is_counted_a_commit_has_a_share(log: CombatLog) -> None:
    commits: list[int] = []
    grouped = log.grouped

    def counting(*encounters: str, request: object = None) -> object:
        commits.append(0)
        return grouped(*encounters, request=request)

    log.grouped = counting  # type: ignore[method-assign,assignment]  # counts what the log really does
    with GroupCommit(log) as writer:
        until = held(writer)
        answers = [writer.submit(lambda: None, payer="ana") for _ in range(2 * SHARE)]
        answers += [writer.submit(lambda: None) for _ in range(TOGETHER - SHARE)]
        until.set()
        for answer in answers:
            answer.result(10)
    # What held it, then a whole commit of both, then what was left of the one who is counted.
    assert len(commits) == 1 + 2


def test_one_who_is_counted_has_so_many_waiting_and_others_may_still_come(log: CombatLog) -> None:
    with GroupCommit(log) as writer:
        until = held(writer)
        for _ in range(OF_ONE):
            writer.submit(lambda: None, payer="ana")
        with pytest.raises(Busy, match="orders of yours wait"):
            writer.submit(lambda: None, payer="ana")
        other = writer.submit(lambda: 5, payer="bo")
        until.set()
        assert other.result(10) == 5

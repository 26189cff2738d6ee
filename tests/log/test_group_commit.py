"""One writer for many callers: nobody waits long because of another caller's orders."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from threading import Event

import pytest

from mam_events.commands import BeginTurn, EndTurn, Join, Open
from mam_events.errors import Refused
from mam_events.log.combat_log import CombatLog
from mam_events.log.group_commit import COMMIT_SECONDS, LONGEST_REST, MAX_PER_CALLER, REST, Busy, GroupCommit


@pytest.fixture
def log() -> CombatLog:
    return CombatLog.open("sqlite://")


def keep_busy(writer: GroupCommit) -> Event:
    """Keep the writer busy until the returned event is set."""
    going, release = Event(), Event()

    def wait() -> None:
        going.set()
        release.wait(10)

    writer.submit(wait)
    assert going.wait(10)
    return release


class Table:
    """A writer whose clock advances by the durations of its orders, and which records its commits."""

    def __init__(self, log: CombatLog) -> None:
        self.now = 0.0
        self.commits: list[list[str]] = []
        grouped = log.grouped

        def counting(*encounters: str, request: object = None) -> object:
            self.commits.append([])
            return grouped(*encounters, request=request)

        log.grouped = counting  # type: ignore[method-assign,assignment]  # counts what the log really does
        self.writer = GroupCommit(log, clock=lambda: self.now)

    def order(self, name: str, payer: str = "", *, takes: float = 0.0) -> Future[None]:
        def work() -> None:
            self.now += takes
            self.commits[-1].append(name)

        return self.writer.submit(work, payer=payer)


def test_callers_take_turns_and_each_keeps_its_order(log: CombatLog) -> None:
    table = Table(log)
    with table.writer as writer:
        release = keep_busy(writer)
        sent = [f"ana {n}" for n in range(12)]
        answers = [table.order(name, "ana", takes=COMMIT_SECONDS / 5) for name in sent]
        answers += [table.order("bo", "bo"), table.order("master")]
        release.set()
        for answer in answers:
            answer.result(10)
    names = [name for commit in table.commits for name in commit]
    assert [name for name in names if name.startswith("ana")] == sent
    assert max(names.index("bo"), names.index("master")) <= 2 + 1


def test_counted_callers_share_a_small_part_of_a_commit(log: CombatLog) -> None:
    table = Table(log)
    with table.writer as writer:
        release = keep_busy(writer)
        answers = [table.order(f"ana {n}", "ana", takes=COMMIT_SECONDS * 0.6) for n in range(5)]
        answers += [table.order(f"master {n}", takes=COMMIT_SECONDS) for n in range(3)]
        release.set()
        for answer in answers:
            answer.result(10)
    first, *later = table.commits[1:]
    assert [name for name in first if name.startswith("ana")] == ["ana 0", "ana 1"]
    assert [name for name in first if name.startswith("master")] == ["master 0", "master 1", "master 2"]
    assert later == [["ana 2", "ana 3"], ["ana 4"]]


def test_other_callers_come_first_after_a_slow_order(log: CombatLog) -> None:
    table = Table(log)
    with table.writer as writer:
        release = keep_busy(writer)
        answers = [table.order(f"ana {n}", "ana", takes=20 * COMMIT_SECONDS) for n in range(2)]
        answers += [table.order(f"bo {n}", "bo", takes=COMMIT_SECONDS / 4) for n in range(2)]
        release.set()
        for answer in answers[:1] + answers[2:]:
            answer.result(10)
        assert table.commits[1:] == [["ana 0"], ["bo 0", "bo 1"]]
        assert not answers[1].done()
    # Closing the writer does not wait for the end of a rest.
    assert table.commits[3:] == [["ana 1"]]


def test_a_caller_rests_after_a_slow_order_for_a_limited_time(log: CombatLog) -> None:
    table = Table(log)
    with table.writer:
        table.order("ana 0", "ana", takes=3 * COMMIT_SECONDS).result(10)
        waits = table.order("ana 1", "ana", takes=LONGEST_REST)
        table.now += 2 * COMMIT_SECONDS * REST * 0.99
        table.order("bo", "bo").result(10)
        assert not waits.done()
        table.now += 2 * COMMIT_SECONDS * REST * 0.02
        table.order("bo", "bo").result(10)
        waits.result(10)
        table.now += LONGEST_REST * 1.01
        table.order("ana 2", "ana").result(10)


def test_an_uncounted_caller_never_rests(log: CombatLog) -> None:
    table = Table(log)
    with table.writer:
        for _ in range(3):
            table.order("master", takes=100 * COMMIT_SECONDS).result(10)


def test_an_order_put_back_is_written_even_if_its_first_commit_fails(log: CombatLog) -> None:
    table = Table(log)
    counting, failures = log.grouped, [OSError("the disk is full")]

    @contextmanager
    def failing(*encounters: str) -> Iterator[None]:
        with counting(*encounters):
            yield
        if len(table.commits) > 1 and failures:
            raise failures.pop()

    log.grouped = failing  # type: ignore[method-assign,assignment]  # simulates a full disk
    with table.writer as writer:
        release = keep_busy(writer)
        first, second = (table.order(name, "ana", takes=COMMIT_SECONDS) for name in ("one", "two"))
        release.set()
        with pytest.raises(OSError, match="full"):
            first.result(10)
        second.result(10)


def test_a_fight_is_read_again_only_after_a_failed_write(log: CombatLog) -> None:
    log.execute_all("fight", [Open(), Join("ana", name="Ana", hp=6), Join("bo", name="Bo", hp=6)])
    known = log._judges.cached("fight")  # noqa: SLF001 - how often a fight is read shows nowhere else
    with pytest.raises(Refused):
        log.execute_all("fight", [EndTurn("bo")])
    assert log._judges.cached("fight") is known  # noqa: SLF001 - as above
    with pytest.raises(Refused):
        log.execute_all("fight", [Join("cy", name="Cy", hp=6), BeginTurn("dee")])
    assert log._judges.cached("fight") is None  # noqa: SLF001 - as above
    assert log.timeline("fight").state.combatants.keys() == {"ana", "bo"}


def test_the_number_of_waiting_orders_per_caller_is_limited(log: CombatLog) -> None:
    with GroupCommit(log) as writer:
        release = keep_busy(writer)
        for _ in range(MAX_PER_CALLER):
            writer.submit(lambda: None, payer="ana")
        with pytest.raises(Busy, match="orders of yours are"):
            writer.submit(lambda: None, payer="ana")
        other = writer.submit(lambda: 5, payer="bo")
        release.set()
        assert other.result(10) == 5

"""Many threads on one log: nothing is lost, nothing is refused because of another, no reader is disturbed."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from threading import Barrier, Event

import pytest

from mam_events.commands import Adjust
from mam_events.events import Correction, Note, Play
from mam_events.history.timeline.rulings import rulings
from mam_events.history.timeline.timeline import Timeline
from mam_events.log.combat_log import CombatLog
from mam_events.store import decoders
from mam_events.verification import verify
from tests.effort import FUZZ
from tests.fighters import play_printed

THREADS = 8
ROUNDS = 400 if FUZZ else 40
Work = Callable[[CombatLog, str, str], None]


def play(log: CombatLog, encounter: str, reason: str) -> None:
    assert log.execute(encounter, Adjust(reason=reason), by="thread").number


def write_hidden_note(log: CombatLog, encounter: str, reason: str) -> None:
    """Write a note with a salt: its head takes longer to build than any other."""
    assert log.note(encounter, reason, visibility="gm").number


def undo_and_redo(log: CombatLog, encounter: str, reason: str) -> None:
    play(log, encounter, reason)
    log.undo(encounter, reason="whichever is the newest")
    log.redo(encounter)


def check_reader(log: CombatLog, encounter: str, reason: str) -> None:
    """Check that a timeline stays as it was returned, and that all its views agree."""
    timeline = log.timeline(encounter)
    number, state = timeline.number, timeline.state
    assert [ruling.number for ruling in rulings(timeline)] == list(range(1, number + 1)), reason
    assert len(timeline.states) == len(timeline.order) == len(timeline.place) == len(timeline.entries)
    assert timeline.state is state
    assert timeline.number == number
    assert log.at(encounter).combatants
    assert next(log.legal(encounter), None) is not None


WORK: tuple[Work, ...] = (play, write_hidden_note, undo_and_redo, check_reader)


@pytest.fixture(autouse=True)
def frequent_switches() -> Iterator[None]:
    """Switch threads as often as possible."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.fixture(params=["file", pytest.param("memory", marks=pytest.mark.slow)])
def shared(request: pytest.FixtureRequest, path: Path) -> Iterator[CombatLog]:
    with CombatLog.open(path if request.param == "file" else "sqlite://", synchronous="NORMAL") as log:
        for encounter in ("fight", "other"):
            play_printed(log, encounter)
        yield log


def check(log: CombatLog, encounter: str) -> Timeline:
    """Return the timeline as a new reader builds it, and check that it equals the log's own."""
    rows = log.application.rows(encounter)
    assert verify(rows).rows == len(rows)
    new_timeline, known_timeline = Timeline(decoders(), rows), log.timeline(encounter)
    assert (new_timeline.heads, new_timeline.order, new_timeline.states, new_timeline.seal, new_timeline.version) == (
        known_timeline.heads,
        known_timeline.order,
        known_timeline.states,
        known_timeline.seal,
        known_timeline.version,
    )
    return new_timeline


def test_threads_share_a_log(shared: CombatLog) -> None:
    together = Barrier(THREADS)

    def work(thread: int) -> None:
        together.wait()
        for turn in range(ROUNDS):
            for step in range(len(WORK)):
                WORK[(thread + step) % len(WORK)](shared, ("fight", "other")[turn % 3 == 0], f"{thread}.{turn}.{step}")

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(work, range(THREADS)))
    texts: list[str] = []
    for encounter in ("fight", "other"):
        heads = check(shared, encounter).heads[21:]
        texts += [head.command.reason for head in heads if isinstance(head, Play) and isinstance(head.command, Adjust)]
        notes = [head for head in heads if isinstance(head, Note)]
        corrections = [head for head in heads if isinstance(head, Correction)]
        assert len(corrections) == 2 * len(notes), "every order was carried out, none refused for another's sake"
    assert len(texts) == len(set(texts)) == 2 * THREADS * ROUNDS


def test_asyncio_threads_cause_no_conflict(shared: CombatLog) -> None:
    async def table() -> None:
        async with asyncio.TaskGroup() as group:
            for number in range(THREADS * 5):
                group.create_task(asyncio.to_thread(play, shared, "fight", f"at once {number}"))
                group.create_task(asyncio.to_thread(write_hidden_note, shared, "fight", f"at once {number}"))

    asyncio.run(table())
    assert check(shared, "fight").number == 21 + THREADS * 10


def test_one_command_id_from_many_threads_is_one_ruling(shared: CombatLog) -> None:
    together = Barrier(THREADS)

    def send(_: int) -> tuple[int, bool]:
        together.wait()
        answer = shared.execute("fight", Adjust(reason="once"), command_id="the same")
        return answer.number, answer.repeated

    with ThreadPoolExecutor(THREADS) as pool:
        answers = list(pool.map(send, range(THREADS)))
    assert sorted(answers) == [(22, False)] + [(22, True)] * (THREADS - 1)


def test_of_threads_that_expect_the_same_version_one_succeeds(shared: CombatLog) -> None:
    def send(thread: int) -> int:
        try:
            return shared.execute("fight", Adjust(reason=f"{thread}"), expected=21).number
        except Exception as error:  # noqa: BLE001 - the test checks the class of any error
            return -len(type(error).__name__)

    with ThreadPoolExecutor(THREADS) as pool:
        answers = sorted(pool.map(send, range(THREADS)))
    assert answers == [-len("VersionConflict")] * (THREADS - 1) + [22]


def test_a_returned_timeline_never_changes(shared: CombatLog) -> None:
    timeline = shared.timeline("fight")
    before = (
        list(timeline.heads),
        list(timeline.order),
        list(timeline.states),
        dict(timeline.entries),
        timeline.seal,
        timeline.number,
    )
    reader, lists = rulings(timeline), (timeline.order, timeline.states, timeline.entries)
    next(reader)
    shared.execute("fight", Adjust(reason="one more"))
    shared.execute("fight", Adjust(reason="in the middle"), after=10)
    shared.undo("fight", 6)
    assert before == (timeline.heads, timeline.order, timeline.states, timeline.entries, timeline.seal, timeline.number)
    assert (timeline.order, timeline.states, timeline.entries) == lists
    assert [ruling.number for ruling in reader] == list(range(2, 22))
    assert not timeline.striking(6)
    assert shared.timeline("fight").striking(6) == 24


def test_waiting_for_one_fight_does_not_block_another(shared: CombatLog) -> None:
    reached, release = Event(), Event()

    def slowly(size: int) -> bytes:
        reached.set()
        assert release.wait(30)
        return bytes(size)

    log = CombatLog(shared.application, entropy=slowly)
    free = next(name for name in map(str, range(1000)) if log._judges.lock(name) is not log._judges.lock("fight"))  # noqa: SLF001 - which locks are shared changes with every run
    play_printed(shared, free)
    with ThreadPoolExecutor(2) as pool:
        waiting = pool.submit(write_hidden_note, log, "fight", "slow")
        assert reached.wait(30)
        play(log, free, "meanwhile")
        assert log.at(free).combatants
        release.set()
        waiting.result(30)


def test_the_number_of_encounters_in_memory_is_limited(path: Path) -> None:
    with CombatLog.open(path, kept=3) as log:
        names = [f"fight-{number}" for number in range(8)]
        for name in names:
            play_printed(log, name)
        for name, following in pairwise([*names, *names]):
            play(log, name, "in turn")
            assert log.timeline(following).number >= 21
            assert len(log._judges._judges) <= 3  # noqa: SLF001 - the test is about memory
        assert [log.timeline(name).number for name in names] == [23] * 7 + [22]


FRESH = """\
import subprocess
import sys
from threading import Barrier, Thread
from mam_events.archive import export_ndjson, import_ndjson
from mam_events.verification import verify
from mam_events.log.combat_log import CombatLog
sys.setswitchinterval(1e-6)
barrier = Barrier(6)
def look(number):
    with CombatLog.open(sys.argv[1]) as log, log.scratch() as scratch:
        barrier.wait()
        verify(log.application.rows("fight"))
        import_ndjson(scratch, export_ndjson(log, "fight"))
        log.legal("fight")
threads = [Thread(target=look, args=(number,)) for number in range(6)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""
"""Threads of a new process that has read nothing yet, so that all meet every kind of event at the same time."""


def test_threads_that_first_use_a_kind_of_event_together_do_not_crash(
    printed: Callable[[str], CombatLog], path: Path
) -> None:
    printed("fight")
    for _ in range(2):
        process = subprocess.run([sys.executable, "-c", FRESH, str(path)], capture_output=True, check=False)
        assert (process.returncode, process.stderr) == (0, b"")

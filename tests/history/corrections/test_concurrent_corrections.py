"""Simultaneous corrections, of which one is refused, and killed corrections, which are written completely or not."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from mam_events.commands import Attack, BeginTurn, Command, EndTurn, Initiative, Join, Open, Ready, Resolve
from mam_events.events import Amend, Correction, Restore, Step, Strike
from mam_events.log.combat_log import CombatLog
from mam_events.verification import judge_again, verify
from tests.effort import FUZZ
from tests.history.corrector import SETTINGS

TURNS = 200 if FUZZ else 6
KILLS = 300 if FUZZ else 6
Printed = Callable[[str], CombatLog]
Person = subprocess.Popen[str]
People = Callable[[Path, int], list[Person]]


def send(person: Person, steps: Sequence[Step], **held: Any) -> None:
    """Send a correction to a process."""
    assert person.stdin
    person.stdin.write(msgspec.json.encode({"steps": steps, **held}).decode() + "\n")
    person.stdin.flush()


def receive(person: Person) -> str:
    """Read the next line that a process prints."""
    assert person.stdout
    return person.stdout.readline().strip()


def start_process(store: Path, point: str = "") -> Person:
    """Start a process that has that store open."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.history.corrector", str(store), point],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[3],
    )
    assert receive(process) == "ready"
    return process


def stop_process(person: Person) -> None:
    """Close the streams of a process and wait for its end."""
    for stream in (person.stdin, person.stdout):
        if stream:
            stream.close()
    person.wait(timeout=60)


@pytest.fixture
def two_processes() -> Iterator[Callable[[Path], tuple[Person, Person]]]:
    """Yield a function that starts two processes at one store."""
    processes: list[Person] = []

    def start_two(store: Path) -> tuple[Person, Person]:
        processes.extend(start_process(store) for _ in range(2))
        return processes[0], processes[1]

    yield start_two
    for person in processes:
        stop_process(person)


Two = Callable[[Path], tuple[Person, Person]]


def corrections(log: CombatLog) -> list[Correction]:
    return [head for head in log.timeline("fight").heads if isinstance(head, Correction)]


def test_of_two_corrections_that_expect_the_same_version_one_is_refused(
    printed: Printed, path: Path, two_processes: Two
) -> None:
    log, people = printed("fight"), two_processes(path)
    for turn in range(TURNS):
        number = log.timeline("fight").number
        wishes = [[Amend(17, {"attack_die": face})] for face in (turn % 6 + 1, (turn + 3) % 6 + 1)]
        for person, steps in zip(people, wishes, strict=True):
            send(person, steps, expected=number)
        answers = sorted(map(receive, people))
        assert answers == [str(number + 1), "VersionConflict"]
        assert len(corrections(log)) == turn + 1
        (step,) = corrections(log)[-1].steps
        assert isinstance(step, Amend)
        assert step.patch in [wish[0].patch for wish in wishes]
        assert log.timeline("fight").command(17).attack_die == step.patch["attack_die"]  # type: ignore[attr-defined]  # a resolution
    assert (
        verify(log.application.rows("fight")).rulings
        == judge_again(log.application.rows("fight"), log.rules)
        == 21 + TURNS
    )


def test_of_two_corrections_after_a_preview_one_is_written(printed: Printed, path: Path, two_processes: Two) -> None:
    log, people = printed("fight"), two_processes(path)
    for turn in range(TURNS):
        number = log.timeline("fight").number
        steps = [Amend(17, {"attack_die": turn % 6 + 1})]
        preview = log.preview("fight", steps)
        for person in people:
            send(person, steps, expect=preview.expect)
        assert sorted(map(receive, people)) == [str(number + 1), "VersionConflict"]
        assert log.timeline("fight").state == preview.state
        assert log.timeline("fight").number == number + 1


def test_of_two_undos_of_the_same_ruling_one_is_refused(printed: Printed, path: Path, two_processes: Two) -> None:
    log, people = printed("fight"), two_processes(path)
    for turn in range(TURNS):
        assert log.timeline("fight").lives(20) == (turn % 2 == 0)
        steps: list[Step] = [Restore(21 + turn)] if turn % 2 else [Strike(20)]
        for person in people:
            send(person, steps)
        assert sorted(map(receive, people)) == [
            str(22 + turn),
            f"Refused already_{'restored' if turn % 2 else 'struck'}",
        ]


def test_the_same_correction_sent_twice_with_one_id_is_written_once(
    printed: Printed, path: Path, two_processes: Two
) -> None:
    log, people = printed("fight"), two_processes(path)
    for turn in range(TURNS):
        for person in people:
            send(person, [Amend(17, {"attack_die": turn % 6 + 1})], command_id=f"turn-{turn}")
        assert [*map(receive, people)] == [str(22 + turn)] * 2
    assert len(corrections(log)) == TURNS


def test_two_corrections_of_one_die_without_a_version_are_both_written(
    printed: Printed, path: Path, two_processes: Two
) -> None:
    """The later correction counts; undoing it restores the earlier one."""
    log, people = printed("fight"), two_processes(path)
    for turn in range(TURNS):
        for person, face in zip(people, (1, 4), strict=True):
            send(person, [Amend(17, {"attack_die": face})])
        assert sorted(map(receive, people)) == [str(22 + 2 * turn), str(23 + 2 * turn)]
        faces = [step.patch["attack_die"] for head in corrections(log)[-2:] for step in head.steps]  # type: ignore[union-attr]  # amendments
        assert sorted(faces) == [1, 4]
        assert log.timeline("fight").command(17).attack_die == faces[1]  # type: ignore[attr-defined]  # a resolution


FIGHTERS = ("modre", "clone")


def long_fight(log: CombatLog, turns: int) -> None:
    """Play a fight in which both miss each other for that many turns."""

    def do(command: Command) -> int:
        return log.execute("fight", command).number

    for command in (Open(), *(Join(name, hp=6) for name in FIGHTERS), Initiative(first="modre", reason="quick")):
        do(command)
    for turn in range(turns):
        one, other = FIGHTERS[turn % 2], FIGHTERS[1 - turn % 2]
        do(BeginTurn(one))
        if turn > 1:
            do(Ready(one, defense=2))
        do(Resolve(do(Attack(one, other, modifier=2)), attack_die=1, defense_die=6))
        do(EndTurn(one))


BIG = [Amend(2, {"hp": 9})]
"""A correction that changes the points of one combatant in all later rulings."""
SMALL = [Amend(7, {"attack_die": 2})]


@pytest.fixture(scope="module")
def fought(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a long fight to a store and close it."""
    store = tmp_path_factory.mktemp("fought") / "mam.db"
    with CombatLog.open(store, synchronous="NORMAL", **SETTINGS) as log:
        long_fight(log, 30)
    return store


def rows_of(store: Path) -> list[tuple[int, str, bytes]]:
    with CombatLog.open(store, create=False, **SETTINGS) as log:
        return log.application.rows("fight")


def rows_after_correction(fought: Path, folder: Path, steps: Sequence[Step]) -> list[tuple[int, str, bytes]]:
    """Return the rows after the correction, made without a kill."""
    store = shutil.copy(fought, folder / "corrected.db")
    with CombatLog.open(store, **SETTINGS) as log:
        log.correct("fight", steps)
        return log.application.rows("fight")


def killed(store: Path, steps: Sequence[Step], point: str = "", after: float | None = None) -> bool:
    """Correct in a process that is killed at a given point or after some seconds.

    Return True if it had answered.
    """
    person = start_process(store, point)
    send(person, steps)
    if after is not None:
        time.sleep(after)
        person.send_signal(signal.SIGKILL)
    text = receive(person)
    stop_process(person)
    assert person.returncode == -signal.SIGKILL, text
    return bool(text)


def whole_log(store: Path) -> list[tuple[int, str, bytes]]:
    """Return the rows that are left, after a check that they verify and that the fight goes on."""
    rows = rows_of(store)
    verify(rows)
    with CombatLog.open(store, **SETTINGS) as log:
        number = log.timeline("fight").number
        assert judge_again(rows, log.rules) == number
        assert log.undo("fight").number == number + 1
        verify(log.application.rows("fight"))
    return rows


@pytest.mark.slow
@pytest.mark.parametrize(
    ("steps", "point", "is_written"),
    [
        (BIG, "call rejudge 1", False),
        (BIG, "call rejudge_one 50", False),
        (BIG, "call _lay_down 1", False),
        (BIG, "call save 1", False),
        (BIG, "c_call executemany 1", False),
        (BIG, "c_return executemany 1", False),
        (BIG, "call check_count 2", False),
        (BIG, "return _insert_in_steps 1", True),
        (BIG, "call accept 1", True),
        (SMALL, "call rejudge 1", False),
        (SMALL, "call insert 1", False),
        (SMALL, "call check_count 1", True),
        (SMALL, "call accept 1", True),
    ],
)
def test_a_correction_killed_at_a_given_point_is_written_completely_or_not(
    fought: Path, tmp_path: Path, steps: list[Step], point: str, *, is_written: bool
) -> None:
    """Two rows are written in one statement, more in one transaction of several statements."""
    store = Path(shutil.copy(fought, tmp_path / "mam.db"))
    assert not killed(store, steps, point)
    assert whole_log(store) == (rows_after_correction(fought, tmp_path, steps) if is_written else rows_of(fought))


@pytest.mark.slow
def test_a_big_correction_killed_at_any_time_is_written_completely_or_not(fought: Path, tmp_path: Path) -> None:
    random = Random(11)
    before, after = rows_of(fought), rows_after_correction(fought, tmp_path, BIG)
    assert len(after) > len(before) + 40
    start = time.perf_counter()
    rows_after_correction(fought, tmp_path, BIG)
    lasts = time.perf_counter() - start
    for kill in range(KILLS):
        store = Path(shutil.copy(fought, tmp_path / f"{kill}.db"))
        answered = killed(store, BIG, after=random.uniform(0, 1.2 * lasts))
        assert whole_log(store) in ([after] if answered else [before, after])

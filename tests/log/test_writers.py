"""Several writers on one encounter, and killed writers: nothing is lost, duplicated or half written."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from mam_events.commands import Adjust, Move
from mam_events.events import Correction, Play
from mam_events.log.combat_log import CombatLog
from tests.effort import FUZZ

WRITER = [sys.executable, "-m", "tests.log.writer"]
KILLS = 200 if FUZZ else 30

Printed = Callable[[str], CombatLog]


def writer(path: Path, name: str, rulings: int) -> subprocess.Popen[str]:
    arguments = [*WRITER, str(path), "fight", name, str(rulings)]
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2])


def reasons(log: CombatLog) -> dict[int, str]:
    heads = log.timeline("fight").heads
    return {h.ruling: h.command.reason for h in heads if isinstance(h, Play) and isinstance(h.command, Adjust)}


def acknowledged_reasons(output: str) -> dict[int, str]:
    results = {}
    for line in output.splitlines():
        _, number, reason = line.split(" ", 2)
        results[int(number)] = reason
    return results


def test_a_command_is_decided_on_the_state_others_wrote_meanwhile(printed: Printed, path: Path) -> None:
    log = printed("fight")
    with CombatLog.open(path) as other:
        other.undo("fight")
        answer = log.execute("fight", Move("clone", 1))
        assert answer.number == 23, "refused on the state of before, accepted on the newest"
        assert other.at("fight").combatants["clone"].pools.ready == 2


@pytest.mark.slow
@pytest.mark.parametrize("processes", [2, 4])
def test_several_processes_lose_and_duplicate_nothing(printed: Printed, path: Path, processes: int) -> None:
    log = printed("fight")
    writers = [writer(path, f"writer-{n}", 40) for n in range(processes)]
    outputs = [process.communicate(timeout=120)[0] for process in writers]
    assert [process.returncode for process in writers] == [0] * processes
    acks: dict[int, str] = {}
    for output in outputs:
        acks |= acknowledged_reasons(output)
    assert len(acks) == 40 * processes
    assert reasons(log) == acks
    timeline = log.timeline("fight")
    strikes = Counter(step.ruling for h in timeline.heads if isinstance(h, Correction) for step in h.steps)
    assert len(strikes) == 8 * processes
    assert set(strikes.values()) == {1}
    assert timeline.number == 21 + 48 * processes


def test_several_threads_lose_and_duplicate_nothing(printed: Printed, path: Path) -> None:
    log = printed("fight")

    def write(name: str) -> list[int]:
        with CombatLog.open(path) as own_log:
            return [own_log.execute("fight", Adjust(reason=f"{name} {n}")).number for n in range(20)]

    with ThreadPoolExecutor(4) as pool:
        numbers = [n for thread_numbers in pool.map(write, "abcd") for n in thread_numbers]
    assert sorted(numbers) == list(range(22, 102))
    assert len(set(reasons(log).values())) == 80


@pytest.mark.slow
def test_kill_9_loses_nothing_acknowledged_and_leaves_nothing_half_written(printed: Printed, path: Path) -> None:
    printed("fight")
    acks: dict[int, str] = {}
    rng = random.Random(20261121)
    for kill in range(KILLS):
        process = writer(path, f"writer-{kill}", 0)
        assert process.stdout is not None
        lines = [process.stdout.readline()]
        deadline = time.monotonic() + rng.uniform(0, 0.03)
        while time.monotonic() < deadline:
            lines.append(process.stdout.readline())
        process.send_signal(signal.SIGKILL)
        lines.append(process.stdout.read())
        process.stdout.close()
        process.wait()
        complete_lines = [line for line in "".join(lines).splitlines(keepends=True) if line.endswith("\n")]
        acks |= acknowledged_reasons("".join(complete_lines))
        if kill % 10 == 9:
            with CombatLog.open(path) as log:
                stored_reasons = reasons(log)
                assert acks.items() <= stored_reasons.items()
                assert log.timeline("fight").state.combatants["clone"].pools.total == 6
    assert len(acks) >= KILLS

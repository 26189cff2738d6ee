"""A hidden roll, remark or correction looks the same on every route."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from mam_events.commands import Attack, BeginTurn, Check, Initiative, Join, Move, Open, Resolve
from mam_events.log.combat_log import CombatLog
from mam_events.tokens import TokenRole
from tests.service.visibility.test_guesses import writes
from tests.service.visibility.test_two_worlds import answers_on_copy, first_difference, requests

HIDDEN: dict[str, Callable[[CombatLog], Any]] = {
    "a note": lambda log: log.note("mill", "the trap is armed", visibility="gm"),
    "a roll": lambda log: log.execute("mill", Check("bo", "easy", die=4, visibility="gm")),
    "a roll whose die is drawn": lambda log: log.execute("mill", Check("bo", "easy", visibility="gm")),
    "another's note": lambda log: log.note("mill", "so it was", by="Vera", visibility="gm", about=7),
    "a roll that was taken back": lambda log: log.execute("mill", Check("bo", "easy", die=2, visibility="gm")),
}
AT = "/encounters/mill"


def played(store: Path, kind: str) -> None:
    """Play a fight in which rulings 8 and 9 are hidden; 9 undoes 8 or is a note."""
    with CombatLog.open(store) as log:
        for command in (Open("mam_pools"), Join("ana", hp=9), Join("bo", hp=9), Initiative(first="ana", reason="x")):
            log.execute("mill", command)
        log.execute_all("mill", [BeginTurn("ana"), Attack("ana", "bo", power=1), Resolve(6, 3, 3)], by="Ana")
        HIDDEN[kind](log)
        if "taken back" in kind:
            log.undo("mill", 8)
        else:
            log.note("mill", "x", visibility="gm")
        log.execute("mill", Move("ana", points=1), by="Ana")


def requests_about(number: int) -> Iterator[tuple[str, str, Any]]:
    """Yield every request, and every correction, line and note about that ruling."""
    yield from requests(number, "bo")
    for correction in (
        {"correct": "undo", "ruling": number, "only": True},
        {"correct": "undo", "ruling": number, "rewind": True},
        {"correct": "steps", "steps": [{"step": "restore", "ruling": number}]},
        {"correct": "steps", "steps": [{"step": "amend", "ruling": number, "patch": {"die": 2}}]},
    ):
        yield "POST", f"{AT}/corrections/preview", correction
        yield "POST", f"{AT}/corrections", correction
    for line in ("u N", "redo N", "amend N 5", "correct -#N", "dispute N x", "answer N x", "after N: ana: move 1"):
        yield "POST", f"{AT}/lines", line.replace("N", f"{number}").encode()
        yield "POST", f"{AT}/lines?looks=true", line.replace("N", f"{number}").encode()


@pytest.mark.slow
@pytest.mark.usefixtures("same_luck")
@pytest.mark.parametrize("role", ["player", "viewer"])
def test_no_answer_reveals_the_kind_of_a_hidden_ruling(role: TokenRole, tmp_path: Path) -> None:
    stores = {kind: tmp_path / f"{at}.db" for at, kind in enumerate(HIDDEN)}
    for kind, store in stores.items():
        played(store, kind)
    differences = []
    for number in (5, 7, 8, 9, 10):
        answers = [answers_of(store, tmp_path, role, number) for store in stores.values()]
        differences += [
            first_difference(answers[0][at], one)
            for other in answers[1:]
            for at, one in enumerate(other)
            if one != answers[0][at]
        ]
    assert not differences, f"{len(differences)}\n" + "\n".join(f"{a[:400]}\n{b[:400]}\n" for a, b in differences[:12])


def answers_of(store: Path, folder: Path, role: TokenRole, number: int) -> list[tuple[str, int, bytes]]:
    """Return the answers to the token of that role about that ruling.

    Each request that writes and names the ruling goes to a fresh copy of the log.
    """
    all_requests = list(requests_about(number))
    reads = [one for one in all_requests if not writes(one)]
    write_requests = [one for one in all_requests if writes(one) and str(number) in f"{one[1]} {one[2]}"]
    return [
        answer
        for group in (reads, *([one] for one in write_requests))
        for answer in answers_on_copy(store, folder, role, group)
    ]

"""The table on a service, compared with the table on a file."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mam_events.log.combat_log import CombatLog
from tests.cli.shell.tables import JOINS, Terminal
from tests.service.conftest import Service

TYPED = """
a ice p4 m2
d 6 2 1.
amend 6 p3
amend 6 p3 !
u
u 6
after 5 m 1
after 5 m 1 !
u 8
redo
u "once more"
amend 99 p1
note "the lamp goes out"
u
join goblin --count 3 --hp 4
u
mam undo 6 --preview
log
"""


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    service = Service(tmp_path / "served.db")
    yield service
    assert service.stop() == 0


def run_piped(store: str, folder: Path) -> tuple[int, str, str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAM_")}
    words = [sys.executable, "-m", "cli.app", "table", "--by", "Kim", "--store", store]
    root = str(Path(__file__).parents[2])
    lines, settings = JOINS + TYPED, environment | {"PYTHONPATH": root, "COLUMNS": "100"}
    process = subprocess.run(words, input=lines, capture_output=True, text=True, cwd=folder, env=settings, check=False)
    return process.returncode, process.stdout, process.stderr


@pytest.mark.slow
def test_an_evening_through_a_pipe_is_the_same_on_a_service_and_a_file(service: Service, tmp_path: Path) -> None:
    code, out, err = run_piped("file.db", tmp_path)
    remote = run_piped(f"http://127.0.0.1:{service.port}", tmp_path)
    assert "8 comes out the same" in out
    assert "This changes more rulings than it names" in err
    digest = re.compile(r"\b[0-9]+:[0-9a-f]{12}\b")
    assert (code, digest.sub("#", out), err) == (remote[0], digest.sub("#", remote[1]), remote[2])


def answer_question(terminal: Terminal, answer: str, then: str) -> str:
    """Answer the question, wait for `then`, and return the screen that showed the question."""
    terminal.type("amend 6 p3")
    question = terminal.see("Do it? [y/N]")
    terminal.type(answer, then, "next Clone>")
    return question


@pytest.mark.slow
def test_a_correction_is_previewed_and_confirmed_in_place(service: Service, tmp_path: Path) -> None:
    screens = []
    for words in ((), ("--store", f"http://127.0.0.1:{service.port}")):
        terminal = Terminal(tmp_path, *words)
        terminal.see("mam>")
        lines = [*JOINS.splitlines(), "a ice p4 m2", "d 6 2 1."]
        texts = ("opens", "Modre joins", "Clone joins", "next Modre>", "→ Clone?>", "next Clone>")
        for line, then in zip(lines, texts, strict=True):
            terminal.type(line, then)
        terminal.type("mam log --last 1", "#9 ")
        screens.append(answer_question(terminal, "n", "Nothing was written").split("amend 6 p3")[-1])
        answer_question(terminal, "y", "amends 6")
        assert terminal.leave() == 0
    assert "8 comes out the same" in screens[0]
    assert screens[0] == screens[1]
    with CombatLog.open(service.store) as log:
        assert log.timeline("duel").number == 10
        assert log.timeline("duel").command(6).power == 3  # type: ignore[attr-defined]  # an attack

"""Programs on a terminal: colours, questions and the replay player."""

from __future__ import annotations

import io
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from cli.output.progress import progress_bar
from cli.session import Session
from mam_events.log import encounters
from mam_events.store import sqlite
from tests.cli.calls import Mam, Rows

ROOT = Path(__file__).parents[3]
PATIENCE = 20.0
"""Seconds after which a silent program counts as stuck."""


class Terminal:
    """A program on a terminal of its own, 80 columns by 24 rows."""

    def __init__(self, *words: str, **environment: str) -> None:
        self.master, self.slave = pty.openpty()
        termios.tcsetwinsize(self.slave, (24, 80))
        self.before = termios.tcgetattr(self.slave)
        self.screen = ""
        self.process = subprocess.Popen(
            [sys.executable, "-c", "from cli.app import main; main()", *words],
            stdin=self.slave,
            stdout=self.slave,
            stderr=self.slave,
            env={**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", **environment},
            start_new_session=True,
        )

    def see(self, text: str, times: int = 1) -> str:
        """Read until that text was shown that many times since the last call."""
        end = time.monotonic() + PATIENCE
        received = ""
        while received.count(text) < times:
            ready = select.select([self.master], [], [], max(0.0, end - time.monotonic()))[0]
            assert ready, f"{text!r} never came: {received!r}"
            received += os.read(self.master, 65536).decode()
        self.screen += received
        return received

    def type(self, keys: str, *texts: str) -> None:
        """Press these keys, and read until those texts have been shown."""
        os.write(self.master, keys.encode())
        for text in texts:
            self.see(text)

    def end(self) -> int:
        """Wait for the program to end, and read its remaining output."""
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None or select.select([self.master], [], [], 0)[0]:
            assert time.monotonic() < end, self.screen
            if select.select([self.master], [], [], 0.05)[0]:
                self.screen += os.read(self.master, 65536).decode()
        return self.process.returncode

    def close(self) -> None:
        """Close the terminal and end the program."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.master)
        os.close(self.slave)


Opener = Callable[..., Terminal]


@pytest.fixture
def terminal() -> Iterator[Opener]:
    """Yield a function that runs the command line on a terminal."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # In the background of a shell, tests and the programs that they start inherit that Ctrl-C is ignored.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    terminals: list[Terminal] = []

    def run(*words: str, **environment: str) -> Terminal:
        terminals.append(Terminal(*words, **environment))
        return terminals[-1]

    yield run
    for one in terminals:
        one.close()


@pytest.mark.slow
@pytest.mark.usefixtures("fight")
@pytest.mark.parametrize("view", ["pools", "log", "order", "options", "report", "encounters"])
def test_output_on_a_terminal_is_coloured_unless_no_color_is_set(mam: Mam, terminal: Opener, view: str) -> None:
    mam("undo", "20", "--yes", "--reason", "wait")
    screen = terminal(view)
    assert screen.end() == 0
    assert "\x1b[" in screen.screen
    for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        plain = terminal(view, **environment)
        assert plain.end() == 0
        assert "\x1b" not in plain.screen


@pytest.mark.slow
@pytest.mark.usefixtures("fight")
def test_an_undone_line_is_struck_through_and_marked(mam: Mam, terminal: Opener) -> None:
    mam("undo", "--by", "Ana")
    screen = terminal("log")
    assert screen.end() == 0
    ruling = next(line for line in screen.screen.splitlines() if "#21" in line)
    assert ruling.startswith("\x1b[2m\x1b[9m")
    assert "↶ by Ana" in ruling
    assert all(
        len(line.replace("\x1b[2m\x1b[9m", "").replace("\x1b[0m", "")) <= 80 for line in screen.screen.splitlines()
    )


@pytest.mark.slow
@pytest.mark.usefixtures("fight")
def test_undo_of_an_earlier_ruling_asks_first_and_no_means_no(terminal: Opener, rows: Rows) -> None:
    before = rows()
    screen = terminal("undo", "6")
    screen.see("[y/N]")
    assert "3 rulings change, none becomes void." in screen.screen
    assert "Clone moves no points to ready" in screen.screen.replace("\r\n", " ")
    assert "6 (Modre attacks Clone" in screen.screen
    assert "--expect" not in screen.screen, "that is for scripts"
    screen.type("n\n")
    assert screen.end() == 130
    assert "Traceback" not in screen.screen
    assert rows() == before
    confirmation = terminal("undo", "6")
    confirmation.see("[y/N]")
    confirmation.type("y\n")
    assert confirmation.end() == 0
    assert "redo it: mam redo" in confirmation.screen
    assert rows() != before


@pytest.mark.slow
@pytest.mark.usefixtures("fight")
def test_a_command_typed_at_a_question_is_not_run(terminal: Opener, rows: Rows) -> None:
    before = rows()
    screen = terminal("undo", "6")
    screen.see("[y/N]")
    screen.type("mam Pools\n", "[y/N]")
    assert '"mam Pools" is no answer. Type y to do what is shown' in screen.screen
    assert "Error" not in screen.screen
    screen.type("q\n")
    assert screen.end() == 130
    assert '"q" was not done' not in screen.screen
    assert rows() == before


@pytest.mark.slow
@pytest.mark.usefixtures("fight")
def test_a_yes_to_an_outdated_preview_writes_nothing(mam: Mam, terminal: Opener, rows: Rows) -> None:
    screen = terminal("undo", "6")
    screen.see("[y/N]")
    mam("undo")
    before = rows()
    screen.type("y\n")
    assert screen.end() == 3
    assert rows() == before


@pytest.mark.usefixtures("fight")
@pytest.mark.parametrize(
    ("module", "moment", "is_written"),
    [
        (encounters, "begun_rulings", False),
        (sqlite, "insert", False),
        (sqlite, "check_count", True),
    ],
)
def test_ctrl_c_reports_correctly_whether_something_was_written(
    mam: Mam, rows: Rows, monkeypatch: pytest.MonkeyPatch, module: ModuleType, moment: str, *, is_written: bool
) -> None:
    """Interrupt before the statement that appends, and after it."""
    before = rows()

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(module, moment, interrupted)
    error = mam("undo", code=130).err
    assert ("stands" in error) is is_written
    assert ("Nothing was written" in error) is not is_written
    assert (rows() != before) is is_written


class Screen(io.StringIO):
    """A stream that claims to be a terminal and keeps its text."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("lasts", "shows"), [(0.0, False), (0.6, True)])
def test_a_progress_bar_appears_only_if_the_work_takes_long(
    monkeypatch: pytest.MonkeyPatch, lasts: float, *, shows: bool
) -> None:
    screen = Screen()
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setattr("cli.output.progress.BAR_DELAY_SECONDS", 0.05)
    with progress_bar(Session(), "Judging again", 2) as step:
        step()
        time.sleep(lasts)
    assert ("Judging again" in screen.getvalue()) is shows


@pytest.mark.slow
@pytest.mark.usefixtures("fight")
def test_ctrl_c_at_a_question_writes_nothing(terminal: Opener, rows: Rows) -> None:
    before = rows()
    screen = terminal("undo", "6")
    screen.see("[y/N]")
    screen.process.send_signal(signal.SIGINT)
    for _ in range(int(PATIENCE)):
        if select.select([screen.master], [], [], 1)[0]:
            break
        # The program may miss a signal just before it waits for an answer, so send it again.
        screen.process.send_signal(signal.SIGINT)
    assert screen.end() == 130
    assert "Traceback" not in screen.screen
    assert rows() == before


@pytest.mark.usefixtures("fight")
def test_a_replay_steps_with_keys_and_restores_the_terminal(terminal: Opener) -> None:
    film = terminal("replay")
    film.see("1 of 21")
    for key, position in (
        ("\x1b[C", "2 of 21"),
        (".", "3 of 21"),
        ("\x1b[D", "2 of 21"),
        ("l", "5 of 21"),
        ("l", "10 of 21"),
        ("j", "5 of 21"),
        ("]", "13 of 21"),
        ("17\r", "17 of 21"),
        ("\x1b[F", "21 of 21"),
        ("\x1b[H", "1 of 21"),
        ("?", "these keys"),
    ):
        film.type(key, position)
    film.type("q")
    assert film.end() == 0
    assert termios.tcgetattr(film.slave) == film.before
    assert film.screen.rstrip().endswith("\x1b[?25h\x1b[?1049l")


@pytest.mark.slow
@pytest.mark.usefixtures("fight")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_an_interrupted_replay_restores_the_terminal(terminal: Opener, number: int, code: int) -> None:
    film = terminal("replay")
    film.see("1 of 21")
    film.process.send_signal(number)
    assert film.end() == code
    assert termios.tcgetattr(film.slave) == film.before
    assert "\x1b[?25h\x1b[?1049l" in film.screen
    assert "Traceback" not in film.screen


@pytest.mark.slow
@pytest.mark.usefixtures("fight")
def test_a_replay_fits_a_window_that_changes(terminal: Opener) -> None:
    film = terminal("replay", NO_COLOR="1")
    film.see("1 of 21")
    film.type("17\r", "17 of 21")
    termios.tcsetwinsize(film.slave, (12, 50))
    film.see("17 of 21")
    film.type("q")
    assert film.end() == 0
    lines = film.screen.split("\x1b[2J")[-1].split("\x1b[?25h")[0].splitlines()
    assert len(lines) <= 12
    assert max(map(len, lines)) <= 50


@pytest.mark.slow
@pytest.mark.usefixtures("fight")
def test_a_replay_on_a_terminal_can_be_plain(terminal: Opener) -> None:
    film = terminal("replay", "--plain")
    assert film.end() == 0
    assert "\x1b[?1049h" not in film.screen
    assert "#21" in film.screen


@pytest.mark.slow
@pytest.mark.usefixtures("fight")
def test_a_replay_plays_on_a_terminal(terminal: Opener) -> None:
    film = terminal("replay")
    film.see("1 of 21")
    film.type(">>> ", "playing, 8", "21 of 21")
    film.type("/clone\r", "No line after this one")
    film.type("17\reee", "17 of 21")
    film.type("q")
    assert film.end() == 0

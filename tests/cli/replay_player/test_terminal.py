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

import click
import msgspec
import pytest

from cli.output.progress import progress_bar
from cli.replay_player.frame_text import pool_lines
from cli.replay_player.player import Player, ReplayVariant
from cli.replay_player.screen import render_screen
from cli.replay_player.terminal import parse_keys
from cli.session import Session
from mam_events.log import encounters
from mam_events.state import Pools
from mam_events.store import sqlite
from projections.rulings.frames import Frame
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
        seen = ""
        while seen.count(text) < times:
            ready = select.select([self.master], [], [], max(0.0, end - time.monotonic()))[0]
            assert ready, f"{text!r} never came: {seen!r}"
            seen += os.read(self.master, 65536).decode()
        self.screen += seen
        return seen

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
    opened: list[Terminal] = []

    def run(*words: str, **environment: str) -> Terminal:
        opened.append(Terminal(*words, **environment))
        return opened[-1]

    yield run
    for one in opened:
        one.close()


@pytest.mark.slow
@pytest.mark.usefixtures("fight")
@pytest.mark.parametrize("view", ["pools", "log", "order", "options", "report", "encounters"])
def test_output_on_a_terminal_is_coloured_unless_no_color_is_set(mam: Mam, terminal: Opener, view: str) -> None:
    mam("undo", "20", "--yes", "--reason", "wait")
    shown = terminal(view)
    assert shown.end() == 0
    assert "\x1b[" in shown.screen
    for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        plain = terminal(view, **environment)
        assert plain.end() == 0
        assert "\x1b" not in plain.screen


@pytest.mark.slow
@pytest.mark.usefixtures("fight")
def test_an_undone_line_is_struck_through_and_marked(mam: Mam, terminal: Opener) -> None:
    mam("undo", "--by", "Ana")
    shown = terminal("log")
    assert shown.end() == 0
    struck = next(line for line in shown.screen.splitlines() if "#21" in line)
    assert struck.startswith("\x1b[2m\x1b[9m")
    assert "↶ by Ana" in struck
    assert all(
        len(line.replace("\x1b[2m\x1b[9m", "").replace("\x1b[0m", "")) <= 80 for line in shown.screen.splitlines()
    )


@pytest.mark.slow
@pytest.mark.usefixtures("fight")
def test_undo_of_an_earlier_ruling_asks_first_and_no_means_no(terminal: Opener, rows: Rows) -> None:
    before = rows()
    asked = terminal("undo", "6")
    asked.see("[y/N]")
    assert "3 rulings change, none become void." in asked.screen
    assert "Clone moves no points to ready" in asked.screen.replace("\r\n", " ")
    assert "6 (Modre attacks Clone" in asked.screen
    assert "--expect" not in asked.screen, "that is for scripts"
    asked.type("n\n")
    assert asked.end() == 130
    assert "Traceback" not in asked.screen
    assert rows() == before
    agreed = terminal("undo", "6")
    agreed.see("[y/N]")
    agreed.type("y\n")
    assert agreed.end() == 0
    assert "redo it: mam redo" in agreed.screen
    assert rows() != before


@pytest.mark.slow
@pytest.mark.usefixtures("fight")
def test_a_command_typed_at_a_question_is_not_run(terminal: Opener, rows: Rows) -> None:
    before = rows()
    asked = terminal("undo", "6")
    asked.see("[y/N]")
    asked.type("mam Pools\n", "[y/N]")
    assert '"mam Pools" is no answer. Type y to do what is shown' in asked.screen
    assert "Error" not in asked.screen
    asked.type("q\n")
    assert asked.end() == 130
    assert '"q" was not done' not in asked.screen
    assert rows() == before


@pytest.mark.slow
@pytest.mark.usefixtures("fight")
def test_a_yes_to_an_outdated_preview_writes_nothing(mam: Mam, terminal: Opener, rows: Rows) -> None:
    asked = terminal("undo", "6")
    asked.see("[y/N]")
    mam("undo")
    before = rows()
    asked.type("y\n")
    assert asked.end() == 3
    assert rows() == before


@pytest.mark.usefixtures("fight")
@pytest.mark.parametrize(
    ("module", "moment", "written"),
    [
        (encounters, "begun_rulings", False),
        (sqlite, "insert", False),
        (sqlite, "check_count", True),
    ],
)
def test_ctrl_c_reports_correctly_whether_something_was_written(
    mam: Mam, rows: Rows, monkeypatch: pytest.MonkeyPatch, module: ModuleType, moment: str, *, written: bool
) -> None:
    """Interrupt before the statement that appends, and after it."""
    before = rows()

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(module, moment, interrupted)
    said = mam("undo", code=130).err
    assert ("stands" in said) is written
    assert ("Nothing was written" in said) is not written
    assert (rows() != before) is written


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
    asked = terminal("undo", "6")
    asked.see("[y/N]")
    asked.process.send_signal(signal.SIGINT)
    for _ in range(int(PATIENCE)):
        if select.select([asked.master], [], [], 1)[0]:
            break
        # The program may miss a signal just before it waits for an answer, so send it again.
        asked.process.send_signal(signal.SIGINT)
    assert asked.end() == 130
    assert "Traceback" not in asked.screen
    assert rows() == before


@pytest.mark.usefixtures("fight")
def test_a_replay_steps_with_keys_and_restores_the_terminal(terminal: Opener) -> None:
    film = terminal("replay")
    film.see("1 of 21")
    for pressed, seen in (
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
        film.type(pressed, seen)
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


def frame(number: int, round_: int, turn: int) -> Frame:
    return Frame(number=number, round=round_, turn=turn, sentence=f"Ruling {number}.", after={"ana": Pools(ready=1)})


FILM = [frame(1, 0, 0), frame(2, 1, 1), frame(3, 1, 1), frame(4, 1, 2), frame(5, 2, 1), frame(8, 2, 1)]


@pytest.mark.parametrize(
    ("pressed", "at"),
    [
        ("", 1),
        ("left", 1),
        ("right right", 3),
        (". . ,", 2),
        ("l", 2),
        ("l l", 4),
        ("end j", 5),
        ("end j j", 4),
        ("]", 2),
        ("] ]", 5),
        ("] ] ]", 8),
        ("end [", 5),
        ("end [ [", 2),
        ("end home", 1),
        ("4 enter", 4),
        ("7 enter", 8),
        ("9 9 9 enter", 8),
        ("4 right", 2),
        ("4 2 backspace enter", 4),
        ("enter", 1),
        ("x", 1),
        ("? right", 2),
        ("l ? escape", 2),
    ],
)
def test_every_key_goes_to_its_frame(pressed: str, at: int) -> None:
    player = Player("duel", FILM, {"ana": "Ana"})
    for key in pressed.split():
        player.press(key)
    assert player.film[player.at].number == at
    assert not player.done


@pytest.mark.parametrize("key", ["q", "escape"])
def test_one_key_leaves_the_player(key: str) -> None:
    player = Player("duel", FILM, {})
    player.press(key)
    assert player.done


@pytest.mark.parametrize("size", [(80, 24), (40, 8), (200, 60)])
def test_a_screen_fits_its_terminal(size: tuple[int, int]) -> None:
    width, height = size
    player = Player("duel", FILM, {"ana": "Ana"})
    for key in ("", "?", "?", "7"):
        player.press(key)
        lines = render_screen(player, width, height)
        assert len(lines) == height
        assert max(map(len, lines)) <= width


def test_changes_are_printed_below_a_line_that_is_too_short() -> None:
    pools, names = {"ana": Pools(ready=6)}, {"ana": "Ana the Long-winded"}
    frame = Frame(number=1, before=pools, after=pools, changed={"ana": {"ready": -4, "defense": 1, "other_used": 3}})
    beside, below = pool_lines(frame, names, ["ana"]), pool_lines(frame, names, ["ana"], 60)
    assert (len(beside), len(below)) == (1, 2)
    assert max(map(len, below)) <= 60
    assert "".join(below).split() == beside[0].split()


def test_keys_are_parsed_from_terminal_input() -> None:
    assert list(parse_keys(b"\x1b[D\x1b[Cq17\r\x7f")) == ["left", "right", "q", "1", "7", "enter", "backspace"]
    assert list(parse_keys(b"\x1bOD\x1b[1~\x1b[4~\x1b[H")) == ["left", "home", "end", "home"]
    assert list(parse_keys(b"\x1b")) == ["escape"]
    assert list(parse_keys(b"\x1b[15~q\x1b[<0;1;1Mq\xc3\xa4")) == ["q", "q"]


SEEN = [
    Frame(number=1, sentence="Ana joins", at="2026-01-01T20:00:00Z"),
    Frame(number=2, sentence="Ana hits Bo", ticks=("hit",), at="2026-01-01T20:00:03Z"),
    Frame(number=3, sentence="Bo falls", ticks=("hit", "fall"), at="2026-01-01T21:00:00Z"),
    Frame(number=4, sentence="Bo disputes", do="dispute", at="2026-01-01T21:00:00Z"),
    Frame(number=5, sentence="Ana undoes 3", kind="correction"),
]


@pytest.mark.parametrize(
    ("pressed", "at", "said"),
    [
        ("h", 2, ""),
        ("h h", 3, ""),
        ("h h h", 3, "There is no other hit."),
        ("f", 3, ""),
        ("d", 4, ""),
        ("c", 5, ""),
        ("c c", 5, "There is no other correction."),
        ("x", 3, ""),
        ("/ B o enter", 2, ""),
        ("/ B o enter n", 3, ""),
        ("/ B o enter n N", 2, ""),
        ("/ B o enter N", 2, 'No line before this one has "bo".'),
        ("/ B x backspace o enter", 2, ""),
        ("/ q escape right", 2, ""),
        ("n", 1, ""),
        ("e", 1, "as it stands"),
        ("end e", 4, "as it stands"),
        ("end e e", 4, "both"),
        (">", 1, "speed 2 ×"),
        ("- - -", 1, "as fast as it happened"),
        ("+ + + + +", 1, "speed 8 ×"),
    ],
)
def test_keys_jump_to_marked_frames_and_change_the_reading(pressed: str, at: int, said: str) -> None:
    told = {frame.number: frame.sentence for frame in SEEN}
    readings = {"both": lambda: ReplayVariant(SEEN, told), "as it stands": lambda: ReplayVariant(SEEN[:4], told)}
    player = Player("duel", SEEN, {}, sentences=told, readings=readings, decided=lambda: 3)
    for key in pressed.split():
        player.press(key)
    assert (player.frame.number, player.said) == (at, said)
    assert not player.done


def test_the_player_plays_at_the_chosen_speed() -> None:
    player = Player("duel", SEEN, {})
    assert player.pause() is None
    player.press(" ")
    assert player.pause() == 1.4
    player.press(">")
    assert player.pause() == 0.7
    for _ in range(4):
        player.press("<")
    assert (player.speed, player.pause()) == (0, 3)
    player.tick()
    assert (player.frame.number, player.pause()) == (2, 8)
    player.tick()
    assert (player.frame.number, player.pause()) == (3, 0.2)
    player.press("k")
    assert player.pause() is None
    player.press("end")
    player.press("k")
    assert (player.frame.number, player.playing) == (1, True)
    for _ in range(4):
        player.tick()
    assert (player.frame.number, player.playing) == (5, False)


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


@pytest.mark.parametrize(("size", "around"), [((60, 20), 8), ((80, 24), 14), ((120, 40), 21)])
@pytest.mark.usefixtures("fight")
def test_the_log_is_shown_around_the_moment_and_points_keep_their_place(
    mam: Mam, size: tuple[int, int], around: int
) -> None:
    film = [msgspec.json.decode(line, type=Frame) for line in mam("replay", "--json").out.splitlines()]
    player, places = Player("duel", film, {"modre": "Modre", "clone": "Clone"}), set()
    for at in range(4, len(film)):
        player.press("home")
        player.step(at)
        lines = [click.unstyle(line) for line in render_screen(player, *size)]
        places.add(tuple(lines.index(line) for line in lines if line.startswith(("    Modre ", "    Clone "))))
        shown = [line for line in lines if line.startswith(("  #", "▸ #"))]
        assert sum(line.startswith("▸") for line in shown) == bool(shown)
        if film[at].number == 18:
            assert len(shown) == around
    assert len(places) == 1

"""A terminal while a replay runs: keys as they are pressed, screens as they change, everything restored at the end."""

from __future__ import annotations

import os
import re
import select
import signal
import sys
import termios
import time
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from cli.output.render import uses_colour
from cli.replay_player.player import Player
from cli.replay_player.screen import render_screen

ENTER_SCREEN = "\x1b[?1049h\x1b[?25l"
LEAVE_SCREEN = "\x1b[?25h\x1b[?1049l"
DRAW = "\x1b[H\x1b[2J"
POLL_SECONDS = 0.5

ARROWS = ("left", "right", "up", "down", "home", "end")
SEQUENCES = {
    "\x1b": "escape",
    "\x1b[1;2D": "shift-left",
    "\x1b[1;2C": "shift-right",
    **{f"\x1b{lead}{end}": key for lead in "[O" for end, key in zip("DCABHF", ARROWS, strict=True)},
    **{f"\x1b[{number}~": key for number, key in {1: "home", 4: "end", 7: "home", 8: "end"}.items()},
    **dict.fromkeys("\r\n", "enter"),
    **dict.fromkeys("\x7f\x08", "backspace"),
}
"""The sequences that terminals send for the keys that have a name."""
# An escape sequence up to its final letter or tilde, or one character.
_PRESSED = re.compile(r"\x1b[\[O][^@-~]*[@-~]?|.", re.DOTALL)


class Terminated(Exception):
    """A signal that asks the program to end."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def parse_keys(data: bytes) -> Iterator[str]:
    """Yield the keys in the bytes from a terminal; unknown sequences are skipped as a whole."""
    for pressed in _PRESSED.findall(data.decode("latin-1")):
        key = SEQUENCES.get(pressed, pressed)
        if key.isascii() and key.isprintable():
            yield key


@contextmanager
def _prepared(fd: int) -> Iterator[None]:
    """Prepare the terminal with unbuffered keys and a separate screen; restore it on each way out, signals included."""

    def end(number: int, _: Any) -> None:
        raise Terminated(number)

    before = termios.tcgetattr(fd)
    handlers = {number: signal.signal(number, end) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        tty.setcbreak(fd)
        sys.stdout.write(ENTER_SCREEN)
        yield
    finally:
        termios.tcsetattr(fd, termios.TCSADRAIN, before)
        sys.stdout.write(LEAVE_SCREEN)
        sys.stdout.flush()
        for number, handler in handlers.items():
            signal.signal(number, handler)


def run_player(player: Player) -> None:
    """Run the replay until the user leaves it."""
    fd = sys.stdin.fileno()
    try:
        with _prepared(fd):
            while not player.done:
                size, since, pause = os.get_terminal_size(fd), time.monotonic(), player.pause()
                _draw(player, size)
                # Check the size regularly, and draw a resized window again.
                while os.get_terminal_size(fd) == size:
                    seconds = POLL_SECONDS if pause is None else min(POLL_SECONDS, since + pause - time.monotonic())
                    if select.select([fd], [], [], max(seconds, 0))[0]:
                        if not (pressed := _read(fd)):
                            return
                        for key in parse_keys(pressed):
                            player.press(key)
                        break
                    if pause is not None and time.monotonic() - since >= pause:
                        player.tick()
                        break
    except Terminated as ended:
        sys.exit(128 + ended.number)


def _read(fd: int) -> bytes:
    """Read the keys that were pressed, including the rest of a sequence that comes a little later."""
    pressed = os.read(fd, 1024)
    if pressed.endswith(b"\x1b") and select.select([fd], [], [], 0.05)[0]:
        pressed += os.read(fd, 1024)
    return pressed


def _draw(player: Player, size: os.terminal_size) -> None:
    lines = render_screen(player, max(size.columns, 20), max(size.lines, 6))
    text = "\n".join(lines)
    sys.stdout.write(DRAW + text + ("\x1b[0m" if uses_colour() else ""))
    sys.stdout.flush()

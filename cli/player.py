"""A film and a place in it: what each key does, and what is on the screen. Knows no terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from cli import output
from cli.frames import pool_rows, standing_rows, told_in, unfolded
from projections.wording import timed

if TYPE_CHECKING:
    from projections.replay import Frame

KEYS = (
    ("← →  or  , .", "one ruling"),
    ("j l", "one turn"),
    ("[ ]", "one round"),
    ("↑ ↓", "the rest of a long ruling"),
    ("Home End", "first, last"),
    ("17 Enter", "ruling 17"),
    ("?", "these keys"),
    ("q", "leave"),
)


class Player:
    """Steps through frames; `press` takes a key by name (`left`, `home`, `enter`, or the character)."""

    def __init__(self, title: str, film: Sequence[Frame], names: Mapping[str, str]) -> None:
        self.title = title
        self.film = film
        self.names = names
        self.at = 0
        self.typed = ""
        self.help = False
        self.done = False
        self.top = 0
        self._rest = 0

    def press(self, key: str) -> None:
        """Do what that key does; a key without a meaning does nothing."""
        if key.isdecimal() and len(key) == 1 and len(self.typed) < 9:  # noqa: PLR2004 - no log has so many rulings
            self.typed += key
            return
        typed, self.typed = self.typed, ""
        if key == "?" or (self.help and key == "escape"):
            self.help = not self.help
            return
        self.help = False
        if key == "enter" and typed:
            self._go_to(int(typed))
            self.top = 0
        elif key == "backspace":
            self.typed = typed[:-1]
        elif key in _DOES:
            at = self.at
            _DOES[key](self)
            self.top = self.top if self.at == at else 0

    def scroll(self, lines: int) -> None:
        """Go so many lines down in a frame that is longer than the screen."""
        self.top = max(self.top + min(lines, self._rest), 0)

    def step(self, frames: int) -> None:
        """Go so many frames on."""
        self.at = min(max(self.at + frames, 0), len(self.film) - 1)

    def leave(self) -> None:
        """Be done."""
        self.done = True

    def jump(self, by: Callable[[Frame], object], direction: int) -> None:
        """Go to the first frame of the next turn or round, or of this one, or of the one before."""
        marks = [by(frame) for frame in self.film]
        starts = [i for i, mark in enumerate(marks) if i == 0 or mark != marks[i - 1]]
        if direction > 0:
            self.at = next((i for i in starts if i > self.at), len(self.film) - 1)
        else:
            self.at = next((i for i in reversed(starts) if i < self.at), 0)

    def _go_to(self, number: int) -> None:
        """Go to the ruling of that number, or to the nearest one that is shown."""
        self.at = min(range(len(self.film)), key=lambda i: abs(self.film[i].number - number))

    def lines(self, width: int, height: int) -> list[str]:
        """The screen as lines, none longer than `width` and no more of them than `height`."""
        frame = self.film[self.at]
        place = f"   ruling {frame.number}   {self.at + 1} of {len(self.film)}"
        head = f"{textwrap.shorten(self.title, max(width - len(place), 1), placeholder='…')}{place}"
        body = self._help() if self.help else self._frame(frame, width)
        foot = [self._scrubber(width), self._prompt(width)]
        room = max(height - 2 - len(foot), 1)
        body = self._in_sight(body, room)
        return [output.paint(head[:width], "strong"), "", *body, *[""] * (room - len(body)), *foot]

    def _in_sight(self, body: list[str], room: int) -> list[str]:
        """As much of a frame as there is room for, and how many lines are above and below it."""
        if len(body) <= room:
            self.top = self._rest = 0
            return body
        shown = max(room - 1, 1)
        self.top = min(self.top, len(body) - shown)
        self._rest = len(body) - shown - self.top
        more = [f"{count} {where}" for count, where in ((self.top, "above ↑"), (self._rest, "below ↓")) if count]
        return [*body[self.top : self.top + shown], f"… more lines: {', '.join(more)}"]

    def _help(self) -> list[str]:
        return [f"  {keys.ljust(14)}{what}" for keys, what in KEYS]

    def _frame(self, frame: Frame, width: int) -> list[str]:
        if frame.hidden:
            return [told_in(frame)]
        acting = self.names.get(frame.acting, "")
        when = timed(frame.round, frame.turn) or "before the first round"
        lines = [f"{when}{f': {acting}' if acting else ''}"[:width]]
        by = f"   by {frame.by}" if frame.by else ""
        dead = bool(frame.struck or frame.void or frame.restored_by)
        lines += output.folded(
            f"{told_in(frame)}{by}", width, "struck" if dead else "", upto=len(frame.sentence) if frame.sentence else 0
        )
        lines.append("")
        for sentence in unfolded(frame):
            lines += textwrap.wrap(sentence, width, initial_indent="  ", subsequent_indent="    ")
        # Whoever was moved stands first, for a full table is longer than many a screen.
        with_points = (name for name, pools in frame.after.items() if pools.total)
        everybody = sorted(with_points, key=lambda name: name not in frame.changed)
        return [*lines, "", *pool_rows(frame, self.names, everybody, width), *standing_rows(frame, width)]

    def _scrubber(self, width: int) -> str:
        room = max(width - 2, 10)
        at = self.at * (room - 1) // max(len(self.film) - 1, 1)
        cells = ["·"] * room
        for i, frame in enumerate(self.film):
            if "round" in frame.ticks:
                cells[i * (room - 1) // max(len(self.film) - 1, 1)] = "|"
        cells[at] = "●"
        return "".join(cells)

    def _prompt(self, width: int) -> str:
        if self.typed:
            return f"ruling {self.typed}, then Enter"[:width]
        keys = "← → ruling   j l turn   [ ] round   Home End   number Enter   ? keys   q leave"
        return keys if len(keys) <= width else "← → ruling  ? keys  q leave"


def _turn(frame: Frame) -> tuple[int, int]:
    return frame.round, frame.turn


def _round(frame: Frame) -> int:
    return frame.round


_DOES: dict[str, Callable[[Player], None]] = {
    "right": lambda player: player.step(1),
    ".": lambda player: player.step(1),
    " ": lambda player: player.step(1),
    "left": lambda player: player.step(-1),
    ",": lambda player: player.step(-1),
    "l": lambda player: player.jump(_turn, 1),
    "j": lambda player: player.jump(_turn, -1),
    "]": lambda player: player.jump(_round, 1),
    "[": lambda player: player.jump(_round, -1),
    "home": lambda player: player.step(-len(player.film)),
    "end": lambda player: player.step(len(player.film)),
    "down": lambda player: player.scroll(1),
    "up": lambda player: player.scroll(-1),
    "q": Player.leave,
    "escape": Player.leave,
}

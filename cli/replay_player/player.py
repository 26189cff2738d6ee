"""A replay and a position in it: the effect of each key, without a terminal or a clock."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from projections.rulings.frames import Frame

SECONDS_PER_RULING = 1.4
"""The number of seconds between two rulings at speed 1."""
SPEEDS = (0.0, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
"""The speeds at which it plays; 0 is the pace of the evening itself."""
SHORTEST_GAP, LONGEST_GAP = 0.2, 8.0
"""The gaps of the evening in seconds, shortened or lengthened to these."""
DIGITS = 9
"""No log has rulings of more digits."""


class JumpTarget(NamedTuple):
    """Something to search for in the replay: its name, and a test for frames that have it."""

    name: str
    on: Callable[[Frame], object]


JUMP_TARGETS = {
    "h": JumpTarget("hit", lambda frame: "hit" in frame.ticks),
    "f": JumpTarget("fall", lambda frame: {"fall", "death"} & {*frame.ticks}),
    "d": JumpTarget("dispute", lambda frame: frame.do == "dispute" or frame.disputed_by),
    "c": JumpTarget(
        "correction",
        lambda frame: (
            frame.kind == "correction"
            or frame.struck
            or frame.restored_by
            or frame.void
            or any(mark.startswith("~") for mark in frame.marks)
        ),
    ),
}
"""The keys that lead to the next frame with a mark."""


class ReplayVariant(NamedTuple):
    """The frames of a replay, and its lines of the log by number."""

    film: Sequence[Frame]
    log_lines: Mapping[int, str]


class Player:
    """A player that steps through frames; `press` takes a key by name (`left`, `home`, `enter`, or the character).

    `log_lines` has the lines of the log by number. `readings` has a function for each way to read corrections, by name,
    which returns its frames and lines; the first one is shown first. `decided` is the ruling that decided the fight (0:
    none).
    """

    def __init__(
        self,
        title: str,
        film: Sequence[Frame],
        names: Mapping[str, str],
        *,
        sentences: Mapping[int, str] | None = None,
        readings: Mapping[str, Callable[[], ReplayVariant]] | None = None,
        decided: Callable[[], int] = int,
    ) -> None:
        self.title = title
        self.film = film
        self.names = names
        self.log_lines = sentences or {frame.number: frame.sentence for frame in film}
        self.at = 0
        self.typed = ""
        self.sought: str | None = None
        """The text that is being typed to look for; None while none is."""
        self.said = ""
        """The message for the last key, if it found nothing."""
        self.help = False
        self.done = False
        self.playing = False
        self.speed = 1.0
        self.top = self.rest = 0
        """The number of lines of a long frame that are above the screen, and below it."""
        self._readings = dict(readings or {"": lambda: ReplayVariant(film, self.log_lines)})
        self.reading = next(iter(self._readings))
        self._decided = decided
        self._found = ""

    @property
    def frame(self) -> Frame:
        """The current frame."""
        return self.film[self.at]

    def press(self, key: str) -> None:
        """Do what that key does; ignore a key without a meaning."""
        at, film, self.said = self.at, self.film, ""
        if self.sought is not None:
            self._type_sought(self.sought, key)
        elif key.isdecimal() and len(key) == 1 and len(self.typed) < DIGITS:
            self.typed += key
            return
        else:
            self._do(key)
        if (self.at, self.film) != (at, film):
            self.top = 0

    def _do(self, key: str) -> None:
        digits, self.typed = self.typed, ""
        if key == "?" or (self.help and key == "escape"):
            self.help = not self.help
            return
        self.help = False
        if key == "enter" and digits:
            self._go_to(int(digits))
        elif key == "backspace":
            self.typed = digits[:-1]
        elif key in JUMP_TARGETS:
            self.seek(JUMP_TARGETS[key].on, f"There is no other {JUMP_TARGETS[key].name}.")
        elif key in _DOES:
            _DOES[key](self)

    def _type_sought(self, sought: str, key: str) -> None:
        self.sought = None
        if key == "enter":
            self._found = sought.casefold()
            self.look(1)
        elif key == "backspace":
            self.sought = sought[:-1]
        elif key != "escape":
            self.sought = sought + key * (len(key) == 1)

    def pause(self) -> float | None:
        """Return the seconds until the next frame, or None if it isn't playing."""
        if not self.playing:
            return None
        if self.speed:
            return SECONDS_PER_RULING / self.speed
        now, moment_then = self.frame.at, self.film[min(self.at + 1, len(self.film) - 1)].at
        gap = (
            (datetime.fromisoformat(moment_then) - datetime.fromisoformat(now)).total_seconds()
            if now and moment_then
            else SECONDS_PER_RULING
        )
        return max(SHORTEST_GAP, min(gap, LONGEST_GAP))

    def tick(self) -> None:
        """Show the next frame while playing, and stop at the end."""
        self.step(1)
        self.top = 0
        self.playing = self.at < len(self.film) - 1

    def play(self) -> None:
        """Play, from the beginning if it is at the end; or pause."""
        self.playing = not self.playing
        if self.playing and self.at == len(self.film) - 1:
            self.at = 0

    def faster(self, by: int) -> None:
        """Play faster by that many steps."""
        self.speed = SPEEDS[min(max(SPEEDS.index(self.speed) + by, 0), len(SPEEDS) - 1)]
        self.said = f"speed {self.speed:g} ×" if self.speed else "as fast as it happened"

    def scroll(self, lines: int) -> None:
        """Scroll that many lines down in a frame that is longer than the screen."""
        self.top = max(self.top + min(lines, self.rest), 0)

    def step(self, frames: int) -> None:
        """Go forward by that many frames."""
        self.at = min(max(self.at + frames, 0), len(self.film) - 1)

    def leave(self) -> None:
        """End the replay."""
        self.done = True

    def ask(self) -> None:
        """Ask for a text to search for."""
        self.sought = ""

    def look(self, step: int) -> None:
        """Go to the next line with the searched text, or back to the previous one."""
        sought = self._found
        if sought:
            message = f'No line {"after" if step > 0 else "before"} this one has "{sought}".'
            self.seek(lambda frame: sought in self._text(frame).casefold(), message, step)

    def _text(self, frame: Frame) -> str:
        """Return the searchable words of a frame."""
        return " ".join((*frame.bookkeeping, self.log_lines.get(frame.number, ""), frame.sentence))

    def seek(self, matches: Callable[[Frame], object], message: str, step: int = 1) -> None:
        """Go to the next frame that passes the test, or back to the previous one; if there is none, say so."""
        ahead = range(self.at + step, len(self.film) if step > 0 else -1, step)
        index = next((at for at in ahead if matches(self.film[at])), None)
        self.at, self.said = (self.at, message) if index is None else (index, "")

    def jump(self, by: Callable[[Frame], object], direction: int) -> None:
        """Go to the first frame of the next turn or round, of the current one, or of the previous one."""
        marks = [by(frame) for frame in self.film]
        starts = [i for i, mark in enumerate(marks) if i == 0 or mark != marks[i - 1]]
        if direction > 0:
            self.at = next((i for i in starts if i > self.at), len(self.film) - 1)
        else:
            self.at = next((i for i in reversed(starts) if i < self.at), 0)

    def read(self) -> None:
        """Switch to the next way to read corrections, at the same ruling."""
        number, names = self.frame.number, list(self._readings)
        self.reading = names[(names.index(self.reading) + 1) % len(names)]
        self.film, self.log_lines = self._readings[self.reading]()
        self._go_to(number)
        self.said = self.reading

    def decide(self) -> None:
        """Go to the ruling that decided the fight."""
        if decider := self._decided():
            self._go_to(decider)
        else:
            self.said = "No single die decided the fight."

    def _go_to(self, number: int) -> None:
        """Go to the ruling with that number, or to the nearest one that is shown."""
        self.at = min(range(len(self.film)), key=lambda i: abs(self.film[i].number - number))


def _turn(frame: Frame) -> tuple[int, int]:
    return frame.round, frame.turn


def _round(frame: Frame) -> int:
    return frame.round


_DOES: dict[str, Callable[[Player], None]] = {
    " ": Player.play,
    "k": Player.play,
    ">": lambda player: player.faster(1),
    "+": lambda player: player.faster(1),
    "<": lambda player: player.faster(-1),
    "-": lambda player: player.faster(-1),
    "right": lambda player: player.step(1),
    ".": lambda player: player.step(1),
    "left": lambda player: player.step(-1),
    ",": lambda player: player.step(-1),
    "l": lambda player: player.jump(_turn, 1),
    "shift-right": lambda player: player.jump(_turn, 1),
    "j": lambda player: player.jump(_turn, -1),
    "shift-left": lambda player: player.jump(_turn, -1),
    "]": lambda player: player.jump(_round, 1),
    "[": lambda player: player.jump(_round, -1),
    "home": lambda player: player.step(-len(player.film)),
    "end": lambda player: player.step(len(player.film)),
    "down": lambda player: player.scroll(1),
    "up": lambda player: player.scroll(-1),
    "/": Player.ask,
    "n": lambda player: player.look(1),
    "N": lambda player: player.look(-1),
    "e": Player.read,
    "x": Player.decide,
    "q": Player.leave,
    "escape": Player.leave,
}

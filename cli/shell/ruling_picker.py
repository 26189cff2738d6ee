"""A picker for rulings: choose one in the log with the arrow keys, then continue the line about it."""

from __future__ import annotations

from shutil import get_terminal_size
from typing import TYPE_CHECKING

from prompt_toolkit.application import Application
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import FormattedTextControl, HSplit, Layout, Window

from cli.output.text_wrap import isolate_rtl, text_width, truncate

if TYPE_CHECKING:
    from cli.session import Session

PICKER_KEYS = {"enter": "u {}", "u": "u {}", "a": "amend {} ", "i": "after {} ", "d": 'dispute {} "', "e": "explain {}"}
"""The keys that pick, and the line that each begins."""
FOOTER = "↑↓ pick · Enter, u undo · a amend · i insert · d dispute · e explain · Esc back"


def pick(session: Session) -> str:
    """Return the beginning of a line about the picked ruling, or "" for none."""
    from mam_events.history.timeline.rulings import rulings
    from projections.rulings.log_lines import log_line_text, log_lines

    lines = log_lines(list(rulings(session.timeline())), session.redactor())
    picker = Picker([(line.number, log_line_text(line)) for line in lines])
    return picker.application().run() or ""


def _cut(line: str, columns: int) -> str:
    """Return the beginning of a long line with a sign that it goes on, because a cut number would look like another."""
    return isolate_rtl(line if text_width(line) <= columns else f"{truncate(line, columns - 1)}…")


class Picker:
    """A full-screen list of log lines, one of them picked."""

    def __init__(self, lines: list[tuple[int, str]]) -> None:
        self.lines = lines
        self.at = len(lines) - 1

    def move(self, by: int) -> None:
        """Move that many lines down, or up if negative."""
        self.at = max(0, min(len(self.lines) - 1, self.at + by))

    def text(self) -> StyleAndTextTuples:
        """Return the part of the log around the picked line."""
        size = get_terminal_size()
        rows = max(1, size.lines - 2)
        first = max(0, min(self.at - rows // 2, len(self.lines) - rows))
        fragments: StyleAndTextTuples = []
        for at, (_, line) in enumerate(self.lines[first : first + rows], first):
            mark, style = ("> ", "reverse") if at == self.at else ("  ", "")
            fragments.append((style, _cut(f"{mark}{line}", size.columns - 1) + "\n"))
        return fragments

    def application(self) -> Application[str]:
        """Return the full-screen application."""
        keys = KeyBindings()
        steps = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10, "home": -len(self.lines), "end": len(self.lines)}
        for key, by in steps.items():
            keys.add(key)(lambda _, by=by: self.move(by))
        for key, line in PICKER_KEYS.items():
            keys.add(key)(self._leaving(line))
        for key in ("escape", "c-c", "q", "c-d"):
            keys.add(key)(self._leaving(""))
        body = Window(FormattedTextControl(self.text), wrap_lines=False)
        foot = Window(FormattedTextControl(FOOTER), height=1)
        return Application(layout=Layout(HSplit([body, foot])), key_bindings=keys, full_screen=True)

    def _leaving(self, line: str):  # type: ignore[no-untyped-def]  # noqa: ANN202 - as the key bindings take it
        def leave(event: KeyPressEvent) -> None:
            number = self.lines[self.at][0] if self.lines else 0
            event.app.exit(result=line.format(number) if number else "")

        return leave

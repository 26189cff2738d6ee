"""The lines of the values in a TOML text, which the standard library's parser doesn't give."""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_left

Path = tuple[str | int, ...]
"""Keys and, for arrays, indexes from 0: `("commands", 3, "power")`."""

_DEEPEST = 12
"""The longest path that is kept; no file format here is deeper."""

_QUOTES = r'"(?:[^"\\]|\\.)*"|\'[^\']*\''
_BLANK = re.compile(r"(?:[ \t]|#[^\n]*)*")
_BLANKS = re.compile(r"(?:[ \t\n]|#[^\n]*)*")
_KEY = re.compile(rf"[A-Za-z0-9_-]+|{_QUOTES}")
_DOT = re.compile(r"[ \t]*\.[ \t]*")
# A long text may end with up to two more quotes that belong to it.
_TEXT = re.compile(rf'"""(?:[^\\]|\\.)*?"""(?:"{{0,2}})|\'\'\'.*?\'\'\'(?:\'{{0,2}})|{_QUOTES}', re.DOTALL)
_WORD = re.compile(r"[^,\]}#\n]+")


def line_numbers(text: str) -> dict[Path, int]:
    """Return the line, from 1, of every table, array element and value of a text that `tomllib` has accepted."""
    return _Scan(text.replace("\r\n", "\n")).lines


class _Scan:
    """One pass over the text, which must be valid."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.lines: dict[Path, int] = {}
        self._breaks = [match.start() for match in re.finditer("\n", text)]
        self._elements: dict[Path, int] = {}
        self._document()

    def _document(self) -> None:
        table: Path = ()
        self._skip(_BLANKS)
        while self.at < len(self.text):
            if self.text.startswith("[", self.at):
                table = self._header()
            else:
                self._pair(table)
            self._skip(_BLANKS)

    def _header(self) -> Path:
        line = self._line()
        brackets = 2 if self.text.startswith("[[", self.at) else 1
        self.at += brackets
        self._skip(_BLANK)
        keys = self._keys()
        self._skip(_BLANK)
        self.at += brackets
        table: Path = ()
        for key in keys[:-1]:
            table = _under(table, key)
            self.lines.setdefault(table, line)
            if table in self._elements:
                table = _under(table, self._elements[table])
        table = _under(table, keys[-1])
        self.lines.setdefault(table, line)
        if brackets == 1:
            return table
        self._elements[table] = self._elements.get(table, -1) + 1
        table = _under(table, self._elements[table])
        self.lines[table] = line
        return table

    def _pair(self, table: Path) -> None:
        line = self._line()
        for key in self._keys():
            table = _under(table, key)
            self.lines.setdefault(table, line)
        self._skip(_BLANK)
        self.at += len("=")
        self._skip(_BLANK)
        self._value(table)

    def _keys(self) -> list[str]:
        keys = []
        while True:
            raw = self._skip(_KEY)
            keys.append(str(tomllib.loads(f"key = {raw}")["key"]) if raw[0] in "\"'" else raw)
            if not self._skip(_DOT):
                return keys

    def _value(self, path: Path) -> None:
        first = self.text[self.at]
        if first == "[":
            self._array(path)
        elif first == "{":
            self._inline_table(path)
        else:
            self._skip(_TEXT if first in "\"'" else _WORD)

    def _array(self, path: Path) -> None:
        element = 0
        while not self._skip_to_next("]"):
            inner = _under(path, element)
            self.lines.setdefault(inner, self._line())
            self._value(inner)
            element += 1

    def _inline_table(self, path: Path) -> None:
        while not self._skip_to_next("}"):
            self._pair(path)

    def _skip_to_next(self, bracket: str) -> bool:
        """Step over an opening bracket or a comma, and over the closing bracket if it comes next."""
        self._skip(_BLANKS)
        if self.text[self.at] in "[{,":
            self.at += 1
            self._skip(_BLANKS)
        if self.text[self.at] != bracket:
            return False
        self.at += 1
        return True

    def _skip(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self.text, self.at)
        if match is None:
            return ""
        self.at = match.end()
        return match[0]

    def _line(self) -> int:
        return bisect_left(self._breaks, self.at) + 1


def _under(path: Path, step: str | int) -> Path:
    """Return the path of a step inside that path; everything deeper than the limit has the path of its container."""
    return (*path, step) if len(path) < _DEEPEST else path

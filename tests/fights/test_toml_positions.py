from __future__ import annotations

import tomllib
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mam_events.fights.toml_positions import Path, line_numbers

KEYS = ("do", "points", "a-b", "1", '"two words"', "'#'", '"]] [[commands]]"', '"\\u0041\\""')
TRAPS = (
    '"plain"',
    '"# no comment, \\" no end ]] }"',
    "'\\'",
    '""',
    '"""\n[[commands]]\ndo = "x"\n"""',
    '"""two quotes at the end"""""',
    "'''\n# ]\n'''''",
    '"""a \\\n   b \\""" """',
    "true",
    "1979-05-27 07:32:00",
    "-0.5e3",
    "[]",
    "{}",
)


class Writer:
    """Writes a TOML text at random, and notes in which line it put what."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.text = ""
        self.lines: dict[Path, int] = {}

    @property
    def line(self) -> int:
        return self.text.count("\n") + 1

    def document(self) -> None:
        self.blanks()
        for key in self.keys():
            self.pair((), key)
            self.end()
        for name in ("combatants", "commands", "house_rules"):
            self.tables((), name, array=self.random.random() < 0.6, depth=0, text=name)

    def tables(self, path: Path, name: str, *, array: bool, depth: int, text: str) -> None:
        for element in range(self.random.randint(1, 3) if array else 1):
            inner: Path = (*path, name, element) if array else (*path, name)
            self.lines.setdefault((*path, name), self.line)
            self.lines.setdefault(inner, self.line)
            space = self.random.choice(("", " "))
            self.text += f"[[{space}{text}{space}]]" if array else f"[{space}{text}{space}]"
            self.end()
            for key in self.keys():
                self.pair(inner, key)
                self.end()
            if depth < 2 and self.random.random() < 0.5:
                more = self.random.random() < 0.5
                self.tables(inner, "sub", array=more, depth=depth + 1, text=f"{text}.sub")

    def keys(self) -> list[str]:
        return self.random.sample(KEYS, k=self.random.randint(0, 4))

    def pair(self, path: Path, key: str) -> None:
        path = (*path, tomllib.loads(f"{key} = 1").popitem()[0])
        self.lines[path] = self.line
        self.text += key
        if self.random.random() < 0.2:
            path = (*path, "dotted")
            self.lines[path] = self.line
            self.text += " . dotted"
        self.text += self.random.choice(("=", " = ", "\t=\t"))
        self.value(path, depth=0)

    def value(self, path: Path, *, depth: int) -> None:
        kind = self.random.choice(("trap", "trap", "array", "table")) if depth < 3 else "trap"
        if kind == "trap":
            self.text += self.random.choice(TRAPS)
        elif kind == "array":
            self.text += "["
            count = self.random.randint(0, 3)
            for element in range(count):
                self.blanks()
                self.lines[*path, element] = self.line
                self.value((*path, element), depth=depth + 1)
                self.blanks()
                if element < count - 1 or self.random.random() < 0.5:
                    self.text += ","
            self.blanks()
            self.text += "]"
        else:
            self.text += "{ "
            for number, key in enumerate(self.keys()):
                self.text += ", " if number else ""
                at = (*path, tomllib.loads(f"{key} = 1").popitem()[0])
                self.lines[at] = self.line
                self.text += f"{key} = "
                self.value(at, depth=depth + 1)
            self.text += " }"

    def blanks(self) -> None:
        self.text += self.random.choice(("", "", " ", "\n", "\n  # [[a]] \" ' comment\n\n\t"))

    def end(self) -> None:
        self.text += self.random.choice(("\n", ' # it\'s """ a ] comment\n', "\n\n", "\n# [x]\n"))


def paths(value: Any, path: Path = ()) -> set[Path]:
    """Return the path of every value in a parsed text."""
    result = {path} if path else set()
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return result.union(*(paths(part, (*path, key)) for key, part in parts))


@given(st.integers(0, 2**32), st.sampled_from(("\n", "\r\n")))
def test_every_value_has_the_number_of_its_line(seed: int, line_break: str) -> None:
    writer = Writer(Random(seed))
    writer.document()
    text = writer.text.replace("\n", line_break)
    numbers = line_numbers(text)
    assert set(numbers) == paths(tomllib.loads(text))
    assert numbers == writer.lines


def test_tables_and_inline_lists_are_counted_alike() -> None:
    tables = '[[commands]]\ndo = "a"\n\n[[commands]]\ndo = "b"\n'
    inline = 'commands = [\n    { do = "a" },\n\n    # { do = "no" },\n    { do = "b" },\n]\n'
    assert [line_numbers(tables)["commands", at] for at in (0, 1)] == [1, 4]
    assert [line_numbers(inline)["commands", at] for at in (0, 1)] == [2, 5]


def test_deeply_nested_values_have_the_line_where_they_begin() -> None:
    deep = 200
    for text in (f"a = {'[' * deep}1{']' * deep}", f"a = {'{b=' * deep}1{'}' * deep}", f"a{'.b' * deep} = 1"):
        numbers = line_numbers(f"\n{text}\n")
        assert set(numbers.values()) == {2}
        assert len(numbers) < 20
        assert max(map(len, numbers)) < 20

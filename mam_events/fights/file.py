"""Fight files: TOML into a fight, with file and line for everything that cannot be read."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import UNSET, Struct, UnsetType

from mam_events.commands import COMMANDS, Adjust, Close, Command, Interfere, Join, Open, name_of
from mam_events.errors import BadInput, nearest
from mam_events.fights import positions
from mam_events.fights.orders import PLACEHOLDER, Fight, Order, Remark
from mam_events.reading import SHORT, explain
from mam_events.text import clean_fields
from mam_events.values import OptionalSlug, Slug, Text, Visibility

T = TypeVar("T")

ORDERS: Mapping[str, type[Command | Remark]] = {name: kind for name, kind in COMMANDS.items() if kind is not Open} | {
    "note": Remark
}
"""What a line can order, by name; the opening is the file itself."""

# TOML's own reader takes time with the square of the dots in a key.
_KEY = r"""(?:[\w-]+|"[^"\n]*"|'[^'\n]*')"""
_CHAIN = re.compile(rf"""(?<![\w.\-"']){_KEY}(?:[ \t]*\.[ \t]*{_KEY}){{100}}""")
_AT = re.compile(r" - at `\$\.?(?P<path>[^`]*)`$")
_SYNTAX = re.compile(r"(?P<what>.*) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)", re.DOTALL)


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of a fight file; what its tables hold is read one by one."""

    encounter: OptionalSlug = ""
    title: Text = ""
    preset: Slug = "mam_pools"
    house_rules: dict[str, Any] = {}
    word: Text = ""
    visibility: Visibility = "public"
    by: Text = ""
    combatants: list[dict[str, Any]] = []
    commands: list[dict[str, Any]] = []


class _Line(Struct, frozen=True):
    """What any line may say beside its command."""

    by: Text | UnsetType = UNSET


def load_fight(path: str | Path) -> Fight:
    """The fight in that file; raises BadInput naming file and line."""
    path = Path(path)
    try:
        raw = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        raise BadInput("there is no such file.", place=str(path)) from None
    except OSError as error:
        raise BadInput(f"cannot be read: {error.strerror or error}.", place=str(path)) from None
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise BadInput("this is no UTF-8 text.", place=f"{path}:{line}") from None
    return read_fight(text, str(path))


def read_fight(text: str, name: str = "fight") -> Fight:
    """The fight that a TOML text tells; raises BadInput naming `name` and the line for everything that is wrong."""
    return _Reader(text, name).fight()


class _Reader:
    """One file being read."""

    def __init__(self, text: str, name: str) -> None:
        self.name = name
        if chain := _CHAIN.search(text):
            line = text.count("\n", 0, chain.start()) + 1
            raise BadInput("no key of a fight has so many dots in it.", place=self._place(line))
        try:
            self.raw = tomllib.loads(text.removeprefix("\ufeff"), parse_float=Decimal)
            self.lines = positions.lines_of(text.removeprefix("\ufeff"))
        except tomllib.TOMLDecodeError as error:
            raise self._no_toml(error, text) from None
        except RecursionError:
            raise BadInput("this is nested too deeply to be a fight.", place=name) from None
        except ValueError as error:
            # A whole number beyond what Python reads, of which the parser does not tell the place.
            raise BadInput(f"this is no TOML: {error}.", place=name) from None

    def _no_toml(self, error: tomllib.TOMLDecodeError, text: str) -> BadInput:
        found = _SYNTAX.fullmatch(str(error))
        if found is None or found["line"] is None:
            what = found["what"] if found else str(error)
            last = text.rstrip("\n").count("\n") + 1
            return BadInput(f"this is no TOML: {what}, found at the end of the file.", place=f"{self.name}:{last}")
        return BadInput(
            f"this is no TOML: {found['what']} (column {found['column']}).", place=self._place(found["line"])
        )

    def fight(self) -> Fight:
        file = self._read(_File, self.raw, ())
        return Fight(
            opening=self._opening(file),
            encounter=file.encounter,
            joins=tuple(self._join(index, fields) for index, fields in enumerate(file.combatants)),
            lines=tuple(self._line(index, fields) for index, fields in enumerate(file.commands)),
            by=file.by,
        )

    def _opening(self, file: _File) -> Order:
        for name, reading in file.house_rules.items():
            if not isinstance(reading, str):
                raise BadInput(
                    f"{name} must be the name of a reading, in quotes, not {SHORT.repr(reading)}.",
                    place=self._at(("house_rules", name)),
                )
        opening = Open(
            preset=file.preset,
            house_rules=file.house_rules,
            title=file.title,
            word=file.word,
            visibility=file.visibility,
        )
        places = {str(path[-1]): self._place(line) for path, line in self.lines.items() if path[:1] == ("house_rules",)}
        places |= {str(path[0]): self._place(line) for path, line in self.lines.items() if len(path) == 1}
        first = min(self.lines.values(), default=1)
        return Order(self._place(first), opening, fields=places)

    def _join(self, index: int, fields: dict[str, Any]) -> Order:
        path: positions.Path = ("combatants", index)
        for key in ("combatant", "do"):
            if key in fields:
                hint = 'did you mean "id"?' if key == "combatant" else "a combatant joins without being told to."
                raise BadInput(f'there is no "{key}" here; {hint}', place=self._at((*path, key)))
        named = {"combatant" if key == "id" else key: value for key, value in fields.items()}
        return self._order(Join, named, path)

    def _line(self, index: int, fields: dict[str, Any]) -> Order:
        path: positions.Path = ("commands", index)
        name = fields.get("do")
        if name == name_of(Open):
            raise BadInput(
                "the file opens the encounter by itself, with the keys encounter, title, preset and house_rules.",
                place=self._at((*path, "do")),
            )
        if not isinstance(name, str) or name not in ORDERS:
            hint = nearest(name if isinstance(name, str) else "", ORDERS)
            what = f'"{name}" is no command' if isinstance(name, str) else '"do" must name a command'
            raise BadInput(f"{what}; {hint}", place=self._at((*path, "do")))
        return self._order(ORDERS[name], fields, path)

    def _order(self, kind: type[Command | Remark], fields: dict[str, Any], path: positions.Path) -> Order:
        said = {key: fields[key] for key in _Line.__struct_fields__ if key in fields}
        beside = self._read(_Line, said, path)
        rest = {key: value for key, value in fields.items() if key not in said}
        if kind is Close and "seed" in rest:
            raise BadInput("the log itself shows the seed when the fight is closed.", place=self._at((*path, "seed")))
        left_out = _left_out(kind, rest)
        what = self._read(kind, _filled(rest, left_out), path)
        places = {key: self._at((*path, "id" if key == "combatant" else key)) for key in rest}
        by = None if beside.by is UNSET else beside.by
        return Order(self._at(path), what, by, left_out, places)

    def _read(self, kind: type[T], fields: Mapping[str, Any], path: positions.Path) -> T:
        fields = clean_fields(kind, fields)
        try:
            return msgspec.convert(fields, kind)
        except msgspec.ValidationError as found:
            # A fraction comes as a decimal here; the reader of plain mappings knows it as a float.
            error = msgspec.ValidationError(str(found).replace("`decimal`", "`float`"))
            steps = _steps(str(error))
            sentence = explain(error, kind, fields)
            if path[:1] == ("combatants",) and steps[:1] in ((), ("combatant",)):
                sentence = re.sub(r"\bcombatant\b", "id", sentence, count=1)
                steps = ("id",) if steps else ()
            unknown = re.match(r"Object contains unknown field `([^`]*)`", str(error))
            raise BadInput(sentence, place=self._at((*path, *steps, *(unknown.groups() if unknown else ())))) from None

    def _at(self, path: positions.Path) -> str:
        """The place of a value, or of the nearest table around it that the file shows."""
        while path and path not in self.lines:
            path = path[:-1]
        return self._place(self.lines.get(path, 1))

    def _place(self, line: int | str) -> str:
        return f"{self.name}:{line}"


def _steps(message: str) -> positions.Path:
    """The path in a message of msgspec, as far as it names single values."""
    found = _AT.search(message)
    names = re.findall(r"[^.\[\]]+|\.\.\.", found["path"]) if found else []
    return tuple(int(name) if name.isdecimal() else name for name in names)


def _left_out(kind: type[Command | Remark], fields: Mapping[str, Any]) -> tuple[str, ...]:
    """Which references a line leaves to the exchange that is open when it is played."""
    if kind is Adjust:
        outcome = fields.get("outcome")
        return ("outcome",) if isinstance(outcome, Mapping) and "exchange" not in outcome else ()
    names = ("exchange", "action") if kind is Interfere else ("exchange",)
    return tuple(name for name in names if name in kind.__struct_fields__ and name not in fields)


def _filled(fields: Mapping[str, Any], left_out: tuple[str, ...]) -> dict[str, Any]:
    filled = dict(fields)
    for name in left_out:
        filled[name] = {**fields[name], "exchange": PLACEHOLDER} if name == "outcome" else PLACEHOLDER
    return filled

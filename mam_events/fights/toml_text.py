"""A TOML file that people write: its values with the line of each, and errors that name file and line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, TypeVar

import msgspec

from mam_events.deserializer import LEARNING, SHORTENER, TypeMismatch, find_mismatch
from mam_events.errors import BadInput
from mam_events.fights import toml_positions
from mam_events.notation.grammar.names import either_or
from mam_events.sanitize import clean_fields

T = TypeVar("T")

# tomllib needs quadratic time for a key with many dots.
_KEY = r"""(?:[\w-]+|"[^"\n]*"|'[^'\n]*')"""
_CHAIN = re.compile(rf"""(?<![\w.\-"']){_KEY}(?:[ \t]*\.[ \t]*{_KEY}){{100}}""")
# A number with more digits, or a longer exponent, than Python reads.
_VAST = re.compile(r"[0-9_]{4300,}|[eE][+-]?[0-9_]{9,}")
_SYNTAX = re.compile(r"(?P<what>.*) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)", re.DOTALL)


class TomlText:
    """The values of a TOML text in `raw`, and the line of each in `lines`.

    `name` is its file, `what` the kind of thing it should hold. Raises BadInput for invalid TOML.
    """

    def __init__(self, text: str, name: str, what: str = "fight") -> None:
        self.name = name
        if chain := _CHAIN.search(text):
            line = text.count("\n", 0, chain.start()) + 1
            raise BadInput(f"This name has too many dots for a {what}.", place=self.place(line))
        try:
            self.raw = tomllib.loads(text.removeprefix("\ufeff"), parse_float=Decimal)
            self.lines = toml_positions.line_numbers(text.removeprefix("\ufeff"))
        except tomllib.TOMLDecodeError as error:
            raise self._no_toml(error, text) from None
        except RecursionError:
            raise BadInput(f"This is nested too deeply for a {what}.", place=name) from None
        except (ValueError, ArithmeticError):
            # For a number that Python can't read, the parser gives no place.
            match = _VAST.search(text)
            line = text.count("\n", 0, match.start()) + 1 if match else 1
            raise BadInput("This number is too large.", place=self.place(line)) from None

    def _no_toml(self, error: tomllib.TOMLDecodeError, text: str) -> BadInput:
        message = str(error).replace(
            "Illegal character '\\n'", "the line ends inside a text, so a quotation mark is missing"
        )
        match = _SYNTAX.fullmatch(message)
        if match is None or match["line"] is None:
            what = match["what"] if match else message
            last = text.rstrip("\n").count("\n") + 1
            return BadInput(f"This is not TOML: {what}, at the end of the file.", place=f"{self.name}:{last}")
        return BadInput(
            f"This is not TOML: {match['what']} (column {match['column']}).", place=self.place(match["line"])
        )

    def at(self, path: toml_positions.Path) -> str:
        """Return the place of a value, or of the nearest table around it that the file shows."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.place(self.lines.get(path, 1))

    def place(self, line: int | str) -> str:
        """Return the place of a line of this file, as errors name it: `fight.toml:12`."""
        return f"{self.name}:{line}"

    def read(self, kind: type[T], fields: Mapping[str, Any], path: toml_positions.Path) -> T:
        """Read the table at `path`, or part of it, as a value of that type; raise BadInput naming file and line."""
        fields = clean_fields(kind, fields)
        try:
            with LEARNING:
                return msgspec.convert(fields, kind)
        except msgspec.ValidationError as found:
            wrong = self.named(find_mismatch(kind, fields, found), path)
            raise wrong.error(self.at((*path, *wrong.steps, *([wrong.wrong] if wrong.apart else ())))) from None

    def named(self, wrong: TypeMismatch, path: toml_positions.Path) -> TypeMismatch:
        """Return the error with the names that this file uses for the fields."""
        return wrong

    def house_rules(self, choices: Mapping[str, Any]) -> dict[str, str]:
        """Return the table `house_rules`; raise BadInput for a reading that isn't text."""
        for option, reading in choices.items():
            if not isinstance(reading, str):
                from mam_events.rules.rulebook import rulebook  # noqa: PLC0415 - few files need it

                known = rulebook().options.get(option)
                what = either_or([f'"{one}"' for one in known.readings]) if known else "text in quotes"
                raise BadInput(
                    f"{option} must be {what}, not {SHORTENER.repr(reading)}.",
                    place=self.at(("house_rules", option)),
                )
        return dict(choices)

    def rule_places(self) -> dict[str, str]:
        """Return the place of each house rule, by its option."""
        return {str(path[-1]): self.place(line) for path, line in self.lines.items() if path[:1] == ("house_rules",)}

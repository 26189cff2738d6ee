"""Types of options and arguments: whole numbers, choices, pairs, views."""

from __future__ import annotations

import re
from typing import Any

import click


class IntRange(click.ParamType[int]):
    """A whole number of at least `low` (None: any)."""

    name = "number"

    def __init__(self, low: int | None = 0) -> None:
        self.low = low

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number; raise a usage error for a fraction, a word or a number below the minimum."""
        if isinstance(value, int):
            return value
        # Accept #17, as the log prints it.
        text = str(value).removeprefix("#")
        if re.fullmatch(r"[+-]?[0-9]{10,}", text):
            self.fail(f"must be a whole number of nine digits at most, not {str(value)!r}.", param, ctx)
        if not re.fullmatch(r"[+-]?[0-9]{1,9}", text) or (self.low is not None and int(text) < self.low):
            least = "" if self.low is None else f" of {self.low} or more"
            self.fail(f"must be a whole number{least}, not {str(value)!r}.", param, ctx)
        return int(text)


class ChoiceParam(click.Choice[str]):
    """One of several words; for outcomes, also their synonyms."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the meant choice; raise a usage error with all choices for any other word."""
        from mam_events.values import outcome_of_word

        choice = value if value in self.choices else outcome_of_word(str(value), tuple(self.choices)) or value
        return super().convert(choice, param, ctx)


class PairParam(click.ParamType[tuple[str, ...]]):
    """Parts joined by one sign: `modre=4`, `clone:ready:stun:2`."""

    name = "text"

    def __init__(self, sign: str, *parts: str) -> None:
        self.sign = sign
        self.parts = parts

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        """Return the parts; raise a usage error for a different number of parts."""
        if isinstance(value, tuple):
            return value
        parts = tuple(str(value).split(self.sign))
        if len(parts) != len(self.parts) or not all(parts):
            self.fail(f"must be {self.sign.join(self.parts)}, not {value!r}.", param, ctx)
        return parts


class ViewParam(click.ParamType[str]):
    """A view: `gm`, `public`, or a side, with or without `side:` before it."""

    name = "view"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the view in full: `side:modre` for `modre`."""
        if value in ("gm", "public"):
            return str(value)
        if not re.fullmatch(r"(side:)?[a-z0-9][a-z0-9_-]*", str(value)):
            self.fail(f"must be gm, public or the lower-case name of a side, not {value!r}.", param, ctx)
        return f"side:{str(value).removeprefix('side:')}"

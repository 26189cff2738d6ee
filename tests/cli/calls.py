"""Types of the fixtures of the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import msgspec

from cli.orders.syntax import format_order
from mam_events.commands import Command, name_of


class CliResult(NamedTuple):
    """The output and the exit code of one call."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[dict[str, Any]]:
        """The JSON of each line that the command printed."""
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def error(self) -> dict[str, Any]:
        """The error object that the command printed with --json."""
        error: dict[str, Any] = json.loads(self.err.splitlines()[-1])["error"]
        return error


def as_typed(command: Command) -> str:
    """Return a command as one would type it, without its defaults."""
    return format_order(name_of(command), msgspec.to_builtins(command))


class Mam(Protocol):
    """Types one command; fails unless it ends with `code` (None: however it ends)."""

    def __call__(self, *words: str, code: int | None = 0, stdin: str | bytes | None = None) -> CliResult: ...


Rows = Callable[[], dict[str, list[tuple[int, str, bytes]]]]
"""Reads every row of every encounter in the store of the test's directory."""

Words = tuple[str, ...]
"""One command: what is typed after `mam`."""


class Begin(Protocol):
    """Puts a store into the test's directory in which these commands were run."""

    def __call__(self, *commands: Words) -> object: ...

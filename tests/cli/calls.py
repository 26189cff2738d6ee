"""Types of the fixtures of the command line."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import msgspec
from click.testing import CliRunner

from cli.app import main
from cli.orders.syntax import format_order
from mam_events.commands import Command, name_of


class CliResult(NamedTuple):
    """The output and the exit code of one call."""

    code: int
    out: str
    err: str

    @property
    def advice(self) -> str:
        """The commands that were suggested last, or "" if none were."""
        labels = ("next: ", "possible now: ")
        lines = [line for line in self.err.splitlines() if line.startswith(labels)]
        return lines[-1].partition(": ")[2] if lines else ""

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


class Mam:
    """The real `main`, called as a shell calls it."""

    def __call__(self, *words: str, code: int | None = 0, stdin: str | bytes | None = None) -> CliResult:
        """Run one command and return its output; fail unless it exits with `code` (None: any code)."""
        result = CliRunner().invoke(main, list(words), input=stdin)
        assert code in (None, result.exit_code), (words, result.output)
        return CliResult(result.exit_code, result.stdout, result.stderr)

    def run_all(self, *lines: str) -> None:
        """Run the command in each line; fail unless all of them succeed."""
        for line in lines:
            self(*shlex.split(line))


Rows = Callable[[], dict[str, list[tuple[int, str, bytes]]]]
"""Reads every row of every encounter in the store of the test's directory."""


class Begin(Protocol):
    """A function that puts a store into the test's directory in which these command lines were run."""

    def __call__(self, *lines: str) -> object: ...

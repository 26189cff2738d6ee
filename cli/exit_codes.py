"""The way a run ends where nobody listens any more: the exit codes of a shell, and streams that go nowhere."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

import click

ABORTED = 130
READER_GONE = 141
"""The exit status of a program whose reader went away (128 + SIGPIPE)."""


@contextmanager
def handle_broken_pipe() -> Iterator[None]:
    """Whoever reads a pipe may go away before its end; that is no fault, and has an exit code of its own."""
    try:
        yield
    except BrokenPipeError:
        discard_stdout()
        raise click.exceptions.Exit(READER_GONE) from None


def discard_stdout() -> None:
    """Let what is still to be printed go nowhere: the interpreter flushes once more on its way out."""
    with suppress(OSError, ValueError), open(os.devnull, "w") as nowhere:  # noqa: PTH123 - pathlib would slow help down
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


def replace_closed_streams() -> None:
    """A stream that was closed before the program began is None in Python; nobody should have to ask for that."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: PTH123, SIM115 - as above, and open as long as the program


def was_closed(stream: TextIO) -> bool:
    """True if that stream was closed before the program began, and replaced."""
    return stream.name == os.devnull

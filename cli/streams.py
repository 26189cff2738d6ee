"""Standard streams that are closed, or whose reader went away."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

import click

from cli.exit_codes import READER_GONE


@contextmanager
def handle_broken_pipe() -> Iterator[None]:
    """Turn a broken pipe into an exit code of its own, because a reader that leaves early is no error."""
    try:
        yield
    except BrokenPipeError:
        discard_stdout()
        raise click.exceptions.Exit(READER_GONE) from None


def discard_stdout() -> None:
    """Discard further output, because the interpreter flushes stdout once more at its exit."""
    with suppress(OSError, ValueError), open(os.devnull, "w") as nowhere:  # noqa: PTH123 - pathlib would slow help down
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


def replace_closed_streams() -> None:
    """Replace the streams that were closed before the program began, which are None in Python."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: PTH123, SIM115 - as above, and open as long as the program


def was_closed(stream: TextIO) -> bool:
    """Return True if that stream was closed before the program began, and replaced."""
    return stream.name == os.devnull

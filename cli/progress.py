"""A sign of life during long work: a bar on the terminal, nothing anywhere else."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from cli.session import Session

T = TypeVar("T")

LONG = 500
"""From so many steps on a bar is worth its place."""


@contextmanager
def working(session: Session, what: str, total: int | None) -> Iterator[Callable[[], None]]:
    """A bar of `total` steps (None: nobody knows) while the block runs; what it yields is called once a step."""
    if not sys.stderr.isatty() or session.quiet or session.json or (total is not None and total < LONG):
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    colours = None if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" else "standard"
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    console = Console(stderr=True, color_system=colours)  # type: ignore[arg-type]  # both values are among rich's literals
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(what, total=total)
        yield lambda: progress.advance(task)


def watched(items: Iterable[T], step: Callable[[], None]) -> Iterator[T]:
    """The same items, with one step of the bar for each."""
    for item in items:
        yield item
        step()

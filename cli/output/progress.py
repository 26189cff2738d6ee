"""Progress bars: shown on a terminal when work takes longer than half a second."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from cli.session import Session

T = TypeVar("T")

BAR_DELAY_SECONDS = 0.5
"""The number of seconds after which a bar is shown."""
_TICK = 0.1


@contextmanager
def progress_bar(session: Session, what: str, total: int | None = None) -> Iterator[Callable[[], None]]:
    """Show a bar of `total` steps (None: unknown) while the block runs; it yields a function to call once per step."""
    if not sys.stderr.isatty() or session.quiet or session.json:
        yield lambda: None
        return
    steps: list[None] = []
    done = Event()
    # A separate thread shows the bar even while the work takes no steps.
    bar = Thread(target=_show, args=(what, total, steps, done), daemon=True)
    bar.start()
    try:
        yield lambda: steps.append(None)
    finally:
        done.set()
        bar.join()


def iterate_with_progress(items: Iterable[T], step: Callable[[], None]) -> Iterator[T]:
    """Yield the same items, with one step of the bar for each."""
    for item in items:
        yield item
        step()


def _show(what: str, total: int | None, steps: list[None], done: Event) -> None:
    if done.wait(BAR_DELAY_SECONDS):
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    colours = None if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" else "standard"
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    console = Console(stderr=True, color_system=colours)  # type: ignore[arg-type]  # both values are among rich's literals
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(what, total=total)
        while not done.wait(_TICK):
            progress.update(task, completed=len(steps))

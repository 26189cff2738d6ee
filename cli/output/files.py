"""Output files: none is overwritten without --force, and each appears only when it is complete."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from cli.streams import was_closed
from mam_events.errors import BadInput

_SHARED = 0o666
"""The file mode of an export before the process's umask, because an export is meant to be shared."""


def check_writable(target: str, store: Path | None, *, force: bool) -> Path | None:
    """Return the path to write to, or None for standard output; raise BadInput if nothing can be written there."""
    if target == "-":
        if was_closed(sys.stdout):
            raise BadInput("Standard output is closed. Name a file to write to.")
        return None
    from mam_events.archive.atomic_file import draft_file

    with _naming_file(target):
        path = Path(target).resolve()
        if store and path in {Path(f"{store}{ending}").resolve() for ending in ("", "-wal", "-shm", "-id")}:
            raise BadInput("This file is the log itself. Name another file.", place=target)
        if path.is_dir():
            raise BadInput("This is a folder. Name a file.", place=target)
        if path.exists() and not path.is_file():
            raise BadInput(
                "This is no ordinary file, so nothing can be written to it. Name another file.", place=target
            )
        if path.exists() and not force:
            raise BadInput("The file already exists. Use --force to overwrite it.", place=target)
        with draft_file(path, _SHARED):
            return path


@contextmanager
def open_output_file(target: str, store: Path | None, *, force: bool) -> Iterator[BinaryIO]:
    """Open a file that appears only when it is complete; raise BadInput if it cannot be written."""
    path = check_writable(target, store, force=force)
    if path is None:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    from mam_events.archive.atomic_file import draft_file

    with _naming_file(target), draft_file(path, _SHARED) as draft:
        with draft.open("wb") as file:
            yield file
        draft.replace(path)


@contextmanager
def _naming_file(target: str) -> Iterator[None]:
    """Turn errors of the operating system into BadInput that names the file."""
    try:
        yield
    except (OSError, RuntimeError) as error:
        why = getattr(error, "strerror", None) or error
        raise BadInput(f"{target} cannot be written: {why}.", wrong=target) from None

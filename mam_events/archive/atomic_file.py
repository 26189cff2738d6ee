"""A file in the making, beside the place that it is for: nobody sees half of it, and nobody else's file is touched."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_SIDES = ("", "-wal", "-shm", "-id", "-journal")


@contextmanager
def draft_beside(target: Path, mode: int = 0o600) -> Iterator[Path]:
    """An empty file in the folder of `target`, under a name that nobody else has: a process's number is another's too.

    Whatever is left of it at the end of the block, and of SQLite's files beside it, is removed. Raises OSError.
    """
    draft = target.with_name(f".mam-{secrets.token_hex(8)}")
    draft.touch(mode, exist_ok=False)
    try:
        yield draft
    finally:
        for side in _SIDES:
            with suppress(OSError):
                Path(f"{draft}{side}").unlink()

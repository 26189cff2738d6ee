"""A draft file next to its target: nobody sees a half-written file, and no other file is touched."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_SIDES = ("", "-wal", "-shm", "-id", "-journal")


@contextmanager
def draft_beside(target: Path, mode: int = 0o600) -> Iterator[Path]:
    """Create an empty draft file in the folder of `target`, and remove it at the end of the block.

    The random name can't collide with a draft of another process. A draft that the block renamed stays; otherwise it is
    removed, with SQLite's files beside it. Raises OSError.
    """
    draft = target.with_name(f".mam-{secrets.token_hex(8)}")
    draft.touch(mode, exist_ok=False)
    try:
        yield draft
    finally:
        for side in _SIDES:
            with suppress(OSError):
                Path(f"{draft}{side}").unlink()

"""A draft file next to its target: nobody sees a half-written file, and no other file is touched."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_SIDES = ("", "-wal", "-shm", "-id", "-journal")


@contextmanager
def draft_file(target: Path, mode: int = 0o600) -> Iterator[Path]:
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


def publish(draft: Path, target: Path) -> None:
    """Give a draft its name; raise FileExistsError if the name is taken by now."""
    try:
        # Unlike a rename, a link never replaces another file.
        os.link(draft, target)
    except FileExistsError:
        raise
    except OSError:
        # This file system has no hard links.
        target.touch(exist_ok=False)
        try:
            # `rename` would fail on Windows, because the empty file exists.
            draft.replace(target)
        except BaseException:
            target.unlink(missing_ok=True)
            raise

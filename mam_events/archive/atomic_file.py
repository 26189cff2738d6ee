"""A draft file next to its target: nobody sees a half-written file, and no other file is touched."""

from __future__ import annotations

import os
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


def publish(draft: Path, target: Path) -> None:
    """Give a draft its name; raise FileExistsError if a file of that name has come up meanwhile."""
    try:
        # Unlike a renaming, this never takes the place of another file.
        os.link(draft, target)
    except FileExistsError:
        raise
    except OSError:
        # The file system gives a file one name only.
        target.touch(exist_ok=False)
        try:
            # On Windows a renaming takes the place of no file, not even of this empty one.
            draft.replace(target)
        except BaseException:
            target.unlink(missing_ok=True)
            raise

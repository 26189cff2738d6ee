"""The port of the log to whatever keeps its rows: a file, a database, or a service elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from mam_events.store.rows import Arrival, Notification


class Store(Protocol):
    """The rows of every encounter, their seeds, tokens, and what projections keep. What each method promises is told
    by `SQLiteStore`.
    """

    path: Path | None
    name: str
    has_seeds: bool

    @property
    def url(self) -> str: ...  # noqa: D102 - as above

    def append(self, encounter: str, rows: Sequence[tuple[int, str, bytes]], *, seed: bytes | None = None) -> int: ...  # noqa: D102 - as above
    def grouped(self) -> AbstractContextManager[None]: ...  # noqa: D102
    def read(self, encounter: str, after: int = 0) -> list[tuple[int, str, bytes]]: ...  # noqa: D102
    def last_version(self, encounter: str) -> int: ...  # noqa: D102
    def encounters(self) -> list[str]: ...  # noqa: D102
    def versions(self, *, last_played: bool = False) -> list[tuple[str, int]]: ...  # noqa: D102
    def strays(self) -> list[str]: ...  # noqa: D102
    def latest(self) -> str | None: ...  # noqa: D102
    def seed(self, encounter: str) -> bytes | None: ...  # noqa: D102
    def notifications(self, after: int, limit: int) -> list[Notification]: ...  # noqa: D102
    def last_notification(self) -> int: ...  # noqa: D102
    def arrivals(self, after: int, seconds: float, pause: Callable[[float], object] = ...) -> list[Arrival]: ...  # noqa: D102
    def mark(self) -> int | None: ...  # noqa: D102
    def kept(self, table: str, encounters: Sequence[str]) -> Mapping[str, tuple[int, bytes]]: ...  # noqa: D102
    def keep(self, table: str, rows: Sequence[tuple[str, int, bytes]], *, wait: bool = True) -> None: ...  # noqa: D102
    def forget(self) -> None: ...  # noqa: D102
    def tokens(self) -> list[bytes]: ...  # noqa: D102
    def keep_token(self, token: str, said: bytes) -> None: ...  # noqa: D102
    def copy_into(self, target: Path, step: Callable[[int], None] = ..., *, name: str = "") -> None: ...  # noqa: D102
    def has_written(self) -> bool: ...  # noqa: D102
    def close(self) -> None: ...  # noqa: D102

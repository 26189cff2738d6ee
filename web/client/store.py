"""The rows of a log that a service has, read as those of a file are; only the game master may."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from time import sleep
from typing import TYPE_CHECKING

from mam_events.errors import NotFound, StoreUnusable

if TYPE_CHECKING:
    from pathlib import Path

    from mam_events.store import Notification
    from mam_events.store.rows import Arrival
    from web.client.connection import Line

_ELSEWHERE = "This is done at the machine that has the store, not through its service."


class RemoteStore:
    """The rows of every encounter, as the service tells them. What projections keep is not kept here."""

    path: Path | None = None
    has_seeds = False

    def __init__(self, line: Line) -> None:
        self._line = line
        self.name = line.address
        self.url = line.address
        self._newest: tuple[str, int] = ("", 0)

    def read(self, encounter: str, after: int = 0) -> list[tuple[int, str, bytes]]:
        """The rows of an encounter behind a version; none where there is no such encounter."""
        try:
            found = self._line.get(f"/encounters/{encounter}/rows", after=after)
        except NotFound:
            return []
        return [(row["version"], row["topic"], row["state"].encode()) for row in found]

    def last_version(self, encounter: str) -> int:
        """The newest version of an encounter, 0 if there is none."""
        return dict(self.versions()).get(encounter, 0)

    def encounters(self) -> list[str]:
        """The ids of all encounters, the oldest first."""
        return [encounter for encounter, _ in self.versions()]

    def versions(self, *, last_played: bool = False) -> list[tuple[str, int]]:
        """Every encounter with its newest version, the oldest first, or the one that was written to last."""
        found = self._line.get("/rows", order="played" if last_played else "")
        return [(one["encounter"], one["version"]) for one in found]

    def latest(self) -> str | None:
        """The encounter that was written to last."""
        return next((encounter for encounter, _ in self.versions(last_played=True)), None)

    def append(self, encounter: str, rows: Sequence[tuple[int, str, bytes]], *, seed: bytes | None = None) -> int:
        """Send rows that were made here, as they are; raises as any store does."""
        told = [{"version": at, "topic": topic, "state": state.decode()} for at, topic, state in rows]
        body = {"rows": told, "seed": seed.hex() if seed else ""}
        self._line.post(f"/encounters/{encounter}/rows", body, {})
        self._newest = (encounter, rows[-1][0])
        return 0

    def notifications(self, after: int, limit: int) -> list[Notification]:
        """The order of the whole store is told by no service."""
        del after, limit
        raise StoreUnusable(_ELSEWHERE)

    def last_notification(self) -> int:
        """As above."""
        raise StoreUnusable(_ELSEWHERE)

    def arrivals(self, after: int, seconds: float, pause: Callable[[float], object] = sleep) -> list[Arrival]:
        """As above: whoever follows a service reads its streams."""
        del after, seconds, pause
        raise StoreUnusable(_ELSEWHERE)

    def mark(self) -> int | None:
        """None: whoever wants to know whether anything was written has to ask."""

    def wrote(self, encounter: str, version: int) -> None:
        """Take note of what was last written here."""
        self._newest = (encounter, version)

    def has_written(self) -> bool:
        """True if something was written through this store: it was answered, so it is there."""
        return bool(self._newest[0])

    def seed(self, encounter: str) -> bytes | None:
        """None: the seed of the dice leaves the machine of the store on no path."""
        del encounter
        return None

    def strays(self) -> list[str]:
        """None: whoever has the file can look for rows that are of no encounter."""
        return []

    def kept(self, table: str, encounters: Sequence[str]) -> Mapping[str, tuple[int, bytes]]:
        """Nothing is kept here."""
        del table, encounters
        return {}

    def keep(self, table: str, rows: Sequence[tuple[str, int, bytes]], *, wait: bool = True) -> None:
        """Nothing is kept here."""

    def forget(self) -> None:
        """Nothing is kept here."""
        raise StoreUnusable(_ELSEWHERE)

    def tokens(self) -> list[bytes]:
        """Tokens are made where the store is."""
        raise StoreUnusable(_ELSEWHERE)

    def keep_token(self, token: str, said: bytes) -> None:
        """Tokens are made where the store is."""
        del token, said
        raise StoreUnusable(_ELSEWHERE)

    def copy_into(self, target: Path, step: Callable[[int], None] = lambda _: None, *, name: str = "") -> None:
        """A copy holds the seeds, so it is made where the store is."""
        del target, step, name
        raise StoreUnusable(_ELSEWHERE)

    @contextmanager
    def grouped(self) -> Iterator[None]:
        """The service groups by itself."""
        yield

    def close(self) -> None:
        """Hang up."""
        self._line.close()

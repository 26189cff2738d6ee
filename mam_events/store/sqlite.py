"""The log as its callers see it: one SQLite file, no SQL and no exception of anybody else's."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from mam_events.errors import BadInput, StoreUnusable
from mam_events.reading import SHORT
from mam_events.store.connections import MEMORY, Connections
from mam_events.store.copying import copy_into
from mam_events.store.failures import Translation
from mam_events.store.recorder import Recorder
from mam_events.store.rows import Notification
from mam_events.text import is_clean, printable

if TYPE_CHECKING:
    from mam_events.store.library import EncounterLog

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
_SYNCHRONOUS = ("FULL", "NORMAL", "EXTRA")


def open_store(
    url: str | Path, *, create: bool = True, synchronous: str = "FULL", busy_timeout: float = 5.0
) -> SQLiteStore:
    """The store at a path or an address; a new file becomes a store if `create` allows it.

    An address is `sqlite:///relative/path`, `sqlite:////absolute/path`, or `sqlite://` for a store in memory. With
    `synchronous="NORMAL"` a power cut can take the last rulings, never damage the log. A file that another process
    has locked is waited for during `busy_timeout` seconds. Raises `NotFound` if there is no file and none may be
    made, `StoreUnusable` for a file or an address that cannot be used; a file of another program is left as it was.
    """
    if synchronous not in _SYNCHRONOUS:
        raise BadInput(f'"{synchronous}" is none of {", ".join(_SYNCHRONOUS)}.', place="synchronous")
    return SQLiteStore(_path(url), create=create, synchronous=synchronous, busy_timeout=busy_timeout)


def _path(url: str | Path) -> Path | None:
    if not isinstance(url, str | Path):
        raise BadInput(f"must be the path or the address of a log, not {SHORT.repr(url)}.", place="url")
    # An address is never repeated in an error: it may hold a password.
    text = str(url)
    scheme = _SCHEME.match(text) if isinstance(url, str) else None
    if scheme is not None:
        name = scheme[1].lower()
        if name.startswith("postgres"):
            raise StoreUnusable("PostgreSQL is not there yet: name a file, or sqlite:///path.")
        if name != "sqlite":
            raise StoreUnusable(f"There is no store for addresses that begin with {name}://; name a file.")
        text = text[scheme.end() :]
        if not text:
            return None
        if not text.startswith("/"):
            raise StoreUnusable("An SQLite address has three slashes before the path: sqlite:///fights.mam.")
        text = text[1:]
    if text == MEMORY:
        return None
    if not text or "\0" in text:
        raise StoreUnusable("A log needs the name of a file.")
    return Path(text)


class SQLiteStore:
    """The rows of every encounter, their seeds and what is kept for views, in one file or in memory.

    Threads may share one store, processes one file. Every method raises `StoreUnusable` when the file cannot be used:
    locked for too long, read-only, damaged, on a full disk.
    """

    def __init__(
        self, path: Path | None, *, create: bool = True, synchronous: str = "FULL", busy_timeout: float = 5.0
    ) -> None:
        self.path = path
        """The file, as it was named; None for a store in memory."""
        self._newest: tuple[str, Sequence[tuple[int, str, bytes]]] = ("", ())
        self._translation = Translation(str(path or "The log in memory"))
        with self._translation:
            self.connections = Connections(str(path or MEMORY), synchronous=synchronous, busy_timeout=busy_timeout)
            self._recorder = Recorder(self.connections)
            self.connections.open(self._recorder.create_tables, create=create)

    @cached_property
    def application(self) -> EncounterLog:
        """The event-sourcing library's view of the same log, made when it is first asked for."""
        from mam_events.store.library import EncounterLog, Factory  # noqa: PLC0415 - much of the start of a process

        return EncounterLog({Factory.SQLITE_DBNAME: self.connections.location}, connections=self.connections)

    @property
    def url(self) -> str:
        """The address that opens this store again."""
        return "sqlite://" if self.path is None else f"sqlite:///{self.path}"

    def append(self, encounter: str, rows: Sequence[tuple[int, str, bytes]], *, seed: bytes | None = None) -> int:
        """Write all rows or none, durably, and return the notification id of the last.

        `rows` are consecutive versions; the secret `seed` (32 bytes) comes with version 1 of an encounter. Raises
        `VersionConflict` when the first version is not the one after the last stored.
        """
        self._newest = (encounter, rows)
        try:
            return self._recorder.append(encounter, rows, seed)
        except Exception as error:
            # A context costs a microsecond even where nothing fails, and every command comes by here.
            self._translation.translate(error)
            raise

    def has_written(self) -> bool:
        """True if what was last to be appended here is in the store: the one thing to ask after an interrupt, which may
        come before it was durable or after.
        """
        encounter, rows = self._newest
        return bool(rows) and self.read(encounter, rows[0][0] - 1)[: len(rows)] == list(rows)

    def read(self, encounter: str, after: int = 0) -> list[tuple[int, str, bytes]]:
        """The rows of an encounter behind version `after`, in order, as plain tuples in the shape of `Row`.

        Raises StoreUnusable for those under a name that could confuse a terminal, which is none of an encounter.
        """
        with self._translation:
            rows = self._recorder.rows(encounter, after)
        if rows and not is_clean(encounter):
            raise StoreUnusable(
                f'There are rows under "{printable(encounter)}", with characters that no encounter has.'
            )
        return rows

    def last_version(self, encounter: str) -> int:
        """The newest version of an encounter, 0 if there is none."""
        with self._translation:
            return self._recorder.last_version(encounter)

    def encounters(self) -> list[str]:
        """The ids of all encounters, the oldest first."""
        with self._translation:
            return [encounter for encounter, _ in self._recorder.versions(last_played=False)]

    def versions(self, *, last_played: bool = False) -> list[tuple[str, int]]:
        """Every encounter with its newest version, the oldest first, or the one that was written to last."""
        with self._translation:
            return self._recorder.versions(last_played=last_played)

    def strays(self) -> list[str]:
        """The rows in the log that are of none of `encounters`; every row is looked at."""
        with self._translation:
            return self._recorder.strays()

    def latest(self) -> str | None:
        """The encounter that was written to last."""
        with self._translation:
            return self._recorder.latest()

    def seed(self, encounter: str) -> bytes | None:
        """The secret seed of an encounter's dice, if one is kept here."""
        with self._translation:
            return self._recorder.seed(encounter)

    def notifications(self, after: int, limit: int) -> list[Notification]:
        """At most `limit` rows of the whole store behind a notification id, in order."""
        with self._translation:
            return self._recorder.notifications(after, limit)

    def last_notification(self) -> int:
        """The id of the newest row of the store, 0 if there is none."""
        with self._translation:
            return self._recorder.last_notification()

    def kept(self, view: str) -> Mapping[str, tuple[int, bytes]]:
        """The view that `keep` was given under that name of each encounter, with the version that it is of. Anybody
        with SQL may have changed it.
        """
        with self._translation:
            return self._recorder.kept(view)

    def keep(self, view: str, rows: Sequence[tuple[str, int, bytes]]) -> None:
        """Keep beside the log what a view says of encounters at some versions, which follows from their rows.

        Nothing is waited for, and nothing is kept where the store takes nothing now: locked, read-only, full.
        """
        with suppress(StoreUnusable), self._translation:
            self._recorder.keep(view, rows)

    def copy_into(self, target: Path, step: Callable[[int], None] = lambda _: None, *, name: str = "") -> None:
        """Copy all of it as it stands now, seeds too, into an empty file; `step` is told how many pages are left.

        Others may go on writing. What fails of the copy is told under its `name`, else that of the file.
        """
        with self._translation:
            copy_into(self.connections, target, step, name or str(target))

    def close(self) -> None:
        """Close the file; a store in memory is gone then."""
        with self._translation:
            self.connections.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"SQLiteStore({self.url!r})"

"""Abstract recorders and factory: the event-sourcing library's, extended by the needs of the log.

The log is in an SQLite file, in PostgreSQL, or on a service.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypedDict, Unpack

from eventsourcing.persistence import (
    ApplicationRecorder,
    InfrastructureFactory,
    Recorder,
    Tracking,
    TrackingRecorder,
)

from mam_events.errors import VersionConflict
from mam_events.store.rows import Notification, StoredEventRow
from mam_events.store.sqlite_schema import ruling_of

if TYPE_CHECKING:
    from mam_events.store.sqlite_subscription import PollingSubscription

_AT_ONCE = 200


class Span(TypedDict, total=False):
    """The requested events of an encounter.

    They come after version `gt`, up to version `lte`, the last first (`desc`), at most `limit`; None means no limit.
    """

    gt: int | None
    lte: int | None
    desc: bool
    limit: int | None


class EventRecorder(ApplicationRecorder):
    """The events of every encounter; every method raises StoreUnusable if the store can't be used."""

    lock: AbstractContextManager[object]
    """The lock held while writing."""

    @abstractmethod
    def insert_events(
        self, stored_events: Sequence[Any], *, seed: bytes | None = None, **kwargs: Any
    ) -> Sequence[int] | None:
        """Write all events of one encounter or none, durably, and return their notification ids.

        The secret `seed` of its dice (64 bytes) is written with them and replaces the previous one. Raises the
        library's IntegrityError if one of the events already exists.
        """

    @abstractmethod
    def select_rows(self, originator_id: Any, **span: Unpack[Span]) -> list[tuple[int, str, bytes]]:
        """Return the events of `select_events` as plain tuples of version, topic and state (JSON).

        Raises StoreUnusable for a name that could confuse a terminal, which is no name of an encounter.
        """

    def select_events(self, originator_id: Any, **span: Unpack[Span]) -> list[StoredEventRow]:  # type: ignore[override]  # returns plain tuples with the same fields
        """Return the events of an encounter in order of version."""
        return [StoredEventRow(originator_id, *row) for row in self.select_rows(originator_id, **span)]

    @abstractmethod
    def select_notifications(  # type: ignore[override]  # as above
        self,
        start: int | None,
        limit: int,
        stop: int | None = None,
        topics: Sequence[str] = (),
        *,
        inclusive_of_start: bool = True,
    ) -> list[Notification]:
        """Return at most `limit` events of the whole store from a notification id on, in order."""

    @abstractmethod
    def encounters_after(self, position: int, limit: int) -> tuple[list[str], int]:
        """Return the encounters of the next events after a notification id, and the id of the last of these events.

        At most `limit` events are read.
        """

    @abstractmethod
    def max_notification_id(self) -> int:
        """Return the id of the newest event of the store, 0 if there is none."""

    @abstractmethod
    def subscribe(self, gt: int | None = None, topics: Sequence[str] = ()) -> PollingSubscription:
        """Return a subscription to every event after a notification id, now and later."""

    def ruling_at(self, encounter: str, version: int) -> int:
        """Return the ruling that the row of that version belongs to, 0 before the first; raise VersionConflict."""
        before = version
        while rows := self.select_rows(encounter, lte=before, desc=True, limit=_AT_ONCE):
            if rows[0][0] != before:
                break
            if number := next(filter(None, (ruling_of(state) for _, _, state in rows)), 0):
                return number
            before = rows[-1][0] - 1
        if before == version and version:
            raise VersionConflict(f'"{encounter}" has no version {version} yet that another could follow.')
        return 0

    @abstractmethod
    def last_version(self, encounter: str) -> int:
        """Return the newest version of an encounter, 0 if there is none."""

    @abstractmethod
    def versions(self, *, last_played: bool = False) -> list[tuple[str, int]]:
        """Return every encounter with its newest version, the oldest first, or only the one last written to."""

    @abstractmethod
    def latest(self) -> str | None:
        """Return the encounter that was last written to."""

    @abstractmethod
    def strays(self) -> list[str]:
        """Return the rows and seeds that belong to no encounter, after looking at every row."""


class SeedRecorder(Recorder):
    """The secret seeds of the dice; they are written with the events that commit to them."""

    kept_here: ClassVar[bool] = True
    """True if the store has the seeds, if there are any."""

    @abstractmethod
    def get(self, encounter: str) -> bytes | None:
        """Return the seed of an encounter's dice, None if this store doesn't have it."""


class TokenRecorder(Recorder):
    """The access tokens for a service."""

    @abstractmethod
    def all(self) -> list[bytes]:
        """Return the last record given to `keep` for every token, in the order in which the tokens were made."""

    @abstractmethod
    def keep(self, token: str, encoded: bytes) -> None:
        """Store the record of the token with that id, replacing any previous one."""


class ProjectionRecorder(TrackingRecorder):
    """The recorder of one projection: a row of JSON per encounter, and the position in the store that they reflect."""

    projection: str = ""
    """The name of the projection; others in the same store have their own positions."""

    @abstractmethod
    def rows(self, encounters: Sequence[str] | None = None) -> Mapping[str, tuple[int, bytes]]:
        """Return the rows of those encounters, or of all, each with its version.

        Anyone with access to the database may have changed them.
        """

    @abstractmethod
    def keep(
        self,
        rows: Sequence[tuple[str, int, bytes]],
        tracking: Tracking | None = None,
        *,
        after: int | None = None,
        wait: bool = True,
    ) -> None:
        """Store rows (encounter, version, JSON) and their position, all in one transaction.

        Without `wait` it fails if another process is writing. Raises the library's IntegrityError if another process
        was first: the position is not lower than the new one, or is not the one that the rows were made `after` (0:
        none).
        """

    def insert_tracking(self, tracking: Tracking) -> None:
        """Store only a position."""
        self.keep((), tracking)

    def tracked(self, application_name: str) -> str:
        """Return the name of this projection in the table of all positions."""
        return f"{application_name}/{self.projection}" if self.projection else application_name


class EncounterFactory(InfrastructureFactory[Any]):
    """The factory of the recorders of one log."""

    label: str
    """The name of the log in errors."""
    url: str
    """The address that opens the log again."""
    path: Path | None = None
    """The file, as the caller named it; None for other stores."""

    @abstractmethod
    def application_recorder(self) -> EventRecorder:
        """Return the recorder of events."""

    @abstractmethod
    def seed_recorder(self) -> SeedRecorder:
        """Return the recorder of seeds."""

    @abstractmethod
    def token_recorder(self) -> TokenRecorder:
        """Return the recorder of tokens."""

    @abstractmethod
    def projection_recorder(self, projection: str) -> ProjectionRecorder:
        """Return the recorder of that projection."""

    @abstractmethod
    def forget(self) -> None:
        """Delete the rows and positions of every projection in this store, and the snapshots of encounters."""

    @abstractmethod
    def grouped(self) -> AbstractContextManager[None]:
        """Return a context manager that groups all writes of this thread into one transaction, durable at its end."""

    @abstractmethod
    def mark(self) -> int | None:
        """Return a number that changes with every write by anyone; None if only the store itself could tell."""

    def check(self) -> None:
        """Raise StoreUnusable if writes would be lost now."""

    @abstractmethod
    def copy_into(self, target: Path, step: Callable[[int], None] = lambda _: None, *, name: str = "") -> None:
        """Copy the whole store as it is now, with seeds, into an empty file, while others may go on writing.

        `step` is called with the number of pages left; errors call the file by `name`.
        """

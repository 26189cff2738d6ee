"""The recorders and the factory of the event-sourcing library, with what the log asks of them beyond that: in an SQLite
file, in PostgreSQL, or behind a service.
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
    """The events of an encounter that are asked for: behind version `gt`, up to version `lte`, the last first (`desc`),
    at most `limit` of them; None stands for no limit.
    """

    gt: int | None
    lte: int | None
    desc: bool
    limit: int | None


class EventRecorder(ApplicationRecorder):
    """The events of every encounter. Every method raises StoreUnusable where the store cannot be used."""

    lock: AbstractContextManager[object]
    """The lock of whoever writes."""

    @abstractmethod
    def insert_events(
        self, stored_events: Sequence[Any], *, seed: bytes | None = None, **kwargs: Any
    ) -> Sequence[int] | None:
        """Write all events of one encounter or none, durably, and return their notification ids.

        The secret `seed` of its dice (64 bytes) comes with them, in place of the one before. Raises the library's
        IntegrityError where one of them is there already.
        """

    @abstractmethod
    def select_rows(self, originator_id: Any, **asked: Unpack[Span]) -> list[tuple[int, str, bytes]]:
        """Return what `select_events` does as plain tuples of version, topic and state (JSON).

        Raises StoreUnusable for those under a name that could confuse a terminal, which is none of an encounter.
        """

    def select_events(self, originator_id: Any, **asked: Unpack[Span]) -> list[StoredEventRow]:  # type: ignore[override]  # plain tuples with the same fields
        """Return the events of an encounter in order of version."""
        return [StoredEventRow(originator_id, *row) for row in self.select_rows(originator_id, **asked)]

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
        """Return the encounters of at most so many events behind a notification id, and the id of the last of those."""

    @abstractmethod
    def max_notification_id(self) -> int:
        """Return the id of the newest event of the store, 0 if there is none."""

    @abstractmethod
    def subscribe(self, gt: int | None = None, topics: Sequence[str] = ()) -> PollingSubscription:
        """Return every event after a notification id, and those to come."""

    def ruling_at(self, encounter: str, version: int) -> int:
        """Return the ruling that the row of that version belongs to, 0 before the first; raises VersionConflict."""
        before = version
        while found := self.select_rows(encounter, lte=before, desc=True, limit=_AT_ONCE):
            if found[0][0] != before:
                break
            if number := next(filter(None, (ruling_of(state) for _, _, state in found)), 0):
                return number
            before = found[-1][0] - 1
        if before == version and version:
            raise VersionConflict(f'"{encounter}" has no version {version} yet that another could follow.')
        return 0

    @abstractmethod
    def last_version(self, encounter: str) -> int:
        """Return the newest version of an encounter, 0 if there is none."""

    @abstractmethod
    def versions(self, *, last_played: bool = False) -> list[tuple[str, int]]:
        """Return every encounter with its newest version, the oldest first, or the one that was written to last."""

    @abstractmethod
    def latest(self) -> str | None:
        """Return the encounter that was written to last."""

    @abstractmethod
    def strays(self) -> list[str]:
        """Return the rows and seeds in the store that are of no encounter; every row is looked at."""


class SeedRecorder(Recorder):
    """The secret seeds of the dice; they are written with the events that commit to them."""

    kept_here: ClassVar[bool] = True
    """True where the store has the seeds, if there are any."""

    @abstractmethod
    def get(self, encounter: str) -> bytes | None:
        """Return the seed of an encounter's dice, None if it is not here."""


class TokenRecorder(Recorder):
    """The tokens by which people come in through a service."""

    @abstractmethod
    def all(self) -> list[bytes]:
        """Return what `keep` was given last of every token, in the order in which they were made."""

    @abstractmethod
    def keep(self, token: str, said: bytes) -> None:
        """Keep what is said of the token of that id, in place of what was."""


class ViewRecorder(TrackingRecorder):
    """The view of one projection: a row of JSON for every encounter, and the position in the store that they are of."""

    projection: str = ""
    """The name of the projection; others in the same store have positions of their own."""

    @abstractmethod
    def rows(self, encounters: Sequence[str] | None = None) -> Mapping[str, tuple[int, bytes]]:
        """Return the rows of those encounters, or of all, each with the version that it is of; anybody with SQL may
        have changed them.
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
        """Keep rows (encounter, version, JSON) and their position, all in one transaction.

        A caller that does not `wait` fails where another process writes. Raises the library's IntegrityError where
        another process was first: the position is not lower than the new one, or is not the one that the rows were
        made `after` (0 stands for none).
        """

    def insert_tracking(self, tracking: Tracking) -> None:
        """Keep a position alone."""
        self.keep((), tracking)

    def tracked(self, application_name: str) -> str:
        """Return the name that positions of this projection have in the table of all of them."""
        return f"{application_name}/{self.projection}" if self.projection else application_name


class EncounterFactory(InfrastructureFactory[Any]):
    """The factory of the recorders of one log."""

    label: str
    """The name that errors have for the log."""
    url: str
    """The address that opens it again."""
    path: Path | None = None
    """The file, as it was named; None for any other place."""

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
    def view_recorder(self, projection: str) -> ViewRecorder:
        """Return the recorder of the view of that projection."""

    @abstractmethod
    def forget(self) -> None:
        """Let go of the rows and positions of every projection that has its rows here, and of the snapshots of
        encounters.
        """

    @abstractmethod
    def grouped(self) -> AbstractContextManager[None]:
        """Return a block in which everything that this thread writes is one transaction, durable at its end."""

    @abstractmethod
    def mark(self) -> int | None:
        """Return a number that is another one as soon as anything was written, by anybody; None where only the store
        itself could tell.
        """

    def check(self) -> None:
        """Raise StoreUnusable where what is written now would be lost."""

    @abstractmethod
    def copy_into(self, target: Path, step: Callable[[int], None] = lambda _: None, *, name: str = "") -> None:
        """Copy all of the store as it stands now, seeds too, into an empty file; `step` is told how many pages are
        left, errors call the file by `name`. Others may go on writing.
        """

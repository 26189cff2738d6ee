"""Recorders that read and write the rows of a service over HTTP, for the game master only."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, NoReturn, Unpack

from eventsourcing.persistence import IntegrityError

from mam_events.errors import NotFound, StoreUnusable, VersionConflict
from mam_events.store.persistence import (
    EncounterFactory,
    EventRecorder,
    ProjectionRecorder,
    SeedRecorder,
    Span,
    TokenRecorder,
)

if TYPE_CHECKING:
    from web.client.http import HttpClient


def _elsewhere(*_: object, **__: object) -> NoReturn:
    """Refuse an operation that no service offers."""
    raise StoreUnusable("Do this on the machine that has the store, not through its service.")


class RemoteEventRecorder(EventRecorder):
    """The events of each encounter at a service, which does not reveal their order across the whole store."""

    lock = nullcontext()  # The service has its own lock.

    def __init__(self, line: HttpClient) -> None:
        self._line = line

    def insert_events(self, stored_events: Sequence[Any], *, seed: bytes | None = None, **_: Any) -> None:
        """Send rows that were made here, which the service checks; it does not return their notification ids."""
        rows = [{"version": at, "topic": topic, "state": state.decode()} for _, at, topic, state in stored_events]
        path = f"/encounters/{stored_events[0].originator_id}/rows"
        try:
            self._line.post(path, {"rows": rows, "seed": seed.hex() if seed else ""}, {})
        except VersionConflict as error:
            raise IntegrityError(error) from error

    def select_rows(self, originator_id: Any, **span: Unpack[Span]) -> list[tuple[int, str, bytes]]:
        """Return the rows of an encounter, or none if it doesn't exist; only `gt` is passed to the service."""
        try:
            answer = self._line.get(f"/encounters/{originator_id}/rows", after=span.get("gt") or 0)
        except NotFound:
            return []
        rows = [(row["version"], row["topic"], row["state"].encode()) for row in answer]
        last = span.get("lte")
        rows = [row for row in rows if last is None or row[0] <= last]
        return rows[:: -1 if span.get("desc") else 1][: span.get("limit")]

    def last_version(self, encounter: str) -> int:
        """Return the newest version of an encounter, 0 if there is none."""
        return dict(self.versions()).get(encounter, 0)

    def versions(self, *, last_played: bool = False) -> list[tuple[str, int]]:
        """Return every encounter with its newest version, as `EventRecorder` says."""
        rows = self._line.get("/rows", order="played" if last_played else "")
        return [(one["encounter"], one["version"]) for one in rows]

    def latest(self) -> str | None:
        """Return the encounter that was written to last."""
        return next((encounter for encounter, _ in self.versions(last_played=True)), None)

    def strays(self) -> list[str]:
        """Return nothing, because only somebody with the file can look for rows without an encounter."""
        return []

    select_notifications = encounters_after = max_notification_id = subscribe = _elsewhere


class RemoteSeedRecorder(SeedRecorder):
    """The seeds of the dice, which never leave the machine of the store."""

    kept_here = False

    def get(self, encounter: str) -> None:
        """Return None, whatever the encounter."""


class RemoteTokenRecorder(TokenRecorder):
    """The tokens, which are made at the machine of the store."""

    all = keep = _elsewhere


class RemoteProjectionRecorder(ProjectionRecorder):
    """A recorder of a projection that stores nothing on this side."""

    def rows(self, encounters: Sequence[str] | None = None) -> dict[str, tuple[int, bytes]]:
        """Return nothing."""
        del encounters
        return {}

    def keep(self, rows: object, tracking: object = None, *, after: int | None = None, wait: bool = True) -> None:
        """Keep nothing."""

    def max_tracking_id(self, application_name: str) -> None:
        """Return None: there is no position."""


class Factory(EncounterFactory):
    """A factory for recorders that use a service."""

    def __init__(self, line: HttpClient) -> None:
        super().__init__({})
        self._line = line
        self.label = self.url = line.address

    def application_recorder(self) -> RemoteEventRecorder:
        """Return the recorder of events."""
        return RemoteEventRecorder(self._line)

    def projection_recorder(self, projection: str) -> RemoteProjectionRecorder:
        """Return the recorder of a view."""
        del projection
        return RemoteProjectionRecorder()

    def mark(self) -> None:
        """Return None, because only a request shows whether something was written."""

    def close(self) -> None:
        """Close all connections."""
        self._line.close()

    seed_recorder = RemoteSeedRecorder
    token_recorder = RemoteTokenRecorder
    grouped = nullcontext  # The service groups writes.
    aggregate_recorder = tracking_recorder = process_recorder = copy_into = forget = _elsewhere

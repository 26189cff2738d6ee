"""The rows of the store as plain tuples, one per event, in the shapes of the event-sourcing library."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from mam_events.events import Event
from mam_events.store.codec import decode


class StoredEventRow(NamedTuple):
    """An event with its place in the log: the library's domain event and stored event in one.

    The seal of a ruling covers the exact bytes of `state`, so they exist before the event is saved.
    """

    originator_id: str
    originator_version: int
    topic: str
    state: bytes

    @property
    def body(self) -> Event:
        """The event itself, decoded at first use; raises StoreUnusable as `decode` does."""
        return decode(self.topic, self.state)


# `Recorded._make` without its checks: the rows have three columns.
_recorded = partial(tuple.__new__, StoredEventRow)


class Notification(NamedTuple):
    """One stored event in the order of the whole store; ids rise, and are never reused."""

    id: int
    originator_id: str
    originator_version: int
    topic: str
    state: bytes


class EventRange:
    """The events of one encounter in their order.

    Iteration yields `StoredEventRow`s. A projector that doesn't need them uses `rows`, which follow the `snapshot` if
    there is one.
    """

    __slots__ = ("originator_id", "rows", "snapshot")

    def __init__(
        self, originator_id: str, rows: Sequence[tuple[int, str, bytes]], snapshot: StoredEventRow | None = None
    ) -> None:
        self.originator_id = originator_id
        self.rows = rows
        self.snapshot = snapshot

    def __iter__(self) -> Iterator[StoredEventRow]:
        return (StoredEventRow(self.originator_id, *row) for row in self.rows)


def build_events(encounter: str, rows: Sequence[tuple[int, str, bytes]]) -> list[StoredEventRow]:
    """Return the rows of an encounter as events that can be saved."""
    return [_recorded((encounter, *row)) for row in rows]

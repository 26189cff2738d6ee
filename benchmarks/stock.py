"""The same fight kept the way the library does it by default: an Aggregate with the JSON transcoder."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from uuid import UUID

import msgspec
from eventsourcing.application import Application
from eventsourcing.domain import Aggregate

from mam_events.events import TYPES, Event
from mam_events.state import EMPTY_ENCOUNTER, Encounter


class StockEncounter(Aggregate):
    """One encounter as an aggregate; each of its events carries one of our events and applies it."""

    class Opened(Aggregate.Created):
        """The event that creates the aggregate."""

    class EventRecorded(Aggregate.Event):
        """One event, as plain data."""

        tag: str
        body: dict[str, Any]

        def apply(self, aggregate: Aggregate) -> None:
            """Apply the carried event to the state."""
            assert isinstance(aggregate, StockEncounter)  # noqa: S101 - nothing else has such events
            aggregate.state = msgspec.convert(self.body, TYPES[self.tag]).apply(aggregate.state)

    def __init__(self) -> None:
        self.state = EMPTY_ENCOUNTER


class StockFight:
    """A fight in an SQLite file of the library."""

    def __init__(self, path: Path) -> None:
        env = {"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(path)}
        self._application = Application[UUID](env=env)
        self._encounter = StockEncounter()

    def save(self, events: Iterable[Event]) -> None:
        """Save the events of one command."""
        for event in events:
            self._encounter.trigger_event(
                StockEncounter.EventRecorded, tag=event.topic, body=msgspec.to_builtins(event)
            )
        self._application.save(self._encounter)

    def read(self) -> Encounter:
        """Read the fight from the file and return its state."""
        found: object = self._application.repository.get(self._encounter.id)
        assert isinstance(found, StockEncounter)  # noqa: S101 - nothing else was saved
        return found.state

    def __enter__(self) -> Self:
        self._application.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._application.__exit__(kind, error, trace)

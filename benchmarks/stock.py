"""The same fight kept as the library would out of the box: an Aggregate with the JSON transcoder."""

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
    """One encounter as an aggregate whose events carry one of ours each and apply it alike."""

    class Opened(Aggregate.Created):
        """The aggregate exists."""

    class EventRecorded(Aggregate.Event):
        """One event, as plain data."""

        tag: str
        body: dict[str, Any]

        def apply(self, aggregate: Aggregate) -> None:
            """Let the event change the state."""
            assert isinstance(aggregate, StockEncounter)  # noqa: S101 - nothing else has such events
            aggregate.state = msgspec.convert(self.body, TYPES[self.tag]).apply(aggregate.state)

    def __init__(self) -> None:
        self.state = EMPTY_ENCOUNTER


class StockFight:
    """A fight in an SQLite file of the library's own."""

    def __init__(self, path: Path) -> None:
        env = {"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(path)}
        self._application = Application[UUID](env=env)
        self._encounter = StockEncounter()

    def save(self, events: Iterable[Event]) -> None:
        """Write what one command brought."""
        for event in events:
            self._encounter.trigger_event(
                StockEncounter.EventRecorded, tag=event.topic, body=msgspec.to_builtins(event)
            )
        self._application.save(self._encounter)

    def read(self) -> Encounter:
        """The fight as its events leave it."""
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

"""The same facts kept as the library would out of the box: an Aggregate with the JSON transcoder."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import msgspec
from eventsourcing.application import Application
from eventsourcing.domain import Aggregate

from mam_events.events import TYPES, Event
from mam_events.state import UNOPENED


class StockEncounter(Aggregate):
    """One encounter as an aggregate whose events carry a fact each and apply it alike."""

    class Opened(Aggregate.Created):
        """The aggregate exists."""

    class FactRecorded(Aggregate.Event):
        """One fact, as plain data."""

        tag: str
        body: dict[str, Any]

        def apply(self, aggregate: Aggregate) -> None:
            """Let the fact change the state."""
            assert isinstance(aggregate, StockEncounter)  # noqa: S101 - nothing else has such events
            aggregate.state = msgspec.convert(self.body, TYPES[self.tag]).apply(aggregate.state)

    def __init__(self) -> None:
        self.state = UNOPENED


def record(path: str, facts: list[Event]) -> tuple[Application[UUID], UUID]:
    """The facts saved in an SQLite file of the library's own; returns the application and the aggregate's id."""
    application = Application[UUID](env={"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": path})
    encounter = StockEncounter()
    for fact in facts:
        encounter.trigger_event(StockEncounter.FactRecorded, tag=fact.topic, body=msgspec.to_builtins(fact))
    application.save(encounter)
    return application, encounter.id

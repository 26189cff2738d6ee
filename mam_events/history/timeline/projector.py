"""The projector of encounters for the event-sourcing library: from events and a snapshot to a timeline."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from mam_events.events import is_head
from mam_events.history.timeline.entries import StoredRow
from mam_events.history.timeline.timeline import Timeline
from mam_events.sanitize import is_clean_state
from mam_events.state import Encounter
from mam_events.store import EventRange, StoredEventRow, decoders
from mam_events.version import __version__


def project_timeline(timeline: Timeline | None, events: EventRange) -> Timeline | None:
    """Return the timeline extended by those events, as a copy if it is lent.

    None stands for an encounter without events. Raises TypeError for a row of another type, because it might be
    readable and fail later, and ValueError for characters that could confuse a terminal, which no log writes.
    """
    rows = events.rows
    if not rows:
        return timeline
    if not all(type(topic) is str and type(state) is bytes for _, topic, state in rows):
        raise TypeError("a row has a value of the wrong type")
    for version, _, state in rows:
        if not is_clean_state(state):
            raise ValueError(f"row {version} holds control characters")
    if timeline is None:
        resumed = _resume(events.originator_id, rows, events.snapshot)
        if resumed is not None:
            return resumed
        timeline = Timeline(decoders(), encounter=events.originator_id)
    timeline = timeline.own()
    timeline.extend(rows)
    return timeline


class TimelineSnapshot:
    """The state of the fight as an event that the library keeps beside the log, with the seal of its ruling.

    It is a cache: another version of the program ignores it.
    """

    topic = f"Snapshot.1/{__version__}"

    @classmethod
    def take(cls, aggregate: Timeline) -> StoredEventRow:
        """Return a snapshot of a timeline."""
        state = msgspec.json.encode((aggregate.seal, aggregate.state))
        return StoredEventRow(aggregate.id, aggregate.version, cls.topic, state)

    @staticmethod
    def read(snapshot: StoredEventRow) -> tuple[str, Encounter]:
        """Return the seal and the state in a snapshot; raise MsgspecError if it holds none."""
        return msgspec.json.decode(snapshot.state, type=tuple[str, Encounter])


def _resume(encounter: str, rows: Sequence[StoredRow], snapshot: StoredEventRow | None) -> Timeline | None:
    """Return a timeline of the rows that starts from the state of a snapshot, or None if the two do not fit."""
    version = snapshot.originator_version if snapshot else 0
    if snapshot is None or snapshot.topic != TimelineSnapshot.topic or not can_apply(rows, version):
        return None
    timeline = Timeline(decoders(), encounter=encounter)
    try:
        seal, fight = TimelineSnapshot.read(snapshot)
        timeline.extend(rows[:version], fight)
        if timeline.seal != seal:
            return None
        timeline.extend(rows[version:])
    except Exception:  # noqa: BLE001 - a broken snapshot is ignored, and the rows are read instead
        return None
    return timeline


def can_apply(rows: Sequence[StoredRow], version: int) -> bool:
    """Return True if a snapshot may have that version: all its rows exist, and the last one ends a ruling."""
    # Another program may have stored any value.
    if type(version) is not int:
        return False
    return len(rows) == version or (len(rows) > version and is_head(rows[version][1]))

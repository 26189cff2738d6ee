"""The rows of the store, as plain tuples: one per event."""

from __future__ import annotations

from typing import NamedTuple


class Row(NamedTuple):
    """One stored event of one encounter; versions count 1, 2, 3 … without a gap, `state` is JSON."""

    version: int
    topic: str
    state: bytes


class Notification(NamedTuple):
    """One stored event in the order of the whole store; ids rise, and are never used again."""

    id: int
    encounter: str
    version: int
    topic: str
    state: bytes


class Arrival(NamedTuple):
    """The place of one stored event in the order of the whole store, without what it says."""

    id: int
    encounter: str
    version: int

"""What each fact leaves behind: `evolve(state, event) -> state`. It records and judges nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from mam_events import events as e
from mam_events.encounter.steps import STEPS
from mam_events.state import Encounter


def evolve(state: Encounter, event: e.Event) -> Encounter:
    """The state after that fact."""
    return STEPS[type(event)](state, event)


def fold(state: Encounter, events: Iterable[e.Event]) -> Encounter:
    """The state after all those facts, in order."""
    for event in events:
        state = STEPS[type(event)](state, event)
    return state


def fold_rows(
    state: Encounter,
    rows: Sequence[tuple[int, str, bytes]],
    start: int,
    end: int,
    decoders: Mapping[str, Callable[[bytes], Any]],
) -> Encounter:
    """The state after the facts in `rows[start:end]`, each decoded and folded in one go: the hot loop of every load."""
    for _, topic, encoded in rows[start:end]:
        event = decoders[topic](encoded)
        state = STEPS[type(event)](state, event)
    return state

"""The places of rulings in a fight: inserts where they happened, remarks where they were made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mam_events.history.timeline.rulings import Ruling, rulings

if TYPE_CHECKING:
    from mam_events.history.timeline.timeline import Timeline
    from projections.visibility.redaction import Redactor


def placed_rulings(timeline: Timeline, redactor: Redactor) -> list[tuple[int, Ruling]]:
    """Return every ruling with its place, in order of number; a remark has the place of the latest play before it.

    A hidden ruling is placed like a remark, because its own place would reveal what it is about.
    """
    placements, at = [], 0
    for ruling in rulings(timeline):
        place = timeline.place.get(ruling.number) if redactor.shows(ruling) else None
        at = at if place is None else max(at, place)
        placements.append((at if place is None else place, ruling))
    return placements


def in_story_order(standing: list[tuple[int, Ruling]]) -> list[Ruling]:
    """Return the placed rulings in the order in which they happened."""
    return [ruling for _, ruling in sorted(standing, key=lambda one: one[0])]

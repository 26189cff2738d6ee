"""Rulings as the service tells them: as the audit does, with their events."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

from mam_events.events import Correction, Head, Note
from mam_events.rulings.history import Ruling, rulings
from mam_events.rulings.timeline import Timeline
from projections.audit import AuditEntry, entry_of
from projections.casebook import Casebook
from projections.screen import Screen


class RulingTold(AuditEntry, frozen=True, kw_only=True):
    """One ruling as the audit tells it, with its events as they are stored; each names its `topic`."""

    events: tuple[dict[str, Any], ...] = ()


def told_rulings(ruled: Sequence[Ruling], screen: Screen, about: Sequence[Ruling] = ()) -> list[RulingTold]:
    """Rulings in full; what they speak of is known where it is `about`."""
    found = []
    wanted = {ruling.number for ruling in ruled}
    casebook = Casebook(about or ruled, screen)
    for ruling in casebook.rulings:
        if ruling.number not in wanted:
            continue
        entry = entry_of(ruling, casebook)
        fields = {name: getattr(entry, name) for name in entry.__struct_fields__}
        events = () if entry.hidden else tuple({"topic": e.topic} | screen.plain(e) for e in ruling.events)
        found.append(RulingTold(**fields, events=events))
    return found


def since(timeline: Timeline, after: int, most: int | None = None) -> list[Ruling]:
    """The rulings behind that one, or so many of them, and those that they speak of, in order of number."""
    new = list(islice(rulings(timeline, after + 1), most))
    named = set().union(*(spoken_of(timeline, ruling.head) for ruling in new)) - {ruling.number for ruling in new}
    return [*(next(rulings(timeline, number)) for number in sorted(named)), *new]


def spoken_of(timeline: Timeline, head: Head) -> set[int]:
    """The rulings that a correction's steps name, and those that the ones it restores name; what a note is about."""
    found: set[int] = set()
    waiting = [head]
    while waiting:
        head = waiting.pop()
        if isinstance(head, Correction):
            named = {step.ruling for step in head.steps}
        elif isinstance(head, Note):
            named = {head.about, *head.corrections} - {0}
        else:
            named = set()
        waiting += (timeline.head(number) for number in named - found)
        found |= named
    return found

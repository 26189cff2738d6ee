"""Rulings as the service tells them: as the audit does, with their events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mam_events.rulings.history import Ruling
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

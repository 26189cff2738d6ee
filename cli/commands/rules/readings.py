"""House rules combined with their preset, and the places of errors in their file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mam_events.errors import Refused

if TYPE_CHECKING:
    from mam_events.fights import Overlay
    from mam_events.rules.rulebook import Rulebook


def readings_of(book: Rulebook, overlay: Overlay, house_rules: dict[str, str] | None = None) -> dict[str, str]:
    """Return the reading of each option; a refusal names its place in the file."""
    try:
        return book.ruleset(overlay.preset, overlay.house_rules | (house_rules or {})).pinned.readings
    except Refused as no:
        raise with_file_place(no, overlay.places, named_options=house_rules or {}) from None


def with_file_place(no: Refused, places: dict[str, str], named_options: dict[str, str]) -> Refused:
    """Return the refusal with its place in the file, unless it is about a field that was given on the command line."""
    place = next((places[field] for field in no.fields if field in places and field not in named_options), "")
    return no.at(place) if place else no

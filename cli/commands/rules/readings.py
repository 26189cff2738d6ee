"""House rules read together with their preset, and where in a file something is wrong with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mam_events.errors import Refused

if TYPE_CHECKING:
    from mam_events.fights import Overlay
    from mam_events.rules.rulebook import Rulebook


def readings_of(book: Rulebook, overlay: Overlay, house_rules: dict[str, str] | None = None) -> dict[str, str]:
    """The reading of every option; what is refused is told with its place in the file."""
    try:
        return book.ruleset(overlay.preset, overlay.house_rules | (house_rules or {})).pinned.readings
    except Refused as no:
        raise with_file_place(no, overlay.places, spoken=house_rules or {}) from None


def with_file_place(no: Refused, places: dict[str, str], spoken: dict[str, str]) -> Refused:
    """The refusal told with its place in the file, unless what it is about was spoken on the command line."""
    place = next((places[field] for field in no.fields if field in places and field not in spoken), "")
    return no.at(place) if place else no

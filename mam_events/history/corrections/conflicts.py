"""Overtaking: what is newer than the ruling that was taken for the newest, and in the way of what is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mam_events.events import Head, Note
from mam_events.history.timeline.rulings import visibility_now
from mam_events.visibility import GAME_MASTER, can_see

if TYPE_CHECKING:
    from mam_events.history.timeline.timeline import Timeline

_MOST_DIGITS = 9


def is_overtaken(timeline: Timeline, expected: int, view: str = GAME_MASTER, *, decides: int = 0) -> bool:
    """True where a ruling counts that is newer than that one, for somebody of that view.

    A remark changes no play, and does not count: else whoever remarks often would keep everybody from writing. But
    whoever `decides` a dispute has read what was said in it; and one that the view may not see counts, or its being
    none would tell a remark from a play.
    """

    def is_aside(head: Head) -> bool:
        if not isinstance(head, Note) or head.kind == "decision" or (decides and _is_about(timeline, head, decides)):
            return False
        return view == GAME_MASTER or can_see(view, visibility_now(timeline, head.ruling))

    return expected > timeline.number or not all(map(is_aside, reversed(timeline.heads[expected:])))


def _is_about(timeline: Timeline, head: Head, number: int) -> bool:
    """True of a note about that ruling, or about a note about it."""
    while isinstance(head, Note) and head.about and head.about != number:
        head = timeline.heads[head.about - 1]
    return isinstance(head, Note) and head.about == number


def is_expected(timeline: Timeline, expect: str, found: str, view: str) -> bool:
    """True where `found`, the `VERSION:DIGEST` of what would be done now, is what a preview named `expect`: the same
    digest, at a version that only remarks have followed.
    """
    version, _, digest = expect.partition(":")
    if digest != found.partition(":")[2] or not version.isdecimal() or len(version) > _MOST_DIGITS:
        return False
    return not is_overtaken(timeline, int(version), view)

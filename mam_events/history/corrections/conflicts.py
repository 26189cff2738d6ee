"""Write conflicts: rulings newer than the version that a writer expected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mam_events.events import Head, Note
from mam_events.history.timeline.rulings import visibility_now
from mam_events.visibility import GAME_MASTER, can_see

if TYPE_CHECKING:
    from mam_events.history.timeline.timeline import Timeline

_MOST_DIGITS = 9


def is_overtaken(timeline: Timeline, expected: int, view: str = GAME_MASTER, *, decides: int = 0) -> bool:
    """Return True if somebody with that view has not seen a ruling that counts, because it is newer than `expected`.

    A remark changes no play and does not count; otherwise frequent remarks would keep everybody from writing. But one
    who `decides` a dispute must have read what was said in it. A remark that the view may not see counts too, because a
    difference would tell a remark from a play.
    """

    def is_aside(head: Head) -> bool:
        if not isinstance(head, Note) or head.kind == "decision" or (decides and _is_about(timeline, head, decides)):
            return False
        return view == GAME_MASTER or can_see(view, visibility_now(timeline, head.ruling))

    return expected > timeline.number or not all(map(is_aside, reversed(timeline.heads[expected:])))


def _is_about(timeline: Timeline, head: Head, number: int) -> bool:
    """Return True for a note about that ruling, or about another note about it."""
    while isinstance(head, Note) and head.about and head.about != number:
        head = timeline.heads[head.about - 1]
    return isinstance(head, Note) and head.about == number


def is_expected(timeline: Timeline, expect: str, token: str, view: str) -> bool:
    """Return True if `token`, the `VERSION:DIGEST` of what would be done now, matches the one in `expect`.

    It matches if the digest is the same and only remarks have followed the expected version.
    """
    version, _, digest = expect.partition(":")
    if digest != token.partition(":")[2] or not version.isdecimal() or len(version) > _MOST_DIGITS:
        return False
    return not is_overtaken(timeline, int(version), view)

"""A cache of redactors, one for each encounter and view, which learn new rulings."""

from __future__ import annotations

from collections import OrderedDict

from mam_events.events import Note, Play
from mam_events.history.timeline.rulings import rulings
from mam_events.history.timeline.timeline import Timeline
from mam_events.visibility import GAME_MASTER
from projections.visibility.redaction import Redactor
from projections.visibility.viewer import Viewer

CACHE_SIZE = 500
"""The maximum number of cached redactors; the least recently used ones are dropped."""


class ViewCache:
    """A cache of redactors by encounter and view.

    A redactor grows with its timeline, so use both only under the lock of their encounter.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str], tuple[int, str, Redactor]] = OrderedDict()

    def viewer(self, encounter: str, view: str, timeline: Timeline) -> Viewer:
        """Return a viewer with that view, with a cached redactor if there is one."""
        if view == GAME_MASTER:
            return Viewer(view, timeline)
        number, seal, redactor = self._kept.pop((encounter, view), (0, "", None))
        if redactor is None or not _is_continuation(timeline, number, seal):
            redactor = Redactor(view, rulings(timeline))
        elif number < timeline.number:
            redactor.meet(rulings(timeline, number + 1))
        self._kept[encounter, view] = (timeline.number, timeline.seal, redactor)
        while len(self._kept) > CACHE_SIZE:
            self._kept.popitem(last=False)
        return Viewer(view, timeline, redactor)


def _is_continuation(timeline: Timeline, number: int, seal: str) -> bool:
    """Return True if only plays and notes in turn were added, because a correction may show or hide earlier rulings."""
    if not 0 < number <= timeline.number or timeline.heads[number - 1].seal != seal:
        return False
    since = timeline.heads[number:]
    return all(isinstance(head, Note) or (isinstance(head, Play) and not head.after) for head in since)

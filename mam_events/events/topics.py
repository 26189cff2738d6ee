"""Topics in all their versions: the kind of event that each is today, and the steps that lead there."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

from mam_events.errors import StoreUnusable
from mam_events.events.base import TYPES, Event
from mam_events.events.heads import Head, RulingMended, RulingRejudged


class Upcast(NamedTuple):
    """The way a row of a topic that is no longer written is read: as one of `topic`, the next, with `step`
    taken.

    `step` is pure: from the fields of the row, as JSON holds them, to those of the next topic.
    """

    topic: str
    step: Callable[[dict[str, Any]], dict[str, Any]]


UPCASTS: dict[str, Upcast] = {}
"""Topics that are no longer written; each leads on, in the end to one that is."""


@cache
def event_kind(topic: str) -> type[Event]:
    """The event of today that a row of that topic is; raises StoreUnusable for a topic that this program does not
    know.
    """
    today = topic
    while today in UPCASTS:
        today = UPCASTS[today].topic
    if today not in TYPES:
        raise StoreUnusable(
            f'There are events of the unknown kind "{topic}" in this log: it was written by a newer mam-events.'
        )
    return TYPES[today]


@cache
def is_head(topic: str) -> bool:
    """True if a ruling begins with such a row; raises StoreUnusable as `event_kind` does."""
    return issubclass(event_kind(topic), Head)


_LEADS = {kind.topic.partition(".")[0] for kind in (RulingMended, RulingRejudged)}


@cache
def is_bookkeeping(topic: str) -> bool:
    """Return True if a step of bookkeeping begins with such a row."""
    return topic.partition(".")[0] == RulingMended.topic.partition(".")[0]


@cache
def is_rejudgement(topic: str) -> bool:
    """True if the new outcome of an older ruling, or the bookkeeping before it, begins with such a row: from there on
    rows have its visibility and its salt.

    Asked of the name alone: seals are checked before anybody knows what the rows of a newer program mean.
    """
    return topic.partition(".")[0] in _LEADS


def brought_up(topic: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a row as its topic of today has them."""
    found = dict(fields)
    while topic in UPCASTS:
        topic, step = UPCASTS[topic]
        found = step(found)
    return found

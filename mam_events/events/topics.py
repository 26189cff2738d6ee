"""Topics in all their versions: the current kind of event for each, and the steps that convert old rows."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

from mam_events.errors import StoreUnusable
from mam_events.events.base import TYPES, Event
from mam_events.events.heads import Head, RulingMended, RulingRejudged


class Upcast(NamedTuple):
    """The conversion of a row whose topic is no longer written.

    `step` converts the fields of the row, as in JSON, to those of `topic`, the next version. It is pure.
    """

    topic: str
    step: Callable[[dict[str, Any]], dict[str, Any]]


UPCASTS: dict[str, Upcast] = {}
"""Topics that are no longer written; each leads to a newer one, and in the end to the current one."""


@cache
def event_kind(topic: str) -> type[Event]:
    """Return the current event class for rows of that topic; raise StoreUnusable for an unknown topic."""
    today = topic
    while today in UPCASTS:
        today = UPCASTS[today].topic
    if today not in TYPES:
        raise StoreUnusable(
            f'This log has events of the unknown kind "{topic}", which a newer mam-events wrote. Update mam-events.'
        )
    return TYPES[today]


@cache
def is_head(topic: str) -> bool:
    """Return True if a ruling begins with such a row; raise StoreUnusable as `event_kind` does."""
    return issubclass(event_kind(topic), Head)


_LEADS = {kind.topic.partition(".")[0] for kind in (RulingMended, RulingRejudged)}


@cache
def is_rejudgement(topic: str) -> bool:
    """Return True if such a row begins a re-judgement, or the bookkeeping before it.

    The rows from there on have its visibility and its salt. The name of the topic decides: seals are checked even if
    the rows of a newer program can't be decoded.
    """
    return topic.partition(".")[0] in _LEADS


def brought_up(topic: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Convert the fields of a row to those of its current topic."""
    upgraded = dict(fields)
    while topic in UPCASTS:
        topic, step = UPCASTS[topic]
        upgraded = step(upgraded)
    return upgraded

"""The base of every stored event: frozen, tagged with a topic that never changes, applied without rules."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from msgspec import Struct

if TYPE_CHECKING:
    from mam_events.state import Encounter

TYPES: dict[str, type["Event"]] = {}


class Event(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """Something that happened, in the past tense.

    `topic` is the storage format: a tag with a version, never a Python path. By default it is the name of the class and
    a version: `Name.1`. A class sets it for a later version, or when it has been renamed, because logs keep the old
    name. It is "" for base classes.

    `totals` names the fields that only inform: the state afterwards, the sums that led there, the number of a round or
    turn, words. Two events that differ only in these have the same dice, outcome and changes (the verdict `carried`). A
    part of an event may have its own `totals`.
    """

    topic: ClassVar[str]
    totals: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, **_: object) -> None:
        topic = cls.topic = cls.__dict__.get("topic", f"{cls.__name__}.1")
        if topic and TYPES.setdefault(topic, cls) is not cls:
            raise TypeError(f"two event types claim the topic {topic}")

    def apply(self, state: "Encounter") -> "Encounter":
        """Return the state after this event: it records, and judges nothing."""
        raise NotImplementedError  # subclasses define it


def fold(state: "Encounter", events: Iterable[Event]) -> "Encounter":
    """Return the state after all those events, in order."""
    for event in events:
        state = event.apply(state)
    return state


class InformationalEvent(Event, frozen=True):
    """An event that only informs and changes nothing in the state."""

    topic = ""

    def apply(self, state: "Encounter") -> "Encounter":
        return state

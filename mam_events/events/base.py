"""The base of every stored event: frozen, tagged with a topic that never changes, applied without the rules."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from msgspec import Struct

if TYPE_CHECKING:
    from mam_events.state import Encounter

TYPES: dict[str, type["Event"]] = {}


class Event(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """Something that happened, in the past tense.

    `topic` is the storage format: a tag with a version, never a Python path. It follows from the name of the class as
    `Name.1`; a class says it where its version is a later one, or where it has got another name, for logs keep the old.
    What only other events are made of has none ("").

    `totals` names the fields that only tell: how things stand afterwards, the sums that led there, the number of a
    round or turn, words. Two events that differ in nothing else have the same dice, outcome and changes (the verdict
    `carried`). A part of one may have its own.
    """

    topic: ClassVar[str]
    totals: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, **_: object) -> None:
        topic = cls.topic = cls.__dict__.get("topic", f"{cls.__name__}.1")
        if topic and TYPES.setdefault(topic, cls) is not cls:
            raise TypeError(f"two event types claim the topic {topic}")

    def apply(self, state: "Encounter") -> "Encounter":
        """The state that this event leaves behind: it records, and judges nothing."""
        raise NotImplementedError  # each event says it


def fold(state: "Encounter", events: Iterable[Event]) -> "Encounter":
    """The state after all those events, in order."""
    for event in events:
        state = event.apply(state)
    return state


class InformationalEvent(Event, frozen=True):
    """An event that is there to be told, and leaves everything as it was."""

    topic = ""

    def apply(self, state: "Encounter") -> "Encounter":
        return state

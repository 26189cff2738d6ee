"""Verdicts: the relation of an outcome that was judged again to the one on record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from mam_events.events import Event, RoundEnded, RulingRejudged, Verdict
from mam_events.refusals.arguments import Message
from mam_events.refusals.renderer import render_message

_Told = TypeVar("_Told", bound=Event)
_WHYS = ("why", "hindered")
"""The fields of events that hold reasons."""


class HasReason(Protocol):
    """Something that may be void for a reason, given as data or as a sentence."""

    @property
    def reason(self) -> Message | None:
        """The reason as data, or None if it is a sentence."""

    @property
    def why(self) -> str:
        """The reason as a sentence."""


def reason_words(verdict: HasReason) -> str:
    """Return the reason in words, as the game master sees it."""
    return render_message(verdict.reason) if verdict.reason else verdict.why


def is_same_reason(one: HasReason, other: HasReason) -> bool:
    """Return True if both are void for the same reason; if both reasons are data, their wording doesn't matter."""
    if one.reason and other.reason:
        return one.reason == other.reason
    return reason_words(one) == reason_words(other)


def is_void_as_before(recorded: RulingRejudged | None, verdict: HasReason, code: str) -> bool:
    """Return True if the record already says that a ruling is void for the same reason.

    The reason why nothing is drawn any more has other words if there never was a seed.
    """
    if recorded is None or recorded.verdict != "void" or recorded.code != code:
        return False
    return code == "no_draw" or is_same_reason(recorded, verdict)


def compare(recorded: tuple[Event, ...] | None, events: tuple[Event, ...]) -> Verdict:
    """Return the verdict on new events compared with those on record; None means that the record says void."""
    if recorded is None:
        return "changed"
    if recorded == events or (
        len(recorded) == len(events) and [*map(verdict_words, recorded)] == [*map(verdict_words, events)]
    ):
        return "stands"
    return (
        "carried"
        if [without_totals(event) for event in recorded] == [without_totals(event) for event in events]
        else "changed"
    )


def verdict_words(event: _Told) -> _Told:
    """Return an event with its reasons as sentences, as older logs have them."""
    fields = {name: getattr(event, name) for name in _WHYS if hasattr(event, name)}
    details = {name: render_message(why) if isinstance(why, Message) else why or None for name, why in fields.items()}
    return replace(event, **details) if details != fields else event


def compare_as_played(recorded: tuple[Event, ...] | None, events: tuple[Event, ...]) -> Verdict:
    """Return the verdict where turns are kept: if only another turn ends the round, the ruling is not changed."""
    verdict = compare(recorded, events)
    return "carried" if verdict == "changed" and recorded and differs_only_in_round_end(recorded, events) else verdict


def differs_only_in_round_end(before: Sequence[Event], now: Sequence[Event]) -> bool:
    """Return True if two outcomes differ only in that one of them ends the round."""
    groups = [
        [without_totals(event) for event in events if not isinstance(event, RoundEnded)] for events in (before, now)
    ]
    return groups[0] == groups[1] != [] and len(before) != len(now)


def without_totals(event: object) -> object:
    """Return an event, or a part of one, without its totals: its dice, its outcome and what it changed."""
    if isinstance(event, tuple):
        return tuple(map(without_totals, event))
    if not isinstance(event, Struct):
        return event
    totals = getattr(event, "totals", ())
    return (
        type(event),
        *(without_totals(getattr(event, name)) for name in event.__struct_fields__ if name not in totals),
    )

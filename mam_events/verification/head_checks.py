"""Checks of the heads of rulings: their time, their visibility, the rulings they are about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Annotated

import msgspec
from msgspec import Meta

from mam_events.errors import BadInput, Refused, VerificationFailed
from mam_events.events import (
    Branch,
    CombatantJoined,
    Correction,
    Event,
    Head,
    Note,
    Play,
    RulingMended,
    RulingRejudged,
    is_head,
)
from mam_events.history.corrections.corrections import sees_all
from mam_events.history.corrections.notes import check_note
from mam_events.history.timeline.note_targets import note_targets
from mam_events.verification.seal_chain import RulingRows
from mam_events.visibility import PUBLIC, check_visibility, narrowest

_Moment = Annotated[datetime, Meta(tz=True)]


def check_heads(parts: Sequence[RulingRows], decoded: Sequence[Sequence[Event | None]]) -> None:
    """Raise VerificationFailed for a ruling with an invalid head.

    These are invalid: a ruling without a head or with a second one, a command id that was used before, a time that is
    not UTC, a note that can't follow the previous rulings, or a ruling visible to more people than its command and what
    it is about. `decoded` are the events in the rows, None for hidden ones.
    """
    ids: dict[str, int] = {}
    views: dict[int, str] = {}
    heads: list[Head | None] = []
    disputes: dict[int, int] = {}
    for part, events in zip(parts, decoded, strict=True):
        number, head = part.number, events[0]
        if any(row.topic and is_head(row.topic) != bool(row.ruling) for row in part.rows):
            raise VerificationFailed(f"Ruling {number} is not one head with its events.")
        follows = events[1] if len(events) > 1 else None
        idle = not isinstance(follows, RulingMended | RulingRejudged) if isinstance(head, Correction) else True
        if follows is not None and isinstance(head, Note | Correction | Branch) and idle:
            raise VerificationFailed(f"Ruling {number} is not an order, but has events of its own.")
        if isinstance(head, Head):
            if head.id and ids.setdefault(head.id, number) != number:
                raise VerificationFailed(
                    f"Rulings {ids[head.id]} and {number} have the same command id, and this program never gives an id "
                    "to two rulings. Somebody added one of them."
                )
            if not _is_moment(head.at):
                raise VerificationFailed(f'Ruling {number} was given at "{head.at}", which is no time in UTC.')
            views[number] = head.visibility
        for event in events:
            if isinstance(event, _SEEN):
                _check_view(number, event, views)
        _check_outcomes(part, head)
        _check_bookkeeping(part, events)
        if isinstance(head, Note):
            _check_note(head, heads, disputes)
        heads.append(head if isinstance(head, Head) else None)


def _judges_others(head: Event | None) -> bool:
    """Return True if the ruling with that head can give other rulings new outcomes."""
    return isinstance(head, Correction) or (isinstance(head, Play) and head.after > 0)


def _check_outcomes(part: RulingRows, head: Event | None) -> None:
    """Raise VerificationFailed for a ruling that hides outcomes but can't have any, or the other way round."""
    if head is not None and _judges_others(head) != bool(part.rest or part.blinding):
        raise VerificationFailed(f"Ruling {part.number} does not hide the number of its outcomes, or has none to hide.")


def _check_bookkeeping(part: RulingRows, events: Sequence[Event | None]) -> None:
    """Check that bookkeeping is in a correction or an insert, before the new outcome of the ruling it is about."""
    number, head, pending = part.number, events[0], 0
    for event in events[1:]:
        if event is None:
            # The new outcome that belongs to the bookkeeping may be hidden.
            pending = 0
        elif isinstance(event, RulingMended | RulingRejudged):
            if pending not in (0, event.ruling) and not part.rest:
                break
            pending = event.ruling if isinstance(event, RulingMended) else 0
            if pending and not (head is None or _judges_others(head)):
                raise VerificationFailed(f"Ruling {number} has bookkeeping, but is neither a correction nor an insert.")
    if pending and not part.rest:
        raise VerificationFailed(f"Ruling {number} has bookkeeping of ruling {pending}, but no new outcome of it.")


def _check_note(note: Note, heads: Sequence[Head | None], disputes: dict[int, int]) -> None:
    if not 0 <= note.about <= len(heads):
        raise VerificationFailed(f"Ruling {note.ruling} is about {note.about}, which did not exist yet.")
    try:
        check_note(note, heads, disputes, sees_all, sees_all)
    except (BadInput, Refused) as no:
        raise VerificationFailed(f"Ruling {note.ruling} is impossible: {no.sentence}") from None
    disputes |= note_targets(note)


def _is_moment(text: str) -> bool:
    try:
        msgspec.convert(text, _Moment)
    except msgspec.ValidationError:
        return False
    return text.endswith("Z")


_SEEN = (Head, RulingMended, RulingRejudged, CombatantJoined)
"""The rows that have a visibility."""


def _check_view(number: int, event: Event | None, views: dict[int, str]) -> None:
    """Check the visibility of a row: a view, no wider than what the row is about, with a salt if it isn't public."""
    for visibility in _visibilities(event):
        try:
            check_visibility(visibility)
        except BadInput:
            raise VerificationFailed(f'Ruling {number} is visible to "{visibility}", which is no view.') from None
    if not isinstance(event, Head | RulingMended | RulingRejudged):
        return
    if narrowest(event.visibility, *_about(event, views)) != event.visibility:
        raise VerificationFailed(
            f"Ruling {number} is visible to more than what it is about. This program never writes that."
        )
    if not re.fullmatch("" if event.visibility == PUBLIC else "[0-9a-f]{32}", event.salt):
        raise VerificationFailed(f"Ruling {number} has no salt though it is hidden, or has one though it is not.")


def _visibilities(event: Event | None) -> Iterator[str]:
    if isinstance(event, CombatantJoined):
        yield event.combatant.visibility
    elif isinstance(event, Head | RulingMended | RulingRejudged):
        yield event.visibility


def _about(event: Head | RulingMended | RulingRejudged, views: dict[int, str]) -> Iterator[str]:
    """Yield the visibility of what a head or a judgement is about, unless that is hidden here."""
    if isinstance(event, Play):
        yield event.command.visibility
    elif isinstance(event, Correction):
        yield from (views.get(step.ruling, PUBLIC) for step in event.steps)
    elif isinstance(event, Note):
        yield views.get(event.about, PUBLIC)
    elif isinstance(event, RulingMended | RulingRejudged):
        yield views.get(event.ruling, PUBLIC)

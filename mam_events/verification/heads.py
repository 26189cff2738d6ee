"""The words of every ruling about itself: when it was given, who may see it, which other it is about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Annotated

import msgspec
from msgspec import Meta

from mam_events.errors import BadInput, VerificationFailed
from mam_events.events import CombatantJoined, Correction, Event, Head, Note, Play, RulingRejudged, is_head
from mam_events.verification.chain import Part
from mam_events.visibility import PUBLIC, check_visibility, narrowest

_Moment = Annotated[datetime, Meta(tz=True)]


def check_heads(parts: Sequence[Part], events: Sequence[Sequence[Event | None]]) -> None:
    """Raise VerificationFailed for a ruling that does not begin with a head or has another one, a command id that was
    used before, a time that is not UTC, or a ruling that more may see than its command and what it is about.

    `events` are the rows decoded, None where one is hidden.
    """
    ids: dict[str, int] = {}
    views: dict[int, str] = {}
    for part, facts in zip(parts, events, strict=True):
        number, head = part.number, facts[0]
        if any(row.topic and is_head(row.topic) != bool(row.ruling) for row in part.rows):
            raise VerificationFailed(f"Ruling {number} does not consist of one head and its facts.")
        follows = facts[1] if len(facts) > 1 else None
        idle = not isinstance(follows, RulingRejudged) if isinstance(head, Correction) else True
        if follows is not None and isinstance(head, Note | Correction) and idle:
            raise VerificationFailed(f"Ruling {number} is not a play, and yet has facts of its own.")
        if isinstance(head, Head):
            if head.id and ids.setdefault(head.id, number) != number:
                raise VerificationFailed(f"Rulings {ids[head.id]} and {number} have the same command id.")
            if not _is_moment(head.at):
                raise VerificationFailed(f'Ruling {number} was given at "{head.at}", which is no time in UTC.')
            views[number] = head.visibility
        for fact in facts:
            _check_view(number, fact, views)


def _is_moment(text: str) -> bool:
    try:
        msgspec.convert(text, _Moment)
    except msgspec.ValidationError:
        return False
    return text.endswith("Z")


def _check_view(number: int, fact: Event | None, views: dict[int, str]) -> None:
    """The visibility of a row is told as a view, no wider than what it is about; and what is not public has its
    salt.
    """
    for visibility in _visibilities(fact):
        try:
            check_visibility(visibility)
        except BadInput:
            raise VerificationFailed(f'Ruling {number} is for "{visibility}" to see, which is no view.') from None
    if not isinstance(fact, Head | RulingRejudged):
        return
    if narrowest(fact.visibility, *_about(fact, views)) != fact.visibility:
        raise VerificationFailed(f"Ruling {number} is for more to see than what it is about: no log writes that.")
    if not re.fullmatch("" if fact.visibility == PUBLIC else "[0-9a-f]{32}", fact.salt):
        raise VerificationFailed(f"Ruling {number} has no salt though it is hidden, or has one though it is not.")


def _visibilities(fact: Event | None) -> Iterator[str]:
    if isinstance(fact, CombatantJoined):
        yield fact.combatant.visibility
    elif isinstance(fact, Head | RulingRejudged):
        yield fact.visibility


def _about(fact: Head | RulingRejudged, views: dict[int, str]) -> Iterator[str]:
    """The visibility of what a head or a judgement is about, as far as that is not hidden here."""
    if isinstance(fact, Play):
        yield fact.command.visibility
    elif isinstance(fact, Correction):
        yield from (views.get(step.ruling, PUBLIC) for step in fact.steps)
    elif isinstance(fact, Note):
        yield views.get(fact.about, PUBLIC)
    elif isinstance(fact, RulingRejudged):
        yield views.get(fact.ruling, PUBLIC)

"""Every name that a log's facts hold, by the field it stands in: nobody and nothing is told of that never was there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, Literal, get_origin

from msgspec import Struct
from msgspec.structs import fields as fields_of

from mam_events.commands import Command
from mam_events.encounter.timeline import Timeline
from mam_events.errors import VerificationFailed
from mam_events.events import CombatantJoined, Event
from mam_events.state import BODY

COMBATANTS = frozenset(
    [
        "combatant",
        "combatants",
        "attacker",
        "target",
        "targets",
        "opponent",
        "partner",
        "thrown",
        "through",
        "by",
        "order",
        "first",
        "surprise",
        "advantaged",
        "surprised",
        "ahead",
        "behind",
        "after",
        "members",
        "no_turn",
        "lost",
        "mount",
        "riders",
        "vehicle",
        "driver",
        "held",
        "grappling",
        "held_down_by",
        "owner",
        "dominant_over",
        "roller",
    ]
)
"""Fields that name combatants, in whichever fact."""

THINGS = frozenset({"weapon", "drawn", "heaving", "dropped"})
"""Fields that name what somebody brought along."""

RULINGS = frozenset({"exchange", "action", "against", "counter"})
"""Fields that number an older ruling, or the fact's own."""


def check_names(timeline: Timeline) -> None:
    """Raise VerificationFailed for an order or a fact that names somebody who never joined, a thing that nobody brought
    along, or a ruling that was not there yet.
    """
    told = list(_told(timeline))
    joined = [fact.combatant for _, fact in told if isinstance(fact, CombatantJoined)]
    people = {one.id for one in joined}
    things = {BODY, *(thing.id for one in joined for thing in one.things)}
    for number, fact in told:
        for field, value in _named(fact):
            if isinstance(value, int):
                unknown = field in RULINGS and not 0 <= value <= number and value
            else:
                unknown = (field in COMBATANTS and value not in people) or (field in THINGS and value not in things)
            if unknown:
                raise VerificationFailed(
                    f'Ruling {number} tells of "{value}" ({type(fact).__name__}: {field}), which is not in the fight: '
                    "no log writes that."
                )


@cache
def _open_fields(kind: type[Struct]) -> tuple[tuple[str, Any], ...]:
    """The fields of a struct that may hold any name, each with its default; one with a few fixed values holds none."""
    return tuple((field.name, field.default) for field in fields_of(kind) if get_origin(field.type) is not Literal)


def _told(timeline: Timeline) -> Iterator[tuple[int, Event | Command]]:
    """Every order and every fact of the log with its ruling, also of what was struck or came out otherwise since."""
    for entry in timeline.entries.values():
        yield entry.head.ruling, entry.head.command
        for outcome in (entry.first, *entry.later):
            for fact in outcome.facts(timeline.decoders):
                yield outcome.by, fact


def _named(part: Any, field: str = "") -> Iterator[tuple[str, str | int]]:
    """Every text and number inside a fact, with the field it stands in; of a table its keys.

    A field with its default names nobody and nothing; one without any has to.
    """
    if isinstance(part, str) or type(part) is int:
        yield field, part
    elif isinstance(part, Struct):
        for name, default in _open_fields(type(part)):
            if (value := getattr(part, name)) != default:
                yield from _named(value, name)
    elif isinstance(part, dict):
        yield from ((field, key) for key in part)
    elif isinstance(part, Iterable):
        for inner in part:
            yield from _named(inner, field)

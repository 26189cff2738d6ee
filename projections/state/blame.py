"""All facts about a combatant as they stand, each with the ruling that last set it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from mam_events.history.timeline.timeline import Timeline
from mam_events.state import BODY, Combatant, Encounter
from mam_events.state.updates import ON_THE_GROUND
from mam_events.visibility import PUBLIC
from projections.analysis.attribute_history import CausingCorrection, corrections_of, state_changes
from projections.rulings.index import RulingIndex
from projections.rulings.log_lines import LogLine, log_line
from projections.state.activities import activities
from projections.state.attributes import attributes, shown_attributes
from projections.visibility.redaction import Redactor

Facts = dict[str, str]


class AttributeSource(Struct, frozen=True):
    """A fact about a combatant and its value, with the ruling that last set it.

    `value` is "" if the fact says it all. The ruling has its log line, author, time (UTC) and corrections; a hidden one
    has only its number.
    """

    fact: str
    value: str
    ruling: int
    line: LogLine
    by: str = ""
    at: str = ""
    corrected: tuple[CausingCorrection, ...] = ()


def attribute_sources(
    timeline: Timeline, index: RulingIndex, combatant: str, place: int
) -> tuple[AttributeSource, ...]:
    """Return all facts about a combatant up to a place in the living order, each with its source.

    `index` must have every ruling of the timeline.
    """
    facts: Facts = {}
    set_at: dict[str, int] = {}
    for at, after in state_changes(timeline, place):
        now = _facts(after, index.redactor, combatant)
        set_at = {fact: set_at[fact] if facts.get(fact) == value else at for fact, value in now.items()}
        facts = now
    return tuple(_blamed(fact, value, timeline.order[set_at[fact]], index) for fact, value in facts.items())


def _blamed(fact: str, value: str, number: int, index: RulingIndex) -> AttributeSource:
    ruling = index.ruling(number)
    assert ruling is not None  # noqa: S101 - the index has every ruling
    line = log_line(ruling, index)
    if line.hidden:
        return AttributeSource(fact, value, number, line)
    return AttributeSource(
        fact, value, number, line, ruling.head.by, ruling.head.at, tuple(corrections_of(ruling, index))
    )


def _facts(state: Encounter, redactor: Redactor, combatant: str) -> Facts:
    who = state.combatants.get(combatant)
    return dict(_all_of(who, state, redactor)) if who else {}


def _all_of(who: Combatant, state: Encounter, redactor: Redactor) -> Iterator[tuple[str, str]]:
    for name, value in shown_attributes(attributes(state, redactor)[who.id]).items():
        yield name.replace("_", " "), str(value)
    yield "side", who.side
    yield "is", who.condition
    if who.condition == "able" and who.status.position not in ON_THE_GROUND:
        yield "standing", ""
    for weapon in who.in_hand:
        if weapon.id != BODY:
            yield f"in hand: {redactor.text(weapon.name or weapon.id)}", ""
    for thing in who.dropped:
        yield f"dropped: {redactor.text(thing)}", ""
    for doing in activities(state, redactor).get(who.id, ()):
        yield doing.words, ""
    if redactor.everything and who.visibility != PUBLIC:
        yield "seen by", who.visibility

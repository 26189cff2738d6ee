"""The making of a number: the rulings that changed it, each with the change, so that all of them sum to it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from mam_events import events as e
from mam_events.dice import Die
from mam_events.history.timeline.entries import dice_of
from mam_events.history.timeline.rulings import Ruling
from mam_events.history.timeline.timeline import Timeline
from mam_events.state import Encounter
from projections.rulings.command_text import correction_sentence
from projections.rulings.index import RulingIndex
from projections.rulings.log_lines import LogLine, line_of
from projections.state.attributes import Attribute, attributes

_RULE = re.compile(r"\b(?:MAM|RD6)-[A-Z]+-[0-9A-Za-z]+")


class CausingCorrection(Struct, frozen=True):
    """A correction that gave a ruling its present form: its number, and the sentence of it with who and why."""

    ruling: int
    sentence: str


class AttributeChange(Struct, frozen=True):
    """One ruling that changed a number: by how much, to what `total`, its `line` in the log, its dice, the rules behind
    the change, and the corrections that made it so. Of a hidden one only number and change are told.
    """

    ruling: int
    change: Attribute
    total: Attribute
    line: LogLine
    dice: tuple[Die, ...] = ()
    rules: tuple[str, ...] = ()
    corrected: tuple[CausingCorrection, ...] = ()


class AttributeHistory(Struct, frozen=True):
    """A number of a combatant at a moment, and all that made it, in the order in which it happened; the changes sum to
    the `value`.
    """

    combatant: str
    name: str
    number: str
    value: Attribute
    changes: tuple[AttributeChange, ...]


def attribute_history(
    timeline: Timeline, casebook: RulingIndex, combatant: str, number: str, place: int
) -> AttributeHistory:
    """That number of that combatant just after a place in the living order, 0 where there is no such one.

    `casebook` has every ruling of the timeline.
    """
    found: list[AttributeChange] = []
    value: Attribute = 0

    def counted(state: Encounter) -> Attribute:
        return attributes(state, casebook.screen).get(combatant, {}).get(number, 0)

    for at, after in state_changes(timeline, place):
        now = counted(after)
        if now != value:
            ruling = casebook.ruling(timeline.order[at])
            assert ruling is not None  # noqa: S101 - the casebook has every ruling
            found.append(_changed(ruling, casebook, counted, now - value, now))
            value = now
    who = timeline.states[place].combatants.get(combatant)
    return AttributeHistory(combatant, who.name if who else combatant, number, value, tuple(found))


def state_changes(timeline: Timeline, place: int) -> Iterator[tuple[int, Encounter]]:
    """Every place up to that one at which the fight became another, with the fight after it."""
    before = timeline.state_before(0)
    for at in range(place + 1):
        after = timeline.states[at]
        if after is not before:
            yield at, after
        before = after


def _changed(
    ruling: Ruling,
    casebook: RulingIndex,
    counted: Callable[[Encounter], Attribute],
    change: Attribute,
    total: Attribute,
) -> AttributeChange:
    line = line_of(ruling, casebook)
    if line.hidden:
        return AttributeChange(ruling.number, change, total, line)
    return AttributeChange(
        ruling.number,
        change,
        total,
        line,
        tuple(die for event in ruling.events for die in dice_of(event)),
        tuple(dict.fromkeys(rule for event in _behind(ruling, counted) for rule in rules_of(event))),
        tuple(corrections_of(ruling, casebook)),
    )


def _behind(ruling: Ruling, counted: Callable[[Encounter], Attribute]) -> Iterator[e.Event]:
    """The events of a ruling that changed the number, and those that record rules: the rolls that led to them."""
    state, value = ruling.before, counted(ruling.before)
    for event in ruling.events:
        state = event.apply(state)
        now = counted(state)
        if now != value or any(_recorded(event)):
            yield event
        value = now


def rules_of(event: e.Event) -> Iterable[str]:
    """The rules that an event is of, as its own sentence names them, and those that it records."""
    yield from _RULE.findall((type(event).__doc__ or "").partition("\n\n")[0])
    yield from _recorded(event)


def _recorded(part: object) -> Iterator[str]:
    """The rules on record in an event or a part of one."""
    if isinstance(part, tuple):
        for one in part:
            yield from _recorded(one)
    elif isinstance(part, Struct):
        for field in part.__struct_fields__:
            value = getattr(part, field)
            if field == "rule" and value:
                yield value
            else:
                yield from _recorded(value)


def corrections_of(ruling: Ruling, casebook: RulingIndex) -> Iterator[CausingCorrection]:
    """The corrections in force that gave a ruling its present form, as far as the view may know of them."""
    amended = casebook.amended_by.get(ruling.number, []) if ruling.amended else []
    for number in sorted({*amended, *([ruling.changed_by] if ruling.changed_by else [])}):
        other = casebook.shown(number)
        if other is None:
            continue
        if isinstance(other.head, e.Correction):
            yield CausingCorrection(number, correction_sentence(other, casebook))
        else:
            yield CausingCorrection(number, line_of(other, casebook).text)

"""The history of an attribute: the rulings that changed it, each with its change; the changes sum to the value."""

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
from projections.rulings.log_lines import LogLine, log_line
from projections.state.attributes import Attribute, attributes

_RULE = re.compile(r"\b(?:MAM|RD6)-[A-Z]+-[0-9A-Za-z]+")


class CausingCorrection(Struct, frozen=True):
    """A correction that gave a ruling its present form: its number, and a sentence with its author and reason."""

    ruling: int
    sentence: str


class AttributeChange(Struct, frozen=True):
    """A ruling that changed an attribute: the `change`, the new `total` and the log `line`.

    It also has the dice, the rules that caused the change, and the corrections that gave the ruling its present form. A
    hidden ruling shows only its number and change.
    """

    ruling: int
    change: Attribute
    total: Attribute
    line: LogLine
    dice: tuple[Die, ...] = ()
    rules: tuple[str, ...] = ()
    corrected: tuple[CausingCorrection, ...] = ()


class AttributeHistory(Struct, frozen=True):
    """An attribute of a combatant at a moment, with all changes in story order; they sum to `value`."""

    combatant: str
    name: str
    number: str
    value: Attribute
    changes: tuple[AttributeChange, ...]


def attribute_history(
    timeline: Timeline, index: RulingIndex, combatant: str, number: str, place: int
) -> AttributeHistory:
    """Return the history of an attribute up to a place in the living order; the value is 0 if the attribute is missing.

    `index` must have every ruling of the timeline.
    """
    changes: list[AttributeChange] = []
    value: Attribute = 0

    def counted(state: Encounter) -> Attribute:
        return attributes(state, index.redactor).get(combatant, {}).get(number, 0)

    for at, after in state_changes(timeline, place):
        now = counted(after)
        if now != value:
            ruling = index.ruling(timeline.order[at])
            assert ruling is not None  # noqa: S101 - the index has every ruling
            changes.append(_changed(ruling, index, counted, now - value, now))
            value = now
    who = timeline.states[place].combatants.get(combatant)
    return AttributeHistory(combatant, who.name if who else combatant, number, value, tuple(changes))


def state_changes(timeline: Timeline, place: int) -> Iterator[tuple[int, Encounter]]:
    """Yield each place up to `place` at which the state changed, with the state after it."""
    before = timeline.state_before(0)
    for at in range(place + 1):
        after = timeline.states[at]
        if after is not before:
            yield at, after
        before = after


def _changed(
    ruling: Ruling,
    index: RulingIndex,
    value_of: Callable[[Encounter], Attribute],
    change: Attribute,
    total: Attribute,
) -> AttributeChange:
    line = log_line(ruling, index)
    if line.hidden:
        return AttributeChange(ruling.number, change, total, line)
    return AttributeChange(
        ruling.number,
        change,
        total,
        line,
        tuple(die for event in ruling.events for die in dice_of(event)),
        tuple(dict.fromkeys(rule for event in _relevant_events(ruling, value_of) for rule in rule_ids_of(event))),
        tuple(corrections_of(ruling, index)),
    )


def _relevant_events(ruling: Ruling, value_of: Callable[[Encounter], Attribute]) -> Iterator[e.Event]:
    """Yield the events of a ruling that changed the attribute, and those that record rules, such as rolls."""
    state, value = ruling.before, value_of(ruling.before)
    for event in ruling.events:
        state = event.apply(state)
        now = value_of(state)
        if now != value or any(_recorded(event)):
            yield event
        value = now


def rule_ids_of(event: e.Event) -> Iterable[str]:
    """Yield the rules of an event: those that the first paragraph of its docstring names, and those that it records."""
    yield from _RULE.findall((type(event).__doc__ or "").partition("\n\n")[0])
    yield from _recorded(event)


def _recorded(part: object) -> Iterator[str]:
    """Yield the rules that an event, or a part of one, records."""
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


def corrections_of(ruling: Ruling, index: RulingIndex) -> Iterator[CausingCorrection]:
    """Yield the corrections in force that gave a ruling its present form, as far as they are visible to the view."""
    amended = index.amended_by.get(ruling.number, []) if ruling.amended else []
    for number in sorted({*amended, *([ruling.changed_by] if ruling.changed_by else [])}):
        other = index.visible_ruling(number)
        if other is None:
            continue
        if isinstance(other.head, e.Correction):
            yield CausingCorrection(number, correction_sentence(other, index))
        else:
            yield CausingCorrection(number, log_line(other, index).text)

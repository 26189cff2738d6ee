"""One ruling judged again by itself, where it stands: under another reading of an option, or with another face of a
die; nothing is written, and what would have followed is left aside.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

from mam_events.dice import SIDES, Die
from mam_events.errors import Refused
from mam_events.rulings.changes import NOW
from mam_events.rulings.entries import dice_of
from mam_events.rulings.rejudging import Rejudged, judged_again
from mam_events.rulings.supposing import HypotheticalJudge
from mam_events.shapes import without_faces

if TYPE_CHECKING:
    from mam_events.events import Event
    from mam_events.rules.rulebook import Rulebook
    from mam_events.rulings.timeline import Timeline
    from mam_events.state import Encounter


class OtherReading(Struct, frozen=True):
    """An option in force and another reading of it, by which a ruling would have come out as `outcome`."""

    option: str
    reading: str
    outcome: Rejudged


class OtherFace(Struct, frozen=True):
    """A die on record and another face of it, by which a ruling would have had those events; none where it would have
    taken another die, or would not have been possible.
    """

    die: Die
    face: int
    events: tuple[Event, ...]
    state: Encounter


def stands(timeline: Timeline, rules: Rulebook, number: int) -> bool:
    """True if today's program finds of a living play what is on record."""
    entry, before = timeline.entries[number], timeline.state_before(timeline.place[number])
    if entry.outcome.void or before.ruleset is None:
        return False
    return judged_again(number, timeline, NOW, HypotheticalJudge(timeline, rules), before).verdict == "stands"


def other_readings(timeline: Timeline, rules: Rulebook, number: int) -> Iterator[OtherReading]:
    """Every reading of an option by which that ruling would have come out otherwise than on record, or not at all."""
    before = timeline.state_before(timeline.place[number])
    if before.ruleset is None:
        return
    for option, reading in rules.in_force(before.ruleset).items():
        for other in rules.options[option].readings:
            if other == reading:
                continue
            judge = HypotheticalJudge(timeline, rules, {option: other})
            try:
                judge.ruleset(before)
            except Refused:
                # It excludes another reading that is in force.
                continue
            found = judged_again(number, timeline, NOW, judge, before)
            if found.verdict in ("changed", "void"):
                yield OtherReading(option, other, found)


def dice_on_record(timeline: Timeline, number: int) -> dict[str, Die]:
    """The dice that count in that ruling as it now stands, by key, in the order in which they fell."""
    events = timeline.entries[number].outcome.events(timeline.decoders)
    return {die.key: die for event in events for die in dice_of(event)}


def other_faces(timeline: Timeline, rules: Rulebook, number: int) -> Iterator[OtherFace]:
    """Every other face of every die of that ruling with what would have come of it, the nearest face first."""
    before = timeline.state_before(timeline.place[number])
    if before.ruleset is None:
        return
    dice = dice_on_record(timeline, number)
    faces = {key: die.face for key, die in dice.items()}
    command = without_faces(timeline.command(number))
    judge = HypotheticalJudge(timeline, rules)
    for key, die in dice.items():
        for face in sorted(range(1, SIDES[die.kind] + 1), key=lambda one, fell=die.face: abs(one - fell)):  # type: ignore[misc]  # mypy knows no default of a lambda
            if face == die.face:
                continue
            judge.faces = faces | {key: face}
            try:
                judging = judge(before, command, number)
            except Refused:
                yield OtherFace(die, face, (), before)
                continue
            known = all(one.key in faces for event in judging.events for one in dice_of(event))
            yield OtherFace(die, face, tuple(judging.events) if known else (), judging.state)

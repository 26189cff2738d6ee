"""One ruling judged again by itself under another reading of an option.

Nothing is written, and later rulings are ignored.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

from mam_events.errors import Refused
from mam_events.history.judge.rejudge import rejudge_one
from mam_events.history.judge.rejudgement import RejudgedRuling
from mam_events.history.judge.what_if import HypotheticalJudge
from mam_events.history.timeline.change import NOW, SUPPOSED

if TYPE_CHECKING:
    from mam_events.history.timeline.timeline import Timeline
    from mam_events.rules.rulebook import Rulebook


class OtherReading(Struct, frozen=True):
    """An option in force and another reading of it, which gives a ruling that `outcome`."""

    option: str
    reading: str
    outcome: RejudgedRuling


def matches_record(timeline: Timeline, rules: Rulebook, number: int) -> bool:
    """Return True if today's program gives the recorded outcome for a living play."""
    entry, before = timeline.entries[number], timeline.state_before(timeline.place[number])
    if entry.outcome.is_void or before.ruleset is None:
        return False
    return rejudge_one(number, timeline, NOW, HypotheticalJudge(timeline, rules), before).verdict == "stands"


def other_readings(timeline: Timeline, rules: Rulebook, number: int) -> Iterator[OtherReading]:
    """Yield every reading of an option that gives that ruling another outcome than on record, or none."""
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
                # This reading excludes another one that is in force.
                continue
            rejudged = rejudge_one(number, timeline, SUPPOSED, judge, before)
            if rejudged.verdict in ("changed", "void"):
                yield OtherReading(option, other, rejudged)

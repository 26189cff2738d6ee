"""What a correction or an insert would do, with nothing written and no die shown that is not in the log."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import msgspec

from mam_events.answers import Preview
from mam_events.encounter.corrections import check_amended, check_anchor, check_steps
from mam_events.encounter.evolve import fold
from mam_events.encounter.rejudging import rejudge
from mam_events.events import Correction, Play, Restore

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mam_events.commands import Command
    from mam_events.encounter.rejudging import Rejudged
    from mam_events.encounter.timeline import Change, Timeline
    from mam_events.events import Step
    from mam_events.judge import EncounterJudge


def preview(encounter: str, judge: EncounterJudge, steps: Sequence[Step]) -> Preview:
    """What those steps would do, with the digest that names exactly this; raises as `check_steps` does."""
    timeline = judge.timeline
    check_steps(timeline, steps)
    head = Correction(ruling=timeline.number + 1, at="", by="", seal="", steps=tuple(steps))
    change = timeline.plan(head)
    found = rejudge(timeline, change, judge.without_drawing())
    check_amended(steps, found)
    if any(isinstance(step, Restore) for step in steps):
        touches_more = any(_played_since(timeline, step.ruling) for step in steps)
    else:
        named = {step.ruling for step in steps}
        touches_more = any(entry.ruling not in named for entry in found) or _unknown(timeline, change, found)
    expect = f"{timeline.number}:{_digest(steps, found)}"
    return _preview(encounter, timeline, change, found, expect=expect, touches_more=touches_more)


def preview_insert(encounter: str, judge: EncounterJudge, command: Command, after: int) -> Preview:
    """What a play inserted behind `after` would do to those that stand after it; raises as its execution would."""
    timeline = judge.timeline
    check_anchor(timeline, after)
    number = timeline.number + 1
    new = Play(ruling=number, at="", by="", seal="", command=command, after=after)
    change = timeline.plan(new)
    found = rejudge(timeline, change, judge.without_drawing(), new=command)
    otherwise = any(entry.verdict != "stands" for entry in found[1:]) or _unknown(timeline, change, found)
    return _preview(encounter, timeline, change, found, expect="", touches_more=otherwise)


def _preview(
    encounter: str, timeline: Timeline, change: Change, found: Sequence[Rejudged], *, expect: str, touches_more: bool
) -> Preview:
    state = None
    if not any(entry.undrawn for entry in found):
        state = timeline.state_before(change.first)
        for entry in found:
            state = fold(state, entry.facts)
    known = [n for n in change.order if n in timeline.entries]
    return Preview(
        encounter,
        first=change.order[change.first] if change.first < len(change.order) else 0,
        rejudged=tuple(entry for entry in found if entry.ruling in timeline.entries),
        struck=tuple(n for n in known if timeline.lives(n) and not timeline.lives_after(change, n)),
        restored=tuple(n for n in known if not timeline.lives(n) and timeline.lives_after(change, n)),
        expect=expect,
        state=state,
        touches_more=touches_more,
    )


def _unknown(timeline: Timeline, change: Change, found: Sequence[Rejudged]) -> bool:
    """Whether rulings stand behind a die that is not drawn yet, so that nobody can tell what becomes of them."""
    if not found or not found[-1].undrawn:
        return False
    at = change.order.index(found[-1].ruling)
    return any(timeline.lives_after(change, number) for number in change.order[at + 1 :])


def _digest(steps: Sequence[Step], found: Sequence[Rejudged]) -> str:
    canonical = msgspec.json.encode(
        [steps, [[r.ruling, r.verdict, r.why, r.undrawn, [[f.topic, f] for f in r.facts]] for r in found]]
    )
    return hashlib.sha256(canonical).hexdigest()[:12]


def _played_since(timeline: Timeline, number: int) -> bool:
    """Whether any play that lives was made after that ruling."""
    return any(other in timeline.entries and timeline.lives(other) for other in range(number + 1, timeline.number + 1))

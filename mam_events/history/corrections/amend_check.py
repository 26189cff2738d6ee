"""The check that an amendment is possible; it reveals nothing about dice that are not in the log."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from mam_events.dice import SIDES, read_key
from mam_events.errors import Refused
from mam_events.history.judge.rejudge import rejudge
from mam_events.history.judge.rejudgement import RejudgedRuling
from mam_events.history.timeline.change import Change
from mam_events.history.timeline.timeline import Timeline
from mam_events.refusals.arguments import RulingArgument, TextArgument, text_fragment

if TYPE_CHECKING:
    from mam_events.history.judge.judge import EncounterJudge

MAX_JUDGED = 50_000
"""The number of rulings judged and dice asked for before the effect of undrawn dice on an amendment is left open."""


def check_amendment(
    timeline: Timeline, change: Change, judge: EncounterJudge, rejudged: Sequence[RejudgedRuling]
) -> None:
    """Raise Refused if an amendment makes its own ruling impossible, with the reason.

    `rejudged` was judged without drawing. If undrawn dice come before that ruling, every face of them is tried. The
    amendment is refused if it is impossible for all of them; otherwise it may turn out void once they are drawn. So the
    answer doesn't depend on what they will show. If there are too many cases to try, it is refused with
    `too_many_dice_open`.
    """
    amended = change.amends
    for entry in rejudged:
        if entry.ruling in amended and entry.code:
            raise _refused(entry)
    if not (rejudged and rejudged[-1].undrawn and amended.difference(entry.ruling for entry in rejudged[:-1])):
        return
    refused: RejudgedRuling | None = None
    for tried in _ways(timeline, change, judge, rejudged):
        refused = next((entry for entry in tried if entry.ruling in amended and entry.code), None)
        if refused is None:
            return
    if refused:
        raise _refused(refused, whatever_falls=True)


def _refused(entry: RejudgedRuling, *, whatever_falls: bool = False) -> Refused:
    """Return the refusal of an amended ruling, with the reason why it is void."""
    reason = entry.reason or TextArgument(entry.why)
    clauses = text_fragment(
        "so_amended/whatever" if whatever_falls else "so_amended", number=RulingArgument(entry.ruling), reason=reason
    )
    return Refused.saying(entry.code, clauses, rule=entry.rule)


def _ways(
    timeline: Timeline, change: Change, judge: EncounterJudge, rejudged: Sequence[RejudgedRuling]
) -> Iterator[list[RejudgedRuling]]:
    """Yield the rulings up to the last amended one, judged for every outcome of the undrawn dice.

    Raises Refused with `too_many_dice_open` after `MAX_JUDGED` rulings and dice.
    """
    last = max(change.place_of(number, timeline.place) for number in change.amends)
    near = replace(change, order=change.order[: last + 1])
    waiting: list[dict[str, int]] = [{}]
    patience = MAX_JUDGED
    while waiting and patience > 0:
        faces = waiting.pop()
        supposing = judge.supposing(faces)
        tried = rejudge(timeline, near, supposing, known=rejudged[:-1])
        patience -= len(tried) - len(rejudged) + 1 + supposing.asked
        if missing := tried[-1].undrawn:
            sides = SIDES[read_key(missing).kind]
            # Each die begins with another face: if all dice showed the same face, ties and exploding dice would never
            # end.
            first = len(faces) + 1
            waiting += [{**faces, missing: (first + turn) % sides + 1} for turn in reversed(range(sides))]
        else:
            yield tried
    if waiting:
        raise Refused("too_many_dice_open", number=RulingArgument(change.order[last]))

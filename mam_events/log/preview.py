"""Previews of corrections and inserts; they write nothing and show no die that is not in the log."""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from mam_events.dice import SIDES, Die, read_key
from mam_events.events import Correction, Play, Restore, Step, TurnPolicy
from mam_events.history.corrections.amend_check import check_amendment
from mam_events.history.corrections.corrections import SeesRuling, check_place, check_steps, named_steps
from mam_events.history.judge.rejudge import rejudge, with_causes
from mam_events.history.judge.rejudgement import RejudgedRuling
from mam_events.history.timeline.change import Change
from mam_events.history.timeline.entries import dice_of
from mam_events.log.results import Preview
from mam_events.visibility import PUBLIC

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from mam_events.history.judge.judge import EncounterJudge
    from mam_events.history.timeline.timeline import Timeline


def preview_correction(
    encounter: str,
    judge: EncounterJudge,
    steps: Sequence[Step],
    on_progress: Callable[[], object],
    sees: SeesRuling,
    turns: TurnPolicy = "as_played",
) -> Preview:
    """Return the effect of those steps, with the digest that names exactly this result.

    It is shown to someone who `sees` some rulings. `on_progress` is called once per judged ruling. Raises as
    `check_steps` does.
    """
    timeline = judge.timeline
    check_steps(timeline, steps)
    all_steps = named_steps(timeline, steps)
    head = Correction(ruling=timeline.number + 1, at="", by="", seal="", steps=all_steps, turns=turns)
    change, rejudged = judge.foresee(head, keep=True, on_progress=on_progress)
    check_amendment(timeline, change, judge, rejudged)
    expect = expect_token(timeline, head, rejudged)
    rejudged = _visible_rejudgements(judge, change, rejudged, sees)
    result = _preview(encounter, timeline, change, rejudged, expect)
    if any(isinstance(step, Restore) for step in steps):
        differs = _differs(result, sees) or _is_unknown(timeline, change, rejudged)
        touches_more = differs and any(_has_play_since(timeline, step.ruling) for step in steps)
    else:
        own = {step.ruling for step in steps}
        touches_more = any(number not in own for number in _living(timeline, change, change.first))
    return mark_rule_changes(judge, replace(result, touches_more=touches_more))


def preview_insert(
    encounter: str,
    judge: EncounterJudge,
    new: Play,
    on_progress: Callable[[], object],
    sees: SeesRuling,
) -> Preview:
    """Return the effect of a new play on those after it, for someone who `sees` some of them.

    Raises as its execution would. `on_progress` is called once per judged ruling.
    """
    timeline = judge.timeline
    check_place(timeline, new.after)
    change, rejudged = judge.foresee(new, keep=True, on_progress=on_progress)
    expect = expect_token(timeline, new, rejudged)
    rejudged = _visible_rejudgements(judge, change, rejudged, sees)
    result = _preview(encounter, timeline, change, rejudged, expect)
    return mark_rule_changes(
        judge, replace(result, touches_more=_differs(result, sees) or _is_unknown(timeline, change, rejudged))
    )


def _visible_rejudgements(
    judge: EncounterJudge, change: Change, rejudged: list[RejudgedRuling], sees: SeesRuling
) -> list[RejudgedRuling]:
    """Return the judgements for someone who `sees` some of them.

    For a die that a hidden ruling lacks, a face is made up: otherwise the place where a preview ends would reveal which
    ruling lacks one.
    """
    faces: dict[str, int] = {}
    while (
        rejudged
        and rejudged[-1].undrawn
        and rejudged[-1].ruling in judge.timeline.entries
        and not sees(rejudged[-1].ruling)
    ):
        # If all dice showed the same face, ties might never end.
        faces[rejudged[-1].undrawn] = len(faces) % SIDES[read_key(rejudged[-1].undrawn).kind] + 1
        rejudged = rejudge(judge.timeline, change, judge.supposing(faces), known=rejudged[:-1], settling=True)
    return rejudged


def _differs(preview: Preview, sees: SeesRuling) -> bool:
    """Return True if a ruling has another outcome, as far as the reader may know; a hidden one may always have."""
    return any(
        entry.verdict != "stands"
        or not sees(entry.ruling)
        or (entry.kept_otherwise and any(step.visibility == PUBLIC for step in entry.bookkeeping))
        for entry in preview.rejudged
    )


def _preview(
    encounter: str, timeline: Timeline, change: Change, rejudged_rulings: Sequence[RejudgedRuling], expect: str
) -> Preview:
    # After the last judged ruling, the fight stands as recorded.
    place = change.place_of(rejudged_rulings[-1].ruling, timeline.place) + 1 if rejudged_rulings else change.first
    undrawn = bool(rejudged_rulings and rejudged_rulings[-1].undrawn)
    standing = [] if undrawn else list(_living(timeline, change, place))
    state = (
        timeline.state
        if standing
        else rejudged_rulings[-1].state
        if rejudged_rulings
        else timeline.state_before(change.first)
    )
    rejudged = (
        *with_causes(timeline, change, rejudged_rulings),
        *(RejudgedRuling(number, "stands") for number in standing),
    )
    touched = sorted(change.touched, key=timeline.place.__getitem__)
    return Preview(
        encounter,
        first=change.order[change.first] if change.first < len(change.order) else 0,
        rejudged=tuple(entry for entry in rejudged if entry.ruling in timeline.entries),
        struck=tuple(n for n in touched if timeline.lives(n) and not timeline.lives(n, change)),
        restored=tuple(n for n in touched if not timeline.lives(n) and timeline.lives(n, change)),
        expect=expect,
        state=None if undrawn else state,
        touches_more=False,
        unused=tuple(_unused(timeline, change, rejudged_rulings)),
    )


def _unused(timeline: Timeline, change: Change, rejudged: Sequence[RejudgedRuling]) -> Iterator[Die]:
    """Yield the dice on record that the undone or changed rulings would no longer use, or would draw again."""
    # A ruling with an undrawn die may still use its other dice.
    lacking = rejudged[-1] if rejudged and rejudged[-1].undrawn else None
    used = {die.key for entry in rejudged for event in entry.events for die in dice_of(event)}
    struck_numbers = {number for number in change.touched if not timeline.lives(number, change)}
    again = struck_numbers | {entry.ruling for entry in rejudged}
    for number in sorted(number for number in again if number in timeline.entries and timeline.lives(number)):
        for event in timeline.entries[number].outcome.events(timeline.decoders):
            for die in dice_of(event):
                if die.key == lacking.undrawn if lacking and number == lacking.ruling else die.key not in used:
                    yield die


def mark_rule_changes(judge: EncounterJudge, preview: Preview) -> Preview:
    """Return the preview with the rulings marked that newer rules of the program change without any correction.

    To find them, the rulings up to the last changed one are judged once more as they stand.
    """
    timeline = judge.timeline
    places = [timeline.place[entry.ruling] for entry in preview.rejudged if entry.verdict in ("changed", "void")]
    if not places:
        return preview
    now = Change(min(places), max(places), timeline.order[: max(places) + 1])
    control = rejudge(timeline, now, judge.without_drawing())
    return replace(preview, moved_on=tuple(entry.ruling for entry in control if entry.verdict != "stands"))


def _living(timeline: Timeline, change: Change, place: int) -> Iterator[int]:
    """Return the plays from that place on that would count."""
    numbers = (change.order[at] for at in range(place, len(change.order)))
    return (number for number in numbers if timeline.lives(number, change))


def _is_unknown(timeline: Timeline, change: Change, rejudged: Sequence[RejudgedRuling]) -> bool:
    """Return True if rulings come after a die that is not drawn yet, so that their outcome is unknown."""
    if not rejudged or not rejudged[-1].undrawn:
        return False
    return any(_living(timeline, change, change.place_of(rejudged[-1].ruling, timeline.place) + 1))


def expect_token(timeline: Timeline, head: Play | Correction, rejudged: Sequence[RejudgedRuling]) -> str:
    """Return `VERSION:DIGEST`: the newest ruling before that head, and a digest of the request and all its effects.

    The digest is keyed with the salts of hidden rulings, so that nobody can guess these by trying out digests.
    """
    key = "".join(timeline.salts).encode()
    request_parts = head.steps if isinstance(head, Correction) else (head.command, head.after)
    outcomes = [
        [r.ruling, r.verdict, r.why, r.undrawn, r.bookkeeping, [[f.topic, f] for f in r.events]] for r in rejudged
    ]
    canonical = msgspec.json.encode([request_parts, head.turns, outcomes])
    return f"{timeline.number}:{hmac.digest(key, canonical, 'sha256').hex()[:12]}"


def _has_play_since(timeline: Timeline, number: int) -> bool:
    """Return True if any living play was made after that ruling."""
    return any(other in timeline.entries and timeline.lives(other) for other in range(number + 1, timeline.number + 1))

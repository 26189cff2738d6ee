"""The preview of several orders inserted together, one after another."""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from mam_events.history.judge.rejudge import rejudge, with_causes
from mam_events.history.judge.rejudgement import RejudgedRuling
from mam_events.history.timeline.change import Change
from mam_events.history.timeline.entries import BookkeepingEntry, dice_of
from mam_events.log.preview import mark_rule_changes
from mam_events.log.results import Preview

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mam_events.dice import Die
    from mam_events.events import TurnPolicy
    from mam_events.history.judge.judge import EncounterJudge
    from mam_events.history.timeline.timeline import Timeline


class Inserts(Struct, frozen=True):
    """Orders inserted one after another, after a play.

    `outcomes` end at the first missing die, and `undrawn` is its key ("": none is missing).
    """

    after: int
    turns: TurnPolicy
    outcomes: tuple[RejudgedRuling, ...]
    undrawn: str = ""


def preview_inserts(encounter: str, judge: EncounterJudge, new: Inserts) -> Preview:
    """Return the effect of those orders on the rulings after them, without showing dice that are not in the log."""
    timeline = judge.timeline
    at = timeline.place_after(new.after)
    order = [*timeline.order[:at], *(entry.ruling for entry in new.outcomes), *timeline.order[at:]]
    later = [number for number in timeline.order[at:] if timeline.lives(number)]
    rejudged: list[RejudgedRuling] = []
    if not new.undrawn:
        last = new.outcomes[-1]
        change = Change(at + len(new.outcomes) - 1, len(order), order, new=last.command, turns=new.turns)
        judged = rejudge(timeline, change, judge.without_drawing(), known=new.outcomes)
        rejudged = list(with_causes(timeline, replace(change, first=at), judged))[len(new.outcomes) :]
    undrawn = bool(new.undrawn or (rejudged and rejudged[-1].undrawn))
    unknown = undrawn and (not rejudged or rejudged[-1].ruling != later[-1])
    preview = Preview(
        encounter,
        first=later[0] if later else 0,
        rejudged=tuple(rejudged),
        struck=(),
        restored=(),
        expect=_expectation(timeline, new, rejudged),
        state=None if undrawn else (rejudged or new.outcomes)[-1].state,
        touches_more=bool(later) and (unknown or any(_is_changed(timeline, entry) for entry in rejudged)),
        unused=tuple(_unused(timeline, rejudged)),
    )
    return mark_rule_changes(judge, preview)


def _is_changed(timeline: Timeline, entry: RejudgedRuling) -> bool:
    """Return True if a ruling has another outcome, or needs new bookkeeping."""
    recorded = timeline.entries[entry.ruling].outcome.bookkeeping(timeline.decoders)
    new = {_bare(step) for step in entry.bookkeeping} - {_bare(step) for step in recorded}
    return entry.verdict != "stands" or bool(new)


def _bare(step: BookkeepingEntry) -> tuple[str, str, int, int]:
    return step.what, step.combatant, step.exchange, step.round


def _unused(timeline: Timeline, rejudged: Sequence[RejudgedRuling]) -> Iterator[Die]:
    """Yield the dice on record that nothing would use any more."""
    used = {die.key for entry in rejudged for event in entry.events for die in dice_of(event)}
    for entry in rejudged:
        for event in timeline.entries[entry.ruling].outcome.events(timeline.decoders):
            yield from (die for die in dice_of(event) if die.key not in used and not entry.undrawn)


def _expectation(timeline: Timeline, new: Inserts, rejudged: Sequence[RejudgedRuling]) -> str:
    """Return `VERSION:DIGEST` for those orders and their effects, keyed with the salts of hidden rulings."""
    judged = (*new.outcomes, *rejudged)
    outcomes = [
        [r.ruling, r.verdict, r.why, r.undrawn, r.bookkeeping, [[e.topic, e] for e in r.events]] for r in judged
    ]
    request_parts = [[r.command for r in new.outcomes], new.after, new.turns, new.undrawn]
    key = "".join(timeline.salts).encode()
    return f"{timeline.number}:{hmac.digest(key, msgspec.json.encode([request_parts, outcomes]), 'sha256').hex()[:12]}"

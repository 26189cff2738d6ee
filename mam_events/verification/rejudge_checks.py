"""Checks of a log by judging it again: its commands and dice must give the events on record."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise, zip_longest
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from mam_events.deserializer import SHORTENER
from mam_events.errors import BadInput, Refused, VerificationFailed
from mam_events.events import (
    Correction,
    EncounterOpened,
    Event,
    Head,
    Note,
    Play,
    RulesChanged,
    fold,
    is_head,
)
from mam_events.history.corrections.change_plan import plan_change
from mam_events.history.judge.rejudge import rejudge
from mam_events.history.judge.ruling_judge import RulingJudge
from mam_events.history.judge.verdicts import is_same_reason, reason_words, verdict_words
from mam_events.history.timeline.entries import BookkeepingEntry, PlayOutcome, StoredRow, is_same_bookkeeping
from mam_events.history.timeline.timeline import Timeline
from mam_events.refusals.arguments import Message, Term
from mam_events.state import EMPTY_ENCOUNTER, Encounter, PinnedRules
from mam_events.store import decoders
from mam_events.verification.timeline_checks import IMPOSSIBLE
from mam_events.visibility import narrowest, of_play

if TYPE_CHECKING:
    from mam_events.dice import Die
    from mam_events.rules.rulebook import Rulebook


class Rejudgment(Struct, frozen=True):
    """The outcome of a ruling: its verdict ("" as first judged) and its events.

    `code`, `why`, `rule` and `reason` are those of the error that made it void.
    """

    verdict: str
    code: str = ""
    why: str = ""
    rule: str = ""
    events: tuple[Event, ...] = ()
    bookkeeping: tuple[BookkeepingEntry, ...] = ()
    reason: Message | None = None


class _OnRecord(RulingJudge):
    """The judge of a complete log: a die that is not on record by the ruling `now` was not drawn yet."""

    now = 0

    def __init__(self, timeline: Timeline, rules: Rulebook) -> None:
        super().__init__(lambda: rules)
        self._timeline = timeline

    def die(self, ruling: int, key: str, kind: str, field: str) -> Die:
        if drawn_die := self._timeline.drawn(ruling, self.now).get(key):
            return drawn_die
        raise Refused("no_draw/not_on_record", die=Term(key), fields=(field,))


def judge_again(rows: Sequence[StoredRow], rules: Rulebook, step: Callable[[], None] = lambda: None) -> int:
    """Judge every ruling of a verified log again in its place, and return their number; call `step` for each.

    Raises VerificationFailed naming the difference between the log and the result of these rules.
    """
    decode = decoders()
    judge = _OnRecord(Timeline(decode, rows), rules)
    # The log as it was known at each ruling. Plays in turn depend only on the state, so they are added to it only when
    # a later ruling looks back.
    grown, state = Timeline(decode), EMPTY_ENCOUNTER
    differing: dict[int, str] = {}
    moved_on = False
    starts = [at for at, row in enumerate(rows) if is_head(row[1])]
    for start, end in pairwise([*starts, len(rows)]):
        head = decode[rows[start][1]](rows[start][2])
        assert isinstance(head, Head)  # noqa: S101 - a ruling begins with one
        number, before = head.ruling, state
        judge.now = number
        in_turn = isinstance(head, Note) or (isinstance(head, Play) and not head.after)
        if not in_turn:
            grown.extend(rows[grown.version : start])
        try:
            rejudgments = _found(grown, judge, head, state)
        except IMPOSSIBLE as error:
            raise VerificationFailed(
                f"Ruling {number} cannot be judged ({type(error).__name__}: {error}): what stands before it "
                "was forged and sealed again, or another version wrote it."
            ) from None
        if in_turn:
            events = tuple(decode[topic](encoded) for _, topic, encoded in rows[start + 1 : end])
            recorded = {number: Rejudgment("", events=events)} if isinstance(head, Play) else {}
            state = fold(state, events)
        else:
            grown.extend(rows[start:end])
            recorded, state = _recorded(grown, number), grown.state
        if recorded != rejudgments:
            moved_on |= any(_have_rules_changed(*events) for events in _events(recorded, rejudgments))
            for ruling in sorted({*recorded, *rejudgments}):
                if difference := _difference(recorded.get(ruling), rejudgments.get(ruling)):
                    where = "" if ruling == number else f" for ruling {ruling}"
                    differing.setdefault(number, f"{where}: {difference}")
        if difference := _seen_by_more(head, before, rejudgments):
            differing.setdefault(number, f": {difference}")
        step()
    if differing:
        first, difference = next(iter(differing.items()))
        others = len(differing) - 1
        more = f" {others} more {'ruling differs' if others == 1 else 'rulings differ'}." if others else ""
        why = (
            "It was recorded with older rules of this program, which may be the reason."
            if moved_on
            else "Somebody changed it and sealed it again, or another program wrote it."
        )
        raise VerificationFailed(f"Ruling {first} differs from what these rules give{difference}.{more} {why}")
    return len(starts)


def _found(grown: Timeline, judge: _OnRecord, head: Head, state: Encounter) -> dict[int, Rejudgment]:
    """Return the judgement of the rules on the next ruling, in that state, and on every other that it changes."""
    if not isinstance(head, Play | Correction):
        return {}
    try:
        if isinstance(head, Play) and not head.after:
            return {head.ruling: Rejudgment("", events=tuple(judge(state, head.command, head.ruling).events))}
        change = plan_change(grown, head)
        rejudged = rejudge(grown, change, judge, settling=True)
    except (Refused, BadInput) as no:
        reason = no.message if isinstance(no, Refused) else None
        return {head.ruling: Rejudgment("void", no.code, no.sentence, getattr(no, "rule", ""), reason=reason)}
    return {
        entry.ruling: Rejudgment(
            "" if entry.ruling == head.ruling else str(entry.verdict),
            entry.code,
            entry.why,
            entry.rule,
            entry.events,
            entry.bookkeeping,
            entry.reason,
        )
        for entry in rejudged
        if entry.differs or entry.ruling == head.ruling
    }


def _seen_by_more(head: Head, before: Encounter, rejudgments: dict[int, Rejudgment]) -> str:
    """Return the error for a play visible to more people than its command and its events allow; "" for any other."""
    if not isinstance(head, Play) or head.after:
        return ""
    # An older program hid a ruling if it named a hidden id, but not if it used a hidden name.
    allowed = of_play(head.command, before, rejudgments[head.ruling].events, by_name=False)
    if narrowest(head.visibility, allowed) == head.visibility:
        return ""
    return f'it is visible to "{head.visibility}", but should be to "{allowed}"'


def _recorded(timeline: Timeline, number: int) -> dict[int, Rejudgment]:
    """Return the outcomes on record of that ruling and of every other that it changed."""
    rejudgments: dict[int, Rejudgment] = {}
    if number in timeline.entries:
        rejudgments[number] = Rejudgment("", events=timeline.entries[number].first.events(timeline.decoders))
    for outcome in timeline.written_by.get(number, ()):
        rejudgments |= _rejudged(timeline, outcome)
    return rejudgments


def _rejudged(timeline: Timeline, outcome: PlayOutcome) -> dict[int, Rejudgment]:
    rejudged = outcome.rejudged
    if rejudged is None:
        return {}
    events, bookkeeping = outcome.events(timeline.decoders), outcome.bookkeeping(timeline.decoders)
    return {
        rejudged.ruling: Rejudgment(
            rejudged.verdict, rejudged.code, rejudged.why, rejudged.rule, events, bookkeeping, rejudged.reason
        )
    }


def _events(recorded: dict[int, Rejudgment], rejudgments: dict[int, Rejudgment]) -> Iterator[tuple[Event, Event]]:
    """Yield pairs of events, on record and found, that have the same place."""
    for ruling in recorded.keys() & rejudgments.keys():
        yield from zip(recorded[ruling].events, rejudgments[ruling].events, strict=False)


def _have_rules_changed(recorded: Event, rejudged: Event) -> bool:
    """Return True if the pinned rules are not the current ones: another program's, or with other options."""
    if not (
        isinstance(recorded, EncounterOpened | RulesChanged) and isinstance(rejudged, EncounterOpened | RulesChanged)
    ):
        return False
    before, now = recorded.ruleset, rejudged.ruleset
    return before.version != now.version or before.readings.keys() != now.readings.keys()


def _difference(recorded: Rejudgment | None, rejudged: Rejudgment | None) -> str:
    """Return the difference between the two in words; "" if there is none."""
    if recorded is None or rejudged is None:
        return (
            "" if recorded == rejudged else "judged again, though nothing changed" if recorded else "not judged again"
        )
    if rejudged.verdict == "void" and recorded.verdict != "void":
        return f"it is not allowed ({rejudged.why.rstrip('.')})"
    if (recorded.verdict, recorded.code) != (rejudged.verdict, rejudged.code):
        return f"{recorded.verdict or 'accepted'} in the log, but {rejudged.verdict or 'accepted'} by the rules"
    if recorded.code != "no_draw":
        if not is_same_reason(recorded, rejudged):
            return f'"{reason_words(recorded)}" in the log, but "{reason_words(rejudged)}" by the rules'
        if recorded.rule != rejudged.rule:
            return f'"{recorded.rule}" in the log, but "{rejudged.rule}" by the rules'
    for before, now in zip_longest(recorded.events, rejudged.events):
        if difference := _event_difference(before, now):
            return difference
    return _bookkeeping_difference(recorded.bookkeeping, rejudged.bookkeeping)


def _bookkeeping_difference(recorded: Sequence[BookkeepingEntry], rejudged: Sequence[BookkeepingEntry]) -> str:
    """Return the difference in bookkeeping before a ruling, or in its visibility; "" if there is none."""
    for before, now in zip_longest(recorded, rejudged):
        if before is None or now is None or not is_same_bookkeeping([before], [now]):
            kinds = [_kind(step) for step in (before, now)]
            if kinds[0] == kinds[1]:
                return f"what its bookkeeping ({kinds[0]}) brought is not what the rules give"
            return f"bookkeeping: {kinds[0]} in the log, but {kinds[1]} by the rules"
        if narrowest(before.visibility, now.visibility) != before.visibility:
            return f'its bookkeeping is visible to "{before.visibility}", but should be to "{now.visibility}"'
    return ""


def _kind(step: BookkeepingEntry | None) -> str:
    if step is None:
        return "nothing"
    about = step.combatant or (str(step.exchange) if step.exchange else "")
    return " ".join(filter(None, (step.what, about, f"in round {step.round}")))


def _event_difference(before: Event | None, now: Event | None) -> str:
    if before is None or now is None or type(before) is not type(now):
        names = [type(event).__name__ if event is not None else "no event" for event in (before, now)]
        return f"{names[0]} in the log, but {names[1]} by the rules"
    before, now = verdict_words(before), verdict_words(now)
    for name in before.__struct_fields__:
        old, new = getattr(before, name), getattr(now, name)
        if name == "ruleset":
            old, new = _compared(old, new)
        if old != new:
            values = (SHORTENER.repr(msgspec.to_builtins(value)) for value in (old, new))
            return f"{type(before).__name__} has {name} {' in the log, but '.join(values)} by the rules"
    return ""


def _compared(before: PinnedRules, now: PinnedRules) -> tuple[object, object]:
    """Return the options by which two pinned rulesets are compared, without those newer than the log."""
    readings = {option: reading for option, reading in now.readings.items() if option in before.readings}
    return (before.preset, before.name, before.readings), (now.preset, now.name, readings)

"""Judging again: the same commands on another past, and the verdict on each."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from mam_events.commands import Command
from mam_events.dice import DieNotDrawn
from mam_events.errors import BadInput, Refused
from mam_events.events import Verdict
from mam_events.history.corrections.turn_policy import TurnPolicies
from mam_events.history.judge.bookkeeping import RefusedRuling, judge_with_bookkeeping
from mam_events.history.judge.rejudgement import RejudgedRuling
from mam_events.history.judge.ruling_judge import RulingJudge
from mam_events.history.judge.verdicts import compare, compare_as_played, is_void_as_before
from mam_events.history.judge.void_causes import void_causes
from mam_events.history.timeline.change import Change
from mam_events.history.timeline.entries import BookkeepingEntry, is_same_bookkeeping
from mam_events.history.timeline.timeline import Timeline
from mam_events.refusals.arguments import TextArgument, text_fragment
from mam_events.state import Encounter, is_same_state


def rejudge(
    timeline: Timeline,
    change: Change,
    judge: RulingJudge,
    *,
    known: Sequence[RejudgedRuling] = (),
    settling: bool = False,
    on_progress: Callable[[], object] = bool,
) -> list[RejudgedRuling]:
    """Judge every living ruling again from the change on; return one entry for each, including those that stand.

    Rulings in `known` are not judged a second time. With `settling` it ends where the fight is again as on record and
    nothing after it is touched: the rest stands. `on_progress` is called once per ruling. Raises Refused if an inserted
    play is refused.
    """
    rejudged = list(known)
    state = rejudged[-1].state if rejudged else timeline.state_before(change.first)
    first = change.place_of(rejudged[-1].ruling, timeline.place) + 1 if rejudged else change.first
    policy = TurnPolicies(timeline, change)
    for place in range(first, len(change.order)):
        number = change.order[place]
        if not timeline.lives(number, change):
            continue
        rejudged.append(rejudge_one(number, timeline, change, judge, state, policy))
        if rejudged[-1].undrawn:
            break
        on_progress()
        state = rejudged[-1].state
        if settling and place >= change.last:
            before = timeline.place.get(number)
            if before is not None and is_same_state(state, timeline.states[before]):
                break
    return rejudged


def rejudge_one(
    number: int,
    timeline: Timeline,
    change: Change,
    judge: RulingJudge,
    state: Encounter,
    policy: TurnPolicies | None = None,
) -> RejudgedRuling:
    """Judge one ruling again in that state; if it is refused and turns are kept, after the bookkeeping it lacks."""
    entry = timeline.entries.get(number)
    command: Command = entry.head.command if entry else change.new  # type: ignore[assignment]  # only a new play has no entry
    bookkeeping: tuple[BookkeepingEntry, ...] = ()
    keeps = (policy or TurnPolicies(timeline, change)).keeps
    try:
        command = timeline.command(number, change)
        amended_names = (
            amended_fields(entry.head.command, command) if entry and command is not entry.head.command else ()
        )
        try:
            decision = judge(state, command, number, amended_names)
        except Refused as no:
            # A new insert is judged strictly: people see why it is refused.
            if entry is None or not keeps(number):
                raise
            bookkeeping, decision = judge_with_bookkeeping(
                RefusedRuling(no, judge, state, command, number, amended_names, number in change.amends)
            )
    except DieNotDrawn as missing:
        return RejudgedRuling(number, None, undrawn=missing.key, command=command, state=state)
    except (Refused, BadInput) as no:
        if entry is None:
            raise
        rule, reason = ("", text_fragment("quoted", sentence=TextArgument(no.sentence)))
        if isinstance(no, Refused):
            rule, reason = no.rule, no.message
        void = RejudgedRuling(
            number, "void", (), no.sentence, no.code, rule, command=command, state=state, reason=reason
        )
        return replace(void, verdict="stands") if is_void_as_before(entry.outcome.rejudged, void, void.code) else void
    events = tuple(decision.events)
    recorded = None if entry is None or entry.outcome.is_void else entry.outcome.events(timeline.decoders)
    verdict: Verdict = compare(recorded, events) if entry else "stands"
    if verdict == "changed" and keeps(number):
        verdict = compare_as_played(recorded, events)
    same_steps = entry is None or is_same_bookkeeping(bookkeeping, entry.outcome.bookkeeping(timeline.decoders))
    return RejudgedRuling(
        number,
        verdict,
        events,
        command=decision.command,
        state=decision.state,
        bookkeeping=bookkeeping,
        kept_otherwise=not same_steps,
    )


def with_causes(timeline: Timeline, change: Change, rejudged: Sequence[RejudgedRuling]) -> tuple[RejudgedRuling, ...]:
    """Return the same rulings, each void one with the ruling that made it void, if the change were made."""
    if not any(entry.code for entry in rejudged):
        return tuple(rejudged)
    because = void_causes(timeline, change, rejudged)
    return tuple(replace(entry, because=because.get(entry.ruling, 0)) for entry in rejudged)


def amended_fields(original: Command, command: Command) -> set[str]:
    """Return the fields that amendments changed; for a mapping its entries, as `interference_die.9`."""
    fields: set[str] = set()
    for name in original.__struct_fields__:
        before, after = getattr(original, name), getattr(command, name)
        if before != after and isinstance(after, dict):
            fields |= {f"{name}.{key}" for key, value in after.items() if before.get(key) != value}
        elif before != after:
            fields.add(name)
    return fields

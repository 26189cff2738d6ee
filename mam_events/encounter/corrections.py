"""Corrections in people's words: what "undo", "redo", "this one" and "that moment" mean in a timeline."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from mam_events.answers import Preview
from mam_events.commands import BeginTurn, Close, EndTurn, Initiative, Open, amended, name_of
from mam_events.encounter.evolve import fold
from mam_events.errors import BadInput, NotFound, Refused
from mam_events.events import Amend, Correction, Play, Restore, Strike

if TYPE_CHECKING:
    from mam_events.encounter.rejudging import Rejudged
    from mam_events.encounter.timeline import Change, Timeline
    from mam_events.events import Step
    from mam_events.state import Encounter

BOUNDARIES = (BeginTurn, EndTurn, Initiative)
"""What begins and ends turns and rounds: struck alone it would leave everything after it out of turn."""


def undo_steps(
    timeline: Timeline, ruling: int | None = None, *, only: bool = False, rewind: bool = False
) -> tuple[Step, ...]:
    """The steps that take back the newest living step, or the exchange of `ruling` (`only`: it alone), or with
    `rewind` everything from its place on.

    Refused with `nothing_to_undo`, `already_struck` or `needs_rewind`; raises NotFound for no such ruling.
    """
    if ruling is None:
        last = timeline.last_step()
        if not last or (isinstance(timeline.heads[last - 1], Play) and isinstance(timeline.command(last), Open)):
            raise Refused("nothing_to_undo", "There is nothing left to undo but the opening itself.")
        return (Strike(last),) if isinstance(timeline.heads[last - 1], Play) else (Restore(last),)
    if isinstance(timeline.head(ruling), Correction):
        return (Restore(ruling),)
    check_strike(timeline, ruling)
    place = timeline.place[ruling]
    if rewind:
        return tuple(Strike(n) for n in sorted(timeline.order[place:]) if timeline.lives(n))
    later = any(timeline.lives(n) for n in timeline.order[place + 1 :])
    if isinstance(timeline.command(ruling), BOUNDARIES) and later:
        raise Refused(
            "needs_rewind",
            f"Ruling {ruling} ({name_of(timeline.command(ruling))}) begins or ends a turn, and everything after it "
            "hangs on it: take back all from there on with --rewind.",
            fields=("ruling",),
        )
    exchange = () if only else timeline.exchange(ruling)
    return tuple(Strike(n) for n in exchange) or (Strike(ruling),)


def redo_steps(timeline: Timeline, correction: int | None = None) -> tuple[Step, ...]:
    """The step that restores the newest active undo, or that correction; refused with `nothing_to_redo`."""
    number = timeline.last_undo() if correction is None else correction
    if not number:
        raise Refused("nothing_to_redo", "There is nothing to redo: no undo is in force.")
    check_restore(timeline, number)
    return (Restore(number),)


def check_steps(timeline: Timeline, steps: Sequence[Step]) -> None:
    """Refuse steps that cannot be taken: what is struck already, what is no play, a field a command does not have."""
    if not steps:
        raise Refused("nothing_to_correct", "A correction needs at least one step.")
    struck = [step.ruling for step in steps if isinstance(step, Strike)]
    for step in steps:
        if isinstance(step, Restore):
            check_restore(timeline, step.ruling)
        elif isinstance(step, Strike):
            check_strike(timeline, step.ruling)
        else:
            check_amend(timeline, step, struck)
    if len(set(struck)) < len(struck):
        raise Refused("already_struck", "The same ruling cannot be struck twice in one correction.")


def check_play(timeline: Timeline, number: int) -> Play:
    """The head of that play; refused with `no_play` for a correction or a note, NotFound for nothing."""
    head = timeline.head(number)
    if not isinstance(head, Play):
        what = "a correction: restore it (`mam redo`) instead" if isinstance(head, Correction) else "a note"
        raise Refused("no_play", f"Ruling {number} is {what}.", fields=("ruling",))
    return head


def check_strike(timeline: Timeline, number: int) -> None:
    """Refused with `already_struck` or `cannot_strike_opening`."""
    head = check_play(timeline, number)
    if isinstance(head.command, Open):
        raise Refused("cannot_strike_opening", "The opening cannot be taken back: without it there is no encounter.")
    if striking := timeline.striking(number):
        who = timeline.head(striking).by
        raise Refused(
            "already_struck",
            f"Ruling {number} was already taken back by {striking}{f' ({who})' if who else ''}.",
            fields=("ruling",),
        )


def check_amend(timeline: Timeline, step: Amend, struck: Sequence[int] = ()) -> None:
    """Refused for a struck ruling or an opening; raises BadInput for a patch that makes no such command."""
    head = check_play(timeline, step.ruling)
    striking = timeline.striking(step.ruling)
    if striking or step.ruling in struck:
        raise Refused(
            "already_struck",
            f"Ruling {step.ruling} is struck{f' by {striking}' if striking else ''} and cannot be amended.",
            fields=("ruling",),
        )
    if isinstance(head.command, Open):
        raise Refused("cannot_strike_opening", "The opening cannot be amended: its rules are pinned.")
    if isinstance(head.command, Close):
        raise Refused("cannot_amend_closing", "A closing cannot be amended: its seed is what it is. Undo it instead.")
    if "do" in step.patch:
        raise BadInput("a ruling cannot become another command; strike it and insert the other.", place="amend")
    amended(timeline.command(step.ruling), step.patch)


def check_amended(steps: Sequence[Step], found: Sequence[Rejudged]) -> None:
    """Refuse an amendment that makes its own ruling impossible, with what the rules say to it."""
    amended = {step.ruling for step in steps if isinstance(step, Amend)}
    for entry in found:
        if entry.ruling in amended and entry.code:
            raise Refused(entry.code, f"Ruling {entry.ruling}, so amended: {entry.why}", rule=entry.rule)


def check_restore(timeline: Timeline, number: int) -> None:
    """Refused with `no_correction` or `already_restored`."""
    head = timeline.head(number)
    if not isinstance(head, Correction):
        raise Refused("no_correction", f"Ruling {number} is no correction; only corrections are restored.")
    if not timeline.active[number]:
        by = next(other for other in reversed(timeline.restored_by[number]) if timeline.active[other])
        raise Refused("already_restored", f"Correction {number} was already restored by {by}.", fields=("ruling",))


def check_anchor(timeline: Timeline, after: int) -> None:
    """Refused with `no_play` unless a play can be inserted behind that ruling."""
    check_play(timeline, after)


def state_at(timeline: Timeline, moment: str | int | None) -> Encounter:
    """The living state just after a ruling's place, or after the last living ruling of `round:N`; now if None.

    Raises BadInput for what is no moment, NotFound for a moment that is not in this log.
    """
    if moment is None:
        return timeline.state
    if isinstance(moment, str) and moment.startswith("round:"):
        wanted = moment.removeprefix("round:")
        if not wanted.isdecimal():
            raise BadInput(f'"{moment}" is no moment; give a ruling like 17, or a round like round:2.', place="--at")
        last = next((state for state in reversed(timeline.states) if state.round == int(wanted)), None)
        if last is None:
            raise NotFound(f"There is no round {wanted}; the newest is {timeline.state.round}.")
        return last
    if isinstance(moment, str) and not moment.isdecimal():
        raise BadInput(f'"{moment}" is no moment; give a ruling like 17, or a round like round:2.', place="--at")
    number = int(moment)
    timeline.head(number)
    # A correction and a note have no place of their own: they stand behind the play written before them.
    play = next(n for n in range(number, 0, -1) if n in timeline.place)
    return timeline.states[timeline.place[play]]


def corrected_by(timeline: Timeline, number: int) -> int:
    """The newest active correction that changed what became of that ruling, or 0."""
    head = timeline.head(number)
    if isinstance(head, Correction):
        restorers = timeline.restored_by.get(number, ())
        return next((other for other in reversed(restorers) if timeline.active[other]), 0)
    entry = timeline.entries.get(number)
    if entry is None:
        return 0
    rejudged = [outcome.by for outcome in entry.later if timeline.active.get(outcome.by, True)]
    return max(timeline.striking(number), *rejudged, *(c for c, _ in entry.amended_by if timeline.active[c]), 0)


def preview_of(
    encounter: str, timeline: Timeline, change: Change, steps: Sequence[Step], found: list[Rejudged]
) -> Preview:
    """What a correction would do, with the digest that names exactly this."""
    undrawn = any(entry.undrawn for entry in found)
    state = None
    if not undrawn:
        state = timeline.state_before(change.first)
        for entry in found:
            state = fold(state, entry.facts)
    known = [n for n in change.order if n in timeline.entries]
    struck = tuple(n for n in known if timeline.lives(n) and not timeline.lives_after(change, n))
    restored = tuple(n for n in known if not timeline.lives(n) and timeline.lives_after(change, n))
    canonical = msgspec.json.encode(
        [steps, [[r.ruling, r.verdict, r.why, r.undrawn, [[f.topic, f] for f in r.facts]] for r in found]]
    )
    digest = hashlib.sha256(canonical).hexdigest()[:12]
    first = change.order[change.first] if change.first < len(change.order) else 0
    others = tuple(entry for entry in found if entry.ruling in timeline.entries)
    return Preview(encounter, first, others, struck, restored, f"{timeline.number}:{digest}", state)

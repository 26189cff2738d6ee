"""Undo and redo: which rulings each of them means in a timeline, and what may be restored."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from mam_events.commands import Command, Open, name_of
from mam_events.errors import BadInput, Refused
from mam_events.events import Amend, Branch, Correction, Play, Restore, Step, Strike
from mam_events.history.corrections.change_plan import plan_change
from mam_events.history.corrections.corrections import SeesRuling, check_restore, check_seen, check_strike, sees_all
from mam_events.history.timeline.batches import batch_members
from mam_events.history.timeline.change import NOW, Change
from mam_events.refusals.arguments import RulingArgument, Term

if TYPE_CHECKING:
    from mam_events.history.timeline.timeline import Timeline


def undo_steps(
    timeline: Timeline,
    ruling: int | None = None,
    *,
    only: bool = False,
    rewind: bool = False,
    sees: SeesRuling = sees_all,
) -> tuple[Step, ...]:
    """Return the steps of an undo.

    By default they undo the newest living step that somebody `sees`, with everything that was requested together with
    it, or a newer redo if that restored anything else. With `ruling` they undo its exchange, with `only` that ruling
    alone, with `rewind` everything from its place on. Raises Refused with `nothing_to_undo`, `hidden`, `already_struck`
    or `needs_rewind`, NotFound for a missing ruling, and BadInput for options that would have no effect.
    """
    if only and rewind:
        raise BadInput(
            "Undo one ruling alone (only) or everything from it on (rewind), not both.", place="only, rewind"
        )
    if ruling is None:
        if only or rewind:
            raise BadInput("The number of a ruling is missing.", place="only" if only else "rewind")
        last, *equal = _newest(timeline, sees)
        if last and (redo := _last_redo(timeline, last, sees)):
            steps = _newest_steps(timeline, last, equal, sees)
            return steps if _has_same_effect(timeline, steps, (Restore(redo),)) else (Restore(redo),)
        if not last or (isinstance(timeline.heads[last - 1], Play) and isinstance(timeline.command(last), Open)):
            raise Refused("nothing_to_undo")
        return _newest_steps(timeline, last, equal, sees)
    check_seen(timeline, ruling, sees)
    if isinstance(timeline.head(ruling), Correction):
        if rewind:
            raise BadInput(f"Ruling {ruling} is a correction. Undo it alone, without rewind.", place="rewind")
        return (Restore(ruling),)
    check_strike(timeline, ruling, sees)
    place = timeline.place[ruling]
    if rewind:
        return tuple(Strike(n) for n in sorted(timeline.order[place:]) if timeline.lives(n))
    later = any(timeline.lives(n) and sees(n) for n in timeline.order[place + 1 :])
    # Nothing depends on a void ruling, and the newest ruling is always undone alone.
    is_alone = timeline.entries[ruling].outcome.is_void or ruling == last_step(timeline, sees)
    if timeline.command(ruling).boundary and later and not is_alone:
        raise Refused(
            "needs_rewind",
            number=RulingArgument(ruling),
            order=Term(name_of(timeline.command(ruling))),
            fields=("ruling",),
        )
    exchange = () if only else timeline.exchange(ruling)
    return tuple(Strike(n) for n in exchange) or (Strike(ruling),)


def _newest_steps(timeline: Timeline, last: int, equal: Sequence[int], sees: SeesRuling) -> tuple[Step, ...]:
    """Return the steps that undo the newest living step, with what was requested or has to be undone together."""
    if not isinstance(timeline.heads[last - 1], Play):
        steps = (*_stopped_with(timeline, last), Restore(last), *(Restore(number) for number in equal))
        return tuple(step for step in steps if sees(step.ruling))
    return tuple(Strike(number) for number in batch_members(timeline, last) if sees(number))


def _last_redo(timeline: Timeline, after: int, sees: SeesRuling) -> int:
    """Return the newest redo after that ruling that somebody `sees` and whose undo would change a play, or 0."""
    for head in reversed(timeline.heads[after:]):
        if not isinstance(head, Correction) or not timeline.active[head.ruling] or not sees(head.ruling):
            continue
        if all(isinstance(step, Restore) and timeline.undoes[step.ruling] for step in head.steps):
            change = plan_change(timeline, _correction_of(timeline, (Restore(head.ruling),)))
            if any(_read(timeline, play, change) != _read(timeline, play, NOW) for play in change.touched):
                return head.ruling
    return 0


def _has_same_effect(timeline: Timeline, steps: Sequence[Step], others: Sequence[Step]) -> bool:
    """Return True if all plays would read the same after either correction."""
    first, second = (plan_change(timeline, _correction_of(timeline, each)) for each in (steps, others))
    plays = first.touched | second.touched
    return all(_read(timeline, play, first) == _read(timeline, play, second) for play in plays)


def _stopped_with(timeline: Timeline, correction: int) -> tuple[Step, ...]:
    """Return the step that also restores an undo of later rulings made right after that correction.

    Somebody who corrects a ruling and stops there undoes both together.
    """
    if correction == timeline.number or not timeline.undoes.get(correction + 1) or not timeline.active[correction + 1]:
        return ()
    first, stop = (timeline.heads[number - 1] for number in (correction, correction + 1))
    assert isinstance(first, Correction)  # noqa: S101 - only called for corrections
    assert isinstance(stop, Correction)  # noqa: S101 - only a correction undoes
    places = [timeline.place[step.ruling] for step in first.steps if not isinstance(step, Restore)]
    struck_places = [timeline.place[step.ruling] for step in stop.steps if isinstance(step, Strike)]
    after = bool(places) and len(struck_places) == len(stop.steps) and min(struck_places) > min(places)
    return (Restore(correction + 1),) if after else ()


def redo_steps(timeline: Timeline, correction: int | None = None, *, sees: SeesRuling = sees_all) -> tuple[Step, ...]:
    """Return the step that restores the newest active undo that somebody `sees`, or the given correction.

    Raises Refused with `nothing_to_redo` or `hidden`.
    """
    if correction is not None:
        check_seen(timeline, correction, sees)
    number = last_undo(timeline, sees) if correction is None else correction
    if not number:
        raise Refused("nothing_to_redo")
    check_restore(timeline, number, sees)
    return (Restore(number),)


def last_step(timeline: Timeline, sees: SeesRuling = sees_all) -> int:
    """Return the newest living step in log order that somebody `sees`; 0 if there is none.

    A step is a play, or an active amendment (by the number of its correction). An amendment that makes no difference,
    such as one of a struck play, is skipped: nobody would see its undo.
    """
    return _newest(timeline, sees)[0]


def _newest(timeline: Timeline, sees: SeesRuling) -> tuple[int, ...]:
    """Return the newest living step; after an amendment, the others that say the same and so are undone with it."""
    for head in reversed(timeline.heads):
        if not sees(head.ruling):
            continue
        if isinstance(head, Play) and timeline.lives(head.ruling):
            return (head.ruling,)
        if isinstance(head, Correction) and (equal := _undone_together(timeline, head)) is not None:
            return (head.ruling, *equal)
    return (0,)


def _undone_together(timeline: Timeline, head: Correction) -> tuple[int, ...] | None:
    """Return the active amendments that must be undone with that one before anything changes.

    Returns None if even that changes nothing, or if the correction amends nothing.
    """
    if not timeline.active[head.ruling] or not any(isinstance(step, Amend) for step in head.steps):
        return None
    plays = plan_change(timeline, _undo_of(timeline, (head.ruling,))).touched
    amended = {correction for play in plays for correction, _ in timeline.entries[play].amended_by}
    others = sorted((number for number in amended if timeline.active[number] and number != head.ruling), reverse=True)

    def counts_without(numbers: Sequence[int]) -> bool:
        return _reading(timeline, plays, numbers) != _reading(timeline, plays, (*numbers, head.ruling))

    undone_numbers = next((others[:more] for more in range(len(others) + 1) if counts_without(others[:more])), None)
    if undone_numbers is None:
        return None
    for other in undone_numbers:
        fewer = [number for number in undone_numbers if number != other]
        undone_numbers = fewer if counts_without(fewer) else undone_numbers
    return tuple(undone_numbers)


def _undo_of(timeline: Timeline, corrections: Sequence[int]) -> Correction:
    """Return the correction that would undo those corrections."""
    return _correction_of(timeline, tuple(Restore(number) for number in corrections))


def _correction_of(timeline: Timeline, steps: Sequence[Step]) -> Correction:
    """Return the correction with those steps that would be the next ruling."""
    return Correction(seal="", ruling=timeline.number + 1, at="", by="", steps=tuple(steps))


def _reading(timeline: Timeline, plays: Iterable[int], without: Sequence[int]) -> list[Command | str | None]:
    """Return those plays as they would read without some corrections.

    A struck play is None; one with words that do not fit is the sentence of the error.
    """
    change = plan_change(timeline, _undo_of(timeline, without)) if without else NOW
    return [_read(timeline, play, change) for play in sorted(plays)]


def _read(timeline: Timeline, play: int, change: Change) -> Command | str | None:
    try:
        return timeline.command(play, change) if timeline.lives(play, change) else None
    except BadInput as no:
        return no.sentence


def last_undo(timeline: Timeline, sees: SeesRuling = sees_all) -> int:
    """Return the newest active correction that somebody `sees` and that undoes something, or 0.

    Such a correction can itself be undone. A branch cannot redo anything that was undone in the fight that it left.
    """
    for head in reversed(timeline.heads):
        if isinstance(head, Branch) and head.parent:
            return 0
        if timeline.undoes.get(head.ruling) and timeline.active[head.ruling] and sees(head.ruling):
            return head.ruling
    return 0

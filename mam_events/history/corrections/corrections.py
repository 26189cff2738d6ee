"""Corrections as people name them: what "undo", "redo" and "this one" mean in a timeline, and what may be corrected."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from mam_events.commands import Close, Command, Open, Pass, ThrowDie, name_of, with_fields
from mam_events.deserializer import SHORTENER, find_mismatch
from mam_events.errors import BadInput, CommandHint, Refused
from mam_events.events import Amend, Branch, Correction, Note, Play, Restore, Step, Strike
from mam_events.history.corrections.change_plan import plan_change
from mam_events.history.timeline.batches import batch_members
from mam_events.history.timeline.change import NOW, Change
from mam_events.refusals.arguments import Ruling, Term, text_argument

if TYPE_CHECKING:
    from mam_events.history.timeline.timeline import Timeline

SeesRuling = Callable[[int], bool]
"""A view as a predicate: True if somebody sees the ruling with that number."""

_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(tuple[Step, ...])


def read_steps(steps: Sequence[Step]) -> tuple[Step, ...]:
    """Return the same steps with their values checked as if they had been read.

    Raises BadInput for anything that is not a step.
    """
    for step in steps:
        if not isinstance(step, Step):
            raise BadInput(f"a step is a Strike, an Amend or a Restore, not {SHORTENER.repr(step)}.", place="steps")
    try:
        return _DECODER.decode(_ENCODER.encode(steps))
    except msgspec.ValidationError as error:
        raise find_mismatch(tuple[Step, ...], msgspec.to_builtins(steps), error).error("steps") from None
    except (TypeError, UnicodeEncodeError, OverflowError) as error:
        raise BadInput(f"this is not a step that can be written: {error}.", place="steps") from None


def sees_all(_: int) -> bool:
    """Return True: the game master sees every ruling."""
    return True


def check_seen(timeline: Timeline, number: int, sees: SeesRuling) -> None:
    """Raise Refused with `hidden` for a ruling that somebody does not see, and NotFound if there is no such ruling."""
    timeline.head(number)
    if not sees(number):
        raise Refused("hidden", number=Ruling(number), fields=("ruling",))


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
    it. With `ruling` they undo its exchange, with `only` that ruling alone, with `rewind` everything from its place on.
    Raises Refused with `nothing_to_undo`, `hidden`, `already_struck` or `needs_rewind`, NotFound for a missing ruling,
    and BadInput for options that would have no effect.
    """
    if only and rewind:
        raise BadInput("Undo either one ruling alone, or everything from it on, not both.", place="only, rewind")
    if ruling is None:
        if only or rewind:
            raise BadInput("This needs the number of a ruling.", place="only" if only else "rewind")
        last, *equal = _newest(timeline, sees)
        if not last or (isinstance(timeline.heads[last - 1], Play) and isinstance(timeline.command(last), Open)):
            raise Refused("nothing_to_undo")
        if not isinstance(timeline.heads[last - 1], Play):
            steps = (*_stopped_with(timeline, last), Restore(last), *(Restore(number) for number in equal))
            return tuple(step for step in steps if sees(step.ruling))
        return tuple(Strike(number) for number in batch_members(timeline, last) if sees(number))
    check_seen(timeline, ruling, sees)
    if isinstance(timeline.head(ruling), Correction):
        if rewind:
            raise BadInput(f"Ruling {ruling} is a correction. Redo it instead.", place="rewind")
        return (Restore(ruling),)
    check_strike(timeline, ruling, sees)
    place = timeline.place[ruling]
    if rewind:
        return tuple(Strike(n) for n in sorted(timeline.order[place:]) if timeline.lives(n))
    later = any(timeline.lives(n) and sees(n) for n in timeline.order[place + 1 :])
    # Nothing depends on a void ruling, and the newest ruling is always undone alone.
    alone = timeline.entries[ruling].outcome.void or ruling == last_step(timeline, sees)
    if timeline.command(ruling).boundary and later and not alone:
        raise Refused(
            "needs_rewind",
            number=Ruling(ruling),
            order=Term(name_of(timeline.command(ruling))),
            fields=("ruling",),
        )
    exchange = () if only else timeline.exchange(ruling)
    return tuple(Strike(n) for n in exchange) or (Strike(ruling),)


def _stopped_with(timeline: Timeline, correction: int) -> tuple[Step, ...]:
    """Return the step that also restores the undo made right after that correction, of what comes after its place.

    Somebody who corrects a ruling and stops there undoes both together.
    """
    if (
        correction == timeline.number
        or not timeline.takes_back.get(correction + 1)
        or not timeline.active[correction + 1]
    ):
        return ()
    first, stop = (timeline.heads[number - 1] for number in (correction, correction + 1))
    assert isinstance(first, Correction)  # noqa: S101 - no play is asked about
    assert isinstance(stop, Correction)  # noqa: S101 - only that takes back
    places = [timeline.place[step.ruling] for step in first.steps if not isinstance(step, Restore)]
    struck = [timeline.place[step.ruling] for step in stop.steps if isinstance(step, Strike)]
    after = bool(places) and len(struck) == len(stop.steps) and min(struck) > min(places)
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

    A step is a play, or an active amendment (by the number of its correction). An amendment that makes no difference is
    skipped, like that of a struck play: nobody would see its undo.
    """
    return _newest(timeline, sees)[0]


def _newest(timeline: Timeline, sees: SeesRuling) -> tuple[int, ...]:
    """Return the newest living step; after an amendment, the others that say the same and so are undone with it."""
    for head in reversed(timeline.heads):
        if not sees(head.ruling):
            continue
        if isinstance(head, Play) and timeline.lives(head.ruling):
            return (head.ruling,)
        if isinstance(head, Correction) and (equal := _taken_back_with(timeline, head)) is not None:
            return (head.ruling, *equal)
    return (0,)


def _taken_back_with(timeline: Timeline, head: Correction) -> tuple[int, ...] | None:
    """Return the active amendments that must be undone with that one before anything changes.

    Returns None if even that changes nothing, or if the correction amends nothing.
    """
    if not timeline.active[head.ruling] or not any(isinstance(step, Amend) for step in head.steps):
        return None
    plays = plan_change(timeline, _undo_of(timeline, (head.ruling,))).touched
    amended = {correction for play in plays for correction, _ in timeline.entries[play].amended_by}
    others = sorted((number for number in amended if timeline.active[number] and number != head.ruling), reverse=True)

    def counts_without(gone: Sequence[int]) -> bool:
        return _reading(timeline, plays, gone) != _reading(timeline, plays, (*gone, head.ruling))

    gone = next((others[:more] for more in range(len(others) + 1) if counts_without(others[:more])), None)
    if gone is None:
        return None
    for other in gone:
        fewer = [number for number in gone if number != other]
        gone = fewer if counts_without(fewer) else gone
    return tuple(gone)


def _undo_of(timeline: Timeline, corrections: Sequence[int]) -> Correction:
    """Return the correction that would undo those corrections."""
    steps = tuple(Restore(number) for number in corrections)
    return Correction(seal="", ruling=timeline.number + 1, at="", by="", steps=steps)


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
        if timeline.takes_back.get(head.ruling) and timeline.active[head.ruling] and sees(head.ruling):
            return head.ruling
    return 0


def check_steps(timeline: Timeline, steps: Sequence[Step], sees: SeesRuling = sees_all) -> None:
    """Raise Refused for steps that are not possible, or that name a ruling that somebody does not see.

    Such steps strike what is struck already, name a ruling that is not a play, or set a field that the command doesn't
    have.
    """
    if not steps:
        raise Refused("nothing_to_correct")
    struck = [step.ruling for step in steps if isinstance(step, Strike)]
    for step in steps:
        check_seen(timeline, step.ruling, sees)
        if isinstance(step, Restore):
            check_restore(timeline, step.ruling, sees)
        elif isinstance(step, Strike):
            check_strike(timeline, step.ruling, sees)
        else:
            check_amend(timeline, step, struck, sees)
    if len(set(struck)) < len(struck):
        raise Refused("already_struck/twice")


def check_play(timeline: Timeline, number: int) -> Play:
    """Return the head of that play.

    Raises Refused with `no_play` for a correction or a note, and NotFound if there is no such ruling.
    """
    head = timeline.head(number)
    if not isinstance(head, Play):
        raise Refused(
            {Correction: "no_play/correction", Note: "no_play/note", Branch: "no_play/branch"}[type(head)],
            number=Ruling(number),
            fields=("ruling",),
        )
    return head


def check_strike(timeline: Timeline, number: int, sees: SeesRuling = sees_all) -> None:
    """Raise Refused with `already_struck` (naming the correction if somebody `sees` it) or `cannot_strike_opening`."""
    head = check_play(timeline, number)
    if isinstance(head.command, Open):
        raise Refused("cannot_strike_opening/struck")
    if striking := timeline.striking(number):
        check_left(timeline, number, striking)
        if not sees(striking):
            raise Refused("already_struck/unseen", number=Ruling(number), fields=("ruling",))
        by = text_argument(timeline.head(striking), "by")
        if not by.text:
            raise Refused("already_struck/seen", number=Ruling(number), striking=Ruling(striking), fields=("ruling",))
        raise Refused(
            "already_struck/by",
            number=Ruling(number),
            striking=Ruling(striking),
            by=by,
            fields=("ruling",),
        )


def check_left(timeline: Timeline, number: int, striking: int) -> None:
    """Raise Refused with `already_struck` for a play after the one from which this fight branched off another."""
    head = timeline.head(striking)
    if isinstance(head, Branch):
        raise Refused(
            "already_struck/left",
            number=Ruling(number),
            parent=text_argument(head, "parent"),
            behind=Ruling(head.behind),
            branch=Ruling(striking),
            fields=("ruling",),
        )


def check_amend(timeline: Timeline, step: Amend, struck: Sequence[int] = (), sees: SeesRuling = sees_all) -> None:
    """Raise Refused for a struck ruling or an opening, and BadInput for a patch that makes no such command."""
    head = check_play(timeline, step.ruling)
    striking = timeline.striking(step.ruling)
    if striking:
        check_left(timeline, step.ruling, striking)
    hints = (CommandHint("redo", {"correction": striking}),) if striking else ()
    if striking and sees(striking):
        raise Refused(
            "already_struck/amended",
            number=Ruling(step.ruling),
            striking=Ruling(striking),
            fields=("ruling",),
            hints=hints,
        )
    if striking or step.ruling in struck:
        raise Refused("already_struck/amended_unseen", number=Ruling(step.ruling), fields=("ruling",), hints=hints)
    if isinstance(head.command, Open):
        raise Refused("cannot_strike_opening/amended")
    if isinstance(head.command, Close):
        raise Refused("cannot_amend_closing")
    if isinstance(head.command, ThrowDie | Pass) and "visibility" in step.patch:
        raise Refused("seen_by_all/amended", fields=("visibility",))
    if "do" in step.patch:
        raise BadInput("A ruling cannot become another order. Undo it and insert the other order.", place="amend")
    with_fields(timeline.command(step.ruling), step.patch)


def check_restore(timeline: Timeline, number: int, sees: SeesRuling = sees_all) -> None:
    """Raise Refused with `no_correction` or `already_restored` (naming the correction if somebody `sees` it)."""
    head = timeline.head(number)
    if not isinstance(head, Correction):
        striking = timeline.striking(number) if number in timeline.entries else 0
        if striking:
            check_left(timeline, number, striking)
        if striking and sees(striking):
            raise Refused("no_correction/taken_back", number=Ruling(number), striking=Ruling(striking))
        raise Refused("no_correction/other", number=Ruling(number))
    if not timeline.active[number]:
        by = next(other for other in reversed(timeline.restored_by[number]) if timeline.active[other])
        if sees(by):
            raise Refused("already_restored/seen", number=Ruling(number), by=Ruling(by), fields=("ruling",))
        raise Refused("already_restored/unseen", number=Ruling(number), fields=("ruling",))


def named_steps(timeline: Timeline, steps: Sequence[Step]) -> tuple[Step, ...]:
    """Return the steps as they are written to the log.

    An amendment gets the name of the command whose fields it sets, so that a later program can read it.
    """
    return tuple(
        replace(step, do=name_of(timeline.command(step.ruling))) if isinstance(step, Amend) else step for step in steps
    )


def corrected_by(timeline: Timeline, number: int) -> int:
    """Return the newest ruling that changed that ruling, or 0 if it counts as it was first written."""
    head = timeline.head(number)
    if isinstance(head, Correction):
        restorers = timeline.restored_by.get(number, ())
        return next((other for other in reversed(restorers) if timeline.active[other]), 0)
    entry = timeline.entries.get(number)
    if entry is None:
        return 0
    amended = (correction for correction, _ in entry.amended_by if timeline.active[correction])
    return max(timeline.striking(number), timeline.changed_by(number), *amended, 0)

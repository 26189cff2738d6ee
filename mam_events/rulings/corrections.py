"""Corrections in people's words: what "undo", "redo" and "this one" mean in a timeline, and what may be corrected."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from mam_events.commands import Close, Open, amended, name_of
from mam_events.errors import BadInput, Hint, Refused
from mam_events.events import Amend, Branch, Correction, Head, Note, Play, Restore, Step, Strike
from mam_events.reading import SHORT, misfit
from mam_events.rulings.changes import Change
from mam_events.rulings.together import together
from mam_events.shapes import face_fields

if TYPE_CHECKING:
    from mam_events.rulings.timeline import Timeline

Sight = Callable[[int], bool]
"""A view: it tells whether somebody sees the ruling of a number."""

_NO_PLAY: dict[type[Head], str] = {
    Correction: "a correction, which can be restored instead",
    Note: "a note, and notes stay",
    Branch: "where the dice are drawn anew, and that stays",
}
_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(tuple[Step, ...])


def read_steps(steps: Sequence[Step]) -> tuple[Step, ...]:
    """The same steps, their values checked as if they had been read; raises BadInput for what is no step."""
    for step in steps:
        if not isinstance(step, Step):
            raise BadInput(f"a step is a Strike, an Amend or a Restore, not {SHORT.repr(step)}.", place="steps")
    try:
        return _DECODER.decode(_ENCODER.encode(steps))
    except msgspec.ValidationError as error:
        raise misfit(tuple[Step, ...], msgspec.to_builtins(steps), error).error("steps") from None
    except (TypeError, UnicodeEncodeError, OverflowError) as error:
        raise BadInput(f"this is not a step that can be written: {error}.", place="steps") from None


def everything(_: int) -> bool:
    """The sight of the game master."""
    return True


def undo_steps(
    timeline: Timeline,
    ruling: int | None = None,
    *,
    only: bool = False,
    rewind: bool = False,
    sees: Sight = everything,
) -> tuple[Step, ...]:
    """The steps that take back the newest living step that somebody `sees`, with all that was asked for as one with it,
    or the exchange of `ruling` (`only`: it alone), or with `rewind` everything from its place on.

    Refused with `nothing_to_undo`, `already_struck` or `needs_rewind`; raises NotFound for no such ruling, BadInput for
    what would count for nothing.
    """
    if only and rewind:
        raise BadInput("one ruling alone, or all from it on: not both.", place="only, rewind")
    if ruling is None:
        if only or rewind:
            raise BadInput("this needs the number of a ruling.", place="only" if only else "rewind")
        last = last_step(timeline, sees)
        if not last or (isinstance(timeline.heads[last - 1], Play) and isinstance(timeline.command(last), Open)):
            raise Refused("nothing_to_undo", "There is nothing left to undo but the opening itself.")
        if not isinstance(timeline.heads[last - 1], Play):
            return (*(step for step in _stopped_with(timeline, last) if sees(step.ruling)), Restore(last))
        return tuple(Strike(number) for number in together(timeline, last) if sees(number))
    if isinstance(timeline.head(ruling), Correction):
        if rewind:
            raise BadInput(f"ruling {ruling} is a correction, which is taken back by itself.", place="rewind")
        return (Restore(ruling),)
    check_strike(timeline, ruling)
    place = timeline.place[ruling]
    if rewind:
        return tuple(Strike(n) for n in sorted(timeline.order[place:]) if timeline.lives(n))
    later = any(timeline.lives(n) for n in timeline.order[place + 1 :])
    # Nothing hangs on a void ruling, and what was written last is always taken back alone.
    alone = timeline.entries[ruling].outcome.void or ruling == last_step(timeline)
    if timeline.command(ruling).boundary and later and not alone:
        raise Refused(
            "needs_rewind",
            f"Ruling {ruling} ({name_of(timeline.command(ruling))}) begins or ends a turn or orders them, and "
            "everything after it depends on it: it can only be taken back with all that follows.",
            fields=("ruling",),
        )
    exchange = () if only else timeline.exchange(ruling)
    return tuple(Strike(n) for n in exchange) or (Strike(ruling),)


def _stopped_with(timeline: Timeline, correction: int) -> tuple[Step, ...]:
    """Return the step that restores the undo made right after that correction, of what stands after its place: whoever
    corrects and stops there undoes both as one.
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


def redo_steps(timeline: Timeline, correction: int | None = None, *, sees: Sight = everything) -> tuple[Step, ...]:
    """The step that restores the newest active undo that somebody `sees`, or that correction; refused with
    `nothing_to_redo`.
    """
    number = last_undo(timeline, sees) if correction is None else correction
    if not number:
        raise Refused("nothing_to_redo", "There is nothing to redo: no undo is in force.")
    check_restore(timeline, number)
    return (Restore(number),)


def last_step(timeline: Timeline, sees: Sight = everything) -> int:
    """The newest living step in log order that somebody `sees`: a play, or an active amendment (by its correction); 0
    if none.

    The amendment of a struck play is passed over, and one that says what stands there anyhow: nobody would see it go.
    """
    for head in reversed(timeline.heads):
        if isinstance(head, Play) and timeline.lives(head.ruling) and sees(head.ruling):
            return head.ruling
        if (
            isinstance(head, Correction)
            and timeline.active[head.ruling]
            and any(isinstance(step, Amend) and _amends(timeline, head.ruling, step) for step in head.steps)
            and sees(head.ruling)
        ):
            return head.ruling
    return 0


def _amends(timeline: Timeline, correction: int, step: Amend) -> bool:
    """True if that living play would read otherwise without this amendment, or its dice be no amended ones."""
    if not timeline.lives(step.ruling):
        return False
    command = timeline.command(step.ruling)
    faces = {field.name for field in face_fields(type(command))}
    if not faces.isdisjoint(step.patch):
        return True
    try:
        return command != timeline.command(step.ruling, Change(toggled={correction: False}))
    except BadInput:
        return True


def last_undo(timeline: Timeline, sees: Sight = everything) -> int:
    """The newest active correction that takes something back, and so can itself be taken back, that somebody `sees`; 0
    if none. A branch brings back nothing that was undone in the fight that it left.
    """
    for head in reversed(timeline.heads):
        if isinstance(head, Branch) and head.parent:
            return 0
        if timeline.takes_back.get(head.ruling) and timeline.active[head.ruling] and sees(head.ruling):
            return head.ruling
    return 0


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
        raise Refused("no_play", f"Ruling {number} is {_NO_PLAY[type(head)]}.", fields=("ruling",))
    return head


def check_strike(timeline: Timeline, number: int) -> None:
    """Refused with `already_struck` or `cannot_strike_opening`."""
    head = check_play(timeline, number)
    if isinstance(head.command, Open):
        raise Refused("cannot_strike_opening", "The opening cannot be taken back: without it there is no encounter.")
    if striking := timeline.striking(number):
        check_left(timeline, number, striking)
        who = timeline.head(striking).by
        raise Refused(
            "already_struck",
            f"Ruling {number} was already taken back by {striking}{f' ({who})' if who else ''}.",
            fields=("ruling",),
        )


def check_left(timeline: Timeline, number: int, striking: int) -> None:
    """Refused with `already_struck` for a play that stood behind the one from which this fight left another."""
    head = timeline.head(striking)
    if isinstance(head, Branch):
        raise Refused(
            "already_struck",
            f'Ruling {number} is no part of this fight, which left "{head.parent}" behind {head.behind} ({striking}).',
            fields=("ruling",),
        )


def check_amend(timeline: Timeline, step: Amend, struck: Sequence[int] = ()) -> None:
    """Refused for a struck ruling or an opening; raises BadInput for a patch that makes no such command."""
    head = check_play(timeline, step.ruling)
    striking = timeline.striking(step.ruling)
    if striking:
        check_left(timeline, step.ruling, striking)
    if striking or step.ruling in struck:
        raise Refused(
            "already_struck",
            f"Ruling {step.ruling} is struck by {striking} and cannot be amended unless that is taken back."
            if striking
            else f"Ruling {step.ruling} is struck and cannot be amended.",
            fields=("ruling",),
            hints=(Hint("redo", {"correction": striking}),) if striking else (),
        )
    if isinstance(head.command, Open):
        raise Refused("cannot_strike_opening", "The opening cannot be amended: its rules are pinned.")
    if isinstance(head.command, Close):
        raise Refused("cannot_amend_closing", "A closing cannot be amended: its seed is what it is. Undo it instead.")
    if "do" in step.patch:
        raise BadInput("a ruling cannot become another command; strike it and insert the other.", place="amend")
    amended(timeline.command(step.ruling), step.patch)


def check_restore(timeline: Timeline, number: int) -> None:
    """Refused with `no_correction` or `already_restored`."""
    head = timeline.head(number)
    if not isinstance(head, Correction):
        striking = timeline.striking(number) if number in timeline.entries else 0
        if striking:
            check_left(timeline, number, striking)
        instead = f" {number} was taken back by {striking}: restore that." if striking else ""
        raise Refused("no_correction", f"Ruling {number} is not a correction; only corrections are restored.{instead}")
    if not timeline.active[number]:
        by = next(other for other in reversed(timeline.restored_by[number]) if timeline.active[other])
        raise Refused("already_restored", f"Correction {number} was already restored by {by}.", fields=("ruling",))


def named_steps(timeline: Timeline, steps: Sequence[Step]) -> tuple[Step, ...]:
    """The steps as they are written: an amendment with the name of the command whose fields it gives, for a later
    program reads it by that.
    """
    return tuple(
        replace(step, do=name_of(timeline.command(step.ruling))) if isinstance(step, Amend) else step for step in steps
    )


def corrected_by(timeline: Timeline, number: int) -> int:
    """The newest ruling that changed what became of that one, or 0 where it counts as it was first written."""
    head = timeline.head(number)
    if isinstance(head, Correction):
        restorers = timeline.restored_by.get(number, ())
        return next((other for other in reversed(restorers) if timeline.active[other]), 0)
    entry = timeline.entries.get(number)
    if entry is None:
        return 0
    amended = (correction for correction, _ in entry.amended_by if timeline.active[correction])
    return max(timeline.striking(number), timeline.changed_by(number), *amended, 0)

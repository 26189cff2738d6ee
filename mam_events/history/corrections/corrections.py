"""Corrections: the steps that one may have, and what each of them may correct."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from mam_events.commands import Close, Open, Pass, ThrowDie, name_of, with_fields
from mam_events.deserializer import SHORTENER, find_mismatch
from mam_events.errors import BadInput, CommandHint, Refused
from mam_events.events import Amend, Branch, Correction, Note, Play, Restore, Step, Strike
from mam_events.refusals.arguments import RulingArgument, text_argument

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
            raise BadInput(
                f"A step must be a Strike, an Amend or a Restore, not {SHORTENER.repr(step)}.", place="steps"
            )
    try:
        return _DECODER.decode(_ENCODER.encode(steps))
    except msgspec.ValidationError as error:
        raise find_mismatch(tuple[Step, ...], msgspec.to_builtins(steps), error).error("steps") from None
    except (TypeError, UnicodeEncodeError, OverflowError) as error:
        raise BadInput(f"This step cannot be written: {error}.", place="steps") from None


def sees_all(_: int) -> bool:
    """Return True: the game master sees every ruling."""
    return True


def check_seen(timeline: Timeline, number: int, sees: SeesRuling) -> None:
    """Raise Refused with `hidden` for a ruling that somebody does not see, and NotFound if there is no such ruling."""
    timeline.head(number)
    if not sees(number):
        raise Refused("hidden", number=RulingArgument(number), fields=("ruling",))


def check_steps(timeline: Timeline, steps: Sequence[Step], sees: SeesRuling = sees_all) -> None:
    """Raise Refused for steps that are not possible, or that name a ruling that somebody does not see.

    Such steps strike what is struck already, name a ruling that is not a play, or set a field that the command doesn't
    have.
    """
    if not steps:
        raise Refused("nothing_to_correct")
    numbers = [step.ruling for step in steps if isinstance(step, Strike)]
    for step in steps:
        check_seen(timeline, step.ruling, sees)
        if isinstance(step, Restore):
            check_restore(timeline, step.ruling, sees)
        elif isinstance(step, Strike):
            check_strike(timeline, step.ruling, sees)
        else:
            check_amend(timeline, step, numbers, sees)
    if len(set(numbers)) < len(numbers):
        raise Refused("already_struck/twice")


def check_play(timeline: Timeline, number: int) -> Play:
    """Return the head of that play.

    Raises Refused with `no_play` for a correction or a note, and NotFound if there is no such ruling.
    """
    head = timeline.head(number)
    if not isinstance(head, Play):
        raise Refused(
            {Correction: "no_play/correction", Note: "no_play/note", Branch: "no_play/branch"}[type(head)],
            number=RulingArgument(number),
            fields=("ruling",),
        )
    return head


def check_place(timeline: Timeline, number: int) -> None:
    """Raise Refused with `no_play` unless something can follow that ruling, NotFound if there is none."""
    if not isinstance(timeline.head(number), Play):
        raise Refused("no_play/place", number=RulingArgument(number), fields=("ruling",))


def check_strike(timeline: Timeline, number: int, sees: SeesRuling = sees_all) -> None:
    """Raise Refused with `already_struck` (naming the correction if somebody `sees` it) or `cannot_strike_opening`."""
    head = check_play(timeline, number)
    if isinstance(head.command, Open):
        raise Refused("cannot_strike_opening/struck")
    if striking := timeline.striking(number):
        check_left(timeline, number, striking)
        if not sees(striking):
            raise Refused("already_struck/unseen", number=RulingArgument(number), fields=("ruling",))
        by = text_argument(timeline.head(striking), "by")
        if not by.text:
            raise Refused(
                "already_struck/seen",
                number=RulingArgument(number),
                striking=RulingArgument(striking),
                fields=("ruling",),
            )
        raise Refused(
            "already_struck/by",
            number=RulingArgument(number),
            striking=RulingArgument(striking),
            by=by,
            fields=("ruling",),
        )


def check_left(timeline: Timeline, number: int, striking: int) -> None:
    """Raise Refused with `already_struck` for a play after the one from which this fight branched off another."""
    head = timeline.head(striking)
    if isinstance(head, Branch):
        raise Refused(
            "already_struck/left",
            number=RulingArgument(number),
            parent=text_argument(head, "parent"),
            behind=RulingArgument(head.behind),
            branch=RulingArgument(striking),
            fields=("ruling",),
        )


def check_amend(timeline: Timeline, step: Amend, strikes: Sequence[int] = (), sees: SeesRuling = sees_all) -> None:
    """Raise Refused for a struck ruling or an opening, and BadInput for a patch that makes no such command."""
    head = check_play(timeline, step.ruling)
    striking = timeline.striking(step.ruling)
    if striking:
        check_left(timeline, step.ruling, striking)
    hints = (CommandHint("redo", {"correction": striking}),) if striking else ()
    if striking and sees(striking):
        raise Refused(
            "already_struck/amended",
            number=RulingArgument(step.ruling),
            striking=RulingArgument(striking),
            fields=("ruling",),
            hints=hints,
        )
    if striking or step.ruling in strikes:
        raise Refused(
            "already_struck/amended_unseen", number=RulingArgument(step.ruling), fields=("ruling",), hints=hints
        )
    if isinstance(head.command, Open):
        raise Refused("cannot_strike_opening/amended")
    if isinstance(head.command, Close):
        raise Refused("cannot_amend_closing")
    if isinstance(head.command, ThrowDie | Pass) and "visibility" in step.patch:
        raise Refused("seen_by_all/amended", fields=("visibility",))
    if "do" in step.patch:
        raise BadInput(
            "A ruling cannot become another order. Undo the ruling and insert the other order.", place="amend"
        )
    with_fields(timeline.command(step.ruling), step.patch)


def check_restore(timeline: Timeline, number: int, sees: SeesRuling = sees_all) -> None:
    """Raise Refused with `no_correction` or `already_restored` (naming the correction if somebody `sees` it)."""
    head = timeline.head(number)
    if not isinstance(head, Correction):
        striking = timeline.striking(number) if number in timeline.entries else 0
        if striking:
            check_left(timeline, number, striking)
        if striking and sees(striking):
            raise Refused("no_correction/undone", number=RulingArgument(number), striking=RulingArgument(striking))
        raise Refused("no_correction/other", number=RulingArgument(number))
    if not timeline.active[number]:
        by = next(other for other in reversed(timeline.restored_by[number]) if timeline.active[other])
        if sees(by):
            raise Refused(
                "already_restored/seen", number=RulingArgument(number), by=RulingArgument(by), fields=("ruling",)
            )
        raise Refused("already_restored/unseen", number=RulingArgument(number), fields=("ruling",))


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
    return max(timeline.striking(number), timeline.entries[number].changed_by(timeline.decoders), *amended, 0)

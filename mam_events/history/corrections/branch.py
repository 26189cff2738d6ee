"""The places of a fight where a branch may start."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mam_events.errors import Refused
from mam_events.history.corrections.corrections import check_place
from mam_events.history.timeline.moments import place_at
from mam_events.refusals.arguments import RulingArgument

if TYPE_CHECKING:
    from mam_events.history.timeline.timeline import Timeline


def branch_point(timeline: Timeline, moment: str | int | None) -> int:
    """Return the play after which a branch from that moment goes on.

    That is the named play, or the last play that counts of a round, or of the whole fight for None. Raises BadInput and
    NotFound as `place_at` does, and Refused as `check_branch_point` does.
    """
    if moment is not None and str(moment).isdecimal():
        number = int(moment)
    else:
        place = len(timeline.order) - 1 if moment is None else place_at(timeline, moment)
        number = next(n for n in reversed(timeline.order[: place + 1]) if _counts(timeline, n))
    check_branch_point(timeline, number, str(moment or ""))
    return number


def check_branch_point(timeline: Timeline, number: int, option: str = "") -> None:
    """Raise Refused with `cannot_branch` unless that play counts and the fight is open after it.

    Raises Refused with `no_play` for a ruling that is not a play, and NotFound if there is none. `option` is the moment
    as it was typed.
    """
    check_place(timeline, number)
    if _is_open(timeline, number):
        return
    # The default is the opening: it always counts, and the fight is open after it.
    last = RulingArgument(
        next((n for n in reversed(timeline.order[: timeline.place[number]]) if _is_open(timeline, n)), 1)
    )
    if striking := timeline.striking(number):
        raise Refused(
            "cannot_branch/undone",
            number=RulingArgument(number),
            striking=RulingArgument(striking),
            last=last,
            fields=("at",),
            wrong=option,
            allowed=(last,),
        )
    raise Refused(
        "cannot_branch/closed" if _counts(timeline, number) else "cannot_branch/void",
        number=RulingArgument(number),
        last=last,
        fields=("at",),
        wrong=option,
        allowed=(last,),
    )


def _is_open(timeline: Timeline, number: int) -> bool:
    return _counts(timeline, number) and timeline.states[timeline.place[number]].status == "open"


def _counts(timeline: Timeline, number: int) -> bool:
    return not timeline.striking(number) and not timeline.entries[number].outcome.is_void

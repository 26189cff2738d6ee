"""The places of a fight from which another may go on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mam_events.errors import Refused
from mam_events.rulings.corrections import check_play
from mam_events.rulings.moments import place_at

if TYPE_CHECKING:
    from mam_events.rulings.timeline import Timeline


def leaving(timeline: Timeline, moment: str | int | None) -> int:
    """The play behind which a branch from that moment goes on: the one named, or the last that counts of a round, or
    (None) of all.

    Raises BadInput and NotFound as `place_at` does, Refused as `check_leaving`.
    """
    if moment is not None and str(moment).isdecimal():
        number = int(moment)
    else:
        place = len(timeline.order) - 1 if moment is None else place_at(timeline, moment)
        number = next(n for n in reversed(timeline.order[: place + 1]) if not _uncounted(timeline, n))
    check_leaving(timeline, number, str(moment or ""))
    return number


def check_leaving(timeline: Timeline, number: int, said: str = "") -> None:
    """Refused with `cannot_branch` unless that play counts and the fight is open behind it; `no_play` for what is none,
    NotFound for nothing. `said` is how the moment was given.
    """
    check_play(timeline, number)
    why = _uncounted(timeline, number)
    if not why and timeline.states[timeline.place[number]].status != "open":
        why = f"By ruling {number} the fight is closed"
    if why:
        # The opening counts always, and opens.
        last = next((n for n in reversed(timeline.order[: timeline.place[number]]) if _open(timeline, n)), 1)
        raise Refused(
            "cannot_branch",
            f"{why}, and nothing goes on from there; {last} is the last before it from which a fight can.",
            fields=("at",),
            wrong=said,
            allowed=(str(last),),
        )


def _open(timeline: Timeline, number: int) -> bool:
    return not _uncounted(timeline, number) and timeline.states[timeline.place[number]].status == "open"


def _uncounted(timeline: Timeline, number: int) -> str:
    """The reason why that play does not count; "" where it does."""
    if striking := timeline.striking(number):
        return f"Ruling {number} was taken back by {striking}"
    return f"Ruling {number} is void" if timeline.entries[number].outcome.void else ""

"""Moments of a fight: just after a ruling's place, or after the last living ruling of a round."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mam_events.errors import BadInput, NotFound
from mam_events.history.corrections.corrections import SeesRuling, sees_all

if TYPE_CHECKING:
    from mam_events.history.timeline.timeline import Timeline
    from mam_events.state import Encounter

_MOMENT = r"(round:)?([0-9]{1,9})"
SHOWN = 40
"""The most characters of an invalid moment that an error shows."""


def state_at(timeline: Timeline, moment: str | int | None, sees: SeesRuling = sees_all) -> Encounter:
    """Return the living state at that moment, or now for None. Raises as `place_at` does."""
    return timeline.state if moment is None else timeline.states[place_at(timeline, moment, sees)]


def place_at(timeline: Timeline, moment: str | int, sees: SeesRuling = sees_all) -> int:
    """Return the place in the living order just before that moment, for somebody who `sees` only some rulings.

    Raises BadInput for an invalid moment, and NotFound for one that is not in this log.
    """
    in_round, number = _parts(str(moment))
    if in_round:
        last = next((p for p in reversed(range(len(timeline.states))) if timeline.states[p].round == number), None)
        if last is None:
            newest = timeline.state.round
            begun = f"The newest is round {newest}" if newest else "No round has begun yet"
            raise NotFound(f"There is no round {number}. {begun}.")
        return last
    timeline.head(number)
    if number in timeline.place and sees(number):
        return timeline.place[number]
    # Corrections and notes have no place of their own: use the place of the fight when they were written. Do so for
    # hidden rulings too, because their places would reveal what they are.
    return timeline.place[next(n for n in reversed(timeline.order) if n < number)]


def _parts(text: str) -> tuple[bool, int]:
    """Return the number in that text, preceded by True if it is the number of a round."""
    match = re.fullmatch(_MOMENT, text)
    if match is None:
        text_shown = text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
        raise BadInput(
            f'"{text_shown}" is not a moment. Give a ruling like 17, or a round like round:2.', place="moment"
        )
    return bool(match[1]), int(match[2])

"""The answer to what was written: its rulings as whoever gave them may know them, and where the fight stands now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from projections.moves import whose_move
from projections.pools import Standing, standings
from projections.rulings_mentioned import led_by, with_rulings_mentioned
from web.service.telling import RulingTold, told_rulings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mam_events.log.answers import Answer
    from mam_events.rulings.timeline import Timeline
    from web.service.asking import Ask


class Written(Struct, frozen=True):
    """Rulings that are in the log, durably. `repeated` tells that they were there already under this idempotency key,
    and nothing was written; `corrected_by` is the ruling that changed one of them since (0: none). `version` is the
    newest ruling, `combatants` are everybody as they stand now, `move` is what the fight waits for.
    """

    encounter: str
    version: int
    rulings: list[RulingTold]
    move: str
    combatants: list[Standing]
    repeated: bool = False
    corrected_by: int = 0


def written(ask: Ask, answers: Sequence[Answer]) -> Written:
    """The answer for those rulings, given under the lock of their encounter."""
    encounter = answers[0].encounter

    def at(timeline: Timeline) -> Written:
        seat = ask.desk.seats.seat(encounter, ask.who.view_of(timeline), timeline)
        numbers = [number for answer in answers for number in (*led_by(timeline, answer), answer.number)]
        judged = [entry.ruling for answer in answers for entry in answer.rejudged]
        about = with_rulings_mentioned(timeline, {*numbers, *judged})
        told = told_rulings([one for one in about if one.number in numbers], seat.screen, about)
        return Written(
            encounter,
            timeline.number,
            told,
            whose_move(timeline.state, seat.screen, ask.log.rules),
            standings(timeline.state, seat.screen),
            any(answer.repeated for answer in answers),
            next((answer.corrected_by for answer in answers if answer.corrected_by), 0),
        )

    return ask.log.look(encounter, at)

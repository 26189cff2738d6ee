"""Lines over HTTP: orders as they are typed at the table, by whoever may give them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from mam_events.commands import Command
from mam_events.events import Step
from mam_events.history.timeline.timeline import Timeline
from mam_events.log.results import Preview
from mam_events.log.writer import expect_newest
from mam_events.notation.author import GM_AUTHOR, LineAuthor
from mam_events.notation.line_result import LineOptions
from mam_events.notation.submit import give_line
from projections.rulings.order_result import LineResult, line_result
from projections.rulings.previews import PreviewResult
from projections.visibility.player_author import PlayerAuthor
from web.service.endpoints import Example, endpoint
from web.service.request import RequestContext, check_visible
from web.service.routes.commands import DUEL, By, expect_required
from web.service.routes.corrections import preview_view


class LineQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Words beside a line: who gives it, what a correction is held to, that it is `sure` or only `looks` what it would
    change, the orders that the line does not stop for (`passing`, with commas), and whether each die is thrown at the
    table (`ask_dice`).
    """

    by: By = ""
    expect: str = ""
    sure: bool = False
    looks: bool = False
    passing: str = ""
    ask_dice: bool = False


class LinePreview(Struct, frozen=True):
    """A correction or an insert that was only looked at: its long form, and what it would change of the fight as it
    stands at ruling `version`; nothing is written.
    """

    encounter: str
    version: int
    line: tuple[str, ...]
    preview: PreviewResult


class PlayerLineAuthor(PlayerAuthor):
    """A player who types: he orders what his own combatants do, and takes back his newest line."""

    def __init__(self, ask: RequestContext) -> None:
        super().__init__(ask.own_seat, ask.who.combatants)
        self._ask = ask

    def check_order(self, timeline: Timeline, command: Command) -> None:
        """Refuse an order that is not his to give, or names whoever he may not know of."""
        self._ask.who.rights.check_order(timeline, command, self._ask.log.rules)
        super().check_order(timeline, command)

    def check_visible(self, timeline: Timeline, visibility: str) -> None:
        """Raise HttpError for a note that he could not see himself."""
        check_visible(self._ask.who, visibility, self._ask.own_seat(timeline).view)

    def check_undo(self, timeline: Timeline, steps: Sequence[Step]) -> None:
        """Refuse what is not his to take back."""
        self._ask.who.rights.check_steps(timeline, steps)


@endpoint(
    "POST /encounters/{encounter}/lines",
    "write",
    rank="player",
    answer=LineResult | LinePreview,
    body=str,
    takes=("text/plain",),
    query=LineQuery,
    example=Example(path=DUEL, body="join Wolf foes hp=4"),
)
def type_line(ask: RequestContext) -> LineResult | LinePreview:
    """Give orders as one line, in the short or the long form of the notation: all of them, or none.

    The answer tells them in their long form. Where somebody may react, the line stops and says who. A correction that
    makes later rulings come out otherwise is refused with `needs_expect`, which names what to send with it; with
    `looks` it writes nothing, and the answer is what it would change. A player types what his own combatants do; his
    line stops before its dice whether somebody may react or not, and `u` takes back his newest one.
    """
    query: LineQuery = ask.query
    typist: LineAuthor = GM_AUTHOR if ask.who.at_least("gm") else PlayerLineAuthor(ask)
    beside = LineOptions(
        ask.by(query.by),
        ask.key,
        ask.expected,
        query.expect,
        query.sure,
        query.looks,
        tuple(query.passing.split(",")) if query.passing else (),
        not query.ask_dice,
        typist,
    )
    given = give_line(ask.log, ask.encounter, ask.body, beside)
    if given.asks is not None and query.looks:
        return ask.log.look(ask.encounter, partial(_asked, ask, given.said, given.asks))
    if given.asks is not None:
        raise expect_required(given.asks)
    return line_result(ask.result(given.answers), given)


def _asked(ask: RequestContext, said: tuple[str, ...], found: Preview, timeline: Timeline) -> LinePreview:
    """The answer to a look; raises VersionConflict where whoever asks has not seen all that it is about."""
    expect_newest(timeline, ask.expected, ask.own_seat(timeline).view)
    # A screen learns whom a preview may name, and the one that all his looks share must not.
    return LinePreview(ask.encounter, timeline.number, said, preview_view(found, replace(ask, looks=False), timeline))

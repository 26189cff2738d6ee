"""The endpoint for typed lines: orders in the notation of the table."""

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
    """Options of a line.

    `by` is the author, `expect` the preview that a correction is held to. With `sure` it needs none; with `looks` it is
    only previewed. The line does not stop for the orders in `passing` (separated by commas). With `ask_dice` each die
    is rolled at the table.
    """

    by: By = ""
    expect: str = ""
    sure: bool = False
    looks: bool = False
    passing: str = ""
    ask_dice: bool = False


class LinePreview(Struct, frozen=True):
    """A preview of a correction or an insert: its long form, and what it would change at ruling `version`."""

    encounter: str
    version: int
    line: tuple[str, ...]
    preview: PreviewResult


class PlayerLineAuthor(PlayerAuthor):
    """A player who types: they give orders for their own combatants, and undo their newest line."""

    def __init__(self, context: RequestContext) -> None:
        super().__init__(context.own_viewer, context.who.combatants)
        self._ask = context

    def check_order(self, timeline: Timeline, command: Command) -> None:
        """Raise an error for an order that the player may not give, or that names a combatant hidden from them."""
        self._ask.rights.check_order(timeline, command, self._ask.log.rules)

    def check_visible(self, timeline: Timeline, visibility: str) -> None:
        """Raise HttpError for a note that the player could not see."""
        check_visible(self._ask.who, visibility, self._ask.own_viewer(timeline).view)

    def check_undo(self, timeline: Timeline, steps: Sequence[Step]) -> None:
        """Raise an error for a correction that the player may not make."""
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
def type_line(context: RequestContext) -> LineResult | LinePreview:
    """Give orders as one line, in the short or the long form of the notation; all of them are written, or none.

    The answer shows them in their long form. If somebody may react, the line stops and names them. A correction that
    changes later rulings is refused with `needs_expect`, which names the value to send with it; with `looks` nothing is
    written, and the answer is a preview. A player types what their own combatants do; their line always stops before
    its dice, and `u` undoes their newest line.
    """
    query: LineQuery = context.query
    author: LineAuthor = GM_AUTHOR if context.who.has_rank("gm") else PlayerLineAuthor(context)
    options = LineOptions(
        context.by(query.by),
        context.key,
        context.expected,
        query.expect,
        query.sure,
        query.looks,
        tuple(query.passing.split(",")) if query.passing else (),
        not query.ask_dice,
        author,
    )
    result = give_line(context.log, context.encounter, context.body, options)
    if result.asks is not None and query.looks:
        return context.log.look(context.encounter, partial(_asked, context, result.said, result.asks))
    if result.asks is not None:
        raise expect_required(result.asks)
    return line_result(context.result(result.answers), result)


def _asked(context: RequestContext, line: tuple[str, ...], preview: Preview, timeline: Timeline) -> LinePreview:
    """Return the answer to a preview; raise VersionConflict if the caller has not seen all that it is based on."""
    expect_newest(timeline, context.expected, context.own_viewer(timeline).view)
    # Use a new redactor: it learns names from the preview, which a cached one must not keep.
    return LinePreview(
        context.encounter, timeline.number, line, preview_view(preview, replace(context, looks=False), timeline)
    )

"""A preview of a correction or an insert as the view may know it, the same in every interface."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from mam_events.dice import Die, read_key
from projections.rulings.correction_summary import CorrectionSummary, summarize_preview
from projections.rulings.verdicts import Judgement, as_view_knows, verdicts_given
from projections.state.pools import PoolStanding, pool_standings

if TYPE_CHECKING:
    from mam_events.history.timeline.timeline import Timeline
    from mam_events.log.results import Preview
    from projections.visibility.viewer import Viewer


class PreviewResult(Struct, frozen=True):
    """The effect of a correction before it is written.

    `summary` has its effect in `sentences`. `struck` and `restored` are the plays that it undoes and redoes,
    `verdicts` those on every later ruling, `unused` the dice that nothing would use any more, and `combatants` is
    everybody as they would stand (empty if a die has to be drawn first). A request that sends `expect` back does
    exactly this or nothing. `hidden` is the number of hidden rulings in the whole fight. The rulings in
    `by_newer_rules` would change only because this program has newer rules.
    """

    summary: CorrectionSummary
    expect: str
    touches_more: bool
    struck: tuple[int, ...]
    restored: tuple[int, ...]
    verdicts: list[Judgement]
    unused: list[Die]
    combatants: list[PoolStanding]
    hidden: int = 0
    by_newer_rules: tuple[int, ...] = ()


def preview_result(timeline: Timeline, preview: Preview, viewer: Viewer, own_texts: Any = ()) -> PreviewResult:
    """Return a preview as that viewer may know it, without redacting the `own_texts`, which they wrote."""
    redactor, sees = viewer.quoting(own_texts), viewer.sees
    visible = [entry for entry in preview.rejudged if sees(entry.ruling)]
    return PreviewResult(
        summarize_preview(timeline, preview, redactor, sees),
        preview.expect,
        preview.touches_more,
        tuple(filter(sees, preview.struck)),
        tuple(filter(sees, preview.restored)),
        verdicts_given(timeline, as_view_knows(timeline, visible, redactor), redactor),
        [die for die in preview.unused if sees(read_key(die.key).ruling)],
        pool_standings(preview.state, redactor) if preview.state else [],
        viewer.count_hidden(),
        tuple(filter(sees, preview.moved_on)),
    )

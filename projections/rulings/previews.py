"""A preview of a correction or an insert as a view may know it, alike at every door."""

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
    """The effect of a correction, with nothing written: first a `summary`, whose `sentences` tell it in words; then the
    plays it takes out and brings back, the verdict on every later ruling, the dice that nothing would use any more,
    everybody as they would stand (none where a die is to be drawn first). Sent back as `expect`, it does exactly this
    or nothing. Of the `hidden` rulings of the whole fight nothing else is told. Those `by_newer_rules` would come out
    otherwise by newer rules of this program alone.
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


def preview_result(timeline: Timeline, found: Preview, seat: Viewer, said: Any = ()) -> PreviewResult:
    """Return a preview as that seat may know it; the texts that it `said` itself are told it again as they are."""
    screen, sees = seat.quoting(said), seat.sees
    shown = [entry for entry in found.rejudged if sees(entry.ruling)]
    return PreviewResult(
        summarize_preview(timeline, found, screen, sees),
        found.expect,
        found.touches_more,
        tuple(filter(sees, found.struck)),
        tuple(filter(sees, found.restored)),
        verdicts_given(timeline, as_view_knows(timeline, shown, screen), screen),
        [die for die in found.unused if sees(read_key(die.key).ruling)],
        pool_standings(found.state, screen) if found.state else [],
        seat.count_hidden(),
        tuple(filter(sees, found.moved_on)),
    )

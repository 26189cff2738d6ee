"""The moment of a fight that a command shows, or every encounter instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.session import Session

if TYPE_CHECKING:
    from mam_events.history.timeline.rulings import Ruling
    from mam_events.history.timeline.timeline import Timeline
    from mam_events.state import Encounter
    from projections.visibility.redaction import Redactor


def moment_of(session: Session, moment: str | None, as_of: int | None) -> tuple[Timeline, Encounter]:
    """Return the timeline as of a ruling, and the state at that moment of it."""
    from mam_events.history.timeline.moments import state_at

    timeline = session.timeline(as_of)
    return timeline, state_at(timeline, moment, session.redactor().sight(timeline))


def rulings_until(
    timeline: Timeline, moment: str | None, redactor: Redactor, *, as_fought: bool = False
) -> list[Ruling]:
    """Return the rulings up to that moment by number, or with `as_fought` in the order in which they happened."""
    from mam_events.history.timeline.moments import place_at
    from projections.rulings.placement import in_story_order, placed_rulings

    last = len(timeline.order) if moment is None else place_at(timeline, moment, redactor.sight(timeline))
    pairs = [(place, ruling) for place, ruling in placed_rulings(timeline, redactor) if place <= last]
    return in_story_order(pairs) if as_fought else [ruling for _, ruling in pairs]


across_encounters = click.option(
    "--all", "everywhere", is_flag=True, help="Every encounter of the store as it stands, the oldest first."
)


def check_no_moment(moment: str | None, as_of: int | None) -> None:
    """Raise a usage error if a moment of one encounter is requested together with --all."""
    if moment or as_of:
        raise click.UsageError("--at and --as-of are for one encounter. Leave --all out.")

"""The change that a new play or a correction would make."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from mam_events.events import Correction, Play, Restore, Strike
from mam_events.history.corrections.turn_policy import TurnPolicies
from mam_events.history.timeline.active_corrections import toggled_by, touched_by
from mam_events.history.timeline.change import Change

if TYPE_CHECKING:
    from mam_events.history.timeline.timeline import Timeline


def plan_change(timeline: Timeline, head: Play | Correction) -> Change:
    """Return the change that this head would make."""
    order = timeline.order
    if isinstance(head, Play):
        at = timeline.place_after(head.after)
        order = [*order[:at], head.ruling, *order[at:]]
        return _extend_to_policy_changes(timeline, Change(at, at, order, new=head.command, turns=head.turns))
    toggled = toggled_by(timeline, (head,))
    del toggled[head.ruling]
    touched = touched_by(timeline, toggled) | {step.ruling for step in head.steps if not isinstance(step, Restore)}
    # A correction that is restored twice may touch nothing.
    places = [timeline.place[number] for number in touched] or [len(order)]
    strikes = frozenset(step.ruling for step in head.steps if isinstance(step, Strike))
    return _extend_to_policy_changes(
        timeline,
        Change(
            min(places),
            max(places),
            order,
            toggled,
            frozenset(touched),
            head.steps,
            strikes,
            turns=head.turns,
        ),
    )


def _extend_to_policy_changes(timeline: Timeline, change: Change) -> Change:
    """Return the change with `last` at the last play, void or with bookkeeping, for which it treats turns differently.

    What stands before that play is not settled, even if the fight stands as it did.
    """
    if not timeline.unsettled:
        return change
    now, policy_after = TurnPolicies(timeline), TurnPolicies(timeline, change)
    turned = (
        change.place_of(number, timeline.place)
        for number in timeline.unsettled
        if timeline.lives(number, change) and now.keeps(number) != policy_after.keeps(number)
    )
    return replace(change, last=max([change.last, *turned]))

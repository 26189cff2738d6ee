"""Checks of the stored snapshots of an encounter."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import MsgspecError

from mam_events.errors import CommandHint, VerificationFailed
from mam_events.history.timeline.projector import TimelineSnapshot, can_apply
from mam_events.history.timeline.timeline import Timeline
from mam_events.store import StoredEventRow, decoders


def check_snapshots(rows: Sequence[tuple[int, str, bytes]], snapshots: Iterable[StoredEventRow]) -> None:
    """Raise VerificationFailed for a snapshot that would be used but differs from the fight in these rows."""
    for one in snapshots:
        if one.topic != TimelineSnapshot.topic:
            continue
        if not can_apply(rows, one.originator_version):
            continue
        until = Timeline(decoders(), rows[: one.originator_version], encounter=one.originator_id)
        if not _shows(one, until):
            raise VerificationFailed(
                f"The log itself is intact, but the snapshot saved at row {one.originator_version} does not match it. "
                "Rebuild the projections to delete the snapshot.",
                hints=[CommandHint("projections rebuild")],
            )


def _shows(snapshot: StoredEventRow, timeline: Timeline) -> bool:
    try:
        # Compare values: in JSON, only one of the two may write out a default.
        return TimelineSnapshot.read(snapshot) == (timeline.seal, timeline.state)
    except (MsgspecError, UnicodeDecodeError, RecursionError):
        return False

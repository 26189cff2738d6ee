"""The registry of all tables that are cached beside the log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mam_events.history.timeline.rulings import rulings
from projections.analysis.what_if import FightEnding, current_ending
from projections.cache.encounters import ENCOUNTER_TABLE
from projections.cache.table import CachedProjection, catch_up
from projections.notes.disputes import Dispute, disputes
from projections.reports.rule_changes import RulesChange, changes_of_rules
from projections.rulings.audit import AuditEntry, audit_trail
from projections.state.pools import EncounterPools, pools_of
from projections.state.turn_order import TurnOrder, project_turn_order, settled_by

if TYPE_CHECKING:
    from collections.abc import Callable

    from mam_events.errors import MamError
    from mam_events.log.readable_log import ReadableLog

AUDIT_TABLE: CachedProjection[list[AuditEntry]] = CachedProjection.of(
    "audit",
    list[AuditEntry],
    lambda timeline, redactor, _: [
        entry for entry in audit_trail(rulings(timeline), redactor) if entry.number >= timeline.branched_at
    ],
)
"""Every ruling of each encounter; of a branch only those since it left."""
OUTCOME_TABLE: CachedProjection[FightEnding] = CachedProjection.of(
    "outcomes", FightEnding, lambda timeline, redactor, _: current_ending(timeline, redactor)
)
"""The end of each fight as it now stands."""
DISPUTE_TABLE: CachedProjection[tuple[Dispute, ...]] = CachedProjection.of(
    "disputes",
    tuple[Dispute, ...],
    lambda timeline, redactor, _: tuple(
        one for one in disputes(timeline, redactor) if one.decision > timeline.branched_at
    ),
)
"""All decided disputes of each encounter."""
RULE_CHANGE_TABLE: CachedProjection[tuple[RulesChange, ...]] = CachedProjection.of(
    "rules-changes", tuple[RulesChange, ...], changes_of_rules
)
"""All changes of the rules of each encounter."""
POOL_TABLE: CachedProjection[EncounterPools] = CachedProjection.of(
    "pools", EncounterPools, lambda timeline, redactor, _: pools_of(timeline.state, redactor)
)
"""Everybody's hit points in each encounter as it stands."""
TURN_ORDER_TABLE: CachedProjection[TurnOrder] = CachedProjection.of(
    "initiative",
    TurnOrder,
    lambda timeline, redactor, _: project_turn_order(timeline.state, redactor, settled_by(timeline)),
)
"""The turn order of each encounter as it stands."""
CACHED_PROJECTIONS: tuple[CachedProjection[Any], ...] = (
    ENCOUNTER_TABLE,
    AUDIT_TABLE,
    OUTCOME_TABLE,
    DISPUTE_TABLE,
    RULE_CHANGE_TABLE,
    POOL_TABLE,
    TURN_ORDER_TABLE,
)


def rebuild(log: ReadableLog, on_progress: Callable[[], object] = bool) -> dict[str, MamError]:
    """Delete all tables and make them again; call `on_progress` for each encounter of each table.

    Returns the error of each encounter that cannot be read. Raises StoreUnusable if the store cannot be written to.
    """
    log.application.factory.forget()
    return catch_up(log, CACHED_PROJECTIONS, on_progress=on_progress)

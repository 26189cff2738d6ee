"""All the tables that are kept beside the log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mam_events.rulings.history import rulings
from projections.audit import AuditEntry, audit_trail
from projections.disputes import Dispute, disputes
from projections.encounters import ENCOUNTERS
from projections.house_rules import RulesChange, changes_of_rules
from projections.projector import Table
from projections.supposed import Ending, outcome

if TYPE_CHECKING:
    from collections.abc import Callable

    from mam_events.errors import MamError
    from mam_events.log.looking import ReadableLog

AUDIT: Table[list[AuditEntry]] = Table.of(
    "audit",
    list[AuditEntry],
    lambda timeline, screen, _: [
        entry for entry in audit_trail(rulings(timeline), screen) if entry.number >= timeline.left
    ],
)
"""Every ruling of each encounter; of a branch from where it left."""
OUTCOMES: Table[Ending] = Table.of("outcomes", Ending, lambda timeline, screen, _: outcome(timeline, screen))
"""The end of each fight, as far as it goes."""
DISPUTES: Table[tuple[Dispute, ...]] = Table.of(
    "disputes",
    tuple[Dispute, ...],
    lambda timeline, screen, _: tuple(one for one in disputes(timeline, screen) if one.decision > timeline.left),
)
"""Every dispute that was decided in each encounter."""
RULES_CHANGES: Table[tuple[RulesChange, ...]] = Table.of("rules-changes", tuple[RulesChange, ...], changes_of_rules)
"""Every change of the rules of each encounter."""
TABLES: tuple[Table[Any], ...] = (ENCOUNTERS, AUDIT, OUTCOMES, DISPUTES, RULES_CHANGES)


def rebuild(log: ReadableLog, watch: Callable[[], object] = bool) -> dict[str, MamError]:
    """Make every table anew, from nothing; `watch` is called for each encounter of each. Tells of the encounters that
    cannot be read why. Raises StoreUnusable where the store takes nothing.
    """
    log.store.forget()
    failed: dict[str, MamError] = {}
    for table in TABLES:
        failed |= table.fill(log, watch)
    return failed

"""The pools and the order of a fight, folded as the command line does."""

from __future__ import annotations

from collections.abc import Iterable

from mam_events.events import Event, InitiativeEstablished, fold
from mam_events.log.combat_log import CombatLog
from mam_events.rulings.history import living
from mam_events.state import UNOPENED
from projections.initiative import InitiativeView, order_of
from projections.pools import PoolRow, rows_of


def facts_of(log: CombatLog, encounter: str = "fight") -> list[Event]:
    """The facts of the living history."""
    return [fact for ruling in living(log.timeline(encounter)) for fact in ruling.facts]


def pools_after(facts: Iterable[Event], view: str = "gm") -> list[PoolRow]:
    """The pools after those facts."""
    return rows_of(fold(UNOPENED, facts), view)


def order_in(log: CombatLog, view: str = "gm", encounter: str = "fight") -> InitiativeView:
    """The order as it is now, and why."""
    settled = [fact for fact in facts_of(log, encounter) if isinstance(fact, InitiativeEstablished)]
    return order_of(log.timeline(encounter).state, view, settled[-1] if settled else None)

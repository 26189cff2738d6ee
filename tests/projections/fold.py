"""The pools, the order and the log lines of a fight, as the command line shows them."""

from __future__ import annotations

from collections.abc import Iterable

from mam_events.events import Event, InitiativeEstablished, fold
from mam_events.history.timeline.rulings import living_plays, rulings
from mam_events.log.combat_log import CombatLog
from mam_events.state import EMPTY_ENCOUNTER
from projections.rulings.log_lines import LogLine, log_lines
from projections.state.pools import PoolRow, rows_of
from projections.state.turn_order import TurnOrder, project_turn_order


def events_of(log: CombatLog, encounter: str = "fight") -> list[Event]:
    """Return the events of the living history."""
    return [event for ruling in living_plays(log.timeline(encounter)) for event in ruling.events]


def pools_after(events: Iterable[Event], view: str = "gm") -> list[PoolRow]:
    """Return the pools after those events."""
    return rows_of(fold(EMPTY_ENCOUNTER, events), view)


def order_in(log: CombatLog, view: str = "gm", encounter: str = "fight") -> TurnOrder:
    """Return the current order and the reason for it."""
    order_events = [event for event in events_of(log, encounter) if isinstance(event, InitiativeEstablished)]
    return project_turn_order(log.timeline(encounter).state, view, order_events[-1] if order_events else None)


def lines_of(log: CombatLog, view: str = "gm") -> dict[int, LogLine]:
    """Return the lines of the log, by the number of their ruling."""
    return {line.number: line for line in log_lines(rulings(log.timeline("fight")), view)}

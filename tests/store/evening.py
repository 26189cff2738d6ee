"""The script that made the evening frozen in `evening.mam.gz`.

It was played by the program before the log was an application of the event-sourcing library; its rulings were sealed
anew since, as they are now.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from random import Random
from typing import Any

from mam_events.commands import Attack, BeginTurn, Close, EndTurn, Initiative, Join, Move, Open, Resolve
from mam_events.events import Amend
from mam_events.log.combat_log import CombatLog
from tests.fighters import CLONE, MODRE, SENTRY, play_printed

FIGHTS = ("fight", "summer", "what-if")


def settings() -> dict[str, Any]:
    """Return a clock and an entropy source that are the same each time."""
    ticks = count()
    clock: Callable[[], datetime] = lambda: datetime(2026, 3, 1, 19, tzinfo=UTC) + timedelta(seconds=next(ticks))  # noqa: E731
    return {"clock": clock, "entropy": Random(24).randbytes}


def begin(log: CombatLog) -> None:
    """Play the printed fight with corrections of every kind, and begin another fight for which dice are drawn."""
    play_printed(log, "fight", title="Modré and the Clone")
    log.undo("fight", 21, by="Bob", reason="it was a bluff", command_id="k-1")
    log.correct("fight", [Amend(6, {"power": 3}, "attack")], by="Bob", turns="strict")
    log.redo("fight", 22, by="Bob")
    log.note("fight", "it was only two metres", kind="dispute", about=15, by="Modré", visibility="side:heroes")
    opening = (Open(title="L’été"), MODRE, CLONE, SENTRY, Join("spy", side="foes", hp=4, visibility="gm"), Initiative())
    for command in (*opening, BeginTurn("modre")):
        log.execute("summer", command, by="Ana")
    log.execute("summer", Attack("modre", "clone", "ice-blade", power=2), by="Ana", visibility="gm")


def end(log: CombatLog) -> None:
    """Resolve the attack, insert a move before it, branch the fight and close one of the three."""
    log.execute("summer", Resolve(8), by="Ana", command_id="k-2")
    log.execute_all("summer", [EndTurn("modre"), BeginTurn("clone"), Attack("clone", "modre", power=1)], by="Ana")
    log.execute("summer", Move("modre", points=1), by="Ana", after=7)
    log.branch("summer", "what-if", 7, by="Bob")
    log.execute("what-if", Attack("modre", "clone", "ice-blade", power=3, modifier=1), by="Bob")
    log.execute("what-if", Resolve(log.timeline("what-if").number), by="Bob")
    log.execute("summer", Close(), by="Ana")

"""The fighters of the printed example and their fight."""

from __future__ import annotations

from decimal import Decimal

from msgspec.structs import replace

from mam_events.commands import (
    Attack,
    BeginTurn,
    Body,
    Command,
    Counterattack,
    Defend,
    EndTurn,
    Initiative,
    Join,
    Move,
    Open,
    Ready,
    Resolve,
)
from mam_events.log.combat_log import CombatLog
from mam_events.state import Weapon

ICE_BLADE = Weapon("ice-blade", name="Ice Blade", power=3, attack=1, sharpness=-2, reach=Decimal(2))
MODRE = Join("modre", name="Modre", side="heroes", kind="pc", seat=0, hp=6, weapon=(ICE_BLADE,))
CLONE = Join("clone", name="Clone", side="foes", seat=1, hp=6, body=Body(attack=2, reach=Decimal(1)))
SENTRY = Join("sentry", name="Sentry", side="foes", seat=2, hp=6)


def with_pools(fighter: Join, **pools: int) -> Join:
    """Return the fighter with the given points in each pool; the other pools are empty."""
    return replace(fighter, hp=sum(pools.values()), pools=pools)


def duel_orders(modre: Join = MODRE, clone: Join = CLONE, *others: Join) -> tuple[Command, ...]:
    """Return the joins (rulings 2, 3, …), the initiative, which Modre has by reach, and the start of Modre's turn."""
    return (modre, clone, *others, Initiative(), BeginTurn("modre"))


DUEL = duel_orders()
"""Rulings 2 to 5: both are there, and Modre's first turn has begun (MAM-EX-01, MAM-EX-02)."""

FIRST_ROUND = (
    Attack("modre", "clone", "ice-blade", power=4, modifier=2),
    Defend("clone", 6, points=6),
    Resolve(6, attack_die=2, defense_die=1),
    EndTurn("modre"),
    BeginTurn("clone"),
    Ready("clone", defense=3),
    EndTurn("clone"),
)
"""Rulings 6 to 12: the attack misses, and the Clone refreshes and waits (MAM-EX-03, MAM-EX-04)."""

SECOND_ROUND = (
    BeginTurn("modre"),
    Ready("modre", other_used=3),
    Attack("modre", "clone", "ice-blade", power=1, modifier=2),
    Counterattack("clone", 15, power=2, modifier=1),
    Resolve(15, attack_die=6, defense_die=4),
    EndTurn("modre"),
    BeginTurn("clone"),
    Ready("clone", other_used=3),
    Move("clone", points=3),
)
"""Rulings 13 to 21: counterattack, wound, recovery and flight (MAM-EX-05, MAM-EX-06)."""

PRINTED_FIGHT: tuple[Command, ...] = (*DUEL, *FIRST_ROUND, *SECOND_ROUND)
"""Rulings 2 to 21 of the example; ruling 1 opens the encounter."""


def play_printed(log: CombatLog, encounter: str = "fight", title: str = "") -> CombatLog:
    """Play the printed fight in the log: 21 rulings by Ana."""
    log.execute_all(encounter, [Open(title=title), *PRINTED_FIGHT], by="Ana")
    return log

"""Fighters of sequences in which several sections of the rules meet."""

from __future__ import annotations

from decimal import Decimal

from mam_events.commands import (
    BeginTurn,
    Body,
    Command,
    EndTurn,
    Initiative,
    Join,
)
from mam_events.state import Item, Weapon

PACK = Item("pack", encumbrance=2)
ANA = Join("ana", name="Ana", hp=10, item=(PACK,), weapon=(Weapon("sword", name="Sword", reach=Decimal(2)),))
BEN = Join("ben", name="Ben", hp=9)
CAL = Join("cal", name="Cal", hp=8, body=Body(power=3, attack=3))


def pass_turns(*names: str) -> tuple[Command, ...]:
    return tuple(order for name in names for order in (BeginTurn(name), EndTurn(name)))


def begin(name: str, *orders: Command) -> tuple[Command, ...]:
    return (Initiative(first=name, reason="agreed"), BeginTurn(name), *orders)

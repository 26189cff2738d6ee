"""Fights about stances and positions."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from msgspec.structs import replace

from mam_events.commands import (
    Adjust,
    Attack,
    BeginTurn,
    Command,
    EndTurn,
    Initiative,
    Placement,
    Resolve,
)
from mam_events.events import (
    AttackRolled,
    DefenseRolled,
)
from mam_events.state import Weapon
from tests.fighters import CLONE, ICE_BLADE, MODRE, SENTRY
from tests.spec import CommandResult, GivenFight, given

GUN = Weapon("gun", kind="gun", range=Decimal(100))
ARMED = replace(MODRE, weapon=(GUN, ICE_BLADE))
FIRST = (Initiative(first="modre", reason="agreed"), BeginTurn("modre"))
THREE: tuple[Command, ...] = (ARMED, CLONE, SENTRY, *FIRST)
NEXT = (EndTurn("modre"), BeginTurn("clone"))
SHOT = Attack("modre", "clone", "gun", power=1, distance=Decimal(1))


def fight_with_positions(*places: tuple[Any, ...], rules: dict[str, str] | None = None) -> GivenFight:
    """Return Modre's turn in a fight of three, each placed by the game master."""
    word = Adjust("so it is", position=tuple(Placement(*place) for place in places))
    return given(*THREE, word, rules=rules)


def resolve(fight: GivenFight, attack: Attack) -> CommandResult:
    """Resolve the attack."""
    fight.after(attack)
    return fight.when(Resolve(fight.ruling, attack_die=3, defense_die=3))


def position_modifiers(roll: AttackRolled | DefenseRolled) -> int:
    """Return the sum of the modifiers of a roll that come from positions and stances."""
    return sum(modifier.value for modifier in roll.modifiers if modifier.rule.startswith(("MAM-POS", "MAM-COMBO")))


STRIKE = Attack("modre", "clone", "ice-blade", power=1)

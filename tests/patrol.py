"""Fighters of Ron d6 and rounds in progress."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from mam_events.commands import Command, Declare, Join, Perform, RollInitiative, Round, Wait
from tests.spec import GivenFight, given

CODES = {"perception": "1D", "search": "3D", "agility": "4D", "dodge": "4D", "brawling": "4D"}


def fighter(name: str, *, code: Mapping[str, str] | None = None, **more: Any) -> Join:
    """Return a fighter with 1D of Perception, 4D of Agility and a Move of 10 m, unless given otherwise."""
    return Join(name, code=CODES | dict(code or {}), **{"movement": Decimal(10)} | more)


def roll_orders(*joins: Join, **dice: tuple[int, ...]) -> tuple[Command, ...]:
    """Return the joins (rulings 2, 3, …), the start of round 1 and the rolls: 5, 4, 3 … unless faces are given."""
    usual: dict[str, tuple[int, ...]] = {join.combatant: (max(1, 5 - n),) for n, join in enumerate(joins)}
    return (*joins, Round(), RollInitiative(tuple(usual), dice=usual | dice))


def patrol(*joins: Join, actions: int = 0, rules: Mapping[str, str] | None = None) -> GivenFight:
    """Return a fight of Ron d6 in its first round, in which the first fighter has declared that many actions."""
    declaration = (Declare(joins[0].combatant, actions),) if actions else ()
    return given(*roll_orders(*joins), *declaration, rules=rules, preset="ron_d6")


ROOK = fighter("rook", character_points=2, fate_points=1)
THUG = fighter("thug")
BRUTE = fighter("brute")


def given_swing(actions: int = 2) -> GivenFight:
    """Let Rook wait with that many actions and Thug swing at her: action 10, whose window is open."""
    return patrol(ROOK, THUG, BRUTE, actions=actions).after(
        Wait("rook"), Declare("thug"), Perform("thug", "punch", target="rook", difficulty=10, dice=(3, 4, 2, 5))
    )


def turn_order(fight: GivenFight) -> list[str]:
    """Return the ids of the combatants in the order of their turns."""
    return list(fight.state.order)

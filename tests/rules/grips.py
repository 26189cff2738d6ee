"""Modre and the Clone in a grapple: the fights of the tests of manipulation and holds."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from mam_events.commands import (
    BeginTurn,
    Body,
    Command,
    EndTurn,
    Initiative,
    Join,
    Manipulate,
    Resolve,
)
from mam_events.events import (
    CombatantJoined,
)
from mam_events.state import Weapon
from tests.fighters import CLONE, MODRE
from tests.spec import CommandResult, GivenFight, given

HIT, TIE = Resolve(6, attack_die=6, defense_die=1), Resolve(6, 3, 3)
TWELVE = replace(MODRE, hp=12)
SABRE = replace(CLONE, hp=12, body=Body(), weapon=(Weapon("sabre", name="Sabre"), Weapon("claws", attached=True)))


def stand(*orders: Command, modre: Join = TWELVE, clone: Join = SABRE, **more: Any) -> GivenFight:
    """Return Modre's turn against the Clone.

    `modre_is` and `clone_is` give them statistics through events.
    """
    statistics = {name: more.pop(name) for name in ("modre_is", "clone_is") if name in more}
    fight = given(modre, clone, **more)
    for name, has in statistics.items():
        combatant = name.split("_")[0]
        fight.after(CombatantJoined(replace(fight.state.combatants[combatant], statistics=has)))
    return fight.after(Initiative(first="modre", reason="he is ready"), BeginTurn("modre"), *orders)


def take(**fields: Any) -> Manipulate:
    """Return a manipulation of the Clone by Modre."""
    return Manipulate("modre", "clone", **fields)


def gripped(follow_up: str = "hold", dice: Resolve = HIT, **more: Any) -> GivenFight:
    """Let Modre take the Clone in hand with three points, or five in a choke."""
    points = {"power": 5} if follow_up in ("choke", "wrench") else {"points": 3}
    return stand(take(follow_up=follow_up, **points), dice, **more)


def passing(*names: str) -> tuple[Command, ...]:
    """Return the start and end of one turn after the other."""
    return tuple(order for name in names for order in (BeginTurn(name), EndTurn(name)))


def penalties(result: CommandResult, kind: type[Any], rule: str) -> list[int]:
    """Return the modifiers by that rule in the rolls of that kind."""
    return [modifier.value for event in result.all(kind) for modifier in event.modifiers if modifier.rule == rule]

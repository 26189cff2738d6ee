"""A fight into which the operations of a vector are put, one after the other, as orders that people could give."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from mam_events.commands import Act, Attack, BeginTurn, Command, Counterattack, Defend, EndTurn, Join, Move, Open, Ready
from mam_events.dice import Die, die_key
from mam_events.encounter.judging import Judging
from mam_events.events import (
    CombatantJoined,
    ConditionDeclared,
    GrappleDeclared,
    InitiativeEstablished,
    OutcomeDeclared,
    RoundStarted,
    TurnDeclared,
)
from mam_events.rules.ruleset import Ruleset
from mam_events.rules.wounds import wound
from mam_events.state import Combatant, Grapple
from tests.spec import Given, Judged

NOTHING: Mapping[str, Any] = {}


class AnyFace:
    """Dice that show what the vector says: it names a face, and seldom the die on which it fell."""

    def __init__(self, ruling: int) -> None:
        self.ruling = ruling

    def roll(self, slot: str, kind: str, *, field: str, thrown: int | None = None, index: int = 0) -> Die:
        assert thrown is not None, f"the vector gives no {field} for {slot}"
        return Die(die_key(self.ruling, slot, index, kind), kind, thrown, "thrown")


class Scene(Given):
    """One fight; whoever a vector describes enters it with the pools and reserves that the vector gives."""

    def __init__(self, ruleset: Ruleset) -> None:
        super().__init__(ruleset, ())
        self.do(Open())

    def do(self, command: Command) -> Judged:
        """Give an order; raises Refused where the rules say no."""
        judging = Judging(self.state, self.ruleset, AnyFace(self.ruling + 1))
        mechanic = self.mechanic(command)
        mechanic.judge(judging, command)
        return self.judged(judging)

"""Where everybody's points are: a fold over facts, the same whether a screen asks or a table is filled."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from mam_events import events as e
from mam_events.events.rest import DamageRecovered
from mam_events.state import Combatant, Condition, Encounter, Pools
from mam_events.visibility import can_see
from projections.screen import Screen


class PoolRow(Struct, frozen=True, gc=False):
    """One combatant's points, which sum to `hp`; `visibility` says who may know of it (as that of a ruling does)."""

    combatant: str
    name: str
    side: str
    condition: Condition
    hp: int
    pools: Pools
    visibility: str = "public"


def spends_points(state: Encounter) -> bool:
    """Whether actions cost points in that fight: its rules say how many become ready anew (`ready_refresh_amount`).

    Where they do not, a combatant has hit points that are left, and wounds.
    """
    return state.ruleset is None or "ready_refresh_amount" in state.ruleset.readings


class PoolState:
    """The rows so far; `apply` folds one fact of the living history into them."""

    __slots__ = ("by_combatant",)

    def __init__(self, rows: Iterable[PoolRow] = ()) -> None:
        self.by_combatant = {row.combatant: row for row in rows}

    def apply(self, fact: e.Event) -> str:
        """Fold a fact in, and name the combatant whose row it changed ("" for none)."""
        step = STEPS.get(type(fact))
        return step(self.by_combatant, fact) if step else ""

    def rows(self, view: str = "gm") -> list[PoolRow]:
        """A row for every combatant with hit points that the view may know of, in the order in which they came in."""
        return [row for row in self.by_combatant.values() if row.hp and can_see(view, row.visibility)]


def row_of(combatant: Combatant) -> PoolRow:
    """The row of a combatant as it is in a state."""
    who = combatant
    return PoolRow(who.id, who.name, who.side, who.condition, who.hp, who.pools, who.visibility)


def rows_of(state: Encounter, view: str | Screen = "gm") -> list[PoolRow]:
    """The same rows from a state that is at hand; a screen also knows of those who were hidden only later."""
    screen = view if isinstance(view, Screen) else Screen(view, state=state)
    return [row_of(combatant) for combatant in screen.combatants(state) if combatant.hp]


Rows = dict[str, PoolRow]


def _joined(rows: Rows, fact: e.CombatantJoined) -> str:
    row = rows[fact.combatant.id] = row_of(fact.combatant)
    return row.combatant


def _pools(rows: Rows, fact: Any) -> str:
    rows[fact.combatant] = replace(rows[fact.combatant], pools=fact.pools)
    return str(fact.combatant)


def _condition(rows: Rows, combatant: str, condition: Condition) -> str:
    rows[combatant] = replace(rows[combatant], condition=condition)
    return combatant


STEPS: dict[type[e.Event], Callable[[Rows, Any], str]] = {
    e.CombatantJoined: _joined,
    e.StunRecovered: _pools,
    e.ReadyPoolRefreshed: _pools,
    e.HitPointsSpent: _pools,
    e.WoundInflicted: _pools,
    DamageRecovered: _pools,
    e.PoolsAdjusted: _pools,
    e.CombatantIncapacitated: lambda rows, fact: _condition(rows, fact.combatant, "incapacitated"),
    e.CombatantDied: lambda rows, fact: _condition(rows, fact.combatant, "dead"),
    e.CombatantRecovered: lambda rows, fact: _condition(rows, fact.combatant, "able"),
    e.ConditionDeclared: lambda rows, fact: _condition(rows, fact.combatant, fact.condition),
}
"""What each fact does to the rows; a fact that is not here leaves them as they are."""

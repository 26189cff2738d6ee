"""The place where everybody's points are."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from mam_events.state import POOLS, Condition, Encounter, Pools
from projections.state.activities import Activities, Activity, activities
from projections.visibility.redaction import Redactor

FIVE_POOLS = {pool: (pool,) for pool in POOLS}
PLAIN_POINTS = {"left": ("ready", "defense", "other_used"), "stun": ("stun",), "damage": ("damage",)}
"""Hit points that are left and wounds, where no points are spent."""


class PoolRow(Struct, frozen=True, gc=False):
    """One combatant's points, which sum to `hp`; `visibility` says who may know of it (as that of a ruling does)."""

    combatant: str
    name: str
    side: str
    condition: Condition
    hp: int
    pools: Pools
    visibility: str = "public"


class PoolStanding(Struct, frozen=True):
    """One combatant as it stands: its points, its condition, and what it does or bears."""

    combatant: str
    pools: Pools
    name: str
    side: str
    condition: Condition
    hp: int
    doing: tuple[Activity, ...]
    visibility: str


class PoolsView(Struct, frozen=True):
    """Everybody with hit points in one encounter, and what they do or bear; in some fights points are not spent."""

    rows: tuple[PoolRow, ...]
    doing: dict[str, tuple[Activity, ...]]
    spends_points: bool


def pool_standing(row: PoolRow, doing: Activities) -> PoolStanding:
    """The row, beside what everybody does."""
    done = doing.get(row.combatant, ())
    return PoolStanding(row.combatant, row.pools, row.name, row.side, row.condition, row.hp, done, row.visibility)


def pool_standings(state: Encounter, screen: Redactor) -> list[PoolStanding]:
    """Everybody with hit points as they stand, as far as the screen lets through."""
    doing = activities(state, screen)
    return [pool_standing(row, doing) for row in rows_of(state, screen)]


def pools_of(state: Encounter, screen: Redactor) -> PoolsView:
    """Return everybody's points in a state, as far as the screen lets through."""
    return PoolsView(tuple(rows_of(state, screen)), activities(state, screen), spends_points(state))


def spends_points(state: Encounter) -> bool:
    """True if actions cost points in that fight: its rules say how many become ready anew (`ready_refresh_amount`).

    Where they do not, a combatant has hit points that are left, and wounds.
    """
    return state.ruleset is None or "ready_refresh_amount" in state.ruleset.readings


def counted_in(state: Encounter) -> Mapping[str, tuple[str, ...]]:
    """The numbers that people tell apart in that fight, each with the pools that it sums."""
    return FIVE_POOLS if spends_points(state) else PLAIN_POINTS


def rows_of(state: Encounter, view: str | Redactor = "gm") -> list[PoolRow]:
    """A row for every combatant with hit points that the view may know of, in the order in which they came in; a screen
    also knows of those who were hidden only later.
    """
    screen = view if isinstance(view, Redactor) else Redactor(view, state=state)
    return [
        PoolRow(who.id, who.name, who.side, who.condition, who.hp, who.pools, who.visibility)
        for who in screen.combatants(state)
        if who.hp
    ]

"""Everybody's points, by pool."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from mam_events.state import POOLS, Condition, Encounter, Pools
from projections.state.activities import Activities, Activity, activities
from projections.visibility.redaction import Redactor

FIVE_POOLS = {pool: (pool,) for pool in POOLS}
PLAIN_POINTS = {"left": ("ready", "defense", "other_used"), "stun": ("stun",), "damage": ("damage",)}
"""The counters of a game without spent points: hit points left, stun and damage."""


class PoolRow(Struct, frozen=True, gc=False):
    """The points of one combatant, which sum to `hp`; `visibility` says who may know of them, as for a ruling."""

    combatant: str
    name: str
    side: str
    condition: Condition
    hp: int
    pools: Pools
    visibility: str = "public"


class PoolStanding(Struct, frozen=True):
    """One combatant as they stand: their points, their condition and their activities."""

    combatant: str
    pools: Pools
    name: str
    side: str
    condition: Condition
    hp: int
    doing: tuple[Activity, ...]
    visibility: str


class EncounterPools(Struct, frozen=True):
    """Everybody with hit points in one encounter, and their activities; in some games points are not spent."""

    rows: tuple[PoolRow, ...]
    doing: dict[str, tuple[Activity, ...]]
    spends_points: bool


def pool_standing(row: PoolRow, doing: Activities) -> PoolStanding:
    """Return the row together with the combatant's activities."""
    done = doing.get(row.combatant, ())
    return PoolStanding(row.combatant, row.pools, row.name, row.side, row.condition, row.hp, done, row.visibility)


def pool_standings(state: Encounter, redactor: Redactor) -> list[PoolStanding]:
    """Return all visible combatants with hit points as they stand."""
    doing = activities(state, redactor)
    return [pool_standing(row, doing) for row in rows_of(state, redactor)]


def pools_of(state: Encounter, redactor: Redactor) -> EncounterPools:
    """Return the points of all visible combatants in a state."""
    return EncounterPools(tuple(rows_of(state, redactor)), activities(state, redactor), spends_points(state))


def spends_points(state: Encounter) -> bool:
    """Return True if actions cost points in that fight: its rules have `ready_refresh_amount`.

    Otherwise a combatant only has hit points left, and wounds.
    """
    return state.ruleset is None or "ready_refresh_amount" in state.ruleset.readings


def counted_in(state: Encounter) -> Mapping[str, tuple[str, ...]]:
    """Return the point counters of that fight, each with the pools that it sums."""
    return FIVE_POOLS if spends_points(state) else PLAIN_POINTS


def rows_of(state: Encounter, view: str | Redactor = "gm") -> list[PoolRow]:
    """Return a row for every visible combatant with hit points, in the order of joining.

    A redactor also knows who was hidden only later.
    """
    redactor = view if isinstance(view, Redactor) else Redactor(view, state=state)
    return [
        PoolRow(who.id, who.name, who.side, who.condition, who.hp, who.pools, who.visibility)
        for who in redactor.combatants(state)
        if who.hp
    ]

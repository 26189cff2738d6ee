"""The place where everybody's points are."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from mam_events.state import POOLS, Condition, Encounter, Pools
from projections.state.activities import Doing, Doings, doings
from projections.visibility.redaction import Screen

FIVE = {pool: (pool,) for pool in POOLS}
PLAIN = {"left": ("ready", "defense", "other_used"), "stun": ("stun",), "damage": ("damage",)}
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


class Standing(Struct, frozen=True):
    """One combatant as it stands: its points, its condition, and what it does or bears."""

    combatant: str
    pools: Pools
    name: str
    side: str
    condition: Condition
    hp: int
    doing: tuple[Doing, ...]
    visibility: str


class PoolsView(Struct, frozen=True):
    """Everybody with hit points in one encounter, and what they do or bear; in some fights points are not spent."""

    rows: tuple[PoolRow, ...]
    doing: dict[str, tuple[Doing, ...]]
    spends_points: bool


def standing(row: PoolRow, doing: Doings) -> Standing:
    """The row, beside what everybody does."""
    done = doing.get(row.combatant, ())
    return Standing(row.combatant, row.pools, row.name, row.side, row.condition, row.hp, done, row.visibility)


def standings(state: Encounter, screen: Screen) -> list[Standing]:
    """Everybody with hit points as they stand, as far as the screen lets through."""
    doing = doings(state, screen)
    return [standing(row, doing) for row in rows_of(state, screen)]


def pools_of(state: Encounter, screen: Screen) -> PoolsView:
    """Return everybody's points in a state, as far as the screen lets through."""
    return PoolsView(tuple(rows_of(state, screen)), doings(state, screen), spends_points(state))


def spends_points(state: Encounter) -> bool:
    """True if actions cost points in that fight: its rules say how many become ready anew (`ready_refresh_amount`).

    Where they do not, a combatant has hit points that are left, and wounds.
    """
    return state.ruleset is None or "ready_refresh_amount" in state.ruleset.readings


def counted_in(state: Encounter) -> Mapping[str, tuple[str, ...]]:
    """The numbers that people tell apart in that fight, each with the pools that it sums."""
    return FIVE if spends_points(state) else PLAIN


def rows_of(state: Encounter, view: str | Screen = "gm") -> list[PoolRow]:
    """A row for every combatant with hit points that the view may know of, in the order in which they came in; a screen
    also knows of those who were hidden only later.
    """
    screen = view if isinstance(view, Screen) else Screen(view, state=state)
    return [
        PoolRow(who.id, who.name, who.side, who.condition, who.hp, who.pools, who.visibility)
        for who in screen.combatants(state)
        if who.hp
    ]

"""The attributes of a combatant: numbers that can be asked for by name, such as points and actions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import cache

from msgspec import NODEFAULT, Struct
from msgspec.structs import fields

from mam_events.field_specs import field_specs
from mam_events.state import POOLS, Actions, Combatant, Encounter, Pools, Statistics, Status
from projections.state.pools import spends_points
from projections.state.turn_order import sees_own_side
from projections.visibility.redaction import Redactor

Attribute = int | Decimal
Attributes = Mapping[str, Attribute]
"""The attributes of one combatant, by name."""

_PARTS: dict[str, type[Struct]] = {
    "pools": Pools,
    "": Combatant,
    "status": Status,
    "actions": Actions,
    "statistics": Statistics,
}
_PLACES = frozenset({"seat", "turns", "loading", "heaving_since", "lost_turn"})
"""Numbers that are no quantity: a place, or the number of a turn."""
_WOUNDS = frozenset({"left", "stun", "damage"})
"""The attributes for points in games without spent points."""
_OWN = frozenset({"character_points", "fate_points", "points"})
"""The attributes that only the combatant's own side may know."""

_DONE = ("status", "actions")
"""The parts of a combatant that recent actions change; those actions may be hidden."""
_SHOWN = frozenset({"skips_owed", "declared"})
"""The attributes in those parts that everybody may know, because the turn order shows them."""


def attributes(state: Encounter, redactor: Redactor) -> dict[str, Attributes]:
    """Return the attributes of all visible combatants; a missing number is 0."""
    with_points = spends_points(state)
    return {who.id: dict(_of(who, state, redactor, with_points=with_points)) for who in redactor.combatants(state)}


def _of(who: Combatant, state: Encounter, redactor: Redactor, *, with_points: bool) -> Iterator[tuple[str, Attribute]]:
    own = sees_own_side(who, redactor)
    for part, kind in _PARTS.items():
        holder = getattr(who, part) if part else who
        for field in numeric_fields(kind):
            name = field.removeprefix("rd6_")
            is_shown = redactor.everything or part not in _DONE or name in _SHOWN
            if own if name in _OWN else is_shown:
                yield name, getattr(holder, field) or 0
    if not with_points:
        yield "left", who.pools.available
    yield "wounds", who.pools.stun + who.pools.damage
    yield "actions", who.actions.left
    entry = state.initiative.entry(who.id)
    yield "total", entry.total if entry else 0


def shown_attributes(stats: Attributes) -> dict[str, Attribute]:
    """Return the attributes that are worth showing: points if there are any, and numbers that are not the default."""
    usual = _usual()
    pools = _WOUNDS if "left" in stats else frozenset(POOLS)
    return {
        name: value
        for name, value in stats.items()
        if (stats["hp"] if name in pools else name not in POOLS and value != usual.get(name, 0))
    }


@cache
def _usual() -> dict[str, Attribute]:
    """Return the default of each attribute, by name."""
    numeric = (field for kind in _PARTS.values() for field in fields(kind) if field.name in numeric_fields(kind))
    return {field.name: field.default or 0 for field in numeric if field.default is not NODEFAULT}


@cache
def numeric_fields(kind: type[Struct]) -> tuple[str, ...]:
    """Return the fields of a part of a combatant that are quantities."""
    shaped = field_specs(kind).items()
    return tuple(name for name, one in shaped if one.kind in (int, Decimal) and not one.names and name not in _PLACES)

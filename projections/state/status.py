"""The status of a fight on one screen: whose move it is, everybody as they stand, what is owed, and what ends."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

from projections.state.activities import Activity, activities
from projections.state.next_move import next_move_sentence
from projections.state.pools import PLAIN_POINTS, PoolRow, rows_of, spends_points
from projections.state.turn_order import OrderRow, project_turn_order

if TYPE_CHECKING:
    from mam_events.rules.rulebook import Rulebook
    from mam_events.state import Combatant, Effect, Encounter
    from projections.visibility.redaction import Redactor


class StatusRow(Struct, frozen=True):
    """One combatant in the status, with their activities.

    `order` is their place in the turn order (None: they have none), `points` are their points (None: the game has
    none).
    """

    combatant: str
    name: str
    side: str
    condition: str
    order: OrderRow | None
    points: PoolRow | None
    doing: tuple[Activity, ...]


class EndingEffect(Struct, frozen=True):
    """A bonus or penalty that ends by itself: its owner, its value, its rule, and its end in words."""

    combatant: str
    name: str
    source: str
    value: int
    until: str
    rule: str


class FightStatus(Struct, frozen=True):
    """The status of a fight on one screen; `owed` are sentences on what must be done before anything else."""

    encounter: str
    title: str
    rules: str
    round: int
    move: str
    standings: tuple[StatusRow, ...]
    endings: tuple[EndingEffect, ...] = ()
    owed: tuple[str, ...] = ()
    spends_points: bool = True


def fight_status(encounter: str, state: Encounter, redactor: Redactor, rules: Rulebook) -> FightStatus:
    """Return the status of the fight in that state, as far as it is visible."""
    doing = activities(state, redactor)
    places = {row.combatant: row for row in project_turn_order(state, redactor).rows}
    points = {row.combatant: row for row in rows_of(state, redactor)}
    visible = {who.id: who for who in redactor.combatants(state)}
    standings = tuple(
        StatusRow(
            name, visible[name].name, visible[name].side, visible[name].condition, places.get(name), points.get(name),
            doing.get(name, ()),
        )
        for name in (*places, *(other for other in visible if other not in places))
        if name in visible
    )  # fmt: skip
    return FightStatus(
        encounter,
        redactor.title(state.title),
        state.ruleset.preset if state.ruleset else "",
        state.round,
        next_move_sentence(state, redactor, rules),
        standings,
        tuple(ending for who in visible.values() for ending in _endings(who)),
        tuple(_owed(state, visible, everything=redactor.everything)),
        spends_points(state),
    )


def _endings(who: Combatant) -> Iterator[EndingEffect]:
    if who.is_gone:
        return
    for effect in who.status.effects:
        yield EndingEffect(who.id, who.name, effect.source, effect.value, _until(effect, who), effect.rule)


def _until(effect: Effect, who: Combatant) -> str:
    """Return the end of an effect in words."""
    if effect.once:
        return "for one roll"
    if effect.round:
        return f"until the end of round {effect.round}"
    if not effect.turn:
        return "until it is ended"
    turn = "this turn" if effect.turn <= who.status.turns else "the next turn"
    return f"until the {effect.moment} of {turn}"


def _owed(state: Encounter, visible: dict[str, Combatant], *, everything: bool) -> Iterator[str]:
    for who in visible.values():
        saddle = who.status.saddle
        if saddle.riding:
            yield f"{who.name} owes a roll to stay mounted."
        if saddle.handling:
            mount = visible.get(who.status.mount)
            yield f"{who.name} owes a roll to hold {mount.name if mount else 'the mount'} back."
        if who.status.skips_owed:
            yield f"{who.name} must skip {who.status.skips_owed} of the next turns."
    # The target of stalking must not learn of it.
    if everything and state.stealth and state.advantaged is None:
        yield "The surprise is not settled yet."


ORDER_MARKS = {"acting": "▸", "next": "+", "interrupted": "‖", "done": "·", "down": "✗"}
"""The marks in the turn order, by status."""


def points_left_text(row: PoolRow, *, with_points: bool) -> str:
    """Return a combatant's points in a few characters: the five pools, or the points left of all."""
    if with_points:
        pools = row.pools
        return f"R{pools.ready} D{pools.defense} O{pools.other_used} S{pools.stun} X{pools.damage}"
    return f"{sum(getattr(row.pools, pool) for pool in PLAIN_POINTS['left'])}/{row.hp}"

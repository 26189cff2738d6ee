"""Events about rounds and turns, and the phases of a turn."""

from decimal import Decimal
from typing import Literal

from msgspec.structs import replace

from mam_events.events.base import Event
from mam_events.state import Actions, Encounter, Pools, RolledInitiative, Turn, Window
from mam_events.state.updates import ON_THE_GROUND, with_combatant, with_new_actor, with_status, without_item
from mam_events.values import CombatantRef, ThingRef

Purpose = Literal[
    "attack",
    "defend",
    "parry",
    "counterattack",
    "interference",
    "move",
    "action",
    "equipment",
    "evasion",
    "manipulation",
]
"""The purpose for which hit points are spent."""


class RoundStarted(Event, frozen=True):
    """A new round began (MAM-ORDER-01): a second or two, room for one action or a few (MAM-GEN-03)."""

    totals = ("round",)
    round: int

    def apply(self, state: Encounter) -> Encounter:
        # Keep `this_round`: an order for this round alone may be given before its first turn.
        return replace(state, round=self.round, round_open=True, had_turn=())


class RoundEnded(Event, frozen=True):
    """The round is over: everyone who has turns has had one, or the game master ended it.

    `lost` are declared actions that were not used (RD6-RND-04), `no_turn` those who did not act; `rolled_anew` is true
    if the order ends with the round (RD6-INIT-05).
    """

    totals = ("round",)
    round: int
    lost: dict[CombatantRef, int] = {}
    no_turn: tuple[CombatantRef, ...] = ()
    rolled_anew: bool = False

    def apply(self, state: Encounter) -> Encounter:
        if not self.rolled_anew:
            return replace(state, round_open=False, had_turn=(), this_round=(), order_kept=False)
        # Related skills stay until their primary skill is rolled, maybe in a later round (RD6-REL-01).
        combatants = {
            name: replace(who, actions=Actions(related=who.actions.related)) if who.actions != Actions() else who
            for name, who in state.combatants.items()
        }
        return replace(
            state,
            round_open=False,
            this_round=(),
            order_kept=False,
            order=(),
            had_turn=(),
            turn=None,
            combatants=combatants,
            initiative=RolledInitiative(),
            window=Window(),
        )


class TurnStarted(Event, frozen=True):
    """A combatant's turn began."""

    combatant: CombatantRef

    def apply(self, state: Encounter) -> Encounter:
        status = state.combatants[self.combatant].status
        begun = replace(status, turns=status.turns + 1, moved=Decimal(0), crawled=0, straight=Decimal(0), charges={})
        if begun.temper.attacked or begun.temper.charged:
            begun = replace(begun, temper=replace(begun.temper, attacked=False, charged=False))
        state = with_combatant(state, self.combatant, status=begun)
        return replace(state, turn=Turn(self.combatant))


class TurnEnded(Event, frozen=True):
    """A combatant's turn is over (MAM-PHASE-05)."""

    combatant: CombatantRef

    def apply(self, state: Encounter) -> Encounter:
        window = with_new_actor(state)
        return replace(state, turn=None, had_turn=(*state.had_turn, self.combatant), window=window)


class StunRecovered(Event, frozen=True):
    """Points came back from stun to other used (MAM-PHASE-01, MAM-TURN-06).

    `turn` is true if the turn itself brought them, which happens once per turn.
    """

    totals = ("pools",)
    combatant: CombatantRef
    points: int
    pools: Pools
    turn: bool = False

    def apply(self, state: Encounter) -> Encounter:
        state = with_combatant(state, self.combatant, pools=self.pools)
        turn = state.turn
        if turn is None or not self.turn or turn.combatant != self.combatant:
            return state
        return replace(state, turn=replace(turn, recovered=True))


class ReadyPoolRefreshed(Event, frozen=True):
    """Points moved into ready in the second phase (MAM-PHASE-02).

    `refilled` of them went to other used instead, to fill a reserve that was short
    (`encumbrance_shortfall = refill_first`).
    """

    totals = ("maximum", "pools")
    combatant: CombatantRef
    from_defense: int
    from_other_used: int
    maximum: int
    pools: Pools
    refilled: int = 0

    def apply(self, state: Encounter) -> Encounter:
        state = with_combatant(state, self.combatant, pools=self.pools)
        return replace(state, turn=replace(state.turn, refreshed=True)) if state.turn else state


class HitPointsSpent(Event, frozen=True):
    """Ready points were spent: to defense (movement, modifiers) and to other used (all else) (MAM-POOL-03, -05)."""

    totals = ("pools",)
    combatant: CombatantRef
    purpose: Purpose
    to_defense: int
    to_other_used: int
    pools: Pools

    def apply(self, state: Encounter) -> Encounter:
        state = with_combatant(state, self.combatant, pools=self.pools)
        status = state.combatants[self.combatant].status
        if self.purpose == "move" and status.position in ON_THE_GROUND:
            state = with_status(state, self.combatant, crawled=status.crawled + self.to_defense)
        if state.turn and state.turn.combatant == self.combatant and not state.turn.acted:
            return replace(state, turn=replace(state.turn, acted=True))
        return state


class CombatantMoved(Event, frozen=True):
    """A combatant moved that many metres (MAM-POOL-12), in a straight line or not (MAM-ATK-07)."""

    combatant: CombatantRef
    metres: Decimal
    straight: bool = False

    def apply(self, state: Encounter) -> Encounter:
        status = state.combatants[self.combatant].status
        # A move that is not straight resets the straight run of earlier moves.
        straight = status.straight + self.metres if self.straight else Decimal(0)
        charges = status.charges if self.straight else {}
        return with_status(state, self.combatant, moved=status.moved + self.metres, straight=straight, charges=charges)


class WeaponReadied(Event, frozen=True):
    """A weapon was taken in hand (MAM-ATK-06)."""

    combatant: CombatantRef
    weapon: ThingRef

    def apply(self, state: Encounter) -> Encounter:
        weapons = state.combatants[self.combatant].weapons
        return with_combatant(
            state,
            self.combatant,
            weapons=tuple(replace(weapon, readied=True) if weapon.id == self.weapon else weapon for weapon in weapons),
        )


class EquipmentDropped(Event, frozen=True):
    """Something carried was dropped and no longer counts as encumbrance (MAM-POOL-06)."""

    combatant: CombatantRef
    item: ThingRef

    def apply(self, state: Encounter) -> Encounter:
        return without_item(state, self.combatant, self.item)


class EquipmentPickedUp(Event, frozen=True):
    """Something dropped was picked up, and belongs to this combatant from now on.

    `owner` is the one who dropped it, if someone else. `called` is its new id, if the combatant already has something
    with the old one.
    """

    combatant: CombatantRef
    item: ThingRef
    owner: CombatantRef = ""
    called: ThingRef = ""

    def apply(self, state: Encounter) -> Encounter:
        owner = state.combatants[self.owner or self.combatant]
        rest = tuple(item for item in owner.dropped if item != self.item)
        if owner.id == self.combatant:
            return with_combatant(state, owner.id, dropped=rest)
        receiver, weapon = state.combatants[self.combatant], owner.weapon(self.item)
        weapons = tuple(one for one in owner.weapons if one.id != self.item)
        equipment = tuple(one for one in owner.equipment if one.id != self.item)
        items = tuple(replace(one, id=self.called or one.id) for one in owner.equipment if one.id == self.item)
        state = with_combatant(state, owner.id, dropped=rest, weapons=weapons, equipment=equipment)
        new_weapons = (replace(weapon, id=self.called or weapon.id, readied=True),) if weapon else ()
        return with_combatant(
            state, receiver.id, weapons=(*receiver.weapons, *new_weapons), equipment=(*receiver.equipment, *items)
        )

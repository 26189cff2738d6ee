"""Events about injury and about reserves that no longer fit."""

from typing import Literal

from mam_events.events.base import Event, InformationalEvent
from mam_events.state import Encounter, Pools
from mam_events.state.updates import with_combatant, with_grapple, with_status, without_grapple
from mam_events.values import CombatantRef, GrappleRef, RulingRef, SaidTextField

HoldEnd = Literal[
    "points_gone",
    "escaped",
    "interference",
    "holder_down",
    "held_gone",
    "weapon_gone",
    "taken_anew",
    "taken_up",
    "not_maintained",
    "thrown",
]
"""The reason why a hold ended that nobody let go (MAM-MNP-10)."""


class WoundInflicted(Event, frozen=True):
    """Points went to stun and damage (MAM-WND-08): what the hit was worth, what was taken from which pool.

    `stun` and `damage` are the amounts of the hit; `drained` lists what left ready, defense and other used;
    `overflow` points moved from stun to damage; `lost` found nothing left to take.
    """

    totals = ("pools",)
    combatant: CombatantRef
    exchange: RulingRef
    stun: int
    damage: int
    drained: Pools
    overflow: int
    lost: int
    pools: Pools

    def apply(self, state: Encounter) -> Encounter:
        return with_combatant(state, self.combatant, pools=self.pools)


class CombatantIncapacitated(Event, frozen=True):
    """It is down: no point is left in ready, defense and other used (`all_hp_lost_state`), or its stamina is reached
    (`incapacitation`), or the game master says that it is unable to act (RD6-INIT-07), for what `cause` and `through`
    whom. It cannot act until they recover.
    """

    combatant: CombatantRef
    cause: SaidTextField = ""
    through: CombatantRef = ""

    def apply(self, state: Encounter) -> Encounter:
        state = with_combatant(state, self.combatant, condition="incapacitated")
        return with_status(state, self.combatant, cause=self.cause) if self.cause else state


class CombatantDied(Event, frozen=True):
    """Every point is damage, and the house rule says that this is death (`all_hp_lost_state`)."""

    combatant: CombatantRef

    def apply(self, state: Encounter) -> Encounter:
        return with_combatant(state, self.combatant, condition="dead")


class CombatantRecovered(Event, frozen=True):
    """It has enough points again, or is awake or free (RD6-INIT-07), and can act."""

    totals = ("reason",)
    combatant: CombatantRef
    reason: SaidTextField = ""

    def apply(self, state: Encounter) -> Encounter:
        state = with_combatant(state, self.combatant, condition="able")
        return with_status(state, self.combatant, cause="", by_word=False)


Consequence = Literal["player_choice", "must_drop_equipment", "refill_first", "hold_breaks", "hold_weakens"]
"""The consequence where a reserve is short."""


class ReserveShort(InformationalEvent, frozen=True):
    """Other used no longer holds what equipment and holds need (MAM-POOL-08): by how much, and what follows."""

    totals = ("shortfall",)
    combatant: CombatantRef
    shortfall: int
    consequence: Consequence


class GrappleBroken(Event, frozen=True):
    """A hold ended, and not because it was let go: because the points it needs are gone (MAM-POOL-07), or for another
    `cause` (MAM-MNP-10).
    """

    combatant: CombatantRef
    grapple: GrappleRef
    cause: HoldEnd = "points_gone"

    def apply(self, state: Encounter) -> Encounter:
        rest = without_grapple(state.combatants[self.combatant], self.grapple)
        return with_combatant(state, self.combatant, grapples=rest)


class GrappleWeakened(Event, frozen=True):
    """A hold goes on with fewer points and a smaller modifier (`grapple_shortfall = hold_weakens`)."""

    combatant: CombatantRef
    grapple: GrappleRef
    points: int
    modifier: int

    def apply(self, state: Encounter) -> Encounter:
        return with_grapple(state, self.combatant, self.grapple, points=self.points, modifier=self.modifier)


class GrappleReleased(Event, frozen=True):
    """A combatant let go of a hold."""

    combatant: CombatantRef
    grapple: GrappleRef

    def apply(self, state: Encounter) -> Encounter:
        rest = without_grapple(state.combatants[self.combatant], self.grapple)
        return with_combatant(state, self.combatant, grapples=rest)

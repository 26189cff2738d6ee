"""Events about injury and about reserves that are too small."""

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
"""The reason why a hold ended without being released (MAM-MNP-10)."""


class WoundInflicted(Event, frozen=True):
    """Points went to stun and damage (MAM-WND-08): the worth of the hit, and the points taken from each pool.

    `stun` and `damage` are the amounts of the hit; `drained` lists the points that left ready, defense and other used;
    `overflow` points moved from stun to damage; `lost` points found nothing left to take.
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
    """A combatant is down, or can't act because the game master says so (RD6-INIT-07), until they recover.

    A combatant is down if no point is left in ready, defense and other used (`all_hp_lost_state`), or if their stamina
    is reached (`incapacitation`). `cause` is the reason, and `through` the combatant who caused it.
    """

    combatant: CombatantRef
    cause: SaidTextField = ""
    through: CombatantRef = ""

    def apply(self, state: Encounter) -> Encounter:
        state = with_combatant(state, self.combatant, condition="incapacitated")
        return with_status(state, self.combatant, cause=self.cause) if self.cause else state


class CombatantDied(Event, frozen=True):
    """Every point is damage, and a house rule makes that death (`all_hp_lost_state`)."""

    combatant: CombatantRef

    def apply(self, state: Encounter) -> Encounter:
        return with_combatant(state, self.combatant, condition="dead")


class CombatantRecovered(Event, frozen=True):
    """A combatant has enough points again, or is awake or free (RD6-INIT-07), and can act."""

    totals = ("reason",)
    combatant: CombatantRef
    reason: SaidTextField = ""

    def apply(self, state: Encounter) -> Encounter:
        state = with_combatant(state, self.combatant, condition="able")
        return with_status(state, self.combatant, cause="", by_word=False)


Consequence = Literal["player_choice", "must_drop_equipment", "refill_first", "hold_breaks", "hold_weakens"]
"""The consequence of a short reserve."""


class ReserveShort(InformationalEvent, frozen=True):
    """Other used no longer covers equipment and holds (MAM-POOL-08): the shortfall and its consequence."""

    totals = ("shortfall",)
    combatant: CombatantRef
    shortfall: int
    consequence: Consequence


class GrappleBroken(Event, frozen=True):
    """A hold ended without being released: its points are gone (MAM-POOL-07), or for another `cause` (MAM-MNP-10)."""

    combatant: CombatantRef
    grapple: GrappleRef
    cause: HoldEnd = "points_gone"

    def apply(self, state: Encounter) -> Encounter:
        return without_grapple(state, self.combatant, self.grapple)


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
        return without_grapple(state, self.combatant, self.grapple)

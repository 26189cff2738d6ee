"""Events about rest: the attempt to heal, and the recovered damage."""

from typing import Literal

from mam_events.events.base import Event, InformationalEvent
from mam_events.events.rolls import RollsTold
from mam_events.state import Encounter, Pools
from mam_events.state.updates import with_combatant
from mam_events.values import CombatantRef

Interval = Literal["week", "day", "hour", "round"]


class HealingRolled(InformationalEvent, RollsTold, frozen=True):
    """An attempt to heal, with its success or failure (MAM-REST-02) and the length of the rest."""

    combatant: CombatantRef
    interval: Interval
    outcome: Literal["full", "fail"]


class DamageRecovered(Event, frozen=True):
    """Points went from damage to other used (MAM-REST-01, MAM-REST-05)."""

    totals = ("pools",)
    combatant: CombatantRef
    points: int
    pools: Pools

    def apply(self, state: Encounter) -> Encounter:
        return with_combatant(state, self.combatant, pools=self.pools)

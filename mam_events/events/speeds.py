"""Events about turns that are used, skipped or delayed."""

from msgspec.structs import replace

from mam_events.events.base import Event
from mam_events.state import Encounter, TurnAction
from mam_events.state.updates import with_status
from mam_events.values import CombatantRef, ThingRef


class ActionTaken(Event, frozen=True):
    """A combatant did one action of its turn: the kind and the weapon used (MAM-TURN-07)."""

    combatant: CombatantRef
    kind: str
    weapon: ThingRef = ""

    def apply(self, state: Encounter) -> Encounter:
        turn = state.turn
        if turn is None or turn.combatant != self.combatant:
            return state
        return replace(state, turn=replace(turn, acted=True, deeds=(*turn.deeds, TurnAction(self.kind, self.weapon))))


class TurnSkipped(Event, frozen=True):
    """A turn passed without movement or action; `required` if its speed demanded that (MAM-TURN-02 to -05).

    `skips_owed` is how many turns must still be skipped.
    """

    totals = ("skips_owed",)
    combatant: CombatantRef
    required: bool
    skips_owed: int

    def apply(self, state: Encounter) -> Encounter:
        return with_status(state, self.combatant, skips_owed=self.skips_owed)


class SkipsOwed(Event, frozen=True):
    """A slow combatant acted, and must now skip turns (MAM-TURN-02, MAM-TURN-03)."""

    combatant: CombatantRef
    skips_owed: int

    def apply(self, state: Encounter) -> Encounter:
        return with_status(state, self.combatant, skips_owed=self.skips_owed)


class TurnDelayed(Event, frozen=True):
    """A turn was delayed until after another combatant's (MAM-TURN-09); `persistent` if the new order is kept."""

    combatant: CombatantRef
    after: CombatantRef
    order: tuple[CombatantRef, ...]
    persistent: bool

    def apply(self, state: Encounter) -> Encounter:
        if self.persistent:
            return replace(state, order=self.order, this_round=())
        return replace(state, this_round=self.order)

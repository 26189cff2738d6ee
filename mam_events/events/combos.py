"""Events of a combo."""

from msgspec.structs import replace

from mam_events.events.base import Event
from mam_events.refusals.arguments import WhyArgument
from mam_events.state import Combo, Encounter
from mam_events.values import CombatantRef


class ComboDeclared(Event, frozen=True):
    """A combo of quick actions was declared, with points on the modifier of its attacks (MAM-COMBO-01, -06).

    `combo` is the number of the ruling that declared it.
    """

    combo: int
    combatant: CombatantRef
    actions: int
    modifier: int = 0
    targets: tuple[CombatantRef, ...] = ()

    def apply(self, state: Encounter) -> Encounter:
        if state.turn is None:
            return state
        return replace(state, turn=replace(state.turn, combo=Combo(self.actions, self.modifier, self.combo)))


class ComboBrokenOff(Event, frozen=True):
    """The rest of a combo will not be done, for this reason (MAM-COMBO-02)."""

    totals = ("why",)
    combatant: CombatantRef
    combo: int
    why: WhyArgument

    def apply(self, state: Encounter) -> Encounter:
        return replace(state, turn=replace(state.turn, combo=None)) if state.turn else state

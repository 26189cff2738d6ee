"""Facts about bonuses and penalties that end by themselves."""

from __future__ import annotations

from mam_events.events.base import Event
from mam_events.state import Encounter
from mam_events.state.updates import with_status
from mam_events.values import CombatantRef


class EffectExpired(Event, frozen=True):
    """A bonus or penalty of that source is over (MAM-POS-04): of several the one that would have ended with that own
    turn, by its number, or the oldest.
    """

    topic = "EffectExpired.1"
    combatant: CombatantRef
    source: str
    turn: int = 0

    def apply(self, state: Encounter) -> Encounter:
        effects = state.combatants[self.combatant].status.effects
        which = (self.source, self.turn)
        at = next(
            (at for at, one in enumerate(effects) if which in ((one.source, 0), (one.source, one.turn))), len(effects)
        )
        return with_status(state, self.combatant, effects=(*effects[:at], *effects[at + 1 :]))

"""Events about setting one's feet."""

from __future__ import annotations

from mam_events.events.base import Event
from mam_events.state import Effect, Encounter
from mam_events.state.updates import with_effect
from mam_events.values import CombatantRef


class FeetSet(Event, frozen=True):
    """A combatant has set its feet, and defends itself the better for a while."""

    combatant: CombatantRef
    effect: Effect

    def apply(self, state: Encounter) -> Encounter:
        return with_effect(state, self.combatant, self.effect, replaces=True)

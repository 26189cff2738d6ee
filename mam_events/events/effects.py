"""Events about bonuses and penalties that end by themselves."""

from collections.abc import Callable

from mam_events.events.base import Event
from mam_events.state import Effect, Encounter
from mam_events.state.updates import with_effect, with_status
from mam_events.values import CombatantRef, RulingRef, SaidTextField


class EffectExpired(Event, frozen=True):
    """A bonus or penalty of that source is over (MAM-POS-04).

    Of several, it is the one that ends with the combatant's own turn number `turn`, or (0) the oldest.
    """

    combatant: CombatantRef
    source: str
    turn: int = 0

    def apply(self, state: Encounter) -> Encounter:
        return _without(state, self.combatant, lambda one: one.source == self.source and self.turn in (0, one.turn))


class EffectConsumed(Event, frozen=True):
    """A bonus or penalty for one roll has counted for it, and counts for no other (MAM-MNP-01).

    Of several with that source and `value`, it is the oldest.
    """

    combatant: CombatantRef
    source: SaidTextField
    value: int
    exchange: RulingRef

    def apply(self, state: Encounter) -> Encounter:
        return _without(
            state,
            self.combatant,
            lambda one: one.once and (one.source, one.value) == (self.source, self.value),
        )


class ModifierGiven(Event, frozen=True):
    """The game master gave someone a lasting modifier, which replaces one with the same reason."""

    combatant: CombatantRef
    effect: Effect

    def apply(self, state: Encounter) -> Encounter:
        return with_effect(state, self.combatant, self.effect, replaces=True)


class ModifierEnded(Event, frozen=True):
    """A modifier of the game master's is over; `source` is the reason it was given for."""

    combatant: CombatantRef
    source: SaidTextField

    def apply(self, state: Encounter) -> Encounter:
        return _without(state, self.combatant, lambda one: not one.rule and one.source == self.source)


def _without(state: Encounter, name: str, is_ended: Callable[[Effect], bool]) -> Encounter:
    """Return the state without the first effect on that combatant that matches."""
    effects = state.combatants[name].status.effects
    at = next((at for at, one in enumerate(effects) if is_ended(one)), len(effects))
    return with_status(state, name, effects=(*effects[:at], *effects[at + 1 :]))

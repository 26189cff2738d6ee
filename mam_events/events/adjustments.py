"""Events of the game master's word: they follow from no rule and nothing blocks them."""

from msgspec.structs import replace

from mam_events.events.base import Event
from mam_events.state import Condition, Encounter, Grapple, Pool, Pools, Turn
from mam_events.state.updates import exchange_over, with_combatant, with_new_actor, with_new_grapple, with_status
from mam_events.values import CombatantRef, OutcomeField, RulingRef


class PoolsAdjusted(Event, frozen=True):
    """The game master moved points from one pool to another."""

    totals = ("pools",)
    combatant: CombatantRef
    source: Pool
    target: Pool
    points: int
    pools: Pools

    def apply(self, state: Encounter) -> Encounter:
        return with_combatant(state, self.combatant, pools=self.pools)


class ConditionDeclared(Event, frozen=True):
    """The game master set a combatant's condition: able, incapacitated, dead, out of the fight."""

    combatant: CombatantRef
    condition: Condition

    def apply(self, state: Encounter) -> Encounter:
        state = with_combatant(state, self.combatant, condition=self.condition)
        return with_status(state, self.combatant, by_word=self.condition == "incapacitated")


class GrappleDeclared(Event, frozen=True):
    """The game master declared that a combatant holds another, which keeps points in other used."""

    combatant: CombatantRef
    grapple: Grapple

    def apply(self, state: Encounter) -> Encounter:
        return with_new_grapple(state, self.combatant, self.grapple)


class TurnDeclared(Event, frozen=True):
    """The game master declared whose turn it is; `combatant` is empty for nobody's."""

    combatant: CombatantRef = ""

    def apply(self, state: Encounter) -> Encounter:
        if not self.combatant:
            return replace(state, turn=None)
        waiting = tuple(name for name in state.had_turn if name != self.combatant)
        window = with_new_actor(state)
        actions = state.combatants[self.combatant].actions
        if actions.declared or actions.turn_lost:
            # A turn that is given again has its own number of actions (RD6-ACT-02).
            fresh = replace(
                actions, declared=0, used=0, lost=0, waiting=False, turn_lost=False, reaction="", reacts_to=0
            )
            state = with_combatant(state, self.combatant, actions=fresh)
        return replace(state, turn=Turn(self.combatant), had_turn=waiting, window=window)


class OutcomeDeclared(Event, frozen=True):
    """The game master declared the outcome of the open exchange; wounds, if any, follow as separate events."""

    exchange: RulingRef
    outcome: OutcomeField

    def apply(self, state: Encounter) -> Encounter:
        return exchange_over(state, self.exchange)

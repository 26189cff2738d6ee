"""Events of a round of Ron d6 that have no dice."""

from decimal import Decimal

from msgspec.structs import replace

from mam_events.commands import MovedUpFor
from mam_events.events.base import Event
from mam_events.state import Encounter, RoundMove, Turn
from mam_events.state.updates import (
    window_after_action,
    window_after_interruption,
    with_actions,
    with_new_actor,
    with_status,
)
from mam_events.values import CombatantRef, RulingRef, SaidTextField, Success, Terrain


def _turn_over(state: Encounter) -> tuple[str, ...]:
    """Return those who have had their turn once the current one is over."""
    return (*state.had_turn, state.turn.combatant) if state.turn else state.had_turn


class ActionsDeclared(Event, frozen=True):
    """A combatant's turn began, with its number of actions (RD6-ACT-02), at most `limit` (RD6-LIM-01).

    Every roll loses `penalty` dice, with `allotment` of the actions counted for it (RD6-MAP-01, RD6-MAP-03).
    """

    combatant: CombatantRef
    actions: int
    limit: int
    penalty: int
    allotment: int = 1

    def apply(self, state: Encounter) -> Encounter:
        name = self.combatant
        state = with_actions(state, name, declared=self.actions)
        window = with_new_actor(state, name)
        if state.turn and state.turn.combatant == name:
            return replace(state, window=window)
        return replace(state, turn=Turn(name), had_turn=_turn_over(state), window=window)


class TurnMovedUp(Event, frozen=True):
    """A combatant reacts before its turn, and this is its turn (RD6-ACT-06); `against` is the action reacted to."""

    totals = ("reason",)
    combatant: CombatantRef
    because: MovedUpFor
    actions: int
    limit: int
    penalty: int
    allotment: int = 1
    against: RulingRef = 0
    reason: SaidTextField = ""

    def apply(self, state: Encounter) -> Encounter:
        name = self.combatant
        state = with_actions(state, name, declared=self.actions, reaction=self.because, reacts_to=self.against)
        window = replace(state.window, floor=name, early=(*state.window.early, name))
        return replace(state, had_turn=(*state.had_turn, name), window=window)


class CombatantWaited(Event, frozen=True):
    """A combatant used an action to wait (RD6-ACT-03), and may act or interrupt later; `left` actions remain."""

    totals = ("left",)
    combatant: CombatantRef
    left: int

    def apply(self, state: Encounter) -> Encounter:
        name = self.combatant
        window = window_after_action(state, name)
        state = with_actions(state, name, used=state.combatants[name].actions.used + 1, waiting=True)
        early = tuple(one for one in window.early if one != name)
        state = replace(state, window=replace(window, floor="", early=early))
        if state.turn and state.turn.combatant == name:
            return replace(state, turn=None, had_turn=_turn_over(state))
        return state


class ResultDeclared(Event, frozen=True):
    """The game master declared the result of an action, which closes its window (RD6-ACT-04).

    `total` and `difficulty` are those it was judged by, None if they were not compared.
    """

    totals = ("text", "total", "difficulty")
    exchange: RulingRef
    combatant: CombatantRef
    action: str
    outcome: Success
    text: SaidTextField = ""
    total: int | None = None
    difficulty: int | None = None

    def apply(self, state: Encounter) -> Encounter:
        settled = state.window.action(self.exchange)
        window = state.window.settle(self.exchange, self.outcome)
        if settled and settled.against and self.outcome == "success":
            window = window_after_interruption(window, self.exchange, settled.against, settled.target)
            if settled.action == "catch":
                # A caught thing is no longer in the air, even if it has no name.
                landed = (replace(one, thrown=False) if one.id == settled.against else one for one in window.open)
                window = replace(window, open=tuple(landed))
        return replace(state, window=window)


class CombatantHeldDown(Event, frozen=True):
    """A combatant was tackled or pinned, and can only speak or try to get free (RD6-LIST-tackle)."""

    combatant: CombatantRef
    by: CombatantRef

    def apply(self, state: Encounter) -> Encounter:
        names = state.combatants[self.combatant].status.held_down_by
        return with_status(state, self.combatant, held_down_by=(*(by for by in names if by != self.by), self.by))


class CombatantFreed(Event, frozen=True):
    """A held combatant is free of all who held it (RD6-LIST-escape), or `of` one of them."""

    totals = ("reason",)
    combatant: CombatantRef
    reason: SaidTextField = ""
    of: CombatantRef = ""

    def apply(self, state: Encounter) -> Encounter:
        names = state.combatants[self.combatant].status.held_down_by if self.of else ()
        return with_status(state, self.combatant, held_down_by=tuple(by for by in names if by != self.of))


class ActionsLost(Event, frozen=True):
    """A combatant unable to act lost some actions of this round, or (`turn`) its turn in it (RD6-INIT-07)."""

    combatant: CombatantRef
    actions: int
    turn: bool = False

    def apply(self, state: Encounter) -> Encounter:
        name = self.combatant
        if self.actions:
            state = with_actions(state, name, lost=state.combatants[name].actions.lost + self.actions)
        return with_actions(state, name, turn_lost=True) if self.turn else state


class TurnRegained(Event, frozen=True):
    """A combatant who was unable to act has its whole turn of this round after all (RD6-INIT-07)."""

    combatant: CombatantRef

    def apply(self, state: Encounter) -> Encounter:
        return with_actions(state, self.combatant, lost=0, turn_lost=False)


class MovedFreely(Event, frozen=True):
    """A combatant moved, and it took no action (RD6-FREE-01)."""

    combatant: CombatantRef
    metres: Decimal
    terrain: Terrain = "easy"

    def apply(self, state: Encounter) -> Encounter:
        move = RoundMove(self.metres, self.terrain)
        return with_actions(state, self.combatant, moves=(*state.combatants[self.combatant].actions.moves, move))

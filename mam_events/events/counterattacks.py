"""Events of prepared counterattacks."""

from msgspec.structs import replace

from mam_events.events.base import Event
from mam_events.refusals.arguments import WhyArgument
from mam_events.state import Encounter, InterruptedTurn, Turn
from mam_events.state.updates import with_status
from mam_events.values import CombatantRef, RulingRef


class CounterattackPrepared(Event, frozen=True):
    """A combatant waits to be attacked, to counter it (MAM-CTR-01)."""

    combatant: CombatantRef

    def apply(self, state: Encounter) -> Encounter:
        return with_status(state, self.combatant, prepared=True)


class CounterattackTriggered(Event, frozen=True):
    """A prepared combatant was attacked: its counterattack comes before the attack (MAM-CTR-02).

    `by` is the attacker, `interrupts` the ruling that declared the attack, `skips_owed` the number of turns that the
    counterattacker must skip for having acted.
    """

    totals = ("skips_owed",)
    combatant: CombatantRef
    by: CombatantRef
    interrupts: RulingRef
    skips_owed: int = 0

    def apply(self, state: Encounter) -> Encounter:
        state = with_status(state, self.combatant, prepared=False, skips_owed=self.skips_owed)
        if state.turn is None:
            return state
        exchange, waits = state.exchange, state.turn
        if waits.combo:
            waits = replace(waits, combo=replace(waits.combo, countered=True))
        waiting = InterruptedTurn(waits, replace(exchange, countered=True) if exchange else None)
        turn = Turn(self.combatant, refreshed=True, counter=self.interrupts, against=self.by)
        return replace(state, turn=turn, exchange=None, interrupted=(*state.interrupted, waiting))


class CounterattackEnded(Event, frozen=True):
    """A counterattack is over, and the action that it interrupted goes on (MAM-CTR-05).

    `passed` is true if nothing was done in it. `exchange` is the one that now waits to be resolved (0: none).
    `hindered` is the reason why its declaration must be changed first (None: it need not be).
    """

    totals = ("hindered",)
    combatant: CombatantRef
    passed: bool = False
    exchange: RulingRef = 0
    hindered: WhyArgument = None

    def apply(self, state: Encounter) -> Encounter:
        if not state.interrupted:
            return state
        *others, waiting = state.interrupted
        turn = waiting.turn
        if self.passed:
            turn = replace(turn, passed=(*turn.passed, self.combatant))
        return replace(state, turn=turn, exchange=waiting.exchange, interrupted=tuple(others))


class CounterattackLapsed(Event, frozen=True):
    """Nobody attacked before the prepared combatant's next turn (MAM-CTR-04)."""

    combatant: CombatantRef
    skips_owed: int = 0

    def apply(self, state: Encounter) -> Encounter:
        return with_status(state, self.combatant, prepared=False, skips_owed=self.skips_owed)


class PreparationSpent(Event, frozen=True):
    """A prepared combatant used its preparation to interfere (`speed_interference`)."""

    totals = ("skips_owed",)
    combatant: CombatantRef
    skips_owed: int = 0

    def apply(self, state: Encounter) -> Encounter:
        return with_status(state, self.combatant, prepared=False, skips_owed=self.skips_owed)


class DeclaredActionChanged(Event, frozen=True):
    """A declaration was withdrawn after a counterattack, to do something else (MAM-CTR-03).

    `exchange` is the exchange, or the ruling that declared the combo.
    """

    exchange: RulingRef
    combatant: CombatantRef

    def apply(self, state: Encounter) -> Encounter:
        turn = state.turn
        if turn and turn.combo and turn.combo.id == self.exchange:
            return replace(state, turn=replace(turn, combo=None))
        if turn and turn.deeds:
            # Remove the withdrawn deed. Points spent on it stay spent.
            turn = replace(turn, deeds=turn.deeds[:-1], acted=len(turn.deeds) > 1)
        return replace(state, exchange=None, turn=turn)

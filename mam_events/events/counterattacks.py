"""Events of prepared counterattacks."""

from msgspec.structs import replace

from mam_events.events.base import Event
from mam_events.refusals.arguments import WhyArgument
from mam_events.state import Encounter, InterruptedTurn, Turn
from mam_events.state.updates import with_status
from mam_events.values import CombatantRef, RulingRef


class CounterattackPrepared(Event, frozen=True):
    """A combatant waits for an attack on it (MAM-CTR-01)."""

    combatant: CombatantRef

    def apply(self, state: Encounter) -> Encounter:
        return with_status(state, self.combatant, prepared=True)


class CounterattackTriggered(Event, frozen=True):
    """An attack on a combatant that was prepared: its counterattack comes before that action (MAM-CTR-02).

    `by` attacks it with what the ruling `interrupts` declared, `skips_owed` is how many turns the counterattacker must
    skip for having acted.
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

    `passed` tells that nothing was done in it, `exchange` is the one that waits to be resolved now (0: none), and
    `hindered` says why what was declared there must be changed first (None: it need not be).
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
    """Nobody attacked before the next turn of the one who was prepared (MAM-CTR-04)."""

    combatant: CombatantRef
    skips_owed: int = 0

    def apply(self, state: Encounter) -> Encounter:
        return with_status(state, self.combatant, prepared=False, skips_owed=self.skips_owed)


class PreparationSpent(Event, frozen=True):
    """A combatant that was prepared used that to interfere (`speed_interference`)."""

    totals = ("skips_owed",)
    combatant: CombatantRef
    skips_owed: int = 0

    def apply(self, state: Encounter) -> Encounter:
        return with_status(state, self.combatant, prepared=False, skips_owed=self.skips_owed)


class DeclaredActionChanged(Event, frozen=True):
    """A declaration was taken back after a counterattack, to do something else (MAM-CTR-03): an exchange, or the
    combo that the ruling of that number declared.
    """

    exchange: RulingRef
    combatant: CombatantRef

    def apply(self, state: Encounter) -> Encounter:
        turn = state.turn
        if turn and turn.combo and turn.combo.id == self.exchange:
            return replace(state, turn=replace(turn, combo=None))
        if turn and turn.deeds:
            # Points that were spent are gone, and so is what they were spent in; a deed without points never was.
            turn = replace(turn, deeds=turn.deeds[:-1], acted=len(turn.deeds) > 1)
        return replace(state, exchange=None, turn=turn)

"""Events before the first turn."""

from msgspec.structs import replace

from mam_events.events.base import Event
from mam_events.events.rolls import RollsTold
from mam_events.state import BODY, Effect, Encounter, StealthRoll
from mam_events.state.updates import with_combatant, with_effect, with_status
from mam_events.values import CombatantRef, OutcomeField


class StealthRolled(RollsTold, frozen=True):
    """Someone tried to surprise someone else: stealth against detection (MAM-SURP-01)."""

    combatant: CombatantRef
    target: CombatantRef
    outcome: OutcomeField

    def apply(self, state: Encounter) -> Encounter:
        stealth_roll = StealthRoll(self.combatant, self.target, self.outcome == "full")
        return replace(state, stealth=(*state.stealth, stealth_roll), avoided=False)


class SurpriseEstablished(Event, frozen=True):
    """The result of stalking or an ambush (MAM-SURP-02, MAM-SURP-05).

    `advantaged` have the advantage (nobody, if all surprised each other). `surprised` have no weapon in hand.
    """

    totals = ("why",)
    advantaged: tuple[CombatantRef, ...]
    surprised: tuple[CombatantRef, ...]
    why: str

    def apply(self, state: Encounter) -> Encounter:
        for name in self.surprised:
            weapons = state.combatants[name].weapons
            sheathed = tuple(w if w.id == BODY or w.attached else replace(w, readied=False) for w in weapons)
            state = with_combatant(state, name, weapons=sheathed)
        return replace(state, advantaged=self.advantaged, surprised=self.surprised)


class CombatAvoided(Event, frozen=True):
    """Neither side found the other, and there is no combat (MAM-SURP-02); they may stalk again."""

    def apply(self, state: Encounter) -> Encounter:
        return replace(state, stealth=(), avoided=True)


class OpeningPostureTaken(Event, frozen=True):
    """A combatant begins the fight evading, with that bonus, or ready to counter (MAM-SURP-04).

    `skips_owed` is 1 if being ready costs the first turn.
    """

    combatant: CombatantRef
    posture: str
    effect: Effect | None = None
    skips_owed: int = 0

    def apply(self, state: Encounter) -> Encounter:
        if self.effect is None:
            return with_status(state, self.combatant, prepared=True, skips_owed=self.skips_owed)
        return with_effect(state, self.combatant, self.effect)

"""Events about riders and what they ride."""

from typing import Literal

from msgspec.structs import replace

from mam_events.events.base import Event
from mam_events.events.rolls import RollsTold
from mam_events.refusals.arguments import WhyArgument
from mam_events.state import Encounter, Mood, Position, Saddle
from mam_events.state.updates import with_position, with_status
from mam_events.values import CombatantRef, OutcomeField, RulingRef

Owed = Literal["riding", "animal handling"]
"""The purpose of a roll that a rider owes: to stay mounted (MAM-MNT-01), or to keep the animal from running
(MAM-MNT-03).
"""


class RiderMounted(Event, frozen=True):
    """A combatant got on an animal or into a vehicle, which had begun so many `turns` by then."""

    totals = ("turns",)
    combatant: CombatantRef
    mount: CombatantRef
    turns: int = 0

    def apply(self, state: Encounter) -> Encounter:
        return with_status(state, self.combatant, mount=self.mount, saddle=Saddle(self.turns))


class RiderDismounted(Event, frozen=True):
    """A rider got off, or rides no more for the reason `why`.

    `position` is where a fall left it ("": it did not fall).
    """

    totals = ("why",)
    combatant: CombatantRef
    mount: CombatantRef
    why: WhyArgument = None
    position: Position | Literal[""] = ""

    def apply(self, state: Encounter) -> Encounter:
        state = with_status(state, self.combatant, mount="", saddle=Saddle())
        return with_position(state, self.combatant, self.position) if self.position else state


class RidingDeclared(Event, frozen=True):
    """The game master said whom a combatant rides ("": nobody); rolls that were owed are owed no more."""

    combatant: CombatantRef
    mount: CombatantRef = ""

    def apply(self, state: Encounter) -> Encounter:
        state = with_status(state, self.combatant, mount=self.mount, saddle=Saddle())
        # Whoever is put into a saddle sits in it.
        return with_position(state, self.combatant, "standing") if self.mount else state


class MountedRollOwed(Event, frozen=True):
    """A ridden animal attacked or was attacked in an exchange, and each of its riders owes a roll for it (MAM-MNT-01,
    MAM-MNT-03); being attacked it may also be held anew (MAM-MNT-02), and `by` is whom it then has against it.
    """

    exchange: RulingRef
    mount: CombatantRef
    riders: tuple[CombatantRef, ...]
    owed: Owed
    attacked: bool = False
    defended: bool = False
    by: tuple[CombatantRef, ...] = ()

    def apply(self, state: Encounter) -> Encounter:
        for rider in self.riders:
            saddle = state.combatants[rider].status.saddle
            riding, handling = (1, 0) if self.owed == "riding" else (0, 1)
            more = replace(saddle, riding=saddle.riding + riding, handling=saddle.handling + handling)
            state = with_status(state, rider, saddle=more)
        temper = state.combatants[self.mount].status.temper
        if self.attacked:
            temper = replace(temper, attacked=True)
        if self.defended:
            # Held or not, whoever is attacked has to be held anew.
            against = tuple(dict.fromkeys((*temper.against, *self.by)))
            temper = replace(temper, mood="" if temper.mood == "held" else temper.mood, tried=0, against=against)
        return with_status(state, self.mount, temper=temper)


class ChargeRidden(Event, frozen=True):
    """A rider used the animal's speed for a charge, and the animal does not attack in turn (MAM-MNT-04)."""

    exchange: RulingRef
    combatant: CombatantRef
    mount: CombatantRef

    def apply(self, state: Encounter) -> Encounter:
        temper = state.combatants[self.mount].status.temper
        return with_status(state, self.mount, temper=replace(temper, charged=True))


class RidingResolved(RollsTold, frozen=True):
    """The end of a roll to stay: whether a rider stayed mounted (MAM-MNT-01): `position` is where a fall left it ("":
    it did not fall).

    `owed` is how many riding rolls it still owes; `effect` tells a fall, or a failure that is left to the game master
    (`dismount_effect`).
    """

    totals = ("owed",)
    combatant: CombatantRef
    mount: CombatantRef
    outcome: OutcomeField
    effect: Literal["stays", "falls", "gm"]
    position: Position | Literal[""] = ""
    owed: int = 0

    def apply(self, state: Encounter) -> Encounter:
        if self.effect == "falls":
            state = with_status(state, self.combatant, mount="", saddle=Saddle())
            return with_position(state, self.combatant, self.position) if self.position else state
        saddle = state.combatants[self.combatant].status.saddle
        return with_status(state, self.combatant, saddle=replace(saddle, riding=self.owed))


class MountRestraintResolved(RollsTold, frozen=True):
    """The end of a roll to hold: whether an animal was held (MAM-MNT-02, MAM-MNT-03), and what it does: in this
    `round`, or where that is `lasting` until it is held (`restraint_failure`). `owed` is how many such rolls the rider
    still owes.
    """

    totals = ("owed", "round")
    combatant: CombatantRef
    mount: CombatantRef
    outcome: OutcomeField
    mood: Mood
    round: int
    lasting: bool = False
    owed: int = 0

    def apply(self, state: Encounter) -> Encounter:
        saddle = state.combatants[self.combatant].status.saddle
        state = with_status(state, self.combatant, saddle=replace(saddle, handling=self.owed))
        before = state.combatants[self.mount].status.temper
        temper = replace(before, mood=self.mood, round=self.round, lasting=self.lasting, tried=self.round)
        return with_status(state, self.mount, temper=temper)

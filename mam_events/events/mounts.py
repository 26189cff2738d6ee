"""Events about riders and their mounts."""

from typing import Literal

from msgspec.structs import replace

from mam_events.events.base import Event
from mam_events.events.rolls import RollsTold
from mam_events.refusals.arguments import WhyArgument
from mam_events.state import Encounter, Mood, Position, Saddle
from mam_events.state.updates import with_position, with_status
from mam_events.values import CombatantRef, OutcomeField, RulingRef

Owed = Literal["riding", "animal handling"]
"""The purpose of an owed roll: to stay mounted (MAM-MNT-01), or to keep the animal from running (MAM-MNT-03)."""


class RiderMounted(Event, frozen=True):
    """A combatant got on an animal or into a vehicle that had begun `turns` turns by then."""

    totals = ("turns",)
    combatant: CombatantRef
    mount: CombatantRef
    turns: int = 0

    def apply(self, state: Encounter) -> Encounter:
        return with_status(state, self.combatant, mount=self.mount, saddle=Saddle(self.turns))


class RiderDismounted(Event, frozen=True):
    """A rider got off, or no longer rides for the reason `why`.

    `position` is the position after a fall ("": no fall).
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
    """The game master declared whom a combatant rides ("": nobody); owed rolls are cancelled."""

    combatant: CombatantRef
    mount: CombatantRef = ""

    def apply(self, state: Encounter) -> Encounter:
        state = with_status(state, self.combatant, mount=self.mount, saddle=Saddle())
        # A combatant in a saddle no longer lies or sits on the ground.
        return with_position(state, self.combatant, "standing") if self.mount else state


class MountedRollOwed(Event, frozen=True):
    """A ridden animal attacked or was attacked, and each rider owes a roll for it (MAM-MNT-01, MAM-MNT-02, MAM-MNT-03).

    If the animal was attacked, the riders may also try again to hold it (MAM-MNT-02); `by` lists its attackers.
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
            # An attacked animal must be held again, even if it was held already.
            against = tuple(dict.fromkeys((*temper.against, *self.by)))
            temper = replace(temper, mood="" if temper.mood == "held" else temper.mood, tried=0, against=against)
        return with_status(state, self.mount, temper=temper)


class ChargeRidden(Event, frozen=True):
    """A rider charged with the animal's speed, so the animal doesn't attack in its turn (MAM-MNT-04)."""

    exchange: RulingRef
    combatant: CombatantRef
    mount: CombatantRef

    def apply(self, state: Encounter) -> Encounter:
        temper = state.combatants[self.mount].status.temper
        return with_status(state, self.mount, temper=replace(temper, charged=True))


class RidingResolved(RollsTold, frozen=True):
    """The result of a roll to stay mounted (MAM-MNT-01).

    `position` is the position after a fall ("": no fall). `owed` is how many riding rolls the rider still owes;
    `effect` is a fall, or a failure that is left to the game master (`dismount_effect`).
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
    """The result of a roll to hold an animal back (MAM-MNT-02, MAM-MNT-03), and what the animal does then.

    It does so in this `round`, or if `lasting` until it is held (`restraint_failure`). `owed` is how many such rolls
    the rider still owes.
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

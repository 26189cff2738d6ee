"""Events about how one stands, lies, evades and rests."""

from typing import Literal

from mam_events.events.base import Event
from mam_events.events.rolls import RollsTold
from mam_events.state import Effect, Encounter, Position
from mam_events.state.updates import with_effect, with_position
from mam_events.values import CombatantRef, OutcomeField, ThingRef

AimLost = Literal["move", "wound", "shot", "fell", "lost", "grappling", "other", "stopped"]
"""The reason why somebody aims no longer (MAM-POS-02); `lost` is what it aimed with, `other` what it does instead."""


class EvasionTaken(Event, frozen=True):
    """A combatant defends itself the better for a while: it evades, or attacks with caution (MAM-MNV-01, MAM-POS-04).

    With `replaces` the bonus takes the place of an earlier one of its source (`evasion_stacking`).
    """

    combatant: CombatantRef
    effect: Effect
    replaces: bool = True

    def apply(self, state: Encounter) -> Encounter:
        return with_effect(state, self.combatant, self.effect, replaces=self.replaces)


class PositionChanged(Event, frozen=True):
    """A combatant came from one position into another (MAM-POS-01); `partner` is whom it grapples with there."""

    combatant: CombatantRef
    before: Position
    position: Position
    cause: Literal["drop", "stand", "grapple", "let go", "game master"] | AimLost
    partner: CombatantRef = ""

    def apply(self, state: Encounter) -> Encounter:
        return with_position(state, self.combatant, self.position, self.partner)


class InstantStandResolved(RollsTold, frozen=True):
    """The result of an attempt to stand up at once (MAM-MNV-05): no roll where it could not fail, `effect` is its
    bonus.

    With `replaces` the bonus takes the place of an earlier one of its source (`evasion_stacking`).
    """

    combatant: CombatantRef
    outcome: OutcomeField
    effect: Effect | None = None
    replaces: bool = True

    def apply(self, state: Encounter) -> Encounter:
        if self.outcome != "fail":
            state = with_position(state, self.combatant, "standing")
        if self.effect:
            state = with_effect(state, self.combatant, self.effect, replaces=self.replaces)
        return state


class RestTaken(Event, frozen=True):
    """A combatant rests, which adds to its defense for a while (MAM-POS-04)."""

    combatant: CombatantRef
    effect: Effect

    def apply(self, state: Encounter) -> Encounter:
        return with_effect(state, self.combatant, self.effect, replaces=True)


class AimTaken(Event, frozen=True):
    """A combatant aims that weapon, standing or on the ground (MAM-POS-02)."""

    combatant: CombatantRef
    weapon: ThingRef
    position: Position

    def apply(self, state: Encounter) -> Encounter:
        return with_position(state, self.combatant, self.position, aiming=self.weapon)

"""Events about standing, lying, evading and resting."""

from typing import Literal

from mam_events.events.base import Event
from mam_events.events.rolls import RollsTold
from mam_events.state import Effect, Encounter, Position
from mam_events.state.updates import with_effect, with_position
from mam_events.values import CombatantRef, OutcomeField, ThingRef

AimLost = Literal["move", "wound", "shot", "fell", "lost", "grappling", "other", "stopped"]
"""The reason why someone no longer aims (MAM-POS-02): they `lost` the aimed weapon, or do something `other`."""


class EvasionTaken(Event, frozen=True):
    """A combatant has a better defense for a while: it evades, or attacks with caution (MAM-MNV-01, MAM-POS-04).

    With `replaces` the bonus replaces an earlier one of the same source (`evasion_stacking`).
    """

    combatant: CombatantRef
    effect: Effect
    replaces: bool = True

    def apply(self, state: Encounter) -> Encounter:
        return with_effect(state, self.combatant, self.effect, replaces=self.replaces)


class PositionChanged(Event, frozen=True):
    """A combatant changed position (MAM-POS-01); `partner` is the one it grapples with there."""

    combatant: CombatantRef
    before: Position
    position: Position
    cause: Literal["drop", "stand", "grapple", "let go", "game master"] | AimLost
    partner: CombatantRef = ""

    def apply(self, state: Encounter) -> Encounter:
        return with_position(state, self.combatant, self.position, self.partner)


class InstantStandResolved(RollsTold, frozen=True):
    """The result of an attempt to stand up at once (MAM-MNV-05), without a roll if it could not fail.

    `effect` is its bonus. With `replaces` it replaces an earlier one of the same source (`evasion_stacking`).
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

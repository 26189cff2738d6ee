"""Events about manipulations, and about holds while they go on."""

from decimal import Decimal
from typing import Literal

from mam_events.events.base import Event, InformationalEvent
from mam_events.events.exchanges import Declaration
from mam_events.refusals.arguments import WhyArgument
from mam_events.state import PLAIN_TERMS, Action, Effect, Encounter, Grapple, Manipulation, Position, Terms
from mam_events.state.updates import (
    stopped_running,
    with_effect,
    with_grapple,
    with_new_grapple,
    with_position,
    without_item,
)
from mam_events.values import CombatantRef, GrappleRef, OutcomeField, RulingRef, SaidTextField, ThingRef


class ManipulationDeclared(Declaration, frozen=True):
    """A manipulation was declared, before any die (MAM-MNP-01): an attack that grips, pushes or trips.

    It doesn't strike. `points` is its whole cost; `power`, `modifier` and the points in `manipulation` show what they
    were put into.
    """

    attacker: CombatantRef
    target: CombatantRef
    weapon: ThingRef
    manipulation: Manipulation
    power: int = 0
    modifier: int = 0
    points: int = 0
    terms: Terms = PLAIN_TERMS

    def declares(self) -> Action:
        """Return the manipulation, which begins its exchange."""
        return self._action(id=self.exchange, kind="attack", combatant=self.attacker)


class TackleDeclared(Declaration, frozen=True):
    """A combatant manipulates another to stop their action (MAM-INTF-04).

    `points` is its whole cost; `power`, `modifier` and the points in `manipulation` show what they were put into.
    """

    action: RulingRef
    combatant: CombatantRef
    against: RulingRef
    target: CombatantRef
    weapon: ThingRef
    manipulation: Manipulation
    power: int = 0
    modifier: int = 0
    points: int = 0

    def declares(self) -> Action:
        """Return the interference, against the action that it should stop."""
        return self._action(id=self.action, kind="interference", terms=Terms(grapple=True))


class ManipulationResolved(InformationalEvent, frozen=True):
    """The result of a successful manipulation (MAM-MNP-01): its modifier against the target's size.

    `penalty` reduces rolls; an `effective` one may be followed by a throw, a hold and so on.
    """

    totals = ("modifier", "size", "advantage", "penalty")
    exchange: RulingRef
    combatant: CombatantRef
    target: CombatantRef
    modifier: int
    size: int
    advantage: int
    outcome: OutcomeField
    effective: bool
    penalty: int


class ManipulationPenaltyApplied(Event, frozen=True):
    """The next combat roll of a manipulated combatant is harder (MAM-MNP-01)."""

    combatant: CombatantRef
    effect: Effect

    def apply(self, state: Encounter) -> Encounter:
        return with_effect(state, self.combatant, self.effect)


class TargetDisarmed(Event, frozen=True):
    """A weapon was taken from its owner's hand and lies on the ground (MAM-MNP-04)."""

    combatant: CombatantRef
    by: CombatantRef
    weapon: ThingRef

    def apply(self, state: Encounter) -> Encounter:
        return without_item(state, self.combatant, self.weapon)


class TargetThrown(Event, frozen=True):
    """Someone was thrown to the ground (MAM-MNP-08), as far as `reach` metres (MAM-MNP-09), into that `surface`."""

    combatant: CombatantRef
    by: CombatantRef
    lands: Literal["prone", "semi_prone"]
    position: Position
    reach: Decimal
    distance: Decimal | None = None
    surface: SaidTextField = ""

    def apply(self, state: Encounter) -> Encounter:
        return with_position(stopped_running(state, self.combatant), self.combatant, self.position)


class ThrownBodyStruck(InformationalEvent, frozen=True):
    """A thrown combatant struck another, as a blunt weapon in the thrower's hands (MAM-MNP-09)."""

    totals = ("power", "absorbed", "why")
    exchange: RulingRef
    by: CombatantRef
    thrown: CombatantRef
    target: CombatantRef
    power: int
    absorbed: int = 0
    outcome: OutcomeField = "full"
    why: WhyArgument = None


class GrappleEstablished(Event, frozen=True):
    """A lasting hold, choke or wrench was taken (MAM-MNP-05, MAM-MNP-06)."""

    combatant: CombatantRef
    grapple: Grapple

    def apply(self, state: Encounter) -> Encounter:
        return with_new_grapple(state, self.combatant, self.grapple)


class GrappleMaintained(Event, frozen=True):
    """A hold was maintained in that round, in its holder's own turn (`hold_maintenance`)."""

    totals = ("round",)
    combatant: CombatantRef
    grapple: GrappleRef
    round: int

    def apply(self, state: Encounter) -> Encounter:
        return with_grapple(state, self.combatant, self.grapple, maintained=self.round)


class GrappleEffectApplied(Event, frozen=True):
    """A choke or wrench hit, at once or again (MAM-MNP-06): its power and the absorbed part."""

    totals = ("power", "absorbed")
    combatant: CombatantRef
    grapple: GrappleRef
    target: CombatantRef
    power: int
    absorbed: int

    def apply(self, state: Encounter) -> Encounter:
        return with_grapple(state, self.combatant, self.grapple, hit=state.round)

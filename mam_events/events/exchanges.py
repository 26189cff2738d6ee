"""Events of an exchange: an attack or other action, the reactions to it, and their results."""

from functools import cache
from typing import Any, ClassVar

from msgspec import Struct
from msgspec.structs import replace

from mam_events.events.base import Event, InformationalEvent
from mam_events.refusals.arguments import WhyArgument
from mam_events.state import (
    PLAIN_TERMS,
    Action,
    AnnouncedOrder,
    Encounter,
    Exchange,
    GivenFace,
    SituationModifier,
    Terms,
)
from mam_events.state.updates import exchange_over, with_exchange
from mam_events.values import CombatantRef, OutcomeField, RulingRef, SaidTextField, ThingRef


class Modifier(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """One number added to a die, with its name and the rule it comes from."""

    name: SaidTextField
    value: int
    rule: str


class Declaration(Event, frozen=True):
    """An action was declared: one that begins an exchange, or one that answers or interferes in it."""

    topic = ""
    exchange: RulingRef

    def declares(self) -> Action:
        """Return the action as the state holds it."""
        raise NotImplementedError  # subclasses define it

    def _action(self, **fields: Any) -> Action:
        """Return an action with those fields, and all others that the event has under the same name."""
        shared = {name: getattr(self, name) for name in _shared_fields(type(self))}
        return Action(**(shared | fields))

    def apply(self, state: Encounter) -> Encounter:
        declared = self.declares()
        if not declared.against:
            return replace(state, exchange=Exchange(self.exchange, (declared,)))
        exchange = state.exchange
        return replace(state, exchange=replace(exchange, actions=(*exchange.actions, declared))) if exchange else state


@cache
def _shared_fields(kind: type[Declaration]) -> tuple[str, ...]:
    return tuple(name for name in kind.__struct_fields__ if name in Action.__struct_fields__)


class AttackDeclared(Declaration, frozen=True):
    """An attack was declared, before any die (MAM-ATK-01).

    `power` and `modifier` are the points put into it, `terms` how it is made.
    """

    attacker: CombatantRef
    target: CombatantRef
    weapon: ThingRef
    power: int
    modifier: int
    terms: Terms = PLAIN_TERMS

    def declares(self) -> Action:
        """Return the attack, which begins its exchange."""
        return self._action(
            id=self.exchange, kind="attack", combatant=self.attacker, points=self.power + self.modifier, strikes=True
        )


class ActionDeclared(Declaration, frozen=True):
    """An action other than an attack was declared; others may interfere with it (MAM-INTF-01).

    `what` describes it, or `order` is the announced order.
    """

    combatant: CombatantRef
    what: SaidTextField
    points: int
    bonus: int = 0
    order: AnnouncedOrder | None = None

    def declares(self) -> Action:
        """Return the action, which begins its exchange and is aimed at nobody."""
        return self._action(id=self.exchange, kind="action")


class ExchangeEvent(Event, frozen=True):
    """An event of the open exchange that isn't an action of its own."""

    topic = ""

    def changed(self, exchange: Exchange) -> Exchange:
        """Return the exchange after this event."""
        raise NotImplementedError  # subclasses define it

    def apply(self, state: Encounter) -> Encounter:
        return state if state.exchange is None else replace(state, exchange=self.changed(state.exchange))


class DefenseRaised(ExchangeEvent, frozen=True):
    """The target of an attack moved ready points into defense (MAM-POOL-11)."""

    exchange: RulingRef
    combatant: CombatantRef
    points: int

    def changed(self, exchange: Exchange) -> Exchange:
        defended = exchange.defended | {self.combatant: exchange.defended.get(self.combatant, 0) + self.points}
        return replace(exchange, defended=defended)


class ReactionPassed(ExchangeEvent, frozen=True):
    """The target of an attack doesn't react."""

    exchange: RulingRef
    combatant: CombatantRef

    def changed(self, exchange: Exchange) -> Exchange:
        return replace(exchange, passed=(*exchange.passed, self.combatant))


class FaceGiven(ExchangeEvent, frozen=True):
    """Someone gave the die of a roll that is still to be made.

    `roll` is `attack`, `defense`, `into`, `armor`, or `interference`; for the last, `action` is its ruling.
    """

    exchange: RulingRef
    combatant: CombatantRef
    roll: str
    face: int
    confirmation: int | None = None
    action: RulingRef = 0

    def changed(self, exchange: Exchange) -> Exchange:
        key = {"armor": f"armor.{self.combatant}", "interference": str(self.action)}.get(self.roll, self.roll)
        faces = exchange.faces | {key: GivenFace(self.face, self.confirmation)}
        return replace(exchange, faces=faces)


class DrawLeft(ExchangeEvent, frozen=True):
    """Someone leaves their dice in an exchange to be drawn when it is resolved."""

    exchange: RulingRef
    combatant: CombatantRef

    def changed(self, exchange: Exchange) -> Exchange:
        return replace(exchange, drawing=(*exchange.drawing, self.combatant))


class NotAwaited(InformationalEvent, frozen=True):
    """The game master resolves an exchange without waiting for combatants who could still react or throw."""

    exchange: RulingRef
    combatants: tuple[CombatantRef, ...]


class ParryDeclared(Declaration, frozen=True):
    """Someone parries an attack (MAM-INTF-06): `against` is its ruling (0: the attack that began the exchange)."""

    action: RulingRef
    combatant: CombatantRef
    weapon: ThingRef
    points: int = 1
    against: RulingRef = 0

    def declares(self) -> Action:
        """Return the parry, against the attack."""
        return self._action(id=self.action, kind="parry", against=self.against or self.exchange)


class CounterattackDeclared(Declaration, frozen=True):
    """The target of an attack strikes back with ready points (MAM-ATK-12)."""

    action: RulingRef
    combatant: CombatantRef
    target: CombatantRef
    weapon: ThingRef
    power: int
    modifier: int
    terms: Terms = PLAIN_TERMS

    def declares(self) -> Action:
        """Return the counterattack, against the attack."""
        return self._action(
            id=self.action, kind="counterattack", against=self.exchange, points=self.power + self.modifier, strikes=True
        )


class InterferenceDeclared(Declaration, frozen=True):
    """An action aimed at stopping another action (MAM-INTF-01); `strikes` is true if it is itself an attack."""

    action: RulingRef
    combatant: CombatantRef
    against: RulingRef
    target: CombatantRef
    points: int
    bonus: int = 0
    strikes: bool = False
    weapon: ThingRef = ""
    power: int = 0
    modifier: int = 0
    terms: Terms = PLAIN_TERMS

    def declares(self) -> Action:
        """Return the interference, against the action that it should stop."""
        return self._action(id=self.action, kind="interference")


class SituationRuled(Event, frozen=True):
    """The game master adds a number, with a reason, to a roll of an exchange.

    `action` is the one whose roll it is for (0: every roll of that combatant in it).
    """

    totals = ("value", "why")
    exchange: RulingRef
    combatant: CombatantRef
    value: int
    why: SaidTextField
    action: RulingRef = 0

    def apply(self, state: Encounter) -> Encounter:
        modifier = SituationModifier(self.combatant, self.value, self.why, self.action)
        for exchange in state.declared:
            if exchange.id == self.exchange:
                return with_exchange(state, exchange.id, replace(exchange, situation=(*exchange.situation, modifier)))
        return state


class InterferenceResolved(InformationalEvent, frozen=True):
    """The end of an interfering action, with its success or failure to stop the other action (MAM-INTF-07)."""

    totals = ("why",)
    exchange: RulingRef
    action: RulingRef
    against: RulingRef
    outcome: OutcomeField
    why: WhyArgument


class CounterattackResolved(InformationalEvent, frozen=True):
    """The outcome of a counterattack (MAM-ATK-12); `power` comes from the weapon, the points and the `modifiers`."""

    totals: ClassVar[tuple[str, ...]] = ("power", "absorbed", "why", "modifiers")
    exchange: RulingRef
    action: RulingRef
    outcome: OutcomeField
    power: int
    absorbed: int
    why: WhyArgument
    modifiers: tuple[Modifier, ...] = ()


class AttackResolved(Event, frozen=True):
    """The outcome of the attack, which ends the exchange (MAM-ATK-04); on a hit `power` less `absorbed` gets through.

    `modifiers` are the parts of the power beside the weapon's and the points put into it; `made` is false if the attack
    was never made.
    """

    totals: ClassVar[tuple[str, ...]] = ("power", "absorbed", "why", "modifiers")
    exchange: RulingRef
    outcome: OutcomeField
    power: int
    absorbed: int
    why: WhyArgument
    modifiers: tuple[Modifier, ...] = ()
    made: bool = True

    def apply(self, state: Encounter) -> Encounter:
        return exchange_over(state, self.exchange, was_made=self.made)


class ActionResolved(Event, frozen=True):
    """The outcome of an action that was not an attack, which ends the exchange."""

    totals = ("why",)
    exchange: RulingRef
    outcome: OutcomeField
    why: WhyArgument

    def apply(self, state: Encounter) -> Encounter:
        return exchange_over(state, self.exchange)

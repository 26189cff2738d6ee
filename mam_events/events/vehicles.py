"""Events about ramming and collisions."""

from decimal import Decimal

from mam_events.events.base import InformationalEvent
from mam_events.events.exchanges import AttackResolved, Declaration, Modifier
from mam_events.state import BODY, Action, Collision, Terms
from mam_events.values import CollisionKind, CombatantRef, RulingRef


class RamDeclared(Declaration, frozen=True):
    """A vehicle is driven at a target (MAM-VEH-02); `points` were put on the roll."""

    vehicle: CombatantRef
    target: CombatantRef
    points: int
    collision: Collision

    def declares(self) -> Action:
        """Return the ram: an attack with the vehicle's bare body, which begins its exchange."""
        return self._action(
            id=self.exchange,
            kind="attack",
            combatant=self.vehicle,
            weapon=BODY,
            modifier=self.points,
            strikes=True,
            terms=Terms(collision=self.collision),
        )


class RamResolved(AttackResolved, frozen=True):
    """The outcome of a ram, which ends the exchange: as for any attack, with the ramming modifier (MAM-VEH-02)."""

    totals = ("power", "absorbed", "why", "modifiers", "modifier")
    vehicle: CombatantRef = ""
    driver: CombatantRef = ""
    target: CombatantRef = ""
    modifier: int = 0
    kind: CollisionKind = "head_on"


class CollisionComputed(InformationalEvent, frozen=True):
    """The second half of a collision: the target rams back with the part that was hit (MAM-VEH-03).

    The bonuses are what speed adds to the power on either side (MAM-VEH-04, MAM-VEH-05). `power` less `absorbed` is the
    ram-back on the vehicle; `modifiers` are the parts of that power beside the target's own.
    """

    totals = ("bonus_vehicle", "bonus_target", "power", "absorbed", "modifiers")
    exchange: RulingRef
    vehicle: CombatantRef
    target: CombatantRef
    kind: CollisionKind
    bonus_vehicle: Decimal
    bonus_target: Decimal
    part: str
    power: int
    absorbed: int
    modifiers: tuple[Modifier, ...] = ()

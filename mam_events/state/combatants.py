"""A combatant at one moment."""

from decimal import Decimal
from typing import Literal

from msgspec import Struct

from mam_events.state.equipment import ArmorPiece, Item, Weapon
from mam_events.state.pools import Pools
from mam_events.state.rounds import Actions, Faculties
from mam_events.state.status import Grapple, Statistics, Status
from mam_events.values import ThingRef

Condition = Literal["able", "incapacitated", "dead", "out"]


class Combatant(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """One character, animal or vehicle in the fight; `stride` is metres per point, `seat` counts clockwise from 0."""

    id: str
    name: str
    side: str
    kind: str
    seat: int
    hp: int
    hp_per_round: int
    stride: Decimal
    absorption: int
    parry: int
    encumbrance: int
    weapons: tuple[Weapon, ...]
    equipment: tuple[Item, ...]
    pools: Pools
    condition: Condition = "able"
    grapples: tuple[Grapple, ...] = ()
    dropped: tuple[ThingRef, ...] = ()
    visibility: str = "public"
    statistics: Statistics = Statistics()
    status: Status = Status()
    faculties: Faculties = Faculties()
    actions: Actions = Actions()
    rd6_character_points: int = 0
    fate_points: int = 0

    @property
    def is_gone(self) -> bool:
        """True if it is dead or out of the fight, and no longer acts or is acted on."""
        return self.condition in ("dead", "out")

    @property
    def things(self) -> tuple[Weapon | Item | ArmorPiece, ...]:
        """Weapons, including the body, equipment and armor, even those it no longer has."""
        return (*self.weapons, *self.equipment, *self.statistics.armor)

    @property
    def carried_encumbrance(self) -> int:
        """The points in other used that its load takes (MAM-POOL-06)."""
        total = self.encumbrance
        for thing in self.things:
            if thing.id not in self.dropped:
                total += thing.encumbrance
        return total

    @property
    def reach(self) -> Decimal:
        """Its longest reach with the weapons in hand, in metres (MAM-ORDER-03)."""
        return max(weapon.reach for weapon in self.in_hand)

    @property
    def in_hand(self) -> tuple[Weapon, ...]:
        """The weapons it can use now, including its body."""
        return tuple([weapon for weapon in self.weapons if weapon.readied and weapon.id not in self.dropped])

    def carries(self, thing: str) -> bool:
        """Return True if it has that weapon in hand, or carries that piece of equipment."""
        if thing in self.dropped:
            return False
        weapon = self.weapon(thing)
        return weapon.readied if weapon else any(item.id == thing for item in self.equipment)

    def weapon(self, weapon_id: str) -> Weapon | None:
        """Return the weapon with that id, or None."""
        for weapon in self.weapons:
            if weapon.id == weapon_id:
                return weapon
        return None


def has_turns(combatant: Combatant) -> bool:
    """Return True if it still takes turns.

    It is up, or it has points or stun that its turns can bring back (MAM-WND-09).
    """
    if combatant.condition == "able":
        return True
    return not combatant.is_gone and (combatant.pools.stun > 0 or combatant.pools.available > 0)

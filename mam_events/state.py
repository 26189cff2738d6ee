"""What a fight is at one moment: frozen values, built only by folding facts, never counted up."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from mam_events.values import Metres, Modifier, Points, Slug, Text

POOLS = ("ready", "defense", "other_used", "stun", "damage")
Pool = Literal["ready", "defense", "other_used", "stun", "damage"]
Condition = Literal["able", "incapacitated", "dead", "out"]
SharpnessClass = Literal["sharp", "ordinary", "padded"]
BODY = "body"


class Pools(Struct, frozen=True, gc=False):
    """The five pools of one combatant in points, together always its hit points (MAM-POOL-01, MAM-POOL-09)."""

    ready: int = 0
    defense: int = 0
    other_used: int = 0
    stun: int = 0
    damage: int = 0

    @property
    def available(self) -> int:
        """Points in neither stun nor damage."""
        return self.ready + self.defense + self.other_used

    @property
    def total(self) -> int:
        """All five pools together: the hit points."""
        return self.available + self.stun + self.damage

    def move(self, source: Pool, target: Pool, points: int) -> Pools:
        """The pools after `points` went from `source` to `target`; the caller has checked that they are there."""
        if source == target or points == 0:
            return self
        return replace(self, **{source: getattr(self, source) - points, target: getattr(self, target) + points})


class Weapon(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """Something to strike and defend with, the bare body included; `reach` in metres.

    `sharpness` is a number (-2: the first two points stun, MAM-WND-03); `sharpness_class` names the kind instead
    (MAM-WND-04). `readied` tells whether it is in hand (MAM-ATK-06).
    """

    id: Slug
    name: Text = ""
    power: Modifier = 0
    attack_modifier: Modifier = 0
    defense_modifier: Modifier = 0
    sharpness: Modifier = 0
    sharpness_class: SharpnessClass | None = None
    reach: Metres = Decimal(0)
    parry: Modifier = 0
    encumbrance: Points = 0
    readied: bool = True


class Item(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A piece of equipment that only weighs: its encumbrance in points (MAM-POOL-06)."""

    id: Slug
    name: Text = ""
    encumbrance: Points = 0


class Grapple(Struct, frozen=True, gc=False, omit_defaults=True):
    """A hold that goes on: the points it keeps in other used (MAM-POOL-07) and the modifier it gives."""

    id: str
    points: int
    modifier: int = 0


class Combatant(Struct, frozen=True, gc=False):
    """One character, animal or vehicle in the fight; `stride` in metres a point, `seat` clockwise from 0."""

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
    dropped: tuple[str, ...] = ()
    visibility: str = "public"

    @property
    def gone(self) -> bool:
        """Whether it is dead or out of the fight: nothing is done to it or by it any more."""
        return self.condition in ("dead", "out")

    @property
    def carried_encumbrance(self) -> int:
        """Points that what it carries keeps in other used (MAM-POOL-06)."""
        things: tuple[Weapon | Item, ...] = (*self.weapons, *self.equipment)
        total = self.encumbrance
        for thing in things:
            if thing.id not in self.dropped:
                total += thing.encumbrance
        return total

    @property
    def grapple_reserve(self) -> int:
        """Points that its holds keep in other used (MAM-POOL-07)."""
        return sum(grapple.points for grapple in self.grapples) if self.grapples else 0

    @property
    def reach(self) -> Decimal:
        """Its longest reach with what is in hand, in metres (MAM-ORDER-03)."""
        return max(weapon.reach for weapon in self.in_hand)

    @property
    def in_hand(self) -> tuple[Weapon, ...]:
        """The weapons it can use now, its body among them."""
        return tuple([weapon for weapon in self.weapons if weapon.readied and weapon.id not in self.dropped])

    def weapon(self, weapon_id: str) -> Weapon | None:
        """The weapon of that id, or None."""
        for weapon in self.weapons:
            if weapon.id == weapon_id:
                return weapon
        return None


class Turn(Struct, frozen=True, gc=False):
    """The turn in progress: whose it is, and which of its phases are behind it."""

    combatant: str
    refreshed: bool = False
    acted: bool = False


class Action(Struct, frozen=True, gc=False):
    """One declared action inside an exchange: its id is the number of the ruling that declared it.

    `against` is the id of the action it interferes with (0 for the action that began the exchange); `target` the
    combatant it is aimed at. `power` went to other used, `modifier` to defense, `points` is all it cost.
    """

    id: int
    kind: Literal["attack", "action", "parry", "counterattack", "interference"]
    combatant: str
    target: str = ""
    against: int = 0
    weapon: str = ""
    power: int = 0
    modifier: int = 0
    points: int = 0
    bonus: int = 0
    strikes: bool = False


class Exchange(Struct, frozen=True, gc=False):
    """An action that has been declared and not yet resolved, with what was declared against it."""

    id: int
    actions: tuple[Action, ...]
    defended: int = 0

    @property
    def root(self) -> Action:
        """The action that began it."""
        return self.actions[0]

    @property
    def answer(self) -> Action | None:
        """What the target declared in place of its defence roll (MAM-INTF-03), if anything."""
        root = self.actions[0]
        if root.kind == "attack":
            for action in self.actions:
                if action.against == self.id and action.combatant == root.target:
                    return action
        return None

    def action(self, number: int) -> Action | None:
        """The action declared by that ruling, or None."""
        for action in self.actions:
            if action.id == number:
                return action
        return None


class Pinned(Struct, frozen=True, gc=False, omit_defaults=True):
    """The rules in force: preset, the reading of every option, revision of every rules module, fingerprint of all.

    `name` is what the table calls its house rules; the fingerprint does not depend on it.
    """

    preset: str
    readings: dict[str, str]
    revisions: dict[str, int]
    fingerprint: str
    name: str = ""


class Encounter(Struct, frozen=True, gc=False):
    """One fight at one moment; `order` is empty until initiative is settled, `turn` None between turns."""

    status: Literal["unopened", "open", "closed"] = "unopened"
    title: str = ""
    ruleset: Pinned | None = None
    commitment: str = ""
    combatants: dict[str, Combatant] = {}
    order: tuple[str, ...] = ()
    round: int = 0
    round_open: bool = False
    had_turn: tuple[str, ...] = ()
    turn: Turn | None = None
    exchange: Exchange | None = None

    @property
    def in_fight(self) -> tuple[str, ...]:
        """Those in the order who still have turns: not dead, not out, not down with nothing that could come back."""
        return tuple(name for name in self.order if has_turns(self.combatants[name]))

    @property
    def next_up(self) -> str | None:
        """Whose turn comes next (MAM-ORDER-05): after the one in progress, which counts as had.

        None while the order is not settled, where nobody can act, and once the fight is over.
        """
        waiting = self.in_fight if self.status == "open" else ()
        if not waiting:
            return None
        had = (*self.had_turn, self.turn.combatant) if self.turn else self.had_turn
        return next((name for name in waiting if name not in had), waiting[0])

    @property
    def round_done(self) -> bool:
        """Whether everybody who has turns has had one this round."""
        return all(name in self.had_turn for name in self.in_fight)


UNOPENED = Encounter()


def has_turns(combatant: Combatant) -> bool:
    """Whether it still takes turns: it is up, or has stun that its turns will bring back (MAM-WND-09)."""
    if combatant.gone:
        return False
    return combatant.condition == "able" or combatant.pools.stun > 0 or combatant.pools.available > 0

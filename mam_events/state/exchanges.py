"""A declared action, its terms, and the declarations against it."""

from decimal import Decimal
from typing import Literal

from msgspec import Struct, field

from mam_events.state.equipment import SharpnessClass
from mam_events.state.mounts import Collision
from mam_events.values import (
    AttackMode,
    Circumstance,
    CombatantRef,
    GoalRef,
    Light,
    RulingRef,
    SaidTextField,
    ThingRef,
    ThrowMode,
)

FollowUp = Literal["none", "disarm", "hold", "choke", "wrench", "throw", "escape"]
"""The goal of a manipulation (MAM-MNP-02); `escape` gets out of a hold (`hold_escape`)."""


class Terms(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """The terms of an attack: its mode, its distance in metres (None: hand to hand), light, circumstances.

    `darkness` is the number that the game master gives the dark (None: the table's), `charge` the metres run straight
    before it, `double_power` the flag of MAM-ATK-10, `thrown` the way the weapon is thrown (MAM-THR), `collision` the
    way a vehicle rams its target (MAM-VEH; None: no ram). `evade` is true if the attacker evades with it (MAM-MNV-02).
    """

    mode: AttackMode = "quick"
    double_power: bool = False
    distance: Decimal | None = None
    range: Decimal = Decimal(0)
    light: Light = "lit"
    darkness: int | None = None
    blind: bool = False
    from_above: bool = False
    circumstance: tuple[Circumstance, ...] = ()
    charge: Decimal = Decimal(0)
    thrown: Literal["", ThrowMode] = ""
    missile: bool = False
    grapple: bool = False
    collision: Collision | None = None
    evade: bool = False


PLAIN_TERMS = Terms()


class Surface(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A surface that someone is thrown into (MAM-MNP-08).

    It has power and sharpness like a weapon; without a number or class of sharpness it is blunt.
    """

    name: SaidTextField = ""
    power: int = 0
    sharpness: int | None = None
    sharpness_class: SharpnessClass | None = field(default=None, name="class")


class Manipulation(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """The manipulation in an attack (MAM-MNP-01): the points used to manipulate and its goal.

    `item` is the weapon to take or the hold to break, `surface` what the target is thrown into, `distance` metres away,
    `into` the combatant whom the thrown body strikes there, `advance` the metres that the thrower moves during the
    throw (MAM-MNP-09), for `move` points.
    """

    points: int = 0
    follow_up: FollowUp = "none"
    item: GoalRef = ""
    surface: Surface | None = None
    distance: Decimal | None = None
    advance: Decimal = Decimal(0)
    into: CombatantRef = ""
    move: int = 0

    @property
    def hurts(self) -> bool:
        """True if it can wound."""
        return self.follow_up in ("choke", "wrench", "throw")


class AnnouncedOrder(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """An order carried out when its exchange is over, unless something stops it: `do` is its name."""

    do: str
    weapon: ThingRef = ""
    item: ThingRef = ""
    owner: CombatantRef = ""
    mount: CombatantRef = ""


class Action(Struct, frozen=True, gc=False):
    """One declared action inside an exchange: its id is the number of the ruling that declared it.

    `against` is the id of the action it interferes with (0 for the action that began the exchange), `target` the
    combatant it is aimed at. `power` went to other used, `modifier` to defense, `points` is its whole cost.
    `manipulation` is set if the attack manipulates instead of striking (MAM-MNP-01); `order` is the order carried out
    when the exchange is over.
    """

    id: int
    kind: Literal["attack", "action", "parry", "counterattack", "interference"]
    combatant: CombatantRef
    target: CombatantRef = ""
    against: RulingRef = 0
    weapon: ThingRef = ""
    power: int = 0
    modifier: int = 0
    points: int = 0
    bonus: int = 0
    strikes: bool = False
    terms: Terms = PLAIN_TERMS
    manipulation: Manipulation | None = None
    order: AnnouncedOrder | None = None

    @property
    def actor(self) -> str:
        """The one who does it: the driver for a ram, otherwise its combatant."""
        return self.terms.collision.driver if self.terms.collision else self.combatant

    @property
    def attacks(self) -> bool:
        """True if it strikes or manipulates: its result depends on its effect on the target (MAM-INTF-04)."""
        return self.strikes or self.manipulation is not None

    @property
    def hurts(self) -> bool:
        """True if it can wound its target, so that armor counts."""
        return self.strikes or (self.manipulation is not None and self.manipulation.hurts)


class SituationModifier(Struct, frozen=True, gc=False, omit_defaults=True):
    """A modifier that the game master gives to a combatant's rolls in an exchange, and the reason.

    It is for the roll of one `action`, or (0) for every roll.
    """

    combatant: CombatantRef
    value: int
    why: str
    action: RulingRef = 0


class GivenFace(Struct, frozen=True, gc=False, omit_defaults=True):
    """The face of a die given before its exchange is resolved, and that of its second throw."""

    face: int
    confirmation: int | None = None


class Exchange(Struct, frozen=True, gc=False):
    """A declared action that is not yet resolved, with the declarations against it.

    `defended` are the points that each defender put into defense against it. `countered` is true if a counterattack
    came before it. `situation` has the game master's modifiers of its rolls, `passed` those who don't react. `faces`
    are the given dice, by roll: `attack`, `defense`, `into`, the ruling of an interference, `armor.NAME`. `drawing` are
    those who leave theirs to be drawn.
    """

    id: int
    actions: tuple[Action, ...]
    defended: dict[CombatantRef, int] = {}
    countered: bool = False
    situation: tuple[SituationModifier, ...] = ()
    passed: tuple[CombatantRef, ...] = ()
    faces: dict[str, GivenFace] = {}
    drawing: tuple[CombatantRef, ...] = ()

    @property
    def root(self) -> Action:
        """The action that began it."""
        return self.actions[0]

    @property
    def answer(self) -> Action | None:
        """The target's declaration that replaces its defense roll (MAM-INTF-03), if any."""
        root = self.actions[0]
        return self.declaration_against_root(root.target) if root.kind == "attack" else None

    def declaration_against_root(self, name: str) -> Action | None:
        """Return that combatant's declaration against the action that began the exchange, or None.

        Its roll replaces a defense roll (MAM-INTF-03).
        """
        for action in self.actions:
            if action.against == self.id and action.combatant == name:
                return action
        return None

    def has_reacted(self, name: str) -> bool:
        """Return True if that combatant has reacted to the first action, or has passed, for example by giving a die."""
        has_passed = bool(self.faces) or name in (*self.defended, *self.passed, *self.drawing)
        return has_passed or self.declaration_against_root(name) is not None

    def action(self, number: int) -> Action | None:
        """Return the action declared by that ruling, or None."""
        for action in self.actions:
            if action.id == number:
                return action
        return None

"""Orders of an exchange: an attack or other action, what is done against it, and its resolution."""

from __future__ import annotations

from typing import Annotated, Literal

from mam_events.commands.base import Situated
from mam_events.commands.fields import (
    Actor,
    Helping,
    Interferer,
    OnModifier,
    OnPower,
    OpenExchange,
    Price,
    Reactor,
    ShotAnswering,
    StoppedAction,
)
from mam_events.values import (
    AttackMode,
    CombatantId,
    Face,
    Light,
    Metres,
    Modifier,
    OptionalCombatantId,
    OptionalThingId,
    Points,
    RulingKey,
    Slug,
    Text,
    says,
)


class Attack(Situated, frozen=True):
    """Declare an attack: `power` points go to other used, `modifier` points to defense (MAM-ATK-01).

    `mode` is how it is made (MAM-COMBO-05), `double_power` the flag of MAM-ATK-10, `thrown` how a weapon is thrown
    (MAM-THR). `distance` is in metres for what strikes from afar (MAM-ATK-08), `light` and `darkness` how dark it is
    for the attacker (MAM-ATK-09; `darkness` is the game master's number), `blind` one whom the dark does not hinder.
    `evade` combines a quick attack with evasion (MAM-MNV-02). Without a `weapon` it is made with the one in hand, with
    the body where there is none.
    """

    opposing = ("target",)
    actor = "attacker"
    begins_exchange = True
    attacker: Annotated[CombatantId, says("Who attacks; the one whose turn it is, if left out.")]
    target: Annotated[CombatantId, says("Who is attacked.")]
    weapon: Annotated[OptionalThingId, says("What to strike with; the one in hand, or the body, if left out.")] = ""
    power: OnPower = 0
    modifier: OnModifier = 0
    mode: Annotated[AttackMode, says("How it is made (quick); the others are no part of a combo (MAM-COMBO-05).")] = (
        "quick"
    )
    double_power: Annotated[bool, says("The weapon's power counts twice (MAM-ATK-10).")] = False
    thrown: Annotated[
        Literal["", "quick", "powerful", "heave"], says("Throw the weapon, or heave any object (MAM-THR-01 to -03).")
    ] = ""
    distance: Annotated[Metres | None, says("How far the target of a shot or throw is (MAM-ATK-08).")] = None
    light: Annotated[Light, says("How much the attacker can see (lit; MAM-ATK-09).")] = "lit"
    darkness: Annotated[Points | None, says("What total darkness adds here, where the house lets one choose.")] = None
    blind: Annotated[bool, says("The attacker is blind: the dark does not matter.")] = False
    from_above: Annotated[bool, says("It comes from above (MAM-POS-03).")] = False
    circumstance: Helping = ()
    evade: Annotated[bool, says("Evade with a quick attack (MAM-MNV-02).")] = False


class Act(Situated, frozen=True):
    """Do something other than attack, that others may interfere with (MAM-PHASE-04, MAM-INTF-01).

    Without `points` it costs the usual one, where points are spent.
    """

    actor = "combatant"
    begins_exchange = True
    combatant: Actor
    what: Annotated[Text, says("What is done, in words.")]
    points: Price = None
    bonus: Annotated[Modifier, says("The ability modifier, if somebody interferes (0).")] = 0


class Defend(Situated, frozen=True):
    """React to an attack by moving ready points into defense (MAM-POOL-11)."""

    actor = "combatant"
    combatant: Reactor
    exchange: OpenExchange
    points: Annotated[Points, says("Ready points that go into defense.")]


class Parry(Situated, frozen=True):
    """React to an attack with a one-point parry (MAM-INTF-06); without a `weapon` with the one in hand, or the body."""

    actor = "combatant"
    combatant: Reactor
    exchange: OpenExchange
    weapon: Annotated[OptionalThingId, says("What to parry with; the one in hand, or the body, if left out.")] = ""


class Counterattack(Situated, frozen=True):
    """React to an attack by striking back at once (MAM-ATK-12), at the attacker or at another `target`.

    Without a `weapon` it is done with the one in hand, with the body where there is none. `distance` is in metres for
    a shot (MAM-ATK-08): without it, that of the attack where one was said.
    """

    actor = "combatant"
    combatant: Reactor
    exchange: OpenExchange
    weapon: Annotated[OptionalThingId, says("What to strike with; the one in hand, or the body, if left out.")] = ""
    power: OnPower = 0
    modifier: OnModifier = 0
    target: Annotated[
        OptionalCombatantId, says("Whom, where the house lets it strike somebody other than the attacker.")
    ] = ""
    distance: ShotAnswering = None


class Interfere(Situated, frozen=True):
    """Try to stop an action (MAM-INTF-01): with `points` on an action of another kind, or with a `weapon` as an attack.

    `action` is the number of the ruling that declared what is to be stopped; `bonus` the ability modifier of the roll;
    `distance` is in metres for a shot, as in a counterattack.
    """

    actor = "combatant"
    interferes = True
    combatant: Interferer
    exchange: OpenExchange
    action: StoppedAction
    points: Annotated[Points, says("Ready points, unless it strikes with a weapon.")] = 0
    bonus: Annotated[Modifier, says("The ability modifier of the roll (0).")] = 0
    weapon: Annotated[OptionalThingId, says("What to strike with, if the interference is an attack (MAM-INTF-04).")] = (
        ""
    )
    power: OnPower = 0
    modifier: OnModifier = 0
    distance: ShotAnswering = None


class Resolve(Situated, frozen=True):
    """Roll the dice of an exchange and judge it; faces thrown at the table go in, missing ones are drawn.

    `into_die` is that of whoever a thrown body strikes (MAM-MNP-09), `interference_die` maps the number of an
    interfering ruling to its face, `armor_die` a combatant to the die that its armor is compared with
    (`armour_roll_source`), `confirmation_die` a slot (`attack`, `defense`, `into`, or the number of an interfering
    ruling) to the second throw of a substitute die (MAM-DICE-04).
    """

    exchange: OpenExchange
    attack_die: Annotated[Face | None, says("The same as ATTACK_DIE.")] = None
    defense_die: Annotated[Face | None, says("The same as DEFENSE_DIE.")] = None
    interference_die: Annotated[
        dict[RulingKey, Face], says("The face of the interference that ruling N declared.")
    ] = {}
    armor_die: Annotated[
        dict[CombatantId, Face],
        says("The die that somebody's armor is compared with, where it takes one of its own (MAM-ARM-02)."),
    ] = {}
    confirmation_die: Annotated[
        dict[Slug, Face], says("The second throw of a die that stands for a d20 and came to 20 (MAM-DICE-04).")
    ] = {}
    into_die: Annotated[
        Face | None, says("The face that whoever a thrown body strikes threw in defense (MAM-MNP-09).")
    ] = None

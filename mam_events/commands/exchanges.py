"""Orders of an exchange: an attack or other action, what is done against it, and its resolution."""

from __future__ import annotations

from typing import Literal

from mam_events.commands.base import Situated
from mam_events.values import (
    AttackMode,
    Circumstance,
    CombatantId,
    Face,
    Light,
    Metres,
    Modifier,
    OptionalCombatantId,
    OptionalThingId,
    Points,
    RulingKey,
    RulingNumber,
    Slug,
    Text,
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
    attacker: CombatantId
    target: CombatantId
    weapon: OptionalThingId = ""
    power: Points = 0
    modifier: Points = 0
    mode: AttackMode = "quick"
    double_power: bool = False
    thrown: Literal["", "quick", "powerful", "heave"] = ""
    distance: Metres | None = None
    light: Light = "lit"
    darkness: Points | None = None
    blind: bool = False
    from_above: bool = False
    circumstance: tuple[Circumstance, ...] = ()
    evade: bool = False


class Act(Situated, frozen=True):
    """Do something other than attack, that others may interfere with (MAM-PHASE-04, MAM-INTF-01).

    Without `points` it costs the usual one, where points are spent.
    """

    actor = "combatant"
    begins_exchange = True
    combatant: CombatantId
    what: Text
    points: Points | None = None
    bonus: Modifier = 0


class Defend(Situated, frozen=True):
    """React to an attack by moving ready points into defense (MAM-POOL-11)."""

    actor = "combatant"
    combatant: CombatantId
    exchange: RulingNumber
    points: Points


class Parry(Situated, frozen=True):
    """React to an attack with a one-point parry (MAM-INTF-06); without a `weapon` with the one in hand, or the body."""

    actor = "combatant"
    combatant: CombatantId
    exchange: RulingNumber
    weapon: OptionalThingId = ""


class Counterattack(Situated, frozen=True):
    """React to an attack by striking back at once (MAM-ATK-12), at the attacker or at another `target`.

    Without a `weapon` it is done with the one in hand, with the body where there is none. `distance` is in metres for
    a shot (MAM-ATK-08): without it, that of the attack where one was said.
    """

    actor = "combatant"
    combatant: CombatantId
    exchange: RulingNumber
    weapon: OptionalThingId = ""
    power: Points = 0
    modifier: Points = 0
    target: OptionalCombatantId = ""
    distance: Metres | None = None


class Interfere(Situated, frozen=True):
    """Try to stop an action (MAM-INTF-01): with `points` on an action of another kind, or with a `weapon` as an attack.

    `action` is the number of the ruling that declared what is to be stopped; `bonus` the ability modifier of the roll;
    `distance` is in metres for a shot, as in a counterattack.
    """

    actor = "combatant"
    interferes = True
    combatant: CombatantId
    exchange: RulingNumber
    action: RulingNumber
    points: Points = 0
    bonus: Modifier = 0
    weapon: OptionalThingId = ""
    power: Points = 0
    modifier: Points = 0
    distance: Metres | None = None


class Resolve(Situated, frozen=True):
    """Roll the dice of an exchange and judge it; faces thrown at the table go in, missing ones are drawn.

    `into_die` is that of whoever a thrown body strikes (MAM-MNP-09), `interference_die` maps the number of an
    interfering ruling to its face, `armor_die` a combatant to the die that its armor is compared with
    (`armour_roll_source`), `confirmation_die` a slot (`attack`, `defense`, `into`, or the number of an interfering
    ruling) to the second throw of a substitute die (MAM-DICE-04).
    """

    exchange: RulingNumber
    attack_die: Face | None = None
    defense_die: Face | None = None
    interference_die: dict[RulingKey, Face] = {}
    armor_die: dict[CombatantId, Face] = {}
    confirmation_die: dict[Slug, Face] = {}
    into_die: Face | None = None

"""Orders of an exchange: an attack or other action, what is done against it, and its resolution."""

from __future__ import annotations

from mam_events.commands.base import Command
from mam_events.values import Face, Modifier, OptionalSlug, Points, RulingKey, RulingNumber, Slug, Text


class Attack(Command, frozen=True):
    """Declare an attack: `power` points go to other used, `modifier` points to defense (MAM-ATK-01)."""

    actor = "attacker"
    begins_exchange = True
    attacker: Slug
    target: Slug
    weapon: Slug = "body"
    power: Points = 0
    modifier: Points = 0


class Act(Command, frozen=True):
    """Do something other than attack, that others may interfere with (MAM-PHASE-04, MAM-INTF-01)."""

    actor = "combatant"
    begins_exchange = True
    combatant: Slug
    what: Text
    points: Points = 1
    bonus: Modifier = 0


class Defend(Command, frozen=True):
    """React to an attack by moving ready points into defense (MAM-POOL-11)."""

    actor = "combatant"
    combatant: Slug
    exchange: RulingNumber
    points: Points


class Parry(Command, frozen=True):
    """React to an attack with a one-point parry (MAM-INTF-06)."""

    actor = "combatant"
    combatant: Slug
    exchange: RulingNumber
    weapon: Slug = "body"


class Counterattack(Command, frozen=True):
    """React to an attack by striking back with ready points (MAM-ATK-12)."""

    actor = "combatant"
    combatant: Slug
    exchange: RulingNumber
    weapon: Slug = "body"
    power: Points = 0
    modifier: Points = 0


class Interfere(Command, frozen=True):
    """Try to stop an action (MAM-INTF-01): with `points` on an action of another kind, or with a `weapon` as an attack.

    `action` is the number of the ruling that declared what is to be stopped; `bonus` the ability modifier of the roll.
    """

    actor = "combatant"
    combatant: Slug
    exchange: RulingNumber
    action: RulingNumber
    points: Points = 0
    bonus: Modifier = 0
    weapon: OptionalSlug = ""
    power: Points = 0
    modifier: Points = 0


class Resolve(Command, frozen=True):
    """Roll the dice of an exchange and judge it; faces thrown at the table go in, missing ones are drawn.

    `interference_dice` maps the number of an interfering ruling to its face.
    """

    exchange: RulingNumber
    attack_die: Face | None = None
    defense_die: Face | None = None
    interference_dice: dict[RulingKey, Face] = {}

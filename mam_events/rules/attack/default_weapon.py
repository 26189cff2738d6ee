"""The default weapon of a command that names none: the one in hand, or the body if there is none (MAM-ATK-06)."""

from __future__ import annotations

from typing import TypeVar

from msgspec.structs import replace

from mam_events.commands import Attack, Command, Counterattack, Parry, actor_of
from mam_events.decider.checks import sheathed_weapons
from mam_events.rules.missiles.archery import drawn_bow
from mam_events.rules.missiles.thrown_weapons import heavable_things
from mam_events.state import BODY, Combatant, Encounter, Weapon

Armed = TypeVar("Armed", Attack, Counterattack, Parry)


def with_default_weapon(state: Encounter, command: Armed) -> Armed:
    """Return the command with the obvious weapon; unchanged if it names one, or if several are possible."""
    if command.weapon:
        return command
    combatant = state.combatants.get(actor_of(command))
    able = possible_weapons(combatant, type(command), getattr(command, "thrown", "")) if combatant else ()
    return replace(command, weapon=able[0]) if len(able) == 1 else command


def weapon_besides_shields(weapons: list[Weapon]) -> list[Weapon]:
    """Return the one weapon to strike with if all others only parry; else all of them."""
    strike = [weapon for weapon in weapons if not _only_parries(weapon)]
    return strike if len(strike) == 1 else weapons


def _only_parries(weapon: Weapon) -> bool:
    return weapon.parry > 0 and not weapon.power and weapon.attack <= 0 and not weapon.is_missile


def possible_weapons(combatant: Combatant, kind: type[Command], thrown_id: str = "") -> tuple[str, ...]:
    """Return the weapons that such a command could mean: those held, else those of the body, else the bare body.

    Return none if the combatant must first take a weapon in hand. A combatant with a drawn bow means the bow
    (MAM-ARC-01); nobody else parries with a weapon that shoots. A thing to throw or heave must be able to leave the
    hand.
    """
    if thrown_id:
        things = heavable_things(combatant)
        return things if thrown_id == "heave" else tuple(thing for thing in things if combatant.weapon(thing))
    if bow := drawn_bow(combatant):
        return (bow.id,)
    parries = kind is Parry
    weapons = [weapon for weapon in combatant.in_hand if weapon.id != BODY and not (parries and weapon.shoots)]
    weapons = weapons if parries else weapon_besides_shields(weapons)
    ids = tuple(weapon.id for weapon in weapons if not weapon.attached)
    # A combatant with weapons, but none in hand, rarely means to strike with a fist.
    return ids or tuple(weapon.id for weapon in weapons) or (() if sheathed_weapons(combatant) else (BODY,))

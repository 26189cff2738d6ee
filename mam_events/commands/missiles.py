"""Orders about what is shot or thrown: bows, what must be loaded, what is too unwieldy to be thrown at once."""

from __future__ import annotations

from typing import Annotated

from mam_events.commands.base import Command
from mam_events.commands.fields import Actor, OnlyWeapon, Price
from mam_events.values import ThingId, says


class DrawBow(Command, frozen=True):
    """Draw a bow, or a crossbow that has no lever (MAM-ARC-01, MAM-ARC-03); without `points` for as few as it takes."""

    actor = "combatant"
    combatant: Actor
    weapon: OnlyWeapon
    points: Price = None


class LowerBow(Command, frozen=True):
    """Let a drawn bow down without a shot (`drawn_bow_release`); without `points` for as few as it takes."""

    actor = "combatant"
    combatant: Actor
    points: Price = None


class Load(Command, frozen=True):
    """Load a gun, or a crossbow by its lever (MAM-ARC-02, MAM-ARC-03); without `points` for as few as it takes."""

    actor = "combatant"
    combatant: Actor
    weapon: OnlyWeapon
    points: Price = None


class Unload(Command, frozen=True):
    """Take out of a crossbow or gun what is in it (MAM-ARC-02); without `points` for as few as it takes."""

    actor = "combatant"
    combatant: Actor
    weapon: OnlyWeapon
    points: Price = None


class BeginHeave(Command, frozen=True):
    """Begin to heave something unwieldy, a weapon or a piece of equipment: it flies with an `attack` in the next turn
    (MAM-THR-03); without `points` for as few as it takes.
    """

    actor = "combatant"
    combatant: Actor
    thing: Annotated[ThingId, says("What to heave: an unwieldy weapon, or a piece of equipment.")]
    points: Price = None

"""Orders about what is shot or thrown: bows, what must be loaded, what is too unwieldy to be thrown at once."""

from __future__ import annotations

from mam_events.commands.base import Command
from mam_events.values import CombatantId, Points, ThingId


class DrawBow(Command, frozen=True):
    """Draw a bow, or a crossbow that has no lever (MAM-ARC-01, MAM-ARC-03); without `points` for as few as it takes."""

    actor = "combatant"
    combatant: CombatantId
    weapon: ThingId
    points: Points | None = None


class LowerBow(Command, frozen=True):
    """Let a drawn bow down without a shot (`drawn_bow_release`); without `points` for as few as it takes."""

    actor = "combatant"
    combatant: CombatantId
    points: Points | None = None


class Load(Command, frozen=True):
    """Load a gun, or a crossbow by its lever (MAM-ARC-02, MAM-ARC-03); without `points` for as few as it takes."""

    actor = "combatant"
    combatant: CombatantId
    weapon: ThingId
    points: Points | None = None


class Unload(Command, frozen=True):
    """Take out of a crossbow or gun what is in it (MAM-ARC-02); without `points` for as few as it takes."""

    actor = "combatant"
    combatant: CombatantId
    weapon: ThingId
    points: Points | None = None


class BeginHeave(Command, frozen=True):
    """Begin to heave something unwieldy, a weapon or a piece of equipment: it flies with an `attack` in the next turn
    (MAM-THR-03); without `points` for as few as it takes.
    """

    actor = "combatant"
    combatant: CombatantId
    thing: ThingId
    points: Points | None = None

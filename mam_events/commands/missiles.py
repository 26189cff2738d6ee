"""Commands about bows, weapons that must be loaded, and throwing unwieldy things."""

from __future__ import annotations

from typing import Annotated

from mam_events.commands.base import Announceable, Command
from mam_events.commands.fields import Actor, OnlyWeapon, Price
from mam_events.values import ThingId, of_actor


class DrawBow(Announceable, frozen=True):
    """Draw a bow, or a crossbow without a lever.

    A bow must be held drawn (MAM-ARC-01). A crossbow stays loaded (MAM-ARC-03).
    """

    bare = ("combatant", "weapon")
    examples = ("draw-bow lin longbow", "draw-bow longbow")

    combatant: Actor
    weapon: OnlyWeapon
    points: Price = None


class LowerBow(Command, frozen=True):
    """Let a drawn bow down without shooting.

    The house rules must allow it (MAM-ARC-01).
    """

    bare = ("combatant",)
    examples = ("lower-bow lin", "lower-bow")

    combatant: Actor
    points: Price = None


class Load(Announceable, frozen=True):
    """Load a gun, or a crossbow by its lever.

    If loading takes several turns, give it in each of them (MAM-ARC-02, MAM-ARC-03).
    """

    bare = ("combatant", "weapon")
    examples = ("load lin musket", "load musket")

    combatant: Actor
    weapon: OnlyWeapon
    points: Price = None


class Unload(Command, frozen=True):
    """Unload a crossbow or a gun.

    Its shots are taken out (MAM-ARC-02).
    """

    bare = ("combatant", "weapon")
    examples = ("unload lin crossbow", "unload crossbow")

    combatant: Actor
    weapon: OnlyWeapon
    points: Price = None


class BeginHeave(Command, frozen=True):
    """Begin to heave something unwieldy.

    It flies with an attack in the next turn (MAM-THR-03).
    """

    bare = ("combatant", "thing")
    examples = ("begin-heave lin boulder", "begin-heave boulder")

    combatant: Actor
    thing: Annotated[ThingId, of_actor("What to heave: an unwieldy weapon, or a piece of equipment.")]
    points: Price = None

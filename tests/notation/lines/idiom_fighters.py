"""Fighters of the tests of phrases."""

from __future__ import annotations

from mam_events.commands import Join
from tests.notation.tables import Table

FOES = Join("rat", side="foes", hp=6), Join("ogre", side="foes", hp=9)


def armed(*lines: str) -> Table:
    """Return a fight in the turn of Ann, who has a sword and a shield, against two foes, after those lines."""
    ann = "join Ann heroes hp=9 w=(Sword pow=2) w=(Shield parry=1)"
    return Table(*FOES).after(ann, "initiative first=ann reason=x", *lines)


def mira_and_thug(*lines: str, more: str = "") -> Table:
    """Return a Ron d6 fight in which Mira acts first, with those further codes, after those lines."""
    mira = f"join Mira a perception=3D agility=3D {more}"
    thug = "join Thug b perception=2D agility=2D"
    return Table(preset="ron_d6").after(mira, thug, "ro mira 5 5 3 thug 2 1 !", *lines)

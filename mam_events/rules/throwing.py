"""Thrown weapons: how far they fly (MAM-THR)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Literal

from mam_events.errors import Refused
from mam_events.events import Modifier
from mam_events.rules.rolling import Rolling
from mam_events.rules.ruleset import Ruleset
from mam_events.state import Combatant, Weapon

REVISION = 1

HEAVED = -3
"""What heaving takes off the attack roll (MAM-THR-03)."""


def throw_range(
    thrower: Combatant, weapon: Weapon, kind: Literal["quick", "powerful", "heave"], ruleset: Ruleset
) -> Fraction:
    """How far a combatant throws a weapon, in metres (MAM-THR-01 to -04, `powerful_throw_launcher`).

    Refused with `unwieldy`, or with `no_range` where the weapon is too heavy for the thrower.
    """
    if weapon.unwieldy and kind != "heave":
        raise Refused(
            "unwieldy",
            f"The {weapon.name} is unwieldy and can only be heaved.",
            rule={"quick": "MAM-THR-01", "powerful": "MAM-THR-02"}[kind],
            fields=("thrown",),
        )
    factor = thrower.statistics.ability("throwing") + thrower.statistics.power - weapon.heft
    if factor <= 0:
        raise Refused(
            "no_range",
            f"The {weapon.name} is too heavy for {thrower.name} to throw.",
            rule="MAM-THR-04",
            fields=("thrown",),
        )
    hand = Fraction(hand_reach(thrower))
    if kind == "heave":
        return (hand + Fraction(weapon.throw_reach)) * factor
    base, launcher = hand * factor, Fraction(weapon.launcher_reach)
    if kind == "quick":
        return base + launcher
    return {
        "add_once_after_doubling": 2 * base + launcher,
        "double_with_launcher_then_add": 2 * (base + launcher) + launcher,
        "double_with_launcher_only": 2 * (base + launcher),
    }[ruleset["powerful_throw_launcher"]]


def hand_reach(thrower: Combatant) -> Fraction:
    """The reach of its hand in metres; its body's where none is given."""
    given = thrower.statistics.hand_reach
    return Fraction(thrower.weapons[0].reach if given is None else given)


def heaved(rolling: Rolling) -> Iterator[Modifier]:
    """What heaving takes off the attack roll (MAM-THR-03)."""
    if rolling.role == "attack" and rolling.action.terms.thrown == "heave":
        yield Modifier("heaved", HEAVED, "MAM-THR-03")


ROLL_MODIFIERS = (heaved,)

"""Orders about how one stands, lies, evades and rests."""

from __future__ import annotations

from typing import Literal

from mam_events.commands.base import Command, Situated
from mam_events.values import CombatantId, DieKind, Face, Points, ThingId


class Evade(Command, frozen=True):
    """Move defensively (MAM-MNV-01); together with a quick attack it is the `evade` of that attack (MAM-MNV-02)."""

    actor = "combatant"
    combatant: CombatantId


class Drop(Command, frozen=True):
    """Get down on the ground: crouching, sitting, kneeling or lying (MAM-MNV-03)."""

    actor = "combatant"
    combatant: CombatantId
    points: Points | None = None


class Stand(Command, frozen=True):
    """Stand up (MAM-MNV-04)."""

    actor = "combatant"
    combatant: CombatantId
    points: Points | None = None


class InstantStand(Situated, frozen=True):
    """Stand up evading, by a roll of agility and acrobatics (MAM-MNV-05).

    `points` pay for the standing alone; `kind` is the die where nobody rolls against it (None: a d20).
    """

    actor = "combatant"
    combatant: CombatantId
    points: Points | None = None
    kind: DieKind | None = None
    die: Face | None = None
    opposing_die: Face | None = None
    confirmation_die: Face | None = None
    opposing_confirmation_die: Face | None = None


class Rest(Command, frozen=True):
    """Rest in the middle of a fight (MAM-POS-04)."""

    actor = "combatant"
    combatant: CombatantId
    points: Points | None = None


class Aim(Command, frozen=True):
    """Aim a weapon that strikes from a distance (MAM-POS-02), or `stop` aiming it, which takes nothing."""

    actor = "combatant"
    combatant: CombatantId
    weapon: ThingId
    points: Points | None = None
    stop: bool = False


class TakePosition(Command, frozen=True):
    """Settle how a grapple is fought: standing or on the ground, and who is dominant (MAM-POS-05).

    The `partner` takes the position that goes with it.
    """

    actor = "combatant"
    combatant: CombatantId
    position: Literal["clinch", "ground_fighting", "dominant_standing", "dominant_on_ground"]
    partner: CombatantId

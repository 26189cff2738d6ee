"""Events about shooting and throwing."""

from typing import Literal

from msgspec.structs import replace

from mam_events.events.base import Event
from mam_events.refusals.arguments import WhyArgument
from mam_events.state import Encounter
from mam_events.state.updates import with_combatant, with_status, without_item
from mam_events.values import CombatantRef, ThingRef, ThrowMode

LoweredBy = Literal["", "fell", "lost"]


def _loaded(state: Encounter, name: str, weapon_id: str, loaded: int, winding: int = 0) -> Encounter:
    weapons = tuple(
        replace(weapon, loaded=loaded, winding=winding) if weapon.id == weapon_id else weapon
        for weapon in state.combatants[name].weapons
    )
    return with_combatant(state, name, weapons=weapons)


class BowDrawn(Event, frozen=True):
    """A bow was drawn, and occupies the hands until it is shot (MAM-ARC-01)."""

    combatant: CombatantRef
    weapon: ThingRef

    def apply(self, state: Encounter) -> Encounter:
        return with_status(state, self.combatant, drawn=self.weapon)


class BowFired(Event, frozen=True):
    """A drawn bow was shot (MAM-ARC-01)."""

    combatant: CombatantRef
    weapon: ThingRef

    def apply(self, state: Encounter) -> Encounter:
        return with_status(state, self.combatant, drawn="")


class BowLowered(Event, frozen=True):
    """A drawn bow was let down without a shot (`drawn_bow_release`), or went slack: its archer `fell` or `lost` it."""

    combatant: CombatantRef
    weapon: ThingRef
    cause: LoweredBy = ""

    def apply(self, state: Encounter) -> Encounter:
        return with_status(state, self.combatant, drawn="")


class WeaponLoaded(Event, frozen=True):
    """A crossbow was drawn or a weapon loaded (MAM-ARC-02, MAM-ARC-03).

    `loaded` shots are in it now; it needs `turns_left` more turns of loading before it has any.
    """

    totals = ("loaded", "turns_left")
    combatant: CombatantRef
    weapon: ThingRef
    loaded: int
    turns_left: int = 0

    def apply(self, state: Encounter) -> Encounter:
        combatant = state.combatants[self.combatant]
        weapon = combatant.weapon(self.weapon)
        if weapon and weapon.reload:
            state = with_status(state, self.combatant, loading=combatant.status.turns)
        return _loaded(state, self.combatant, self.weapon, self.loaded, self.turns_left)


class WeaponUnloaded(Event, frozen=True):
    """A crossbow or gun was unloaded (MAM-ARC-02)."""

    combatant: CombatantRef
    weapon: ThingRef

    def apply(self, state: Encounter) -> Encounter:
        return _loaded(state, self.combatant, self.weapon, 0)


class ShotFired(Event, frozen=True):
    """A loaded weapon was shot; `loaded` shots are left in it (MAM-ARC-02)."""

    totals = ("loaded",)
    combatant: CombatantRef
    weapon: ThingRef
    loaded: int

    def apply(self, state: Encounter) -> Encounter:
        return _loaded(state, self.combatant, self.weapon, self.loaded)


class WeaponThrown(Event, frozen=True):
    """Something was thrown and left the hand (MAM-THR).

    `lost_turn` is the number of the thrower's own turn that it costs (0: none; `heave_resolution_turn`).
    """

    totals = ("lost_turn",)
    combatant: CombatantRef
    weapon: ThingRef
    thrown: ThrowMode
    lost_turn: int = 0

    def apply(self, state: Encounter) -> Encounter:
        state = without_item(state, self.combatant, self.weapon)
        status = state.combatants[self.combatant].status
        if self.weapon == status.heaving:
            state = with_status(state, self.combatant, heaving="")
        return with_status(state, self.combatant, lost_turn=self.lost_turn) if self.lost_turn else state


class HeaveBegun(Event, frozen=True):
    """Someone began to heave something unwieldy, in their own turn of that number (MAM-THR-03)."""

    totals = ("turn",)
    combatant: CombatantRef
    weapon: ThingRef
    turn: int

    def apply(self, state: Encounter) -> Encounter:
        return with_status(state, self.combatant, heaving=self.weapon, heaving_since=self.turn)


class HeaveInterrupted(Event, frozen=True):
    """A heave ended without a throw: because of a wound, or because the next turn passed (MAM-THR-03)."""

    totals = ("why",)
    combatant: CombatantRef
    weapon: ThingRef
    why: WhyArgument

    def apply(self, state: Encounter) -> Encounter:
        return with_status(state, self.combatant, heaving="")

"""Vehicles: like mounts, but they neither fight nor run by themselves (MAM-VEH-01, MAM-VEH-02)."""

from __future__ import annotations

from mam_events.decider.checks import require_able
from mam_events.decider.engine import RuleModule, Ruleset
from mam_events.decider.rule_tables import DeedKind
from mam_events.errors import Refused
from mam_events.rules.mounts.riding import riders
from mam_events.state import Combatant, Encounter


def ram_modifier(driver: Combatant, vehicle: Combatant) -> int:
    """The bonus of a ramming roll: the smaller of the driver's ability and the vehicle's (MAM-VEH-02)."""
    return min(driver.statistics.ability("driving"), vehicle.statistics.ability("agility"))


def vehicle_strike_limit(state: Encounter, ruleset: Ruleset, combatant: Combatant) -> None:
    """Refused with `will_not_fight` for a vehicle: it rams, and its driver orders that (MAM-VEH-01).

    "Most" vehicles are so; one that fights by itself has the training of an animal.
    """
    if combatant.statistics.training == "vehicle":
        raise Refused("will_not_fight/vehicle", combatant=combatant, rule="MAM-VEH-01", fields=("combatant",))


def require_driver(state: Encounter, ruleset: Ruleset, combatant: Combatant, deed: DeedKind) -> None:
    """Refused with `no_driver` for a vehicle with nobody in it who could drive: it does nothing (MAM-VEH-01)."""
    if combatant.statistics.training != "vehicle":
        return
    if not any(rider.condition == "able" for rider in riders(state, combatant.id)):
        raise Refused("no_driver", combatant=combatant, rule="MAM-VEH-01", fields=("combatant",))


def check_driver(state: Encounter, driver: str, vehicle: str) -> None:
    """Refused with `not_the_driver`, or with `incapacitated`, unless that one can drive that vehicle."""
    who, what = state.combatants[driver], state.combatants[vehicle]
    require_able(who, "driver")
    if who.status.mount != vehicle:
        raise Refused("not_the_driver", who=who, what=what, rule="MAM-VEH-02", fields=("driver", "vehicle"))
    require_able(what, "vehicle")


def check_outside(vehicle: Combatant, target: Combatant) -> None:
    """Refused with `bad_target` for a ram at somebody who sits in the vehicle that rams."""
    if target.status.mount == vehicle.id:
        raise Refused("bad_target/in_vehicle", target=target, vehicle=vehicle, rule="MAM-VEH-02", fields=("target",))


SECTION = RuleModule(
    limits=(require_driver,),
    strike_limits=(vehicle_strike_limit,),
)

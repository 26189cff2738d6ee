"""Vehicles: like mounts, but they neither fight nor run by themselves (MAM-VEH-01, MAM-VEH-02)."""

from __future__ import annotations

from mam_events.decider.checks import require_able
from mam_events.decider.engine import RuleModule, Ruleset
from mam_events.decider.rule_tables import DeedKind
from mam_events.errors import Refused
from mam_events.rules.mounts.riding import riders
from mam_events.state import Combatant, Encounter


def ram_modifier(driver: Combatant, vehicle: Combatant) -> int:
    """Return the bonus of a ramming roll: the smaller of the driver's ability and the vehicle's (MAM-VEH-02)."""
    return min(driver.statistics.ability("driving"), vehicle.statistics.ability("agility"))


def vehicle_strike_limit(state: Encounter, ruleset: Ruleset, combatant: Combatant) -> None:
    """Raise Refused with `will_not_fight` for a vehicle: it only rams, on its driver's command (MAM-VEH-01).

    The rule says "most" vehicles; one that fights by itself has the training of an animal.
    """
    if combatant.statistics.training == "vehicle":
        raise Refused("will_not_fight/vehicle", combatant=combatant, rule="MAM-VEH-01", fields=("combatant",))


def require_driver(state: Encounter, ruleset: Ruleset, combatant: Combatant, deed: DeedKind) -> None:
    """Raise Refused with `no_driver` for a vehicle without anybody able to drive it (MAM-VEH-01)."""
    if combatant.statistics.training != "vehicle":
        return
    if not any(rider.condition == "able" for rider in riders(state, combatant.id)):
        raise Refused("no_driver", combatant=combatant, rule="MAM-VEH-01", fields=("combatant",))


def check_driver(state: Encounter, driver: str, vehicle: str) -> None:
    """Raise Refused with `not_the_driver` or `incapacitated` unless that combatant can drive that vehicle."""
    who, what = state.combatants[driver], state.combatants[vehicle]
    require_able(who, "driver")
    if who.status.mount != vehicle:
        raise Refused("not_the_driver", who=who, what=what, rule="MAM-VEH-02", fields=("driver", "vehicle"))
    require_able(what, "vehicle")


def check_outside(vehicle: Combatant, target: Combatant) -> None:
    """Raise Refused with `bad_target` for a ram at somebody who sits in the ramming vehicle."""
    if target.status.mount == vehicle.id:
        raise Refused("bad_target/in_vehicle", target=target, vehicle=vehicle, rule="MAM-VEH-02", fields=("target",))


SECTION = RuleModule(
    limits=(require_driver,),
    strike_limits=(vehicle_strike_limit,),
)

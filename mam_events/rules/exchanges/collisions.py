"""Ramming and collisions: the ram, the ram back, the power that speed adds to both (MAM-VEH-02 to MAM-VEH-05)."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from mam_events.commands import Ram
from mam_events.decider.action_kinds import points_for, require_can_act
from mam_events.decider.action_price import ActionPrice
from mam_events.decider.checks import require_combatant
from mam_events.decider.engine import Decision, RuleModule, Ruleset, UndeclaredStrike
from mam_events.decider.mechanic import Mechanic
from mam_events.decider.offers import Field, Offer, free, offer
from mam_events.decider.strikes import RAM_BACK, StrikeEffect, StrikeRoll
from mam_events.errors import Refused
from mam_events.events import AttackResolved, CollisionComputed, Modifier, RamDeclared, RamResolved
from mam_events.rules.attack.attacks import check_target
from mam_events.rules.attack.power import Strength, charge_bonus, multiply_power, run_up
from mam_events.rules.mounts.vehicles import check_driver, check_outside, ram_modifier
from mam_events.rules.turns.prepared_counterattack import attackable_targets, may_aim, trigger
from mam_events.state import BODY, Action, Collision, Combatant, Encounter, Exchange, Terms, Weapon
from mam_events.values import COLLISIONS, CollisionKind, decimal_of

SAME_WAY = ("rear_end", "sideswipe")
"""The collisions of two that move in one direction (MAM-VEH-05); in all others they meet head-on (MAM-VEH-04)."""


class Bonus(NamedTuple):
    """The power that speed adds to the blow on the rammer and on the rammed; the printed rule gives both the same."""

    vehicle: Fraction
    target: Fraction


def collision_bonus(kind: CollisionKind, vehicle: Decimal, target: Decimal, ruleset: Ruleset) -> Bonus:
    """Return the damage that both take for the metres that they went straight (MAM-VEH-04, MAM-VEH-05).

    If they meet, the charges of both count (`collision_bonus`). If they move one way, the charge of the difference
    counts (`rear_end_threshold`).
    """
    if kind in SAME_WAY:
        if ruleset["rear_end_threshold"] == "difference_minus_five":
            bonus = charge_bonus(abs(vehicle - target), ruleset)
        else:
            bonus = abs(charge_bonus(vehicle, ruleset) - charge_bonus(target, ruleset))
    elif ruleset["collision_bonus"] == "combined_distance":
        bonus = charge_bonus(vehicle + target, ruleset)
    else:
        bonus = charge_bonus(vehicle, ruleset) + charge_bonus(target, ruleset)
    return Bonus(bonus, bonus)


def way(state: Encounter, combatant: Combatant) -> Decimal:
    """Return the metres that it went straight since its last turn began; a rider goes as far as its mount."""
    return state.combatants.get(combatant.status.mount, combatant).status.straight


def distances(
    state: Encounter, ruleset: Ruleset, kind: CollisionKind, vehicle: Combatant, target: Combatant
) -> tuple[Decimal, Decimal]:
    """Return the metres that vehicle and target go straight into that collision.

    If the vehicle has rammed out of the same run before, that run is used up. It then counts as no faster than what it
    follows (`charge_scope`).
    """
    ran, target_way = run_up(state, ruleset, vehicle), way(state, target)
    return (target_way if kind in SAME_WAY and ran < min(target_way, vehicle.status.straight) else ran), target_way


def current_meeting(state: Encounter, ruleset: Ruleset, exchange: Exchange) -> Exchange:
    """Return the exchange with the present distances of both in its ram.

    In a counterattack, a target can get out of the way of the ram or run into it (MAM-CTR-03).
    """
    root, collision = exchange.root, exchange.root.terms.collision
    if collision is None:
        return exchange
    distances_moved = distances(
        state, ruleset, collision.kind, state.combatants[root.combatant], state.combatants[root.target]
    )
    collision = replace(collision, vehicle_distance=distances_moved[0], target_distance=distances_moved[1])
    root = replace(root, terms=replace(root.terms, collision=collision))
    return replace(exchange, actions=(root, *exchange.actions[1:]))


class RamOption(Struct, frozen=True):
    """A ram that may be declared: the collision and the price."""

    collision: Collision
    price: ActionPrice


def check_ram(state: Encounter, ruleset: Ruleset, command: Ram) -> RamOption:
    """Return the collision of the vehicle with its target, an action of the driver in its own turn (MAM-VEH-02).

    Raises Refused with `not_a_vehicle`, `not_the_driver`, `bad_target`, or as for any attack.
    """
    driver = require_can_act(state, ruleset, command.driver, "ram", field="driver")
    vehicle = require_combatant(state, command.vehicle, "vehicle")
    if vehicle.statistics.training != "vehicle":
        raise Refused("not_a_vehicle", vehicle=vehicle, rule="MAM-VEH-01", fields=("vehicle",))
    check_driver(state, driver.id, vehicle.id)
    target = require_combatant(state, command.target, "target")
    check_target(vehicle, target)
    may_aim(state, ruleset, driver.id, target.id)
    check_outside(vehicle, target)
    price = ActionPrice(points_for(command.modifier, "ram", ruleset), 0, ("modifier",), "MAM-ATK-01")
    ruleset.edition.economy.afford(state, ruleset, driver, "ram", price)
    modifier = ram_modifier(driver, vehicle)
    distances_moved = distances(state, ruleset, command.collision, vehicle, target)
    return RamOption(
        Collision(command.collision, driver.id, modifier, *distances_moved, part=command.part),
        price,
    )


def judge_ram(judging: Decision, command: Ram, ramming: RamOption) -> None:
    """Declare a ram and pay for it; a target that has prepared a counterattack strikes first (MAM-CTR-02)."""
    judging.record(
        RamDeclared(judging.ruling, command.vehicle, command.target, ramming.price.points, ramming.collision)
    )
    judging.ruleset.edition.economy.pay(judging, command.driver, "ram", "attack", ramming.price)
    trigger(judging, command.driver, command.target)


def _offer_ram(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    for driver in state.combatants.values():
        vehicle = state.combatants.get(driver.status.mount)
        if vehicle is None or vehicle.statistics.training != "vehicle":
            continue
        low, high = ruleset.edition.economy.span(state, ruleset, driver, "ram")
        targets = tuple(
            name
            for name in attackable_targets(state, ruleset, driver.id)
            if vehicle.id not in (name, state.combatants[name].status.mount)
        )
        yield offer(
            Ram(driver.id, vehicle.id, targets[0] if targets else driver.id),
            Field("target", choices=targets),
            Field("collision", choices=COLLISIONS),
            *free("part"),
            Field("modifier", low=low, high=high),
            pinned=("vehicle",),
        )


def ram_back(exchange: Exchange) -> Iterator[UndeclaredStrike]:
    """Yield the ramming back of a rammed target, on the part that hit it (MAM-VEH-03).

    Half a success touches the target too, and gets a whole ram back.
    """
    root = exchange.root
    if root.terms.collision:
        terms = Terms(collision=root.terms.collision)
        back = Action(RAM_BACK, "counterattack", root.target, root.combatant, root.id, BODY, strikes=True, terms=terms)
        yield UndeclaredStrike(back, record_collision)


def record_collision(judging: Decision, exchange: Exchange, returned: StrikeEffect) -> None:
    """Record the effects of a collision other than the ram itself (MAM-VEH-03 to MAM-VEH-05)."""
    root = exchange.root
    collision = root.terms.collision
    assert collision is not None  # noqa: S101 - only a ram is rammed back
    bonus = ram_bonus(collision, judging.ruleset)
    judging.record(
        CollisionComputed(
            exchange.id,
            root.combatant,
            root.target,
            collision.kind,
            decimal_of(bonus.vehicle),
            decimal_of(bonus.target),
            collision.part,
            returned.power,
            returned.absorbed,
            returned.modifiers,
        )
    )


def strike_without_die(ruleset: Ruleset) -> StrikeRoll:
    """Return a strike without a die; it is a critical hit only if the house rules say so (`ram_back_critical`)."""
    return StrikeRoll(None, automatic=ruleset.is_yes("ram_back_critical"))


def ram_power(
    action: Action, weapon: Weapon, strike: StrikeRoll, ruleset: Ruleset
) -> tuple[int, tuple[Modifier, ...]] | None:
    """Return the power of a ram or of the ram back, and its parts (MAM-ATK-05, MAM-VEH-04, MAM-VEH-05)."""
    collision = action.terms.collision
    if collision is None:
        return None
    if strike.face is None:
        strike = strike_without_die(ruleset)
    bonus = ram_bonus(collision, ruleset)
    charge = bonus.vehicle if action.id == RAM_BACK else bonus.target
    power, modifiers = multiply_power(Strength(weapon.power, action.power, charge), strike, ruleset, double=False)
    rule = "MAM-VEH-05" if collision.kind in SAME_WAY else "MAM-VEH-04"
    named_so = (replace(m, name="collision", rule=rule) if m.rule == "MAM-ATK-07" else m for m in modifiers)
    return power, tuple(named_so)


def ram_bonus(collision: Collision, ruleset: Ruleset) -> Bonus:
    """Return the power that speed adds in that collision."""
    return collision_bonus(collision.kind, collision.vehicle_distance, collision.target_distance, ruleset)


def as_ram(exchange: Exchange, event: AttackResolved) -> AttackResolved:
    """Return the outcome of an attack, in the form of a ram if it was one."""
    root = exchange.root
    collision = root.terms.collision
    if collision is None:
        return event
    return RamResolved(
        event.exchange,
        event.outcome,
        event.power,
        event.absorbed,
        event.why,
        event.modifiers,
        event.made,
        vehicle=root.combatant,
        driver=collision.driver,
        target=root.target,
        modifier=collision.modifier,
        kind=collision.kind,
    )


SECTION = RuleModule(
    powers=(ram_power,),
    undeclared_strikes=(ram_back,),
    attack_results=(as_ram,),
    mechanics=(Mechanic(Ram, check=check_ram, judge=judge_ram, offers=_offer_ram),),
)

"""Moving, readying weapons, and carried things (MAM-POOL-06, MAM-POOL-12, MAM-ATK-06)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from decimal import Decimal
from itertools import count

from msgspec.structs import replace

from mam_events.commands import DropItem, Move, PickUpItem, ReadyWeapon
from mam_events.decider.action_kinds import build_action_offer, least_points, require_affordable, require_can_act
from mam_events.decider.action_price import ActionPrice
from mam_events.decider.checks import (
    require_combatant,
    require_not_thrown,
    require_open,
    require_ready_points,
    sheathed_weapons,
)
from mam_events.decider.engine import Decision, RuleModule, Ruleset
from mam_events.decider.mechanic import Mechanic
from mam_events.decider.offers import Field, Offer, free, offer
from mam_events.errors import CommandHint, Refused
from mam_events.events import (
    CombatantMoved,
    EquipmentDropped,
    EquipmentPickedUp,
    WeaponReadied,
)
from mam_events.refusals.arguments import Term, text_argument, thing_arguments, thing_of
from mam_events.rules.health.armor import worn_under
from mam_events.rules.health.hit_points import (
    Reserve,
    carried_items,
    grapple_reserve,
    pay,
    reserve_check,
    reserve_of,
    settle_reserves,
)
from mam_events.state import Combatant, Encounter
from mam_events.visibility import PUBLIC


def check_move(state: Encounter, ruleset: Ruleset, command: Move) -> Decimal:
    """Return the distance that the combatant goes, in metres (MAM-POOL-12, MAM-TURN-07)."""
    if command.counts or command.terrain != "easy":
        raise Refused(
            "not_in_edition/terrain",
            preset=Term(ruleset.pinned.preset),
            rule="RD6-FREE-01",
            fields=("terrain", "counts"),
        )
    combatant = require_can_act(state, ruleset, command.combatant, "move")
    return ruleset.edition.economy.carry(state, ruleset, combatant, command.points, command.metres)


def judge_move(judging: Decision, command: Move, metres: Decimal) -> None:
    """Move, and pay into defense if points are spent (MAM-POOL-03)."""
    record_move(judging, command.combatant, metres, straight=command.straight, points=command.points)


def record_move(judging: Decision, name: str, metres: Decimal, *, straight: bool = False, points: int = 0) -> None:
    """Record that a combatant moves that many metres for that many points, and what follows from it."""
    judging.record(CombatantMoved(name, metres, straight))
    if points:
        pay(judging, name, "move", to_defense=points)
    record_move_effects(judging, name)


def record_move_effects(judging: Decision, name: str) -> None:
    """Record the events that follow a move: on foot, evading, or into a saddle or out of it."""
    for follows in judging.ruleset.edition.at_move:
        follows(judging, name)


def _offer_move(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    for combatant in state.combatants.values():
        low, high = ruleset.edition.economy.span(state, ruleset, combatant, "move")
        points, straight = Field("points", low=low, high=high), Field("straight", choices=(False, True))
        yield offer(Move(combatant.id, low, Decimal(0)), points, *free("metres"), straight)


def check_ready_weapon(state: Encounter, ruleset: Ruleset, command: ReadyWeapon) -> ActionPrice:
    """Return the price of taking that weapon in hand, at least one point, if it can be done now (MAM-ATK-06)."""
    combatant = require_can_act(state, ruleset, command.combatant, "ready_weapon")
    weapon = combatant.weapon(command.weapon)
    if weapon and weapon.id in combatant.dropped:
        raise Refused(
            "unknown_weapon/dropped",
            combatant=combatant,
            weapon=thing_of(combatant, weapon),
            rule="MAM-POOL-06",
            fields=("weapon",),
            hints=(CommandHint("pick-up-item", {"combatant": combatant.id, "item": weapon.id}),),
        )
    if weapon is None:
        weapons = thing_arguments(combatant, (weapon.id for weapon in combatant.weapons if not weapon.readied))
        raise Refused(
            "unknown_weapon/carried",
            who=combatant,
            fields=("weapon",),
            wrong=command.weapon,
            allowed=weapons,
        )
    if weapon.readied:
        weapon_argument = thing_of(combatant, weapon)
        raise Refused(
            "already_in_hand", combatant=combatant, weapon=weapon_argument, rule="MAM-ATK-06", fields=("weapon",)
        )
    return require_affordable(state, ruleset, combatant, "ready_weapon", command.points, "MAM-ATK-06")


def judge_ready_weapon(judging: Decision, command: ReadyWeapon, price: ActionPrice) -> None:
    """Take a weapon in hand."""
    judging.record(WeaponReadied(command.combatant, command.weapon))
    judging.ruleset.edition.economy.pay(judging, command.combatant, "ready_weapon", "equipment", price)


def _offer_ready_weapon(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    for combatant in state.combatants.values():
        away = tuple(weapon.id for weapon in sheathed_weapons(combatant))
        if away:
            least = ReadyWeapon(combatant.id, away[0])
            yield build_action_offer(state, ruleset, combatant, "ready_weapon", least, Field("weapon", choices=away))


def check_drop_item(state: Encounter, ruleset: Ruleset, command: DropItem) -> None:
    """Raise Refused unless it carries the thing; dropping is free and possible at any time (MAM-POOL-06)."""
    require_open(state)
    require_not_thrown(state)
    combatant = require_combatant(state, command.combatant)
    things = [thing.id for thing in carried_items(combatant)]
    if command.item not in combatant.dropped:
        _outermost(combatant, command.item)
    if command.item not in things:
        raise Refused(
            "unknown_item/carried",
            who=combatant,
            rule="MAM-POOL-06",
            fields=("item",),
            wrong=command.item,
            allowed=thing_arguments(combatant, things),
        )


def _outermost(combatant: Combatant, item: str) -> None:
    """Raise Refused with `under_armor` for a piece of armor that is worn under another one (MAM-ARM-05)."""
    over = worn_under(combatant).get(item)
    if over is not None:
        worn = thing_of(combatant, over)
        raise Refused("under_armor", combatant=combatant, over=worn, rule="MAM-ARM-05", fields=("item",))


def judge_drop_item(judging: Decision, command: DropItem, _: None) -> None:
    """Drop something."""
    judging.record(EquipmentDropped(command.combatant, command.item))


def _offer_drop_item(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    for combatant in state.combatants.values():
        things = tuple(thing.id for thing in carried_items(combatant))
        if things:
            yield offer(DropItem(combatant.id, things[0]), Field("item", choices=things))


def check_pick_up(state: Encounter, ruleset: Ruleset, command: PickUpItem) -> ActionPrice:
    """Return the price of picking up the thing, if it lies there (MAM-PHASE-04, MAM-POOL-06).

    It is at least one point. Unless the command names fewer, it is all the points that other used lacks for the thing's
    encumbrance, and they go there. If actions take no points, other used lacks the same number, and they are taken in
    addition to the action.
    """
    combatant = require_can_act(state, ruleset, command.combatant, "pick_up")
    owner = require_combatant(state, command.owner, "owner") if command.owner else combatant
    lying = items_on_ground(owner, combatant)
    if owner is combatant and command.item in combatant.dropped:
        _outermost(combatant, command.item)
    if command.item not in lying:
        # Don't reveal whether somebody hidden has dropped it.
        visible_others = (other for other in state.combatants.values() if other.visibility == PUBLIC)
        others = [other for other in visible_others if command.item in items_on_ground(other, combatant)]
        if others and not command.owner:
            raise Refused(
                "unknown_item/dropped_by_other",
                who=owner,
                item=text_argument(command, "item"),
                other=others[0],
                rule="MAM-POOL-06",
                fields=("item", "owner"),
                allowed=thing_arguments(owner, lying),
            )
        raise Refused(
            "unknown_item/dropped" if lying else "unknown_item/nothing_dropped",
            who=owner,
            rule="MAM-POOL-06",
            fields=("item", "owner"),
            wrong=command.item,
            allowed=thing_arguments(owner, lying),
        )
    if not ruleset.edition.economy.charged(1):
        require_ready_points(
            combatant, _lacking(owner, combatant, command.item, ruleset).shortfall, ("item",), "MAM-POOL-06"
        )
    return require_affordable(state, ruleset, combatant, "pick_up", _points_for(owner, combatant, command, ruleset))


def _points_for(owner: Combatant, taker: Combatant, command: PickUpItem, ruleset: Ruleset) -> int | None:
    """Return the points that the command names, or those that other used needs to carry the thing.

    None stands for the usual number.
    """
    if command.points is not None or not ruleset.edition.economy.charged(1):
        return command.points
    reserve = _lacking(owner, taker, command.item, ruleset)
    carries_on = reserve.consequence in (None, "refill_first")
    return None if carries_on else max(least_points("pick_up", ruleset), reserve.shortfall)


def _lacking(owner: Combatant, taker: Combatant, item: str, ruleset: Ruleset) -> Reserve:
    """Return the points that other used lacks once the taker also carries that thing."""
    weight = next(thing.encumbrance for thing in owner.things if thing.id == item)
    return reserve_check(
        taker.pools.other_used,
        taker.carried_encumbrance + weight,
        grapple_reserve(taker, ruleset),
        ruleset,
    )


def items_on_ground(owner: Combatant, taker: Combatant) -> tuple[str, ...]:
    """Return the owner's things that lie on the ground for the taker to pick up.

    Of its own, these are all but what was worn under something else; of others', no armor.
    """
    if not owner.dropped:
        return ()
    covered = worn_under(owner)
    lying = tuple(item for item in owner.dropped if item not in covered)
    if owner.id == taker.id:
        return lying
    worn = {piece.id for piece in owner.statistics.armor}
    return tuple(item for item in lying if item not in worn)


def free_id(item: str, used_ids: Collection[str]) -> str:
    """Return an id for a thing that is not among the taken ids: its own, or the next free one after it (axe, axe-2)."""
    return item if item not in used_ids else next(one for n in count(2) if (one := f"{item}-{n}") not in used_ids)


def record_pick_up(judging: Decision, taker: str, item: str, owner: str, called: str = "") -> None:
    """Record that a combatant takes the owner's thing, under the id `called` or the next free one."""
    if owner == taker:
        judging.record(EquipmentPickedUp(taker, item))
        return
    called = called or free_id(item, {thing.id for thing in judging.state.combatants[taker].things})
    judging.record(EquipmentPickedUp(taker, item, owner, "" if called == item else called))


def judge_pick_up(judging: Decision, command: PickUpItem, price: ActionPrice) -> None:
    """Pick up something dropped; if its reserve does not fit, something must be given up again (MAM-POOL-06)."""
    record_pick_up(judging, command.combatant, command.item, command.owner or command.combatant)
    economy = judging.ruleset.edition.economy
    economy.pay(judging, command.combatant, "pick_up", "equipment", price)
    lacking = reserve_of(judging.state.combatants[command.combatant], judging.ruleset).shortfall
    if lacking and not economy.charged(1):
        pay(judging, command.combatant, "equipment", to_other_used=lacking)
    settle_reserves(judging, command.combatant)


def _offer_pick_up(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    for combatant in state.combatants.values():
        for owner in state.combatants.values():
            lying = items_on_ground(owner, combatant)
            if lying:
                whose = ("", owner.id) if owner is combatant else (owner.id,)
                least = PickUpItem(combatant.id, lying[0], owner=whose[0])
                needed = _points_for(owner, combatant, least, ruleset)
                if needed is not None and needed > combatant.pools.ready:
                    # A combatant who gives up something else may need fewer points.
                    least = replace(least, points=least_points("pick_up", ruleset))
                choices = (Field("item", choices=lying), Field("owner", choices=whose))
                yield build_action_offer(state, ruleset, combatant, "pick_up", least, *choices)
                if not state.is_turn_of(combatant.id):
                    # Out of turn the error is the same for everything on the ground, so one offer is enough.
                    break


SECTION = RuleModule(
    mechanics=(
        Mechanic(Move, check=check_move, judge=judge_move, offers=_offer_move),
        Mechanic(
            ReadyWeapon,
            check=check_ready_weapon,
            judge=judge_ready_weapon,
            offers=_offer_ready_weapon,
            pays=("ready_weapon", "equipment"),
        ),
        Mechanic(DropItem, check=check_drop_item, judge=judge_drop_item, offers=_offer_drop_item),
        Mechanic(
            PickUpItem, check=check_pick_up, judge=judge_pick_up, offers=_offer_pick_up, pays=("pick_up", "equipment")
        ),
    ),
)

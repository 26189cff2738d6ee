"""Equipment that is used several times in a round: only fit things, up to their limit (RD6-MAP-05)."""

from __future__ import annotations

from collections.abc import Iterable

from mam_events.decider.engine import Decision, Ruleset
from mam_events.decider.rule_tables import ListedAction
from mam_events.errors import CommandHint, Refused
from mam_events.events import EquipmentDropped, WeaponReadied
from mam_events.refusals.arguments import RulingArgument, thing_arguments, thing_of
from mam_events.rules.maneuvering.items import free_id, items_on_ground, record_pick_up
from mam_events.state import BODY, ArmorPiece, Combatant, Encounter, Item, OpenAction, Weapon

ItemOrWeapon = Weapon | Item | ArmorPiece


def require_usable(state: Encounter, combatant: Combatant, thing_id: str, row: ListedAction, ruleset: Ruleset) -> None:
    """Raise Refused as `require_item` and `require_fit` do.

    Readying equipment is not a use of it, and may take up what somebody else let fall.
    """
    if row.takes_up and thing_called(combatant, thing_id) is None and thing_id in takeable_items(state, combatant):
        return
    require_fit(combatant, require_item(state, combatant, thing_id, row), row, ruleset)


def thing_called(combatant: Combatant, thing_id: str) -> ItemOrWeapon | None:
    """Return the combatant's thing with that id, worn, carried or let go of, or None."""
    return next((thing for thing in combatant.things if thing.id == thing_id), None)


def require_item(state: Encounter, combatant: Combatant, thing_id: str, row: ListedAction) -> ItemOrWeapon:
    """Return the thing with that id.

    Raises Refused with `unknown_item`, or with `in_the_air` if only a catch would stop it (RD6-LIST-catch).
    """
    thing = thing_called(combatant, thing_id)
    if row.takes_up and (thing is None or thing_id in combatant.dropped):
        _landed(state, thing_id, state.combatants if thing is None else (combatant.id,))
    if thing is None:
        raise Refused(
            "unknown_item/has_none",
            combatant=combatant,
            rule="RD6-MAP-05",
            fields=("equipment",),
            wrong=thing_id,
            allowed=thing_arguments(combatant, (thing.id for thing in combatant.things)),
        )
    return thing


def require_fit(combatant: Combatant, thing: ItemOrWeapon, row: ListedAction, ruleset: Ruleset) -> None:
    """Raise Refused unless the thing can be used in that way.

    Raises `attached`, `not_in_hand` if it must be drawn or picked up first (RD6-LIST-ready), and `not_quick` if that
    action cannot use it once more in this round. The bare body, hands and feet, is always fit, and cannot be let go of.
    """
    argument = thing_of(combatant, thing)
    if row.lets_go and is_attached(thing):
        raise Refused("attached", combatant=combatant, thing=argument, rule="RD6-LIST-throw", fields=("equipment",))
    if not row.takes_up and not is_in_hand(combatant, thing):
        raise Refused(
            "not_in_hand/let_go" if thing.id in combatant.dropped else "not_in_hand",
            combatant=combatant,
            thing=argument,
            rule="RD6-LIST-ready",
            fields=("equipment",),
            hints=(CommandHint("perform", {"combatant": combatant.id, "action": "ready", "equipment": thing.id}),),
        )
    if row.handles:
        return
    table = ruleset.tables.rd6_actions
    used = [one for one in combatant.actions.handled if one.equipment == thing.id and not table[one.action].handles]
    most = capability(thing)
    # Letting go of a thing is not a use.
    if most and len(used) >= most and not row.free:
        raise Refused("not_quick/used", thing=argument, most=most, rule="RD6-MAP-05", fields=("equipment",))


def _landed(state: Encounter, thing_id: str, owners: Iterable[str]) -> None:
    action = next((action for owner in owners if (action := in_flight(state, owner, thing_id))), None)
    if action is not None:
        (thing,) = thing_arguments(state.combatants[action.combatant], [thing_id])
        raise Refused(
            "in_the_air", thing=thing, action=RulingArgument(action.id), rule="RD6-LIST-catch", fields=("equipment",)
        )


def is_in_hand(combatant: Combatant, thing: ItemOrWeapon) -> bool:
    """Return True if it could be used at once: neither let go of nor still to be drawn."""
    return thing.id not in combatant.dropped and (not isinstance(thing, Weapon) or thing.readied)


def is_attached(thing: ItemOrWeapon) -> bool:
    """Return True if it is part of the body."""
    return thing.id == BODY or (not isinstance(thing, Item) and thing.attached)


def is_let_go(combatant: Combatant, thing_id: str, action: str, ruleset: Ruleset) -> bool:
    """Return True if that action leaves the hand empty; a quick throw uses one of several things (RD6-MAP-05)."""
    thing = thing_called(combatant, thing_id)
    row = ruleset.tables.rd6_actions[action]
    return thing is not None and row.lets_go and (row.free or capability(thing) == 1)


def take_up(judging: Decision, name: str, thing_id: str, action: str) -> None:
    """Record that a successful action draws the equipment or picks it up (RD6-LIST-ready)."""
    combatant = judging.state.combatants[name]
    if not judging.ruleset.tables.rd6_actions[action].takes_up:
        return
    thing = thing_called(combatant, thing_id)
    if thing is None:
        item_pair = takeable_items(judging.state, combatant).get(thing_id)
        if item_pair:
            owner, item = item_pair
            record_pick_up(judging, name, item, owner, called=thing_id)
    elif thing_id in combatant.dropped:
        record_pick_up(judging, name, thing_id, name)
    elif not is_in_hand(combatant, thing):
        judging.record(WeaponReadied(name, thing_id))


def takeable_items(state: Encounter, combatant: Combatant) -> dict[str, tuple[str, str]]:
    """Return the things that others let go of and that combatant could take, except those in the air.

    Each is listed by the id that it will have in the combatant's hands, with its owner and its id there.
    """
    items: dict[str, tuple[str, str]] = {}
    ids = {thing.id for thing in combatant.things}
    for other in state.combatants.values():
        for thing in items_on_ground(other, combatant) if other.id != combatant.id else ():
            items[free_id(thing, ids | items.keys())] = other.id, thing
    return {called: one for called, one in items.items() if not in_flight(state, *one)}


def in_flight(state: Encounter, owner: str, thing_id: str) -> OpenAction | None:
    """Return the open action by which that thing of the owner is in the air, or None."""
    actions = (action for action in state.window.open if (action.combatant, action.equipment) == (owner, thing_id))
    return next((action for action in actions if is_in_flight(state, action)), None)


def is_in_flight(state: Encounter, action: OpenAction) -> bool:
    """Return True if something is in the air by that action; a caught thing is not any more (RD6-LIST-catch)."""
    things = (thing.id for thing in state.combatants[action.combatant].things)
    return action.thrown and (not action.equipment or action.equipment in things)


def catch(judging: Decision, action: OpenAction) -> None:
    """Record that a thrown or dropped thing is in the hands of the catcher (RD6-LIST-catch)."""
    throw = judging.state.window.action(action.against)
    if throw is None or not judging.ruleset.tables.rd6_actions[action.action].later_than_thrower:
        return
    thrower, catcher = judging.state.combatants[throw.combatant], judging.state.combatants[action.combatant]
    if throw.equipment in items_on_ground(thrower, catcher):
        record_pick_up(judging, catcher.id, throw.equipment, thrower.id)


def drop_disarmed(judging: Decision, action: OpenAction) -> None:
    """Record that a disarmed target drops the equipment that the disarm was aimed at (RD6-LIST-disarm)."""
    target = judging.state.combatants.get(action.target)
    if target is None or not judging.ruleset.tables.rd6_actions[action.action].disarms:
        return
    for thing in target.things:
        if action.part in (thing.id, thing.name) and is_in_hand(target, thing) and not is_attached(thing):
            judging.record(EquipmentDropped(target.id, thing.id))


def capability(thing: ItemOrWeapon) -> int:
    """Return how often a thing can be used in a round; 0 if only actions limit it."""
    if isinstance(thing, ArmorPiece):
        return 1
    if thing.id == BODY:
        return 0
    return thing.uses if thing.quick else 1

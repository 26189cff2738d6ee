"""Thrown weapons: their range, unwieldy things, and what leaves the hand (MAM-THR)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from mam_events.commands import BeginHeave
from mam_events.decider.action_kinds import build_action_offer, require_affordable, require_can_act
from mam_events.decider.action_price import ActionPrice
from mam_events.decider.checks import missing_weapon_error, weapon_in_hand
from mam_events.decider.engine import Decision, OngoingEffect, RollContext, RuleModule, Ruleset
from mam_events.decider.mechanic import Mechanic
from mam_events.decider.offers import Field, Offer
from mam_events.decider.rule_tables import DeedKind
from mam_events.errors import CommandHint, Refused
from mam_events.events import HeaveBegun, HeaveInterrupted, Modifier, WeaponThrown
from mam_events.refusals.arguments import Message, Word, text_fragment, thing_arguments, thing_of
from mam_events.rules.maneuvering.positions import is_on_ground
from mam_events.rules.turns.speeds import is_turn_usable, owed_after_acting
from mam_events.state import BODY, Action, Combatant, Encounter, Exchange, Item, Weapon
from mam_events.values import ThrowMode

HEAVE_MODIFIER = -3
"""The penalty of heaving on the attack roll (MAM-THR-03)."""


def throw_range(thrower: Combatant, weapon: Weapon, kind: ThrowMode, ruleset: Ruleset) -> Fraction:
    """Return the distance that a combatant throws a weapon, in metres (MAM-THR-01 to MAM-THR-04).

    It depends on `powerful_throw_launcher`. Raises Refused with `unwieldy`, or with `no_range` if the weapon is too
    heavy for the thrower. Nothing else limits what a character can lift.
    """
    if weapon.unwieldy and kind != "heave":
        raise Refused(
            "unwieldy",
            weapon=thing_of(thrower, weapon),
            rule={"quick": "MAM-THR-01", "powerful": "MAM-THR-02"}[kind],
            fields=("thrown",),
        )
    power = thrower.statistics.power
    factor = thrower.statistics.ability("throwing") + power - weapon.heft
    hand = hand_reach(thrower)
    # A launcher does not make a throw possible if the range is 0: it only lengthens what the arm can do.
    base = (hand + Fraction(weapon.throw_reach) if kind == "heave" else hand) * factor
    if factor <= 0 or base <= 0:
        missing: dict[str, object] = {"ability": {"throwing": weapon.heft - power + 1}} if factor <= 0 else {}
        missing |= {"hand_reach": 1} if hand <= 0 else {}
        raise Refused(
            "no_range/out_of_reach"
            if factor > 0
            else "no_range/too_heavy"
            if hand > 0
            else "no_range/too_heavy_without_reach",
            weapon=thing_of(thrower, weapon),
            thrower=thrower,
            base=base,
            rule="MAM-THR-04",
            fields=("thrown",),
            hints=(CommandHint("join", {"combatant": thrower.id, **missing}),),
        )
    if kind == "heave":
        return base
    launcher = Fraction(weapon.launcher_reach)
    if kind == "quick":
        return base + launcher
    return {
        "add_once_after_doubling": 2 * base + launcher,
        "double_with_launcher_then_add": 2 * (base + launcher) + launcher,
        "double_with_launcher_only": 2 * (base + launcher),
    }[ruleset["powerful_throw_launcher"]]


def hand_reach(thrower: Combatant) -> Fraction:
    """Return the reach of its hand in metres; its body's if none is given."""
    reach = thrower.statistics.hand_reach
    return Fraction(thrower.weapons[0].reach if reach is None else reach)


def turns_of(weapon: Weapon, kind: ThrowMode) -> int:
    """Return the number of turns that the throw takes: two to heave an unwieldy thing (MAM-THR-03)."""
    return 2 if kind == "heave" and weapon.unwieldy else 1


def as_weapon(item: Item) -> Weapon:
    """Return a piece of equipment as a weapon, for a combatant who heaves it (MAM-THR-03)."""
    return Weapon(
        item.id,
        name=item.name or item.id,
        power=item.power,
        kind="thrown",
        heft=item.heft,
        unwieldy=item.unwieldy,
        throw_reach=item.throw_reach,
    )


def missile_of(thrower: Combatant, thing: str) -> Weapon | None:
    """Return the weapon with that id, or the piece of equipment as one; None if it has neither."""
    weapon = thrower.weapon(thing)
    if weapon:
        return weapon
    return next((as_weapon(item) for item in thrower.equipment if item.id == thing), None)


def heavable_things(thrower: Combatant) -> tuple[str, ...]:
    """Return the ids of all that it could heave: weapons in hand that are no part of it, and what it carries."""
    weapons = [weapon.id for weapon in thrower.in_hand if weapon.id != BODY and not weapon.attached]
    return (*weapons, *(item.id for item in thrower.equipment if item.id not in thrower.dropped))


def thing_to_heave(thrower: Combatant, thing: str) -> Weapon:
    """Return that weapon in hand or piece of equipment.

    Raises Refused with `bad_throw` or `unknown_item`, or as for a weapon.
    """
    if not thing:
        raise missing_weapon_error(thrower, heavable_things(thrower))
    weapon = missile_of(thrower, thing)
    if weapon and thing in heavable_things(thrower):
        return weapon
    if weapon and (weapon.id == BODY or weapon.attached):
        raise part_of_body(thrower, weapon)
    if thrower.weapon(thing):
        return weapon_in_hand(thrower, thing)
    raise Refused(
        "unknown_item/carried",
        who=thrower,
        rule="MAM-THR-03",
        fields=("weapon",),
        wrong=thing,
        allowed=thing_arguments(thrower, heavable_things(thrower)),
    )


def part_of_body(thrower: Combatant, weapon: Weapon) -> Refused:
    """Return the error for throwing a part of the body."""
    part = thing_of(thrower, weapon)
    return Refused("bad_throw/part_of_body", weapon=part, thrower=thrower, rule="MAM-THR-01", fields=("weapon",))


def check_second_turn(thrower: Combatant, weapon: Weapon, ruleset: Ruleset) -> None:
    """Raise Refused unless the heave can be finished now.

    An unwieldy thing flies in the turn after the one in which the heave began (`heave_resolution_turn`). Raises
    `heave_not_begun`, and `heaving` while something else is being heaved.
    """
    status = thrower.status
    if status.heaving and status.heaving != weapon.id:
        raise _heaving(thrower)
    if turns_of(weapon, "heave") == 1 or ruleset["heave_resolution_turn"] == "first_turn":
        return
    if status.heaving == weapon.id and status.turns > status.heaving_since:
        return
    raise Refused(
        "heave_not_begun/this_turn" if status.heaving == weapon.id else "heave_not_begun",
        weapon=thing_of(thrower, weapon),
        rule="MAM-THR-03",
        fields=("thrown",),
    )


def hands_full(state: Encounter, ruleset: Ruleset, combatant: Combatant, deed: DeedKind) -> None:
    """Raise Refused with `heaving` for another action between the two turns of a heave; with `turn_lost` in a lost one.

    Moving is no action, so it remains possible; dropping the thing ends the heave.
    """
    status, turn = combatant.status, state.turn
    if status.lost_turn and status.lost_turn == status.turns and turn and not turn.counter:
        raise Refused("turn_lost", combatant=combatant, rule="MAM-THR-03", fields=("combatant",))
    if not ruleset.tables.deeds[deed].heaving:
        nothing_heaved(combatant)


def nothing_heaved(combatant: Combatant) -> None:
    """Raise Refused with `heaving` between the two turns of a heave, in any turn."""
    if combatant.status.heaving:
        raise _heaving(combatant)


def _heaving(combatant: Combatant) -> Refused:
    name = combatant.status.heaving
    weapon = missile_of(combatant, name)
    return Refused(
        "heaving",
        who=combatant,
        thing=thing_of(combatant, weapon) if weapon else thing_arguments(combatant, (name,))[0],
        rule="MAM-THR-03",
        fields=("combatant",),
    )


def heave_penalty(rolling: RollContext) -> Iterator[Modifier]:
    """Yield the penalty of heaving on the attack roll (MAM-THR-03)."""
    if rolling.action.terms.thrown == "heave":
        yield Modifier("heaved", HEAVE_MODIFIER, "MAM-THR-03")


def end_throw(judging: Decision, exchange: Exchange, done: tuple[Action, ...]) -> None:
    """Record that a thrown thing lies somewhere and can be picked up, whatever the outcome, if it was thrown at all."""
    root = exchange.root
    how = root.terms.thrown
    if root not in done or root.kind != "attack" or not how:
        return
    thrower = judging.state.combatants[root.combatant]
    weapon = missile_of(thrower, root.weapon)
    if weapon is None or not thrower.carries(weapon.id):
        return
    early = turns_of(weapon, how) > 1 and judging.ruleset["heave_resolution_turn"] == "first_turn"
    # The lost turn is the next usable one: a slow thrower skips some turns before it.
    lost = thrower.status.turns + 1 + owed_after_acting(thrower, judging.ruleset) if early else 0
    judging.record(WeaponThrown(thrower.id, weapon.id, how, lost))


def interrupt_heave_on_wound(judging: Decision, name: str) -> None:
    """Record that a wound ends a heave that was begun, but no throw under way (MAM-THR-03, `heave_resolution_turn`)."""
    thing = judging.state.combatants[name].status.heaving
    exchange = judging.state.exchange
    flying = exchange and (exchange.root.combatant, exchange.root.weapon) == (name, thing)
    if thing and not flying:
        interrupt(judging, name, thing, text_fragment("came_of_it/wound"))


def end_heave_in_time(judging: Decision, name: str) -> None:
    """Record that a heave is over at the end of the turn after the one in which it began; skipped turns don't count."""
    combatant = judging.state.combatants[name]
    thing = combatant.status.heaving
    if thing and combatant.status.turns > combatant.status.heaving_since and is_turn_usable(combatant, judging.ruleset):
        interrupt(judging, name, thing, text_fragment("came_of_it/turn_went_by"))


def heave_over(state: Encounter, ruleset: Ruleset, combatant: Combatant, thing: str) -> Message | None:
    """Return the reason why a heave fails, or None (MAM-THR-03).

    Its combatant is down or on the ground, or no longer has the thing.
    """
    if combatant.condition != "able":
        return text_fragment("came_of_it/acts_no_more", who=combatant, condition=Word(combatant.condition))
    if is_on_ground(combatant, ruleset):
        return text_fragment("came_of_it/on_the_ground", who=combatant)
    return None if combatant.carries(thing) else text_fragment("came_of_it/left_hands")


def interrupt(judging: Decision, name: str, thing: str, why: Message) -> None:
    """Record that a heave that was begun fails."""
    judging.record(HeaveInterrupted(name, thing, why))


def check_begin(state: Encounter, ruleset: Ruleset, command: BeginHeave) -> ActionPrice:
    """Return the price of beginning a heave, if it can begin now.

    Raises Refused with `idle_heave` if heaving that thing does not take two turns.
    """
    combatant = require_can_act(state, ruleset, command.combatant, "begin_heave")
    thing = thing_to_heave(combatant, command.thing)
    if turns_of(thing, "heave") == 1 or ruleset["heave_resolution_turn"] == "first_turn":
        raise Refused(
            "idle_heave/at_once" if thing.unwieldy else "idle_heave",
            thing=thing_of(combatant, thing),
            rule="MAM-THR-03",
            fields=("thing",),
        )
    throw_range(combatant, thing, "heave", ruleset)
    return require_affordable(state, ruleset, combatant, "begin_heave", command.points)


def judge_begin(judging: Decision, command: BeginHeave, price: ActionPrice) -> None:
    """Begin the heave."""
    name = command.combatant
    judging.record(HeaveBegun(name, command.thing, judging.state.combatants[name].status.turns))
    judging.ruleset.edition.economy.pay(judging, name, "begin_heave", "action", price, command.thing)


def _offer_begin(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    for combatant in state.combatants.values():
        for thing in heavable_things(combatant):
            weapon = missile_of(combatant, thing)
            if weapon and weapon.unwieldy:
                least = BeginHeave(combatant.id, thing)
                yield build_action_offer(
                    state, ruleset, combatant, "begin_heave", least, Field("thing", choices=(thing,))
                )


SECTION = RuleModule(
    limits=(hands_full,),
    ongoing=(OngoingEffect("heave", "status.heaving", heave_over, interrupt),),
    attack_modifiers=(heave_penalty,),
    at_turn_end=(end_heave_in_time,),
    at_wound=(interrupt_heave_on_wound,),
    at_resolved=(end_throw,),
    mechanics=(Mechanic(BeginHeave, check=check_begin, judge=judge_begin, offers=_offer_begin),),
)

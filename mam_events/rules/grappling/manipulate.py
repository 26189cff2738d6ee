"""Manipulation and escapes from holds: their declaration (MAM-MNP-01 to MAM-MNP-04, MAM-MNP-10)."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from mam_events.commands import Attack, Escape, Manipulate
from mam_events.decider.action_kinds import require_can_act, require_can_strike
from mam_events.decider.action_price import ActionPrice
from mam_events.decider.checks import require_combatant, require_metres, weapon_in_hand
from mam_events.decider.engine import Decision, RuleModule, Ruleset
from mam_events.decider.mechanic import Mechanic
from mam_events.decider.offers import Field, Offer, Sum, free, offer
from mam_events.decider.rule_tables import DeedKind
from mam_events.errors import Refused
from mam_events.events import ManipulationDeclared
from mam_events.refusals.arguments import Word, list_argument, people, thing_arguments, thing_of
from mam_events.rules.attack.attacks import check_target
from mam_events.rules.attack.terms import TERM_FIELDS, check_darkness, check_terms, missile_deed
from mam_events.rules.grappling.holds import hold_of, holds_on
from mam_events.rules.grappling.manipulation_numbers import check_flight
from mam_events.rules.turns.prepared_counterattack import attackable_targets, may_aim, trigger
from mam_events.state import BODY, Combatant, Encounter, Manipulation, Surface, Terms, Weapon

SUMMED_POINT_FIELDS = ("modifier", "points")
SQUEEZED = ("modifier", "power")


class ManipulationOption(Struct, frozen=True):
    """A manipulation as it will be declared: its terms, the manipulation, the price, the kind of deed."""

    terms: Terms
    what: Manipulation
    price: ActionPrice
    deed: DeedKind


def is_shot_grip(weapon: Weapon) -> bool:
    """Return True if a weapon can only be shot."""
    return weapon.is_missile and weapon.kind != "thrown"


def uses_missile(command: Manipulate, weapon: Weapon) -> bool:
    """Return True if a manipulation is made with a missile: something shot, slung or thrown (MAM-MNP-03)."""
    return bool(command.thrown) or is_shot_grip(weapon)


def manipulation_kind_of(command: Manipulate, weapon: Weapon) -> DeedKind:
    """Return the kind of action that a manipulation is; with a missile, that of using it."""
    return missile_deed(command.thrown, weapon) or ("hold" if command.follow_up == "hold" else "manipulation")


def check_manipulate(state: Encounter, ruleset: Ruleset, command: Manipulate) -> ManipulationOption:
    """Return the manipulation, if it may be declared (MAM-MNP-01).

    Raises Refused with `missile_weapon`, `weapon_attached_to_body`, `idle_points`, `idle_power`, `idle_item`,
    `idle_throw`, `out_of_range`, or as for an attack.
    """
    attacker = require_combatant(state, command.attacker, "attacker")
    weapon = attacker.weapon(command.weapon)
    if weapon:
        check_follow_up(command, weapon)
    deed = manipulation_kind_of(command, weapon) if weapon else "manipulation"
    require_can_act(state, ruleset, command.attacker, deed, field="attacker", weapon=command.weapon)
    # A manipulation is an attack (MAM-MNP-01), so a combatant who may not strike may not manipulate either.
    require_can_strike(state, ruleset, attacker)
    target = require_combatant(state, command.target, "target")
    check_target(attacker, target)
    may_aim(state, ruleset, attacker.id, target.id)
    weapon = weapon_in_hand(attacker, command.weapon)
    measured_by(command, weapon)
    check_item(command, target)
    terms = terms_of(state, ruleset, command, weapon)
    fields = SQUEEZED if command.power else SUMMED_POINT_FIELDS
    price = ActionPrice(command.modifier, command.points + command.power, fields, "MAM-MNP-01")
    ruleset.edition.economy.afford(state, ruleset, attacker, deed, price)
    what = Manipulation(command.points, command.follow_up, command.item)
    if command.follow_up == "throw":
        what, price = check_throw(state, ruleset, command, price)
    else:
        no_throw(command)
    return ManipulationOption(terms, what, price, deed)


MISSILE = ("none", "disarm")
"""The follow-ups open to every missile (MAM-MNP-03)."""


def may_hold(weapon: Weapon) -> tuple[Literal["hold"], ...]:
    """Return the hold as a follow-up, if the weapon is one of the few missiles that can hold (MAM-MNP-03)."""
    return ("hold",) if weapon.holds else ()


def check_follow_up(command: Manipulate, weapon: Weapon) -> None:
    """Raise Refused with `missile_weapon` for a follow-up that missiles cannot have (MAM-MNP-03)."""
    if (weapon.is_missile or command.thrown) and command.follow_up not in (*MISSILE, *may_hold(weapon)):
        raise Refused(
            "missile_weapon/follow_up",
            follow_up=Word(command.follow_up),
            weapon=weapon,
            rule="MAM-MNP-03",
            fields=("follow_up", "weapon"),
        )


def measured_by(command: Manipulate, weapon: Weapon) -> None:
    """Raise Refused with `idle_points` or `idle_power` for points that would not count.

    A manipulation that attack power measures takes points on power (MAM-MNP-03, MAM-MNP-06). Every other one takes
    points that manipulate and does no wound, so power would be lost.
    """
    missile = uses_missile(command, weapon)
    by_power = missile or command.follow_up in ("choke", "wrench")
    if by_power and command.points:
        raise Refused("idle_points", rule="MAM-MNP-03" if missile else "MAM-MNP-06", fields=("points",))
    if not by_power and command.power:
        raise Refused("idle_power", rule="MAM-MNP-01", fields=("power",))


def disarmable_weapons(target: Combatant) -> tuple[str, ...]:
    """Return the weapons that can be taken out of somebody's hand (MAM-MNP-04)."""
    return tuple(weapon.id for weapon in target.in_hand if weapon.id != BODY and not weapon.attached)


def check_item(command: Manipulate, target: Combatant) -> None:
    """Raise Refused unless the manipulation may take that weapon, and takes one only to disarm.

    Raises `weapon_attached_to_body`, `item_missing` or `idle_item`, or as `weapon_in_hand` does for the target.
    """
    if command.follow_up != "disarm":
        if command.item:
            raise Refused("idle_item", rule="MAM-MNP-04", fields=("item",))
        return
    if not command.item:
        hands = thing_arguments(target, disarmable_weapons(target))
        if not hands:
            raise Refused("item_missing/nothing", target=target, rule="MAM-MNP-04", fields=("item",))
        raise Refused("item_missing", target=target, hands=list_argument(hands), rule="MAM-MNP-04", fields=("item",))
    weapon = weapon_in_hand(target, command.item)
    if weapon.attached or weapon.id == BODY:
        part = thing_of(target, weapon)
        raise Refused("weapon_attached_to_body", target=target, weapon=part, rule="MAM-MNP-04", fields=("item",))


def terms_of(state: Encounter, ruleset: Ruleset, command: Manipulate, weapon: Weapon) -> Terms:
    """Return the terms of the attack that a manipulation is; in melee it is a grapple (MAM-ATK-09)."""
    missile = uses_missile(command, weapon)
    if not missile:
        check_darkness(command.darkness, "grapple", ruleset)
    attack = Attack(
        command.attacker,
        command.target,
        command.weapon,
        thrown=command.thrown,
        distance=None if command.follow_up == "throw" else command.distance,
        light=command.light,
        darkness=command.darkness,
        blind=command.blind,
        from_above=command.from_above,
        circumstance=command.circumstance,
    )
    return replace(check_terms(state, ruleset, attack, weapon), grapple=not missile)


def check_throw(
    state: Encounter, ruleset: Ruleset, command: Manipulate, price: ActionPrice
) -> tuple[Manipulation, ActionPrice]:
    """Return the throw, and its price with the move that belongs to it (MAM-MNP-08, MAM-MNP-09).

    Raises Refused with `out_of_range` for a surface farther off than the target can be thrown.
    """
    attacker, target = state.combatants[command.attacker], state.combatants[command.target]
    advance = Decimal(0)
    if command.move or command.metres is not None:
        advance = ruleset.edition.economy.carry(state, ruleset, attacker, command.move, command.metres)
    total_price = replace(price, to_defense=price.to_defense + command.move, fields=("points", "modifier", "move"))
    ruleset.edition.economy.afford(state, ruleset, attacker, "manipulation", total_price)
    profile = (command.surface_power, command.surface_sharpness, command.surface_class)
    surface = None
    if command.surface or any(value is not None and value != 0 for value in profile):
        surface = Surface(command.surface, *profile)
    if command.distance is not None:
        check_flight(attacker, target, require_metres(command.distance, "distance"), advance)
    if command.into:
        check_struck(attacker, target, require_combatant(state, command.into, "into"))
        may_aim(state, ruleset, attacker.id, command.into)
    what = Manipulation(
        command.points,
        "throw",
        surface=surface,
        distance=command.distance,
        advance=advance,
        into=command.into,
        move=command.move,
    )
    return what, total_price


def check_struck(attacker: Combatant, projectile: Combatant, struck: Combatant) -> None:
    """Raise Refused with `bad_target` unless the thrown body may strike that combatant (MAM-MNP-09)."""
    if struck.id == projectile.id:
        raise Refused("bad_target/thrown_body", thrown=projectile, rule="MAM-MNP-09", fields=("into",))
    check_target(attacker, struck, "into")


def no_throw(command: Manipulate) -> None:
    """Raise Refused with `idle_throw` for fields that only a throw uses."""
    of_a_throw = {
        "surface": command.surface,
        "surface_power": command.surface_power,
        "surface_sharpness": command.surface_sharpness is not None,
        "surface_class": command.surface_class,
        "into": command.into,
        "move": command.move,
        "metres": command.metres is not None,
    }
    fields = tuple(name for name, value in of_a_throw.items() if value)
    if fields:
        raise Refused("idle_throw", rule="MAM-MNP-08", fields=fields)


def judge_manipulate(judging: Decision, command: Manipulate, option: ManipulationOption) -> None:
    """Declare a manipulation and pay for it; a target that has prepared a counterattack strikes first (MAM-CTR-02)."""
    declare(judging, command.attacker, command.target, command.weapon, option, (command.power, command.modifier))


def declare(
    judging: Decision, who: str, whom: str, weapon: str, option: ManipulationOption, points: tuple[int, int]
) -> None:
    """Record a manipulation and its cost; `points` are its points on power and on the modifier."""
    judging.record(
        ManipulationDeclared(judging.ruling, who, whom, weapon, option.what, *points, option.price.points, option.terms)
    )
    judging.ruleset.edition.economy.pay(judging, who, option.deed, "manipulation", option.price, weapon)
    trigger(judging, who, whom)


def _offer_manipulate(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    """Yield manipulations by hand, by squeezing, by missile, and disarming ones."""
    for attacker in state.combatants.values():
        others = [state.combatants[name] for name in attackable_targets(state, ruleset, attacker.id)]
        for weapon in attacker.in_hand:
            for way in manipulation_choices(weapon):
                everybody = tuple(other.id for other in others)
                yield _offer(
                    state, ruleset, attacker, way, ManipulationAim(everybody or (attacker.id,), way.follow_ups)
                )
                for other in others if "none" in way.follow_ups else ():
                    items = disarmable_weapons(other)
                    if items:
                        yield _offer(state, ruleset, attacker, way, ManipulationAim((other.id,), ("disarm",), items))


class ManipulationChoice(Struct, frozen=True):
    """One way of manipulating: the weapon, the kind of throw, the fields of points, the follow-ups except disarming."""

    weapon: Weapon
    thrown: str
    summed: tuple[str, str]
    follow_ups: tuple[str, ...]


class ManipulationAim(Struct, frozen=True):
    """The possible targets of a manipulation, its possible follow-ups, and the weapons it may take."""

    targets: tuple[str, ...]
    follow_ups: tuple[str, ...]
    items: tuple[str, ...] = ("",)


def manipulation_choices(weapon: Weapon) -> Iterator[ManipulationChoice]:
    """Yield the ways to manipulate with that weapon."""
    if is_shot_grip(weapon):
        yield ManipulationChoice(weapon, "", SQUEEZED, ("none", *may_hold(weapon)))
        return
    yield ManipulationChoice(weapon, "", SUMMED_POINT_FIELDS, ("none",))
    # A hold by hand is its own kind of action: it fits into a combo, other manipulations don't.
    if not weapon.is_missile or weapon.holds:
        yield ManipulationChoice(weapon, "", SUMMED_POINT_FIELDS, ("hold",))
    if not weapon.is_missile:
        yield ManipulationChoice(weapon, "", SUMMED_POINT_FIELDS, ("throw",))
        yield ManipulationChoice(weapon, "", SQUEEZED, ("choke", "wrench"))
    if weapon.id != BODY and not weapon.attached and not weapon.unwieldy:
        for throw_mode in ("quick", "powerful"):
            yield ManipulationChoice(weapon, throw_mode, SQUEEZED, ("none", *may_hold(weapon)))


def _offer(
    state: Encounter, ruleset: Ruleset, attacker: Combatant, way: ManipulationChoice, aim: ManipulationAim
) -> Offer:
    least = Manipulate(
        attacker.id,
        aim.targets[0],
        way.weapon.id,
        follow_up=aim.follow_ups[0],  # type: ignore[arg-type]  # one of its values
        item=aim.items[0],
        thrown=way.thrown,  # type: ignore[arg-type]  # as above
    )
    low, high = ruleset.edition.economy.span(state, ruleset, attacker, manipulation_kind_of(least, way.weapon))
    far = uses_missile(least, way.weapon) or "throw" in aim.follow_ups
    thrown_into = ("surface", "surface_power", "surface_sharpness", "surface_class", "into", "move", "metres")
    return offer(
        replace(least, **{way.summed[1]: min(low, high)}),
        Field("target", choices=aim.targets),
        Field("weapon", choices=(way.weapon.id,)),
        *[Field(name, low=0, high=high) for name in way.summed],
        Field("follow_up", choices=aim.follow_ups),
        Field("item", choices=aim.items),
        Field("thrown", choices=(way.thrown,)),
        *(free("distance") if far else ()),
        *(free(*thrown_into) if "throw" in aim.follow_ups else ()),
        *TERM_FIELDS,
        total=Sum(way.summed, low, high),
    )


def check_escape(state: Encounter, ruleset: Ruleset, command: Escape) -> ManipulationOption:
    """Return the attempt to escape from that hold (MAM-MNP-10, `hold_escape`).

    Raises Refused with `no_escape` or `not_held`.
    """
    combatant = require_can_act(state, ruleset, command.combatant, "manipulation")
    if ruleset["hold_escape"] != "contest_of_manipulation":
        stops = ruleset["hold_escape"] == "interference_only"
        raise Refused("no_escape/interference" if stops else "no_escape", rule="MAM-MNP-10")
    holder = require_combatant(state, command.holder, "holder")
    if hold_of(holder, command.grapple).held != combatant.id:
        holders = dict.fromkeys(other.id for other, _ in holds_on(state, combatant.id))
        if not holders:
            raise Refused("not_held/by_nobody", who=combatant, rule="MAM-MNP-10", fields=("grapple",))
        raise Refused(
            "not_held",
            who=combatant,
            holders=people(state.combatants, holders),
            rule="MAM-MNP-10",
            fields=("grapple",),
        )
    price = ActionPrice(command.modifier, command.points, SUMMED_POINT_FIELDS, "MAM-MNP-01")
    ruleset.edition.economy.afford(state, ruleset, combatant, "manipulation", price)
    what = Manipulation(command.points, "escape", command.grapple)
    return ManipulationOption(Terms(grapple=True), what, price, "manipulation")


def judge_escape(judging: Decision, command: Escape, option: ManipulationOption) -> None:
    """Declare the attempt and pay for it."""
    declare(judging, command.combatant, command.holder, BODY, option, (0, command.modifier))


def _offer_escape(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    for combatant in state.combatants.values():
        low, high = ruleset.edition.economy.span(state, ruleset, combatant, "manipulation")
        for holder, grapple in holds_on(state, combatant.id):
            yield offer(
                Escape(combatant.id, holder.id, grapple.id, low),
                *(Field(name, low=0, high=high) for name in SUMMED_POINT_FIELDS),
                pinned=("holder", "grapple"),
                total=Sum(SUMMED_POINT_FIELDS, low, high),
            )


SECTION = RuleModule(
    mechanics=(
        Mechanic(Manipulate, check=check_manipulate, judge=judge_manipulate, offers=_offer_manipulate),
        Mechanic(Escape, check=check_escape, judge=judge_escape, offers=_offer_escape),
    ),
)

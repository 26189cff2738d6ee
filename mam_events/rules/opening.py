"""Opening an encounter, joining it, changing its rules and closing it: the same in every edition.

MAM-GEN-01, MAM-HP-01, MAM-POOL-01.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import TypeVar

from msgspec.structs import replace

from mam_events.commands import ChangeRules, Close, Join, Open
from mam_events.decider.checks import duplicate_id_error, require_metres, require_open
from mam_events.decider.engine import Decision, RuleModule, Ruleset
from mam_events.decider.mechanic import Mechanic
from mam_events.decider.offers import Offer, free, offer
from mam_events.errors import Refused
from mam_events.events import CombatantJoined, EncounterClosed, EncounterOpened, RulesChanged
from mam_events.refusals.arguments import Term, TextArgument, list_argument
from mam_events.rules.health.armor import check_blocking, check_layers
from mam_events.rules.health.hit_points import HIT_POINTS
from mam_events.rules.initiative.by_roll import rolls_each_round
from mam_events.rules.missiles.archery import capacity
from mam_events.rules.mounts.riding import require_mountable
from mam_events.rules.turns.boundaries import recover_midway
from mam_events.rules.turns.speeds import LADDER
from mam_events.state import (
    BODY,
    ArmorPiece,
    Combatant,
    Encounter,
    Item,
    Pools,
    Saddle,
    Statistics,
    Status,
    Weapon,
)
from mam_events.visibility import PUBLIC

_KINDS: Mapping[str, tuple[str, ...]] = {
    "range": ("bow", "crossbow", "gun", "thrown"),
    "shots": ("crossbow", "gun"),
    "reload": ("crossbow", "gun"),
    "lever": ("crossbow",),
}
"""The kinds of weapon that can use each field."""
Thing = TypeVar("Thing", Weapon, ArmorPiece)


def check_open(state: Encounter, ruleset: Ruleset, command: Open) -> None:
    """Raise Refused with `already_open` unless the encounter can still be opened."""
    if state.status != "unopened":
        raise Refused("already_open")


def judge_open(judging: Decision, command: Open, _: None) -> None:
    """Open the encounter and pin its rules."""
    judging.record(EncounterOpened(command.title, judging.ruleset.pinned, command.commitment, command.continues))


def _offer_open(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    yield offer(Open(), *free(*(name for name in Open.__struct_fields__ if name != "visibility")))


def check_change(state: Encounter, ruleset: Ruleset, command: ChangeRules) -> None:
    """Raise Refused unless the rules may be changed.

    They may be changed at any time in an open encounter, including options that only matter at its beginning. `ruleset`
    holds the new rules, so unknown options were refused before. Raises Refused with `nothing_to_change`,
    `reason_missing`, or `seen_by_all` if the change is to be hidden.
    """
    require_open(state)
    if not command.house_rules:
        raise Refused("nothing_to_change", fields=("house_rules",))
    if not command.reason.strip():
        raise Refused("reason_missing/rules", fields=("reason",))
    if command.visibility != PUBLIC:
        raise Refused("seen_by_all/rules", fields=("visibility",))


def judge_change(judging: Decision, command: ChangeRules, _: None) -> None:
    """Pin the new rules; the turn in progress loses no stun recovery that now comes at another moment."""
    pinned = judging.state.ruleset
    judging.record(RulesChanged(judging.ruleset.pinned, command.house_rules, command.reason))
    recover_midway(judging, pinned.readings.get("stun_recovery_timing") if pinned else None)


def _offer_change(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    option, reading = next(iter(ruleset.pinned.readings.items()))
    yield offer(ChangeRules({option: reading}, "the game master's word"), *free("house_rules", "reason"))


def check_join(state: Encounter, ruleset: Ruleset, command: Join) -> Combatant:
    """Return the combatant as it joins.

    Raises Refused with `already_joined`, `duplicate_item`, `number_as_id`, `unknown_armor`, `circular_layers`,
    `impossible_distance`, `unknown_speed`, `hit_points_twice`, `hit_points_missing`, `unknown_pool`,
    `pools_do_not_sum`, `not_a_mount`, `overloaded`, `idle_armor` or `idle_field`.
    """
    require_open(state)
    if command.combatant in state.combatants:
        raise duplicate_id_error(command.combatant)
    things: tuple[Weapon | Item | ArmorPiece, ...] = (*command.weapon, *command.item, *command.armor)
    check_things(things)
    check_layers(command.armor)
    for weapon in command.weapon:
        check_loaded(weapon)
    for field, metres in _lengths(command):
        require_metres(metres, field)
    if not ruleset.edition.counts_actions:
        # In Ron d6 no rule uses these numbers, so a missing one does not matter.
        check_blocking(command.armor)
        for weapon in command.weapon:
            check_weapon_fields(weapon)
    # The rules don't say whose turn an animal uses: here it has its own, in its rider's seat (MAM-MNT).
    mount = require_mountable(state, command.mount, command.combatant) if command.mount else None
    free = mount.seat if mount else _free_seat(state, command.visibility)
    combatant = Combatant(
        id=command.combatant,
        name=command.name or command.combatant,
        side=command.side,
        kind=command.kind or "npc",
        seat=free if command.seat is None else command.seat,
        hp=0,
        hp_per_round=0,
        stride=command.stride,
        absorption=command.absorption,
        parry=command.parry,
        encumbrance=command.encumbrance,
        weapons=(_body(command), *(_named(weapon) for weapon in command.weapon)),
        equipment=command.item,
        pools=Pools(),
        visibility=command.visibility,
        statistics=_statistics(command),
        status=Status(mount=mount.id, saddle=Saddle(mount.status.turns)) if mount else Status(),
    )
    for joins in ruleset.edition.joins:
        combatant = joins(ruleset, command, combatant)
    return combatant


def check_loaded(weapon: Weapon) -> None:
    """Raise Refused with `overloaded` for a weapon that is loaded with more shots than it holds (MAM-ARC-03)."""
    if weapon.loaded > capacity(weapon):
        raise Refused(
            "overloaded",
            weapon=weapon,
            loaded=weapon.loaded,
            capacity=capacity(weapon),
            rule="MAM-ARC-03",
            fields=("weapon",),
        )


def check_weapon_fields(weapon: Weapon) -> None:
    """Raise Refused with `idle_field` for a field that a weapon of its kind cannot use.

    For example, a melee weapon has no range (MAM-ATK-08, MAM-ARC-02, MAM-ARC-03).
    """
    for field, kinds in _KINDS.items():
        if getattr(weapon, field) and weapon.kind not in kinds:
            raise Refused(
                "idle_field",
                weapon=weapon,
                field=Term(field),
                kind=Term(weapon.kind),
                kinds=list_argument(map(Term, kinds)),
                rule="MAM-ATK-08" if field == "range" else "MAM-ARC-03",
                fields=("weapon",),
                allowed=map(Term, kinds),
            )


def check_things(things: Sequence[Weapon | Item | ArmorPiece]) -> None:
    """Check the ids of everything that a combatant carries; the body counts too.

    Raises Refused with `duplicate_item` if two things share an id, and with `number_as_id` if an id is a number: then
    somebody left out the name.
    """
    ids = [BODY, *(thing.id for thing in things)]
    for name in ids:
        if name.isdecimal():
            raise Refused("number_as_id", number=TextArgument(name), fields=("weapon", "item", "armor"))
        if ids.count(name) > 1:
            raise Refused("duplicate_item", thing=TextArgument(name), fields=("weapon", "item", "armor"))


def _lengths(command: Join) -> Iterator[tuple[str, Decimal]]:
    """Yield every distance that the combatant brings along, with its field."""
    yield "stride", command.stride
    yield "body.reach", command.body.reach
    for weapon in command.weapon:
        for field in ("reach", "range", "throw_reach", "launcher_reach"):
            yield f"weapon.{weapon.id}.{field}", getattr(weapon, field)
    if command.movement is not None:
        yield "movement", command.movement
    if command.hand_reach is not None:
        yield "hand_reach", command.hand_reach
    for metres in command.length:
        yield "length", metres


def _statistics(command: Join) -> Statistics:
    """Return the combatant's statistics other than hit points.

    Raises Refused with `unknown_speed`.
    """
    speed = command.speed
    if not speed.is_finite() or speed not in LADDER:
        raise Refused(
            "unknown_speed",
            speed=TextArgument(f"{speed:.8}"),
            rule="MAM-TURN-02",
            fields=("speed",),
        )
    return Statistics(
        # Take the number from the table, so that 1.0 and 1 are the same speed in every file.
        speed=LADDER[LADDER.index(speed)],
        size=command.size,
        power=command.power,
        toughness=command.toughness,
        movement=command.movement,
        hand_reach=command.hand_reach,
        lengths=command.length,
        abilities=command.ability,
        armor=tuple(_named(piece) for piece in command.armor),
        training=command.training,
    )


def _free_seat(state: Encounter, visibility: str) -> int:
    """Return the seat after everybody else.

    A combatant visible to all sits after the others visible to all: a gap would reveal hidden ones.
    """
    before = (one for one in state.combatants.values() if visibility != PUBLIC or one.visibility == PUBLIC)
    return max((one.seat for one in before), default=-1) + 1


def _body(command: Join) -> Weapon:
    body = command.body
    return Weapon(
        id=BODY,
        name="Body",
        power=body.power,
        attack=body.attack,
        defense=body.defense,
        sharpness=body.sharpness,
        sharpness_class=body.sharpness_class,
        reach=body.reach,
    )


def _named(thing: Thing) -> Thing:
    return thing if thing.name else replace(thing, name=thing.id)


def judge_join(judging: Decision, command: Join, newcomer: Combatant) -> None:
    """Bring a combatant in.

    In a fight under way the combatant takes its turn after those who sit before it. If initiative is rolled, it rolls
    for its place instead.
    """
    order = judging.state.order
    if order and not rolls_each_round(judging.ruleset):
        seats = {name: judging.state.combatants[name].seat for name in order}
        before = [name for name in order if seats[name] <= newcomer.seat]
        # If no seat is at or before the new one, the highest seat comes before it in the circle.
        at = order.index(max(before or order, key=lambda name: (seats[name], order.index(name)))) + 1
        order = (*order[:at], newcomer.id, *order[at:])
    judging.record(CombatantJoined(newcomer, order))
    for follows in judging.ruleset.edition.at_join:
        follows(judging, newcomer.id)


def _offer_join(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    pointless = ruleset.edition.counts_actions
    names = (name for name in Join.__struct_fields__ if not (pointless and name in HIT_POINTS))
    name = next(f"combatant-{n}" for n in range(len(state.combatants) + 1) if f"combatant-{n}" not in state.combatants)
    yield offer(Join(name) if pointless else Join(name, hp=1), *free(*names))


def check_close(state: Encounter, ruleset: Ruleset, command: Close) -> None:
    """Raise Refused unless the encounter is open; with `seen_by_all` if some may not see the closing.

    A closed encounter is closed for everybody: the seed of the dice is revealed, and replays may be public.
    """
    require_open(state)
    if command.visibility != PUBLIC:
        raise Refused("seen_by_all/closing", fields=("visibility",))


def judge_close(judging: Decision, command: Close, _: None) -> None:
    """Close the encounter and reveal the seed that the log put into the command."""
    judging.record(EncounterClosed(command.seed, command.reason))


def _offer_close(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    yield offer(Close(), *free("reason", "seed"))


SECTION = RuleModule(
    mechanics=(
        Mechanic(Open, check=check_open, judge=judge_open, offers=_offer_open),
        Mechanic(Join, check=check_join, judge=judge_join, offers=_offer_join),
        Mechanic(ChangeRules, check=check_change, judge=judge_change, offers=_offer_change),
        Mechanic(Close, check=check_close, judge=judge_close, offers=_offer_close),
    ),
)

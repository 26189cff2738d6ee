"""Hit points: totals, the five pools, what reserves them and what they cost (MAM-HP, MAM-POOL)."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from msgspec.structs import replace

from mam_events.commands import Join
from mam_events.decider.engine import Decision, RuleModule, Ruleset
from mam_events.errors import CommandHint, Refused
from mam_events.events import (
    Consequence,
    GrappleBroken,
    GrappleWeakened,
    HitPointsSpent,
    HoldEnd,
    Purpose,
    ReserveShort,
)
from mam_events.refusals.arguments import Term, TextArgument, list_argument, text_argument
from mam_events.rules.health.armor import worn_under
from mam_events.state import POOLS, ArmorPiece, Combatant, Item, PinnedRules, Pools, Weapon

YIELDING = ("hold_breaks", "hold_weakens")
"""The consequences by which a hold gives way if the reserve is short (`grapple_shortfall`)."""

STAMINA = 2
"""The factor by which stamina exceeds toughness (`incapacitation`)."""

HIT_POINTS = ("hp", "athletic", "pools")
"""The fields that a combatant has only in editions with hit points (MAM-HP-01)."""


def hp_total(athletic_modifiers: Sequence[int], ruleset: Ruleset) -> int:
    """Return hit points from the athletic ability modifiers: the best two, at least 1 (MAM-HP-01, MAM-HP-03)."""
    best = sorted(athletic_modifiers, reverse=True)[:2]
    if not best:
        return 1
    if len(best) == 1:
        # single_athletic_ability: the only value counts alone, or hit points are 1.
        return max(1, best[0]) if ruleset["single_athletic_ability"] == "missing_counts_zero" else 1
    return max(1, sum(best))


def with_hit_points(ruleset: Ruleset, command: Join, combatant: Combatant) -> Combatant:
    """Return the combatant with its hit points in their pools (MAM-HP-01, MAM-POOL-01).

    Raises Refused with `hit_points_twice`, `hit_points_missing`, `unknown_pool` or `pools_do_not_sum`.
    """
    hp = _hit_points(ruleset, command)
    pools = _pools(command, hp) if command.pools else initial_pools(hp, combatant.carried_encumbrance, ruleset)
    return replace(combatant, hp=hp, hp_per_round=hp_per_round(hp), pools=pools)


def counts_toughness(rules: PinnedRules) -> bool:
    """Return True if stamina decides who is down, whatever points are left (`incapacitation`)."""
    return rules.readings.get("incapacitation") == "at_stamina"


def _hit_points(ruleset: Ruleset, command: Join) -> int:
    if command.hp is not None and command.athletic:
        raise Refused("hit_points_twice", rule="MAM-HP-01", fields=("hp", "athletic"))
    if command.hp is not None:
        return command.hp
    if command.toughness and not command.athletic and counts_toughness(ruleset.pinned):
        # Its toughness already decides when it is down, and hit points have no other use there.
        return STAMINA * command.toughness
    if command.athletic:
        return hp_total(command.athletic, ruleset)
    if command.pools:
        return sum(command.pools.values())
    raise _nothing_borne(command)


def _nothing_borne(command: Join) -> Refused:
    who = text_argument(command, "name" if command.name else "combatant")
    hint = CommandHint("join", {"combatant": command.combatant, "hp": 6})
    number = who.text.rpartition(" ")[2]
    if number.isdecimal() and number != who.text:
        return Refused(
            "hit_points_missing/in_name",
            who=who,
            number=TextArgument(number),
            rule="MAM-HP-01",
            fields=("hp", "athletic"),
            hints=(hint,),
        )
    return Refused("hit_points_missing", who=who, rule="MAM-HP-01", fields=("hp", "athletic"), hints=(hint,))


def _pools(command: Join, hp: int) -> Pools:
    unknown = [name for name in command.pools if name not in POOLS]
    if unknown:
        raise Refused(
            "unknown_pool", pool=TextArgument(unknown[0]), pools=list_argument(map(Term, POOLS)), fields=("pools",)
        )
    pools = Pools(**command.pools)
    if pools.total != hp:
        raise Refused(
            "pools_do_not_sum",
            combatant=text_argument(command, "combatant"),
            total=pools.total,
            hp=hp,
            rule="MAM-POOL-01",
            fields=("pools",),
        )
    return pools


def hp_per_round(hp: int) -> int:
    """Return the points that may become ready each turn: half the hit points, rounded up (MAM-HP-02)."""
    return -(-hp // 2)


def initial_pools(hp: int, encumbrance: int, ruleset: Ruleset) -> Pools:
    """Return the pools at the start; the encumbrance reserve is always in other used (MAM-POOL-01, MAM-POOL-06)."""
    free = max(0, hp - encumbrance)
    ready = {"all_ready": free, "hp_per_round_ready": min(free, hp_per_round(hp)), "all_other_used": 0}[
        ruleset["initial_pools"]
    ]
    return Pools(ready=ready, other_used=hp - ready)


def spend(pools: Pools, to_defense: int, to_other_used: int) -> Pools:
    """Return the pools after ready points are spent into defense and other used (MAM-POOL-03, MAM-POOL-05).

    Raises Refused with `not_enough_ready`.
    """
    amount = to_defense + to_other_used
    if amount > pools.ready:
        raise Refused("not_enough_ready/to_spend", wanted=amount, ready=pools.ready, rule="MAM-PHASE-04")
    return replace(
        pools,
        ready=pools.ready - amount,
        defense=pools.defense + to_defense,
        other_used=pools.other_used + to_other_used,
    )


def pay(judging: Decision, combatant: str, purpose: Purpose, *, to_defense: int = 0, to_other_used: int = 0) -> None:
    """Record that a combatant spends ready points (MAM-PHASE-04)."""
    pools = spend(judging.state.combatants[combatant].pools, to_defense, to_other_used)
    judging.record(HitPointsSpent(combatant, purpose, to_defense, to_other_used, pools))


def distance(points: int, stride: Decimal) -> Fraction:
    """Return the distance in metres that the points pay for: points × stride (MAM-POOL-12)."""
    return points * Fraction(stride)


class Reserve(NamedTuple):
    """The points that other used lacks for its reserves, and the consequence (None: there is no consequence)."""

    shortfall: int
    consequence: Consequence | None


def reserve_check(other_used: int, encumbrance: int, grapple_reserve: int, ruleset: Ruleset) -> Reserve:
    """Check the reserve that other used must hold; reserves do not overlap (MAM-POOL-06 to MAM-POOL-08)."""
    shortfall = encumbrance + grapple_reserve - other_used
    if shortfall <= 0:
        return Reserve(0, None)
    equipment: Consequence = ruleset["encumbrance_shortfall"]  # type: ignore[assignment]  # readings are checked when pinned
    hold: Consequence = ruleset["grapple_shortfall"]  # type: ignore[assignment]  # as above
    if not grapple_reserve:
        return Reserve(shortfall, None if ruleset["encumbrance_shortfall"] == "ignore" else equipment)
    # If not even the hold's own points are left, dropping something does not help.
    if not encumbrance or other_used < grapple_reserve:
        return Reserve(shortfall, hold)
    served_first = {
        "player_choice": "player_choice",
        "encumbrance_first": hold,
        "grapple_first": equipment if ruleset["encumbrance_shortfall"] != "ignore" else None,
    }
    return Reserve(shortfall, served_first[ruleset["reserve_shortfall_priority"]])


def must_spend_again(ruleset: Ruleset) -> bool:
    """Return True if a hold costs points again each round (`hold_maintenance`)."""
    return ruleset["hold_maintenance"] == "respend_each_round"


def grapple_reserve(combatant: Combatant, ruleset: Ruleset) -> int:
    """Return the points that its holds keep in other used (MAM-POOL-07); none if holds are paid for each round."""
    grapples = combatant.grapples
    return sum(grapple.points for grapple in grapples) if grapples and not must_spend_again(ruleset) else 0


def reserve_of(combatant: Combatant, ruleset: Ruleset) -> Reserve:
    """Return the current reserve check of one combatant."""
    return reserve_check(
        combatant.pools.other_used, combatant.carried_encumbrance, grapple_reserve(combatant, ruleset), ruleset
    )


def hold_is_short(combatant: Combatant, ruleset: Ruleset) -> bool:
    """Return True if a hold must yield because points are missing, whatever else is given up (MAM-POOL-07)."""
    return reserve_of(combatant, ruleset).consequence in YIELDING


def weaken_hold(points: int, modifier: int, shortfall: int) -> tuple[int, int]:
    """Return the points and modifier of a hold that lost `shortfall` points (`grapple_shortfall = hold_weakens`)."""
    lost = min(points, shortfall)
    return points - lost, max(0, modifier - lost)


def break_hold(judging: Decision, name: str, grapple: str, cause: HoldEnd) -> None:
    """Record that a hold of that combatant is over although nobody released it."""
    judging.record(GrappleBroken(name, grapple, cause))
    after_hold_end(judging, name)


def after_hold_end(judging: Decision, name: str) -> None:
    """Apply the consequences of the end of one of that combatant's holds."""
    for follows in judging.ruleset.edition.at_grapple_end:
        follows(judging, name)


def settle_reserves(judging: Decision, name: str) -> None:
    """Record which reserve is short after a loss of points; break or weaken holds (MAM-POOL-07, MAM-POOL-08)."""
    reserve = reserve_of(judging.state.combatants[name], judging.ruleset)
    if reserve.consequence is None:
        return
    judging.record(ReserveShort(name, reserve.shortfall, reserve.consequence))
    shortfall = reserve.shortfall
    if reserve.consequence not in YIELDING:
        return
    for grapple in reversed(judging.state.combatants[name].grapples):
        if shortfall <= 0:
            break
        if not grapple.points:
            # A hold without reserved points lacks none.
            continue
        points, modifier = weaken_hold(grapple.points, grapple.modifier, shortfall)
        if reserve.consequence == "hold_breaks" or points == 0:
            break_hold(judging, name, grapple.id, "points_gone")
            shortfall -= grapple.points
        else:
            judging.record(GrappleWeakened(name, grapple.id, points, modifier))
            shortfall -= grapple.points - points
    settle_reserves(judging, name)


def must_drop(combatant: Combatant, ruleset: Ruleset) -> bool:
    """Return True if it must drop something or release a hold before it may act (MAM-POOL-06, MAM-POOL-08)."""
    if reserve_of(combatant, ruleset).consequence not in ("player_choice", "must_drop_equipment"):
        return False
    return bool(combatant.grapples) or any(thing.encumbrance for thing in carried_items(combatant))


def require_nothing_to_drop(combatant: Combatant, ruleset: Ruleset, field: str = "combatant") -> None:
    """Raise Refused with `reserve_short` while something must be dropped or released first."""
    if must_drop(combatant, ruleset):
        short = reserve_of(combatant, ruleset).shortfall
        raise Refused("reserve_short", combatant=combatant, short=short, rule="MAM-POOL-08", fields=(field,))


def carried_items(combatant: Combatant) -> tuple[Weapon | Item | ArmorPiece, ...]:
    """Return the things that it carries and could drop: no part of its body, and no armor under other armor."""
    covered = worn_under(combatant)
    things: tuple[Weapon | Item | ArmorPiece, ...] = (
        *(weapon for weapon in combatant.weapons[1:] if not weapon.attached),
        *combatant.equipment,
        *(piece for piece in combatant.statistics.armor if not piece.attached and piece.id not in covered),
    )
    return tuple(thing for thing in things if thing.id not in combatant.dropped)


SECTION = RuleModule(
    joins=(with_hit_points,),
    at_join=(settle_reserves,),
)

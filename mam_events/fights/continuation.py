"""The opening and the combatants of a fight that continues another one."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from mam_events.commands import Adjust, Body, Command, Join, Open
from mam_events.decider.engine import Ruleset
from mam_events.rules.health.hit_points import initial_pools
from mam_events.rules.rulebook import Rulebook
from mam_events.state import Combatant, Encounter, Weapon
from mam_events.values import ContinuedFrom, StayedBehind
from mam_events.visibility import PUBLIC


def continuation(
    state: Encounter, origin: ContinuedFrom, opening: Open, rules: Rulebook, *, everybody: bool = False
) -> list[Command]:
    """Return the orders that open a fight with the combatants of `state`.

    Wounds, points of Ron d6, things and ammunition are kept; dropped things are carried again, but not in hand. Turns,
    holds and positions are not kept. The dead, those who left and (without `everybody`) those who are down with nobody
    to carry them (`is_carried_along`) are left out; the opening names them unless they were hidden. The fight has the
    rules of the other one, unless it has a preset or house rules of its own. A rider joins after their mount.
    """
    assert state.ruleset is not None  # noqa: S101 - the fight was opened
    pinned = state.ruleset
    if opening.preset == Open().preset and not opening.house_rules:
        usual = rules.defaults(pinned.preset)
        house = {option: reading for option, reading in pinned.readings.items() if usual.get(option) != reading}
        opening = replace(opening, preset=pinned.preset, house_rules=house, ruleset=pinned.name)
    ruleset = rules.in_force(pinned)
    people = [
        one for one in state.combatants.values() if not one.is_gone and (everybody or is_carried_along(one, state))
    ]
    ids = {one.id for one in people}
    stayed = tuple(
        StayedBehind(one.name, one.condition)  # type: ignore[arg-type]  # only these conditions stay behind
        for one in state.combatants.values()
        if one.id not in ids and one.visibility == PUBLIC
    )
    joins = [_join(one, ids, ruleset) for one in sorted(people, key=lambda one: bool(one.status.mount))]
    return [replace(opening, continues=replace(origin, behind=stayed)), *joins, *_down(people, origin)]


def is_carried_along(one: Combatant, state: Encounter) -> bool:
    """Return True if that combatant comes along: they are up, or they are down and others take them.

    Players take each other and their sides along. If there are no players, those come who are on a side with someone up
    or on no side; if nobody is up, everyone comes.
    """
    if one.condition == "able":
        return True
    people = [other for other in state.combatants.values() if not other.is_gone]
    heroes = [other for other in people if other.kind == "pc"]
    if heroes:
        # Side "all" means no side: such combatants are nobody's allies.
        return one in heroes or (one.side != "all" and any(other.side == one.side for other in heroes))
    up = {other.side for other in people if other.condition == "able"}
    return not up or one.side in (*up, "all")


def _join(one: Combatant, ids: set[str], ruleset: Ruleset) -> Join:
    body, *weapons = one.weapons
    built, faculties = one.statistics, one.faculties
    return Join(
        combatant=one.id,
        name=one.name,
        side=one.side,
        kind=one.kind,  # type: ignore[arg-type]  # it joined as one of them
        seat=one.seat,
        hp=one.hp or None,
        stride=one.stride,
        absorption=one.absorption,
        parry=one.parry,
        encumbrance=one.encumbrance,
        body=Body(*(getattr(body, name) for name in Body.__struct_fields__)),
        weapon=tuple(_kept(weapon, one) for weapon in weapons),
        item=one.equipment,
        pools=_pools(one, ruleset) if one.hp else {},
        mount=one.status.mount if one.status.mount in ids else "",
        speed=built.speed,
        size=built.size,
        power=built.power,
        toughness=built.toughness,
        movement=built.movement,
        hand_reach=built.hand_reach,
        length=built.lengths,
        ability=built.abilities,
        armor=built.armor,
        training=built.training,  # type: ignore[arg-type]  # as it joined
        code=faculties.codes,
        search_ranks=faculties.search_ranks,
        quickness_ranks=faculties.quickness_ranks,
        allotment=faculties.allotment,
        go_first=faculties.go_first,
        special=faculties.special,
        group=faculties.group,
        character_points=one.rd6_character_points,
        fate_points=one.fate_points,
        visibility=one.visibility,
    )


def _kept(weapon: Weapon, owner: Combatant) -> Weapon:
    return replace(weapon, winding=0, readied=weapon.readied and weapon.id not in owner.dropped)


def _pools(one: Combatant, ruleset: Ruleset) -> dict[str, int]:
    """Return the pools: stun and damage as they are, the others as at the beginning of a fight."""
    hurt = one.pools.stun + one.pools.damage
    total = one.hp - hurt
    fresh = initial_pools(total, min(total, one.carried_encumbrance), ruleset)
    pools = {"ready": fresh.ready, "other_used": fresh.other_used, "stun": one.pools.stun, "damage": one.pools.damage}
    return {pool: points for pool, points in pools.items() if points} if hurt else {}


def _down(people: list[Combatant], origin: ContinuedFrom) -> Iterator[Adjust]:
    """Yield the orders for those who are down although their points don't say so, one for each visibility."""
    down = [one for one in people if one.condition != "able" and (one.status.by_word or not one.hp)]
    for visibility in dict.fromkeys(one.visibility for one in down):
        conditions = {one.id: one.condition for one in down if one.visibility == visibility}
        yield Adjust(f"as {origin.encounter} left them", condition={**conditions}, visibility=visibility)

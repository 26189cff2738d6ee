"""Opening an encounter, joining it, changing its rules, closing it: the same in every edition.

MAM-GEN-01, MAM-HP-01, MAM-POOL-01.
"""

from __future__ import annotations

from collections.abc import Iterator

from mam_events.commands import ChangeRules, Close, Join, Open
from mam_events.encounter.judging import Judging
from mam_events.encounter.templates import Field, Offer, Template
from mam_events.errors import Refused
from mam_events.events import CombatantJoined, EncounterClosed, EncounterOpened, RulesChanged
from mam_events.rules.checks import length, under_way
from mam_events.rules.edition import Mechanic
from mam_events.rules.hit_points import hp_per_round, hp_total, initial_pools, settle_reserves
from mam_events.rules.ruleset import Ruleset
from mam_events.rules.speeds import LADDER
from mam_events.rules.wounds import settle_condition
from mam_events.state import BODY, POOLS, Combatant, Encounter, Item, Pools, Statistics, Weapon

REVISION = 1


def check_open(state: Encounter, ruleset: Ruleset, command: Open) -> None:
    """Whether the encounter can still be opened; refused with `already_open`."""
    if state.status != "unopened":
        raise Refused("already_open", "This encounter has already been opened.")


def judge_open(judging: Judging, command: Open, _: None) -> None:
    """Open the encounter and pin its rules."""
    judging.record(EncounterOpened(command.title, judging.ruleset.pinned, command.commitment))


def offer_open(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    """Every `open` that could be ordered, legal or not."""
    names = (name for name in Open.__struct_fields__ if name != "visibility")
    fields = tuple(Field(name, free=True) for name in names)
    yield Offer(Template("open", "", fields), Open())


def check_change(state: Encounter, ruleset: Ruleset, command: ChangeRules) -> None:
    """Whether the rules may be changed: at any time of an open encounter, also those that only its beginning asks.

    `ruleset` holds the rules as they will be, so unknown options were refused before. Refused with `nothing_to_change`
    or `reason_missing`.
    """
    under_way(state)
    if not command.house_rules:
        raise Refused("nothing_to_change", "Name an option and how it is read from now on.", fields=("house_rules",))
    if not command.reason.strip():
        raise Refused("reason_missing", "Whoever changes the rules gives a reason.", fields=("reason",))


def judge_change(judging: Judging, command: ChangeRules, _: None) -> None:
    """Pin the rules anew."""
    judging.record(RulesChanged(judging.ruleset.pinned, command.house_rules, command.reason))


def offer_change(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    """Every `change-rules` that could be ordered, legal or not."""
    fields = (Field("house_rules", free=True), Field("reason", free=True))
    option, reading = next(iter(ruleset.pinned.readings.items()))
    yield Offer(Template("change-rules", "", fields), ChangeRules({option: reading}, "the game master's word"))


def check_join(state: Encounter, ruleset: Ruleset, command: Join) -> Combatant:
    """The combatant as it comes in; refused with `already_joined`, `duplicate_item`, `hit_points_twice`,
    `unknown_pool`, `pools_do_not_sum` or `impossible_distance`.
    """
    under_way(state)
    if command.combatant in state.combatants:
        raise Refused(
            "already_joined",
            f'"{command.combatant}" is already in this fight; names are used once.',
            fields=("combatant",),
        )
    things: tuple[Weapon | Item, ...] = (*command.weapons, *command.equipment)
    ids = [BODY, *(thing.id for thing in things)]
    for name in ids:
        if ids.count(name) > 1:
            raise Refused("duplicate_item", f'Two things are called "{name}".', fields=("weapons", "equipment"))
    for field, metres in (
        ("stride", command.stride),
        ("body.reach", command.body.reach),
        *((("movement", command.movement),) if command.movement is not None else ()),
        *((f"weapons.{weapon.id}.reach", weapon.reach) for weapon in command.weapons),
    ):
        length(metres, field)
    if command.speed not in LADDER:
        known = ", ".join(map(str, LADDER))
        raise Refused(
            "unknown_speed",
            f"{command.speed:.8} is no speed; there are {known}.",
            rule="MAM-TURN-04",
            fields=("speed",),
        )
    hp = _hit_points(ruleset, command)
    encumbrance = command.encumbrance + sum(thing.encumbrance for thing in things)
    return Combatant(
        id=command.combatant,
        name=command.name or command.combatant,
        side=command.side,
        kind=command.kind,
        seat=command.seat if command.seat is not None else _free_seat(state),
        hp=hp,
        hp_per_round=hp_per_round(hp),
        stride=command.stride,
        absorption=command.absorption,
        parry=command.parry,
        encumbrance=command.encumbrance,
        weapons=(_body(command), *(_named(weapon) for weapon in command.weapons)),
        equipment=command.equipment,
        pools=_pools(command, hp) if command.pools else initial_pools(hp, encumbrance, ruleset),
        visibility=command.visibility,
        statistics=Statistics(
            speed=command.speed, toughness=command.toughness, movement=command.movement, abilities=command.abilities
        ),
    )


def _hit_points(ruleset: Ruleset, command: Join) -> int:
    if command.hp is not None and command.athletic_modifiers:
        raise Refused(
            "hit_points_twice",
            "Give either the hit points (hp) or the athletic modifiers they come from, not both.",
            rule="MAM-HP-01",
            fields=("hp", "athletic_modifiers"),
        )
    if command.hp is not None:
        return command.hp
    return hp_total(command.athletic_modifiers, ruleset)


def _pools(command: Join, hp: int) -> Pools:
    unknown = [name for name in command.pools if name not in POOLS]
    if unknown:
        raise Refused(
            "unknown_pool", f'There is no pool "{unknown[0]}"; the five are {", ".join(POOLS)}.', fields=("pools",)
        )
    pools = Pools(**command.pools)
    if pools.total != hp:
        raise Refused(
            "pools_do_not_sum",
            f"{command.combatant}'s pools sum to {pools.total}, and must sum to its {hp} hit points.",
            rule="MAM-POOL-01",
            fields=("pools",),
        )
    return pools


def _free_seat(state: Encounter) -> int:
    return max((combatant.seat for combatant in state.combatants.values()), default=-1) + 1


def _body(command: Join) -> Weapon:
    body = command.body
    return Weapon(
        id=BODY,
        name="Body",
        power=body.power,
        attack_modifier=body.attack_modifier,
        defense_modifier=body.defense_modifier,
        sharpness=body.sharpness,
        sharpness_class=body.sharpness_class,
        reach=body.reach,
    )


def _named(weapon: Weapon) -> Weapon:
    return (
        weapon
        if weapon.name
        else Weapon(**{f: getattr(weapon, f) for f in weapon.__struct_fields__} | {"name": weapon.id})
    )


def judge_join(judging: Judging, command: Join, joined: Combatant) -> None:
    """Bring a combatant in; one who joins a fight under way takes its turn behind whoever sits before it."""
    order = judging.state.order
    if order:
        seats = {name: judging.state.combatants[name].seat for name in order}
        before = [name for name in order if seats[name] <= joined.seat]
        # Nobody sits at or before a lowest seat, so in the circle the highest one comes before it.
        at = order.index(max(before or order, key=lambda name: (seats[name], order.index(name)))) + 1
        order = (*order[:at], joined.id, *order[at:])
    judging.record(CombatantJoined(joined, order))
    settle_condition(judging, joined.id)
    settle_reserves(judging, joined.id)


def offer_join(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    """Every `join` that could be ordered, legal or not."""
    fields = tuple(Field(name, free=True) for name in Join.__struct_fields__)
    name = next(f"combatant-{n}" for n in range(len(state.combatants) + 1) if f"combatant-{n}" not in state.combatants)
    yield Offer(Template("join", "", fields), Join(name))


def check_close(state: Encounter, ruleset: Ruleset, command: Close) -> None:
    """Whether the encounter can be closed: it is open."""
    under_way(state)


def judge_close(judging: Judging, command: Close, _: None) -> None:
    """Close the encounter and reveal the seed that the log put into the command."""
    judging.record(EncounterClosed(command.seed, command.reason))


def offer_close(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    """Every `close` that could be ordered, legal or not."""
    yield Offer(Template("close", "", (Field("reason", free=True), Field("seed", free=True))), Close())


MECHANICS = (
    Mechanic(Open, check=check_open, judge=judge_open, offers=offer_open),
    Mechanic(Join, check=check_join, judge=judge_join, offers=offer_join),
    Mechanic(ChangeRules, check=check_change, judge=judge_change, offers=offer_change),
    Mechanic(Close, check=check_close, judge=judge_close, offers=offer_close),
)

"""Interfering and parrying: actions aimed at stopping other actions (MAM-INTF)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mam_events.commands import Act, Interfere, Parry
from mam_events.encounter.judging import Judging
from mam_events.encounter.templates import Field, Offer, Sum, Template
from mam_events.errors import Refused
from mam_events.events import ActionDeclared, InterferenceDeclared, Modifier, Outcome, ParryDeclared
from mam_events.rules.attack import (
    FIXED_DIFFICULTY,
    Faces,
    attack_modifiers,
    attacked,
    capped,
    defense_modifier,
    natural,
    unanswered,
    weapon_of,
)
from mam_events.rules.checks import able, at_least_one, enough_ready, exchange_of, named, weapon_in_hand
from mam_events.rules.edition import Mechanic
from mam_events.rules.hit_points import pay
from mam_events.rules.ruleset import Ruleset
from mam_events.rules.turn_phases import acting
from mam_events.state import Action, Combatant, Encounter, Exchange, Pools

REVISION = 1

PARRY_POINTS = 1


class Rolled(NamedTuple):
    """An action once it is rolled: `against` the action it interferes with (None: none), `net_effect` the stun and
    damage it would do where it `strikes`, `face` the natural face (0: not known).
    """

    id: int
    total: int
    modifiers: int = 0
    against: int | None = None
    strikes: bool = False
    net_effect: int = 0
    face: int = 0


def success(interferer: Rolled, target: Rolled, ruleset: Ruleset) -> Outcome:
    """Whether an interfering roll beats its target (MAM-INTF-01, -04; `interference_roll`, `interference_tie`).

    A natural 20 decides as it does in every other roll (MAM-ROLL-02).
    """
    if interferer.strikes and interferer.net_effect <= 0:
        return "fail"
    fixed = ruleset["interference_roll"] == "versus_fixed_difficulty"
    settled = natural(Faces(interferer.face, None if fixed else target.face), ruleset)
    if settled:
        return settled
    to_beat = FIXED_DIFFICULTY + target.modifiers if fixed else target.total
    if interferer.total > to_beat:
        return "full"
    tie = interferer.total == to_beat and ruleset["interference_tie"] == "half_each"
    return "half" if tie else "fail"


def stopped(actions: Sequence[Rolled], ruleset: Ruleset) -> dict[int, Outcome]:
    """What is left of every action: "fail" for one that is stopped, "half" for one halved by a tie (MAM-INTF-07).

    Last declared, first resolved: an interference that is itself stopped does not count against its target.
    """
    by_id = {action.id: action for action in actions}
    left: dict[int, Outcome] = {}
    for action in reversed(actions):
        left[action.id] = "full"
        for other in actions:
            if other.against == action.id and left[other.id] != "fail":
                result = success(other, by_id[action.id], ruleset)
                if result == "full" and left[other.id] == "full":
                    left[action.id] = "fail"
                elif result != "fail" and left[action.id] == "full":
                    # A tie halves it, and so does an interference that a tie has halved.
                    left[action.id] = "half"
    return left


def interference_cap(exchange: Exchange, target: Action, ruleset: Ruleset) -> int:
    """The most points an interference with that action may use (MAM-INTF-05, `interference_hp_cap_base`)."""
    return exchange.root.points if ruleset["interference_hp_cap_base"] == "root_action" else target.points


def passive_modifiers(pools: Pools, bonuses: int, ruleset: Ruleset) -> tuple[Modifier, ...]:
    """What helps a character who is attacked without acting: its defense pool, and bonuses (`passive_modifier`)."""
    pool = Modifier("defense pool", pools.defense, "MAM-INTF-06")
    if ruleset["passive_modifier"] == "defense_pool_only" or not bonuses:
        return (pool,)
    return (pool, Modifier("passive bonuses", bonuses, "MAM-INTF-06"))


def parry_modifiers(
    combatant: Combatant, action: Action, ruleset: Ruleset, *, passive_bonuses: int = 0
) -> tuple[Modifier, ...]:
    """All that is added to the die of a parry (MAM-INTF-06, `parry_modifiers`)."""
    weapon = weapon_of(combatant, action)
    own = Modifier(weapon.name, defense_modifier(weapon, ruleset), "MAM-INTF-06")
    return (
        *((own,) if ruleset["parry_modifiers"] == "include_weapon_modifier" else ()),
        Modifier("parry modifier", combatant.parry + weapon.parry, "MAM-INTF-06"),
        *passive_modifiers(combatant.pools, passive_bonuses, ruleset),
    )


def interference_modifiers(combatant: Combatant, action: Action, ruleset: Ruleset) -> tuple[Modifier, ...]:
    """All that is added to the die of an interference: as an attack, or the ability named for it (MAM-INTF-01)."""
    return attack_modifiers(combatant, action, ruleset) if action.strikes else ability(action)


def ability(action: Action) -> tuple[Modifier, ...]:
    """What is added to the die of an action that is no attack: the ability named for it (MAM-INTF-01)."""
    return (Modifier("ability", action.bonus, "MAM-INTF-01"),)


def check_parry(state: Encounter, ruleset: Ruleset, command: Parry) -> None:
    """Whether the target may parry: one ready point, no more than the attack used (MAM-INTF-05, MAM-INTF-06)."""
    exchange, combatant = attacked(state, command.exchange, command.combatant, "MAM-INTF-06")
    unanswered(exchange, combatant, "MAM-INTF-03")
    weapon_in_hand(combatant, command.weapon)
    capped(PARRY_POINTS, exchange.root.points, ("combatant",))
    enough_ready(combatant, PARRY_POINTS, ("combatant",), "MAM-INTF-06")


def judge_parry(judging: Judging, command: Parry, _: None) -> None:
    """Declare a parry and pay its point (`parry_point_pool`)."""
    judging.record(ParryDeclared(command.exchange, judging.ruling, command.combatant, command.weapon, PARRY_POINTS))
    if judging.ruleset["parry_point_pool"] == "defense":
        pay(judging, command.combatant, "parry", to_defense=PARRY_POINTS)
    else:
        pay(judging, command.combatant, "parry", to_other_used=PARRY_POINTS)


def offer_parry(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    """Every `parry` that could be ordered, legal or not."""
    exchange = state.exchange
    if exchange is None or exchange.root.kind != "attack":
        return
    target = state.combatants[exchange.root.target]
    weapons = tuple(weapon.id for weapon in target.in_hand)
    fields = (
        Field("combatant", choices=(target.id,)),
        Field("exchange", choices=(exchange.id,)),
        Field("weapon", choices=weapons),
    )
    yield Offer(Template("parry", target.id, fields), Parry(target.id, exchange.id, weapons[0]))


def check_interfere(state: Encounter, ruleset: Ruleset, command: Interfere) -> Action:
    """The action to be stopped, if that combatant may interfere with it now (MAM-INTF-01 to -05)."""
    exchange = exchange_of(state, command.exchange)
    combatant = named(state, command.combatant)
    able(combatant)
    target = exchange.action(command.action)
    if target is None:
        known = ", ".join(str(action.id) for action in exchange.actions)
        raise Refused(
            "unknown_action",
            f"Ruling {command.action} declared no action of exchange {exchange.id}; those are {known}.",
            rule="MAM-INTF-01",
            fields=("action",),
        )
    if target.combatant == combatant.id:
        raise Refused(
            "bad_target", f"{combatant.name} cannot interfere with itself.", rule="MAM-INTF-01", fields=("action",)
        )
    if target.id == exchange.id and exchange.root.target == combatant.id:
        unanswered(exchange, combatant, "MAM-INTF-03")
    spent, fields = _cost(command)
    if command.weapon:
        weapon_in_hand(combatant, command.weapon)
    at_least_one(spent, fields)
    capped(spent, interference_cap(exchange, target, ruleset), fields)
    enough_ready(combatant, spent, fields, "MAM-INTF-05")
    return target


def _cost(command: Interfere) -> tuple[int, tuple[str, ...]]:
    if command.weapon and (command.points or command.bonus):
        raise Refused(
            "mixed_interference",
            "An interfering attack takes power and modifier; points and bonus are for other interference.",
            rule="MAM-INTF-04",
            fields=("points", "bonus"),
        )
    if not command.weapon and (command.power or command.modifier):
        raise Refused(
            "mixed_interference",
            "Power and modifier belong to an interfering attack: name its weapon.",
            rule="MAM-INTF-04",
            fields=("power", "modifier"),
        )
    return (
        (command.power + command.modifier, ("power", "modifier")) if command.weapon else (command.points, ("points",))
    )


def judge_interfere(judging: Judging, command: Interfere, target: Action) -> None:
    """Declare an interference and pay for it."""
    spent, _ = _cost(command)
    judging.record(
        InterferenceDeclared(
            command.exchange,
            judging.ruling,
            command.combatant,
            target.id,
            target.combatant,
            spent,
            bonus=command.bonus,
            strikes=bool(command.weapon),
            weapon=command.weapon,
            power=command.power,
            modifier=command.modifier,
        )
    )
    pay(
        judging,
        command.combatant,
        "interference",
        to_defense=command.modifier,
        to_other_used=spent - command.modifier,
    )


def offer_interfere(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    """Every `interfere` that could be ordered, legal or not."""
    exchange = state.exchange
    if exchange is None:
        return
    for combatant in state.combatants.values():
        for action in exchange.actions:
            if action.combatant == combatant.id:
                continue
            most = min(combatant.pools.ready, interference_cap(exchange, action, ruleset))
            who = (
                Field("combatant", choices=(combatant.id,)),
                Field("exchange", choices=(exchange.id,)),
                Field("action", choices=(action.id,)),
            )
            plain = (*who, Field("points", low=1, high=most), Field("bonus"))
            yield Offer(
                Template("interfere", combatant.id, plain), Interfere(combatant.id, exchange.id, action.id, points=1)
            )
            weapons = tuple(weapon.id for weapon in combatant.in_hand)
            strike = (
                *who,
                Field("weapon", choices=weapons),
                Field("power", low=0, high=most),
                Field("modifier", low=0, high=most),
            )
            yield Offer(
                Template("interfere", combatant.id, strike, (Sum(("power", "modifier"), 1, most),)),
                Interfere(combatant.id, exchange.id, action.id, weapon=weapons[0], modifier=1),
            )


def check_act(state: Encounter, ruleset: Ruleset, command: Act) -> None:
    """Whether that combatant may act now; an action that costs nothing is allowed (MAM-PHASE-04)."""
    combatant = acting(state, ruleset, command.combatant)
    enough_ready(combatant, command.points, ("points",))


def judge_act(judging: Judging, command: Act, _: None) -> None:
    """Declare an action that others may interfere with, and pay for it into other used (MAM-POOL-05)."""
    judging.record(ActionDeclared(judging.ruling, command.combatant, command.what, command.points, command.bonus))
    if command.points:
        pay(judging, command.combatant, "action", to_other_used=command.points)


def offer_act(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    """Every `act` that could be ordered, legal or not."""
    for combatant in state.combatants.values():
        fields = (
            Field("combatant", choices=(combatant.id,)),
            Field("what", free=True),
            Field("points", low=0, high=combatant.pools.ready),
            Field("bonus"),
        )
        yield Offer(Template("act", combatant.id, fields), Act(combatant.id, "something", points=0))


MECHANICS = (
    Mechanic(Parry, check=check_parry, judge=judge_parry, offers=offer_parry),
    Mechanic(Interfere, check=check_interfere, judge=judge_interfere, offers=offer_interfere),
    Mechanic(Act, check=check_act, judge=judge_act, offers=offer_act),
)

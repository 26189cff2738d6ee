"""Attacks and the reactions to them: declaration, totals, power (MAM-ATK-01 to -06, MAM-ATK-12, MAM-POOL-11)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from mam_events.commands import Attack, Counterattack, Defend
from mam_events.encounter.judging import Judging
from mam_events.encounter.templates import Field, Offer, Sum, Template
from mam_events.errors import Refused
from mam_events.events import AttackDeclared, CounterattackDeclared, DefenseRaised, Modifier, Outcome
from mam_events.rules.checks import able, at_least_one, enough_ready, exchange_of, named, weapon_in_hand
from mam_events.rules.difficulty import difficulty_from_modifier
from mam_events.rules.edition import Mechanic
from mam_events.rules.hit_points import pay
from mam_events.rules.ruleset import Ruleset
from mam_events.rules.success_rolls import compare, settled
from mam_events.rules.turn_phases import acting
from mam_events.state import BODY, Action, Combatant, Encounter, Exchange, Weapon

REVISION = 1

POINTS = ("power", "modifier")

FIXED_DIFFICULTY = difficulty_from_modifier(0)
"""What stands for a die where nobody rolls against an action (MAM-DIFF-02)."""


def attack_modifier(weapon: Weapon, ruleset: Ruleset) -> int:
    """What the weapon adds to an attack roll (MAM-ATK-02); the body's number is option `body_modifier`."""
    if weapon.id == BODY and ruleset["body_modifier"] == "single_zero":
        return weapon.defense_modifier
    return weapon.attack_modifier


def defense_modifier(weapon: Weapon, ruleset: Ruleset) -> int:
    """What the weapon adds to a defence roll (MAM-ATK-03); the body's number is option `body_modifier`."""
    if weapon.id == BODY and ruleset["body_modifier"] == "single_two":
        return weapon.attack_modifier
    return weapon.defense_modifier


def attack_modifiers(combatant: Combatant, action: Action, ruleset: Ruleset) -> tuple[Modifier, ...]:
    """All that is added to the die of an attack or counterattack (MAM-ATK-02); never the defense pool (MAM-POOL-04)."""
    weapon = weapon_of(combatant, action)
    return (
        Modifier(weapon.name, attack_modifier(weapon, ruleset), "MAM-ATK-02"),
        Modifier("points on the attack", action.modifier, "MAM-ATK-01"),
    )


def defense_modifiers(combatant: Combatant, ruleset: Ruleset) -> tuple[Modifier, ...]:
    """All that is added to a plain defence (MAM-ATK-03): the best in hand, and the defense pool (MAM-POOL-03)."""
    best = max(combatant.in_hand, key=lambda weapon: defense_modifier(weapon, ruleset))
    return (
        Modifier(best.name, defense_modifier(best, ruleset), "MAM-ATK-03"),
        Modifier("defense pool", combatant.pools.defense, "MAM-POOL-03"),
    )


def total(face: int, modifiers: Iterable[Modifier]) -> int:
    """A die and everything added to it."""
    for modifier in modifiers:
        face += modifier.value
    return face


def weapon_of(combatant: Combatant, action: Action) -> Weapon:
    """The weapon an action is done with; the body where that weapon is gone."""
    return combatant.weapon(action.weapon) or combatant.weapons[0]


def attack_power(weapon_power: int, power_points: int, other_bonuses: int = 0) -> int:
    """Power of an attack: weapon, points spent on power, other bonuses (MAM-ATK-05)."""
    return weapon_power + power_points + other_bonuses


def automatic(face: int, ruleset: Ruleset) -> bool:
    """Whether that face succeeds whatever the total (MAM-ROLL-02): only a natural 20 does, and only on a d20."""
    return ruleset["combat_die"] == "d20" and face == 20  # noqa: PLR2004 - the printed number


class Faces(NamedTuple):
    """The natural faces of an attack and of what defends against it (None: no die was rolled there)."""

    attack: int
    defense: int | None


def hit(attack_total: int, defense_total: int, faces: Faces, ruleset: Ruleset) -> Outcome:
    """Whether an attack beats a defence or a parry (MAM-ATK-04), automatic successes included (MAM-ROLL-02)."""
    return natural(faces, ruleset) or compare(attack_total, defense_total, ruleset)


def natural(faces: Faces, ruleset: Ruleset) -> Outcome | None:
    """What the natural faces decide whatever the totals (MAM-ROLL-02); None where the totals decide."""
    defends = None if faces.defense is None else automatic(faces.defense, ruleset)
    return settled(acting=automatic(faces.attack, ruleset), opposing=defends, ruleset=ruleset)


class Clash(NamedTuple):
    """What came of an attack and of the counterattack that met it."""

    attack: Outcome
    counter: Outcome
    why: str


def meet_counterattack(
    attack_total: int, counter_total: int, faces: Faces, *, net_effect: int, ruleset: Ruleset
) -> Clash:
    """An attack met by an interfering counterattack (MAM-ATK-12, MAM-INTF-04); `net_effect` is the stun and damage
    that the counterattack would do.
    """
    settled = natural(faces, ruleset)
    outcome = settled or compare(attack_total, counter_total, ruleset)
    only_defends = ruleset["pool_counterattack"] == "defense_only"
    if outcome == "full":
        return Clash("full", "fail", "a natural 20" if settled else "the attack is higher")
    if not settled and attack_total == counter_total:
        return Clash(outcome, "fail" if only_defends else outcome, "a tie")
    if only_defends:
        return Clash("fail", "fail", "the counterattack is higher, and only defends")
    if net_effect > 0:
        return Clash("fail", "full", "the counterattack is higher")
    if ruleset.yes("ineffective_counter_defends"):
        return Clash("fail", "fail", "the counterattack is higher, without effect")
    return Clash("full", "fail", "the counterattack is higher but without effect, and no defence roll is left")


def check_attack(state: Encounter, ruleset: Ruleset, command: Attack) -> None:
    """Whether that attack may be declared (MAM-ATK-01, MAM-PHASE-04)."""
    attacker = acting(state, ruleset, command.attacker, "attacker")
    target = named(state, command.target, "target")
    if target.id == attacker.id:
        raise Refused("bad_target", f"{attacker.name} cannot attack itself.", rule="MAM-ATK-01", fields=("target",))
    if target.gone:
        raise Refused("bad_target", f"{target.name} is {target.condition}.", rule="MAM-ATK-01", fields=("target",))
    weapon_in_hand(attacker, command.weapon)
    spent = command.power + command.modifier
    at_least_one(spent, POINTS)
    enough_ready(attacker, spent, POINTS, "MAM-ATK-01")


def judge_attack(judging: Judging, command: Attack, _: None) -> None:
    """Declare an attack and pay for it."""
    judging.record(
        AttackDeclared(
            judging.ruling, command.attacker, command.target, command.weapon, command.power, command.modifier
        )
    )
    pay(judging, command.attacker, "attack", to_defense=command.modifier, to_other_used=command.power)


def offer_attack(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    """Every `attack` that could be ordered, legal or not."""
    for attacker in state.combatants.values():
        targets = tuple(other.id for other in state.combatants.values() if other.id != attacker.id and not other.gone)
        ready = attacker.pools.ready
        weapons = tuple(weapon.id for weapon in attacker.in_hand)
        template = Template(
            "attack",
            attacker.id,
            (
                Field("attacker", choices=(attacker.id,)),
                Field("target", choices=targets),
                Field("weapon", choices=weapons),
                Field("power", low=0, high=ready),
                Field("modifier", low=0, high=ready),
            ),
            (Sum(POINTS, 1, ready),),
        )
        least = Attack(attacker.id, targets[0] if targets else attacker.id, weapons[0], modifier=1)
        yield Offer(template, least)


def attacked(state: Encounter, number: int, name: str, rule: str) -> tuple[Exchange, Combatant]:
    """The open attack of that number and the combatant, if it is the target; refused with `not_the_target`."""
    exchange = exchange_of(state, number)
    combatant = named(state, name)
    if exchange.root.kind != "attack" or exchange.root.target != combatant.id:
        whom = state.combatants[exchange.root.target].name if exchange.root.target else "nobody"
        raise Refused(
            "not_the_target",
            f"Exchange {number} is not an attack on {combatant.name} but on {whom}; others may interfere.",
            rule=rule,
            fields=("combatant",),
        )
    able(combatant)
    return exchange, combatant


def unanswered(exchange: Exchange, combatant: Combatant, rule: str) -> None:
    """Refused with `already_answered` when something already stands in place of the defence roll (MAM-INTF-03)."""
    answer = exchange.answer
    if answer is not None:
        raise Refused(
            "already_answered",
            f"{combatant.name} already answers with a {answer.kind} ({answer.id}); one roll replaces the defence.",
            rule=rule,
            fields=("combatant",),
        )


def check_defend(state: Encounter, ruleset: Ruleset, command: Defend) -> None:
    """Whether those points may go into defense now (MAM-POOL-11, `reaction_hp_cap`)."""
    exchange, combatant = attacked(state, command.exchange, command.combatant, "MAM-POOL-11")
    at_least_one(command.points, ("points",), "MAM-POOL-11")
    enough_ready(combatant, command.points, ("points",), "MAM-POOL-11")
    room = reaction_room(exchange, ruleset)
    if room is not None and command.points > room:
        raise Refused(
            "exceeds_cap",
            f"The attack used {exchange.root.points} points, so at most {room} more may go into defense against it.",
            rule="MAM-POOL-11",
            fields=("points",),
        )


def reaction_room(exchange: Exchange, ruleset: Ruleset) -> int | None:
    """How many more points a reaction may take (`reaction_hp_cap`); None where there is no cap."""
    if ruleset["reaction_hp_cap"] == "uncapped":
        return None
    return max(0, exchange.root.points - exchange.defended)


def judge_defend(judging: Judging, command: Defend, _: None) -> None:
    """Move ready points into defense before the dice are rolled."""
    judging.record(DefenseRaised(command.exchange, command.combatant, command.points))
    pay(judging, command.combatant, "defend", to_defense=command.points)


def offer_defend(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    """Every `defend` that could be ordered, legal or not."""
    exchange = state.exchange
    if exchange is None or exchange.root.kind != "attack":
        return
    target = state.combatants[exchange.root.target]
    room = reaction_room(exchange, ruleset)
    most = target.pools.ready if room is None else min(target.pools.ready, room)
    fields = (
        Field("combatant", choices=(target.id,)),
        Field("exchange", choices=(exchange.id,)),
        Field("points", low=1, high=most),
    )
    yield Offer(Template("defend", target.id, fields), Defend(target.id, exchange.id, 1))


def check_counterattack(state: Encounter, ruleset: Ruleset, command: Counterattack) -> Exchange:
    """Whether the target may strike back with those points: no more than the attack used (MAM-ATK-12, MAM-INTF-05)."""
    exchange, combatant = attacked(state, command.exchange, command.combatant, "MAM-ATK-12")
    unanswered(exchange, combatant, "MAM-INTF-03")
    weapon_in_hand(combatant, command.weapon)
    spent = command.power + command.modifier
    at_least_one(spent, POINTS)
    capped(spent, exchange.root.points, POINTS)
    enough_ready(combatant, spent, POINTS, "MAM-ATK-12")
    return exchange


def capped(points: int, cap: int, fields: tuple[str, ...]) -> None:
    """Refused with `exceeds_cap` when an interfering action uses more points than what it interrupts (MAM-INTF-05)."""
    if points > cap:
        raise Refused(
            "exceeds_cap",
            f"An interfering action may use no more points than the one it interrupts: {cap}, not {points}.",
            rule="MAM-INTF-05",
            fields=fields,
        )


def judge_counterattack(judging: Judging, command: Counterattack, exchange: Exchange) -> None:
    """Declare a counterattack and pay for it; its roll will stand in place of the defence roll."""
    judging.record(
        CounterattackDeclared(
            exchange.id,
            judging.ruling,
            command.combatant,
            exchange.root.combatant,
            command.weapon,
            command.power,
            command.modifier,
        )
    )
    pay(judging, command.combatant, "counterattack", to_defense=command.modifier, to_other_used=command.power)


def offer_counterattack(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    """Every `counterattack` that could be ordered, legal or not."""
    exchange = state.exchange
    if exchange is None or exchange.root.kind != "attack":
        return
    target = state.combatants[exchange.root.target]
    most = min(target.pools.ready, exchange.root.points)
    weapons = tuple(weapon.id for weapon in target.in_hand)
    template = Template(
        "counterattack",
        target.id,
        (
            Field("combatant", choices=(target.id,)),
            Field("exchange", choices=(exchange.id,)),
            Field("weapon", choices=weapons),
            Field("power", low=0, high=most),
            Field("modifier", low=0, high=most),
        ),
        (Sum(POINTS, 1, most),),
    )
    yield Offer(template, Counterattack(target.id, exchange.id, weapons[0], modifier=1))


MECHANICS = (
    Mechanic(Attack, check=check_attack, judge=judge_attack, offers=offer_attack),
    Mechanic(Defend, check=check_defend, judge=judge_defend, offers=offer_defend),
    Mechanic(Counterattack, check=check_counterattack, judge=judge_counterattack, offers=offer_counterattack),
)

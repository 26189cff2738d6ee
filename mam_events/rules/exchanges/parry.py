"""The parry: a one-point action that interferes with an attack, on oneself or on somebody else (MAM-INTF-06)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from mam_events.commands import Parry
from mam_events.decider.action_price import ActionPrice
from mam_events.decider.checks import weapon_in_hand
from mam_events.decider.engine import Decision, RollContext, RuleModule, Ruleset
from mam_events.decider.mechanic import Mechanic
from mam_events.decider.offers import Field, Offer, offer
from mam_events.errors import Refused
from mam_events.events import Modifier, ParryDeclared
from mam_events.refusals.arguments import RulingArgument
from mam_events.rules.attack.attacks import defense_modifier, passive_modifiers, weapon_of
from mam_events.rules.attack.default_weapon import with_default_weapon
from mam_events.rules.attack.terms import answered_attack
from mam_events.rules.exchanges.interference import interference_cap, require_interferer
from mam_events.rules.missiles.archery import answer_weapons, check_reaction
from mam_events.rules.rolls.combat_rolls import combat_modifiers
from mam_events.state import Action, Encounter, Exchange

PARRY_POINTS = 1


class ParryOption(Struct, frozen=True):
    """A parry as it will be declared: the attack that it parries, and the price."""

    target: Action
    price: ActionPrice


def parry_modifiers(state: Encounter, ruleset: Ruleset, action: Action, exchange: Exchange) -> tuple[Modifier, ...]:
    """Return all modifiers of a parry (MAM-INTF-06, `parry_modifiers`, `passive_modifier`).

    What makes the attack harder counts only if the parry replaces the defense roll (MAM-INTF-03).
    """
    combatant = state.combatants[action.combatant]
    parried = exchange.action(action.against)
    assert parried is not None  # noqa: S101 - declared against an action of this exchange, which nothing removes
    weapon = weapon_of(combatant, action)
    own = Modifier(weapon.name, defense_modifier(weapon, ruleset), "MAM-INTF-06")
    passive = ruleset["passive_modifier"] == "defense_pool_plus_bonuses"
    if answered_attack(combatant, parried):
        protecting = passive_modifiers(state, ruleset, parried, combatant, passive=passive)
    else:
        attacker = state.combatants[parried.combatant]
        protecting = combat_modifiers(RollContext(state, ruleset, parried, combatant, attacker, "defense"))
        if passive:
            protecting += combat_modifiers(RollContext(state, ruleset, parried, combatant, attacker, "passive"))
    return (
        *((own,) if ruleset["parry_modifiers"] == "include_weapon_modifier" else ()),
        Modifier("parry modifier", combatant.parry + weapon.parry, "MAM-INTF-06"),
        Modifier("defense pool", combatant.pools.defense, "MAM-INTF-06"),
        *protecting,
    )


def check_parry(state: Encounter, ruleset: Ruleset, command: Parry) -> ParryOption:
    """Return the parry and its price: one point, no more than the attack used (MAM-INTF-05, MAM-INTF-06)."""
    number = command.action or command.exchange
    combatant, exchange, target = require_interferer(state, ruleset, command.combatant, command.exchange, number)
    if not target.attacks:
        raise Refused(
            "no_attack",
            actor=state.combatants[target.combatant],
            action=RulingArgument(target.id),
            who=combatant,
            rule="MAM-INTF-06",
            fields=("action",),
        )
    weapon = weapon_in_hand(combatant, command.weapon)
    check_reaction(state, ruleset, combatant.id, weapon.id, strikes=False)
    price = parry_price(ruleset)
    ruleset.edition.economy.react(state, ruleset, combatant, price, interference_cap(state, exchange, target, ruleset))
    return ParryOption(target, price)


def parry_price(ruleset: Ruleset) -> ActionPrice:
    """Return the point that a parry costs if points are spent, and the pool it goes to (`parry_point_pool`)."""
    points = ruleset.edition.economy.charged(PARRY_POINTS)
    if ruleset.get("parry_point_pool") == "defense":
        return ActionPrice(points, 0, ("combatant",), "MAM-INTF-06")
    return ActionPrice(0, points, ("combatant",), "MAM-INTF-06")


def judge_parry(judging: Decision, command: Parry, option: ParryOption) -> None:
    """Declare a parry and pay for it."""
    target, exchange = option.target, command.exchange
    of_another = 0 if target.id == exchange else target.id
    points = option.price.points
    judging.record(ParryDeclared(exchange, judging.ruling, command.combatant, command.weapon, points, of_another))
    judging.ruleset.edition.economy.pay_reaction(judging, command.combatant, "parry", option.price)


def _offer_parry(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    """Yield the parries, those of the attacked combatant first."""
    exchange = state.exchange
    if exchange is None:
        return
    for action in exchange.actions:
        if not action.attacks:
            continue
        first = action.id == exchange.id
        for combatant in sorted(state.combatants.values(), key=lambda one: one.id != action.target):
            if combatant.id == action.combatant:
                continue
            weapons = answer_weapons(state, ruleset, combatant, strikes=False)
            yield offer(
                Parry(combatant.id, exchange.id, weapons[0], 0 if first else action.id),
                Field("weapon", choices=weapons),
                Field("action", choices=(0, action.id) if first else (action.id,)),
                pinned=("exchange",),
            )


SECTION = RuleModule(
    mechanics=(
        Mechanic(Parry, check=check_parry, judge=judge_parry, offers=_offer_parry, completes=with_default_weapon),
    ),
)

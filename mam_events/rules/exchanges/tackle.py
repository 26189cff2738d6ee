"""Tackles: stopping an action by manipulating its actor (MAM-INTF-02, MAM-INTF-04)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from mam_events.commands import Manipulate, Tackle
from mam_events.decider.action_kinds import require_can_strike
from mam_events.decider.action_price import ActionPrice
from mam_events.decider.checks import weapon_in_hand
from mam_events.decider.engine import Decision, RuleModule, Ruleset
from mam_events.decider.mechanic import Mechanic
from mam_events.decider.offers import Field, Offer, Sum, offer
from mam_events.errors import Refused
from mam_events.events import TackleDeclared
from mam_events.refusals.arguments import thing_of
from mam_events.rules.attack.attacks import check_target
from mam_events.rules.attack.terms import answered_attack, require_hand_to_hand
from mam_events.rules.exchanges.interference import interference_cap, require_interferer
from mam_events.rules.grappling.manipulate import (
    SQUEEZED,
    SUMMED_POINT_FIELDS,
    ManipulationChoice,
    check_follow_up,
    check_item,
    disarmable_weapons,
    is_shot_grip,
    manipulation_choices,
    measured_by,
)
from mam_events.rules.missiles.archery import check_reaction
from mam_events.state import Action, Combatant, Encounter, Exchange, Manipulation


class TackleOption(Struct, frozen=True):
    """A tackle as it will be declared: the action to stop, the manipulation, and the price."""

    target: Action
    what: Manipulation
    price: ActionPrice


def check_tackle(state: Encounter, ruleset: Ruleset, command: Tackle) -> TackleOption:
    """Return the tackle, if that combatant may do it now (MAM-INTF-01 to MAM-INTF-05).

    Raises Refused with `missile_weapon` for a weapon that can only shoot, or as for an interference and a manipulation.
    """
    combatant, exchange, target = require_interferer(
        state, ruleset, command.combatant, command.exchange, command.action
    )
    other = state.combatants[target.combatant]
    weapon = weapon_in_hand(combatant, command.weapon)
    if is_shot_grip(weapon):
        bow = thing_of(combatant, weapon)
        raise Refused("missile_weapon", weapon=bow, rule="MAM-MNP-03", fields=("weapon",))
    require_can_strike(state, ruleset, combatant)
    check_target(combatant, other)
    check_reaction(state, ruleset, combatant.id, weapon.id, strikes=False)
    by_hand = Manipulate(
        command.combatant,
        other.id,
        command.weapon,
        command.points,
        command.power,
        command.modifier,
        command.follow_up,
        command.item,
    )
    check_follow_up(by_hand, weapon)
    require_hand_to_hand(state, weapon, answered_attack(combatant, target))
    measured_by(by_hand, weapon)
    check_item(by_hand, other)
    fields = SQUEEZED if command.power else SUMMED_POINT_FIELDS
    price = ActionPrice(command.modifier, command.points + command.power, fields, "MAM-INTF-05")
    ruleset.edition.economy.react(state, ruleset, combatant, price, interference_cap(state, exchange, target, ruleset))
    return TackleOption(target, Manipulation(command.points, command.follow_up, command.item), price)


def judge_tackle(judging: Decision, command: Tackle, option: TackleOption) -> None:
    """Declare a tackle and pay for it; it is rolled together with the action that it is to stop."""
    judging.record(
        TackleDeclared(
            command.exchange,
            judging.ruling,
            command.combatant,
            option.target.id,
            option.target.combatant,
            command.weapon,
            option.what,
            command.power,
            command.modifier,
            option.price.points,
        )
    )
    judging.ruleset.edition.economy.pay_reaction(judging, command.combatant, "manipulation", option.price)


def _offer_tackle(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    """Yield tackles by hand, by squeezing, and disarming ones."""
    exchange = state.exchange
    if exchange is None:
        return
    for combatant in state.combatants.values():
        for action in exchange.actions:
            if action.combatant != combatant.id:
                yield from _against(state, ruleset, combatant, exchange, action)


def _against(
    state: Encounter, ruleset: Ruleset, combatant: Combatant, exchange: Exchange, action: Action
) -> Iterator[Offer]:
    low, most = ruleset.edition.economy.reaction_span(combatant, interference_cap(state, exchange, action, ruleset))
    items = disarmable_weapons(state.combatants[action.combatant])
    for weapon in combatant.in_hand:
        for way in manipulation_choices(weapon) if not is_shot_grip(weapon) else ():
            if way.thrown:
                continue
            least = Tackle(
                combatant.id,
                exchange.id,
                action.id,
                weapon.id,
                follow_up=way.follow_ups[0],  # type: ignore[arg-type]  # one of its values
            )
            yield _offer(least, way, (low, most))
            if items and "none" in way.follow_ups:
                disarming = Tackle(combatant.id, exchange.id, action.id, weapon.id, follow_up="disarm", item=items[0])
                yield _offer(disarming, replace(way, follow_ups=("disarm",)), (low, most), items)


def _offer(least: Tackle, way: ManipulationChoice, span: tuple[int, int], items: tuple[str, ...] = ("",)) -> Offer:
    low, most = span
    return offer(
        replace(least, **{way.summed[1]: low}),
        *[Field(name, low=0, high=most) for name in way.summed],
        Field("follow_up", choices=way.follow_ups),
        Field("item", choices=items),
        pinned=("exchange", "action", "weapon"),
        total=Sum(way.summed, low, most),
    )


SECTION = RuleModule(
    mechanics=(Mechanic(Tackle, check=check_tackle, judge=judge_tackle, offers=_offer_tackle),),
)

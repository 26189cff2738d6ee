"""Resting and aiming during a fight (MAM-POS-02, MAM-POS-04)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from mam_events.commands import Aim, Rest
from mam_events.decider.action_kinds import build_action_offer, require_affordable, require_can_act
from mam_events.decider.action_price import ActionPrice
from mam_events.decider.checks import weapon_in_hand
from mam_events.decider.engine import Decision, OngoingEffect, RuleModule, Ruleset
from mam_events.decider.mechanic import Mechanic
from mam_events.decider.offers import Field, Offer
from mam_events.decider.rule_tables import DeedKind
from mam_events.errors import Refused
from mam_events.events import AimLost, AimTaken, PositionChanged, RestTaken, StunRecovered
from mam_events.refusals.arguments import thing_of
from mam_events.rules.health.wounds import settle_condition
from mam_events.rules.maneuvering.evade import until_next_turn_ends
from mam_events.rules.maneuvering.grapple_positions import grapples
from mam_events.state import Action, Combatant, Encounter, Exchange


def check_rest(state: Encounter, ruleset: Ruleset, command: Rest) -> ActionPrice:
    """Return the price of resting, if that combatant may do it now (MAM-POS-04)."""
    combatant = require_can_act(state, ruleset, command.combatant, "rest")
    return require_affordable(state, ruleset, combatant, "rest", command.points, "MAM-POS-04")


def judge_rest(judging: Decision, command: Rest, price: ActionPrice) -> None:
    """Rest: gain a bonus to defense, and recover all stun if the house rules say so (`rest_action_effect`)."""
    name, ruleset = command.combatant, judging.ruleset
    lose_aim(judging, name, "other")
    effect = until_next_turn_ends(judging.state.combatants[name], "resting", "MAM-POS-04", ruleset)
    judging.record(RestTaken(name, effect))
    ruleset.edition.economy.pay(judging, name, "rest", "action", price)
    pools = judging.state.combatants[name].pools
    if pools.stun and ruleset["rest_action_effect"] == "recover_all_stun":
        judging.record(StunRecovered(name, pools.stun, pools.move("stun", "other_used", pools.stun)))
        settle_condition(judging, name)


def _offer_rest(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    for combatant in state.combatants.values():
        yield build_action_offer(state, ruleset, combatant, "rest", Rest(combatant.id))


def check_aim(state: Encounter, ruleset: Ruleset, command: Aim) -> ActionPrice:
    """Return the price of aiming that weapon, if that combatant may do it now: it is an action (MAM-POS-02).

    A combatant who aims one weapon may aim another instead. Raises Refused with `not_missile` or `exceeds_maximum`.
    Raises `wrong_position` if that weapon is aimed already, or if it is to be aimed no longer and is not aimed.
    """
    deed: DeedKind = "stop_aiming" if command.stop else "aim"
    combatant = require_can_act(state, ruleset, command.combatant, deed, weapon=command.weapon)
    weapon = weapon_in_hand(combatant, command.weapon)
    aimed_with = combatant.status.aiming or (weapon.id if command.stop and combatant.status.aims else "")
    if (aimed_with == weapon.id) != command.stop:
        raise Refused(
            "wrong_position/not_aiming" if command.stop else "wrong_position/aiming_already",
            who=combatant,
            weapon=thing_of(combatant, weapon),
            rule="MAM-POS-01",
            fields=("weapon",),
        )
    if not weapon.is_missile:
        raise Refused("not_missile", weapon=thing_of(combatant, weapon), rule="MAM-POS-02", fields=("weapon",))
    if command.stop and command.points:
        raise Refused("exceeds_maximum/stop_aiming", rule="MAM-POS-02", fields=("points",))
    return require_affordable(state, ruleset, combatant, deed, command.points, "MAM-POS-02")


def judge_aim(judging: Decision, command: Aim, price: ActionPrice) -> None:
    """Aim, standing or on the ground, or stop aiming."""
    if command.stop:
        lose_aim(judging, command.combatant, "stopped")
        return
    position = judging.state.combatants[command.combatant].status.position
    aiming = judging.ruleset.tables.positions[position].aimed or position
    judging.record(AimTaken(command.combatant, command.weapon, aiming))
    judging.ruleset.edition.economy.pay(judging, command.combatant, "aim", "action", price, command.weapon)


def _offer_aim(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    for combatant in state.combatants.values():
        for weapon in combatant.in_hand:
            if weapon.is_missile:
                stop = combatant.status.aiming == weapon.id
                deed: DeedKind = "stop_aiming" if stop else "aim"
                which = (Field("weapon", choices=(weapon.id,)), Field("stop", choices=(stop,)))
                yield build_action_offer(
                    state, ruleset, combatant, deed, Aim(combatant.id, weapon.id, stop=stop), *which
                )


def lose_aim(judging: Decision, name: str, cause: AimLost) -> None:
    """Record that a combatant no longer aims, if it did.

    The digest does not say how long a combatant aims. Here it aims until it moves, is stunned or damaged, has shot,
    strikes, parries or grapples with something else, or takes another position (MAM-POS-01, MAM-POS-02).
    """
    position = judging.state.combatants[name].status.position
    lost = judging.ruleset.tables.positions[position].lost
    if lost:
        judging.record(PositionChanged(name, position, lost, cause))


def aimed_weapon(_: Encounter, combatant: Combatant) -> tuple[str, ...]:
    """Return the weapon that it aims: "" if the game master did not say which, none if it does not aim."""
    return (combatant.status.aiming,) if combatant.status.aims else ()


def aim_end_reason(state: Encounter, ruleset: Ruleset, combatant: Combatant, weapon: str) -> AimLost | Literal[""]:
    """Return the reason why a combatant no longer aims; "" while it aims.

    It is down, grapples, attacks or parries with something else, or no longer has the weapon that it aimed.
    """
    if combatant.condition != "able":
        return "fell"
    if grapples(state, combatant):
        return "grappling"
    if weapon and not combatant.carries(weapon):
        return "lost"
    declared = state.exchange.actions if state.exchange else ()
    own = (action for action in declared if action.combatant == combatant.id and action.weapon)
    others = (action.weapon != weapon if weapon else action.attacks and not action.terms.missile for action in own)
    return "other" if any(others) else ""


def stop_aiming(judging: Decision, name: str, weapon: str, cause: AimLost) -> None:
    """Record that a combatant no longer aims."""
    lose_aim(judging, name, cause)


def end_aim_on_move(judging: Decision, name: str) -> None:
    """Record that a combatant who moves no longer aims."""
    lose_aim(judging, name, "move")


def end_aim_on_wound(judging: Decision, name: str) -> None:
    """Record that a combatant who is stunned or damaged no longer aims."""
    lose_aim(judging, name, "wound")


def end_aim_on_shot(judging: Decision, exchange: Exchange, done: tuple[Action, ...]) -> None:
    """Record that combatants who have shot must aim again, also after a shot in answer."""
    for action in done:
        if action.terms.missile:
            lose_aim(judging, action.combatant, "shot")


SECTION = RuleModule(
    ongoing=(OngoingEffect("aim", "status.aims", aim_end_reason, stop_aiming, aimed_weapon),),
    at_move=(end_aim_on_move,),
    at_wound=(end_aim_on_wound,),
    at_resolved=(end_aim_on_shot,),
    mechanics=(
        Mechanic(Rest, check=check_rest, judge=judge_rest, offers=_offer_rest),
        Mechanic(Aim, check=check_aim, judge=judge_aim, offers=_offer_aim),
    ),
)

"""Resting and aiming in the middle of a fight (MAM-POS-02, MAM-POS-04)."""

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
    """The price of resting, if that combatant may do it now (MAM-POS-04)."""
    combatant = require_can_act(state, ruleset, command.combatant, "rest")
    return require_affordable(state, ruleset, combatant, "rest", command.points, "MAM-POS-04")


def judge_rest(judging: Decision, command: Rest, price: ActionPrice) -> None:
    """Rest: a bonus to the defense, and all stun back where the house says so (`rest_action_effect`)."""
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
    """The price of aiming, if that combatant may do it now with that weapon: it is an action (MAM-POS-02).

    Whoever aims one weapon may aim another instead. Refused with `not_missile`, or with `wrong_position` where that one
    is aimed already, or is to be aimed no longer and is not aimed.
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
    if not weapon.missile:
        raise Refused("not_missile", weapon=thing_of(combatant, weapon), rule="MAM-POS-02", fields=("weapon",))
    if command.stop and command.points:
        raise Refused("exceeds_maximum/stop_aiming", rule="MAM-POS-02", fields=("points",))
    return require_affordable(state, ruleset, combatant, deed, command.points, "MAM-POS-02")


def judge_aim(judging: Decision, command: Aim, price: ActionPrice) -> None:
    """Aim, standing or on the ground, or aim no longer."""
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
            if weapon.missile:
                stop = combatant.status.aiming == weapon.id
                deed: DeedKind = "stop_aiming" if stop else "aim"
                which = (Field("weapon", choices=(weapon.id,)), Field("stop", choices=(stop,)))
                yield build_action_offer(
                    state, ruleset, combatant, deed, Aim(combatant.id, weapon.id, stop=stop), *which
                )


def lose_aim(judging: Decision, name: str, cause: AimLost) -> None:
    """Record that a combatant no longer aims, if it did.

    How long one aims the digest leaves open: until one moves, is stunned or damaged, has shot, strikes, parries or
    grapples with something else, or takes another position (MAM-POS-01, MAM-POS-02).
    """
    position = judging.state.combatants[name].status.position
    left = judging.ruleset.tables.positions[position].lost
    if left:
        judging.record(PositionChanged(name, position, left, cause))


def aimed_weapon(_: Encounter, combatant: Combatant) -> tuple[str, ...]:
    """The weapon it aims with, "" where the game master said that it aims and not with what; none where it does not."""
    return (combatant.status.aiming,) if combatant.status.aims else ()


def aim_end_reason(state: Encounter, ruleset: Ruleset, combatant: Combatant, weapon: str) -> AimLost | Literal[""]:
    """The reason why somebody aims no longer: it is down, grapples, attacks or parries with something else, or what it
    aimed with has left its hands; "" while it aims.
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
    """Record that somebody aims no longer."""
    lose_aim(judging, name, cause)


def end_aim_on_move(judging: Decision, name: str) -> None:
    """Whoever moves aims no longer."""
    lose_aim(judging, name, "move")


def end_aim_on_wound(judging: Decision, name: str) -> None:
    """Whoever is stunned or damaged aims no longer."""
    lose_aim(judging, name, "wound")


def end_aim_on_shot(judging: Decision, exchange: Exchange, done: tuple[Action, ...]) -> None:
    """Whoever has shot has to aim anew, in answer to somebody as well."""
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

"""Ongoing holds: their effects each round, their upkeep, their end (MAM-MNP-05 to MAM-MNP-07, MAM-MNP-10)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from mam_events.commands import MaintainGrapple, Release
from mam_events.decider.action_kinds import require_can_act
from mam_events.decider.action_price import ActionPrice
from mam_events.decider.checks import require_combatant, require_not_thrown, require_open
from mam_events.decider.engine import Decision, OngoingEffect, RollContext, RuleModule, Ruleset
from mam_events.decider.mechanic import Mechanic
from mam_events.decider.offers import Field, Offer, offer
from mam_events.errors import Refused
from mam_events.events import GrappleEffectApplied, GrappleMaintained, GrappleReleased, HoldEnd, Modifier
from mam_events.refusals.arguments import thing_arguments
from mam_events.rules.health import armor
from mam_events.rules.health.hit_points import (
    after_hold_end,
    break_hold,
    hold_is_short,
    must_spend_again,
    reserve_of,
    settle_reserves,
)
from mam_events.rules.health.wounds import wound, wound_of
from mam_events.state import BODY, Action, Combatant, Encounter, Grapple


def holds_on(state: Encounter, name: str) -> Iterator[tuple[Combatant, Grapple]]:
    """Yield every hold on a combatant, with its holder."""
    for holder in state.combatants.values():
        for grapple in holder.grapples:
            if grapple.held == name:
                yield holder, grapple


def penalties(state: Encounter, name: str) -> Iterator[Modifier]:
    """Yield the penalties of holds on the rolls of a held combatant, one for each hold (MAM-MNP-05)."""
    for _, grapple in holds_on(state, name):
        if grapple.modifier:
            yield Modifier("held", -grapple.modifier, "MAM-MNP-05")


def hold_penalty(rolling: RollContext) -> Iterator[Modifier]:
    """Yield the penalties of holds on a combat roll; for another action only if all rolls suffer."""
    # held_penalty_scope: an action that is no attack, parry or interference makes no combat roll.
    plain = rolling.role == "attack" and rolling.action.kind == "action"
    if not plain or hampers_all(rolling.ruleset):
        yield from penalties(rolling.state, rolling.combatant.id)


def success_roll_hold_penalty(state: Encounter, ruleset: Ruleset, combatant: Combatant) -> Iterator[Modifier]:
    """Yield the penalties of holds on a success roll (`held_penalty_scope`, MAM-MNP-07)."""
    if hampers_all(ruleset):
        yield from penalties(state, combatant.id)


def hampers_all(ruleset: Ruleset) -> bool:
    """Return True if a hold makes every roll harder (`held_penalty_scope`)."""
    return ruleset["held_penalty_scope"] == "all_rolls"


def squeeze(judging: Decision, holder: str, grapple: Grapple) -> None:
    """Let a choke or wrench hit once, without a roll (MAM-MNP-06).

    The grip does not shift, so the armor that absorbed some of the first hit also does so for every other, while it is
    worn.
    """
    combatant = judging.state.combatants[holder]
    weapon = combatant.weapon(grapple.weapon) or combatant.weapons[0]
    absorbed = armor.still_absorbed(judging.state.combatants[grapple.held], grapple.armor, judging.ruleset)
    judging.record(GrappleEffectApplied(holder, grapple.id, grapple.held, grapple.power, absorbed))
    stun, damage = wound_of(weapon, grapple.power, absorbed, "full", judging.ruleset)
    wound(judging, grapple.held, grapple.exchange, stun, damage)


def squeezes(grapple: Grapple) -> bool:
    """Return True if a hold hits the held combatant."""
    return grapple.kind != "hold" and bool(grapple.held)


def at_turn_start(judging: Decision, name: str) -> None:
    """Record, in its holder's turn, the effects of a hold whose points stay in other used (`hold_effect_timing`)."""
    grapples = judging.state.combatants[name].grapples
    if grapples and not must_spend_again(judging.ruleset):
        _keep_up(judging, name, grapples)


def at_round_start(judging: Decision) -> None:
    """Record the effects of holds at the beginning of a round (`hold_effect_timing`)."""
    if judging.ruleset["hold_effect_timing"] == "round_start":
        for name in tuple(judging.state.combatants):
            _squeeze_all(judging, name, judging.state.combatants[name].grapples)


def at_turn_end(judging: Decision, name: str) -> None:
    """Record that a hold that is paid for each round, and was not in this one, is over (MAM-MNP-10)."""
    combatant = judging.state.combatants[name]
    if combatant.grapples and must_spend_again(judging.ruleset):
        for grapple in combatant.grapples:
            if grapple.maintained < judging.state.round:
                break_hold(judging, name, grapple.id, "not_maintained")


def _keep_up(judging: Decision, name: str, grapples: tuple[Grapple, ...]) -> None:
    for grapple in grapples:
        if grapple.maintained < judging.state.round:
            judging.record(GrappleMaintained(name, grapple.id, judging.state.round))
    if judging.ruleset["hold_effect_timing"] == "holder_turn":
        _squeeze_all(judging, name, grapples)


def _squeeze_all(judging: Decision, name: str, grapples: tuple[Grapple, ...]) -> None:
    """Let those of the holds hit that have not hit in this round, no matter in which turn they began (MAM-MNP-06)."""
    for grapple in grapples:
        if not squeezes(grapple) or grapple.hit == judging.state.round:
            continue
        # A hit may end another of the holds, and a hold without its points does nothing (MAM-POOL-07).
        holder = judging.state.combatants[name]
        still_holds = any(hold.id == grapple.id for hold in holder.grapples)
        keeps = grapple.points and not must_spend_again(judging.ruleset)
        if still_holds and not (keeps and reserve_of(holder, judging.ruleset).shortfall):
            squeeze(judging, name, grapple)


def hold_end_reason(state: Encounter, ruleset: Ruleset, holder: Combatant, grapple: Grapple) -> HoldEnd | Literal[""]:
    """Return the reason why a hold can no longer go on (MAM-MNP-10); "" while it goes on.

    Its holder is down, the held one is gone, the weapon that holds has left the hand, or was thrown and has been picked
    up, or its points are missing (MAM-POOL-07). A hold that the game master declared has no points to begin with: it
    lacks them only once some are lost.
    """
    if holder.condition != "able":
        return "holder_down"
    if grapple.held and state.combatants[grapple.held].is_gone:
        return "held_gone"
    if grapple.lies:
        if grapple.weapon not in holder.dropped:
            return "taken_up"
    elif grapple.weapon not in ("", BODY) and grapple.weapon not in [weapon.id for weapon in holder.in_hand]:
        return "weapon_gone"
    paid = grapple.exchange and grapple.points
    return "points_gone" if paid and hold_is_short(holder, ruleset) else ""


def end(judging: Decision, name: str, grapple: Grapple, cause: HoldEnd) -> None:
    """End a hold that cannot go on; if points are short, the newest hold loses its points (`grapple_shortfall`)."""
    if cause == "points_gone":
        settle_reserves(judging, name)
    else:
        break_hold(judging, name, grapple.id, cause)


def frees_by_stopping(judging: Decision, action: Action, stopped: Action) -> None:
    """Free the one who stops the holder's action, if nothing else helps against a hold (`hold_escape`)."""
    if judging.ruleset["hold_escape"] == "interference_only":
        for grapple in judging.state.combatants[stopped.combatant].grapples:
            if grapple.held == action.combatant:
                break_hold(judging, stopped.combatant, grapple.id, "interference")


def hold_of(combatant: Combatant, name: str) -> Grapple:
    """Return that hold of the combatant; raise Refused with `unknown_grapple`."""
    for grapple in combatant.grapples:
        if grapple.id == name:
            return grapple
    raise Refused(
        "unknown_grapple",
        who=combatant,
        rule="MAM-POOL-07",
        fields=("grapple",),
        wrong=name,
        allowed=thing_arguments(combatant, (grapple.id for grapple in combatant.grapples)),
    )


def check_release(state: Encounter, ruleset: Ruleset, command: Release) -> None:
    """Raise Refused unless it has that hold; it may be released at any time (MAM-MNP-10)."""
    require_open(state)
    require_not_thrown(state)
    hold_of(require_combatant(state, command.combatant), command.grapple)


def judge_release(judging: Decision, command: Release, _: None) -> None:
    """Release a hold."""
    judging.record(GrappleReleased(command.combatant, command.grapple))
    after_hold_end(judging, command.combatant)


def _offer_release(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    for combatant in state.combatants.values():
        ids = tuple(grapple.id for grapple in combatant.grapples)
        if ids:
            yield offer(Release(combatant.id, ids[0]), Field("grapple", choices=ids))


def check_maintain(state: Encounter, ruleset: Ruleset, command: MaintainGrapple) -> ActionPrice:
    """Return the price of keeping that hold up: as many points as it took at first (MAM-MNP-05)."""
    if not must_spend_again(ruleset):
        raise Refused("kept_by_itself", rule="MAM-MNP-05", fields=("grapple",))
    combatant = require_can_act(state, ruleset, command.combatant, "maintain")
    grapple = hold_of(combatant, command.grapple)
    if grapple.maintained >= state.round:
        raise Refused("already_maintained", combatant=combatant, rule="MAM-MNP-05", fields=("grapple",))
    price = ActionPrice(0, ruleset.edition.economy.charged(grapple.points), ("grapple",), "MAM-MNP-05")
    ruleset.edition.economy.afford(state, ruleset, combatant, "maintain", price)
    return price


def judge_maintain(judging: Decision, command: MaintainGrapple, price: ActionPrice) -> None:
    """Pay for a hold once more; a choke or wrench hits again."""
    judging.ruleset.edition.economy.pay(judging, command.combatant, "maintain", "manipulation", price)
    _keep_up(judging, command.combatant, (hold_of(judging.state.combatants[command.combatant], command.grapple),))


def _offer_maintain(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    if must_spend_again(ruleset):
        for combatant in state.combatants.values():
            for grapple in combatant.grapples:
                yield offer(MaintainGrapple(combatant.id, grapple.id), pinned=("grapple",))


SECTION = RuleModule(
    attack_modifiers=(hold_penalty,),
    defense_modifiers=(hold_penalty,),
    check_modifiers=(success_roll_hold_penalty,),
    at_round_start=(at_round_start,),
    at_turn_start=(at_turn_start,),
    at_turn_end=(at_turn_end,),
    ongoing=(OngoingEffect("hold", "grapples", hold_end_reason, end),),
    at_interfered=(frees_by_stopping,),
    mechanics=(
        Mechanic(Release, check=check_release, judge=judge_release, offers=_offer_release),
        Mechanic(MaintainGrapple, check=check_maintain, judge=judge_maintain, offers=_offer_maintain),
    ),
)

"""Consequences of a successful manipulation: a hold, a throw, a lost weapon (MAM-MNP-01 to MAM-MNP-10)."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from mam_events.decider.checks import is_allowed
from mam_events.decider.engine import Decision
from mam_events.decider.strikes import THROWN_BODY
from mam_events.events import (
    GrappleEstablished,
    ManipulationPenaltyApplied,
    ManipulationResolved,
    TargetDisarmed,
    TargetThrown,
    ThrownBodyStruck,
)
from mam_events.refusals.arguments import Term, text_fragment
from mam_events.rules.attack.attacks import AutomaticSuccess, attack_outcome, check_target, totals
from mam_events.rules.exchanges.rolls import Rolls
from mam_events.rules.grappling.holds import squeeze, squeezes
from mam_events.rules.grappling.manipulation_numbers import (
    Grip,
    ManipulationResult,
    advance_of,
    grip_of,
    impact,
    manipulation_result,
    reach_of_throw,
)
from mam_events.rules.health import armor
from mam_events.rules.health.hit_points import break_hold, settle_reserves
from mam_events.rules.health.wounds import halve, wound, wound_of
from mam_events.rules.maneuvering.items import record_move
from mam_events.rules.missiles.thrown_weapons import end_throw
from mam_events.rules.rolls.effects import end_turn_number
from mam_events.state import Action, Combatant, Effect, Grapple, Manipulation, Weapon
from mam_events.values import OutcomeField, decimal_of

SOURCE = "manipulation"


class AppliedManipulation(Struct, frozen=True):
    """A manipulation that takes effect: its rolls, the action, its follow-up, its outcome."""

    rolls: Rolls
    action: Action
    what: Manipulation
    outcome: OutcomeField
    grip: Grip
    came: ManipulationResult

    @property
    def judging(self) -> Decision:
        """The decision that records its events."""
        return self.rolls.judging


def take_effect(rolls: Rolls, action: Action, outcome: OutcomeField) -> None:
    """Record the result of a manipulation whose roll succeeded, and what follows (MAM-MNP-01, MAM-MNP-02)."""
    what, judging = action.manipulation, rolls.judging
    if what is None or outcome == "fail":
        return
    grip = grip_of(judging.state, judging.ruleset, action, what, rolls.results[action.id])
    result = manipulation_result(grip, outcome, judging.ruleset, what.follow_up)
    size = judging.state.combatants[action.target].statistics.size
    judging.record(
        ManipulationResolved(
            rolls.exchange.id,
            action.combatant,
            action.target,
            grip.modifier,
            size,
            result.advantage,
            outcome,
            result.effective,
            result.penalty,
        )
    )
    if result.effective:
        FOLLOW_UPS[what.follow_up](AppliedManipulation(rolls, action, what, outcome, grip, result))
        judging.settle()


def apply_penalty(taking: AppliedManipulation) -> None:
    """Make the target's next combat roll in this round or the next harder (MAM-MNP-01, `manipulation_expiry`)."""
    penalty = taking.came.penalty
    if not penalty:
        return
    judging, name = taking.judging, taking.action.target
    effect = Effect(SOURCE, -penalty, "MAM-MNP-01", "combat", once=True, round=judging.state.round + 1)
    if judging.ruleset["manipulation_expiry"] == "target_turns":
        turn = end_turn_number(judging.state.combatants[name], 2)
        effect = Effect(SOURCE, -penalty, "MAM-MNP-01", "combat", once=True, turn=turn, moment="start")
    judging.record(ManipulationPenaltyApplied(name, effect))


def disarm(taking: AppliedManipulation) -> None:
    """Take the weapon out of the target's hand (MAM-MNP-04); the manipulation itself hampers like any other.

    Every manipulation gives the penalty, and one meant for it takes the weapon. The text leaves open whether a
    follow-up replaces the penalty (MAM-MNP-02); here it does so only if the grip goes on.
    """
    apply_penalty(taking)
    judging, target = taking.judging, taking.action.target
    lets_go = taking.outcome == "full" or judging.ruleset["half_disarm"] == "succeeds"
    # The target may have dropped the weapon already.
    if lets_go and taking.what.item in [weapon.id for weapon in judging.state.combatants[target].in_hand]:
        judging.record(TargetDisarmed(target, taking.action.combatant, taking.what.item))


def take_hold(taking: AppliedManipulation) -> None:
    """Take a hold, choke or wrench, which costs the same on a half success (MAM-MNP-05, MAM-MNP-06).

    The same hands have one grip on a target. A new one replaces the old, and does not hit a second time in a round.
    """
    judging, action, what = taking.judging, taking.action, taking.what
    holder = judging.state.combatants[action.combatant]
    # A thrown thing leaves the hand before it holds anybody.
    end_throw(judging, taking.rolls.exchange, (action,))
    power = halve(taking.grip.power, judging.ruleset) if taking.outcome == "half" else taking.grip.power
    grapple = Grapple(
        f"{what.follow_up}-{action.id}",
        what.points + action.power,
        taking.came.penalty,
        action.target,
        what.follow_up,  # type: ignore[arg-type]  # only grips come here
        power,
        "" if action.terms.missile and not action.terms.thrown else action.weapon,
        lies=bool(action.terms.thrown),
        maintained=judging.state.round,
        exchange=action.id,
    )
    if squeezes(grapple):
        grapple = replace(grapple, armor=taking.rolls.armor_check(action).layers)
    before = [hold for hold in holder.grapples if hold.held == grapple.held and hold.is_by_hand and grapple.is_by_hand]
    grapple = replace(grapple, hit=max((hold.hit for hold in before), default=0))
    judging.record(GrappleEstablished(holder.id, grapple))
    for hold in before:
        break_hold(judging, holder.id, hold.id, "taken_anew")
    # A holder hurt in the same exchange may lack the points that the hold must keep.
    settle_reserves(judging, holder.id)
    judging.settle()
    stands = any(own.id == grapple.id for own in judging.state.combatants[holder.id].grapples)
    if stands and squeezes(grapple) and grapple.hit != judging.state.round:
        squeeze(judging, holder.id, grapple)


def _absorption(taking: AppliedManipulation) -> int:
    target = taking.judging.state.combatants[taking.action.target]
    return armor.absorption(
        target.absorption, taking.rolls.armor_check(taking.action).absorption, taking.judging.ruleset
    )


def throw(taking: AppliedManipulation) -> None:
    """Throw the target to the ground, and into what stands there (MAM-MNP-08, MAM-MNP-09)."""
    apply_penalty(taking)
    judging, action, what = taking.judging, taking.action, taking.what
    # A throw ends every hold: the thrower lets go (MAM-MNP-10), and nobody can hold a flying body.
    for holder in judging.state.combatants.values():
        for grapple in holder.grapples:
            if action.target in (holder.id, grapple.held):
                break_hold(judging, holder.id, grapple.id, "thrown")
    thrower, target = judging.state.combatants[action.combatant], judging.state.combatants[action.target]
    advance = advance_of(judging.ruleset, thrower, what)
    reach = reach_of_throw(thrower, target, advance)
    judging.record(
        TargetThrown(
            target.id,
            thrower.id,
            "prone" if taking.outcome == "full" else "semi_prone",
            "on_ground",
            decimal_of(reach),
            what.distance,
            what.surface.name if what.surface else "",
        )
    )
    if what.surface:
        weapon = impact(what.surface, target, judging.ruleset)
        stun, damage = wound_of(weapon, weapon.power, _absorption(taking), taking.outcome, judging.ruleset)
        wound(judging, target.id, action.id, stun, damage)
    if what.into and is_allowed(check_target, thrower, judging.state.combatants[what.into]):
        strike_with(taking, target)
    # A step made during the throw does not break the run that came before it (MAM-ATK-07).
    if advance:
        record_move(judging, thrower.id, advance)


def strike_with(taking: AppliedManipulation, body_thrown: Combatant) -> None:
    """Strike somebody else with the thrown target: a blunt weapon with its size as power (MAM-MNP-09).

    In the thrower's hands it is a weapon like any other, so the throw's roll is compared with the defense of the one it
    strikes. It does not trigger their prepared counterattack (MAM-CTR-02): no attack on them was declared that they
    could come before.
    """
    judging, rolls, into = taking.judging, taking.rolls, taking.what.into
    terms = replace(taking.action.terms, grapple=False)
    thrower = taking.action.combatant
    action = Action(THROWN_BODY, "attack", thrower, into, taking.action.id, strikes=True, terms=terms)
    rolls.followed.append(action)
    roll = rolls.made[taking.action.id]
    own = rolls.exchange.beside(into)
    if own and rolls.remaining[own.id] == "fail":
        outcome, why = taking.outcome, text_fragment("came_of_it/answer_stopped", reaction=Term(own.kind))
    else:
        defense, result = rolls.roll_defense_into(action)
        sure = AutomaticSuccess(rolls.is_automatic(taking.action), result.automatic if result else None)
        outcome = attack_outcome(roll.total, defense.total, sure, judging.ruleset)
        why = totals(roll.total, defense.total)
    if taking.outcome == "half" and outcome == "full":
        outcome = "half"
    body = Weapon("thrown-body", name=body_thrown.name, power=body_thrown.statistics.size, sharpness_class="ordinary")
    blow = rolls.blow(action, outcome, body)
    judging.record(
        ThrownBodyStruck(taking.action.id, thrower, body_thrown.id, into, blow.power, blow.absorbed, outcome, why)
    )
    wound(judging, into, rolls.exchange.id, blow.stun, blow.damage)


def get_out(taking: AppliedManipulation) -> None:
    """Escape from a hold by manipulating the holder; half a success changes nothing (`hold_escape`, MAM-MNP-10)."""
    judging, holder = taking.judging, taking.action.target
    is_held = any(grapple.id == taking.what.item for grapple in judging.state.combatants[holder].grapples)
    if taking.outcome == "full" and is_held:
        break_hold(judging, holder, taking.what.item, "escaped")


FOLLOW_UPS: dict[str, Callable[[AppliedManipulation], None]] = {
    "none": apply_penalty,
    "disarm": disarm,
    "hold": take_hold,
    "choke": take_hold,
    "wrench": take_hold,
    "throw": throw,
    "escape": get_out,
}
"""The function that applies each follow-up of a successful manipulation (MAM-MNP-02)."""

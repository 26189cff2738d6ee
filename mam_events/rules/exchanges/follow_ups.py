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
    """A manipulation that takes effect: its rolls and action, its terms, its outcome, the grip and its result."""

    rolls: Rolls
    action: Action
    manipulation: Manipulation
    outcome: OutcomeField
    grip: Grip
    result: ManipulationResult

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


def apply_penalty(applied: AppliedManipulation) -> None:
    """Make the target's next combat roll in this round or the next harder (MAM-MNP-01, `manipulation_expiry`)."""
    penalty = applied.result.penalty
    if not penalty:
        return
    judging, name = applied.judging, applied.action.target
    effect = Effect(SOURCE, -penalty, "MAM-MNP-01", "combat", once=True, round=judging.state.round + 1)
    if judging.ruleset["manipulation_expiry"] == "target_turns":
        turn = end_turn_number(judging.state.combatants[name], 2)
        effect = Effect(SOURCE, -penalty, "MAM-MNP-01", "combat", once=True, turn=turn, moment="start")
    judging.record(ManipulationPenaltyApplied(name, effect))


def disarm(applied: AppliedManipulation) -> None:
    """Take the weapon out of the target's hand (MAM-MNP-04); the manipulation itself hampers like any other.

    Every manipulation gives the penalty, and one meant for it takes the weapon. The text leaves open whether a
    follow-up replaces the penalty (MAM-MNP-02); here it does so only if the grip goes on.
    """
    apply_penalty(applied)
    judging, target = applied.judging, applied.action.target
    lets_go = applied.outcome == "full" or judging.ruleset["half_disarm"] == "succeeds"
    # The target may have dropped the weapon already.
    if lets_go and applied.manipulation.item in [weapon.id for weapon in judging.state.combatants[target].in_hand]:
        judging.record(TargetDisarmed(target, applied.action.combatant, applied.manipulation.item))


def take_hold(applied: AppliedManipulation) -> None:
    """Take a hold, choke or wrench, which costs the same on a half success (MAM-MNP-05, MAM-MNP-06).

    The same hands have one grip on a target. A new one replaces the old, and does not hit a second time in a round.
    """
    judging, action, what = applied.judging, applied.action, applied.manipulation
    holder = judging.state.combatants[action.combatant]
    # A thrown thing leaves the hand before it holds anybody.
    end_throw(judging, applied.rolls.exchange, (action,))
    power = halve(applied.grip.power, judging.ruleset) if applied.outcome == "half" else applied.grip.power
    grapple = Grapple(
        f"{what.follow_up}-{action.id}",
        what.points + action.power,
        applied.result.penalty,
        action.target,
        what.follow_up,  # type: ignore[arg-type]  # only grips come here
        power,
        "" if action.terms.missile and not action.terms.thrown else action.weapon,
        lies=bool(action.terms.thrown),
        maintained=judging.state.round,
        exchange=action.id,
    )
    if squeezes(grapple):
        grapple = replace(grapple, armor=applied.rolls.armor_check(action).layers)
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


def _absorption(applied: AppliedManipulation) -> int:
    target = applied.judging.state.combatants[applied.action.target]
    return armor.absorption(
        target.absorption, applied.rolls.armor_check(applied.action).absorption, applied.judging.ruleset
    )


def throw(applied: AppliedManipulation) -> None:
    """Throw the target to the ground, and into what stands there (MAM-MNP-08, MAM-MNP-09)."""
    apply_penalty(applied)
    judging, action, what = applied.judging, applied.action, applied.manipulation
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
            "prone" if applied.outcome == "full" else "semi_prone",
            "on_ground",
            decimal_of(reach),
            what.distance,
            what.surface.name if what.surface else "",
        )
    )
    if what.surface:
        weapon = impact(what.surface, target, judging.ruleset)
        stun, damage = wound_of(weapon, weapon.power, _absorption(applied), applied.outcome, judging.ruleset)
        wound(judging, target.id, action.id, stun, damage)
    if what.into and is_allowed(check_target, thrower, judging.state.combatants[what.into]):
        strike_with(applied, target)
    # A step made during the throw does not break the run that came before it (MAM-ATK-07).
    if advance:
        record_move(judging, thrower.id, advance)


def strike_with(applied: AppliedManipulation, body_thrown: Combatant) -> None:
    """Strike somebody else with the thrown target: a blunt weapon with its size as power (MAM-MNP-09).

    In the thrower's hands it is a weapon like any other, so the throw's roll is compared with the defense of the one it
    strikes. It does not trigger their prepared counterattack (MAM-CTR-02): no attack on them was declared that they
    could come before.
    """
    judging, rolls, into = applied.judging, applied.rolls, applied.manipulation.into
    terms = replace(applied.action.terms, grapple=False)
    thrower = applied.action.combatant
    action = Action(THROWN_BODY, "attack", thrower, into, applied.action.id, strikes=True, terms=terms)
    rolls.followed.append(action)
    roll = rolls.made[applied.action.id]
    own = rolls.exchange.declaration_against_root(into)
    if own and rolls.remaining[own.id] == "fail":
        outcome, why = applied.outcome, text_fragment("came_of_it/answer_stopped", reaction=Term(own.kind))
    else:
        defense, result = rolls.roll_defense_into(action)
        sure = AutomaticSuccess(rolls.is_automatic(applied.action), result.automatic if result else None)
        outcome = attack_outcome(roll.total, defense.total, sure, judging.ruleset)
        why = totals(roll.total, defense.total)
    if applied.outcome == "half" and outcome == "full":
        outcome = "half"
    body = Weapon("thrown-body", name=body_thrown.name, power=body_thrown.statistics.size, sharpness_class="ordinary")
    blow = rolls.blow(action, outcome, body)
    judging.record(
        ThrownBodyStruck(applied.action.id, thrower, body_thrown.id, into, blow.power, blow.absorbed, outcome, why)
    )
    wound(judging, into, rolls.exchange.id, blow.stun, blow.damage)


def get_out(applied: AppliedManipulation) -> None:
    """Escape from a hold by manipulating the holder; half a success changes nothing (`hold_escape`, MAM-MNP-10)."""
    judging, holder = applied.judging, applied.action.target
    is_held = any(grapple.id == applied.manipulation.item for grapple in judging.state.combatants[holder].grapples)
    if applied.outcome == "full" and is_held:
        break_hold(judging, holder, applied.manipulation.item, "escaped")


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

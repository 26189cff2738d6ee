"""Surprise and opening postures (MAM-SURP)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from msgspec import Struct

from mam_events.commands import EstablishSurprise, Posture, Stalk, TakePosture
from mam_events.decider.checks import (
    require_able,
    require_combat,
    require_combatant,
    require_open,
    require_surprise_settled,
)
from mam_events.decider.engine import Decision, RuleModule, Ruleset
from mam_events.decider.gm_modifiers import check_gm_modifiers
from mam_events.decider.mechanic import Mechanic
from mam_events.decider.offers import Field, Offer, free, offer
from mam_events.errors import Refused
from mam_events.events import (
    CombatAvoided,
    Modifier,
    OpeningPostureTaken,
    StealthRolled,
)
from mam_events.rules.initiative.surprise_advantage import in_seat_order, is_posture_open, side_of, surprise
from mam_events.rules.maneuvering.evade import evasion_bonus, uniform_bonus
from mam_events.rules.rolls.dice_substitutes import Throw, check_throw, roll_die
from mam_events.rules.rolls.difficulty import difficulty_from_modifier
from mam_events.rules.rolls.modifiers import named_circumstances
from mam_events.rules.rolls.success_rolls import bearing_on, outcome_of, success_roll
from mam_events.rules.turns.prepared_counterattack import prepares
from mam_events.state import Combatant, Effect, Encounter


def not_begun(state: Encounter) -> None:
    """Raise Refused with `too_late` once initiative is settled, even if it is rolled again every round."""
    require_open(state)
    if state.order or state.round:
        raise Refused("too_late/initiative_settled", rule="MAM-SURP-01")


def check_stalk(state: Encounter, ruleset: Ruleset, command: Stalk) -> None:
    """Raise Refused unless that combatant may try to surprise that target; each pair may try once."""
    not_begun(state)
    stalker, target = require_combatant(state, command.combatant), require_combatant(state, command.target, "target")
    require_able(stalker)
    if _are_allies(stalker, target):
        raise Refused("bad_target/same_side", stalker=stalker, target=target, rule="MAM-SURP-01", fields=("target",))
    if any((past.stalker, past.target) == (stalker.id, target.id) for past in state.stealth):
        raise Refused(
            "already_rolled/stalked", stalker=stalker, target=target, rule="MAM-SURP-02", fields=("combatant", "target")
        )
    if state.advantaged is not None:
        raise Refused("too_late/surprise_settled", rule="MAM-SURP-02")
    check_throw(Throw("d20", command.die, command.confirmation_die), ruleset)


def judge_stalk(judging: Decision, command: Stalk, _: None) -> None:
    """Roll stealth against 10 and the target's detection (MAM-SURP-01)."""
    state, name = judging.state, command.combatant
    stealth = state.combatants[name].statistics.ability("stealth")
    detection = state.combatants[command.target].statistics.ability("detection")
    circumstances = named_circumstances(command.circumstance, judging.ruleset)
    roll = success_roll(
        name,
        "stealth",
        roll_die(judging, f"stealth.{name}", Throw("d20", command.die, command.confirmation_die)),
        (Modifier("stealth", stealth, "MAM-SURP-01"), circumstances.success, *bearing_on(judging, name, command)),
        difficulty_from_modifier(detection),
        (circumstances.difficulty, *check_gm_modifiers(command, command.target)),
    )
    judging.record(StealthRolled((roll,), name, command.target, outcome_of(roll, judging.ruleset)))


def _offer_stalk(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    pairs = {(past.stalker, past.target) for past in state.stealth}
    for stalker in state.combatants.values():
        others = [who.id for who in state.combatants.values() if not _are_allies(stalker, who)]
        targets = tuple(name for name in others if (stalker.id, name) not in pairs)
        if others:
            least = Stalk(stalker.id, (*targets, *others)[0])
            yield offer(least, Field("target", choices=targets), *free("die", "confirmation_die", "circumstance"))


def _are_allies(one: Combatant, other: Combatant) -> bool:
    """Return True if the two cannot surprise each other: they are the same, or on the same side."""
    return one.id == other.id or one.side == other.side != "all"


class SurpriseResult(Struct, frozen=True):
    """The combatants with the advantage and the surprised ones, each in seating order."""

    advantaged: tuple[str, ...]
    surprised: tuple[str, ...]


def check_surprise(state: Encounter, ruleset: Ruleset, command: EstablishSurprise) -> SurpriseResult | None:
    """Return who has the advantage and who is surprised; None if the stalkers miss each other.

    Raises Refused unless stealth was rolled before.
    """
    not_begun(state)
    if state.advantaged is not None:
        raise Refused("already_settled", rule="MAM-SURP-02")
    if not state.stealth:
        raise Refused("nobody_stalked", rule="MAM-SURP-01")
    per_pair = ruleset["surprise_scope"] == "per_pair"

    def party(name: str) -> str:
        return name if per_pair else side_of(state, name)

    pairs = {(party(past.stalker), party(past.target)) for past in state.stealth}
    won = {(party(past.stalker), party(past.target)) for past in state.stealth if past.success}
    # Two combatants can miss each other only if both stalked: a lone stalker knows where the other is (MAM-SURP-03).
    if not won and all(pair[::-1] in pairs for pair in pairs):
        return None
    # If two surprise each other, neither has the advantage (MAM-SURP-02).
    ahead = [pair for pair in won if pair[::-1] not in won]
    losers = {loser for _, loser in ahead}
    winners = {winner for winner, _ in ahead} - losers
    return SurpriseResult(
        in_seat_order(state, {name for name in state.combatants if party(name) in winners}),
        in_seat_order(state, {name for name in state.combatants if party(name) in losers}),
    )


def judge_surprise(judging: Decision, command: EstablishSurprise, result: SurpriseResult | None) -> None:
    """Record who has the advantage; the surprised have nothing in hand (MAM-SURP-05)."""
    if result is None:
        judging.record(CombatAvoided())
        return
    if result.advantaged:
        why = "a surprise attack"
    elif any(past.success for past in judging.state.stealth):
        why = "each surprised the other"
    else:
        why = "nobody was surprised"
    surprise(judging, result.advantaged, result.surprised, why)


def _offer_surprise(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    yield offer(EstablishSurprise())


def check_posture(state: Encounter, ruleset: Ruleset, command: TakePosture) -> None:
    """Raise Refused unless that combatant may take the posture: before the first turn, and if nobody was surprised."""
    require_open(state)
    combatant = require_combatant(state, command.combatant)
    require_able(combatant)
    # Postures belong to the start of the fight: later, people would choose them by what they know.
    if state.round:
        raise Refused("too_late/fight_begun", rule="MAM-SURP-04", fields=("combatant",))
    require_combat(state)
    require_surprise_settled(state)
    if not is_posture_open(state, ruleset, combatant.id):
        if ruleset.get("surprise_scope") == "per_pair":
            raise Refused("surprise_attack/on_one", combatant=combatant, rule="MAM-SURP-04", fields=("posture",))
        raise Refused("surprise_attack", rule="MAM-SURP-04", fields=("posture",))
    if combatant.status.prepared or combatant.status.effect("opening_evasion"):
        raise Refused("already_taken", combatant=combatant, rule="MAM-SURP-04", fields=("posture",))
    if command.posture == "ready_to_counter" and not prepares(ruleset):
        raise Refused("not_in_edition/no_preparing_at_start", rule="MAM-ATK-12", fields=("posture",))


def opening_bonus(ruleset: Ruleset) -> int:
    """Return the bonus to defense for evading from the start (MAM-SURP-04, `opening_evasion_bonus`)."""
    own = {"four": 4, "five": 5, "evasion_bonus": evasion_bonus("evasion", ruleset)}
    return uniform_bonus(ruleset) or own[ruleset["opening_evasion_bonus"]]


def judge_posture(judging: Decision, command: TakePosture, _: None) -> None:
    """Take the posture: a bonus until the first turn, or a prepared counterattack (MAM-SURP-04)."""
    name = command.combatant
    if command.posture == "evading":
        bonus = opening_bonus(judging.ruleset)
        effect = Effect("opening_evasion", bonus, "MAM-SURP-04", turn=1, moment="start")
        judging.record(OpeningPostureTaken(name, command.posture, effect))
    else:
        skips_first = judging.ruleset.is_yes("opening_counter_consumes_first_turn")
        judging.record(OpeningPostureTaken(name, command.posture, None, int(skips_first)))


def _offer_posture(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    for name in state.combatants:
        postures = get_args(Posture) if prepares(ruleset) else ("evading",)
        yield offer(TakePosture(name, "evading"), Field("posture", choices=postures))


SECTION = RuleModule(
    mechanics=(
        Mechanic(Stalk, check=check_stalk, judge=judge_stalk, offers=_offer_stalk),
        Mechanic(EstablishSurprise, check=check_surprise, judge=judge_surprise, offers=_offer_surprise),
        Mechanic(TakePosture, check=check_posture, judge=judge_posture, offers=_offer_posture),
    ),
)

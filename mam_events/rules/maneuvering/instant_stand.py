"""Instant stand: evasion combined with standing up, by a roll (MAM-MNV-05)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from mam_events.commands import InstantStand
from mam_events.decider.action_kinds import require_affordable, require_can_act
from mam_events.decider.action_price import ActionPrice
from mam_events.decider.engine import Decision, RuleModule, Ruleset
from mam_events.decider.mechanic import Mechanic
from mam_events.decider.offers import Field, Offer, offer
from mam_events.errors import Refused
from mam_events.events import InstantStandResolved, Modifier, SuccessRoll
from mam_events.refusals.arguments import Term
from mam_events.rules.maneuvering.evade import evasion_price, replaces_evasion, require_not_evaded, uniform_bonus
from mam_events.rules.rolls.dice_substitutes import Throw
from mam_events.rules.rolls.difficulty import difficulty_from_modifier
from mam_events.rules.rolls.effects import end_turn_number
from mam_events.rules.rolls.success_rolls import ATTEMPT_DICE, attempt_fields, attempt_throws, roll_attempt
from mam_events.state import Combatant, Effect, Encounter
from mam_events.values import OutcomeField


class StandAttempt(Struct, frozen=True):
    """An attempt at an instant stand: its price, the modifiers of the roll, its throws (none if it cannot fail)."""

    price: ActionPrice
    modifiers: tuple[Modifier, ...]
    throws: tuple[Throw, ...]


def roll_modifiers(combatant: Combatant) -> tuple[Modifier, ...]:
    """Return the modifiers of the roll: agility and acrobatics."""
    abilities = combatant.statistics
    return tuple(Modifier(name, abilities.ability(name), "MAM-MNV-05") for name in ("agility", "acrobatics"))


def is_certain(combatant: Combatant, ruleset: Ruleset) -> bool:
    """Return True if it stands up without a roll: with a modifier above 5, whatever the difficulty."""
    above = ruleset.tables.instant_stand.automatic_above
    return sum(modifier.value for modifier in roll_modifiers(combatant)) > above


def bonus_of_success(combatant: Combatant, ruleset: Ruleset) -> Effect:
    """Return the bonus of a full success (`instant_stand_bonus`, `instant_stand_expiry`, `evasion_bonus_scale`).

    An instant stand is evasion combined with standing: whatever its bonus, all rules of evasion apply to it.
    """
    bonus = ruleset.tables.instant_stand.bonus
    value = uniform_bonus(ruleset) or (bonus.five if ruleset["instant_stand_bonus"] == "five" else bonus.two)
    starts = ruleset["instant_stand_expiry"] == "start_of_next_turn"
    return Effect(
        "evasion", value, "MAM-MNV-05", turn=end_turn_number(combatant, 1), moment="start" if starts else "end"
    )


def check_instant_stand(state: Encounter, ruleset: Ruleset, command: InstantStand) -> StandAttempt:
    """Return the attempt with its price and throws.

    Raises Refused with `once_per_turn`, `idle_die`, `impossible_face`, or as for any action.
    """
    combatant = require_can_act(state, ruleset, command.combatant, "instant_stand")
    require_not_evaded(combatant)
    own = require_affordable(state, ruleset, combatant, "instant_stand", command.points, "MAM-MNV-05")
    # It combines standing up and evading, so where points are spent it costs both (evasion_cost is silent).
    price = replace(own, to_defense=evasion_price(ruleset).to_defense)
    ruleset.edition.economy.afford(state, ruleset, combatant, "instant_stand", price)
    return StandAttempt(price, roll_modifiers(combatant), throws_of(combatant, ruleset, command))


def throws_of(combatant: Combatant, ruleset: Ruleset, command: InstantStand) -> tuple[Throw, ...]:
    """Return the throws of the attempt (`instant_stand_difficulty`).

    Raises Refused with `idle_die` for a die that nobody throws.
    """
    opposed = ruleset["instant_stand_difficulty"] == "opposed_zero"
    if is_certain(combatant, ruleset):
        idle = tuple(field for field in (*ATTEMPT_DICE, "kind", "situation") if getattr(command, field))
        if idle:
            raise Refused("idle_die/nimble", who=combatant, field=Term(idle[0]), rule="MAM-MNV-05", fields=idle)
        return ()
    if opposed and command.kind is not None:
        raise Refused("idle_die/stand_dice", rule="MAM-MNV-05", fields=("kind",))
    against = () if opposed else [field for field in ATTEMPT_DICE if field.startswith("opposing")]
    idle = tuple(field for field in against if getattr(command, field) is not None)
    if idle:
        raise Refused("idle_die/stand_difficulty", field=Term(idle[0]), rule="MAM-MNV-05", fields=idle)
    return attempt_throws(command, ruleset, opposed=opposed)


def judge_instant_stand(judging: Decision, command: InstantStand, attempt: StandAttempt) -> None:
    """Roll, and stand with the bonus, or without it on a half success."""
    name, ruleset = command.combatant, judging.ruleset
    rolls: tuple[SuccessRoll, ...] = ()
    outcome: OutcomeField = "full"
    if attempt.throws:
        base = 0 if ruleset["instant_stand_difficulty"] == "literal_zero" else difficulty_from_modifier(0)
        rolls, outcome = roll_attempt(judging, command, "instant stand", attempt.throws, attempt.modifiers, base)
    effect = bonus_of_success(judging.state.combatants[name], ruleset) if outcome == "full" else None
    judging.record(InstantStandResolved(rolls, name, outcome, effect, replaces_evasion(ruleset)))
    ruleset.edition.economy.pay(judging, name, "instant_stand", "action", attempt.price)


def _offer_instant_stand(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    dice = attempt_fields(opposed=ruleset["instant_stand_difficulty"] == "opposed_zero")
    for combatant in state.combatants.values():
        low, high = ruleset.edition.economy.span(state, ruleset, combatant, "instant_stand")
        high = max(0, high - evasion_price(ruleset).points)
        yield offer(
            InstantStand(combatant.id),
            Field("points", low=low, high=high),
            *(() if is_certain(combatant, ruleset) else dice),
        )


SECTION = RuleModule(
    mechanics=(
        Mechanic(InstantStand, check=check_instant_stand, judge=judge_instant_stand, offers=_offer_instant_stand),
    ),
)

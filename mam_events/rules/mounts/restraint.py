"""Restraining an animal: what a ridden one does by itself, trained or not (MAM-MNT-02, MAM-MNT-03)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from mam_events.commands import RestrainMount
from mam_events.decider.checks import require_able
from mam_events.decider.engine import Decision, RuleModule, Ruleset
from mam_events.decider.mechanic import Mechanic
from mam_events.decider.offers import Offer, free, offer
from mam_events.decider.rule_tables import DeedKind
from mam_events.errors import Refused
from mam_events.events import MountRestraintResolved
from mam_events.refusals.arguments import Word
from mam_events.rules.health.condition import wound_points
from mam_events.rules.mounts.riding import ANIMALS, require_mount, riders, roll_rider
from mam_events.rules.rolls.dice_substitutes import check_throw
from mam_events.rules.rolls.success_rolls import DIE_FIELDS, require_present, throw_of
from mam_events.rules.turns.speeds import is_turn_usable
from mam_events.state import Combatant, Encounter, Mood

RULES = {"trained": "MAM-MNT-02", "untrained": "MAM-MNT-03"}


def mount_behavior(state: Encounter, animal: Combatant) -> Literal["", Mood]:
    """Return what a ridden animal does in this round, by the last roll to restrain it; "" if there was none."""
    temper = animal.status.temper
    in_force = temper.lasting or temper.round == state.round
    return temper.mood if in_force and riders(state, animal.id) else ""


def restraint_difficulty(animal: Combatant, ruleset: Ruleset) -> int:
    """Return the difficulty of restraining an animal, by its training and injuries (MAM-MNT-02, MAM-MNT-03)."""
    mounts = ruleset.tables.mounts
    row = mounts.trained if animal.statistics.training == "trained" else mounts.untrained
    return row.hurt if wound_points(animal) else row.unhurt


def check_restrain(state: Encounter, ruleset: Ruleset, command: RestrainMount) -> Combatant:
    """Return the animal to restrain: once a round, and again each time it was attacked (MAM-MNT-02).

    The printed rules do not say when an untrained one needs a roll; here at the same moments. Raises Refused with
    `not_mounted`, `nothing_to_restrain` or `already_tried`.
    """
    rider = require_present(state, command.combatant)
    require_able(rider)
    animal = require_mount(state, rider)
    if animal.statistics.training not in ANIMALS:
        raise Refused("nothing_to_restrain", animal=animal, rule="MAM-VEH-01", fields=("combatant",))
    rule = RULES[animal.statistics.training]
    does, temper = mount_behavior(state, animal), animal.status.temper
    if does == "attacking" and not temper.lasting:
        raise Refused("already_tried/loose", animal=animal, rule=rule, fields=("combatant",))
    if temper.tried == state.round and temper.tried and not rider.status.saddle.handling:
        raise Refused("already_tried", animal=animal, mood=Word(does or "none"), rule=rule, fields=("combatant",))
    check_throw(throw_of(command), ruleset)
    return animal


def judge_restrain(judging: Decision, command: RestrainMount, animal: Combatant) -> None:
    """Roll animal handling: the animal is held, or else attacks (`restraint_failure`) or runs."""
    roll, outcome = roll_rider(judging, command, "animal handling", restraint_difficulty(animal, judging.ruleset))
    trained = animal.statistics.training == "trained"
    does: Mood = "attacking" if trained else "running"
    lasting = trained and outcome != "full" and judging.ruleset["restraint_failure"] == "attack_until_success"
    owed = max(0, judging.state.combatants[command.combatant].status.saddle.handling - 1)
    judging.record(
        MountRestraintResolved(
            (roll,),
            command.combatant,
            animal.id,
            outcome,
            "held" if outcome == "full" else does,
            judging.state.round,
            lasting,
            owed,
        )
    )


def _offer_restrain(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    for rider in state.combatants.values():
        if rider.status.mount:
            yield offer(RestrainMount(rider.id), *free("circumstance"), *DIE_FIELDS)


def fights_ridden(state: Encounter, ruleset: Ruleset, combatant: Combatant) -> None:
    """Raise Refused with `will_not_fight`, `held_back` or `charge_taken` for a ridden animal that cannot strike now."""
    training = combatant.statistics.training
    if training not in ANIMALS or not riders(state, combatant.id):
        return
    if training == "untrained":
        raise Refused("will_not_fight", combatant=combatant, rule="MAM-MNT-03", fields=("combatant",))
    if mount_behavior(state, combatant) == "held":
        raise Refused("held_back", combatant=combatant, rule="MAM-MNT-02", fields=("combatant",))
    if combatant.status.temper.charged:
        raise Refused("charge_taken", combatant=combatant, rule="MAM-MNT-04", fields=("combatant",))


def require_not_running(state: Encounter, ruleset: Ruleset, combatant: Combatant, deed: DeedKind) -> None:
    """Raise Refused with `running` if a running animal is to do anything but move."""
    if deed != "move" and mount_behavior(state, combatant) == "running":
        raise Refused("running", combatant=combatant, rule="MAM-MNT-03", fields=("combatant",))


def require_animal_settled(state: Encounter, ruleset: Ruleset, combatant: Combatant) -> None:
    """Raise Refused while a ridden animal must do something, or be restrained, before its turn ends.

    Raises `has_its_way` if it has not done what it does by itself. Raises `roll_owed` if it was attacked and nobody has
    tried to restrain it in this round (MAM-MNT-02, MAM-MNT-03).

    The game master decides whether its attacker is in sight: a reason for the end of the turn says that it is not. A
    turn that a slow animal must skip has no such duty (MAM-TURN-05).
    """
    training, temper = combatant.statistics.training, combatant.status.temper
    on_it = riders(state, combatant.id)
    if training not in ANIMALS or not on_it or combatant.condition != "able" or temper.attacked or temper.charged:
        return
    does = mount_behavior(state, combatant)
    if does == "held" or (training == "untrained" and combatant.status.moved) or not is_turn_usable(combatant, ruleset):
        return
    rule = RULES[training]
    if does:
        attacks = does == "attacking"
        raise Refused(
            "has_its_way/attacks" if attacks else "has_its_way/runs", who=combatant, rule=rule, fields=("reason",)
        )
    if any(state.combatants[name].condition == "able" for name in temper.against):
        trained = training == "trained"
        raise Refused(
            "roll_owed/attacks" if trained else "roll_owed/runs",
            who=combatant,
            rider=on_it[0],
            rule=rule,
            fields=("reason",),
        )


def asks_for_holding(state: Encounter, ruleset: Ruleset, name: str) -> bool:
    """Return True in the turn of an animal that was attacked and that nobody has tried to restrain in this round."""
    if state.turn is None or state.turn.combatant != name or state.exchange:
        return False
    try:
        require_animal_settled(state, ruleset, state.combatants[name])
    except Refused as no:
        return no.code == "roll_owed"
    return False


SECTION = RuleModule(
    limits=(require_not_running,),
    strike_limits=(fights_ridden,),
    turn_end_duties=(require_animal_settled,),
    mechanics=(Mechanic(RestrainMount, check=check_restrain, judge=judge_restrain, offers=_offer_restrain),),
)

"""Mounted combat: riding, staying mounted, charging on an animal (MAM-MNT-01, MAM-MNT-04)."""

from __future__ import annotations

from collections.abc import Iterator

from mam_events.commands import Dismount, Mount, RestrainMount, StayMounted
from mam_events.decider.action_kinds import build_action_offer, deed_name, require_affordable, require_can_act
from mam_events.decider.action_price import ActionPrice
from mam_events.decider.checks import require_combatant, require_open
from mam_events.decider.engine import Decision, OngoingEffect, RuleModule, Ruleset
from mam_events.decider.mechanic import Mechanic
from mam_events.decider.offers import Field, Offer, free, offer
from mam_events.decider.rule_tables import DeedKind
from mam_events.errors import Refused
from mam_events.events import (
    ChargeRidden,
    Modifier,
    MountedRollOwed,
    RiderDismounted,
    RiderMounted,
    RidingResolved,
    RolledFor,
    SuccessRoll,
)
from mam_events.refusals.arguments import Message, Term, Word, text_fragment
from mam_events.rules.attack.power import RUN_UP
from mam_events.rules.maneuvering.items import record_move_effects
from mam_events.rules.maneuvering.positions import is_on_ground
from mam_events.rules.rolls.dice_substitutes import check_throw, roll_die
from mam_events.rules.rolls.modifiers import named_circumstances
from mam_events.rules.rolls.success_rolls import (
    DIE_FIELDS,
    bearing_on,
    outcome_of,
    require_present,
    success_roll,
    throw_of,
)
from mam_events.state import Action, Combatant, Encounter, Exchange
from mam_events.values import OutcomeField

ANIMALS = ("trained", "untrained")

RiderRoll = StayMounted | RestrainMount


def riders(state: Encounter, mount: str) -> tuple[Combatant, ...]:
    """Return those who ride it, alive and in the fight."""
    return tuple(who for who in state.combatants.values() if who.status.mount == mount and not who.is_gone)


def require_mountable(state: Encounter, name: str, rider: str) -> Combatant:
    """Return the mount that the rider wants to mount; raise Refused with `unknown_combatant` or `not_a_mount`."""
    mount = require_combatant(state, name, "mount")
    if not mount.statistics.training:
        raise Refused("not_a_mount", mount=mount, rule="MAM-MNT-01", fields=("mount",))
    if mount.is_gone:
        condition = Word(mount.condition)
        raise Refused("not_a_mount/gone", mount=mount, condition=condition, rule="MAM-MNT-01", fields=("mount",))
    if mount.id == rider or mount.status.mount:
        raise Refused(
            "not_a_mount/riding" if mount.status.mount else "not_a_mount/self",
            mount=mount,
            rule="MAM-MNT-01",
            fields=("mount",),
        )
    return mount


def check_mount(state: Encounter, ruleset: Ruleset, command: Mount) -> ActionPrice:
    """Return the price of mounting; raise Refused with `already_mounted` or `not_a_mount`.

    Mounting does not change the order of turns: only a delay does. An animal that joins with its rider sits in its
    seat.
    """
    combatant = require_can_act(state, ruleset, command.combatant, "mount")
    if combatant.status.mount:
        raise Refused(
            "already_mounted",
            combatant=combatant,
            combatant_status_mount=state.combatants[combatant.status.mount],
            rule="MAM-MNT-01",
            fields=("combatant",),
        )
    require_mountable(state, command.mount, combatant.id)
    return require_affordable(state, ruleset, combatant, "mount", command.points)


def judge_mount(judging: Decision, command: Mount, price: ActionPrice) -> None:
    """Mount an animal or a vehicle."""
    mount = judging.state.combatants[command.mount]
    judging.record(RiderMounted(command.combatant, mount.id, mount.status.turns))
    record_move_effects(judging, command.combatant)
    judging.ruleset.edition.economy.pay(judging, command.combatant, "mount", "action", price)


def _offer_mount(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    mounts = [who.id for who in state.combatants.values() if who.statistics.training and not who.is_gone]
    for combatant in state.combatants.values():
        others = tuple(name for name in mounts if name != combatant.id)
        if others and not combatant.statistics.training:
            least = Mount(combatant.id, others[0])
            yield build_action_offer(state, ruleset, combatant, "mount", least, Field("mount", choices=others))


def require_mount(state: Encounter, rider: Combatant) -> Combatant:
    """Return the mount of a rider; raise Refused with `not_mounted`."""
    mount = state.combatants.get(rider.status.mount)
    if mount is None:
        raise Refused("not_mounted", rider=rider, rule="MAM-MNT-01", fields=("combatant",))
    return mount


def check_dismount(state: Encounter, ruleset: Ruleset, command: Dismount) -> ActionPrice:
    """Return the price of dismounting; raise Refused with `not_mounted`."""
    combatant = require_can_act(state, ruleset, command.combatant, "dismount")
    require_mount(state, combatant)
    return require_affordable(state, ruleset, combatant, "dismount", command.points)


def judge_dismount(judging: Decision, command: Dismount, price: ActionPrice) -> None:
    """Dismount from an animal or a vehicle."""
    judging.record(RiderDismounted(command.combatant, judging.state.combatants[command.combatant].status.mount))
    record_move_effects(judging, command.combatant)
    judging.ruleset.edition.economy.pay(judging, command.combatant, "dismount", "action", price)


def _offer_dismount(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    for combatant in state.combatants.values():
        if combatant.status.mount:
            yield build_action_offer(state, ruleset, combatant, "dismount", Dismount(combatant.id))


def check_stay(state: Encounter, ruleset: Ruleset, command: StayMounted) -> Combatant:
    """Return the mount that the rider must stay on; the roll takes no turn and no action.

    Raises Refused with `not_mounted` or `no_roll_owed`.
    """
    rider = require_present(state, command.combatant)
    mount = require_mount(state, rider)
    if not rider.status.saddle.riding:
        raise Refused("no_roll_owed", rider=rider, rule="MAM-MNT-01", fields=("combatant",))
    check_throw(throw_of(command), ruleset)
    return mount


def judge_stay(judging: Decision, command: StayMounted, mount: Combatant) -> None:
    """Roll riding; only a full success keeps the rider in the saddle (`dismount_effect`)."""
    roll, outcome = roll_rider(judging, command, "riding", judging.ruleset.tables.mounts.stay_mounted)
    owed = judging.state.combatants[command.combatant].status.saddle.riding - 1
    if outcome == "full":
        event = RidingResolved((roll,), command.combatant, mount.id, outcome, "stays", owed=owed)
    elif judging.ruleset["dismount_effect"] == "falls_prone":
        event = RidingResolved((roll,), command.combatant, mount.id, outcome, "falls", "on_ground")
    else:
        event = RidingResolved((roll,), command.combatant, mount.id, outcome, "gm", owed=owed)
    judging.record(event)


def roll_rider(
    judging: Decision, command: RiderRoll, what: RolledFor, difficulty: int
) -> tuple[SuccessRoll, OutcomeField]:
    """Return a rider's roll against that difficulty, and its outcome."""
    name = command.combatant
    ability = what.replace(" ", "_")
    circumstances = named_circumstances(command.circumstance, judging.ruleset)
    rule = "MAM-MNT-01" if what == "riding" else "MAM-MNT-02"
    roll = success_roll(
        name,
        what,
        roll_die(judging, f"{ability}.{name}", throw_of(command)),
        (
            Modifier(what, judging.state.combatants[name].statistics.ability(ability), rule),
            circumstances.success,
            *bearing_on(judging, name, command),
        ),
        difficulty,
        (circumstances.difficulty,),
    )
    return roll, outcome_of(roll, judging.ruleset)


def _offer_stay(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    for rider in state.combatants.values():
        if rider.status.mount:
            yield offer(StayMounted(rider.id), *free("circumstance"), *DIE_FIELDS)


def rolls_owed_after(judging: Decision, exchange: Exchange, done: tuple[Action, ...]) -> None:
    """Record the rolls that riders owe after an exchange: for each ridden animal that attacked or was attacked.

    A trained one fights, and may throw its riders (MAM-MNT-01); another only shies when it is attacked (MAM-MNT-03). If
    an animal is attacked and strikes back in one exchange, its riders roll once. One rider holds the reins.
    """
    if not any(who.status.mount for who in judging.state.combatants.values()):
        return
    # A manipulation is an attack too (MAM-MNP-01).
    attacks = [(action.combatant, action.target) for action in done if action.attacks]
    for name in dict.fromkeys((*(by for by, _ in attacks), *(whom for _, whom in attacks))):
        animal, on_it = judging.state.combatants.get(name), riders(judging.state, name)
        if animal is None or not on_it or animal.statistics.training not in ANIMALS:
            continue
        trained = animal.statistics.training == "trained"
        against = tuple(dict.fromkeys(by for by, whom in attacks if whom == name))
        judging.record(
            MountedRollOwed(
                exchange.id,
                name,
                tuple(rider.id for rider in (on_it if trained else on_it[:1])),
                "riding" if trained else "animal handling",
                any(by == name for by, _ in attacks),
                bool(against),
                against,
            )
        )


def charge_ridden(judging: Decision, exchange: Exchange, done: tuple[Action, ...]) -> None:
    """Record that a rider who charged has used the animal's speed instead of its attack (MAM-MNT-04)."""
    root = exchange.root
    rider = judging.state.combatants[root.combatant]
    mount = judging.state.combatants.get(rider.status.mount)
    if root in done and mount is not None and mount.statistics.training in ANIMALS and root.terms.charge > RUN_UP:
        judging.record(ChargeRidden(exchange.id, rider.id, mount.id))


def require_no_owed_roll(state: Encounter, ruleset: Ruleset, combatant: Combatant, deed: DeedKind) -> None:
    """Raise Refused if a rider or an animal may not act because of riding.

    Raises `roll_owed` before a roll that is owed, and `mounted` for a rider who is to do something on foot.
    """
    owing = (combatant, *(riders(state, combatant.id) if combatant.statistics.training else ()))
    for rider in owing:
        _settled(state, rider)
    if combatant.status.mount and ruleset.tables.deeds[deed].afoot:
        raise Refused(
            "mounted",
            combatant=combatant,
            combatant_status_mount=state.combatants[combatant.status.mount],
            deed=Term(deed_name(deed, ruleset)),
            rule="MAM-MNT-01",
            fields=("combatant",),
        )


def rolls_first(state: Encounter, ruleset: Ruleset, combatant: Combatant) -> None:
    """Raise Refused with `roll_owed` while any rider owes a roll: it belongs to the turn that caused it.

    The game master can settle it without a roll, with `adjust` and the mount that the rider rides.
    """
    require_open(state)
    for rider in state.combatants.values():
        if rider.status.mount:
            _settled(state, rider)


def owed_roll(rider: Combatant) -> str:
    """Return the command for the roll that a rider owes; "" if it owes none."""
    saddle = rider.status.saddle
    if not rider.status.mount or rider.is_gone:
        return ""
    return "stay-mounted" if saddle.riding else "restrain-mount" if saddle.handling else ""


def _settled(state: Encounter, rider: Combatant) -> None:
    how = owed_roll(rider)
    if not how:
        return
    riding = how == "stay-mounted"
    raise Refused(
        "roll_owed/riding" if riding else "roll_owed/handling",
        rider=rider,
        mount=state.combatants[rider.status.mount],
        rule="MAM-MNT-01" if riding else "MAM-MNT-03",
        fields=("combatant",),
    )


def ride_end_reason(state: Encounter, ruleset: Ruleset, rider: Combatant, mount: str) -> Message | None:
    """Return the reason why somebody no longer rides; None while they ride.

    The rider is on the ground or gone, the mount is down or on the ground, or the rider owes a riding roll that it
    cannot make (MAM-MNT-01).
    """
    ridden_one = state.combatants[mount]
    if rider.is_gone:
        return text_fragment("came_of_it/acts_no_more", who=rider, condition=Word(rider.condition))
    # A rider stays in a wreck, but not on a horse that is down.
    if ridden_one.is_gone or (ridden_one.statistics.training in ANIMALS and ridden_one.condition != "able"):
        return text_fragment("came_of_it/acts_no_more", who=ridden_one, condition=Word(ridden_one.condition))
    for who in (rider, ridden_one):
        if is_on_ground(who, ruleset):
            return text_fragment("came_of_it/on_the_ground", who=who)
    if rider.condition != "able" and (rider.status.saddle.riding or rider.status.saddle.handling):
        riding = rider.status.saddle.riding
        return text_fragment("came_of_it/rolls_no_riding" if riding else "came_of_it/rolls_no_handling", who=rider)
    return None


def get_off(judging: Decision, name: str, mount: str, why: Message | None) -> None:
    """Record that somebody no longer rides; a rider who cannot roll falls as if the roll failed (`dismount_effect`)."""
    rider = judging.state.combatants[name]
    falls = rider.condition == "incapacitated" and judging.ruleset["dismount_effect"] == "falls_prone"
    judging.record(RiderDismounted(name, mount, why, "on_ground" if falls else ""))


SECTION = RuleModule(
    limits=(require_no_owed_roll,),
    ongoing=(OngoingEffect("ride", "status.mount", ride_end_reason, get_off),),
    turn_end_limits=(rolls_first,),
    at_resolved=(rolls_owed_after, charge_ridden),
    mechanics=(
        Mechanic(Mount, check=check_mount, judge=judge_mount, offers=_offer_mount, pays=("mount", "action")),
        Mechanic(
            Dismount, check=check_dismount, judge=judge_dismount, offers=_offer_dismount, pays=("dismount", "action")
        ),
        Mechanic(StayMounted, check=check_stay, judge=judge_stay, offers=_offer_stay),
    ),
)

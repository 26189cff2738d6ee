"""Incapacity: the unconscious or bound lose their actions until they are awake or free (RD6-INIT-07)."""

from __future__ import annotations

from collections.abc import Iterator

from mam_events.commands import Incapacitate, Recover
from mam_events.decider.checks import require_combatant, require_open
from mam_events.decider.engine import Decision, OngoingEffect, RuleModule, Ruleset
from mam_events.decider.mechanic import Mechanic
from mam_events.decider.offers import Field, Offer, free, offer
from mam_events.errors import CommandHint, Refused
from mam_events.events import ActionsLost, CombatantFreed, CombatantIncapacitated, CombatantRecovered, TurnRegained
from mam_events.refusals.arguments import Word
from mam_events.rules.ron_d6.consequences import check_following, with_followed_action
from mam_events.state import Combatant, Encounter


def check_incapacitate(state: Encounter, ruleset: Ruleset, command: Incapacitate) -> None:
    """Raise Refused with `incapacitated` unless the combatant is up, or as `check_following` does."""
    require_open(state)
    combatant = require_combatant(state, command.combatant)
    if command.through:
        require_combatant(state, command.through, "through")
    if combatant.condition != "able":
        raise Refused(
            "incapacitated",
            combatant=combatant,
            condition=Word(combatant.condition),
            rule="RD6-INIT-07",
            fields=("combatant",),
        )
    check_following(state, command)


def judge_incapacitate(judging: Decision, command: Incapacitate, _: None) -> None:
    """Record that a combatant goes down: it loses actions of this round, and holds nobody down any more."""
    judging.record(CombatantIncapacitated(command.combatant, command.cause, command.through))
    for follows in judging.ruleset.edition.at_unable:
        follows(judging, command.combatant)


def hold_down_end_reason(state: Encounter, ruleset: Ruleset, combatant: Combatant, holder: str) -> str:
    """Return the reason why that holder no longer holds the combatant down; "" while it does.

    The holder is down, or is held down itself, so that it can do nothing physical (RD6-LIST-tackle). Or the held
    combatant is gone.
    """
    by = state.combatants[holder]
    if by.condition != "able":
        return f"{by.name} is {by.condition}"
    if by.status.held_down_by:
        return f"{by.name} is held down"
    return f"{combatant.name} is {combatant.condition}" if combatant.is_gone else ""


def record_freed(judging: Decision, name: str, holder: str, why: str) -> None:
    """Record that the holder no longer holds the combatant down."""
    judging.record(CombatantFreed(name, of=holder))


def lose_actions(judging: Decision, name: str) -> None:
    """Record what a combatant unable to act loses in the round under way (`rd6_incapacitated_loses`)."""
    state = judging.state
    if not state.round_open:
        return
    remaining = state.combatants[name].actions.left
    begun = name in state.had_turn or state.turn_in_order == name or state.combatants[name].actions.turn_lost
    if not (remaining or not begun):
        return
    if judging.ruleset["rd6_incapacitated_loses"] == "next_action":
        judging.record(ActionsLost(name, 1))
    else:
        judging.record(ActionsLost(name, remaining, turn=not begun))


def lose_round(judging: Decision) -> None:
    """Record that combatants who begin the round unable to act lose it (`rd6_incapacitated_loses`)."""
    if judging.ruleset["rd6_incapacitated_loses"] == "next_action":
        return
    for name, combatant in judging.state.combatants.items():
        if combatant.condition == "incapacitated":
            judging.record(ActionsLost(name, 0, turn=True))


def _offer_incapacitate(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    for name in state.combatants:
        yield offer(
            Incapacitate(name),
            Field("through", choices=("", *state.combatants)),
            *free("cause", "exchange", "outcome"),
            by=name,
        )


def check_recover(state: Encounter, ruleset: Ruleset, command: Recover) -> Combatant:
    """Return the combatant who recovers.

    Raises Refused with `able` for one who is neither down nor held down, and with `out_of_fight` for the dead.
    """
    require_open(state)
    combatant = require_combatant(state, command.combatant)
    if combatant.is_gone:
        raise Refused(
            "out_of_fight/recover",
            combatant=combatant,
            condition=Word(combatant.condition),
            rule="RD6-INIT-07",
            fields=("combatant",),
            hints=(CommandHint("adjust"),),
        )
    if combatant.condition == "able" and not combatant.status.held_down_by:
        raise Refused("able", combatant=combatant, rule="RD6-INIT-07", fields=("combatant",))
    return combatant


def judge_recover(judging: Decision, command: Recover, combatant: Combatant) -> None:
    """Record that a combatant wakes, or that one who was awake is free.

    Actions lost in this round stay lost, unless it wakes before its place in the order and `rd6_waking` lets it act
    there.
    """
    if combatant.condition != "able":
        judging.record(CombatantRecovered(command.combatant, command.reason))
        if judging.ruleset["rd6_waking"] == "in_its_place" and _is_yet_to_come(
            judging.state, judging.ruleset, combatant
        ):
            judging.record(TurnRegained(command.combatant))
    else:
        judging.record(CombatantFreed(command.combatant, command.reason))


def _is_yet_to_come(state: Encounter, ruleset: Ruleset, combatant: Combatant) -> bool:
    """Return True if a combatant who lost actions of this round has its place in the order still ahead.

    Then neither it nor anybody who comes later has had a turn.
    """
    has_lost_turn = combatant.actions.turn_lost or (combatant.actions.lost and not combatant.actions.declared)
    had = (*state.had_turn, state.turn_in_order)
    if not state.round_open or not has_lost_turn or combatant.id in had:
        return False
    order = state.turn_order
    later = order[order.index(combatant.id) + 1 :] if combatant.id in order else ()
    entry = state.initiative.entry(combatant.id)
    together = entry.combatants if entry and ruleset["rd6_group_initiative"] == "as_one_entry" else ()
    # A combatant whose turn moved up has not reached its place yet.
    return not any(
        name in had and name not in together and not state.combatants[name].actions.reaction for name in later
    )


def _offer_recover(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    for name in state.combatants:
        yield offer(Recover(name), *free("reason"), by=name)


SECTION = RuleModule(
    at_round_start=(lose_round,),
    at_unable=(lose_actions,),
    ongoing=(OngoingEffect("held down", "status.held_down_by", hold_down_end_reason, record_freed),),
    mechanics=(
        Mechanic(
            Incapacitate,
            check=check_incapacitate,
            judge=judge_incapacitate,
            offers=_offer_incapacitate,
            completes=with_followed_action,
        ),
        Mechanic(Recover, check=check_recover, judge=judge_recover, offers=_offer_recover),
    ),
)

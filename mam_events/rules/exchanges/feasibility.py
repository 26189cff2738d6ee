"""Checks that declared actions can still be done before they take effect (MAM-CTR-03).

A counterattack comes before what it interrupts. The game master's word or a dropped thing may also come in between.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from mam_events.decider.action_kinds import check_limits, require_can_strike
from mam_events.decider.announcements import carry_out, check_announced
from mam_events.decider.checks import is_allowed, require_able, require_exchange, require_not_thrown, weapon_in_hand
from mam_events.decider.engine import Decision, Ruleset
from mam_events.decider.rule_tables import DeedKind
from mam_events.errors import Refused
from mam_events.events import ActionResolved, AttackResolved
from mam_events.refusals.arguments import Message
from mam_events.rules.attack.attacks import check_target
from mam_events.rules.attack.terms import attack_deed, missile_deed
from mam_events.rules.grappling.holds import hold_of
from mam_events.rules.grappling.manipulation_numbers import advance_of, check_flight
from mam_events.rules.health.hit_points import require_nothing_to_drop
from mam_events.rules.missiles.archery import check_shot
from mam_events.rules.missiles.thrown_weapons import check_second_turn, missile_of, thing_to_heave
from mam_events.rules.mounts.vehicles import check_driver, check_outside
from mam_events.state import Action, Encounter, Exchange, Weapon
from mam_events.values import OutcomeField

DUTIES_FIRST = ("roll_owed", "reserve_short")
"""Errors that only ask for something else to be done first: nothing is wrong with the action itself."""


def declared_kind_of(action: Action, weapon: Weapon) -> DeedKind:
    """Return the kind of the action that began an exchange, as the table of kinds names it."""
    if action.kind == "action":
        return "act"
    what = action.manipulation
    if what:
        return missile_deed(action.terms.thrown, weapon) or ("hold" if what.follow_up == "hold" else "manipulation")
    return attack_deed(action.terms.thrown, weapon, action.terms.mode)


def check_means(state: Encounter, action: Action) -> None:
    """Raise Refused, as its declaration would, if an action's combatant is down or no longer has what it needs."""
    if action.terms.collision:
        check_driver(state, action.terms.collision.driver, action.combatant)
        return
    combatant = state.combatants[action.combatant]
    require_able(combatant)
    if action.weapon:
        wielded = thing_to_heave if action.terms.thrown == "heave" else weapon_in_hand
        wielded(combatant, action.weapon)


def check_root(state: Encounter, ruleset: Ruleset, action: Action) -> None:
    """Raise Refused, as its declaration would now, if the action that began an exchange can no longer be done.

    Its cost is paid and not checked again; nor is whose turn it is.
    """
    check_means(state, action)
    combatant = state.combatants[action.combatant]
    if action.attacks:
        check_target(combatant, state.combatants[action.target])
    if action.terms.collision:
        check_outside(combatant, state.combatants[action.target])
        return
    require_nothing_to_drop(combatant, ruleset)
    if action.order:
        check_announced(state, ruleset, action)
        return
    if action.kind == "action":
        check_limits(state, ruleset, combatant, "act")
        return
    require_can_strike(state, ruleset, combatant)
    weapon = missile_of(combatant, action.weapon)
    assert weapon is not None  # noqa: S101 - its means were there
    check_limits(state, ruleset, combatant, declared_kind_of(action, weapon))
    if action.terms.thrown == "heave":
        check_second_turn(combatant, weapon, ruleset)
    elif not action.terms.thrown:
        check_shot(combatant, weapon)
    what = action.manipulation
    if what and what.follow_up == "escape":
        hold_of(state.combatants[action.target], what.item)
    if what and what.distance is not None:
        check_flight(combatant, state.combatants[action.target], what.distance, advance_of(ruleset, combatant, what))


def check_still_possible(state: Encounter, ruleset: Ruleset, action: Action) -> None:
    """Raise Refused if the action would not be declared now, after a counterattack.

    This includes an aim out of reach, which does not hinder an action that goes on.
    """
    check_root(state, ruleset, action)
    if action.manipulation and action.manipulation.follow_up == "disarm":
        weapon_in_hand(state.combatants[action.target], action.manipulation.item)


def find_hindrance(
    state: Encounter,
    ruleset: Ruleset,
    action: Action,
    check: Callable[[Encounter, Ruleset, Action], None] = check_root,
) -> Message | None:
    """Return the reason why the action that began an exchange can no longer be done; None while it can."""
    no = reason_impossible(state, ruleset, action, check)
    return no.message if no else None


def reason_impossible(
    state: Encounter,
    ruleset: Ruleset,
    action: Action,
    check: Callable[[Encounter, Ruleset, Action], None] = check_root,
) -> Refused | None:
    """Return the error of the action that began an exchange, if it can no longer be done."""
    try:
        check(state, ruleset, action)
    except Refused as no:
        return None if no.code in DUTIES_FIRST else no
    return None


def cancel_exchange(judging: Decision, exchange: Exchange, why: Message | None) -> None:
    """Record that an exchange ends with nothing done: nothing was shot or thrown, so nothing follows."""
    if exchange.root.kind == "attack":
        record_attack_result(judging, exchange, AttackResolved(exchange.id, "fail", 0, 0, why, made=False))
    else:
        judging.record(ActionResolved(exchange.id, "fail", why))


def record_action_result(judging: Decision, action: Action, outcome: OutcomeField, why: Message | None) -> None:
    """Record the result of an action that is no attack, and do what it announced unless it was stopped."""
    hindering = find_hindrance(judging.state, judging.ruleset, action) if action.order and outcome != "fail" else None
    if hindering:
        outcome, why = "fail", hindering
    judging.record(ActionResolved(action.id, outcome, why))
    if action.order and outcome != "fail":
        carry_out(judging, action)


def record_attack_result(judging: Decision, exchange: Exchange, event: AttackResolved) -> None:
    """Record the result of an attack, in the form of the kind of attack that it was."""
    for adapt_result in judging.ruleset.edition.attack_results:
        event = adapt_result(exchange, event)
    judging.record(event)


def record_aftermath(judging: Decision, exchange: Exchange, done: tuple[Action, ...]) -> None:
    """Record the aftermath of an exchange whose `done` actions were carried out, whatever their results."""
    for follows in judging.ruleset.edition.at_resolved:
        follows(judging, exchange, done)


def helpless_reason(state: Encounter, action: Action) -> Message | None:
    """Return the reason why an action can no longer be done although its dice have fallen; None while it can."""
    try:
        check_means(state, action)
    except Refused as no:
        return no.message
    return None


def without_impossible(state: Encounter, exchange: Exchange) -> Exchange:
    """Return the exchange without the reactions that can no longer be made, and without answers to them."""
    possible = [exchange.root]
    for action in exchange.actions[1:]:
        if action.against in [other.id for other in possible] and is_allowed(check_means, state, action):
            possible.append(action)
    return exchange if len(possible) == len(exchange.actions) else replace(exchange, actions=tuple(possible))


def is_changeable(state: Encounter, exchange: Exchange) -> bool:
    """Return True if the action that began the exchange may still be changed.

    A counterattack came first, nobody has answered yet, and the combatant who declared the action is up.
    """
    able_still = state.combatants[exchange.root.actor].condition == "able"
    return exchange.countered and len(exchange.actions) == 1 and able_still and not exchange.faces


def before_dice(state: Encounter, ruleset: Ruleset, number: int) -> Exchange:
    """Return the exchange as `require_going_on` does; also raise Refused with `dice_thrown`.

    Nobody decides after seeing a die.
    """
    exchange = require_going_on(state, ruleset, number)
    require_not_thrown(state)
    return exchange


def require_going_on(state: Encounter, ruleset: Ruleset, number: int) -> Exchange:
    """Return the open exchange with that number.

    Raises Refused with `must_change` while its first action can no longer be done, and may be changed (MAM-CTR-03). If
    it may not be changed, it fails when it is resolved.
    """
    exchange = require_exchange(state, number)
    if not is_changeable(state, exchange):
        return exchange
    try:
        check_still_possible(state, ruleset, exchange.root)
    except Refused as no:
        if no.code in DUTIES_FIRST:
            raise
        who = state.combatants[exchange.root.actor]
        raise Refused("must_change", reason=no.message, who=who, rule="MAM-CTR-03", fields=("exchange",)) from no
    return exchange

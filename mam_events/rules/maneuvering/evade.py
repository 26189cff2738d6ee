"""Maneuvering: evasion and its bonuses, getting down and standing up (MAM-MNV-01 to MAM-MNV-04)."""

from __future__ import annotations

from collections.abc import Iterator

from mam_events.commands import Attack, Drop, Evade, Stand
from mam_events.decider.action_kinds import build_action_offer, costs_nothing, require_affordable, require_can_act
from mam_events.decider.action_price import ActionPrice
from mam_events.decider.engine import Decision, RuleModule, Ruleset
from mam_events.decider.mechanic import Mechanic
from mam_events.decider.offers import Offer, offer
from mam_events.decider.rule_tables import DeedKind, EvasionSource
from mam_events.errors import Refused
from mam_events.events import EvasionTaken, PositionChanged
from mam_events.rules.health.hit_points import pay
from mam_events.rules.maneuvering.items import record_move_effects
from mam_events.rules.rolls.effects import end_turn_number
from mam_events.state import Action, Combatant, Effect, Encounter

UNIFORM = {"uniform_two": 2, "uniform_four": 4, "uniform_five": 5}


def uniform_bonus(ruleset: Ruleset) -> int | None:
    """Return the single bonus for all kinds of evasion, if the house rules have one (`evasion_bonus_scale`)."""
    return UNIFORM.get(ruleset["evasion_bonus_scale"])


def evasion_bonus(source: EvasionSource, ruleset: Ruleset) -> int:
    """Return the bonus of that kind of evasion: the single bonus for all, or the one in the table."""
    return uniform_bonus(ruleset) or ruleset.tables.evasion[source]


def until_next_turn_ends(combatant: Combatant, source: EvasionSource, rule: str, ruleset: Ruleset) -> Effect:
    """Return the bonus of that kind, which lasts to the end of the combatant's next turn (MAM-MNV-01, MAM-POS-04)."""
    return Effect(source, evasion_bonus(source, ruleset), rule, turn=end_turn_number(combatant, 1))


def replaces_evasion(ruleset: Ruleset) -> bool:
    """Return True if a later evasion replaces an earlier one, which it outlasts (`evasion_stacking`)."""
    return ruleset["evasion_stacking"] == "no_stack"


def evasion_price(ruleset: Ruleset) -> ActionPrice:
    """Return the price of evading: a point for defense, if points are spent (`evasion_cost`)."""
    points = ruleset.edition.economy.charged(1 if ruleset["evasion_cost"] == "one_point" else 0)
    return ActionPrice(points, 0, ("combatant",), "MAM-MNV-01")


def has_evaded(combatant: Combatant) -> bool:
    """Return True if it has evaded since its last turn began."""
    # An evasion since the last turn began is the only one that ends with the next turn.
    return any(e.source == "evasion" and e.turn == end_turn_number(combatant, 1) for e in combatant.status.effects)


def require_not_evaded(combatant: Combatant) -> None:
    """Raise Refused with `once_per_turn` if it has evaded since its last turn began (MAM-MNV-01)."""
    if has_evaded(combatant):
        raise Refused("once_per_turn", combatant=combatant, rule="MAM-MNV-01", fields=("combatant",))


def check_evade(state: Encounter, ruleset: Ruleset, command: Evade) -> ActionPrice:
    """Return the price of evading, if that combatant may do it now: it is an action, once per turn (MAM-MNV-01)."""
    # evasion_cost: "free" is about points. The digest does not call evading quick, so in a turn without points it takes
    # the action, unless it comes with a quick attack.
    combatant = require_can_act(state, ruleset, command.combatant, "evade")
    require_not_evaded(combatant)
    price = evasion_price(ruleset)
    ruleset.edition.economy.afford(state, ruleset, combatant, "evade", price)
    return price


def judge_evade(judging: Decision, command: Evade, price: ActionPrice) -> None:
    """Evade, which counts as moving, and pay for it."""
    take_evasion(judging, command.combatant)
    record_move_effects(judging, command.combatant)
    judging.ruleset.edition.economy.pay(judging, command.combatant, "evade", "evasion", price)


def take_evasion(judging: Decision, name: str) -> None:
    """Record that a combatant evades from now on (MAM-MNV-01)."""
    ruleset = judging.ruleset
    effect = until_next_turn_ends(judging.state.combatants[name], "evasion", "MAM-MNV-01", ruleset)
    judging.record(EvasionTaken(name, effect, replaces_evasion(ruleset)))


def _offer_evade(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    for name in state.combatants:
        yield offer(Evade(name))


def check_with_attack(state: Encounter, ruleset: Ruleset, attacker: Combatant, command: Attack, deed: DeedKind) -> None:
    """Raise Refused unless the attacker may evade with that attack, which must be a quick one (MAM-MNV-02).

    Raises `not_quick`, `once_per_turn` or `not_enough_ready`.
    """
    if not command.evade:
        return
    if command.mode != "quick" or command.thrown:
        raise Refused("not_quick", rule="MAM-MNV-02", fields=("evade",))
    require_not_evaded(attacker)
    evading = evasion_price(ruleset)
    fields = ("power", "modifier", "evade")
    price = ActionPrice(command.modifier + evading.to_defense, command.power, fields, "MAM-MNV-02")
    ruleset.edition.economy.afford(state, ruleset, attacker, deed, price)


def pay_with_attack(judging: Decision, command: Attack) -> None:
    """Pay for evading with an attack (MAM-MNV-02)."""
    price = evasion_price(judging.ruleset)
    if command.evade and price.points:
        pay(judging, command.attacker, "evasion", to_defense=price.to_defense)


def move_with_attack(judging: Decision, action: Action) -> None:
    """Record that a combatant who evades with an attack moves in it (MAM-MNV-02)."""
    if action.terms.evade:
        record_move_effects(judging, action.combatant)


def protect(judging: Decision, action: Action) -> None:
    """Record how an attack protects the attacker: by evasion (MAM-MNV-02) or caution (MAM-POS-04).

    An attack that is not made protects nobody, and leaves earlier protection as it is. An attacker who falls in it is
    not protected either (MAM-WND-08).
    """
    if judging.state.combatants[action.combatant].condition != "able":
        return
    if action.terms.evade:
        take_evasion(judging, action.combatant)
    if action.terms.mode == "cautious":
        who = judging.state.combatants[action.combatant]
        effect = until_next_turn_ends(who, "cautious", "MAM-POS-04", judging.ruleset)
        judging.record(EvasionTaken(who.id, effect))


def check_drop(state: Encounter, ruleset: Ruleset, command: Drop) -> ActionPrice:
    """Return the price of getting down, if that combatant may do it now (MAM-MNV-03, `drop_action_cost`)."""
    combatant = require_can_act(state, ruleset, command.combatant, "drop")
    if costs_nothing("drop", ruleset) and command.points:
        raise Refused("exceeds_maximum/getting_down", rule="MAM-MNV-03", fields=("points",))
    return require_affordable(state, ruleset, combatant, "drop", command.points, "MAM-MNV-03")


def judge_drop(judging: Decision, command: Drop, price: ActionPrice) -> None:
    """Get down; a combatant who was aiming must aim again."""
    before = judging.state.combatants[command.combatant].status.position
    judging.record(PositionChanged(command.combatant, before, "on_ground", "drop"))
    if not costs_nothing("drop", judging.ruleset):
        judging.ruleset.edition.economy.pay(judging, command.combatant, "drop", "action", price)


def _offer_drop(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    for combatant in state.combatants.values():
        yield build_action_offer(state, ruleset, combatant, "drop", Drop(combatant.id))


def check_stand(state: Encounter, ruleset: Ruleset, command: Stand) -> ActionPrice:
    """Return the price of standing up, if that combatant may do it now: it is a quick action (MAM-MNV-04)."""
    combatant = require_can_act(state, ruleset, command.combatant, "stand")
    return require_affordable(state, ruleset, combatant, "stand", command.points, "MAM-MNV-04")


def judge_stand(judging: Decision, command: Stand, price: ActionPrice) -> None:
    """Stand up; a combatant who was aiming must aim again."""
    before = judging.state.combatants[command.combatant].status.position
    judging.record(PositionChanged(command.combatant, before, "standing", "stand"))
    judging.ruleset.edition.economy.pay(judging, command.combatant, "stand", "action", price)


def _offer_stand(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    for combatant in state.combatants.values():
        yield build_action_offer(state, ruleset, combatant, "stand", Stand(combatant.id))


SECTION = RuleModule(
    mechanics=(
        Mechanic(Evade, check=check_evade, judge=judge_evade, offers=_offer_evade),
        Mechanic(Drop, check=check_drop, judge=judge_drop, offers=_offer_drop),
        Mechanic(Stand, check=check_stand, judge=judge_stand, offers=_offer_stand, pays=("stand", "action")),
    ),
)

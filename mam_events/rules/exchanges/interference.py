"""Interference: actions that aim to stop other actions, and chains of them (MAM-INTF)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from mam_events.commands import Interfere
from mam_events.decider.action_kinds import require_can_strike
from mam_events.decider.action_price import ActionPrice
from mam_events.decider.checks import require_able, require_combatant, weapon_in_hand
from mam_events.decider.engine import Decision, RuleModule, Ruleset
from mam_events.decider.mechanic import Mechanic
from mam_events.decider.offers import Field, Offer, Sum, offer
from mam_events.errors import Refused
from mam_events.events import InterferenceDeclared, Modifier
from mam_events.refusals.arguments import RulingArgument
from mam_events.rules.attack.attacks import POINT_FIELDS, AutomaticSuccess, attack_modifiers, difficulty
from mam_events.rules.attack.terms import answer_terms, answered_attack, required_distance, weapons_in_reach
from mam_events.rules.exchanges.feasibility import before_dice
from mam_events.rules.exchanges.generic_action import ability_modifier
from mam_events.rules.exchanges.reactions import require_unanswered
from mam_events.rules.missiles.archery import answer_weapons, check_reaction
from mam_events.rules.rolls.difficulty import difficulty_from_modifier
from mam_events.rules.rolls.success_rolls import automatic_outcome
from mam_events.rules.turns.combos import used_points
from mam_events.state import PLAIN_TERMS, Action, Combatant, Encounter, Exchange, Terms
from mam_events.values import OutcomeField


class RolledAction(Struct, frozen=True):
    """An action after its roll.

    `against` is the action that it interferes with (None: none). `net_effect` is what it would do to its target if it
    `attacks`. `automatic` is True if its die succeeds whatever the total.
    """

    id: int
    total: int
    modifiers: int = 0
    against: int | None = None
    attacks: bool = False
    net_effect: int = 0
    automatic: bool = False


def interference_outcome(interferer: RolledAction, target: RolledAction, ruleset: Ruleset) -> OutcomeField:
    """Return the outcome of an interference against its target (MAM-INTF-01, MAM-INTF-04).

    It depends on `interference_roll` and `interference_tie`. An automatic success decides as it does in every other
    roll (MAM-ROLL-02).
    """
    if interferer.attacks and interferer.net_effect <= 0:
        return "fail"
    fixed = ruleset["interference_roll"] == "versus_fixed_difficulty"
    sure = AutomaticSuccess(interferer.automatic, None if fixed else target.automatic)
    decided = automatic_outcome(acting=sure.acting, opposing=sure.opposing, ruleset=ruleset)
    if decided:
        return decided
    to_beat = difficulty_from_modifier(target.modifiers) if fixed else target.total
    if interferer.total > to_beat:
        return "full"
    tie = interferer.total == to_beat and ruleset["interference_tie"] == "half_each"
    return "half" if tie else "fail"


def remaining_outcomes(
    actions: Sequence[RolledAction],
    ruleset: Ruleset,
    resolved: Callable[[int, OutcomeField], OutcomeField] | None = None,
) -> dict[int, OutcomeField]:
    """Return what is left of every action: "fail" for a stopped one, "half" for one halved by a tie (MAM-INTF-07).

    The last declared is resolved first: a stopped interference does not count against its target. `resolved` is called
    for each action as it is reached, with what the later ones leave of it, and returns what is left in the end.
    """
    outcomes: dict[int, OutcomeField] = {}
    for action in reversed(actions):
        rest = _left_of(action, actions, outcomes, ruleset)
        outcomes[action.id] = resolved(action.id, rest) if resolved else rest
    return outcomes


def _left_of(
    action: RolledAction, actions: Sequence[RolledAction], outcomes: Mapping[int, OutcomeField], ruleset: Ruleset
) -> OutcomeField:
    """Return what the actions declared against an action leave of it; `outcomes` has what is left of each of those."""
    rest: OutcomeField = "full"
    for other in actions:
        if other.against == action.id and outcomes[other.id] != "fail":
            result = interference_outcome(other, action, ruleset)
            if result == "full" and outcomes[other.id] == "full":
                return "fail"
            if result != "fail":
                # A tie halves it, and so does an interference that was itself halved.
                rest = "half"
    return rest


def interference_cap(state: Encounter, exchange: Exchange, target: Action, ruleset: Ruleset) -> int:
    """Return the most points for an interference with that action (MAM-INTF-05, `interference_hp_cap_base`)."""
    capping = exchange.root if ruleset["interference_hp_cap_base"] == "root_action" else target
    return used_points(state, ruleset, capping)


def interference_modifiers(
    state: Encounter, ruleset: Ruleset, action: Action, exchange: Exchange
) -> tuple[Modifier, ...]:
    """Return all modifiers of an interference or a counterattack (MAM-INTF-01, MAM-ATK-12, MAM-POOL-04).

    They are those of an attack, or the ability named for it. If the roll replaces the defense roll, what makes the
    attack harder counts for it (MAM-INTF-03). What makes its own strike harder counts against it; the light is the same
    (MAM-ATK-09).
    """
    root = exchange.root
    adds = attack_modifiers(state, ruleset, action) if action.attacks else ability_modifier(state, ruleset, action)
    defends = action.against == root.id and answered_attack(state.combatants[action.combatant], root)
    modifiers = difficulty(state, ruleset, root) if defends else ()
    if action.attacks:
        light = replace(action.terms, light=root.terms.light, darkness=root.terms.darkness)
        action = replace(action, terms=light)
    own = tuple(Modifier(m.name, -m.value, m.rule) for m in difficulty(state, ruleset, action))
    return (*adds, *modifiers, *own)


class InterferenceOption(Struct, frozen=True):
    """An interference as it will be declared: the action that it is aimed at, and the terms."""

    target: Action
    terms: Terms


def check_interfere(state: Encounter, ruleset: Ruleset, command: Interfere) -> InterferenceOption:
    """Return the interference; raise Refused if it is not possible now (MAM-INTF-01 to MAM-INTF-05)."""
    combatant, exchange, target = require_interferer(
        state, ruleset, command.combatant, command.exchange, command.action
    )
    price = _cost(command)
    weapon = weapon_in_hand(combatant, command.weapon) if command.weapon else None
    if weapon:
        require_can_strike(state, ruleset, combatant)
    check_reaction(state, ruleset, combatant.id, command.weapon, strikes=bool(weapon))
    answered = answered_attack(combatant, target)
    terms = answer_terms(state, ruleset, weapon, command.distance, answered) if weapon else PLAIN_TERMS
    ruleset.edition.economy.react(state, ruleset, combatant, price, interference_cap(state, exchange, target, ruleset))
    return InterferenceOption(target, terms)


def unknown_action(exchange: Exchange, against: int) -> Refused:
    """Return the error for the number of an action that was not declared in that exchange."""
    return Refused(
        "unknown_action/exchange",
        number=against,
        exchange=RulingArgument(exchange.id),
        rule="MAM-INTF-01",
        fields=("action",),
        wrong="",
        allowed=[RulingArgument(action.id) for action in exchange.actions],
    )


def require_interferer(
    state: Encounter, ruleset: Ruleset, name: str, number: int, against: int
) -> tuple[Combatant, Exchange, Action]:
    """Return the combatant who interferes, the exchange, and the action that it interferes with.

    Raises Refused with `unknown_action` or `bad_target`.
    """
    exchange = before_dice(state, ruleset, number)
    combatant = require_combatant(state, name)
    require_able(combatant)
    target = exchange.action(against)
    if target is None:
        raise unknown_action(exchange, against)
    if target.combatant == combatant.id:
        raise Refused("bad_target/interfering_with_self", combatant=combatant, rule="MAM-INTF-01", fields=("action",))
    if target.id == exchange.id and answered_attack(combatant, target):
        require_unanswered(exchange, combatant)
    return combatant, exchange, target


def _cost(command: Interfere) -> ActionPrice:
    if command.weapon and (command.points or command.bonus):
        raise Refused("mixed_interference", rule="MAM-INTF-04", fields=("points", "bonus"))
    if not command.weapon and (command.power or command.modifier or command.distance is not None):
        raise Refused("mixed_interference/no_weapon", rule="MAM-INTF-04", fields=("power", "modifier", "distance"))
    if command.weapon:
        return ActionPrice(command.modifier, command.power, POINT_FIELDS, "MAM-INTF-05")
    return ActionPrice(0, command.points, ("points",), "MAM-INTF-05")


def judge_interfere(judging: Decision, command: Interfere, option: InterferenceOption) -> None:
    """Declare an interference and pay for it."""
    price, target = _cost(command), option.target
    judging.record(
        InterferenceDeclared(
            command.exchange,
            judging.ruling,
            command.combatant,
            target.id,
            target.combatant,
            price.points,
            bonus=command.bonus,
            strikes=bool(command.weapon),
            weapon=command.weapon,
            power=command.power,
            modifier=command.modifier,
            terms=option.terms,
        )
    )
    judging.ruleset.edition.economy.pay_reaction(judging, command.combatant, "interference", price)


def _offer_interfere(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    exchange = state.exchange
    if exchange is None:
        return
    for combatant in state.combatants.values():
        for action in exchange.actions:
            if action.combatant == combatant.id:
                continue
            low, most = ruleset.edition.economy.reaction_span(
                combatant, interference_cap(state, exchange, action, ruleset)
            )
            least = Interfere(combatant.id, exchange.id, action.id, points=low)
            yield offer(least, Field("points", low=low, high=most), Field("bonus"), pinned=("exchange", "action"))
            weapons = weapons_in_reach(
                state,
                combatant,
                answer_weapons(state, ruleset, combatant, strikes=True),
                answered_attack(combatant, action),
            )
            yield offer(
                Interfere(combatant.id, exchange.id, action.id, weapon=weapons[0], modifier=low),
                Field("weapon", choices=weapons),
                Field("power", low=0, high=most),
                Field("modifier", low=0, high=most),
                required_distance(combatant, weapons),
                pinned=("exchange", "action"),
                total=Sum(POINT_FIELDS, low, most),
            )


SECTION = RuleModule(
    mechanics=(Mechanic(Interfere, check=check_interfere, judge=judge_interfere, offers=_offer_interfere),),
)

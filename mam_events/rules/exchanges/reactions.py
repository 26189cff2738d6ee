"""Reactions of the attacked combatant: an immediate counterattack, or none (MAM-INTF-03, MAM-ATK-12)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from mam_events.commands import Counterattack, Pass
from mam_events.decider.action_kinds import require_can_strike
from mam_events.decider.action_price import ActionPrice
from mam_events.decider.checks import is_allowed, require_able, require_combatant, weapon_in_hand
from mam_events.decider.engine import Decision, RuleModule, Ruleset
from mam_events.decider.mechanic import Mechanic
from mam_events.decider.offers import Field, Offer, Sum, offer
from mam_events.errors import Refused
from mam_events.events import CounterattackDeclared, ReactionPassed
from mam_events.refusals.arguments import Message, RulingArgument, Term, Word, text_fragment
from mam_events.rules.attack.attacks import POINT_FIELDS, AutomaticSuccess, check_target
from mam_events.rules.attack.default_weapon import with_default_weapon
from mam_events.rules.attack.terms import answer_terms, required_distance, weapons_in_reach
from mam_events.rules.exchanges.feasibility import before_dice
from mam_events.rules.missiles.archery import answer_weapons, check_reaction
from mam_events.rules.rolls.success_rolls import automatic_outcome, compare_totals
from mam_events.rules.turns.combos import used_points
from mam_events.state import Combatant, Encounter, Exchange, Terms
from mam_events.values import OutcomeField


def require_attack_target(
    state: Encounter, ruleset: Ruleset, number: int, name: str, rule: str
) -> tuple[Exchange, Combatant]:
    """Return the open attack with that number, and its target.

    Raises Refused with `not_the_target` if the combatant is not the target.
    """
    exchange = before_dice(state, ruleset, number)
    combatant = require_combatant(state, name)
    if exchange.root.kind != "attack" or exchange.root.target != combatant.id:
        target = state.combatants.get(exchange.root.target) if exchange.root.kind == "attack" else None
        own = combatant.id == exchange.root.combatant
        if target is None:
            raise Refused(
                "not_the_target/own_action" if own else "not_the_target/no_attack_at_all",
                exchange=RulingArgument(number),
                who=combatant,
                rule=rule,
                fields=("combatant",),
            )
        raise Refused(
            "not_the_target/own_attack" if own else "not_the_target",
            exchange=RulingArgument(number),
            who=combatant,
            target=target,
            rule=rule,
            fields=("combatant",),
        )
    require_able(combatant)
    return exchange, combatant


def thrown_into(state: Encounter, exchange: Exchange) -> str:
    """Return the combatant whom a thrown body is to strike in that exchange (MAM-MNP-09).

    Return "" if there is none, or if they are no longer there.
    """
    root = exchange.root
    into = root.manipulation.into if root.manipulation else ""
    if not into:
        return ""
    can_hit = is_allowed(check_target, state.combatants[root.combatant], state.combatants[into], "into")
    return into if can_hit else ""


def require_unanswered(exchange: Exchange, combatant: Combatant) -> None:
    """Raise Refused with `already_answered` if another action already replaces the defense roll (MAM-INTF-03)."""
    answer = exchange.declaration_against_root(combatant.id)
    if answer is not None:
        raise Refused(
            "already_answered/instead_of_defense",
            who=combatant,
            answer=Word(answer.kind),
            action=RulingArgument(answer.id),
            rule="MAM-INTF-03",
            fields=("combatant",),
        )


class CounterattackOption(Struct, frozen=True):
    """A counterattack as it will be declared: the exchange and the terms."""

    exchange: Exchange
    terms: Terms


def check_counterattack(state: Encounter, ruleset: Ruleset, command: Counterattack) -> CounterattackOption:
    """Return the target's immediate counterattack, which may use no more points than the attack.

    MAM-ATK-12, MAM-INTF-05.
    """
    if ruleset["counterattack_mode"] != "reactive_hit_points":
        raise Refused("not_in_edition/prepared_first", rule="MAM-CTR-01")
    exchange, combatant = require_attack_target(state, ruleset, command.exchange, command.combatant, "MAM-ATK-12")
    require_unanswered(exchange, combatant)
    require_can_strike(state, ruleset, combatant)
    weapon = weapon_in_hand(combatant, command.weapon)
    check_reaction(state, ruleset, combatant.id, weapon.id, strikes=True)
    target = (
        require_combatant(state, command.target, "target")
        if command.target
        else state.combatants[exchange.root.combatant]
    )
    if target.id != exchange.root.combatant and ruleset["counterattack_target"] == "attacker_only":
        raise Refused(
            "bad_target/not_attacker",
            exchange_root_combatant=state.combatants[exchange.root.combatant],
            rule="MAM-CTR-02",
            fields=("target",),
        )
    check_target(combatant, target)
    answered = exchange.root if target.id == exchange.root.combatant else None
    terms = answer_terms(state, ruleset, weapon, command.distance, answered)
    price = ActionPrice(command.modifier, command.power, POINT_FIELDS, "MAM-ATK-12")
    ruleset.edition.economy.react(state, ruleset, combatant, price, used_points(state, ruleset, exchange.root))
    return CounterattackOption(exchange, terms)


def judge_counterattack(judging: Decision, command: Counterattack, option: CounterattackOption) -> None:
    """Declare a counterattack and pay for it; its roll will replace the defense roll."""
    judging.record(
        CounterattackDeclared(
            option.exchange.id,
            judging.ruling,
            command.combatant,
            command.target or option.exchange.root.combatant,
            command.weapon,
            command.power,
            command.modifier,
            option.terms,
        )
    )
    price = ActionPrice(command.modifier, command.power)
    judging.ruleset.edition.economy.pay_reaction(judging, command.combatant, "counterattack", price)


def _offer_counterattack(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    exchange = state.exchange
    if exchange is None or exchange.root.kind != "attack":
        return
    target = state.combatants[exchange.root.target]
    low, high = ruleset.edition.economy.reaction_span(target, used_points(state, ruleset, exchange.root))
    every, attacker = answer_weapons(state, ruleset, target, strikes=True), exchange.root.combatant
    # Some weapons don't reach a distant attacker; all weapons reach the others.
    weapons_struck = {weapons_in_reach(state, target, every, exchange.root): ("", attacker)}
    if ruleset["counterattack_target"] == "any_target":
        others = (
            who.id for who in state.combatants.values() if who.id not in (target.id, attacker) and not who.is_gone
        )
        weapons_struck[every] = (*weapons_struck.get(every, ()), *others)
    for weapons, targets in weapons_struck.items():
        if targets:
            yield offer(
                Counterattack(target.id, exchange.id, weapons[0], modifier=low, target=targets[0]),
                Field("weapon", choices=weapons),
                Field("power", low=0, high=high),
                Field("modifier", low=0, high=high),
                Field("target", choices=targets),
                required_distance(target, weapons),
                pinned=("exchange",),
                total=Sum(POINT_FIELDS, low, high),
            )


def check_pass(state: Encounter, ruleset: Ruleset, command: Pass) -> None:
    """Raise Refused unless the attack waits for a reaction of the combatant."""
    exchange, combatant = require_attack_target(state, ruleset, command.exchange, command.combatant, "MAM-INTF-03")
    require_unanswered(exchange, combatant)
    if combatant.id in exchange.passed:
        raise Refused("already_answered/passed", combatant=combatant, fields=("combatant",))


def judge_pass(judging: Decision, command: Pass, _: None) -> None:
    """Let the attack come without a reaction."""
    judging.record(ReactionPassed(command.exchange, command.combatant))


def _offer_pass(state: Encounter, _: Ruleset) -> Iterator[Offer]:
    exchange = state.exchange
    if exchange is not None and exchange.root.kind == "attack":
        yield offer(Pass(exchange.root.target, exchange.id), pinned=("exchange",))


class ClashResult(Struct, frozen=True):
    """The outcomes of an attack and of the counterattack against it."""

    attack: OutcomeField
    counter: OutcomeField
    why: Message


def meet_counterattack(
    attack_total: int,
    counter_total: int,
    sure: AutomaticSuccess,
    *,
    net_effect: Callable[[], int],
    ruleset: Ruleset,
    called: str = "counterattack",
) -> ClashResult:
    """Return the result of an attack and a counterattack, or another interference of its target.

    `called` names the interference (MAM-ATK-12, MAM-INTF-04). `net_effect` returns what it would do. It is called only
    if that matters, because armor may need a die of its own.
    """
    decided = automatic_outcome(acting=sure.acting, opposing=sure.opposing, ruleset=ruleset)
    outcome = decided or compare_totals(attack_total, counter_total, ruleset)
    only_defends = ruleset.get("pool_counterattack") == "defense_only"
    if outcome == "full":
        return ClashResult(
            "full", "fail", text_fragment("came_of_it/automatic" if decided else "came_of_it/attack_higher")
        )
    if not decided and attack_total == counter_total:
        return ClashResult(
            outcome, "fail" if only_defends or net_effect() <= 0 else outcome, text_fragment("came_of_it/tie")
        )
    if only_defends:
        return ClashResult("fail", "fail", text_fragment("came_of_it/counter_only_defends", called=Term(called)))
    if net_effect() > 0:
        return ClashResult("fail", "full", text_fragment("came_of_it/counter_higher", called=Term(called)))
    if ruleset.is_yes("ineffective_counter_defends"):
        return ClashResult("fail", "fail", text_fragment("came_of_it/counter_without_effect", called=Term(called)))
    return ClashResult("full", "fail", text_fragment("came_of_it/counter_in_vain", called=Term(called)))


SECTION = RuleModule(
    mechanics=(
        Mechanic(
            Counterattack,
            check=check_counterattack,
            judge=judge_counterattack,
            offers=_offer_counterattack,
            completes=with_default_weapon,
        ),
        Mechanic(Pass, check=check_pass, judge=judge_pass, offers=_offer_pass),
    ),
)

"""The resolution of an exchange: which actions are stopped, hits, and their effects (MAM-ATK-04, MAM-INTF-07)."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from mam_events.commands import Resolve
from mam_events.decider.engine import Decision, RuleModule
from mam_events.decider.mechanic import Mechanic
from mam_events.events import AttackResolved, CounterattackResolved, InterferenceResolved
from mam_events.refusals.arguments import Message, RulingArgument, Term, list_argument, text_fragment
from mam_events.rules.attack import attacks
from mam_events.rules.exchanges import interference
from mam_events.rules.exchanges.collisions import current_meeting
from mam_events.rules.exchanges.feasibility import (
    cancel_exchange,
    find_hindrance,
    helpless_reason,
    record_action_result,
    record_aftermath,
    record_attack_result,
)
from mam_events.rules.exchanges.follow_ups import take_effect
from mam_events.rules.exchanges.reactions import ClashResult, meet_counterattack
from mam_events.rules.exchanges.resolve_dice import (
    Resolvable,
    check_resolve,
    interferers,
    offer_resolve,
    undeclared_strikes,
)
from mam_events.rules.exchanges.rolls import Rolls
from mam_events.rules.health.wounds import wound
from mam_events.rules.maneuvering.evade import move_with_attack, protect
from mam_events.rules.rolls.combat_rolls import roll_total
from mam_events.rules.rolls.difficulty import base
from mam_events.rules.rolls.success_rolls import automatic_outcome
from mam_events.state import Action
from mam_events.values import OutcomeField


def judge_resolve(judging: Decision, command: Resolve, resolvable: Resolvable) -> None:
    """Roll everything that was declared, and judge it."""
    exchange, hindered, command = resolvable.exchange, resolvable.why, resolvable.command
    if ends_without_dice(judging, resolvable):
        return
    if exchange.countered and not hindered:
        move_with_attack(judging, exchange.root)
    rolls = Rolls(judging, exchange, command)
    answer = exchange.answer
    others = interferers(exchange, answer)
    rolls.roll_root()
    if answer:
        rolls.roll_answer(answer)
    for action in others:
        rolls.roll_interference(action)
    impossible: dict[int, Message] = {}
    if others:
        rolls.remaining, impossible = interfere_in_turn(rolls, answer, others)
    outcomes = rolls.remaining
    if hindered:
        outcomes[exchange.id], impossible[exchange.id] = "fail", hindered
    stopped_by = impossible.get(exchange.id) or (stopping_interference(rolls, others, outcomes) if others else None)
    if exchange.id not in impossible:
        protect(judging, exchange.root)
    if exchange.root.kind == "action":
        root_left = outcomes[exchange.id]
        record_action_result(
            judging, exchange.root, *final_outcome(command, root_left, _LEFT.get(root_left, stopped_by))
        )
    else:
        resolve_attack(rolls, answer, outcomes, stopped_by, was_made=exchange.id not in impossible)
    done = [action for action in exchange.actions if action.id not in impossible]
    record_aftermath(judging, exchange, (*done, *rolls.followed))


_LEFT = {"full": text_fragment("came_of_it/nothing_stopped"), "half": text_fragment("came_of_it/halved_by_tie")}
"""The reasons for what is left of an action that nobody stopped."""


def ends_without_dice(judging: Decision, resolvable: Resolvable) -> bool:
    """Return True if the exchange ends without a die: nobody opposes the action, or it can no longer be done."""
    exchange = resolvable.exchange
    if resolvable.needs_no_dice:
        cancel_exchange(judging, exchange, resolvable.why)
    elif exchange.root.kind == "action" and len(exchange.actions) == 1:
        record_action_result(judging, exchange.root, "full", text_fragment("came_of_it/nobody_interfered"))
    else:
        return False
    return True


def interfere_in_turn(
    rolls: Rolls, answer: Action | None, others: list[Action]
) -> tuple[dict[int, OutcomeField], dict[int, Message]]:
    """Judge what others declared, the last first, and return what is left of every action (MAM-INTF-07).

    Also return why some of them were not done at all. The answer is judged against the attack by the rules of defense,
    so only what others do stops either of them.
    """
    judging, exchange = rolls.judging, rolls.exchange
    chain = [
        replace(rolls.rolled_action(action), against=None) if action is answer else rolls.rolled_action(action)
        for action in exchange.actions
    ]
    impossible: dict[int, Message] = {}

    def resolved(number: int, rest: OutcomeField) -> OutcomeField:
        action = exchange.action(number)
        assert action is not None  # noqa: S101 - the chain is made of the actions of this exchange
        # An earlier resolution may have felled, disarmed, thrown or held the actor, so that the action can no longer
        # be done (MAM-WND-08, MAM-POS-01).
        why = None
        if rest != "fail":
            began = action is exchange.root
            why = (
                find_hindrance(judging.state, judging.ruleset, action)
                if began
                else helpless_reason(judging.state, action)
            )
        if why:
            impossible[number], rest = why, "fail"
        if action in others:
            resolve_interference(rolls, action, rest, why or text_fragment("came_of_it/itself_stopped"))
        return rest

    return interference.remaining_outcomes(chain, judging.ruleset, resolved), impossible


def stopping_interference(rolls: Rolls, others: list[Action], outcomes: dict[int, OutcomeField]) -> Message | None:
    """Return the reason that names who stopped the action that began the exchange; None if nobody did."""
    root = rolls.rolled_action(rolls.exchange.root)
    by = [
        text_fragment(
            "came_of_it/stopper",
            who=rolls.combatant(action),
            reaction=Term("parry" if action.kind == "parry" else "interference"),
            action=RulingArgument(action.id),
        )
        for action in others
        if action.against == root.id
        and outcomes[action.id] == "full"
        and interference.interference_outcome(rolls.rolled_action(action), root, rolls.judging.ruleset) == "full"
    ]
    return text_fragment("came_of_it/stopped_by", those=list_argument(by)) if by else None


def resolve_interference(rolls: Rolls, action: Action, rest: OutcomeField, stopped: Message) -> None:
    """Record the outcome of one interference, and the wound if it was a successful strike (MAM-INTF-04).

    `rest` is what others left of it; `stopped` says why if that is nothing.
    """
    target = rolls.exchange.action(action.against)
    assert target is not None  # noqa: S101 - declared against an action of this exchange, which nothing removes
    if rest == "fail":
        outcome: OutcomeField = "fail"
        why = stopped
    else:
        outcome = interference.interference_outcome(
            rolls.rolled_action(action), rolls.rolled_action(target), rolls.judging.ruleset
        )
        if outcome == "full" and rest == "half":
            outcome = "half"
        why = _why_interfered(rolls, action, target, outcome)
    rolls.judging.record(InterferenceResolved(rolls.exchange.id, action.id, target.id, outcome, why))
    if action.strikes and outcome != "fail":
        blow = rolls.blow(action, outcome)
        wound(rolls.judging, action.target, rolls.exchange.id, blow.stun, blow.damage)
    take_effect(rolls, action, outcome)
    if outcome == "full":
        record_interference(rolls.judging, action, target)


def _why_interfered(rolls: Rolls, action: Action, target: Action, outcome: OutcomeField) -> Message:
    """Return the reason for the outcome of an interference that nobody stopped."""
    if outcome == "full":
        return text_fragment("came_of_it/higher", action=RulingArgument(target.id))
    if outcome == "half":
        return text_fragment("came_of_it/tie")
    vain = action.attacks and rolls.rolled_action(action).net_effect <= 0
    return text_fragment("came_of_it/no_effect" if vain else "came_of_it/not_higher")


def record_interference(judging: Decision, action: Action, stopped: Action) -> None:
    """Record the events that follow when an interference has stopped an action (MAM-INTF-01)."""
    for follows in judging.ruleset.edition.at_interfered:
        follows(judging, action, stopped)


def resolve_attack(
    rolls: Rolls,
    answer: Action | None,
    outcomes: dict[int, OutcomeField],
    stopped_by: Message | None,
    *,
    was_made: bool,
) -> None:
    """Judge the attack against its answer or defense, and record what both did (MAM-ATK-04, MAM-ATK-12)."""
    judging = rolls.judging
    rolls.exchange = current_meeting(judging.state, judging.ruleset, rolls.exchange)
    root = rolls.exchange.root
    contest = attack_contest(rolls, answer, outcomes)
    # A counterattack is judged by its own roll, even if somebody else stopped the attack (MAM-INTF-01).
    outcome, why = final_outcome(
        rolls.command, *after_interference(contest.attack, contest.why, outcomes[root.id], stopped_by)
    )
    effect = rolls.blow(root, outcome)
    blows = [(root, effect)]
    counter: OutcomeField = "fail"
    if answer and answer.attacks:
        counter, counter_why = after_interference(
            contest.counter, contest.counter_why, outcomes[answer.id], contest.counter_why
        )
        returned = rolls.blow(answer, counter)
        judging.record(
            CounterattackResolved(
                rolls.exchange.id,
                answer.id,
                counter,
                returned.power,
                returned.absorbed,
                counter_why,
                returned.modifiers,
            )
        )
        blows.append((answer, returned))
    extras = undeclared_strikes(rolls.exchange, judging.ruleset) if outcome != "fail" else []
    by_itself = [(extra, rolls.blow(extra.action)) for extra in extras]
    number = rolls.exchange.id
    came_of_it = AttackResolved(number, outcome, effect.power, effect.absorbed, why, effect.modifiers, was_made)
    record_attack_result(judging, rolls.exchange, came_of_it)
    for extra, blow in by_itself:
        extra.record(judging, rolls.exchange, blow)
        blows.append((extra.action, blow))
    for action, blow in blows:
        wound(judging, action.target, rolls.exchange.id, blow.stun, blow.damage)
    take_effect(rolls, rolls.exchange.root, outcome)
    if answer:
        take_effect(rolls, answer, counter)
    if answer and answer.attacks and counter == "full":
        record_interference(judging, answer, root)


class AttackContest(Struct, frozen=True):
    """The outcomes of an attack and a counterattack, with their reasons, before others' interference halves them."""

    attack: OutcomeField
    why: Message | None
    counter: OutcomeField = "fail"
    counter_why: Message | None = None


def attack_contest(rolls: Rolls, answer: Action | None, outcomes: dict[int, OutcomeField]) -> AttackContest:
    """Return the outcome of the attack against an answer, or against the defense roll, which is made here."""
    root = rolls.exchange.root
    if answer and outcomes[answer.id] == "fail":
        why = text_fragment("came_of_it/answer_stopped", reaction=Term(answer.kind))
        return AttackContest("full", why, counter_why=text_fragment("came_of_it/itself_stopped"))
    if answer and answer.attacks:
        clash = resolve_clash(rolls, answer)
        return AttackContest(clash.attack, clash.why, clash.counter, clash.why)
    if outcomes[root.id] == "fail":
        # Nobody defends against a stopped action, so no defense die is rolled.
        return AttackContest("fail", None)
    roll = rolls.made[root.id]
    if answer:
        defense, opposing = rolls.made[answer.id], rolls.is_automatic(answer)
        sure = attacks.AutomaticSuccess(rolls.is_automatic(root), opposing)
    else:
        defense, result = rolls.roll_defense()
        sure = attacks.AutomaticSuccess(rolls.is_automatic(root), result.automatic if result else None)
    outcome = attacks.attack_outcome(roll.total, defense.total, sure, rolls.judging.ruleset)
    decided = automatic_outcome(acting=sure.acting, opposing=sure.opposing, ruleset=rolls.judging.ruleset)
    return AttackContest(outcome, attacks.totals(roll.total, defense.total, automatic=bool(decided)))


def after_interference(
    outcome: OutcomeField, why: Message | None, remaining: OutcomeField, stopped_by: Message | None
) -> tuple[OutcomeField, Message | None]:
    """Return an outcome and its reason, adjusted by what others' interference leaves of it (MAM-INTF-07)."""
    if remaining == "fail":
        return "fail", stopped_by
    halved = (outcome, remaining) == ("full", "half")
    return ("half", text_fragment("came_of_it/halved")) if halved else (outcome, why)


def final_outcome(command: Resolve, outcome: OutcomeField, why: Message | None) -> tuple[OutcomeField, Message | None]:
    """Return the outcome of the dice, or the one that the game master sets; the rules give the wounds of either."""
    return (command.outcome, text_fragment("came_of_it/word")) if command.outcome else (outcome, why)


def resolve_clash(rolls: Rolls, answer: Action) -> ClashResult:
    """Return the outcomes of an attack and a counterattack (MAM-ATK-12, `pool_counterattack`)."""
    judging, root = rolls.judging, rolls.exchange.root
    actor_roll, opposing_roll = rolls.made[root.id], rolls.made[answer.id]
    if judging.ruleset.get("pool_counterattack") != "simultaneous_exchange":
        sure = attacks.AutomaticSuccess(rolls.is_automatic(root), rolls.is_automatic(answer))
        return meet_counterattack(
            actor_roll.total,
            opposing_roll.total,
            sure,
            net_effect=lambda: rolls.net_effect(answer),
            ruleset=judging.ruleset,
            called="tackle" if answer.manipulation else "counterattack",
        )
    # Each side throws one die, which serves for its attack and its defense, so that nobody rolls twice.
    opposed = judging.ruleset["defense_resolution"] == "opposed_roll"
    outcomes = []
    for action, other in ((root, answer), (answer, root)):
        defending = attacks.defense_modifiers(judging.state, judging.ruleset, action)
        modifiers = (*defending, *rolls.situation(other))
        start = rolls.results[other.id].value if opposed else base(judging.ruleset)
        sure = attacks.AutomaticSuccess(rolls.is_automatic(action), rolls.is_automatic(other) if opposed else None)
        outcomes.append(
            attacks.attack_outcome(rolls.made[action.id].total, roll_total(start, modifiers), sure, judging.ruleset)
        )
    return ClashResult(outcomes[0], outcomes[1], text_fragment("came_of_it/each_other"))


SECTION = RuleModule(
    mechanics=(Mechanic(Resolve, check=check_resolve, judge=judge_resolve, offers=offer_resolve),),
)

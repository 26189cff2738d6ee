"""The resolution of an exchange: what stopped what, whether the attack hit, what it did (MAM-ATK-04, MAM-INTF-07)."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from mam_events.commands import Resolve
from mam_events.decider.decision import Judging
from mam_events.decider.engine import Section
from mam_events.decider.mechanic import Mechanic
from mam_events.events import AttackResolved, CounterattackResolved, InterferenceResolved
from mam_events.refusals.arguments import Message, Ruling, Term, part, several
from mam_events.rules.attack import attacks
from mam_events.rules.exchanges import interference
from mam_events.rules.exchanges.collisions import meeting_now
from mam_events.rules.exchanges.feasibility import act, come_to_nothing, conclude, helpless, hindrance, tell
from mam_events.rules.exchanges.follow_ups import take_effect
from mam_events.rules.exchanges.reactions import Clash, meet_counterattack
from mam_events.rules.exchanges.resolve_dice import Resolvable, brought, check_resolve, interferers, offer_resolve
from mam_events.rules.exchanges.rolls import Rolls
from mam_events.rules.health.wounds import wound
from mam_events.rules.maneuvering.evade import move_with_attack, protect
from mam_events.rules.rolls.combat_rolls import total
from mam_events.rules.rolls.difficulty import base
from mam_events.rules.rolls.success_rolls import settled
from mam_events.state import Action
from mam_events.values import Outcome


def judge_resolve(judging: Judging, command: Resolve, found: Resolvable) -> None:
    """Roll everything that was declared, and judge it."""
    exchange, hindered, command = found.exchange, found.why, found.command
    if nothing_rolled(judging, found):
        return
    if exchange.countered and not hindered:
        move_with_attack(judging, exchange.root)
    rolls = Rolls(judging, exchange, command)
    answer = exchange.answer
    others = interferers(exchange, answer)
    rolls.root()
    if answer:
        rolls.answer(answer)
    for action in others:
        rolls.interferer(action)
    undone: dict[int, Message] = {}
    if others:
        rolls.left, undone = interfere_in_turn(rolls, answer, others)
    left = rolls.left
    if hindered:
        left[exchange.id], undone[exchange.id] = "fail", hindered
    stopped_by = undone.get(exchange.id) or (stopper(rolls, others, left) if others else None)
    if exchange.id not in undone:
        protect(judging, exchange.root)
    if exchange.root.kind == "action":
        root_left = left[exchange.id]
        act(judging, exchange.root, *ruled(command, root_left, _LEFT.get(root_left, stopped_by)))
    else:
        resolve_attack(rolls, answer, left, stopped_by, made=exchange.id not in undone)
    done = [action for action in exchange.actions if action.id not in undone]
    conclude(judging, exchange, (*done, *rolls.followed))


_LEFT = {"full": part("came_of_it/nothing_stopped"), "half": part("came_of_it/halved_by_tie")}
"""The reasons for what is left of an action that nobody stopped."""


def nothing_rolled(judging: Judging, found: Resolvable) -> bool:
    """True if the exchange ends without a die: nobody is in the way of the action, or it cannot be done any more."""
    exchange = found.exchange
    if found.comes_to_nothing:
        come_to_nothing(judging, exchange, found.why)
    elif exchange.root.kind == "action" and len(exchange.actions) == 1:
        act(judging, exchange.root, "full", part("came_of_it/nobody_interfered"))
    else:
        return False
    return True


def interfere_in_turn(
    rolls: Rolls, answer: Action | None, others: list[Action]
) -> tuple[dict[int, Outcome], dict[int, Message]]:
    """Judge what others declared, the last first, and what is left of every action (MAM-INTF-07); also why some of them
    were not done at all.

    The answer is judged against the attack by the rules of defense, so only what others do stops either of them.
    """
    judging, exchange = rolls.judging, rolls.exchange
    chain = [
        replace(rolls.rolled(action), against=None) if action is answer else rolls.rolled(action)
        for action in exchange.actions
    ]
    undone: dict[int, Message] = {}

    def resolved(number: int, rest: Outcome) -> Outcome:
        action = exchange.action(number)
        assert action is not None  # noqa: S101 - the chain is made of the actions of this exchange
        # Whoever was felled, disarmed, thrown or taken hold of by one that was resolved before does nothing any more
        # that cannot be done so (MAM-WND-08, MAM-POS-01).
        why = None
        if rest != "fail":
            began = action is exchange.root
            why = hindrance(judging.state, judging.ruleset, action) if began else helpless(judging.state, action)
        if why:
            undone[number], rest = why, "fail"
        if action in others:
            resolve_interference(rolls, action, rest, why or part("came_of_it/itself_stopped"))
        return rest

    return interference.stopped(chain, judging.ruleset, resolved), undone


def stopper(rolls: Rolls, others: list[Action], left: dict[int, Outcome]) -> Message | None:
    """The one who stopped the action that began the exchange; None for nobody."""
    root = rolls.rolled(rolls.exchange.root)
    by = [
        part(
            "came_of_it/stopper",
            who=rolls.combatant(action),
            reaction=Term("parry" if action.kind == "parry" else "interference"),
            action=Ruling(action.id),
        )
        for action in others
        if action.against == root.id
        and left[action.id] == "full"
        and interference.success(rolls.rolled(action), root, rolls.judging.ruleset) == "full"
    ]
    return part("came_of_it/stopped_by", those=several(by)) if by else None


def resolve_interference(rolls: Rolls, action: Action, rest: Outcome, stopped: Message) -> None:
    """Record what one interference came to, and the wound if it was a strike that succeeded (MAM-INTF-04).

    `rest` is what others left of it, `stopped` says why that is nothing, if so.
    """
    target = rolls.exchange.action(action.against)
    assert target is not None  # noqa: S101 - declared against an action of this exchange, which nothing removes
    if rest == "fail":
        outcome: Outcome = "fail"
        why = stopped
    else:
        outcome = interference.success(rolls.rolled(action), rolls.rolled(target), rolls.judging.ruleset)
        if outcome == "full" and rest == "half":
            outcome = "half"
        why = _why_interfered(rolls, action, target, outcome)
    rolls.judging.record(InterferenceResolved(rolls.exchange.id, action.id, target.id, outcome, why))
    if action.strikes and outcome != "fail":
        blow = rolls.blow(action, outcome)
        wound(rolls.judging, action.target, rolls.exchange.id, blow.stun, blow.damage)
    take_effect(rolls, action, outcome)
    if outcome == "full":
        interfered(rolls.judging, action, target)


def _why_interfered(rolls: Rolls, action: Action, target: Action, outcome: Outcome) -> Message:
    """The reason for what an interference came to that others left as it was."""
    if outcome == "full":
        return part("came_of_it/higher", action=Ruling(target.id))
    if outcome == "half":
        return part("came_of_it/tie")
    vain = action.attacks and rolls.rolled(action).net_effect <= 0
    return part("came_of_it/no_effect" if vain else "came_of_it/not_higher")


def interfered(judging: Judging, action: Action, stopped: Action) -> None:
    """The events that follow when an interference has stopped an action (MAM-INTF-01)."""
    for follows in judging.ruleset.edition.at_interfered:
        follows(judging, action, stopped)


def resolve_attack(
    rolls: Rolls, answer: Action | None, left: dict[int, Outcome], stopped_by: Message | None, *, made: bool
) -> None:
    """Judge the attack against whatever defends, and record what both did (MAM-ATK-04, MAM-ATK-12)."""
    judging = rolls.judging
    rolls.exchange = meeting_now(judging.state, judging.ruleset, rolls.exchange)
    root = rolls.exchange.root
    found = contest(rolls, answer, left)
    # Whoever else stopped it, a strike in return is judged by its own roll (MAM-INTF-01).
    outcome, why = ruled(rolls.command, *after_interference(found.attack, found.why, left[root.id], stopped_by))
    struck = rolls.blow(root, outcome)
    blows = [(root, struck)]
    counter: Outcome = "fail"
    if answer and answer.attacks:
        counter, counter_why = after_interference(found.counter, found.counter_why, left[answer.id], found.counter_why)
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
    extras = brought(rolls.exchange, judging.ruleset) if outcome != "fail" else []
    by_itself = [(extra, rolls.blow(extra.action)) for extra in extras]
    number = rolls.exchange.id
    came_of_it = AttackResolved(number, outcome, struck.power, struck.absorbed, why, struck.modifiers, made)
    tell(judging, rolls.exchange, came_of_it)
    for extra, blow in by_itself:
        extra.record(judging, rolls.exchange, blow)
        blows.append((extra.action, blow))
    for action, blow in blows:
        wound(judging, action.target, rolls.exchange.id, blow.stun, blow.damage)
    take_effect(rolls, rolls.exchange.root, outcome)
    if answer:
        take_effect(rolls, answer, counter)
    if answer and answer.attacks and counter == "full":
        interfered(judging, answer, root)


class Contest(Struct, frozen=True):
    """The way an attack and a strike in return came out, each with the reason, before others' interference
    halves them.
    """

    attack: Outcome
    why: Message | None
    counter: Outcome = "fail"
    counter_why: Message | None = None


def contest(rolls: Rolls, answer: Action | None, left: dict[int, Outcome]) -> Contest:
    """The attack against whatever defends: an answer, or the defense roll, which is made only here."""
    root = rolls.exchange.root
    if answer and left[answer.id] == "fail":
        why = part("came_of_it/answer_stopped", reaction=Term(answer.kind))
        return Contest("full", why, counter_why=part("came_of_it/itself_stopped"))
    if answer and answer.attacks:
        met = clash(rolls, answer)
        return Contest(met.attack, met.why, met.counter, met.why)
    if left[root.id] == "fail":
        # Nobody defends against what was stopped, so no die is rolled for it.
        return Contest("fail", None)
    roll = rolls.made[root.id]
    if answer:
        defense, opposing = rolls.made[answer.id], rolls.automatic(answer)
        sure = attacks.Automatic(rolls.automatic(root), opposing)
    else:
        defense, fallen = rolls.defense()
        sure = attacks.Automatic(rolls.automatic(root), fallen.automatic if fallen else None)
    outcome = attacks.hit(roll.total, defense.total, sure, rolls.judging.ruleset)
    decided = settled(acting=sure.acting, opposing=sure.opposing, ruleset=rolls.judging.ruleset)
    return Contest(outcome, attacks.totals(roll.total, defense.total, automatic=bool(decided)))


def after_interference(
    outcome: Outcome, why: Message | None, left: Outcome, stopped_by: Message | None
) -> tuple[Outcome, Message | None]:
    """An outcome and its reason, once what others' interference `left` of the action is counted (MAM-INTF-07)."""
    if left == "fail":
        return "fail", stopped_by
    halved = (outcome, left) == ("full", "half")
    return ("half", part("came_of_it/halved")) if halved else (outcome, why)


def ruled(command: Resolve, outcome: Outcome, why: Message | None) -> tuple[Outcome, Message | None]:
    """The outcome of the dice, or the game master's word in its place; wounds follow from either by the rules."""
    return (command.outcome, part("came_of_it/word")) if command.outcome else (outcome, why)


def clash(rolls: Rolls, answer: Action) -> Clash:
    """An attack against a strike in return (MAM-ATK-12, `pool_counterattack`)."""
    judging, root = rolls.judging, rolls.exchange.root
    ours, theirs = rolls.made[root.id], rolls.made[answer.id]
    if judging.ruleset.get("pool_counterattack") != "simultaneous_exchange":
        sure = attacks.Automatic(rolls.automatic(root), rolls.automatic(answer))
        return meet_counterattack(
            ours.total,
            theirs.total,
            sure,
            net_effect=lambda: rolls.net_effect(answer),
            ruleset=judging.ruleset,
            called="tackle" if answer.manipulation else "counterattack",
        )
    # Each side has thrown one die; it serves for the attack and for the defense alike, so that nobody rolls twice.
    opposed = judging.ruleset["defense_resolution"] == "opposed_roll"
    outcomes = []
    for action, other in ((root, answer), (answer, root)):
        defending = attacks.defense_modifiers(judging.state, judging.ruleset, action)
        modifiers = (*defending, *rolls.situation(other))
        start = rolls.fallen[other.id].value if opposed else base(judging.ruleset)
        sure = attacks.Automatic(rolls.automatic(action), rolls.automatic(other) if opposed else None)
        outcomes.append(attacks.hit(rolls.made[action.id].total, total(start, modifiers), sure, judging.ruleset))
    return Clash(outcomes[0], outcomes[1], part("came_of_it/each_other"))


SECTION = Section(
    mechanics=(Mechanic(Resolve, check=check_resolve, judge=judge_resolve, offers=offer_resolve),),
)

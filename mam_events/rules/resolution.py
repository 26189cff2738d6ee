"""The resolution of an exchange: what stopped what, whether the attack hit, what it did (MAM-ATK-04, MAM-INTF-07)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from mam_events.commands import Resolve
from mam_events.dice import check_face
from mam_events.encounter.judging import Judging
from mam_events.encounter.templates import Field, Offer, Template
from mam_events.errors import Refused, nearest
from mam_events.events import ActionResolved, AttackResolved, CounterattackResolved, InterferenceResolved, Outcome
from mam_events.rules import attack, interference
from mam_events.rules.checks import exchange_of
from mam_events.rules.edition import Mechanic
from mam_events.rules.initiative import die_of
from mam_events.rules.rolls import Rolls
from mam_events.rules.ruleset import Ruleset
from mam_events.rules.wounds import wound
from mam_events.state import Action, Encounter, Exchange

REVISION = 1


def check_resolve(state: Encounter, ruleset: Ruleset, command: Resolve) -> Exchange:
    """The exchange to be rolled; refused with `no_such_exchange` or `idle_die`."""
    exchange = exchange_of(state, command.exchange)
    root, answer = exchange.root, exchange.answer
    others = interferers(exchange, answer)
    if command.defense_die is not None and not rolls_defense(exchange, ruleset):
        raise Refused(
            "idle_die",
            f"Nobody rolls a defence die in exchange {exchange.id}.",
            rule="MAM-ATK-04",
            fields=("defense_die",),
        )
    if command.attack_die is not None and root.kind == "action" and not others:
        raise Refused(
            "idle_die", "Nobody interferes, so this action takes no roll.", rule="MAM-INTF-01", fields=("attack_die",)
        )
    # Every face before any roll: a face that is refused only once others were drawn would tell what they show.
    die = die_of(ruleset)
    if command.attack_die is not None:
        check_face(command.attack_die, die, "attack_die")
    if command.defense_die is not None:
        check_face(command.defense_die, die, "defense_die")
    for number, face in command.interference_dice.items():
        check_face(face, die, f"interference_dice.{number}")
        known = [str(action.id) for action in others]
        if number not in known:
            hint = nearest(number, known) if known else "nobody interferes."
            raise Refused(
                "idle_die",
                f"No interference of exchange {exchange.id} was declared by ruling {number}; {hint}",
                rule="MAM-INTF-01",
                fields=("interference_dice",),
            )
    return exchange


def interferers(exchange: Exchange, answer: Action | None) -> list[Action]:
    """What was declared beside the answer, against the first action or against one another, as it was declared."""
    return [action for action in exchange.actions[1:] if action is not answer]


def rolls_defense(exchange: Exchange, ruleset: Ruleset) -> bool:
    """Whether somebody throws a defence die: for an answer always, else where defence is an opposed roll."""
    return exchange.root.kind == "attack" and (
        exchange.answer is not None or ruleset["defense_resolution"] == "opposed_roll"
    )


def judge_resolve(judging: Judging, command: Resolve, exchange: Exchange) -> None:
    """Roll everything that was declared, and judge it."""
    rolls = Rolls(judging, exchange, command)
    answer = exchange.answer
    others = interferers(exchange, answer)
    if exchange.root.kind == "action" and not others:
        judging.record(ActionResolved(exchange.id, "full", "nobody interfered"))
        return
    rolls.root()
    if answer:
        rolls.answer(answer)
    for action in others:
        rolls.interferer(action)
    left: dict[int, Outcome] = {action.id: "full" for action in exchange.actions}
    stopped_by = ""
    if others:
        # The answer is judged against the attack by the rules of defence, so only what others do stops either of them.
        chain = [
            rolls.rolled(action)._replace(against=None) if action is answer else rolls.rolled(action)
            for action in exchange.actions
        ]
        left = interference.stopped(chain, judging.ruleset)
        for action in reversed(others):
            resolve_interference(rolls, action, left)
        stopped_by = stopper(rolls, others, left)
    if exchange.root.kind == "action":
        root_left = left[exchange.id]
        why = {"full": "nothing stopped it", "half": "a tie halved it", "fail": stopped_by}
        judging.record(ActionResolved(exchange.id, root_left, why[root_left]))
    else:
        resolve_attack(rolls, answer, left, stopped_by)


def stopper(rolls: Rolls, others: list[Action], left: dict[int, Outcome]) -> str:
    """Who stopped the action that began the exchange, in words."""
    root = rolls.rolled(rolls.exchange.root)
    by = [
        f"{rolls.combatant(action).name}'s interference ({action.id})"
        for action in others
        if action.against == root.id
        and left[action.id] == "full"
        and interference.success(rolls.rolled(action), root, rolls.judging.ruleset) == "full"
    ]
    return f"stopped by {' and '.join(by)}" if by else ""


def resolve_interference(rolls: Rolls, action: Action, left: dict[int, Outcome]) -> None:
    """Record what one interference came to, and the wound if it was a strike that succeeded (MAM-INTF-04)."""
    target = rolls.exchange.action(action.against)
    assert target is not None  # noqa: S101 - declared against an action of this exchange, which nothing removes
    if left[action.id] == "fail":
        outcome: Outcome = "fail"
        why = "it was itself stopped"
    else:
        outcome = interference.success(rolls.rolled(action), rolls.rolled(target), rolls.judging.ruleset)
        if outcome == "full" and left[action.id] == "half":
            outcome = "half"
        effect = "no effect" if action.strikes and rolls.rolled(action).net_effect <= 0 else "not higher"
        why = {"full": f"higher than action {target.id}", "half": "a tie", "fail": effect}[outcome]
    rolls.judging.record(InterferenceResolved(rolls.exchange.id, action.id, target.id, outcome, why))
    if action.strikes and outcome != "fail":
        blow = rolls.blow(action, outcome)
        wound(rolls.judging, action.target, rolls.exchange.id, blow.stun, blow.damage)


def resolve_attack(rolls: Rolls, answer: Action | None, left: dict[int, Outcome], stopped_by: str) -> None:
    """Judge the attack against whatever defends, and record what both did (MAM-ATK-04, MAM-ATK-12)."""
    judging, root = rolls.judging, rolls.exchange.root
    found = contest(rolls, answer, left)
    # Whoever else stopped it, a strike in return is judged by its own roll (MAM-INTF-01).
    outcome, why = after_interference(found.attack, found.why, left[root.id], stopped_by)
    struck = rolls.blow(root, outcome)
    blows = [(root.target, struck)]
    if answer and answer.strikes:
        counter, counter_why = after_interference(found.counter, found.counter_why, left[answer.id], found.counter_why)
        returned = rolls.blow(answer, counter)
        judging.record(
            CounterattackResolved(rolls.exchange.id, answer.id, counter, returned.power, returned.absorbed, counter_why)
        )
        blows.append((answer.target, returned))
    judging.record(AttackResolved(rolls.exchange.id, outcome, struck.power, struck.absorbed, why))
    for target, blow in blows:
        wound(judging, target, rolls.exchange.id, blow.stun, blow.damage)


class Contest(NamedTuple):
    """How an attack and a strike in return came out, each with the reason, before others' interference halves them."""

    attack: Outcome
    why: str
    counter: Outcome = "fail"
    counter_why: str = ""


def contest(rolls: Rolls, answer: Action | None, left: dict[int, Outcome]) -> Contest:
    """The attack against whatever defends: an answer, or the defence roll, which is made only here."""
    root = rolls.exchange.root
    if answer and left[answer.id] == "fail":
        why = f"the {answer.kind} was stopped, and no defence roll is left"
        return Contest("full", why, counter_why="it was itself stopped")
    if answer and answer.strikes:
        met = clash(rolls, answer)
        return Contest(met.attack, met.why, met.counter, met.why)
    if left[root.id] == "fail":
        # Nobody defends against what was stopped, so no die is rolled for it.
        return Contest("fail", "")
    defense = rolls.made[answer.id] if answer else rolls.defense()
    roll = rolls.made[root.id]
    faces = attack.Faces(roll.face or 0, defense.face)
    outcome = attack.hit(roll.total, defense.total, faces, rolls.judging.ruleset)
    return Contest(outcome, f"{roll.total} against {defense.total}")


def after_interference(outcome: Outcome, why: str, left: Outcome, stopped_by: str) -> tuple[Outcome, str]:
    """An outcome and its reason, once what others' interference `left` of the action is counted (MAM-INTF-07)."""
    if left == "fail":
        return "fail", stopped_by
    return ("half", "a tie with an interference halved it") if (outcome, left) == ("full", "half") else (outcome, why)


def clash(rolls: Rolls, answer: Action) -> attack.Clash:
    """An attack against a strike in return (MAM-ATK-12, `pool_counterattack`)."""
    judging, root = rolls.judging, rolls.exchange.root
    ours, theirs = rolls.made[root.id], rolls.made[answer.id]
    if judging.ruleset["pool_counterattack"] != "simultaneous_exchange":
        blow = rolls.blow(answer)
        faces = attack.Faces(ours.face or 0, theirs.face)
        return attack.meet_counterattack(
            ours.total, theirs.total, faces, net_effect=blow.stun + blow.damage, ruleset=judging.ruleset
        )
    # Each side has thrown one die; it serves for the attack and for the defence alike, so that nobody rolls twice.
    opposed = judging.ruleset["defense_resolution"] == "opposed_roll"
    outcomes = []
    for roll, other, defender in ((ours, theirs, root.target), (theirs, ours, answer.target)):
        modifiers = attack.defense_modifiers(judging.state.combatants[defender], judging.ruleset)
        face = other.face if opposed else None
        defense = attack.total(face or attack.FIXED_DIFFICULTY, modifiers)
        outcomes.append(attack.hit(roll.total, defense, attack.Faces(roll.face or 0, face), judging.ruleset))
    return attack.Clash(outcomes[0], outcomes[1], "each attack against the other's defence")


def offer_resolve(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    """Every `resolve` that could be ordered, legal or not."""
    exchange = state.exchange
    if exchange is None:
        return
    sides = int(die_of(ruleset)[1:])
    faces = (None, *range(1, sides + 1))
    rolling = tuple(str(action.id) for action in interferers(exchange, exchange.answer))
    rolls_attack = exchange.root.kind == "attack" or len(exchange.actions) > 1
    fields = (
        Field("exchange", choices=(exchange.id,)),
        *((Field("attack_die", choices=faces),) if rolls_attack else ()),
        *((Field("defense_die", choices=faces),) if rolls_defense(exchange, ruleset) else ()),
        *((Field("interference_dice", choices=faces[1:], keys=rolling),) if rolling else ()),
    )
    yield Offer(Template("resolve", "", fields), Resolve(exchange.id))


MECHANICS = (Mechanic(Resolve, check=check_resolve, judge=judge_resolve, offers=offer_resolve),)

"""The resolution of an exchange: every roll, what stopped what, what the hit did (MAM-ATK-04, MAM-INTF-07)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from mam_events.commands import Resolve
from mam_events.dice import check_face
from mam_events.encounter.judging import Judging
from mam_events.encounter.templates import Field, Offer, Template
from mam_events.errors import Refused, nearest
from mam_events.events import (
    ActionResolved,
    ActionRolled,
    AttackResolved,
    AttackRolled,
    CounterattackResolved,
    CounterattackRolled,
    DefenseRolled,
    InterferenceResolved,
    InterferenceRolled,
    Modifier,
    Outcome,
    ParryRolled,
    RollMade,
)
from mam_events.rules import attack, interference
from mam_events.rules.checks import exchange_of
from mam_events.rules.edition import Mechanic
from mam_events.rules.initiative import die_of
from mam_events.rules.ruleset import Ruleset
from mam_events.rules.wounds import wound, wound_of
from mam_events.state import Action, Combatant, Encounter, Exchange

REVISION = 1

ANSWERS: dict[str, tuple[type[RollMade], Callable[[Combatant, Action, Ruleset], tuple[Modifier, ...]]]] = {
    "parry": (ParryRolled, interference.parry_modifiers),
    "counterattack": (CounterattackRolled, attack.attack_modifiers),
    "interference": (InterferenceRolled, interference.interference_modifiers),
}
"""What may stand in place of the defence roll, and what each adds to its die (MAM-INTF-03)."""


class Thrown(NamedTuple):
    """A roll as it fell: natural face (None: no die), the sum of its modifiers, its total."""

    face: int | None
    modifiers: int
    total: int


class Blow(NamedTuple):
    """What a strike would do to its target: power, what is absorbed of it, stun and damage on a full success."""

    power: int
    absorbed: int
    stun: int
    damage: int


class Rolls:
    """The rolls of one exchange, made in the order of their declaration and recorded as they fall."""

    def __init__(self, judging: Judging, exchange: Exchange, command: Resolve) -> None:
        self.judging = judging
        self.exchange = exchange
        self.command = command
        self.thrown: dict[int, Thrown] = {}

    def combatant(self, action: Action) -> Combatant:
        """Whoever acts."""
        return self.judging.state.combatants[action.combatant]

    def make(
        self,
        kind: type[RollMade],
        action: Action,
        slot: str,
        field: str,
        face: int | None,
        modifiers: tuple[Modifier, ...],
    ) -> Thrown:
        """Roll the die of an action, with what is added to it, and record the roll."""
        die = self.judging.dice.roll(slot, die_of(self.judging.ruleset), field=field, thrown=face)
        total = attack.total(die.face, modifiers)
        fields = {"action": action.id} if "action" in kind.__struct_fields__ else {}
        self.judging.record(kind(self.exchange.id, action.combatant, die, modifiers, total, **fields))
        self.thrown[action.id] = Thrown(die.face, total - die.face, total)
        return self.thrown[action.id]

    def root(self) -> Thrown:
        """The roll of the action that began the exchange."""
        root = self.exchange.root
        combatant = self.combatant(root)
        if root.kind == "attack":
            modifiers = attack.attack_modifiers(combatant, root, self.judging.ruleset)
            return self.make(
                AttackRolled, root, f"attack.{combatant.id}", "attack_die", self.command.attack_die, modifiers
            )
        modifiers = attack.named_modifiers(("ability", root.bonus, "MAM-INTF-01"))
        return self.make(ActionRolled, root, f"action.{combatant.id}", "attack_die", self.command.attack_die, modifiers)

    def answer(self, action: Action) -> Thrown:
        """The roll that stands in place of the defence roll (MAM-INTF-03)."""
        combatant, ruleset = self.combatant(action), self.judging.ruleset
        kind, modifiers_of = ANSWERS[action.kind]
        modifiers = modifiers_of(combatant, action, ruleset)
        return self.make(kind, action, f"defense.{combatant.id}", "defense_die", self.command.defense_die, modifiers)

    def interferer(self, action: Action) -> Thrown:
        """The roll of somebody else's interference (MAM-INTF-01)."""
        combatant = self.combatant(action)
        face = self.command.interference_dice.get(str(action.id))
        modifiers = interference.interference_modifiers(combatant, action, self.judging.ruleset)
        slot = f"interference-{action.id}.{combatant.id}"
        return self.make(InterferenceRolled, action, slot, f"interference_dice.{action.id}", face, modifiers)

    def defense(self) -> Thrown:
        """The plain defence: a roll, or a fixed difficulty of 10 and the modifiers (`defense_resolution`)."""
        target = self.judging.state.combatants[self.exchange.root.target]
        modifiers = attack.defense_modifiers(target, self.judging.ruleset)
        die = None
        if self.judging.ruleset["defense_resolution"] == "opposed_roll":
            die = self.judging.dice.roll(
                f"defense.{target.id}",
                die_of(self.judging.ruleset),
                field="defense_die",
                thrown=self.command.defense_die,
            )
        base = die.face if die else attack.FIXED_DIFFICULTY
        total = attack.total(base, modifiers)
        self.judging.record(DefenseRolled(self.exchange.id, target.id, die, modifiers, total))
        return Thrown(die.face if die else None, total - base, total)

    def blow(self, action: Action, outcome: Outcome = "full") -> Blow:
        """What a strike would do to its target with that outcome (MAM-ATK-05, MAM-WND-03)."""
        state = self.judging.state
        weapon = attack.weapon_of(self.combatant(action), action)
        power = attack.attack_power(weapon.power, action.power)
        absorbed = state.combatants[action.target].absorption
        return Blow(power, absorbed, *wound_of(weapon, power, absorbed, outcome, self.judging.ruleset))

    def rolled(self, action: Action) -> interference.Rolled:
        """The action as the chain of interference sees it."""
        thrown = self.thrown[action.id]
        blow = self.blow(action) if action.strikes and action.against else None
        return interference.Rolled(
            action.id,
            thrown.total,
            thrown.modifiers,
            action.against or None,
            strikes=action.strikes and action.against != 0,
            net_effect=blow.stun + blow.damage if blow else 0,
            face=thrown.face or 0,
        )


def check_resolve(state: Encounter, ruleset: Ruleset, command: Resolve) -> Exchange:
    """The exchange to be rolled; refused with `no_such_exchange` or `idle_die`."""
    exchange = exchange_of(state, command.exchange)
    root, answer = exchange.root, exchange.answer
    others = [str(a.id) for a in exchange.actions[1:] if a is not answer]
    rolls_defense = root.kind == "attack" and (answer is not None or ruleset["defense_resolution"] == "opposed_roll")
    if command.defense_die is not None and not rolls_defense:
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
    for field, face in (("attack_die", command.attack_die), ("defense_die", command.defense_die)):
        if face is not None:
            check_face(face, die_of(ruleset), field)
    for number, face in command.interference_dice.items():
        check_face(face, die_of(ruleset), f"interference_dice.{number}")
        if number not in others:
            hint = nearest(number, others) if others else "nobody interferes."
            raise Refused(
                "idle_die",
                f"No interference of exchange {exchange.id} was declared by ruling {number}; {hint}",
                rule="MAM-INTF-01",
                fields=("interference_dice",),
            )
    return exchange


def judge_resolve(judging: Judging, command: Resolve, exchange: Exchange) -> None:
    """Roll everything that was declared, and judge it."""
    rolls = Rolls(judging, exchange, command)
    answer = exchange.answer
    others = [action for action in exchange.actions[1:] if action is not answer]
    if exchange.root.kind == "action" and not others:
        judging.record(ActionResolved(exchange.id, "full", "nobody interfered"))
        return
    rolls.root()
    if answer:
        rolls.answer(answer)
    for action in others:
        rolls.interferer(action)
    left: dict[int | str, Outcome] = dict.fromkeys((action.id for action in exchange.actions), "full")
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


def stopper(rolls: Rolls, others: list[Action], left: dict[int | str, Outcome]) -> str:
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


def resolve_interference(rolls: Rolls, action: Action, left: dict[int | str, Outcome]) -> None:
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


def resolve_attack(rolls: Rolls, answer: Action | None, left: dict[int | str, Outcome], stopped_by: str) -> None:
    """Judge the attack against whatever defends, and record what both did (MAM-ATK-04, MAM-ATK-12)."""
    judging, root = rolls.judging, rolls.exchange.root
    outcome: Outcome
    counter: Outcome = "fail"
    counter_why = why = ""
    if answer and left[answer.id] == "fail":
        outcome, why = "full", f"the {answer.kind} was stopped, and no defence roll is left"
        counter_why = "it was itself stopped"
    elif answer and answer.strikes:
        outcome, counter, why = clash(rolls, answer)
        counter_why = why
        if counter == "full" and left[answer.id] == "half":
            counter, counter_why = "half", "a tie with an interference halved it"
    elif left[root.id] == "fail":
        outcome = "fail"
    else:
        defense = rolls.thrown[answer.id] if answer else rolls.defense()
        thrown = rolls.thrown[root.id]
        faces = attack.Faces(thrown.face or 0, defense.face)
        outcome = attack.hit(thrown.total, defense.total, faces, judging.ruleset)
        why = f"{thrown.total} against {defense.total}"
    if left[root.id] == "fail":
        # Whoever else stopped it, a strike in return is judged by its own roll (MAM-INTF-01).
        outcome, why = "fail", stopped_by
    elif outcome == "full" and left[root.id] == "half":
        outcome, why = "half", "a tie with an interference halved it"
    blows = [(root, outcome)]
    if answer and answer.strikes:
        blow = rolls.blow(answer)
        judging.record(
            CounterattackResolved(rolls.exchange.id, answer.id, counter, blow.power, blow.absorbed, counter_why)
        )
        blows.append((answer, counter))
    strikes = [(action, rolls.blow(action, result)) for action, result in blows]
    judging.record(AttackResolved(rolls.exchange.id, outcome, strikes[0][1].power, strikes[0][1].absorbed, why))
    for action, blow in strikes:
        wound(judging, action.target, rolls.exchange.id, blow.stun, blow.damage)


def clash(rolls: Rolls, answer: Action) -> attack.Clash:
    """An attack against a strike in return (MAM-ATK-12, `pool_counterattack`)."""
    judging, root = rolls.judging, rolls.exchange.root
    ours, theirs = rolls.thrown[root.id], rolls.thrown[answer.id]
    if judging.ruleset["pool_counterattack"] != "simultaneous_exchange":
        blow = rolls.blow(answer)
        faces = attack.Faces(ours.face or 0, theirs.face)
        return attack.meet_counterattack(
            ours.total, theirs.total, faces, net_effect=blow.stun + blow.damage, ruleset=judging.ruleset
        )
    # Each side has thrown one die; it serves for the attack and for the defence alike, so that nobody rolls twice.
    opposed = judging.ruleset["defense_resolution"] == "opposed_roll"
    outcomes = []
    for thrown, other, defender in ((ours, theirs, root.target), (theirs, ours, answer.target)):
        modifiers = attack.defense_modifiers(judging.state.combatants[defender], judging.ruleset)
        face = other.face if opposed else None
        defense = attack.total(face or attack.FIXED_DIFFICULTY, modifiers)
        outcomes.append(attack.hit(thrown.total, defense, attack.Faces(thrown.face or 0, face), judging.ruleset))
    return attack.Clash(outcomes[0], outcomes[1], "each attack against the other's defence")


def offer_resolve(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    """Every `resolve` that could be ordered, legal or not."""
    exchange = state.exchange
    if exchange is None:
        return
    sides = int(die_of(ruleset)[1:])
    faces = (None, *range(1, sides + 1))
    rolls_attack = exchange.root.kind == "attack" or len(exchange.actions) > 1
    rolls_defense = exchange.root.kind == "attack" and (
        exchange.answer is not None or ruleset["defense_resolution"] == "opposed_roll"
    )
    fields = (
        Field("exchange", choices=(exchange.id,)),
        *((Field("attack_die", choices=faces),) if rolls_attack else ()),
        *((Field("defense_die", choices=faces),) if rolls_defense else ()),
        Field("interference_dice", free=True),
    )
    yield Offer(Template("resolve", "", fields), Resolve(exchange.id))


MECHANICS = (Mechanic(Resolve, check=check_resolve, judge=judge_resolve, offers=offer_resolve),)

"""Long random fights of three against four, for laws and figures of corrections."""

from __future__ import annotations

from collections.abc import Collection
from decimal import Decimal
from random import Random

from msgspec.structs import replace

from mam_events.autoplay import POLICY_FIELDS, choose_command
from mam_events.commands import (
    Attack,
    BeginTurn,
    Command,
    Declare,
    EndTurn,
    Incapacitate,
    Initiative,
    Interrupt,
    Join,
    Open,
    Perform,
    Resolve,
    Result,
    RollInitiative,
    Round,
    SkipTurn,
    Wait,
)
from mam_events.decider.checks import is_allowed
from mam_events.decider.decide import legal_commands
from mam_events.decider.engine import Ruleset
from mam_events.decider.offers import Template
from mam_events.errors import BadInput, Refused
from mam_events.history.timeline.timeline import Timeline
from mam_events.log.combat_log import CombatLog
from mam_events.rules.initiative.by_roll import has_rolled
from mam_events.state import Encounter, Weapon
from tests.fights.tables import random_rules
from tests.play import from_template

FIGHT = "fight"
PRESETS = ("mam_pools", "mam_speed", "mam_d20", "ron_d6")
CODES = {"perception": "3D", "agility": "4D", "brawling": "5D", "dodge": "4D"}
SWORD = Weapon("sword", power=5, attack=2, defense=1)
BOW = Weapon("bow", kind="bow", power=3, range=Decimal(60), readied=True)
DAGGER = Weapon("dagger", kind="thrown", power=1, heft=-3, launcher_reach=Decimal(2))
NET = Weapon("net", power=1, reach=Decimal(2), readied=False)
HEROES, BANDITS = ("hero-1", "hero-2", "hero-3"), ("bandit-1", "bandit-2", "bandit-3", "bandit-4")
HORSE = Join("horse", side="heroes", hp=10, stride=Decimal(4), training="trained")
REACTIONS = ("counterattack", "parry", "interfere", "evade", "defend")
SELDOM = (
    *("manipulate", "manipulate", "escape", "release", "tackle", "maintain-grapple", "act", "move", "delay-turn"),
    *("draw-bow", "lower-bow", "load", "begin-heave", "ready-weapon", "drop-item", "pick-up-item", "mount", "dismount"),
    *("stay-mounted", "restrain-mount", "stand", "drop", "rest", "aim", "heal", "check", "prepare-counterattack"),
    *("declare-combo", "change-action", "take-position", "take-posture", "skip-turn", "attack"),
)
DULL = ("check", "heal", "drop-item", "drop")
RON_SELDOM = ("move-up", "roll-related", "move", "recover", "end-turn", "spend", "roll")
TRIES = 6
BLOW = 0.25
"""The share of blows in Ron d6 after which the game master declares that the target falls."""


class LongFight:
    """A random fight in a log of its own, in memory, played until it has a number of rulings.

    With `house` it is played under random house rules. Only the game master sees the combatants in `hidden`.
    """

    def __init__(
        self, preset: str, seed: int, rulings: int, *, house: bool = False, hidden: Collection[str] = ()
    ) -> None:
        self.preset, self.random = preset, Random(f"{preset} {seed}")
        self.log = CombatLog.open("sqlite://", entropy=Random(seed).randbytes)
        self.blows: dict[int, int] = {}
        rules = random_rules(self.random, self.log.rules, preset) if house else {}
        # The game master decides below who is first, which a table that rolls initiative doesn't allow.
        rules.pop("initiative_method", None)
        self.log.execute(FIGHT, Open(preset, rules))
        for join in self._joins():
            self.log.execute(FIGHT, replace(join, visibility="gm") if join.combatant in hidden else join)
        if preset != "ron_d6":
            self.log.execute(FIGHT, Initiative(first="hero-1", reason="they saw them first"))
        self.play_on(rulings)

    @property
    def timeline(self) -> Timeline:
        """The timeline of the fight."""
        return self.log.timeline(FIGHT)

    def play_on(self, rulings: int) -> None:
        """Play until there are that many rulings, or the fight is over."""
        for _ in range(2 * rulings):
            if self.timeline.number >= rulings or not self.step():
                return

    def step(self) -> bool:
        """Give one command; return False if nobody is left to fight."""
        state = self.log.at(FIGHT)
        command = self.command(state)
        if command is None:
            return False
        try:
            number = self.log.execute(FIGHT, command).number
        except (Refused, BadInput):
            return True
        if isinstance(command, Result):
            self._fell(state, command, number)
        return True

    def command(self, state: Encounter) -> Command | None:
        """Return a random command that is legal in that state."""
        assert state.ruleset is not None
        ruleset = self.log.rules.in_force(state.ruleset)
        sides = {one.side for one in state.combatants.values() if one.condition == "able"}
        if len(sides) < 2 and not state.open_exchange:
            return None
        if self.preset == "ron_d6":
            seldom = self._of(state, ruleset, RON_SELDOM) if self.random.random() < 0.1 else None
            return seldom or self._in_ron_d6(state, ruleset)
        reaction = self._of(state, ruleset, REACTIONS) if state.exchange and self.random.random() < 0.45 else None
        seldom = self._of(state, ruleset, SELDOM) if not state.exchange and self.random.random() < 0.2 else None
        return reaction or seldom or self._by_policy(state, ruleset)

    def _joins(self) -> tuple[Join, ...]:
        random, joins = self.random, []
        for name in (*HEROES, *BANDITS):
            side = "heroes" if name in HEROES else "bandits"
            join = Join(name, side=side, code=CODES, character_points=2)
            if self.preset != "ron_d6":
                more = random.choice(((), (BOW,), (DAGGER,), (NET,)))
                join = replace(join, hp=random.randint(6, 12), weapon=(SWORD, *more))
            if self.preset == "mam_speed" and random.random() < 0.15:
                join = replace(join, speed=random.choice((Decimal(2), Decimal("0.5"))))
            joins.append(join)
        if self.preset != "ron_d6" and random.random() < 0.3:
            rider = replace(joins[2], mount="horse", ability={"riding": 2, "animal_handling": 1})
            joins[2:3] = [HORSE, rider]
        return tuple(joins)

    def _by_policy(self, state: Encounter, ruleset: Ruleset) -> Command | None:
        command = choose_command(state, ruleset, legal_commands(state, ruleset, only=tuple(POLICY_FIELDS)), self.random)
        if isinstance(command, Attack) and state.turn and self.random.random() < 0.1:
            command = EndTurn(command.attacker)
        if command is None and state.exchange is None and state.turn is None and state.next_up:
            command = BeginTurn(state.next_up)
        if command is None and state.turn:
            command = EndTurn(state.turn.combatant)
            if not is_allowed(ruleset.edition.mechanics[EndTurn].check, state, ruleset, command):
                command = self._of(state, ruleset, ("drop-item", "skip-turn", "stay-mounted"))
        return command

    def _of(self, state: Encounter, ruleset: Ruleset, kinds: tuple[str, ...]) -> Command | None:
        """Return a legal command of one of those kinds, or None."""
        offers: dict[str, list[Template]] = {}
        for one in legal_commands(state, ruleset, only=kinds):
            if isinstance(one, Template):
                offers.setdefault(one.do, []).append(one)
        names = sorted(offers)
        for _ in range(TRIES if offers else 0):
            (kind,) = self.random.choices(names, [1 if name in DULL else 5 for name in names])
            command = from_template(self.random.choice(offers[kind]), self.random)
            if is_allowed(ruleset.edition.mechanics[type(command)].check, state, ruleset, command):
                return command
        return None

    def _in_ron_d6(self, state: Encounter, ruleset: Ruleset) -> Command:
        random = self.random
        able_combatants = [one for one in state.combatants.values() if one.condition == "able"]
        if not state.round_open:
            return Round()
        waiting = tuple(one.id for one in able_combatants if not has_rolled(state, ruleset, one.id))
        if waiting:
            return RollInitiative(waiting)
        if state.window.open:
            last = state.window.open[-1]
            ready_combatants = [one for one in able_combatants if one.actions.waiting and one.id != last.combatant]
            if ready_combatants and random.random() < 0.5:
                return Interrupt(random.choice(ready_combatants).id, "dodge", code="4D", against=last.id)
            return Result(last.id, random.choice(("success", "failure", "")))
        acting = state.acting
        if acting and state.combatants[acting].condition == "able" and state.combatants[acting].actions.left:
            foes = [one.id for one in able_combatants if one.side != state.combatants[acting].side]
            if random.random() < 0.15:
                return Wait(acting)
            return Perform(acting, "punch", code="5D", target=random.choice(foes), difficulty=15)
        if state.next_up:
            return (
                SkipTurn(state.next_up) if random.random() < 0.05 else Declare(state.next_up, random.choice((1, 1, 2)))
            )
        return Round()

    def _fell(self, state: Encounter, result: Result, number: int) -> None:
        """Fell somebody with one blow from time to time."""
        action = state.window.action(result.exchange)
        current_state = self.log.at(FIGHT)
        hit = any(getattr(event, "outcome", "") == "success" for event in self._events(number))
        if (
            not action
            or action.action != "punch"
            or not hit
            or current_state.combatants[action.target].condition != "able"
        ):
            return
        if self.random.random() < BLOW:
            self.blows[number] = self.log.execute(FIGHT, Incapacitate(action.target, "the blow")).number

    def _events(self, number: int) -> tuple[object, ...]:
        return self.timeline.entries[number].outcome.events(self.timeline.decoders)


def able(state: Encounter) -> set[str]:
    """Return everybody who is up."""
    return {one.id for one in state.combatants.values() if one.condition == "able"}


def felling(fight: LongFight) -> list[int]:
    """Return the rulings that felled somebody: resolutions of exchanges, or blows in Ron d6."""
    if fight.preset == "ron_d6":
        return list(fight.blows)
    timeline = fight.timeline
    return [
        number
        for number in timeline.order
        if isinstance(timeline.command(number), Resolve)
        and able(timeline.state_before(timeline.place[number])) - able(timeline.states[timeline.place[number]])
    ]

"""The rolls of an exchange and what the blows are worth: every die with what is added to it (MAM-ATK-02 to -05)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from mam_events.commands import Resolve
from mam_events.encounter.judging import Judging
from mam_events.events import (
    ActionRolled,
    AttackRolled,
    CounterattackRolled,
    DefenseRolled,
    InterferenceRolled,
    Modifier,
    Outcome,
    ParryRolled,
    RollMade,
)
from mam_events.rules import attack, interference
from mam_events.rules.initiative import die_of
from mam_events.rules.ruleset import Ruleset
from mam_events.rules.wounds import wound_of
from mam_events.state import Action, Combatant, Exchange

REVISION = 1

AnswerRolled = ParryRolled | CounterattackRolled | InterferenceRolled
"""A roll that stands in place of the defence roll (MAM-INTF-03)."""

ANSWERS: dict[str, tuple[type[AnswerRolled], Callable[[Combatant, Action, Ruleset], tuple[Modifier, ...]]]] = {
    "parry": (ParryRolled, interference.parry_modifiers),
    "counterattack": (CounterattackRolled, attack.attack_modifiers),
    "interference": (InterferenceRolled, interference.interference_modifiers),
}
"""The roll of each action that answers an attack, and what is added to its die (MAM-INTF-03)."""


class Blow(NamedTuple):
    """What a strike would do to its target: power, what is absorbed of it, stun and damage."""

    power: int
    absorbed: int
    stun: int
    damage: int


class Rolls:
    """The rolls of one exchange, recorded as they fall: `kind` is the die, `made` each roll by the action it is for."""

    __slots__ = ("command", "exchange", "judging", "kind", "made")

    def __init__(self, judging: Judging, exchange: Exchange, command: Resolve) -> None:
        self.judging = judging
        self.exchange = exchange
        self.command = command
        self.kind = die_of(judging.ruleset)
        self.made: dict[int, RollMade] = {}

    def combatant(self, action: Action) -> Combatant:
        """Whoever acts."""
        return self.judging.state.combatants[action.combatant]

    def root(self) -> None:
        """Roll for the action that began the exchange."""
        root, judging = self.exchange.root, self.judging
        name, face = root.combatant, self.command.attack_die
        roll: RollMade
        if root.kind == "attack":
            die = judging.dice.roll(f"attack.{name}", self.kind, field="attack_die", thrown=face)
            added = attack.attack_modifiers(self.combatant(root), root, judging.ruleset)
            roll = AttackRolled(self.exchange.id, name, die, added, attack.total(die.face, added), root.id)
        else:
            die = judging.dice.roll(f"action.{name}", self.kind, field="attack_die", thrown=face)
            added = interference.ability(root)
            roll = ActionRolled(self.exchange.id, name, die, added, attack.total(die.face, added))
        self._record(root, roll)

    def answer(self, action: Action) -> None:
        """Make the roll that stands in place of the defence roll (MAM-INTF-03)."""
        rolled, modifiers_of = ANSWERS[action.kind]
        name, face = action.combatant, self.command.defense_die
        die = self.judging.dice.roll(f"defense.{name}", self.kind, field="defense_die", thrown=face)
        added = modifiers_of(self.combatant(action), action, self.judging.ruleset)
        self._record(action, rolled(self.exchange.id, name, die, added, attack.total(die.face, added), action.id))

    def interferer(self, action: Action) -> None:
        """Roll for somebody else's interference (MAM-INTF-01)."""
        name, face = action.combatant, self.command.interference_dice.get(str(action.id))
        slot, field = f"interference-{action.id}.{name}", f"interference_dice.{action.id}"
        die = self.judging.dice.roll(slot, self.kind, field=field, thrown=face)
        added = interference.interference_modifiers(self.combatant(action), action, self.judging.ruleset)
        total = attack.total(die.face, added)
        self._record(action, InterferenceRolled(self.exchange.id, name, die, added, total, action.id))

    def defense(self) -> DefenseRolled:
        """The plain defence: a roll, or a fixed difficulty of 10 and the modifiers (`defense_resolution`)."""
        judging, name = self.judging, self.exchange.root.target
        die = None
        if judging.ruleset["defense_resolution"] == "opposed_roll":
            face = self.command.defense_die
            die = judging.dice.roll(f"defense.{name}", self.kind, field="defense_die", thrown=face)
        added = attack.defense_modifiers(judging.state.combatants[name], judging.ruleset)
        total = attack.total(die.face if die else attack.FIXED_DIFFICULTY, added)
        roll = DefenseRolled(self.exchange.id, name, die, added, total)
        judging.record(roll)
        return roll

    def _record(self, action: Action, roll: RollMade) -> None:
        self.made[action.id] = roll
        self.judging.record(roll)

    def blow(self, action: Action, outcome: Outcome = "full") -> Blow:
        """What a strike would do to its target with that outcome (MAM-ATK-05, MAM-WND-03)."""
        weapon = attack.weapon_of(self.combatant(action), action)
        power = attack.attack_power(weapon.power, action.power)
        absorbed = self.judging.state.combatants[action.target].absorption
        stun, damage = wound_of(weapon, power, absorbed, outcome, self.judging.ruleset)
        return Blow(power, absorbed, stun, damage)

    def rolled(self, action: Action) -> interference.Rolled:
        """The action as the chain of interference sees it."""
        roll = self.made[action.id]
        blow = self.blow(action) if action.strikes and action.against else None
        return interference.Rolled(
            action.id,
            roll.total,
            roll.total - roll.base,
            action.against or None,
            strikes=blow is not None,
            net_effect=blow.stun + blow.damage if blow else 0,
            face=roll.face or 0,
        )

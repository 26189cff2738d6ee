"""The rolls of an exchange with their modifiers, and the effects of its strikes (MAM-ATK-02 to MAM-ATK-05)."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from mam_events.commands import Resolve
from mam_events.decider.engine import Decision, Ruleset
from mam_events.decider.gm_modifiers import exchange_gm_modifiers
from mam_events.decider.strikes import INTO_DEFENSE, PLAIN_DEFENSE, THROWN_BODY, StrikeEffect, StrikeRoll
from mam_events.events import (
    ActionRolled,
    ArmorChecked,
    AttackRolled,
    CounterattackRolled,
    DefenseRolled,
    InterferenceRolled,
    Layer,
    Modifier,
    ParryRolled,
    RollMade,
)
from mam_events.rules.attack import attacks
from mam_events.rules.attack.power import power_of, with_run_up
from mam_events.rules.exchanges import interference
from mam_events.rules.exchanges.generic_action import ability_modifier
from mam_events.rules.exchanges.parry import parry_modifiers
from mam_events.rules.grappling.manipulation_numbers import grip_of
from mam_events.rules.health import armor
from mam_events.rules.health.wounds import wound_of
from mam_events.rules.rolls.combat_rolls import roll_total
from mam_events.rules.rolls.dice_substitutes import RollResult, Throw, combat_throw, roll_die
from mam_events.rules.rolls.difficulty import base
from mam_events.rules.rolls.success_rolls import automatic_outcome
from mam_events.state import Action, ArmorPiece, Combatant, Encounter, Exchange, Weapon
from mam_events.values import OutcomeField

AnswerRolled = ParryRolled | CounterattackRolled | InterferenceRolled
"""A roll against an action; made by the attacked combatant, it replaces the defense roll (MAM-INTF-03)."""

RollModifiers = Callable[[Encounter, Ruleset, Action, Exchange], tuple[Modifier, ...]]

ANSWERS: dict[str, tuple[type[AnswerRolled], RollModifiers]] = {
    "parry": (ParryRolled, parry_modifiers),
    "counterattack": (CounterattackRolled, interference.interference_modifiers),
    "interference": (InterferenceRolled, interference.interference_modifiers),
}
"""The roll of each kind of action that answers or interferes, and the function for its modifiers (MAM-INTF-03)."""


class Rolls:
    """The rolls of one exchange, recorded as they fall.

    `made` holds each roll by its action, and `results` the results of its dice. `remaining` is what others'
    interference leaves of each action (MAM-INTF-07). `followed` are the undeclared attacks that were made.
    """

    __slots__ = ("_armor", "_armor_dice", "command", "exchange", "followed", "judging", "made", "remaining", "results")

    def __init__(self, judging: Decision, exchange: Exchange, command: Resolve) -> None:
        self.judging = judging
        self.exchange = exchange
        self.command = command
        self.made: dict[int, RollMade] = {}
        self.results: dict[int, RollResult] = {}
        self.remaining: dict[int, OutcomeField] = {action.id: "full" for action in exchange.actions}
        self.followed: list[Action] = []
        self._armor: dict[int, armor.ArmorCheck] = {}
        self._armor_dice: dict[str, RollResult] = {}

    def combatant(self, action: Action) -> Combatant:
        """Return the combatant who acts."""
        return self.judging.state.combatants[action.combatant]

    def situation(self, action: Action) -> tuple[Modifier, ...]:
        """Return the game master's modifiers of the roll for that action."""
        return exchange_gm_modifiers(self.judging.state.exchange, action.combatant, action.id)

    def roll_root(self) -> None:
        """Roll for the action that began the exchange."""
        root, judging = self.exchange.root, self.judging
        state, ruleset = judging.state, judging.ruleset
        result = self._roll(f"{root.kind}.{root.actor}", attack_throw(self.command, ruleset))
        self.results[root.id] = result
        roll: RollMade
        modifiers = self.situation(root)
        if root.kind == "attack":
            all_modifiers = (*attacks.attack_modifiers(state, ruleset, root), *modifiers)
            roll = AttackRolled(
                self.exchange.id,
                root.actor,
                result.die,
                all_modifiers,
                roll_total(result.value, all_modifiers),
                result.confirmation,
                root.id,
            )
        else:
            all_modifiers = (*ability_modifier(state, ruleset, root), *modifiers)
            roll = ActionRolled(
                self.exchange.id,
                root.combatant,
                result.die,
                all_modifiers,
                roll_total(result.value, all_modifiers),
                result.confirmation,
            )
        self._record(root, roll)

    def roll_answer(self, action: Action) -> None:
        """Roll for the action that replaces the defense roll (MAM-INTF-03)."""
        result = self._roll(f"defense.{action.combatant}", defense_throw(self.command, self.judging.ruleset))
        self._record_answer(action, result)

    def roll_interference(self, action: Action) -> None:
        """Roll for somebody else's interference (MAM-INTF-01)."""
        throw = interference_throw(self.command, action.id, self.judging.ruleset)
        result = self._roll(f"interference-{action.id}.{action.combatant}", throw)
        self._record_answer(action, result)

    def _record_answer(self, action: Action, result: RollResult) -> None:
        kind, modifiers_of = ANSWERS[action.kind]
        self.results[action.id] = result
        state, ruleset = self.judging.state, self.judging.ruleset
        modifiers = (*modifiers_of(state, ruleset, action, self.exchange), *self.situation(action))
        sum_ = roll_total(result.value, modifiers)
        self._record(
            action,
            kind(self.exchange.id, action.combatant, result.die, modifiers, sum_, result.confirmation, action.id),
        )

    def roll_defense(self) -> tuple[DefenseRolled, RollResult | None]:
        """Make the plain defense: a roll, or a fixed difficulty of 10 and the modifiers (`defense_resolution`)."""
        root = self.exchange.root
        return self._roll_defense(root, "defense", defense_throw(self.command, self.judging.ruleset), PLAIN_DEFENSE)

    def roll_defense_into(self, strike: Action) -> tuple[RollMade, RollResult | None]:
        """Return the defense of the combatant whom a thrown body strikes (MAM-MNP-09).

        It is their own roll against the throw if they interfere with it, else the plain defense (MAM-INTF-03).
        """
        own = self.exchange.declaration_against_root(strike.target)
        if own:
            return self.made[own.id], self.results[own.id]
        return self._roll_defense(strike, "into", into_defense_throw(self.command, self.judging.ruleset), INTO_DEFENSE)

    def _roll_defense(
        self, action: Action, slot: str, throw: Throw, number: int
    ) -> tuple[DefenseRolled, RollResult | None]:
        judging, name = self.judging, action.target
        opposed = judging.ruleset["defense_resolution"] == "opposed_roll"
        result = self._roll(f"{slot}.{name}", throw) if opposed else None
        modifiers = exchange_gm_modifiers(judging.state.exchange, name, 0)
        all_modifiers = (*attacks.defense_modifiers(judging.state, judging.ruleset, action), *modifiers)
        start = result.value if result else base(judging.ruleset)
        event = DefenseRolled(
            self.exchange.id,
            name,
            result.die if result else None,
            all_modifiers,
            roll_total(start, all_modifiers),
            result.confirmation if result else None,
        )
        self._record_roll(event)
        if result:
            self.results[number] = result
        return event, result

    def _roll(self, slot: str, throw: Throw) -> RollResult:
        return roll_die(self.judging, slot, throw)

    def _record(self, action: Action, roll: RollMade) -> None:
        self.made[action.id] = roll
        self._record_roll(roll)

    def _record_roll(self, roll: RollMade) -> None:
        self.judging.record(roll)
        for follows in self.judging.ruleset.edition.at_roll:
            follows(self.judging, roll)

    def is_automatic(self, action: Action) -> bool:
        """Return True if the die of that action succeeds whatever the total (MAM-ROLL-02)."""
        return self.results[action.id].automatic

    def is_sure(self, action: Action) -> bool:
        """Return True if that strike is an automatic success under the house rules (MAM-ATK-11).

        `automatic_success_in_opposed_rolls` says which dice count.
        """
        if not self.is_automatic(action):
            return False
        ruleset = self.judging.ruleset
        answer = self.exchange.answer
        if action is answer and ruleset.get("pool_counterattack") != "simultaneous_exchange":
            return (
                automatic_outcome(acting=self.is_automatic(self.exchange.root), opposing=True, ruleset=ruleset)
                == "fail"
            )
        against = self.exchange.action(action.against) if action.against else answer
        opposing = self.results.get(against.id if against else PLAIN_DEFENSE)
        if action.against and action is not answer and ruleset["interference_roll"] == "versus_fixed_difficulty":
            opposing = None
        return (
            automatic_outcome(acting=True, opposing=opposing.automatic if opposing else None, ruleset=ruleset) == "full"
        )

    def blow(self, action: Action, outcome: OutcomeField = "full", weapon: Weapon | None = None) -> StrikeEffect:
        """Return the effect of a strike on its target with that outcome (MAM-ATK-05, MAM-ARM-03, MAM-WND-03).

        It strikes with `weapon` if the action names no weapon of the striker.
        """
        if not action.strikes:
            # The effects of a manipulation are in its own section (MAM-MNP-02).
            return StrikeEffect(0, 0, 0, 0)
        weapon = weapon or attacks.weapon_of(self.combatant(action), action)
        ruleset = self.judging.ruleset
        result = self.results.get(action.id)
        strike = StrikeRoll(result.value, self.is_sure(action)) if result else StrikeRoll(None)
        power, modifiers = _power(with_run_up(self.judging.state, action), weapon, strike, ruleset)
        if outcome == "fail":
            # Armor absorbs nothing of a strike that missed (MAM-ARM-07).
            return StrikeEffect(power, 0, 0, 0, modifiers)
        target = self.judging.state.combatants[action.target]
        absorbed = armor.absorption(target.absorption, self.armor_check(action).absorption, ruleset)
        stun, damage = wound_of(weapon, power, absorbed, outcome, ruleset)
        return StrikeEffect(power, absorbed, stun, damage, modifiers)

    def net_effect(self, action: Action) -> int:
        """Return the stun and damage that a strike would do, or the advantage of a manipulation (MAM-INTF-04)."""
        if action.manipulation:
            state, ruleset = self.judging.state, self.judging.ruleset
            grip = grip_of(state, ruleset, action, action.manipulation, self.results[action.id])
            return grip.modifier - grip.size
        blow = self.blow(action)
        return blow.stun + blow.damage

    def armor_check(self, action: Action) -> armor.ArmorCheck:
        """Return the piece of the target's armor that blocks a strike, and the face for it (MAM-ARM-02).

        The first call records it: an effect may depend on it before anything hits (MAM-INTF-04).
        """
        if action.id not in self._armor:
            target = self.judging.state.combatants[action.target]
            pieces = armor.worn_armor(target)
            self._armor[action.id] = self._compared(action, pieces) if pieces else armor.ArmorCheck()
        return self._armor[action.id]

    def _compared(self, action: Action, pieces: tuple[ArmorPiece, ...]) -> armor.ArmorCheck:
        ruleset = self.judging.ruleset
        source = armor.absorption_source(ruleset)
        result = self._defending(action) if source == "defense_die" else None
        if source == "attack_die":
            result = self.results.get(action.id)
        own = result is None
        if result is None:
            # All strikes at one target in an exchange share its die (armour_roll_source).
            result = self._armor_dice.get(action.target)
        if result is None:
            throw = armor_throw(self.command, action.target, ruleset)
            result = self._armor_dice[action.target] = self._roll(f"armor.{action.target}", throw)
        converted = ruleset["armour_roll_with_substitute"] == "converted"
        check = armor.check_armor(pieces, result.value if converted else result.die.face, ruleset)
        assert check.face is not None  # noqa: S101 - a die was compared with the armor
        self.judging.record(
            ArmorChecked(
                self.exchange.id,
                action.target,
                check.face,
                check.piece.name or check.piece.id if check.piece else "",
                check.absorption,
                action.id,
                tuple(Layer(p.name or p.id, running, p.absorption, p.complete) for p, running in check.asked),
                result.die if own else None,
            )
        )
        return check

    def _defending(self, action: Action) -> RollResult | None:
        """Return the result of the die that defends the target of that strike; None if none was thrown for it."""
        root, answer = self.exchange.root, self.exchange.answer
        if action.id == root.id:
            number = answer.id if answer else PLAIN_DEFENSE
            if number not in self.results and self.judging.ruleset["defense_resolution"] == "opposed_roll":
                # The attack was stopped, so nobody defended, but the game master lets it hit.
                self.roll_defense()
            return self.results.get(number)
        if action.id == THROWN_BODY:
            own_roll = self.exchange.declaration_against_root(action.target)
            return self.results.get(own_roll.id if own_roll else INTO_DEFENSE)
        # A combatant who is struck back has rolled for their own action and has no other die (MAM-ARM-02).
        own = (self.results.get(other.id) for other in self.exchange.actions if other.combatant == action.target)
        return next(own, None)

    def rolled_action(self, action: Action) -> interference.RolledAction:
        """Return the action as the chain of interference sees it."""
        roll = self.made[action.id]
        attacks = action.attacks and bool(action.against)
        return interference.RolledAction(
            action.id,
            roll.total,
            sum(modifier.value for modifier in roll.modifiers),
            action.against or None,
            attacks=attacks,
            net_effect=self.net_effect(action) if attacks else 0,
            automatic=self.is_automatic(action),
        )


def _power(action: Action, weapon: Weapon, strike: StrikeRoll, ruleset: Ruleset) -> tuple[int, tuple[Modifier, ...]]:
    """Return the power of a strike: from the section that has its own rule, else the usual one (MAM-ATK-05)."""
    for powers in ruleset.edition.powers:
        values = powers(action, weapon, strike, ruleset)
        if values:
            return values
    return power_of(action, weapon, strike, ruleset)


def attack_throw(command: Resolve, ruleset: Ruleset) -> Throw:
    """Return the throw of the action that began the exchange, as the command gives it."""
    return combat_throw(command.attack_die, command.confirmation_die.get("attack"), "attack_die", ruleset)


def defense_throw(command: Resolve, ruleset: Ruleset) -> Throw:
    """Return the throw of the defense, as the command gives it."""
    return combat_throw(command.defense_die, command.confirmation_die.get("defense"), "defense_die", ruleset)


def into_defense_throw(command: Resolve, ruleset: Ruleset) -> Throw:
    """Return the throw that defends the target of a thrown body, as the command gives it."""
    return combat_throw(command.into_die, command.confirmation_die.get("into"), "into_die", ruleset)


def interference_throw(command: Resolve, number: int, ruleset: Ruleset) -> Throw:
    """Return the throw of one interference, as the command gives it."""
    face = command.interference_die.get(str(number))
    second = command.confirmation_die.get(str(number))
    return combat_throw(face, second, f"interference_die.{number}", ruleset)


def armor_throw(command: Resolve, name: str, ruleset: Ruleset) -> Throw:
    """Return the separate throw for somebody's armor, as the command gives it; nothing confirms it."""
    face = command.armor_die.get(name)
    return replace(combat_throw(face, None, f"armor_die.{name}", ruleset), confirmed=False)

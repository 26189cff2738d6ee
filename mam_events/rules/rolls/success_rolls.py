"""Success rolls: a die and its modifiers against a difficulty, and half success (MAM-ROLL)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from mam_events.commands import Attempt, Check, Heal, InstantStand, RestrainMount, StayMounted, TakesGmModifiers
from mam_events.decider.checks import require_combatant, require_open
from mam_events.decider.engine import Decision, RuleModule, Ruleset
from mam_events.decider.gm_modifiers import check_gm_modifiers
from mam_events.decider.mechanic import Mechanic
from mam_events.decider.offers import Field, Offer, free, offer
from mam_events.errors import Refused
from mam_events.events import Modifier, RolledFor, SuccessRoll, SuccessRolled
from mam_events.refusals.arguments import Word
from mam_events.rules.rolls.dice_substitutes import STANDARD, RollResult, Throw, check_throw, combat_throw, roll_die
from mam_events.rules.rolls.difficulty import difficulty_from_modifier, on_ladder
from mam_events.rules.rolls.modifiers import named_circumstances
from mam_events.state import Combatant, Encounter
from mam_events.values import DieKind, OutcomeField

ATTEMPT_DICE = ("die", "opposing_die", "confirmation_die", "opposing_confirmation_die")
"""The fields of an attempt for its own faces and the opposition's."""
DIE_FIELDS = (Field("kind", choices=get_args(DieKind)), *free("die", "confirmation_die"))
"""The choices for the single die of a roll."""


def compare_totals(total: int, against: int, ruleset: Ruleset) -> OutcomeField:
    """Return full if the total is greater (MAM-ROLL-01); on a tie, what `half_success` says (MAM-ROLL-04)."""
    if total > against:
        return "full"
    return "half" if total == against and ruleset["half_success"] == "exact_tie" else "fail"


def automatic_outcome(*, acting: bool, opposing: bool | None, ruleset: Ruleset) -> OutcomeField | None:
    """Return the outcome that automatic successes decide (MAM-ROLL-02); None if the totals decide.

    `opposing` is None if nobody rolls against it. If both sides roll, `automatic_success_in_opposed_rolls` says whose
    roll counts.
    """
    scope = ruleset["automatic_success_in_opposed_rolls"]
    acts = acting and (opposing is None or scope != "off")
    opposes = bool(opposing) and scope == "either_side"
    if acts == opposes:
        return None
    return "full" if acts else "fail"


def success_roll(
    combatant: str,
    what: RolledFor,
    result: RollResult,
    all_modifiers: tuple[Modifier | None, ...],
    difficulty: int | None = None,
    raised: tuple[Modifier | None, ...] = (),
) -> SuccessRoll:
    """Return a roll as the log records it: modifiers of the value and of the difficulty, without those of 0."""
    modifiers = tuple(modifier for modifier in all_modifiers if modifier and modifier.value)
    return SuccessRoll(
        combatant,
        what,
        result.die,
        result.value,
        modifiers,
        result.value + sum(modifier.value for modifier in modifiers),
        difficulty,
        tuple(modifier for modifier in raised if modifier and modifier.value),
        result.confirmation,
        result.automatic,
    )


def bearing_on(judging: Decision, name: str, command: TakesGmModifiers) -> tuple[Modifier, ...]:
    """Return the modifiers for a success roll of a combatant.

    They are the modifiers of any section for all its success rolls, and what the game master adds to this one.
    """
    state, ruleset = judging.state, judging.ruleset
    adding = ruleset.edition.check_modifiers
    modifiers = (modifier for adds in adding for modifier in adds(state, ruleset, state.combatants[name]))
    return (*modifiers, *check_gm_modifiers(command, name))


def outcome_of(roll: SuccessRoll, ruleset: Ruleset) -> OutcomeField:
    """Return the outcome of a roll against a difficulty: only a greater total succeeds (MAM-ROLL-01, MAM-ROLL-02).

    A tie is half a success at most, and only if half success applies to every roll (`half_success_scope`).
    """
    outcome = outcome_in_combat(roll, ruleset)
    return "fail" if outcome == "half" and ruleset["half_success_scope"] == "combat_rolls" else outcome


def outcome_in_combat(roll: SuccessRoll, ruleset: Ruleset) -> OutcomeField:
    """Return the outcome of a roll for which half a success has an effect (MAM-ROLL-05)."""
    return automatic_outcome(acting=roll.automatic, opposing=None, ruleset=ruleset) or compare_totals(
        roll.total, roll.against, ruleset
    )


def throw_of(command: Check | RestrainMount | StayMounted) -> Throw:
    """Return the one throw of a roll, as the command gives it."""
    return Throw(command.kind, command.die, command.confirmation_die)


def attempt_throws(command: Heal | InstantStand, ruleset: Ruleset, *, opposed: bool) -> tuple[Throw, ...]:
    """Return the throws of an attempt: combat dice if both sides roll, else a d20 or its substitute.

    Raises Refused with `impossible_face` or `idle_die`.
    """
    throws: tuple[Throw, ...] = (Throw(command.kind or STANDARD, command.die, command.confirmation_die),)
    if opposed:
        throws = (
            combat_throw(command.die, command.confirmation_die, "die", ruleset),
            combat_throw(command.opposing_die, command.opposing_confirmation_die, "opposing_die", ruleset),
        )
    for throw in throws:
        check_throw(throw, ruleset)
    return throws


def roll_attempt(  # noqa: PLR0913, PLR0917 - an attempt needs all of these
    judging: Decision,
    command: Heal | InstantStand,
    what: RolledFor,
    throws: tuple[Throw, ...],
    modifiers: tuple[Modifier | None, ...],
    difficulty: int,
    opposed: tuple[Modifier | None, ...] = (),
) -> tuple[tuple[SuccessRoll, ...], OutcomeField]:
    """Return the rolls of an attempt and the outcome.

    The roll is made against the difficulty, or against the opposition's roll if that has a throw; the `opposed`
    modifiers are added to either.
    """
    name = command.combatant
    modifiers = (*modifiers, *bearing_on(judging, name, command))
    result = roll_die(judging, f"{what.replace(' ', '-')}.{name}", throws[0])
    if len(throws) == 1:
        roll = success_roll(name, what, result, modifiers, difficulty, opposed)
        return (roll,), outcome_in_combat(roll, judging.ruleset)
    against = success_roll(name, "opposition", roll_die(judging, f"opposition.{name}", throws[1]), opposed)
    roll = success_roll(name, what, result, modifiers, against.total)
    decided = automatic_outcome(acting=roll.automatic, opposing=against.automatic, ruleset=judging.ruleset)
    return (roll, against), decided or compare_totals(roll.total, against.total, judging.ruleset)


def attempt_fields(*, opposed: bool) -> tuple[Field, ...]:
    """Return the choices for the dice of an attempt."""
    return (Field("kind", choices=(None, *(() if opposed else get_args(DieKind)))), *free(*ATTEMPT_DICE))


def require_present(state: Encounter, name: str, field: str = "combatant") -> Combatant:
    """Return a combatant of an open encounter who is neither dead nor out of the fight.

    Raises Refused with `out_of_fight`.
    """
    require_open(state)
    combatant = require_combatant(state, name, field)
    if combatant.is_gone:
        raise Refused("out_of_fight/rolls", combatant=combatant, condition=Word(combatant.condition), fields=(field,))
    return combatant


def present_combatants(state: Encounter) -> tuple[str, ...]:
    """Return the ids of all combatants who can still roll."""
    return tuple(combatant.id for combatant in state.combatants.values() if not combatant.is_gone)


def check_check(state: Encounter, ruleset: Ruleset, command: Check) -> int:
    """Return the difficulty of a check, which needs no turn and may come inside an exchange.

    Raises Refused with `out_of_fight`, `two_difficulties`, `unknown_difficulty`, `idle_situation`, `impossible_face` or
    `idle_die`.
    """
    combatant = require_present(state, command.combatant)
    if command.difficulty is not None and command.against is not None:
        raise Refused("two_difficulties", rule="MAM-DIFF-02", fields=("difficulty", "against"))
    difficulty = _difficulty(command, ruleset)
    idle = [field for field in ("die", "confirmation_die", "situation") if getattr(command, field)]
    if command.attempt != "chance" and idle:
        is_situation = idle[0] == "situation"
        raise Refused(
            "idle_situation/not_rolled" if is_situation else "idle_die/not_rolled",
            attempt=Word(command.attempt),
            combatant=combatant,
            rule="MAM-ROLL-03",
            fields=("situation" if is_situation else "die",),
        )
    check_throw(throw_of(command), ruleset)
    return difficulty


def _difficulty(command: Check, ruleset: Ruleset) -> int:
    if command.difficulty is None:
        return difficulty_from_modifier(command.against or 0)
    return on_ladder(command.difficulty, ruleset) if isinstance(command.difficulty, str) else command.difficulty


def judge_check(judging: Decision, command: Check, difficulty: int) -> None:
    """Roll, unless the attempt is certain or impossible (MAM-ROLL-03)."""
    name, ruleset = command.combatant, judging.ruleset
    if command.attempt != "chance":
        outcome: OutcomeField = "full" if command.attempt == "certain" else "fail"
        judging.record(SuccessRolled((), name, command.what, command.attempt, outcome))
        return
    circumstances = named_circumstances(command.circumstance, ruleset)
    roll = success_roll(
        name,
        "check",
        roll_die(judging, f"check.{name}", throw_of(command)),
        (
            Modifier("modifier", command.modifier, "MAM-ROLL-01"),
            circumstances.success,
            *bearing_on(judging, name, command),
        ),
        difficulty,
        (Modifier("difficulty modifier", command.difficulty_modifier, "MAM-ROLL-01"), circumstances.difficulty),
    )
    judging.record(SuccessRolled((roll,), name, command.what, command.attempt, outcome_of(roll, ruleset)))


def _offer_check(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    names = present_combatants(state)
    if names:
        yield offer(
            Check(names[0]),
            Field("combatant", choices=names),
            *free("difficulty", "against", "what"),
            Field("modifier"),
            Field("difficulty_modifier"),
            *free("circumstance"),
            Field("attempt", choices=get_args(Attempt)),
            *DIE_FIELDS,
            by="",
        )


SECTION = RuleModule(
    mechanics=(Mechanic(Check, check=check_check, judge=judge_check, offers=_offer_check),),
)

"""The dice of an exchange: those thrown in it, and so those that may be given (MAM-ATK-04, MAM-INTF-01, MAM-ARM-02)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from msgspec import Struct
from msgspec.structs import replace

from mam_events.commands import Resolve
from mam_events.decider.engine import Ruleset, UndeclaredStrike
from mam_events.decider.offers import Field, Offer, free, offer
from mam_events.dice import SIDES
from mam_events.errors import Refused
from mam_events.refusals.arguments import Message, RulingArgument, Term
from mam_events.rules.exchanges.feasibility import reason_impossible, require_going_on, without_impossible
from mam_events.rules.exchanges.reactions import thrown_into
from mam_events.rules.exchanges.rolls import (
    armor_throw,
    attack_throw,
    defense_throw,
    interference_throw,
    into_defense_throw,
)
from mam_events.rules.health import armor
from mam_events.rules.rolls.dice_substitutes import check_throw, die_of
from mam_events.state import Action, Encounter, Exchange
from mam_events.values import GivenOutcome

_DICE = ("attack_die", "defense_die", "into_die", "interference_die", "armor_die", "confirmation_die", "outcome")
"""The fields of dice, and the field of the outcome that the game master sets instead."""
ARMOR = "armor."
"""The prefix of an armor roll in `Exchange.faces`."""
DICE_FIELDS = {
    "attack_die": "attack",
    "defense_die": "defense",
    "into_die": "into",
    "armor_die": ARMOR,
    "interference_die": "",
}
"""The fields of first faces, each with the prefix of its rolls."""


class Resolvable(Struct, frozen=True):
    """An exchange to be rolled, and the `command` completed with the faces that were given before.

    `hindered` is the error of the action that began it, if it can no longer be done (None: it can).
    """

    exchange: Exchange
    hindered: Refused | None
    command: Resolve

    @property
    def why(self) -> Message | None:
        """The reason why the action can no longer be done; None while it can."""
        return self.hindered.message if self.hindered else None

    @property
    def needs_no_dice(self) -> bool:
        """True if no die falls: the action cannot be done, and nobody strikes or interferes besides."""
        return self.hindered is not None and all(action.kind == "parry" for action in self.exchange.actions[1:])


def check_resolve(state: Encounter, ruleset: Ruleset, command: Resolve) -> Resolvable:
    """Return the exchange to be rolled.

    Raises Refused with `no_such_exchange`, `idle_die` or `impossible_face`. It checks every face before any roll: an
    error after others were drawn would reveal them.
    """
    exchange = without_impossible(state, require_going_on(state, ruleset, command.exchange))
    command = with_given(state, ruleset, command, exchange)
    resolvable = Resolvable(exchange, reason_impossible(state, ruleset, exchange.root), command)
    if resolvable.hindered and resolvable.needs_no_dice:
        _no_dice(command, resolvable.hindered)
    _check_sides(state, ruleset, command, exchange)
    _check_interference(state, ruleset, command, exchange)
    if command.armor_die:
        _check_armor(state, ruleset, command, exchange)
    return resolvable


def _check_armor(state: Encounter, ruleset: Ruleset, command: Resolve, exchange: Exchange) -> None:
    """Check the dice of armor that has a die of its own (MAM-ARM-02)."""
    wearing = combatants_with_armor_die(state, ruleset, exchange)
    for name in command.armor_die:
        check_throw(armor_throw(command, name, ruleset), ruleset)
        if name not in wearing:
            combatants = [state.combatants[one] for one in wearing]
            raise Refused("idle_die/armor", rule="MAM-ARM-02", fields=("armor_die",), wrong=name, allowed=combatants)


def _check_sides(state: Encounter, ruleset: Ruleset, command: Resolve, exchange: Exchange) -> None:
    """Check the dice of the combatant who began the exchange and of those who defend."""
    idle = exchange.root.kind == "action" and len(exchange.actions) == 1
    if command.defense_die is not None and not rolls_defense(exchange, ruleset):
        peaceful = exchange.root.kind == "action"
        raise Refused(
            "idle_die/nothing_attacked" if peaceful else "idle_die/fixed_defense",
            exchange=RulingArgument(exchange.id),
            rule="MAM-ATK-04",
            fields=("defense_die",),
        )
    if command.attack_die is not None and idle:
        raise Refused("idle_die/unopposed", rule="MAM-INTF-01", fields=("attack_die",))
    if command.outcome and idle:
        raise Refused("idle_die/comes_off", rule="MAM-INTF-01", fields=("outcome",))
    check_throw(attack_throw(command, ruleset), ruleset)
    if command.into_die is not None and not rolls_into(state, ruleset, exchange):
        raise Refused("idle_die/nobody_thrown_into", rule="MAM-MNP-09", fields=("into_die",))
    check_throw(defense_throw(command, ruleset), ruleset)
    if command.into_die is not None or command.confirmation_die:
        check_throw(into_defense_throw(command, ruleset), ruleset)


def _check_interference(state: Encounter, ruleset: Ruleset, command: Resolve, exchange: Exchange) -> None:
    """Check the dice of those who interfere, and second throws."""
    numbers = [str(action.id) for action in interferers(exchange, exchange.answer)]
    for number in command.interference_die:
        if number not in numbers:
            raise Refused(
                "idle_die/interference",
                exchange=RulingArgument(exchange.id),
                rule="MAM-INTF-01",
                fields=("interference_die",),
                wrong=number,
                allowed=map(reference_to_roll, numbers),
            )
    if command.confirmation_die:
        slots = ["attack", "defense", *(["into"] if rolls_into(state, ruleset, exchange) else ()), *numbers]
        for slot in command.confirmation_die:
            if slot not in slots:
                raise Refused(
                    "idle_die/no_such_die",
                    rule="MAM-DICE-04",
                    fields=("confirmation_die",),
                    wrong=slot,
                    allowed=map(reference_to_roll, slots),
                )
    for number in numbers:
        check_throw(interference_throw(command, int(number), ruleset), ruleset)


def _no_dice(command: Resolve, why: Refused) -> None:
    """Raise Refused with `idle_die` for any die of an exchange in which nothing is rolled."""
    for field in _DICE:
        if getattr(command, field) not in (None, {}, ""):
            raise Refused("idle_die/comes_to_nothing", reason=why.message, rule="MAM-WND-08", fields=(field,))


def reference_to_roll(roll: str) -> RulingArgument | Term:
    """Return the reference to a roll of an exchange: an interference is named by its ruling."""
    return RulingArgument(int(roll)) if roll.isdecimal() else Term(roll)


def combatants_with_armor_die(state: Encounter, ruleset: Ruleset, exchange: Exchange) -> list[str]:
    """Return those who may be struck in this exchange and whose armor has its own die (`armour_roll_source`)."""
    targets = dict.fromkeys(action.target for action in exchange.actions if action.hurts)
    by_itself = [extra.action.target for extra in undeclared_strikes(exchange, ruleset)]
    into = thrown_into(state, exchange)
    struck_by_body = [into] if into else []
    by_itself += struck_by_body
    targets |= dict.fromkeys(by_itself)
    wearing = [name for name in targets if armor.worn_armor(state.combatants[name])]
    if not wearing:
        return wearing
    source = armor.absorption_source(ruleset)
    if source == "defense_die":
        # Combatants who are attacked or act throw a die of their own; others who are struck do not.
        rolling = {exchange.root.target, *struck_by_body, *(action.combatant for action in exchange.actions)}
        return [name for name in wearing if name not in rolling]
    # Nobody rolls for an automatic strike, so there is no attack die to compare with.
    return wearing if source == "separate_die" else [name for name in wearing if name in by_itself]


def undeclared_strikes(exchange: Exchange, ruleset: Ruleset) -> list[UndeclaredStrike]:
    """Return the automatic strikes that follow from the attack once it succeeds."""
    return [extra for find_strikes in ruleset.edition.undeclared_strikes for extra in find_strikes(exchange)]


def interferers(exchange: Exchange, answer: Action | None) -> list[Action]:
    """Return the declarations other than the answer, against the first action or one another, in their order."""
    return [action for action in exchange.actions[1:] if action is not answer]


def rolls_defense(exchange: Exchange, ruleset: Ruleset) -> bool:
    """Return True if somebody throws a defense die against the attack.

    An answer always rolls; otherwise the defense rolls if it is an opposed roll.
    """
    opposed = ruleset["defense_resolution"] == "opposed_roll"
    return exchange.root.kind == "attack" and (exchange.answer is not None or opposed)


def rolls_into(state: Encounter, ruleset: Ruleset, exchange: Exchange) -> bool:
    """Return True if somebody throws a defense die against a body that the attack throws at them.

    Those who interfere with the throw do not, for one roll replaces the other (MAM-INTF-03).
    """
    into = thrown_into(state, exchange)
    return (
        bool(into)
        and ruleset["defense_resolution"] == "opposed_roll"
        and exchange.declaration_against_root(into) is None
    )


def who_rolls(state: Encounter, ruleset: Ruleset, exchange: Exchange) -> dict[str, str]:
    """Return the combatant who throws each die of the exchange, by its roll in `Exchange.faces`.

    If nothing is rolled, return an empty dict.
    """
    exchange = without_impossible(state, exchange)
    if Resolvable(exchange, reason_impossible(state, ruleset, exchange.root), Resolve(exchange.id)).needs_no_dice:
        return {}
    root = exchange.root
    rolls = {"attack": root.actor} if root.kind == "attack" or len(exchange.actions) > 1 else {}
    if rolls_defense(exchange, ruleset):
        rolls["defense"] = root.target
    if rolls_into(state, ruleset, exchange):
        rolls["into"] = thrown_into(state, exchange)
    rolls |= {str(action.id): action.combatant for action in interferers(exchange, exchange.answer)}
    return rolls | {f"{ARMOR}{name}": name for name in combatants_with_armor_die(state, ruleset, exchange)}


def named_faces(command: Resolve) -> dict[str, int]:
    """Return the first faces that a command gives, by their rolls."""
    sides = {"attack": command.attack_die, "defense": command.defense_die, "into": command.into_die}
    faces = {roll: face for roll, face in sides.items() if face is not None} | command.interference_die
    return faces | {f"{ARMOR}{name}": face for name, face in command.armor_die.items()}


def with_given(state: Encounter, ruleset: Ruleset, command: Resolve, exchange: Exchange) -> Resolve:
    """Return the command with the faces that were given before.

    Raises Refused with `die_given` if the command replaces one of them.
    """
    if not exchange.faces:
        return command
    rolls = who_rolls(state, ruleset, exchange)
    given_faces = {roll: face for roll, face in exchange.faces.items() if roll in rolls}
    faces, again = named_faces(command), command.confirmation_die
    for roll, face in given_faces.items():
        if roll in faces or (roll in again and face.confirmation):
            field = next(field for field, of in DICE_FIELDS.items() if roll.startswith(of))
            fields = (field if roll in faces else "confirmation_die",)
            raise Refused("die_given", who=state.combatants[rolls[roll]], fields=fields)
    faces |= {roll: face.face for roll, face in given_faces.items()}
    return replace(
        command,
        attack_die=faces.get("attack"),
        defense_die=faces.get("defense"),
        into_die=faces.get("into"),
        interference_die={roll: face for roll, face in faces.items() if roll.isdecimal()},
        armor_die={roll.removeprefix(ARMOR): face for roll, face in faces.items() if roll.startswith(ARMOR)},
        confirmation_die={roll: face.confirmation for roll, face in given_faces.items() if face.confirmation} | again,
    )


def offer_resolve(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    """Yield every `resolve` that could be given, legal or not."""
    exchange = state.exchange
    if exchange is None:
        return
    rolls = who_rolls(state, ruleset, exchange)
    if not rolls:
        yield offer(Resolve(exchange.id), pinned=("exchange",))
        return
    missing = [roll for roll in rolls if roll not in exchange.faces]
    faces = (None, *range(1, SIDES[die_of(ruleset)] + 1))
    stopping = tuple(roll for roll in missing if roll.isdecimal())
    wearing = tuple(roll.removeprefix(ARMOR) for roll in missing if roll.startswith(ARMOR))
    yield offer(
        Resolve(exchange.id),
        *(Field(f"{side}_die", choices=faces) for side in ("attack", "defense", "into") if side in missing),
        *((Field("interference_die", choices=faces[1:], keys=stopping),) if stopping else ()),
        *((Field("armor_die", choices=faces[1:], keys=wearing),) if wearing else ()),
        # Which rolls take a second face depends on the first faces, so the choices can't be listed.
        *(free("confirmation_die") if needs_confirmation_die(ruleset) else ()),
        *((Field("outcome", choices=get_args(GivenOutcome)),) if "attack" in rolls else ()),
        pinned=("exchange",),
    )


def needs_confirmation_die(ruleset: Ruleset) -> bool:
    """Return True if a die may take a second throw (MAM-DICE-04)."""
    return ruleset["combat_die"] == "d20_substitute" and ruleset["substitute_automatic_success"] == "confirm_roll"

"""The dice of an exchange: which are thrown in it, and so which may be said (MAM-ATK-04, MAM-INTF-01, MAM-ARM-02)."""

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
from mam_events.refusals.arguments import Message, Ruling, Term
from mam_events.rules.exchanges.feasibility import require_going_on, require_still_possible, without_impossible
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
"""The fields of dice, and of the game master's word in their place."""
ARMOR = "armor."
"""The beginning of an armor's roll, as `Exchange.faces` names it."""
DICE_FIELDS = {
    "attack_die": "attack",
    "defense_die": "defense",
    "into_die": "into",
    "armor_die": ARMOR,
    "interference_die": "",
}
"""The fields of first faces, each with the beginning of the rolls that it is for."""


class Resolvable(Struct, frozen=True):
    """An exchange to be rolled, and why the action that began it can no longer be done (None: it can); the `command`
    with the faces that were given before.
    """

    exchange: Exchange
    hindered: Refused | None
    command: Resolve

    @property
    def why(self) -> Message | None:
        """The reason why the action can no longer be done; None while it can."""
        return self.hindered.message if self.hindered else None

    @property
    def comes_to_nothing(self) -> bool:
        """True if no die falls: the action cannot be done, and nobody strikes or interferes beside it."""
        return self.hindered is not None and all(action.kind == "parry" for action in self.exchange.actions[1:])


def check_resolve(state: Encounter, ruleset: Ruleset, command: Resolve) -> Resolvable:
    """The exchange to be rolled; refused with `no_such_exchange`, `idle_die` or `impossible_face`.

    Every face is looked at before any roll: one that is refused only once others were drawn would tell what they show.
    """
    exchange = without_impossible(state, require_going_on(state, ruleset, command.exchange))
    command = with_given(state, ruleset, command, exchange)
    found = Resolvable(exchange, require_still_possible(state, ruleset, exchange.root), command)
    if found.hindered and found.comes_to_nothing:
        _no_dice(command, found.hindered)
    _check_sides(state, ruleset, command, exchange)
    _check_interference(state, ruleset, command, exchange)
    if command.armor_die:
        _check_armor(state, ruleset, command, exchange)
    return found


def _check_armor(state: Encounter, ruleset: Ruleset, command: Resolve, exchange: Exchange) -> None:
    """The dice of armor that takes one of its own (MAM-ARM-02)."""
    wearing = combatants_with_armor_die(state, ruleset, exchange)
    for name in command.armor_die:
        check_throw(armor_throw(command, name, ruleset), ruleset)
        if name not in wearing:
            known = [state.combatants[one] for one in wearing]
            raise Refused("idle_die/armor", rule="MAM-ARM-02", fields=("armor_die",), wrong=name, allowed=known)


def _check_sides(state: Encounter, ruleset: Ruleset, command: Resolve, exchange: Exchange) -> None:
    """The dice of whoever began the exchange and of those who defend."""
    idle = exchange.root.kind == "action" and len(exchange.actions) == 1
    if command.defense_die is not None and not rolls_defense(exchange, ruleset):
        peaceful = exchange.root.kind == "action"
        raise Refused(
            "idle_die/nothing_attacked" if peaceful else "idle_die/fixed_defense",
            exchange=Ruling(exchange.id),
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
    """The dice of those who interfere, and second throws."""
    known = [str(action.id) for action in interferers(exchange, exchange.answer)]
    for number in command.interference_die:
        if number not in known:
            raise Refused(
                "idle_die/interference",
                exchange=Ruling(exchange.id),
                rule="MAM-INTF-01",
                fields=("interference_die",),
                wrong=number,
                allowed=map(reference_to_roll, known),
            )
    if command.confirmation_die:
        slots = ["attack", "defense", *(["into"] if rolls_into(state, ruleset, exchange) else ()), *known]
        for slot in command.confirmation_die:
            if slot not in slots:
                raise Refused(
                    "idle_die/no_such_die",
                    rule="MAM-DICE-04",
                    fields=("confirmation_die",),
                    wrong=slot,
                    allowed=map(reference_to_roll, slots),
                )
    for number in known:
        check_throw(interference_throw(command, int(number), ruleset), ruleset)


def _no_dice(command: Resolve, why: Refused) -> None:
    """Refused with `idle_die` for any die of an exchange that comes to nothing."""
    for field in _DICE:
        if getattr(command, field) not in (None, {}, ""):
            raise Refused("idle_die/comes_to_nothing", reason=why.message, rule="MAM-WND-08", fields=(field,))


def reference_to_roll(roll: str) -> Ruling | Term:
    """Return the reference to a roll of an exchange: an interference's is called by its ruling."""
    return Ruling(int(roll)) if roll.isdecimal() else Term(roll)


def combatants_with_armor_die(state: Encounter, ruleset: Ruleset, exchange: Exchange) -> list[str]:
    """Those who may be struck in this exchange and whose armor takes a die of its own (`armour_roll_source`)."""
    struck = dict.fromkeys(action.target for action in exchange.actions if action.hurts)
    by_itself = [extra.action.target for extra in undeclared_strikes(exchange, ruleset)]
    into = thrown_into(state, exchange)
    thrown = [into] if into else []
    by_itself += thrown
    struck |= dict.fromkeys(by_itself)
    wearing = [name for name in struck if armor.worn_armor(state.combatants[name])]
    if not wearing:
        return wearing
    source = armor.absorption_source(ruleset)
    if source == "defense_die":
        # Whoever is attacked or acts throws a die of his own; who is struck beside that does not.
        rolling = {exchange.root.target, *thrown, *(action.combatant for action in exchange.actions)}
        return [name for name in wearing if name not in rolling]
    # Nobody rolls for a strike that comes by itself, so there is no attack die to compare with.
    return wearing if source == "separate_die" else [name for name in wearing if name in by_itself]


def undeclared_strikes(exchange: Exchange, ruleset: Ruleset) -> list[UndeclaredStrike]:
    """The strikes that the attack brings by itself once it succeeds."""
    return [extra for brings in ruleset.edition.brings for extra in brings(exchange)]


def interferers(exchange: Exchange, answer: Action | None) -> list[Action]:
    """The declarations beside the answer, against the first action or against one another, as they were made."""
    return [action for action in exchange.actions[1:] if action is not answer]


def rolls_defense(exchange: Exchange, ruleset: Ruleset) -> bool:
    """True if somebody throws a defense die against the attack: for an answer always, else where defense is an opposed
    roll.
    """
    opposed = ruleset["defense_resolution"] == "opposed_roll"
    return exchange.root.kind == "attack" and (exchange.answer is not None or opposed)


def rolls_into(state: Encounter, ruleset: Ruleset, exchange: Exchange) -> bool:
    """True if somebody throws a defense die against a body that the attack throws: not who interferes with the throw,
    for one roll replaces the other (MAM-INTF-03).
    """
    into = thrown_into(state, exchange)
    return bool(into) and ruleset["defense_resolution"] == "opposed_roll" and exchange.beside(into) is None


def who_rolls(state: Encounter, ruleset: Ruleset, exchange: Exchange) -> dict[str, str]:
    """Return whoever throws each die of the exchange, by its roll as `Exchange.faces` names it; nobody throws where it
    comes to nothing.
    """
    exchange = without_impossible(state, exchange)
    if Resolvable(
        exchange, require_still_possible(state, ruleset, exchange.root), Resolve(exchange.id)
    ).comes_to_nothing:
        return {}
    root = exchange.root
    rolls = {"attack": root.actor} if root.kind == "attack" or len(exchange.actions) > 1 else {}
    if rolls_defense(exchange, ruleset):
        rolls["defense"] = root.target
    if rolls_into(state, ruleset, exchange):
        rolls["into"] = thrown_into(state, exchange)
    rolls |= {str(action.id): action.combatant for action in interferers(exchange, exchange.answer)}
    return rolls | {f"{ARMOR}{name}": name for name in combatants_with_armor_die(state, ruleset, exchange)}


def faces_said(command: Resolve) -> dict[str, int]:
    """Return the first faces that a command gives, by their rolls."""
    sides = {"attack": command.attack_die, "defense": command.defense_die, "into": command.into_die}
    found = {roll: face for roll, face in sides.items() if face is not None} | command.interference_die
    return found | {f"{ARMOR}{name}": face for name, face in command.armor_die.items()}


def with_given(state: Encounter, ruleset: Ruleset, command: Resolve, exchange: Exchange) -> Resolve:
    """Return the command with the faces that were given before; refused with `die_given` for a face of its own in place
    of one.
    """
    if not exchange.faces:
        return command
    rolls = who_rolls(state, ruleset, exchange)
    given = {roll: face for roll, face in exchange.faces.items() if roll in rolls}
    said, again = faces_said(command), command.confirmation_die
    for roll, face in given.items():
        if roll in said or (roll in again and face.confirmation):
            field = next(field for field, of in DICE_FIELDS.items() if roll.startswith(of))
            fields = (field if roll in said else "confirmation_die",)
            raise Refused("die_given", who=state.combatants[rolls[roll]], fields=fields)
    said |= {roll: face.face for roll, face in given.items()}
    return replace(
        command,
        attack_die=said.get("attack"),
        defense_die=said.get("defense"),
        into_die=said.get("into"),
        interference_die={roll: face for roll, face in said.items() if roll.isdecimal()},
        armor_die={roll.removeprefix(ARMOR): face for roll, face in said.items() if roll.startswith(ARMOR)},
        confirmation_die={roll: face.confirmation for roll, face in given.items() if face.confirmation} | again,
    )


def offer_resolve(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    """Every `resolve` that could be ordered, legal or not."""
    exchange = state.exchange
    if exchange is None:
        return
    rolls = who_rolls(state, ruleset, exchange)
    if not rolls:
        yield offer(Resolve(exchange.id), pinned=("exchange",))
        return
    left = [roll for roll in rolls if roll not in exchange.faces]
    faces = (None, *range(1, SIDES[die_of(ruleset)] + 1))
    stopping = tuple(roll for roll in left if roll.isdecimal())
    wearing = tuple(roll.removeprefix(ARMOR) for roll in left if roll.startswith(ARMOR))
    yield offer(
        Resolve(exchange.id),
        *(Field(f"{side}_die", choices=faces) for side in ("attack", "defense", "into") if side in left),
        *((Field("interference_die", choices=faces[1:], keys=stopping),) if stopping else ()),
        *((Field("armor_die", choices=faces[1:], keys=wearing),) if wearing else ()),
        # Which slots take a second face hangs on the first ones, so no list of choices can say it.
        *(free("confirmation_die") if needs_confirmation_die(ruleset) else ()),
        *((Field("outcome", choices=get_args(GivenOutcome)),) if "attack" in rolls else ()),
        pinned=("exchange",),
    )


def needs_confirmation_die(ruleset: Ruleset) -> bool:
    """Return True if a die may take a second throw (MAM-DICE-04)."""
    return ruleset["combat_die"] == "d20_substitute" and ruleset["substitute_automatic_success"] == "confirm_roll"

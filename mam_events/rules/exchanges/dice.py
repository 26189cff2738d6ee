"""The dice of an exchange: which are thrown in it, and so which may be said (MAM-ATK-04, MAM-INTF-01, MAM-ARM-02)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import get_args

from msgspec import Struct

from mam_events.commands import Resolve
from mam_events.deciding.ruleset import Ruleset
from mam_events.deciding.strikes import UndeclaredStrike
from mam_events.deciding.templates import Field, Offer, free, offer
from mam_events.dice import SIDES
from mam_events.errors import Refused, nearest
from mam_events.rules.exchanges.blows import armor_throw, attack_throw, defense_throw, interference_throw, into_throw
from mam_events.rules.exchanges.declared import going_on, hindrance, possible
from mam_events.rules.exchanges.reactions import thrown_into
from mam_events.rules.health import armor
from mam_events.rules.rolls.dice_substitutes import check_throw, die_of
from mam_events.state import Action, Encounter, Exchange
from mam_events.values import GivenOutcome

_DICE = ("attack_die", "defense_die", "into_die", "interference_die", "armor_die", "confirmation_die", "outcome")
"""The fields of dice, and of the game master's word in their place."""


class Resolvable(Struct, frozen=True):
    """An exchange to be rolled, and why the action that began it can no longer be done, in a sentence ("": it can)."""

    exchange: Exchange
    hindered: str

    @property
    def comes_to_nothing(self) -> bool:
        """True if no die falls: the action cannot be done, and nobody strikes or interferes beside it."""
        return bool(self.hindered) and all(action.kind == "parry" for action in self.exchange.actions[1:])


def check_resolve(state: Encounter, ruleset: Ruleset, command: Resolve) -> Resolvable:
    """The exchange to be rolled; refused with `no_such_exchange`, `idle_die` or `impossible_face`.

    Every face is looked at before any roll: one that is refused only once others were drawn would tell what they show.
    """
    exchange = possible(state, going_on(state, ruleset, command.exchange))
    found = Resolvable(exchange, hindrance(state, ruleset, exchange.root))
    if found.comes_to_nothing:
        _no_dice(command, found.hindered)
    _check_sides(state, ruleset, command, exchange)
    _check_interference(state, ruleset, command, exchange)
    if command.armor_die:
        _check_armor(state, ruleset, command, exchange)
    return found


def _check_armor(state: Encounter, ruleset: Ruleset, command: Resolve, exchange: Exchange) -> None:
    """The dice of armor that takes one of its own (MAM-ARM-02)."""
    wearing = armored(state, ruleset, exchange)
    for name in command.armor_die:
        check_throw(armor_throw(command, name, ruleset), ruleset)
        if name not in wearing:
            hint = nearest(name, wearing) if wearing else "no armor takes a die of its own here."
            raise _idle_die("armor_die", f'"{name}" needs no armor die; {hint}', "MAM-ARM-02", name, wearing)


def _check_sides(state: Encounter, ruleset: Ruleset, command: Resolve, exchange: Exchange) -> None:
    """The dice of whoever began the exchange and of those who defend."""
    idle = exchange.root.kind == "action" and len(exchange.actions) == 1
    if command.defense_die is not None and not rolls_defense(exchange, ruleset):
        why = "nothing is attacked" if exchange.root.kind == "action" else "the defense is a fixed number here"
        raise _idle_die("defense_die", f"Nobody rolls a defense die in exchange {exchange.id}: {why}.", "MAM-ATK-04")
    if command.attack_die is not None and idle:
        raise _idle_die("attack_die", "Nobody interferes, so this action takes no roll.", "MAM-INTF-01")
    if command.outcome and idle:
        raise _idle_die("outcome", "Nobody interferes, so this action comes off whatever anybody says.", "MAM-INTF-01")
    check_throw(attack_throw(command, ruleset), ruleset)
    if command.into_die is not None and not rolls_into(state, ruleset, exchange):
        raise _idle_die("into_die", "Nobody defends against a thrown body here.", "MAM-MNP-09")
    check_throw(defense_throw(command, ruleset), ruleset)
    if command.into_die is not None or command.confirmation_die:
        check_throw(into_throw(command, ruleset), ruleset)


def _check_interference(state: Encounter, ruleset: Ruleset, command: Resolve, exchange: Exchange) -> None:
    """The dice of those who interfere, and second throws."""
    known = [str(action.id) for action in interferers(exchange, exchange.answer)]
    for number in command.interference_die:
        if number not in known:
            hint = nearest(number, known) if known else "nobody interferes."
            sentence = f"No interference of exchange {exchange.id} was declared by ruling {number}; {hint}"
            raise _idle_die("interference_die", sentence, "MAM-INTF-01", number, known)
    if command.confirmation_die:
        slots = ["attack", "defense", *(["into"] if rolls_into(state, ruleset, exchange) else ()), *known]
        for slot in command.confirmation_die:
            if slot not in slots:
                sentence = f'No die is called "{slot}"; {nearest(slot, slots)}'
                raise _idle_die("confirmation_die", sentence, "MAM-DICE-04", slot, slots)
    for number in known:
        check_throw(interference_throw(command, int(number), ruleset), ruleset)


def _no_dice(command: Resolve, why: str) -> None:
    """Refused with `idle_die` for any die of an exchange that comes to nothing."""
    for field in _DICE:
        if getattr(command, field) not in (None, {}, ""):
            raise _idle_die(field, f"{why} So nothing is rolled: resolve it without dice.", "MAM-WND-08")


def _idle_die(field: str, sentence: str, rule: str, wrong: str = "", allowed: Iterable[str] = ()) -> Refused:
    return Refused("idle_die", sentence, rule=rule, fields=(field,), wrong=wrong, allowed=allowed)


def armored(state: Encounter, ruleset: Ruleset, exchange: Exchange) -> list[str]:
    """Those who may be struck in this exchange and whose armor takes a die of its own (`armour_roll_source`)."""
    struck = dict.fromkeys(action.target for action in exchange.actions if action.hurts)
    by_itself = [extra.action.target for extra in brought(exchange, ruleset)]
    into = thrown_into(state, exchange)
    thrown = [into] if into else []
    by_itself += thrown
    struck |= dict.fromkeys(by_itself)
    wearing = [name for name in struck if armor.worn(state.combatants[name])]
    if not wearing:
        return wearing
    source = armor.source(ruleset)
    if source == "defense_die":
        # Whoever is attacked or acts has thrown a die of his own; who is struck beside that has not, and nobody defends
        # against what an interference stops, though the game master's word may let it hit.
        attacked = () if interferers(exchange, exchange.answer) else (exchange.root.target,)
        rolling = {*attacked, *thrown, *(action.combatant for action in exchange.actions)}
        return [name for name in wearing if name not in rolling]
    # Nobody rolls for a strike that comes by itself, so there is no attack die to compare with.
    return wearing if source == "separate_die" else [name for name in wearing if name in by_itself]


def brought(exchange: Exchange, ruleset: Ruleset) -> list[UndeclaredStrike]:
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


def offer_resolve(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    """Every `resolve` that could be ordered, legal or not."""
    exchange = state.exchange
    if exchange is None:
        return
    sides = SIDES[die_of(ruleset)]
    faces = (None, *range(1, sides + 1))
    exchange = possible(state, exchange)
    if Resolvable(exchange, hindrance(state, ruleset, exchange.root)).comes_to_nothing:
        yield offer(Resolve(exchange.id), pinned=("exchange",))
        return
    rolling = tuple(str(action.id) for action in interferers(exchange, exchange.answer))
    wearing = armored(state, ruleset, exchange)
    confirms = ruleset["combat_die"] == "d20_substitute" and ruleset["substitute_automatic_success"] == "confirm_roll"
    rolls_attack = exchange.root.kind == "attack" or len(exchange.actions) > 1
    yield offer(
        Resolve(exchange.id),
        *((Field("attack_die", choices=faces),) if rolls_attack else ()),
        *((Field("defense_die", choices=faces),) if rolls_defense(exchange, ruleset) else ()),
        *((Field("into_die", choices=faces),) if rolls_into(state, ruleset, exchange) else ()),
        *((Field("interference_die", choices=faces[1:], keys=rolling),) if rolling else ()),
        *((Field("armor_die", choices=faces[1:], keys=tuple(wearing)),) if wearing else ()),
        # Which slots take a second face hangs on the first ones, so no list of choices can say it.
        *(free("confirmation_die") if confirms else ()),
        *((Field("outcome", choices=get_args(GivenOutcome)),) if rolls_attack else ()),
        pinned=("exchange",),
    )

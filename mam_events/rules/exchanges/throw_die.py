"""Dice that combatants give before an exchange is resolved, and the reactions and dice still awaited."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import get_args

from msgspec import Struct

from mam_events.commands import ThrowDie
from mam_events.decider.checks import require_combatant
from mam_events.decider.engine import Decision, RuleModule, Ruleset
from mam_events.decider.mechanic import Mechanic
from mam_events.decider.offers import Field, Offer, free, offer
from mam_events.dice import SIDES, check_face
from mam_events.errors import Refused
from mam_events.events import DrawLeft, FaceGiven
from mam_events.refusals.arguments import RulingArgument, list_argument
from mam_events.rules.exchanges.feasibility import require_going_on
from mam_events.rules.exchanges.resolve_dice import ARMOR, needs_confirmation_die, reference_to_roll, who_rolls
from mam_events.rules.rolls.dice_substitutes import check_throw, combat_throw, die_of
from mam_events.state import Combatant, Encounter, Exchange
from mam_events.values import ExchangeDie

NAMED_DICE: dict[str, ExchangeDie] = {die: die for die in get_args(ExchangeDie)}
"""The dice of an exchange that have a name; an interference is named by its ruling."""


class AwaitedPart(Struct, frozen=True):
    """The reaction and the dice that the open exchange still waits for.

    `reaction` is the able combatant who may react ("": none). `dice` are those of able combatants that were neither
    given nor left to be drawn: the combatant who throws each, by its roll.
    """

    reaction: str = ""
    dice: Mapping[str, str] = {}


def awaited_parts(state: Encounter, ruleset: Ruleset) -> AwaitedPart:
    """Return the reaction and the dice that the open exchange may wait for."""
    exchange = state.exchange
    if exchange is None:
        return AwaitedPart()
    dice = {
        roll: who
        for roll, who in who_rolls(state, ruleset, exchange).items()
        if roll not in exchange.faces and who not in exchange.drawing and state.combatants[who].condition == "able"
    }
    return AwaitedPart("" if exchange.faces else awaited_reaction(state, exchange), dice)


def awaited_reaction(state: Encounter, exchange: Exchange) -> str:
    """Return the attacked combatant while they can still react and have not passed; "" for nobody."""
    root = exchange.root
    waits = root.kind == "attack" and not exchange.has_reacted(root.target)
    return root.target if waits and state.combatants[root.target].condition == "able" else ""


def check_throw_die(state: Encounter, ruleset: Ruleset, command: ThrowDie) -> str:
    """Return the roll that the face is for; "" if all are left to be drawn.

    Raises Refused with `not_rolling`, `already_thrown`, `roll_needed`, `face_needed`, `awaits_reaction`, or as
    `check_throw` does for a face.
    """
    exchange = require_going_on(state, ruleset, command.exchange)
    who = require_combatant(state, command.combatant)
    mine = [_name(roll) for roll, name in who_rolls(state, ruleset, exchange).items() if name == who.id]
    missing = [roll for roll in mine if (f"{ARMOR}{who.id}" if roll == "armor" else roll) not in exchange.faces]
    if not mine:
        raise Refused("not_rolling/exchange", who=who, exchange=RulingArgument(exchange.id), fields=("combatant",))
    if command.die is None:
        _check_draw(exchange, command, who, missing)
        return ""
    if missing and who.id in exchange.drawing and exchange.faces:
        raise Refused("already_thrown/drawn", who=who, fields=("die",))
    roll = _named_roll(command, mine) or _only_roll(who, mine, missing)
    if roll not in mine:
        references = [reference_to_roll(one) for one in mine]
        raise Refused(
            "not_rolling/die",
            who=who,
            theirs=list_argument(references),
            fields=("roll",),
            wrong=roll,
            allowed=references,
        )
    if roll not in missing:
        raise Refused("already_thrown", who=who, fields=("die",))
    if (target := awaited_reaction(state, exchange)) not in ("", who.id):
        raise Refused("awaits_reaction/before_dice", who=state.combatants[target], fields=("die",))
    if roll == "armor" and command.confirmation_die is not None:
        raise Refused("idle_die/armor_again", fields=("confirmation_die",))
    check_throw(combat_throw(command.die, command.confirmation_die, "die", ruleset), ruleset)
    return roll


def _name(roll: str) -> str:
    return "armor" if roll.startswith(ARMOR) else roll


def _named_roll(command: ThrowDie, mine: list[str]) -> str:
    """Return the roll that the command names, an interference by its ruling; "" for none."""
    if command.action:
        return str(command.action) if command.roll in ("", "interference") else "-"
    stopping = [roll for roll in mine if roll.isdecimal()]
    if command.roll == "interference":
        return stopping[0] if len(stopping) == 1 else "" if stopping else "-"
    return command.roll


def _only_roll(who: Combatant, mine: list[str], missing: list[str]) -> str:
    """Return the roll that a face is for if the command names none: the only one left, armor only after all others."""
    candidates = [roll for roll in missing if roll != "armor"] or missing or mine
    if len(candidates) > 1:
        rolls = [reference_to_roll(roll) for roll in candidates]
        raise Refused(
            "roll_needed",
            who=who,
            count=len(candidates),
            rolls=list_argument(rolls),
            fields=("action" if all(roll.isdecimal() for roll in candidates) else "roll",),
            allowed=rolls,
        )
    return candidates[0]


def _check_draw(exchange: Exchange, command: ThrowDie, who: Combatant, missing: list[str]) -> None:
    """Raise Refused if dice to be drawn were already given or left, or if only some of them are named."""
    if command.roll or command.action or command.confirmation_die is not None:
        field = "roll" if command.roll else "action" if command.action else "confirmation_die"
        raise Refused("face_needed", who=who, fields=(field,))
    if not missing or who.id in exchange.drawing:
        raise Refused("already_thrown/all_drawn" if missing else "already_thrown/all", who=who, fields=("combatant",))


def judge_throw_die(judging: Decision, command: ThrowDie, roll: str) -> None:
    """Record the face, or that the dice are to be drawn."""
    exchange, who, face = command.exchange, command.combatant, command.die
    if face is None:
        judging.record(DrawLeft(exchange, who))
    else:
        action = int(roll) if roll.isdecimal() else 0
        die = "interference" if action else roll
        kind, again = die_of(judging.ruleset), command.confirmation_die
        second = None if again is None else check_face(again, kind, "confirmation_die")
        judging.record(FaceGiven(exchange, who, die, check_face(face, kind, "die"), second, action))


def _offer_throw_die(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    exchange = state.exchange
    if exchange is None:
        return
    faces = tuple(range(1, SIDES[die_of(ruleset)] + 1))
    rolls = who_rolls(state, ruleset, exchange)
    for name in dict.fromkeys(rolls.values()):
        missing = [_name(roll) for roll, who in rolls.items() if who == name and roll not in exchange.faces]
        yield offer(ThrowDie(name, exchange.id), Field("die", choices=(None,)), pinned=("exchange",))
        plain = [roll for roll in missing if roll != "armor"] or missing
        for roll in missing:
            kind, action = NAMED_DICE.get(roll, "interference"), int(roll) if roll.isdecimal() else 0
            is_default = plain == [roll]
            yield offer(
                ThrowDie(name, exchange.id, faces[0], kind, action),
                Field("die", choices=faces),
                Field("roll", choices=("", kind) if is_default else (kind,)),
                Field("action", choices=(0, action) if is_default and action else (action,)),
                *(free("confirmation_die") if needs_confirmation_die(ruleset) and roll != "armor" else ()),
                pinned=("exchange",),
            )


SECTION = RuleModule(
    mechanics=(Mechanic(ThrowDie, check=check_throw_die, judge=judge_throw_die, offers=_offer_throw_die),),
)

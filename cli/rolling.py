"""Rolls that the game master asks for at any time, and rest: they need no turn."""

from __future__ import annotations

import re

import click

from cli.acting import order, whole
from cli.choices import ATTEMPTS, CIRCUMSTANCES, KINDS, QUALITIES, TIES
from cli.options import Decorator, Whole, acting, command, complete_combatant, situated, stacked
from cli.session import Session, pass_session


def face_option(option: str, words: str) -> Decorator:
    """An option for the face of a die, which is drawn if it is left out."""
    return click.option(option, type=Whole(), metavar="FACE", help=words)


CIRCUMSTANCE = click.option(
    "--circumstance", type=click.Choice(CIRCUMSTANCES), multiple=True, help="What helps or hinders; may be repeated."
)
_WHAT = click.option("--what", metavar="TEXT", help="What it is about, in words.")
_MODIFIER = click.option("--modifier", type=Whole(None), metavar="NUMBER", help="What is added to the roll (0).")
DICE = stacked(
    click.option("--kind", type=click.Choice(KINDS), help="The die that is thrown, if not the usual one."),
    face_option("--die", "The face that was thrown, 0 on a d10 being its 10; drawn, if left out."),
    face_option("--confirmation-die", "The face of the second throw, where another die than a d20 comes to 20."),
)


@command(
    "check",
    "mam check modre hard --modifier 6 --die 14",
    "mam check modre --against 4 --circumstance unfavourable",
    'mam check clone 12 --what "climb the wall" --kind d10 --die 0 --confirmation-die 7',
)
@click.argument("combatant", shell_complete=complete_combatant, help="Who rolls.")
@click.argument(
    "difficulty", required=False, help="A number, or easy, moderate, hard, extreme or heroic; 10, if left out."
)
@click.option(
    "--against", type=Whole(None), metavar="NUMBER", help="Somebody's modifier: the difficulty is 10 and this."
)
@_WHAT
@_MODIFIER
@click.option("--difficulty-modifier", type=Whole(None), metavar="NUMBER", help="What is added to the difficulty (0).")
@CIRCUMSTANCE
@click.option(
    "--attempt",
    type=click.Choice(ATTEMPTS),
    help="Whether there is anything to roll (chance).",
)
@DICE
@situated
@acting
@pass_session
def check(
    session: Session,
    combatant: str,
    difficulty: str | None,
    against: int | None,
    what: str | None,
    modifier: int | None,
    difficulty_modifier: int | None,
    circumstance: tuple[str, ...],
    attempt: str | None,
    kind: str | None,
    die: int | None,
    confirmation_die: int | None,
) -> None:
    """Make a success roll: the die and its modifiers must be greater than the difficulty (MAM-ROLL-01).

    It needs no turn and costs nothing, and may be asked for while an exchange is open.
    """
    said = {
        "combatant": combatant,
        "difficulty": number_or_word(difficulty),
        "against": against,
        "what": what,
        "modifier": modifier,
        "difficulty_modifier": difficulty_modifier,
        "circumstance": list(circumstance) or None,
        "attempt": attempt,
        "kind": kind,
        "die": shown(kind, die),
        "confirmation_die": shown(kind, confirmation_die),
    }
    order(session, "check", said)


def number_or_word(difficulty: str | None) -> int | str | None:
    """A difficulty as it was typed; a usage error for what begins like a number and is none."""
    if difficulty is None or not re.match(r"[+-]?[0-9]", difficulty):
        return difficulty
    return whole(difficulty, "DIFFICULTY", None)


def shown(kind: str | None, face: int | None) -> int | None:
    """A face as it counts: what a d10 prints as 0 is its 10 (MAM-DICE-01)."""
    return 10 if kind == "d10" and face == 0 else face


@command(
    "contest",
    "mam contest modre clone --modifier 3 --opponent-modifier 5 --die 13",
    "mam contest modre clone --tie cannot_both_succeed --die 12 --opponent-die 8",
)
@click.argument("combatant", shell_complete=complete_combatant, help="Who begins it.")
@click.argument("opponent", shell_complete=complete_combatant, help="Against whom.")
@_WHAT
@_MODIFIER
@click.option("--opponent-modifier", type=Whole(None), metavar="NUMBER", help="The modifier of the opponent (0).")
@click.option("--tie", type=click.Choice(TIES), help="Which ties there can be, so that both roll; none, if left out.")
@DICE
@face_option("--opponent-die", "The face that the opponent threw; drawn, if left out.")
@face_option("--opponent-confirmation-die", "The face of the opponent's second throw.")
@situated
@acting
@pass_session
def contest(
    session: Session,
    combatant: str,
    opponent: str,
    what: str | None,
    modifier: int | None,
    opponent_modifier: int | None,
    tie: str | None,
    kind: str | None,
    die: int | None,
    confirmation_die: int | None,
    opponent_die: int | None,
    opponent_confirmation_die: int | None,
) -> None:
    """Let two contend: one roll against 10 and the other's modifier, or a pair of rolls (MAM-CONT-01, MAM-CONT-02)."""
    said = {
        "combatant": combatant,
        "opponent": opponent,
        "what": what,
        "modifier": modifier,
        "opponent_modifier": opponent_modifier,
        "tie": tie,
        "kind": kind,
        "die": shown(kind, die),
        "confirmation_die": shown(kind, confirmation_die),
        "opponent_die": shown(kind, opponent_die),
        "opponent_confirmation_die": shown(kind, opponent_confirmation_die),
    }
    order(session, "contest", said)


@command("heal", "mam heal modre 7 --regeneration 1 --opposition 3 --die 5 --opposing-die 2", "mam heal modre 4")
@click.argument("combatant", shell_complete=complete_combatant, help="Who rests.")
@click.argument(
    "rest_days", required=False, type=Whole(), help="Days without strenuous activity, 7 at most; 0, if left out."
)
@click.option("--regeneration", type=Whole(None), metavar="NUMBER", help="The regeneration modifier (0).")
@click.option("--quality", type=click.Choice(QUALITIES), help="The quality of the regeneration (weekly).")
@click.option(
    "--opposition", type=Whole(), multiple=True, metavar="NUMBER", help="An adverse factor, 5 at most; may be repeated."
)
@click.option(
    "--healer", type=Whole(None), metavar="NUMBER", help="The modifier of a healer, where the house counts it."
)
@DICE
@face_option("--opposing-die", "The face of the opposition, where it rolls; drawn, if left out.")
@face_option("--opposing-confirmation-die", "The face of the opposition's second throw.")
@situated
@acting
@pass_session
def heal(
    session: Session,
    combatant: str,
    rest_days: int | None,
    regeneration: int | None,
    quality: str | None,
    opposition: tuple[int, ...],
    healer: int | None,
    kind: str | None,
    die: int | None,
    confirmation_die: int | None,
    opposing_die: int | None,
    opposing_confirmation_die: int | None,
) -> None:
    """Rest for a week: damage goes to other used, the more if the attempt to heal succeeds (MAM-REST-01 to -05)."""
    said = {
        "combatant": combatant,
        "rest_days": rest_days,
        "regeneration": regeneration,
        "quality": quality,
        "opposition": list(opposition) or None,
        "healer": healer,
        "kind": kind,
        "die": shown(kind, die),
        "confirmation_die": shown(kind, confirmation_die),
        "opposing_die": shown(kind, opposing_die),
        "opposing_confirmation_die": shown(kind, opposing_confirmation_die),
    }
    order(session, "heal", said)

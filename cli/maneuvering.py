"""Orders about how one stands, lies, evades, rests and aims."""

from __future__ import annotations

import click

from cli.acting import MINE, order, order_with_weapon, required, rightmost
from cli.choices import POSITIONS
from cli.options import acting, command, complete_combatant, price, situated, who_acts
from cli.rolling import DICE, face_option, shown
from cli.session import Session, pass_session


@command("evade", "mam evade modre", "mam evade")
@who_acts
@acting
@pass_session
def evade(session: Session, combatant: str | None) -> None:
    """Move defensively: a bonus to the defense until the end of the next turn, once per turn (MAM-MNV-01)."""
    order(session, "evade", {"combatant": combatant}, MINE)


@command("drop", "mam drop modre", "mam drop --points 1")
@who_acts
@price
@acting
@pass_session
def drop(session: Session, combatant: str | None, points: int | None) -> None:
    """Get down on the ground: crouching, sitting, kneeling or lying (MAM-MNV-03)."""
    order(session, "drop", {"combatant": combatant, "points": points}, MINE)


@command("stand", "mam stand modre", "mam stand")
@who_acts
@price
@acting
@pass_session
def stand(session: Session, combatant: str | None, points: int | None) -> None:
    """Stand up, which is one quick action (MAM-MNV-04)."""
    order(session, "stand", {"combatant": combatant, "points": points}, MINE)


@command("instant-stand", "mam instant-stand modre --die 4 --opposing-die 2", "mam instant-stand")
@who_acts
@price
@DICE
@face_option("--opposing-die", "The face that it must beat, where both are thrown; drawn, if left out.")
@face_option("--opposing-confirmation-die", "The face of that one's second throw.")
@situated
@acting
@pass_session
def instant_stand(
    session: Session,
    combatant: str | None,
    points: int | None,
    kind: str | None,
    die: int | None,
    confirmation_die: int | None,
    opposing_die: int | None,
    opposing_confirmation_die: int | None,
) -> None:
    """Stand up evading, by a roll of agility and acrobatics; above 5 it needs no roll (MAM-MNV-05)."""
    said = {
        "combatant": combatant,
        "points": points,
        "kind": kind,
        "die": shown(kind, die),
        "confirmation_die": shown(kind, confirmation_die),
        "opposing_die": shown(kind, opposing_die),
        "opposing_confirmation_die": shown(kind, opposing_confirmation_die),
    }
    order(session, "instant-stand", said, MINE)


@command("rest", "mam rest modre", "mam rest")
@who_acts
@price
@acting
@pass_session
def rest(session: Session, combatant: str | None, points: int | None) -> None:
    """Rest: a bonus to the defense until the end of the next turn (MAM-POS-04)."""
    order(session, "rest", {"combatant": combatant, "points": points}, MINE)


@command("aim", "mam aim modre bow", "mam aim bow", "mam aim bow --stop")
@who_acts
@click.argument("weapon", required=False, help="What to aim, in hand, to be shot or thrown; the only one, if left out.")
@price
@click.option("--stop", is_flag=True, default=None, help="Aim it no longer, which takes nothing.")
@acting
@pass_session
def aim(session: Session, combatant: str | None, weapon: str | None, points: int | None, stop: bool | None) -> None:
    """Aim: a bonus to the next shot or throw, lost by moving, by being hurt, by striking otherwise (MAM-POS-02)."""
    order_with_weapon(session, "aim", combatant, weapon, points, stop=stop)


@command("take-position", "mam take-position modre dominant_standing clone", "mam take-position clinch clone")
@who_acts
@click.argument("position", required=False, help=f"How they fight: {', '.join(POSITIONS)}.")
@click.argument("partner", required=False, shell_complete=complete_combatant, help="With whom.")
@acting
@pass_session
def take_position(session: Session, combatant: str | None, position: str | None, partner: str | None) -> None:
    """Settle how a grapple is fought, and who is dominant in it (MAM-POS-05)."""
    who, how, whom = rightmost(combatant, position, partner)
    said = {"combatant": who, "position": required(how, "POSITION"), "partner": required(whom, "PARTNER")}
    order(session, "take-position", said, MINE)

"""Orders of manipulation and grappling: taking somebody in hand, keeping a hold up, getting out of one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from cli.acting import MINE, order, required, rightmost, whose_turn
from cli.choices import CLASSES, FOLLOW_UPS, LIGHTS, THROWS_OF_A_HAND
from cli.exchanges import AGAINST, INTERFERING
from cli.options import Whole, acting, command, complete_combatant, situated, stacked, who_acts
from cli.rolling import CIRCUMSTANCE
from cli.session import Session, pass_session

if TYPE_CHECKING:
    from mam_events.state import Encounter

_POINTS = click.option("--points", type=Whole(), metavar="POINTS", help="Ready points that manipulate (0).")
_MODIFIER = click.option("--modifier", type=Whole(), metavar="POINTS", help="Ready points on the modifier (0).")
_POWER = click.option(
    "--power", type=Whole(), metavar="POINTS", help="Ready points on power, of a choke, wrench or missile (0)."
)
_FOLLOW_UP = click.option("--follow-up", type=click.Choice(FOLLOW_UPS), help="What it is to become (none).")
_ITEM = click.option("--item", metavar="ID", help="The weapon that is to be taken.")
_INTO = stacked(
    click.option("--surface", metavar="TEXT", help="What the target is thrown into, in words."),
    click.option("--surface-power", type=Whole(None), metavar="NUMBER", help="The power of that surface (0)."),
    click.option("--surface-sharpness", type=Whole(None), metavar="NUMBER", help="Its sharpness, if it is not blunt."),
    click.option("--surface-class", type=click.Choice(CLASSES), help="Its kind of sharpness, in place of a number."),
    click.option(
        "--into", metavar="COMBATANT", shell_complete=complete_combatant, help="Who is struck with the thrown body."
    ),
    click.option("--move", type=Whole(), metavar="POINTS", help="Ready points on moving while throwing (0)."),
    click.option("--metres", metavar="METRES", help="How far to move while throwing, in metres."),
)
_FROM_AFAR = stacked(
    click.option("--thrown", type=click.Choice(THROWS_OF_A_HAND), help="How the weapon is thrown."),
    click.option("--distance", metavar="METRES", help="How far off the target is, or the surface, in metres."),
    click.option("--light", type=click.Choice(LIGHTS), help="How much the attacker sees (lit)."),
    click.option("--darkness", type=Whole(), metavar="NUMBER", help="The game master's number for total darkness."),
    CIRCUMSTANCE,
)


@command(
    "manipulate",
    "mam manipulate modre clone --points 2 --modifier 1",
    "mam manipulate clone --follow-up choke --power 5",
    "mam manipulate modre clone --follow-up disarm --item ice-blade --points 3",
    'mam manipulate modre clone --follow-up throw --points 2 --surface "the wall" --surface-power 3',
)
@click.argument(
    "attacker",
    required=False,
    shell_complete=complete_combatant,
    help="Who manipulates; the one whose turn it is, if left out.",
)
@click.argument("target", required=False, shell_complete=complete_combatant, help="Who is manipulated.")
@click.option("--weapon", metavar="ID", help="What to manipulate with; body, if left out.")
@_POINTS
@_POWER
@_MODIFIER
@_FOLLOW_UP
@_ITEM
@_INTO
@_FROM_AFAR
@situated
@acting
@pass_session
def manipulate(
    session: Session, /, attacker: str | None, target: str | None, circumstance: tuple[str, ...], **more: Any
) -> None:
    """Take somebody in hand: a weight on the next roll, and what follows from it (MAM-MNP-01, MAM-MNP-02)."""
    who, whom = rightmost(attacker, target)
    said = {"attacker": who, "target": required(whom, "TARGET"), "circumstances": list(circumstance) or None}
    order(session, "manipulate", said | more, {"attacker": whose_turn})


@command("tackle", "mam tackle rook --points 2", "mam tackle rook 15 --follow-up hold --points 2 --modifier 1")
@AGAINST
@click.option("--weapon", metavar="ID", help="What to tackle with; body, if left out.")
@_POINTS
@_POWER
@_MODIFIER
@_FOLLOW_UP
@_ITEM
@situated
@acting
@pass_session
def tackle(session: Session, /, **said: Any) -> None:
    """Try to stop somebody's action by taking whoever does it in hand (MAM-INTF-02, MAM-INTF-04).

    It stops the action only if it has the better of whoever acts, and then does what a manipulation does (MAM-MNP-01).
    """
    order(session, "tackle", said, INTERFERING)


@command("maintain-grapple", "mam maintain-grapple modre choke-6")
@who_acts
@click.argument("grapple", required=False, help="Which hold.")
@acting
@pass_session
def maintain_grapple(session: Session, combatant: str | None, grapple: str | None) -> None:
    """Keep a hold up for another turn, where its points are spent anew each time (MAM-MNP-05, `hold_maintenance`)."""
    who, what = rightmost(combatant, grapple)
    order(session, "maintain-grapple", {"combatant": who, "grapple": required(what, "GRAPPLE")}, MINE)


@command("escape", "mam escape clone choke-6 --points 3", "mam escape hold-12 --points 2 --modifier 1")
@who_acts
@click.argument("grapple", required=False, help="Which hold to get out of.")
@click.option("--holder", metavar="ID", shell_complete=complete_combatant, help="Who holds it; found by the hold.")
@_POINTS
@_MODIFIER
@situated
@acting
@pass_session
def escape(
    session: Session,
    combatant: str | None,
    grapple: str | None,
    holder: str | None,
    points: int | None,
    modifier: int | None,
) -> None:
    """Try to get out of a hold by manipulating whoever holds (MAM-MNP-10, `hold_escape`)."""
    who, what = rightmost(combatant, grapple)
    which = required(what, "GRAPPLE")
    said = {"combatant": who, "grapple": which, "holder": holder, "points": points, "modifier": modifier}
    order(session, "escape", said, {"combatant": whose_turn, "holder": partial(holder_of, which)})


def holder_of(grapple: str, state: Encounter) -> str:
    """Whoever has that hold; the hold's own name where nobody does, so that the rules say what is wrong."""
    return next((who.id for who in state.combatants.values() for held in who.grapples if held.id == grapple), grapple)

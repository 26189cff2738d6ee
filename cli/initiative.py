"""Who begins: settled by reach, surprise or circumstance, or rolled anew every round."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from cli.acting import order, whole
from cli.catalogue import CATALOGUE
from cli.options import Command, Family, Pair, acting, complete_combatant, situated
from cli.rounds import AGAIN, by_name
from cli.session import Session, pass_session

if TYPE_CHECKING:
    from mam_events.state import Encounter


@click.command(
    "initiative",
    cls=Family,
    short_help=CATALOGUE["initiative"].short,
    example=(
        "mam initiative",
        "mam initiative --surprise clone",
        "mam initiative --tie-die modre=4 --tie-die clone=2",
        'mam initiative --first clone --reason "Modre is asleep"',
        "mam initiative roll --all",
    ),
)
@click.option(
    "--surprise",
    multiple=True,
    metavar="COMBATANT",
    shell_complete=complete_combatant,
    help="Who ambushed (MAM-ORDER-04).",
)
@click.option(
    "--circumstance", metavar="COMBATANT", shell_complete=complete_combatant, help="Whom circumstances favour."
)
@click.option(
    "--first",
    metavar="COMBATANT",
    shell_complete=complete_combatant,
    help="Who begins by the game master's word; needs a --reason.",
)
@click.option(
    "--reason", metavar="TEXT", help="Why --first; or why there is combat though those who stalked one another missed."
)
@click.option(
    "--tie-die",
    "tie_dice",
    type=Pair("=", "COMBATANT", "FACE"),
    multiple=True,
    metavar="COMBATANT=FACE",
    help="A die thrown to break a tie; drawn, if left out.",
)
@click.option(
    "--same-seat",
    multiple=True,
    metavar="COMBATANT",
    shell_complete=complete_combatant,
    help="Those who share a seat, in the order of their turns, where the house leaves it to their player.",
)
@acting
@pass_session
@click.pass_context
def initiative(
    ctx: click.Context,
    session: Session,
    surprise: tuple[str, ...],
    circumstance: str | None,
    first: str | None,
    reason: str | None,
    tie_dice: tuple[tuple[str, str], ...],
    same_seat: tuple[str, ...],
) -> None:
    """Settle who begins: by reach, by surprise, by circumstance or by the game master's word (MAM-ORDER-03).

    Where initiative is rolled anew every round, `mam initiative roll` does it (RD6-INIT-01), and --first puts somebody
    before all who rolled.
    """
    if ctx.invoked_subcommand:
        return
    said: Mapping[str, Any] = {
        "surprise": list(surprise) or None,
        "circumstance": circumstance,
        "first": first,
        "reason": reason,
        "tie_die": {name: whole(face, "FACE", 1) for name, face in tie_dice} or None,
        "same_seat": list(same_seat) or None,
    }
    order(session, "initiative", said)


@initiative.command(
    "roll",
    cls=Command,
    short_help="Roll for a place in this round.",
    example=(
        "mam initiative roll --all",
        "mam initiative roll rook thug --dice rook=4,5,6,2 --dice thug=3,3",
    ),
)
@click.argument(
    "combatants", nargs=-1, shell_complete=complete_combatant, help="Who rolls; a group by one of its members."
)
@click.option("--all", "everybody", is_flag=True, help="Everybody who can act and has not rolled in this round.")
@click.option(
    "--dice",
    type=Pair("=", "COMBATANT", "FACE,…"),
    multiple=True,
    metavar="COMBATANT=FACE,…",
    help="Faces thrown at the table, the wild die last and what a 6 on it adds after it; drawn, if left out.",
)
@AGAIN
@click.option(
    "--special",
    multiple=True,
    metavar="COMBATANT",
    shell_complete=complete_combatant,
    help="Whom a situation of this round puts first in a tie.",
)
@click.option("--reason", metavar="TEXT", help="Why there is combat though those who stalked one another missed.")
@situated
@acting
@pass_session
def roll(
    session: Session,
    combatants: tuple[str, ...],
    everybody: bool,
    dice: tuple[tuple[str, str], ...],
    again: tuple[tuple[str, str], ...],
    special: tuple[str, ...],
    reason: str | None,
) -> None:
    """Roll for a place in this round: Perception, a group once for all of it (RD6-INIT-01); the order follows."""
    if not (combatants or everybody):
        from cli.suggesting import ready_to_type

        error = click.UsageError("Say who rolls, or --all.", ctx=click.get_current_context())
        steps = ready_to_type(session, session.timeline())
        if step := next((step for step in steps if step.startswith("mam initiative roll")), ""):
            error.next = step  # type: ignore[attr-defined]  # as every usage error may have one
        raise error
    said: Mapping[str, Any] = {
        "combatants": list(combatants) or None,
        "dice": by_name(dice, "--dice"),
        "again": by_name(again),
        "special": list(special) or None,
        "reason": reason,
    }
    order(session, "roll-initiative", said, {"combatants": lambda state: who_has_not_rolled(session, state)})


def who_has_not_rolled(session: Session, state: Encounter) -> list[str]:
    """Everybody who can act, may be seen and has no place in the round yet; refused with `already_rolled` where nobody
    lacks one.
    """
    from mam_events.errors import Refused
    from mam_events.rules.ron_d6.perception import yet_to_roll

    assert state.ruleset is not None  # noqa: S101 - a fight that is open has rules
    waiting = yet_to_roll(state, session.log().rules.in_force(state.ruleset))
    found = [name for name in waiting if name not in session.screen().hidden]
    if not found:
        said = "Everybody who can act has rolled." if state.combatants else "Nobody has joined yet."
        raise Refused("already_rolled", said, rule="RD6-INIT-01", fields=("combatants",))
    return found
